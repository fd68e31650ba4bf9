"""Pictures in, one at a time, as they come from a camera or a browser; what happens to the dice out.

Joins the reader, the tracker and the settler. Knows no camera, no clock and no game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recognizer import motion
from recognizer.events import Arrival, Event, SettledRoll, Sight
from recognizer.reader import Die, Reading
from recognizer.settle import Settler

Image = NDArray[np.uint8]
Box = tuple[float, float, float, float]

LOOKING, ROLLING, SETTLED, CHECK = "looking", "rolling", "settled", "check"
STATES = (LOOKING, ROLLING, SETTLED, CHECK)
TIRED, SELDOM = 20, 10  # after so many readings of a quiet table that come to nothing, only every so many pictures


class Eye(Protocol):
    """What reads a picture (H, W, 3), BGR, upright: a `recognizer.reader.Reader`, or a stand-in for tests."""

    def read(self, image: Image, /) -> Reading: ...


@dataclass(frozen=True)
class View:
    """Where the part that is looked at lies in a picture. Within, lengths count in the longer side of the part, which
    is the same across and down."""

    width: int
    height: int
    left: int
    top: int
    part: Image

    @classmethod
    def of(cls, image: Image, area: Box | None) -> View:
        """The part of a picture within an area; at least a sixteenth of each side."""
        height, width = image.shape[:2]
        left, top, wide, high = area or (0.0, 0.0, 1.0, 1.0)
        x, y = (round(min(max(low, 0.0), 15 / 16) * side) for low, side in ((left, width), (top, height)))
        right, bottom = (
            min(side, round(max(low + span, start / side + 1 / 16) * side))
            for low, span, start, side in ((left, wide, x, width), (top, high, y, height))
        )
        return cls(width, height, x, y, image[y:bottom, x:right])

    @property
    def unit(self) -> int:
        """Pixels in the longer side of the part."""
        return int(max(self.part.shape[:2]))

    def inward(self, die: Die) -> Die:
        """A die read in the part, its box in longer sides of it."""
        left, top, width, height = die.pixels(self.part.shape[1], self.part.shape[0])
        return replace(die, box=(left / self.unit, top / self.unit, width / self.unit, height / self.unit))

    def outward(self, die: Die) -> Die:
        """The same die, its box in fractions of the whole picture."""
        left, top, width, height = (side * self.unit for side in die.box)
        return replace(
            die,
            box=(
                (left + self.left) / self.width,
                (top + self.top) / self.height,
                width / self.width,
                height / self.height,
            ),
        )


class Follower:
    """Follows one table, picture by picture: `see` each in order, with its time, and be told what happened.

    `eye` reads pictures; `expected` is the number of dice thrown with, None for whatever number lies there; `area`
    (left, top, width, height), fractions of the picture, is the part of the table that counts, None for all of it. For
    another area, or another camera, make another follower.

        follower = Follower(Reader(), expected=5)
        for event in follower.see(image, at=12.4):  # image (H, W, 3), BGR
            if event.what == events.SETTLED: ...    # event.dice, event.kept, event.sure

    To be read at any time, boxes in fractions of the whole picture: `state`, of STATES; `dice`, what the newest reading
    shows; `hints`, the codes of module hints for it; `roll`, the last throw that came to rest; `doubt`, the event that
    a person should look at, until it is cleared up. A still table is not read again and again: a picture like the last
    costs a comparison, about a millisecond.

    Not for two threads at once: one follower belongs to one camera.
    """

    def __init__(self, eye: Eye, expected: int | None = None, area: Box | None = None) -> None:
        self._eye = eye
        self._settler = Settler(expected)
        self._past = motion.Past()
        self._before: motion.Floats | None = None  # the picture before this one
        self._read: motion.Floats | None = None  # the last one that was read
        self._vain = 0
        self._view: View | None = None
        self._dice: tuple[Die, ...] = ()
        self.area = area
        self.hints: tuple[str, ...] = ()

    @property
    def dice(self) -> tuple[Die, ...]:
        """What the newest reading shows."""
        return self._outward(self._dice)

    @property
    def roll(self) -> SettledRoll | None:
        """The last throw that came to rest."""
        roll = self._settler.roll
        return replace(roll, dice=self._outward(roll.dice)) if roll else None

    @property
    def doubt(self) -> Event | None:
        """What a person should look at: the last event of events.DOUBTS, until it is cleared up."""
        doubt = self._settler.doubt
        return self._told(doubt) if doubt else None

    @property
    def state(self) -> str:
        """`rolling` while dice are on the move; `check` while something is in doubt or the roll that lies there is not
        sure; `settled` while a roll lies there; else `looking`."""
        settler = self._settler
        if settler.rolling:
            return ROLLING
        if settler.doubt is not None:
            return CHECK
        if settler.roll is None or not settler.lying:
            return LOOKING
        return SETTLED if settler.roll.sure else CHECK

    def see(self, image: Image, at: float) -> list[Event]:
        """What the next picture (H, W, 3), BGR, upright, taken at `at` seconds, makes known; mostly nothing."""
        self._view = view = View.of(image, self.area)
        now = motion.small(view.part)
        self._past.add(at, now)
        mask = np.zeros(now.shape[:2], np.bool_) if self._before is None else motion.changed(self._before, now)
        self._before = now
        quiet = motion.is_quiet(mask)
        if quiet and not self._is_worth_reading(now):
            return []
        self._read = now
        reading = self._eye.read(view.part)
        self.hints = reading.hints
        self._dice = dice = tuple(view.inward(die) for die in reading.dice)
        moving = frozenset(j for j, die in enumerate(dice) if motion.touches(mask, die.box))
        events = self._settler.see(Sight(at, dice, reading.sure, moving, quiet), self._arrival)
        if self._settler.concluded and self._settler.lying:
            self._past.keep()
        return [self._told(event) for event in events]

    def declare(self, at: float) -> Event | None:
        """What lies there now was thrown, because somebody says so; None where no die is at rest."""
        event = self._settler.declare(at)
        return self._told(event) if event else None

    def correct(self, faces: Sequence[int]) -> None:
        """The last roll shows these faces, in the order of its dice, because somebody says so. Raises ValueError where
        there is no roll of so many dice."""
        self._settler.correct(faces)

    def _is_worth_reading(self, now: motion.Floats) -> bool:
        """Whether a picture like the one before has something to tell: the vote is still open, or the table has crept
        away from what was read. Readings that come to nothing become rare."""
        if self._read is None or not motion.is_quiet(motion.changed(self._read, now)):
            self._vain = 0
            return True
        if self._settler.concluded:
            self._vain = 0
            return False
        self._vain += 1
        return self._vain <= TIRED or self._vain % SELDOM == 0

    def _arrival(self, box: Box) -> Arrival:
        others = tuple(track.box for track in self._settler.tracks if track.box != box)
        coming, same = self._past.coming(box, others), self._past.is_as_kept(box)
        return Arrival(coming.covered, False, same, coming.bare) if coming else Arrival(lay=True, same=same)

    def _outward(self, dice: Sequence[Die]) -> tuple[Die, ...]:
        return tuple(self._view.outward(die) for die in dice) if self._view else ()

    def _told(self, event: Event) -> Event:
        return replace(event, dice=self._outward(event.dice))
