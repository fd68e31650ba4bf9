"""Finds what the sheets after a turn are worth: in a table on disk, in what was solved before, or by solving. I/O.

May know: solve, tables. Tables hold the openings, which are costly and few; what comes after them is cheap to solve.
"""

from __future__ import annotations

import logging
from pathlib import Path

from scorekeeper import tables
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.solve import Cone, Layer, Progress, State, solve

logger = logging.getLogger(__name__)

TABLE_ROOM = 160_000_000  # bytes of a table on disk: of Maxi Yatzy with saved rerolls, six boxes filled and fewer
MEMORY_ROOM = 500_000_000  # bytes of solved layers held at a time


def _silent(_share: float) -> None:
    pass


class Oracle:
    """Holds, for one rule set at a time, what is known of it. A table that is not usable is reported and not used."""

    def __init__(self, folder: Path, progress: Progress = _silent) -> None:
        self._folder, self._progress = folder, progress
        self._rules: RuleSet | None = None
        self._table: Cone | None = None
        self._solved: Cone | None = None

    def after(self, sheet: Sheet) -> Layer:
        """The layer of the sheets that a turn on this sheet can lead to; BadRules where it is too large to solve."""
        if sheet.rules != self._rules:
            self._rules, self._table, self._solved = sheet.rules, self._load(sheet.rules), None
        state = State.of(sheet)
        for cone in (self._table, self._solved):
            if cone and (layer := cone.after(state)):
                return layer
        self._solved = None  # before the next one takes its room
        self._solved = solve(sheet.rules, state, MEMORY_ROOM, self._progress)
        layer = self._solved.after(state)
        assert layer
        return layer

    def make_table(self, rules: RuleSet) -> tuple[Path, float]:
        """Solve the whole game and keep its opening on disk: where, and the expected total of an empty sheet."""
        cone = solve(rules, State.of(Sheet.empty(rules)), TABLE_ROOM, self._progress)
        file = tables.path(self._folder, rules)
        tables.save(cone, file)
        return file, cone.value

    def _load(self, rules: RuleSet) -> Cone | None:
        file = tables.path(self._folder, rules)
        try:
            return tables.load(file, rules) if file.exists() else None
        except tables.ForeignTable as error:
            logger.warning("%s It is not used; `kast solve` makes it anew.", error)
            return None
