"""What dice show, and how a throw leads from some dice to others. May know: numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

FACES = (1, 2, 3, 4, 5, 6)
Choice = Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Roll:
    """What some dice show, as the counts of ones … sixes, so that the order of the dice cannot matter."""

    counts: tuple[int, int, int, int, int, int]

    def __post_init__(self) -> None:
        if len(self.counts) != len(FACES) or any(n < 0 for n in self.counts):
            raise ValueError(f"a roll has six counts, none below 0, not {self.counts}")

    @classmethod
    def of(cls, *dice: int) -> Roll:
        """The roll that these dice show; ValueError unless each is 1 to 6."""
        if any(die not in FACES for die in dice):
            raise ValueError(f"a die shows 1 to 6, not {next(die for die in dice if die not in FACES)}")
        ones, twos, threes, fours, fives, sixes = (dice.count(face) for face in FACES)
        return cls((ones, twos, threes, fours, fives, sixes))

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice, lowest first."""
        return tuple(face for face, n in zip(FACES, self.counts, strict=True) for _ in range(n))

    @property
    def pips(self) -> int:
        """Sum of all dice."""
        return sum(face * n for face, n in zip(FACES, self.counts, strict=True))

    def __len__(self) -> int:
        return sum(self.counts)

    def __contains__(self, other: Iterable[int]) -> bool:
        """Whether these dice are among the dice of this roll."""
        part = Roll.of(*other)
        return all(few <= many for few, many in zip(part.counts, self.counts, strict=True))


@cache
def rolls(n: int) -> tuple[Roll, ...]:
    """All different rolls of n dice: 252 for five, 462 for six."""
    return tuple(Roll.of(*dice) for dice in combinations_with_replacement(FACES, n))


def _largest(options: NDArray[np.floating]) -> NDArray[np.floating]:
    return np.asarray(options.max(axis=0))


@dataclass(frozen=True, eq=False)
class Ladders:
    """All keeps of up to n dice, and the steps of one die between them.

    keeps: (K,) the largest first, so that the R rolls of all n dice come first and the keep of no dice last.
    more: (K − R, 6) for keep R + i the places of the keeps with one die more: a one, … a six.
    fewer: (K − 1, 6) for keep i the places of the keeps with one die fewer, the first repeated where there are not six.
    """

    keeps: tuple[Roll, ...]
    rolls: int
    more: NDArray[np.uint32]
    fewer: NDArray[np.uint32]
    place: dict[Roll, int]

    def mean(self, worth: NDArray[np.floating]) -> NDArray[np.floating]:
        """(K, …) what each keep is worth when the other dice are thrown, from what each roll is worth (R, …)."""
        keeps = np.empty((len(self.keeps), *worth.shape[1:]), worth.dtype)
        keeps[: self.rolls] = worth
        for size in self._sizes:
            keeps[size] = keeps[self.more[size.start - self.rolls : size.stop - self.rolls]].mean(axis=1)
        return keeps

    def best(self, keeps: NDArray[np.floating], choose: Choice = _largest) -> NDArray[np.floating]:
        """(R, …) what each roll is worth when the best of its keeps is thrown on, from that of each keep (K, …).

        choose: of (n, …) the best, by default the largest.
        """
        best = keeps.copy()
        for size in reversed(self._sizes[:-1]):
            best[size] = choose(np.stack([keeps[size], choose(best[self.fewer[size].T])]))
        return choose(best[self.fewer[: self.rolls].T])

    @cached_property
    def _sizes(self) -> list[slice]:
        """The places of the keeps of n − 1, … 0 dice."""
        sizes = [len(keep) for keep in self.keeps]
        return [slice(sizes.index(n), len(sizes) - sizes[::-1].index(n)) for n in range(sizes[0] - 1, -1, -1)]


@cache
def ladders(n: int) -> Ladders:
    """The ladders of n dice. Adding a die averages over six faces, taking one away takes the best of up to six."""
    keeps = tuple(roll for size in range(n, -1, -1) for roll in rolls(size))
    place = {keep: i for i, keep in enumerate(keeps)}
    full = len(rolls(n))
    more = [[place[Roll.of(*keep.dice, face)] for face in FACES] for keep in keeps[full:]]
    fewer = [[place[_without(keep, face)] for face in sorted(set(keep.dice))] for keep in keeps[:-1]]
    padded = [places + places[:1] * (len(FACES) - len(places)) for places in fewer]
    return Ladders(keeps, full, np.array(more, np.uint32), np.array(padded, np.uint32), place)


def _without(keep: Roll, face: int) -> Roll:
    dice = list(keep.dice)
    dice.remove(face)
    return Roll.of(*dice)
