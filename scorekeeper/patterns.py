"""What a box asks of the dice. May know: dice.

Each pattern says what pips it pays for a roll, and how it is written down in plain types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

from scorekeeper.dice import FACES, Roll
from scorekeeper.refusal import BadRules, _, check

MOST_DICE = 8


@dataclass(frozen=True, slots=True)
class Faces:
    """All dice that show one face: the upper boxes."""

    face: int

    def __post_init__(self) -> None:
        check(self.face in FACES, _("A die has no face {face}."), face=self.face)

    def pips(self, roll: Roll) -> int:
        """Sum of the dice that show the face."""
        return self.face * roll.counts[self.face - 1]

    def as_dict(self) -> dict[str, object]:
        return {"faces": self.face}


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of dice alike: (2,) a pair, (3, 2) a full house. `distinct`: each group has a face of its own."""

    sizes: tuple[int, ...]
    distinct: bool = True

    def __post_init__(self) -> None:
        check(
            0 < len(self.sizes) <= len(FACES) and all(1 <= size <= MOST_DICE for size in self.sizes),
            _("There can be no groups of {sizes} dice alike."),
            sizes=" + ".join(map(str, self.sizes)),
        )

    def pips(self, roll: Roll) -> int:
        """Sum of the dice in the groups, read the best-paying way; 0 without the groups. Other dice do not count."""
        return self._best(roll.counts, tuple(sorted(self.sizes, reverse=True)), FACES)

    def _best(self, counts: tuple[int, ...], sizes: tuple[int, ...], faces: tuple[int, ...]) -> int:
        """The best that groups of these sizes pay, the first of them with one of these faces."""
        first, rest = sizes[0], sizes[1:]
        best = 0
        for face in faces:
            if counts[face - 1] < first:
                continue
            left = 0 if self.distinct else counts[face - 1] - first
            # Of equal groups the next has no higher face: each choice of faces is tried once, not in every order.
            below = FACES[:face] if rest[:1] == (first,) else FACES
            others = self._best((*counts[: face - 1], left, *counts[face:]), rest, below) if rest else 0
            if others or not rest:
                best = max(best, face * first + others)
        return best

    def as_dict(self) -> dict[str, object]:
        return {"groups": list(self.sizes), **({} if self.distinct else {"distinct": False})}


@dataclass(frozen=True, slots=True)
class Straight:
    """The faces lo to hi, each at least once."""

    lo: int
    hi: int

    def __post_init__(self) -> None:
        check(
            self.lo in FACES and self.hi in FACES and self.lo < self.hi,
            _("There can be no straight from {lo} to {hi}."),
            lo=self.lo,
            hi=self.hi,
        )

    def pips(self, roll: Roll) -> int:
        """Sum of the faces lo to hi where all are there, else 0. Other dice do not count."""
        return sum(range(self.lo, self.hi + 1)) if all(roll.counts[self.lo - 1 : self.hi]) else 0

    def as_dict(self) -> dict[str, object]:
        return {"straight": [self.lo, self.hi]}


@dataclass(frozen=True, slots=True)
class Everything:
    """All dice, whatever they show: chance."""

    def pips(self, roll: Roll) -> int:
        """Sum of all dice."""
        return roll.pips

    def as_dict(self) -> dict[str, object]:
        return {"everything": True}


Pattern = Faces | Groups | Straight | Everything


def read(plain: dict[str, object]) -> Pattern:
    """The pattern that `as_dict` wrote down, or a person did; BadRules where it is none or more than one."""
    match plain:
        case {"faces": int(face), **rest} if not rest and all_ints([face]):
            return Faces(face)
        case {"groups": [*sizes], "distinct": bool(distinct), **rest} if not rest and all_ints(sizes):
            return Groups(tuple(sizes), distinct)
        case {"groups": [*sizes], **rest} if not rest and all_ints(sizes):
            return Groups(tuple(sizes))
        case {"straight": [int(lo), int(hi)], **rest} if not rest and all_ints([lo, hi]):
            return Straight(lo, hi)
        case {"everything": True, **rest} if not rest:
            return Everything()
    raise BadRules(
        _("A box asks for one of faces, groups, straight, everything; this one says {what}."),
        what=", ".join(f"{key} = {value}" for key, value in plain.items()) or "-",
    )


def all_ints(values: list[object]) -> TypeGuard[list[int]]:
    """Whether all are whole numbers (True and False are not)."""
    return all(type(value) is int for value in values)
