"""Readings in, events out: when a throw has come to rest, what it shows, which dice were kept. Pure and sans-io.

Knows dice, places and the times it is handed; no pictures, no clock, no games. Nothing is ever waited for: only a
further reading changes anything, so that a dropped frame, or a hundred, are nothing.

A *table* is what a vote over several agreeing readings says lies there at rest (module vote). The *roll* is the last
throw reported. A new table is compared with the roll (module compare), and the first line that fits counts:

    table                   what does not lie as it lay                    event
    ----------------------  ---------------------------------------------  ---------------------------------------
    not to be made out                                                     COUNT, when it is quiet for long
    more than expected                                                     COUNT, when it stays so and is quiet (*)
    as many, or fewer       nothing new; some have left since              TAKEN, once it is quiet
    as many, or fewer       nothing new                                    none: a hand passed, a lamp was switched
    fewer than expected     faces of missing ones, none seen to roll       none (TAKEN if some left): set aside
    fewer than expected     put one by one, and no roll is known           COUNT, when no more come for long
    fewer than expected     anything else                                  COUNT, when it stays so and is quiet (*)
    as many as expected     faces of the missing ones, none of which left  MOVED: pushed aside, the camera bumped
    as many as expected     faces of the missing ones, none seen to roll   MOVED: picked up and put down
    as many as expected     all where they lay, in view all along          CONTRADICTION, when it stays so
    as many as expected     all put, one after the other                   PLACED, when it stays so
    as many as expected     all put, several at once                       SETTLED, unsure: a hand over the throw
    as many as expected     some rolled                                    SETTLED; those put before that fit were kept
      "                     and one where it lay reads differently         SETTLED, unsure, and CONTRADICTION

(*) or was so for a moment and has gone since: a throw that was not made out must not pass in silence.

Where no number is expected, what lies there when the picture is quiet is as many as expected, if any of it is new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import replace
from math import prod

from recognizer import events, places, vote
from recognizer.compare import Arrivals, Comparison, Known
from recognizer.events import Event, SettledRoll, Sight
from recognizer.places import Place
from recognizer.reader import Die
from recognizer.tracker import AGREEING, ENOUGH, Track, follow, pairs

PUSHED = 0.8  # seconds that a die may be out of sight under a hand that pushes it
RESTING = 12  # readings after which other dice than expected are told: a hand may rest upon one for a moment
STRANGE = 6  # readings after which they are told once the dice are gone: a throw must not pass in silence
LAYING = 25  # readings after which a first throw that is not whole is told: dice are put down one by one in less
PUZZLED = 12  # readings of a quiet picture after which a person is asked what lies there


class Settler:
    """Follows the dice of one table. `expected`: how many are thrown with; None for whatever number lies there.

    `roll`: the last throw. `lying`: whether all its dice lie there. `rolling`: whether dice are on the move. `doubt`:
    what a person should look at. `concluded`: whether a further reading of the same picture can tell nothing.
    """

    def __init__(self, expected: int | None = None) -> None:
        if expected is not None and expected < 1:
            raise ValueError(f"{expected} dice cannot be thrown")
        self.expected = expected
        self.roll: SettledRoll | None = None
        self.lying = self.rolling = self.concluded = False
        self.doubt: Event | None = None
        self.tracks: tuple[Track, ...] = ()
        self._known: list[Known] = []
        self._places: tuple[Place, ...] = ()
        self._sures: deque[bool] = deque(maxlen=AGREEING)
        self._tables = self._puzzled = 0  # readings in a row that made out a table; quiet ones that led to nothing
        self._strange: Event | None = None  # what was seen for a while and waits to be told

    def see(self, sight: Sight, arrivals: Arrivals) -> list[Event]:
        """What the next reading makes known. `arrivals` says how the die came that lies in a box."""
        self.tracks = follow(self.tracks, sight.dice, sight.moving)
        self._sures.append(sight.sure)
        self._watch(sight)
        self.concluded = False
        table = vote.table(self.tracks, self.expected, quiet=sight.quiet)
        self._tables = 0 if table is None else self._tables + 1
        self._places = places.occupy(self._places, sight.dice, sight.at, sight.moving)
        gone = self._gone(table)
        told = self._roll_on(sight) if table is None else self._judge(self._compare(table, sight, arrivals), sight)
        if gone:
            told += self._ask(replace(gone, at=sight.at))
        clear = self.concluded or not sight.dice or self._tables >= ENOUGH
        self._puzzled = 0 if clear else self._puzzled + sight.quiet
        return told or (self._puzzle(sight) if self._puzzled >= PUZZLED else [])

    def _compare(self, table: list[Track], sight: Sight, arrivals: Arrivals) -> Comparison:
        seen = [places.since(self._places, track.die, sight.at) for track in table]
        return Comparison(table, seen, self._known, arrivals)

    def declare(self, at: float) -> Event | None:
        """What lies on the table now is a throw because somebody says so; None where nothing lies there at rest."""
        dice = tuple(track.die for track in vote.ordered([track for track in self.tracks if track.ripe]))
        return self._settle(dice, (), at, sure=False) if dice else None

    def correct(self, faces: Sequence[int]) -> None:
        """The last roll shows these faces, in the order of its dice, because somebody says so. Raises ValueError where
        there is no roll of so many dice."""
        if self.roll is None or len(faces) != len(self._known):
            raise ValueError("there is no roll of so many dice")
        for known, face in zip(self._known, faces, strict=True):
            known.told = face
        self.doubt = None

    def _watch(self, sight: Sight) -> None:
        """Notes which dice of the roll are out of sight, and have left the table if they are for long."""
        seen = pairs([known.die.box for known in self._known], [die.box for die in sight.dice])
        for i, known in enumerate(self._known):
            if i in seen or len(sight.dice) >= len(self._known):
                known.unseen = None
            elif known.unseen is None:
                known.unseen = sight.at
            elif sight.at - known.unseen >= PUSHED:
                self._leave(known)

    def _leave(self, known: Known) -> None:
        """A die has left the table: what is seen at its place from now on came there anew."""
        known.left = True
        self._places = tuple(place for place in self._places if not place.holds(known.die))

    def _roll_on(self, sight: Sight) -> list[Event]:
        """Dice are on the move elsewhere than where the roll lies."""
        lying = pairs([known.die.box for known in self._known], [die.box for die in sight.dice]).values()
        which = tuple(sorted(j for j in sight.moving if j not in lying))
        if self.rolling or not which:
            return []
        self.rolling = True
        return [Event(events.ROLLING, sight.at, sight.dice, which=which)]

    def _judge(self, seen: Comparison, sight: Sight) -> list[Event]:
        """Goes down the table above."""
        number = len(seen.table) if self.expected is None else self.expected
        if len(seen.table) > number:
            return self._count(seen, sight)
        if not seen.other:
            return self._rest(seen, seen.lying, sight)
        if len(seen.table) < number:
            return self._fewer(seen, sight)
        if seen.is_moved:
            self._rest(seen, seen.refit(), sight)
            return [Event(events.MOVED, sight.at, seen.table, which=tuple(seen.other))]
        if seen.rolled or (seen.is_handful and len(seen.stayed) < len(seen.other)):
            return self._throw(seen, sight)
        all_stayed = len(seen.stayed) == len(seen.other)
        return self._doubt(events.CONTRADICTION if all_stayed else events.PLACED, seen, sight)

    def _rest(
        self, seen: Comparison, lying: dict[int, int], sight: Sight, elsewhere: Collection[int] = ()
    ) -> list[Event]:
        """The dice of the roll lie at these places of the table, or elsewhere; what does not has left, which counts
        once the picture is quiet."""
        for i, j in lying.items():
            self._known[i].lies_at(seen.table[j].box)
        missing = [known for i, known in enumerate(self._known) if i not in lying and i not in elsewhere]
        if missing and not sight.quiet:
            return []
        self._come_to_rest(bool(lying) and not missing)
        if not (self.doubt and self.roll and self.doubt.at == self.roll.at):  # a doubt that came with the roll stays
            self.doubt = None
        news = [known for known in missing if not known.left]
        for known in news:
            self._leave(known)
        return [Event(events.TAKEN, sight.at, seen.table)] if news else []

    def _fewer(self, seen: Comparison, sight: Sight) -> list[Event]:
        """Not all are there: some were set aside before a throw, or not every die of a throw is seen. A die that reads
        differently is half covered by what hides the others."""
        new = [j for j in seen.other if j not in seen.stayed]
        aside = seen.fit(new)
        if not self._known:
            return self._count(seen, sight, RESTING if seen.rolled or seen.is_handful else LAYING)
        if len(aside) < len(new) or (new and seen.is_flying):
            return self._count(seen, sight)
        return self._rest(seen, seen.lying, sight, elsewhere=(*aside, *seen.replaced))

    def _throw(self, seen: Comparison, sight: Sight) -> list[Event]:
        """Dice were thrown. Reported at once where it is sure, else after one reading more."""
        sure = bool(seen.rolled) and not seen.stayed and self._is_sure(seen, sight)
        if not sure and min(len(track.readings) for track in seen.tracks) < vote.HESITATION:
            return []
        same = {j: i for i, j in {**seen.lying, **seen.carried}.items()}
        shown = [self._known[same[j]].told if j in same else die.face for j, die in enumerate(seen.table)]
        told = [self._settle(seen.table, sorted({*same, *seen.stayed}), sight.at, sure=sure, shown=shown)]
        if seen.stayed:
            self.doubt = replace(told[0], what=events.CONTRADICTION, which=tuple(seen.stayed))
            told.append(self.doubt)
        return told

    def _is_sure(self, seen: Comparison, sight: Sight) -> bool:
        """Whether the throw needs no check."""
        if seen.is_strange:
            return False
        came = [sight.quiet and j in seen.rolled and not seen.came[j].lay for j in seen.other]
        new = [seen.tracks[j] for j in seen.other]
        return vote.are_sure(new, came, self._sures, counted=self.expected is not None)

    def _settle(
        self, read: Sequence[Die], kept: Sequence[int], at: float, *, sure: bool, shown: Sequence[int] = ()
    ) -> Event:
        """A roll as it was read, which shows what people said that it does."""
        faces = [*shown] or [die.face for die in read]
        dice = tuple(replace(die, face=face) for die, face in zip(read, faces, strict=True))
        self.doubt, self.roll = None, SettledRoll(dice, tuple(kept), at, prod(die.confidence for die in dice), sure)
        self._known = [Known(die, face) for die, face in zip(read, faces, strict=True)]
        self._places = places.still(self._places, read)
        self._come_to_rest(True)
        return Event(events.SETTLED, at, dice, tuple(kept), sure)

    def _come_to_rest(self, lying: bool) -> None:
        """What lies there is known, and has not moved from now on."""
        self.concluded, self.rolling, self.lying = True, False, lying
        self._strange = None if lying else self._strange
        self.tracks = tuple(replace(track, origin=track.box) for track in self.tracks)

    def _count(self, seen: Comparison, sight: Sight, patience: int = RESTING) -> list[Event]:
        if STRANGE <= self._tables < patience == RESTING and sight.quiet:
            self._strange = Event(events.COUNT, sight.at, seen.table, sure=False)
        return self._doubt(events.COUNT, seen, sight) if self._tables >= patience else []

    def _gone(self, table: Sequence[Track] | None) -> Event | None:
        """What waited to be told of strange dice, once they do not all lie there any more."""
        waiting = self._strange
        if waiting is None or table is None:
            return None
        there = pairs([die.box for die in waiting.dice], [track.box for track in table])
        return waiting if len(there) < len(waiting.dice) else None

    def _doubt(self, what: str, seen: Comparison, sight: Sight) -> list[Event]:
        """A person has to look: told once, when the picture is quiet and has been read a few times more."""
        if not sight.quiet or self._tables < AGREEING:
            return []
        self.concluded = True
        about = () if what == events.COUNT else tuple(seen.other)
        return self._ask(Event(what, sight.at, seen.table, sure=False, which=about))

    def _puzzle(self, sight: Sight) -> list[Event]:
        """Nothing moves, and still no vote is reached. Told once, whatever the dice then flicker between."""
        if self.doubt and self.doubt.what == events.COUNT:
            return []
        return self._ask(Event(events.COUNT, sight.at, sight.dice, sure=False))

    def _ask(self, doubt: Event) -> list[Event]:
        before, self.doubt, self.rolling, self._strange = self.doubt, doubt, False, None
        return [] if before and (before.what, _faces(before)) == (doubt.what, _faces(doubt)) else [doubt]


def _faces(event: Event) -> list[int]:
    return [die.face for die in event.dice]
