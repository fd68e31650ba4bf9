"""What happens to the dice on a table, as values. Knows dice and times; nothing of how they were found.

Boxes are (left, top, width, height); seconds are those of the pictures, handed in.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from recognizer.reader import Die

Box = tuple[float, float, float, float]

SETTLED = "settled"  # a throw has come to rest
ROLLING = "rolling"  # dice are on the move; told once for each time they come to rest
MOVED = "moved"  # the same dice with the same faces lie elsewhere: no throw
TAKEN = "taken"  # dice have left the table
PLACED = "placed"  # other faces than before, but a hand put them there: no throw was seen
CONTRADICTION = "contradiction"  # a die that has not been touched reads differently
COUNT = "count"  # more dice, or fewer, than are thrown with
EVENTS = (SETTLED, ROLLING, MOVED, TAKEN, PLACED, CONTRADICTION, COUNT)
DOUBTS = (PLACED, CONTRADICTION, COUNT)  # somebody has to look


@dataclass(frozen=True)
class Sight:
    """One reading: when, the dice, whether the reader was sure of it as a whole, the indices of the dice whose part of
    the picture has changed since the picture before, and whether nothing in the picture has."""

    at: float
    dice: tuple[Die, ...]
    sure: bool = True
    moving: frozenset[int] = frozenset()
    quiet: bool = True


@dataclass(frozen=True)
class Arrival:
    """How a die came to its place: how much of the table round about, 0 to 1, was covered just before; whether nobody
    remembers that it was not there; whether it looks just as when the last roll was seen to lie there; and when the
    place was last seen to lie bare."""

    covered: float = 0.0
    lay: bool = False
    same: bool = False
    bare: float = -inf


@dataclass(frozen=True)
class SettledRoll:
    """A throw that came to rest. `dice` from top to bottom of the picture; `kept`: indices of those kept from the roll
    before; `confidence`: the product of the dice's, 0 to 1; `sure`: whether it needs no check."""

    dice: tuple[Die, ...]
    kept: tuple[int, ...]
    at: float
    confidence: float
    sure: bool


@dataclass(frozen=True)
class Event:
    """Something that happened: `what` of EVENTS, and the dice that lie there. `kept` and `which` are indices into them:
    those kept from the roll before, and those that the event is about."""

    what: str
    at: float
    dice: tuple[Die, ...]
    kept: tuple[int, ...] = ()
    sure: bool = True
    which: tuple[int, ...] = ()
