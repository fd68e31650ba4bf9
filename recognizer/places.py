"""Since when each place of the table has been occupied. Pure: knows dice, their boxes and the times it is handed.

A die that is covered for a while, by a hand or by another die, and is seen again at the same place with the same face,
has lain there all along: so a die that was put aside is known by the time at which it was first seen to lie there,
whatever passed over it since. What rolls through a place does not lie there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from recognizer.events import Box
from recognizer.reader import Die
from recognizer.tracker import distance

SAME = 0.25  # sides that the box of a die may jump about while it lies in one place
SIGHTS = 3  # of a die in one place after which it counts as having lain there, and not as having rolled through
FORGOTTEN = 30.0  # seconds after which a place where nothing is seen any more does not matter


@dataclass(frozen=True)
class Place:
    """A box (left, top, width, height) where a die with this face was first seen to lie at `since`, and last seen at
    `seen`, in so many readings."""

    box: Box
    face: int
    since: float
    seen: float
    sights: int = 1

    def holds(self, die: Die) -> bool:
        """Whether a die may be the one that lies here."""
        return die.face == self.face and distance(self.box, die.box) <= SAME


def occupy(places: Sequence[Place], dice: Sequence[Die], at: float, moving: Collection[int] = ()) -> tuple[Place, ...]:
    """The places after one more reading. `moving`: indices of the dice whose part of the picture has changed since the
    last one."""
    seen = [
        replace(place, seen=at, sights=place.sights + 1) if any(map(place.holds, dice)) else place for place in places
    ]
    lying = [die for j, die in enumerate(dice) if j not in moving]
    new = [Place(die.box, die.face, at, at) for die in lying if not any(place.holds(die) for place in places)]
    return (*(place for place in seen if at - place.seen <= FORGOTTEN), *new)


def since(places: Sequence[Place], die: Die, at: float) -> float:
    """Since when this die has been seen where it lies; `at` where it never was."""
    return min((place.since for place in places if place.sights >= SIGHTS and place.holds(die)), default=at)


def still(places: Sequence[Place], dice: Sequence[Die]) -> tuple[Place, ...]:
    """The places at which these dice lie; what was elsewhere does not matter any more."""
    return tuple(place for place in places if any(map(place.holds, dice)))
