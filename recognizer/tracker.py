"""Which die is which from one reading to the next. Pure: knows dice and their places; no pictures, no clock, no games.

A place is the box of a die, (left, top, width, height) in any unit that is the same all along; distances count in the
sides of the dice, so that it matters neither how large the picture is nor how far away the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from recognizer.reader import Die

Box = tuple[float, float, float, float]

NEAR = 0.5  # sides between the centres of two boxes below which they are one place: two dice cannot lie so close
STEADY = 0.15  # sides that a box may jump about while its die lies still
ALIKE = 1.6  # times larger that one box of a die may be than another
WINDOW = 9  # readings of a die at rest that are remembered
STRIDE = 3.0  # sides that a rolling die may go from one reading to the next
PATIENCE = 2  # readings in a row that may overlook a die before it counts as gone
AGREEING = 3  # readings in a row that must agree
ENOUGH = 6  # readings after which most of them will do


@dataclass(frozen=True)
class Track:
    """One die in one place.

    `box`: where it was seen last. `readings`: what it was taken for since it came to rest there, newest last. `origin`:
    where it was first seen, before it moved. `missed`: how many readings in a row have overlooked it since. `rested`:
    whether it has ever lain still.
    """

    box: Box
    readings: tuple[Die, ...]
    origin: Box
    missed: int = 0
    rested: bool = False

    @property
    def travelled(self) -> float:
        """Sides between where it was first seen and where it is."""
        return distance(self.origin, self.box)

    @property
    def confidence(self) -> float:
        """The mean of its readings', 0 to 1."""
        return sum(die.confidence for die in self.readings) / len(self.readings)

    @property
    def clarity(self) -> float:
        """How clear its face is if it is a die, 0 to 1: the mean of its readings' shares of the face they name."""
        return 1 - sum(share for die in self.readings for _face, share in die.alternatives) / len(self.readings)

    @property
    def ripe(self) -> bool:
        """Whether the last readings agree, or there are so many that most of them decide."""
        return len(self.readings) >= ENOUGH or self.agreed

    @property
    def agreed(self) -> bool:
        """Whether the last readings are enough and name one face."""
        return len(self.readings) >= AGREEING and len({die.face for die in self.readings[-AGREEING:]}) == 1

    @property
    def die(self) -> Die:
        """The die as the vote has it: the face named most often, of equals the latest, as it was read last."""
        named = [die.face for die in (self.readings[-AGREEING:] if self.agreed else self.readings)]
        votes = Counter(named)
        face = max(reversed(named), key=lambda face: votes[face])
        return next(die for die in reversed(self.readings) if die.face == face)


def distance(a: Box, b: Box) -> float:
    """Sides between the centres of two boxes: of their mean side, which is the longer one of each."""
    side = (max(a[2:]) + max(b[2:])) / 2
    across, down = a[0] + a[2] / 2 - b[0] - b[2] / 2, a[1] + a[3] / 2 - b[1] - b[3] / 2
    return float((across**2 + down**2) ** 0.5 / side)


def pairs(before: Sequence[Box], after: Sequence[Box], within: float = NEAR) -> dict[int, int]:
    """Which box of `before` has become which of `after`, by index: the nearest first, each once, none from further than
    `within` sides or of another size. Neither order matters."""
    found = sorted(
        (distance(a, b), a, b, i, j)
        for i, a in enumerate(before)
        for j, b in enumerate(after)
        if max(*a[2:], *b[2:]) <= ALIKE * min(max(a[2:]), max(b[2:]))
    )
    paired: dict[int, int] = {}
    for far, _a, _b, i, j in found:
        if far <= within and i not in paired and j not in paired.values():
            paired[i] = j
    return paired


def follow(tracks: Sequence[Track], dice: Sequence[Die], moving: Collection[int] = ()) -> tuple[Track, ...]:
    """The tracks after one more reading.

    `moving`: indices of the dice whose part of the picture has changed since the last reading. Their votes begin anew
    with this reading, and so do those of dice that were seen further off than a box jumps about. One that was rolling
    and is not found may be one that is seen further on; one that lay still has not begun to roll by itself.
    """
    paired = pairs([track.box for track in tracks], [die.box for die in dice])
    lost = [track for i, track in enumerate(tracks) if i not in paired and not track.rested]
    fresh = [die for j, die in enumerate(dice) if j not in paired.values()]
    rolled = {j: lost[i].origin for i, j in pairs([t.box for t in lost], [die.box for die in fresh], STRIDE).items()}
    kept = []
    for i, track in enumerate(tracks):
        if i in paired:
            die = dice[paired[i]]
            rests = paired[i] not in moving and distance(_middle(track), die.box) <= STEADY
            readings = (*track.readings, die)[-WINDOW:] if rests else (die,)
            kept.append(Track(die.box, readings, track.origin, 0, track.rested or len(readings) >= AGREEING))
        elif track.missed < PATIENCE:
            kept.append(replace(track, missed=track.missed + 1))
    return (*kept, *(Track(die.box, (die,), rolled.get(j, die.box)) for j, die in enumerate(fresh)))


def _middle(track: Track) -> Box:
    """The middle one, side by side, of the boxes of a die at rest."""
    sides = zip(*(die.box for die in track.readings), strict=True)
    left, top, width, height = (sorted(side)[len(side) // 2] for side in sides)
    return left, top, width, height
