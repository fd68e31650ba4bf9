"""What dice show. May know: numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

FACES = (1, 2, 3, 4, 5, 6)


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
