"""Readings in, events out: when a throw has come to rest, what it shows, which dice were kept. Pure and sans-io.

Knows dice, places and the times it is handed; no pictures, no clock, no games. Nothing is ever waited for: only a
further reading changes anything, so that a dropped frame, or a hundred, are nothing.

A *table* is what a vote over several agreeing readings says lies there at rest (module tracker). The *roll* is the last
throw reported. A new table is compared with the roll (module compare), and the first line that fits counts:

    table                   what does not lie as it lay                    event
    ----------------------  ---------------------------------------------  ---------------------------------------
    not to be made out                                                     COUNT, when it is quiet for long
    more than expected                                                     COUNT, when it stays so and is quiet
    as many, or fewer       nothing new; some have left since              TAKEN, once it is quiet
    as many, or fewer       nothing new                                    none: a hand passed, a lamp was switched
    fewer than expected     faces of missing ones, none seen to roll       none (TAKEN if some left): set aside
    fewer than expected     put one by one, and no roll is known           none: a first throw is none of these
    fewer than expected     anything else                                  COUNT, when it stays so and is quiet
    as many as expected     faces of the missing ones, none of which left  MOVED: pushed aside, the camera bumped
    as many as expected     faces of the missing ones, none seen to roll   MOVED: picked up and put down
    as many as expected     all where they lay, in view all along          CONTRADICTION, when it stays so
    as many as expected     all put, one after the other                   PLACED, when it stays so
    as many as expected     all put, several at once                       SETTLED, unsure: a hand over the throw
    as many as expected     some rolled                                    SETTLED; those put before that fit were kept
      "                     and one where it lay reads differently         SETTLED, unsure, and CONTRADICTION

Where no number is expected, what lies there when the picture is quiet is as many as expected, if any of it is new.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from math import prod

from recognizer import events, places
from recognizer.compare import Arrivals, Comparison, Known
from recognizer.events import Event, SettledRoll, Sight
from recognizer.places import Place
from recognizer.reader import Die
from recognizer.tracker import AGREEING, Track, follow, pairs

PUSHED = 0.8  # seconds that a die may be out of sight under a hand that pushes it
CLEAR = 0.75  # mean confidence of what is certainly meant when dice are counted, and share of a face that is clear
LIKELY = 0.65  # mean confidence of a die whose face is clear
RESTING = 6  # readings after which other dice than expected are told: a hand may rest upon one for a moment
PUZZLED = 12  # readings of a quiet picture after which a person is asked what lies there
HESITATION = 4  # readings after which a roll is reported although they are not sure of it


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

    def see(self, sight: Sight, arrivals: Arrivals) -> list[Event]:
        """What the next reading makes known. `arrivals` says how the die came that lies in a box."""
        self.tracks = follow(self.tracks, sight.dice, sight.moving)
        self._sures.append(sight.sure)
        self._watch(sight)
        self.concluded = False
        table = self._table(sight)
        self._tables = 0 if table is None else self._tables + 1
        self._places = places.occupy(self._places, sight.dice, sight.at)
        told = self._roll_on(sight) if table is None else self._judge(self._compare(table, sight, arrivals), sight)
        self._puzzled = 0 if self.concluded or not sight.dice else self._puzzled + sight.quiet
        return told or (self._puzzle(sight) if self._puzzled >= PUZZLED else [])

    def _compare(self, table: list[Track], sight: Sight, arrivals: Arrivals) -> Comparison:
        since = [places.since(self._places, track.die, sight.at) for track in table]
        return Comparison(table, since, self._known, arrivals)

    def declare(self, at: float) -> Event | None:
        """What lies on the table now is a throw because somebody says so; None where nothing lies there at rest."""
        dice = tuple(track.die for track in _ordered(track for track in self.tracks if track.ripe))
        return self._settle(dice, (), at, sure=False) if dice else None

    def correct(self, faces: Sequence[int]) -> None:
        """The last roll shows these faces, in the order of its dice, because somebody says so. Raises ValueError where
        there is no roll of so many dice."""
        if self.roll is None or len(faces) != len(self._known):
            raise ValueError("there is no roll of so many dice")
        for known, face in zip(self._known, faces, strict=True):
            known.told = face
        self.doubt = None

    def _table(self, sight: Sight) -> list[Track] | None:
        """What lies at rest once the vote is done; None while one is undecided or overlooked, and, unless all those
        expected lie there, while anything moves. What is hardly a die is none where there are enough without it."""
        clear = [track for track in self.tracks if track.confidence >= CLEAR]
        tracks = clear if self.expected is not None and len(clear) >= self.expected else self.tracks
        ripe = [track for track in tracks if track.ripe]
        if any(track.missed if track.ripe else not track.missed and len(track.readings) > 1 for track in tracks):
            return None
        if len(ripe) != self.expected and (not sight.quiet or len(ripe) < len(tracks)):
            return None
        return _ordered(ripe)

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
        is_strange = len(aside) < len(new) and (bool(self._known or seen.rolled) or seen.is_handful)
        if is_strange or (new and seen.is_flying):
            return self._count(seen, sight)
        return self._rest(seen, seen.lying, sight, elsewhere=(*aside, *seen.replaced))

    def _throw(self, seen: Comparison, sight: Sight) -> list[Event]:
        """Dice were thrown. Reported at once where it is sure, else after one reading more."""
        sure = bool(seen.rolled) and not seen.stayed and self._are_sure(seen.tracks)
        if not sure and min(len(track.readings) for track in seen.tracks) < HESITATION:
            return []
        same = {j: i for i, j in {**seen.lying, **seen.carried}.items()}
        shown = [self._known[same[j]].meant(die.face) if j in same else die.face for j, die in enumerate(seen.table)]
        told = [self._settle(seen.table, sorted({*same, *seen.stayed}), sight.at, sure=sure, shown=shown)]
        if seen.stayed:
            self.doubt = replace(told[0], what=events.CONTRADICTION, which=tuple(seen.stayed))
            told.append(self.doubt)
        return told

    def _are_sure(self, dice: Sequence[Track]) -> bool:
        """Whether the last readings of every die agree, and most were sure as a whole; or every face is clear after one
        reading more, where as many dice lie there as are thrown: it is hardly in doubt then that each is one."""
        clear = self.expected is not None and all(
            die.confidence >= LIKELY and die.clarity >= CLEAR and len(die.readings) >= HESITATION for die in dice
        )
        return all(die.agreed for die in dice) and (clear or 3 * sum(self._sures) >= 2 * AGREEING)

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
        self.tracks = tuple(replace(track, origin=track.box) for track in self.tracks)

    def _count(self, seen: Comparison, sight: Sight) -> list[Event]:
        return self._doubt(events.COUNT, seen, sight) if self._tables >= RESTING else []

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
        before, self.doubt, self.rolling = self.doubt, doubt, False
        return [] if before and (before.what, _faces(before)) == (doubt.what, _faces(doubt)) else [doubt]


def _ordered(tracks: Iterable[Track]) -> list[Track]:
    """From top to bottom of the picture."""
    return sorted(tracks, key=lambda track: (track.box[1], track.box[0]))


def _faces(event: Event) -> list[int]:
    return [die.face for die in event.dice]
