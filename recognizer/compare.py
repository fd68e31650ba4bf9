"""A table at rest against the last roll: what lies as it lay, and what has become of the rest. Pure.

Every die of the table lies as it lay; or it rolled to where it is, the table round about in view just before; or it was
put there, a hand over the place before. Every die of the roll lies as it lay or is missing; the missing have left the
table or have been in view, or under a hand for a moment, all along.

What tells a kept die from a thrown one: it was never out of sight for long, or its picture is the same as before, which
another die that comes to lie there with the same face is not; or it has lain elsewhere since well before the dice of
the throw, which come to rest within a moment of one another. A die that was seen to move by itself was thrown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import inf

from recognizer.events import Arrival, Box
from recognizer.reader import Die
from recognizer.tracker import Track, distance, pairs
from recognizer.vote import CLEAR

TOGETHER = 0.35  # seconds within which dice put down at once are seen
APART = 0.8  # seconds that pass between the coming to rest of dice put aside and of any that are thrown then
LASTS = 2.0  # seconds from the coming to rest of the first die of a throw to that of the last
LAIN = 0.25  # sides from where a die lay within which one that was out of sight has lain all along
VIEW, BESIDE, UNDER = 0.1, 0.25, 0.5  # share of the table round a die that is covered while the die is in full view;
# by a hand beside it; by a hand that puts it there
ROLLS = 0.5  # sides that a die has been seen to go when nobody put it where it is

Arrivals = Callable[[Box], Arrival]


@dataclass
class Known:
    """A die of the last roll: as the eye saw it, its box kept up to date; what it shows according to people, if they
    said; since when it has been out of sight, None while it is not; and whether it has left the table."""

    die: Die
    told: int
    unseen: float | None = None
    left: bool = False

    def shows(self, face: int) -> bool:
        """Whether a die with this face can be this one: a mistake that was corrected may be made again."""
        return face in (self.die.face, self.told)

    def lies_at(self, box: Box) -> None:
        """It has been seen there."""
        self.die, self.unseen, self.left = replace(self.die, box=box), None, False


@dataclass(frozen=True)
class Comparison:
    """`tracks`: what lies at rest, and since when a die was `seen` there. `known`: the dice of the roll. `arrivals`
    says how the die came that lies in a box. What the properties hold are indices: i into `known`, j into `table`."""

    tracks: Sequence[Track]
    seen: Sequence[float]
    known: Sequence[Known]
    arrivals: Arrivals

    @cached_property
    def table(self) -> tuple[Die, ...]:
        """The dice at rest."""
        return tuple(track.die for track in self.tracks)

    @cached_property
    def lying(self) -> dict[int, int]:
        """i → j of those that lie where they lay, with the same face. One that was out of sight for long was only
        covered if it looks just as before: else another one has come to lie there. One that looks just as before shows
        what it showed, should its face be hard to make out now."""
        paired = pairs([one.die.box for one in self.known], [die.box for die in self.table])
        return {i: j for i, j in paired.items() if self._lies(i, j)}

    def _lies(self, i: int, j: int) -> bool:
        known, track = self.known[i], self.tracks[j]
        shows = known.shows(self.table[j].face)
        if shows and not known.left:
            return True
        return (shows or track.clarity < CLEAR) and self._far(i, j) <= LAIN and self.arrivals(track.box).same

    @cached_property
    def missing(self) -> list[int]:
        """i of those that do not lie as they lay."""
        return [i for i in range(len(self.known)) if i not in self.lying]

    @cached_property
    def other(self) -> list[int]:
        """j of those that are new in place or face."""
        return [j for j in range(len(self.table)) if j not in self.lying.values()]

    @cached_property
    def came(self) -> dict[int, Arrival]:
        """How those came."""
        return {j: self.arrivals(self.table[j].box) for j in self.other}

    @cached_property
    def since(self) -> dict[int, float]:
        """Since when they lie there: what was seen before the place lay bare was another die."""
        return {j: max(self.seen[j], self.came[j].bare) for j in self.other}

    @cached_property
    def rolled(self) -> list[int]:
        """j of those that nobody's hand put down: the table round about was in view, or they were seen to come."""
        return [j for j in self.other if j not in self.stayed and self._rolled(j)]

    def _rolled(self, j: int) -> bool:
        """What has lain there for ever rolled if it is all that has ever been seen, and came at once."""
        if self.came[j].lay:
            first = not self.known and all(came.lay for came in self.came.values())
            return first and self.began <= min(self.seen)
        return self.came[j].covered <= (UNDER if self.tracks[j].travelled > ROLLS else BESIDE)

    @cached_property
    def replaced(self) -> dict[int, int]:
        """i → j of those that do not lie as they lay, but have never left, and where the dice are that lie there: these
        only read differently. What looks as it did when the roll lay there has not come since: it is what a hand leaves
        of it to be seen."""
        places = pairs([one.die.box for one in self.known], [die.box for die in self.table])
        return {
            i: j
            for i, j in places.items()
            if i in self.missing and j in self.other and not self.known[i].left
            if self.came[j].same or not self._rolled(j)
        }

    @property
    def stayed(self) -> list[int]:
        """j of those."""
        return sorted(self.replaced.values())

    @cached_property
    def put(self) -> list[int]:
        """j of those that a hand put down."""
        return [j for j in self.other if j not in self.rolled and j not in self.stayed]

    @cached_property
    def began(self) -> float:
        """When the first die of what was thrown came to rest: going back from the last, none lay there much earlier
        than the next."""
        times = sorted((self.since[j] for j in self.other), reverse=True)
        began = times[0] if times else inf
        for since in times:
            began = since if began - since <= APART else began
        return began

    @cached_property
    def carried(self) -> dict[int, int]:
        """i → j of the missing dice that were put down again before any was thrown. What lay there for long is not what
        was seen to move: that passed over it."""
        early = [j for j in self.other if self.since[j] < self.began]
        return self.fit(j for j in early if self.since[j] < self.began - LASTS or not self._flew(j))

    def _flew(self, j: int) -> bool:
        """Whether a die was seen to move with no hand beside it."""
        came = self.came[j]
        return self.tracks[j].travelled > ROLLS and came.covered <= BESIDE and not came.lay

    @cached_property
    def last(self) -> list[int]:
        """j of those that came last, about together."""
        return [j for j in self.other if j not in self.stayed and self.since[j] >= self.began]

    @property
    def is_flying(self) -> bool:
        """Whether some die of those that came last was certainly thrown: seen to move, or to come in full view."""
        return any(self._flew(j) or (self.came[j].covered <= VIEW and not self.came[j].lay) for j in self.last)

    def fit(self, some: Iterable[int]) -> dict[int, int]:
        """i → j of the missing dice that may be these: by their faces, the nearest first."""
        found: dict[int, int] = {}
        for j in some:
            fitting = [i for i in self.missing if i not in found and self.known[i].shows(self.table[j].face)]
            if fitting:
                found[min(fitting, key=lambda i: self._far(i, j))] = j
        return found

    @property
    def is_same_faces(self) -> bool:
        """Whether what is new shows what is missing: the same dice may lie elsewhere."""
        return Counter(self.table[j].face for j in self.other) <= Counter(self.known[i].die.face for i in self.missing)

    @property
    def is_moved(self) -> bool:
        """Whether what is new was pushed aside, or picked up and put down as it was."""
        if not self.known or not self.is_same_faces:
            return False
        return not self.is_flying or not any(self.known[i].left for i in self.missing)

    @property
    def is_strange(self) -> bool:
        """Whether two or more dice are said to have been thrown and show together what they did before: at most one
        throw in eighteen does."""
        return bool(self.known) and self.is_same_faces and len(self.last) > 1

    @property
    def is_handful(self) -> bool:
        """Whether two or more dice were let go of at once."""
        return any(b - a <= TOGETHER for a, b in pairwise(sorted(self.since[j] for j in self.put)))

    def refit(self) -> dict[int, int]:
        """i → j of all dice when what is new is what is missing, elsewhere: by their faces, the nearest first."""
        found = dict(self.lying)
        for j in self.other:
            face = self.table[j].face
            fitting = [i for i in self.missing if i not in found and self.known[i].die.face == face]
            found[min(fitting, key=lambda i: self._far(i, j))] = j
        return found

    def _far(self, i: int, j: int) -> float:
        return distance(self.known[i].die.box, self.table[j].box)
