"""Finds what the sheets after a turn are worth: in a table, in what was solved before, or by solving. I/O.

May know: solve, tables. Tables hold the openings, which are costly and few; what comes after them is cheap to solve.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

from scorekeeper import openings, tables
from scorekeeper.prospect import Prospect
from scorekeeper.reach import State, ahead, seconds
from scorekeeper.refusal import Refusal, _
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.solve import VALUES, Cone, Layer, Progress, fitting, solve

logger = logging.getLogger(__name__)

SHIPPED = Path(__file__).parent.parent / "models"
LIVE = 4.0  # seconds that one core may take for what comes after an opening
TABLE_ROOM = 160_000_000  # bytes of a table; more where an opening needs more
HELD = 500_000_000  # bytes of solved layers held in memory
CONES_ROOM = 2_000_000_000  # bytes of what was solved live and is kept on disk
Loader = Callable[[Path, RuleSet], Cone]


class NoRoom(Refusal):
    """The disk is too full for what must be kept while a game is solved."""


def _silent(_share: float) -> None:
    pass


class Oracle:
    """Holds what is known of each rule set. A table that is not usable is reported and not used.

    planes, wherever it is asked for: VALUES, or SPREAD for what can also say how games end.
    """

    def __init__(self, folder: Path, progress: Progress = _silent, shipped: Path = SHIPPED) -> None:
        """folder: where tables are kept. shipped: where openings lie that came with Kast."""
        self._folder, self._progress, self._shipped = folder, progress, shipped
        self._loaded: dict[Path, tuple[int, Cone | None]] = {}  # which file it was; None for one that is refused
        self._solved: list[Cone] = []  # the latest last

    def known(self, sheet: Sheet, planes: int = VALUES) -> Layer | None:
        """The layer of the sheets that a turn on this sheet can lead to, or None where it is not solved yet."""
        state = State.of(sheet)
        for cone in self._all(sheet.rules, state):
            if (layer := cone.after(state)) and len(layer.planes) >= planes:
                return layer
        return None

    def ends(self, sheet: Sheet) -> Prospect | None:
        """How a game on this sheet ends before its next turn, or None where that is not solved yet."""
        state = State.of(sheet)
        for cone in self._all(sheet.rules, state):
            if found := cone.ends(state):
                return replace(found, mean=found.mean + sum(points or 0 for points in sheet.scores))
        return None

    def after(self, sheet: Sheet, planes: int = VALUES) -> Layer:
        """The same, solved now where it must be; BadRules where it is too large to solve."""
        layer, state = self.known(sheet, planes), State.of(sheet)
        if layer is None:
            self._solved.append(solve(sheet.rules, state, room=HELD, progress=self._progress, planes=planes))
            while len(self._solved) > 1 and sum(cone.nbytes for cone in self._solved) > HELD:
                del self._solved[0]
            layer = self._solved[-1].after(state)
        assert layer
        return layer

    def make(self, sheet: Sheet, planes: int = VALUES) -> None:
        """Keep on disk what a turn on this sheet asks for: an opening that came with Kast, or what is solved now.

        Where what follows the sheet is costly to solve, it is the opening of its game, kept for all further ones.
        BadRules, NoRoom; OSError where nothing can be written.
        """
        state, rules = State.of(sheet), sheet.rules
        table = tables.path(self._folder, rules)
        opening = tables.path(self._folder, rules, State.of(Sheet.empty(rules)))
        if not opening.exists() and (came := self._came(rules)):
            tables.save(came, opening)
        if self.known(sheet, planes):
            return
        if not (table.exists() or opening.exists()) and seconds(rules, state) > LIVE:
            self.make_table(rules, planes)
        if not self.known(sheet, planes):
            self.make_cone(sheet, planes)

    def is_quick(self, sheet: Sheet) -> bool:
        """Whether `make` takes seconds, as after an opening: without one, a whole game may take minutes. BadRules."""
        rules = sheet.rules
        opening = tables.path(self._folder, rules).exists() or openings.path(self._shipped, rules).exists()
        return opening or seconds(rules, State.of(sheet)) <= LIVE

    def make_cone(self, sheet: Sheet, planes: int = VALUES) -> None:
        """Solve all that can come after a sheet and keep it on disk. BadRules; OSError where nothing can be written."""
        state, rules = State.of(sheet), sheet.rules
        tables.make_room(self._folder, CONES_ROOM)
        # One throw more than there is, to say what it would be worth.
        more = replace(state, carried=state.carried + 1) if rules.carries else state
        cone = solve(rules, more, progress=self._progress, planes=planes)
        tables.save(cone, tables.path(self._folder, rules, more))

    def make_table(self, rules: RuleSet, planes: int = VALUES) -> Cone:
        """Solve the whole game and keep its opening on disk. Goes on where an earlier call was killed.

        BadRules, NoRoom; OSError where nothing can be written.
        """
        start, file = State.of(Sheet.empty(rules)), tables.path(self._folder, rules)
        file.parent.mkdir(parents=True, exist_ok=True)
        tables.make_room(self._folder, CONES_ROOM)
        needed, free = disk_needed(rules, planes), shutil.disk_usage(file.parent).free
        if needed > free:
            say = _("To work out the best play, {needed} GB are needed on the disk; {free} GB are free.")
            raise NoRoom(say, needed=f"{needed / 1e9:.1f}", free=f"{free / 1e9:.1f}")
        unfinished = file.with_suffix(".unfinished" if planes == VALUES else ".spread-unfinished")
        known = self._load(tables.load, unfinished, rules)
        turns = max(opening_turns(rules, LIVE), fitting(ahead(rules, start), TABLE_ROOM, planes))
        keep = partial(_keep, unfinished)
        cone = solve(rules, start, turns, progress=self._progress, known=known, finished=keep, planes=planes)
        tables.save(cone, file)
        unfinished.unlink(missing_ok=True)
        return cone

    def _all(self, rules: RuleSet, state: State) -> Iterator[Cone]:
        """What may hold this state: in memory, on disk, and what came with Kast."""
        yield from (cone for cone in reversed(self._solved) if cone.rules.fingerprint == rules.fingerprint)
        places: list[tuple[Loader, Path]] = [
            (tables.load, tables.path(self._folder, rules)),
            (openings.unpack, openings.path(self._shipped, rules)),
            *((tables.load, file) for start, file in tables.starts(self._folder, rules) if start.reaches(state, rules)),
        ]
        for load, file in places:
            if cone := self._load(load, file, rules):
                yield cone

    def _came(self, rules: RuleSet) -> Cone | None:
        """The opening that came with Kast."""
        return self._load(openings.unpack, openings.path(self._shipped, rules), rules)

    def _load(self, load: Loader, file: Path, rules: RuleSet) -> Cone | None:
        """The table in this file; None where there is none, or it is refused: then it is put aside."""
        try:
            which = file.stat().st_ino
        except OSError:
            self._loaded.pop(file, None)
            return None
        if self._loaded.get(file, (None,))[0] != which:
            try:
                self._loaded[file] = which, load(file, rules)
            except tables.ForeignTable as error:
                logger.warning("a table is not used, and where it is needed it is made anew: %s", error.template)
                self._loaded[file] = which, None
                with suppress(OSError):
                    file.replace(file.with_suffix(".refused"))
        return self._loaded[file][1]


def opening_turns(rules: RuleSet, live: float = LIVE) -> int:
    """After how many turns one core solves all that follows in `live` seconds, whatever those turns brought.

    BadRules where the game is too large.
    """
    empty = State.of(Sheet.empty(rules))
    for turn, sheets in enumerate(ahead(rules, empty)):
        fewest_upper = min(map(int, sheets.sets), key=lambda filled: (filled & sheets.upper).bit_count())
        if seconds(rules, State(fewest_upper, 0, sheets.carried - 1)) <= live:
            return turn
    raise AssertionError("the last sheets take no time")


def disk_needed(rules: RuleSet, planes: int = VALUES) -> int:
    """Bytes of disk that solving a whole game takes at most: two layers, and the opening."""
    sizes = [4 * planes * sheets.size for sheets in ahead(rules, State.of(Sheet.empty(rules)))]
    return max(map(sum, pairwise(sizes))) + TABLE_ROOM


def _keep(unfinished: Path, cone: Cone) -> None:
    tables.save(cone, unfinished)
