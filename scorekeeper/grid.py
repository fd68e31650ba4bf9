"""Sheets told apart by their points as well, solved for whatever final totals are worth. May know: solve, reach.

One number stands for the upper total and the points since some state: the upper total times a width, and the points.
Boxes add to it as they do to an upper total, so that the kernels that solve for points solve for this.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scorekeeper.reach import STEPS_A_SECOND, Sheets, State, ahead
from scorekeeper.refusal import _, check
from scorekeeper.rules import RuleSet
from scorekeeper.solve import SPARE, Layer, behind, owed
from scorekeeper.totals import NOWHERE, Ints, Sums, laid_side_by_side, sums, upper_boxes

if TYPE_CHECKING:
    from scorekeeper.kernels import Planes

MOST_NUMBERS = 20_000_000  # of a layer, in all its sets
COSTS = 2  # times the work, to play for points and count at the same time
LONGEST = 4.0  # seconds that one core may take

Worth = Callable[[Ints], NDArray[np.float64]]  # of points since the state, once a game is over


class Grid:
    """Numbers for the upper totals and the points since a state, from which sheets begin with 0 … starts − 1 points."""

    def __init__(self, rules: RuleSet, start: State, starts: int) -> None:
        self._rules, self._start = rules, start
        most = [max(rules.attainable[box.key]) * (not start.filled >> n & 1) for n, box in enumerate(rules.boxes)]
        self._width = starts + sum(most)
        upper = start.upper + sum(points for points, box in zip(most, rules.boxes, strict=True) if box.upper)
        self._numbers = (upper + 1) * self._width
        amounts = [[points * self.step(n) for points in rules.attainable[box.key]] for n, box in enumerate(rules.boxes)]
        begun = ((1 << starts) - 1) << int(self.number(start.upper, 0))
        self._since, self._upper_to_come = Sums(amounts, begun), sums(rules, 0)

    def number(self, upper: int, points: Ints | int) -> Ints:
        """Which one stands for these."""
        return np.asarray(upper * self._width + points)

    def step(self, place: int) -> int:
        """What each point in this box adds to it."""
        return self._width + 1 if self._rules.boxes[place].upper else 1

    def solve(self, worth: Worth, turns: int, for_points: bool = False) -> Layer:
        """The layer so many turns from the state, which says what `worth` does of the points at the end.

        for_points: played for the points to come, and not for that; it is the last of three planes then, in the place
        of the chance of the bonus.
        """
        from scorekeeper.turn import laid_out

        rules, turn = self._rules, laid_out(self._rules)
        steps = np.repeat([self.step(place) for place in range(len(rules.boxes))], np.diff(turn.rows))
        pays = turn.pays if for_points else np.zeros_like(turn.pays)
        turn = turn._replace(upper=np.ones_like(turn.upper), points=turn.points * steps, pays=pays)
        layers = [self._told_apart(sheets, for_points) for sheets in ahead(rules, self._start)]
        work = sum(sheets.steps(rules) for sheets in layers[:-1])
        self._demand(work * (COSTS if for_points else 1) <= LONGEST * STEPS_A_SECOND)
        ended = partial(self._ended, worth, for_points)
        layer = self._last(layers.pop(), ended)
        for sheets in reversed(layers[turns:]):
            ends = ended(np.arange(self._numbers), -owed(rules, sheets), sheets.par)
            layer = behind(rules, sheets, layer, turn, ends)
        return layer

    def _told_apart(self, sheets: Sheets, for_points: bool) -> Sheets:
        """The sheets, told apart by their points too; the upper total matters as in `totals.find`."""
        self._demand(len(sheets.sets) * self._numbers <= MOST_NUMBERS)
        rules, every = self._rules, upper_boxes(self._rules)
        places = np.full((len(sheets.sets), self._numbers), NOWHERE, np.int32)
        standing = []
        for row, filled in enumerate(map(int, sheets.sets)):
            there = self._since.of(filled & ~self._start.filled)
            upper, points = divmod(there, self._width)
            must_come = np.searchsorted(self._upper_to_come.of(every & ~filled), rules.bonus.at - upper)
            _kinds, first, which = np.unique(must_come * self._width + points, return_index=True, return_inverse=True)
            places[row, there] = which
            standing.append(there[first])
        totals = laid_side_by_side(sheets.sets, places, standing)
        return Sheets(sheets.sets, sheets.carried, totals, (1 << len(rules.boxes)) - 1, sheets.par * for_points)

    def _demand(self, holds: bool) -> None:
        check(holds, _("{name} has too many sheets to work out the best play."), name=self._rules.name)

    def _last(self, sheets: Sheets, ended: Callable[..., Planes]) -> Layer:
        """That of the full sheets."""
        value = self._rules.budget.value if self._rules.budget else 0
        numbers = sheets.totals.totals[:1, : sheets.size // sheets.carried].astype(np.int64)
        planes = ended(numbers, value * np.arange(sheets.carried)[:, None], 0)
        return Layer(sheets, tuple(np.append(plane, np.zeros(SPARE, np.float32)) for plane in planes))

    def _ended(self, worth: Worth, for_points: bool, numbers: Ints, extra: Ints | int, par: int) -> Planes:
        """The planes, flat, of games that are over."""
        upper, points = divmod(numbers, self._width)
        paid = self._rules.bonus.points * (upper >= self._rules.bonus.at) + extra
        found = worth(points + paid)
        planes = (paid - par, np.zeros_like(found), found) if for_points else (found,)
        return tuple(plane.astype(np.float32).reshape(-1) for plane in planes)
