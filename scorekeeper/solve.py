"""What every sheet is worth under best play, by backward induction. May know: rules, dice, and the compiled kernels.

"Best play" maximises the expected total of one sheet. A sheet matters only through the boxes filled, the upper total up
to the limit of the bonus, and the throws carried: rerolls saved, or the rest of a budget. With t throws left in the
turn a roll is worth the better of writing now, carrying t, and the best keep with t − 1; a fresh turn is the mean over
the first roll.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from scorekeeper.dice import ladders
from scorekeeper.refusal import _, check
from scorekeeper.rules import Order, RuleSet
from scorekeeper.sheet import Sheet

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Progress = Callable[[float], None]

MOST_SETS = 400_000  # sets of filled boxes in a layer; twenty boxes in free order have 184,756
MOST_VALUES = 600_000_000  # values of a layer, held two at a time: 5 GB
AT_ONCE = 20_000_000  # values worked out between two reports of progress


@dataclass(frozen=True, slots=True)
class State:
    """A sheet as far as it matters to what is still to come: bits of the filled boxes, upper total, throws carried."""

    filled: int
    upper: int
    carried: int

    @classmethod
    def of(cls, sheet: Sheet) -> State:
        """The state of a sheet before a turn."""
        filled = sum(1 << place for place, points in enumerate(sheet.scores) if points is not None)
        return cls(filled, min(sheet.upper, sheet.rules.bonus.at), sheet.left)


@dataclass(frozen=True)
class Layer:
    """Sheets with equally many boxes filled.

    sets: (n,) bits of the filled boxes, rising. values: (n, carried, upper total) expected points to come, the bonus
    and what a budget pays included; NaN where no such sheet can be reached from where the solving began.
    """

    sets: Ints
    values: Floats

    def at(self, filled: int) -> Floats:
        """(carried, upper total) for one set of filled boxes; KeyError where it is not there."""
        place = int(np.searchsorted(self.sets, filled))
        if place == len(self.sets) or self.sets[place] != filled:
            raise KeyError(filled)
        return np.asarray(self.values[place])


@dataclass(frozen=True)
class Cone:
    """Everything that can come after `start`, as far as it was kept: layers by the number of boxes filled."""

    rules: RuleSet
    start: State
    layers: dict[int, Layer]

    @property
    def value(self) -> float:
        """Expected points to come at the start."""
        layer = self.layers[self.start.filled.bit_count()]
        return float(layer.at(self.start.filled)[self.start.carried, self.start.upper])

    def after(self, state: State) -> Layer | None:
        """The layer in which a sheet in this state ends its turn, or None where this cone does not hold it."""
        layer = self.layers.get(state.filled.bit_count() + 1)
        inside = state.filled & self.start.filled == self.start.filled and state.upper >= self.start.upper
        turns = (state.filled ^ self.start.filled).bit_count()
        return layer if inside and state.carried <= _carried(self.rules, self.start, turns) else None


def solve(rules: RuleSet, start: State, room: int = 2**63, progress: Progress = lambda _share: None) -> Cone:
    """Solve all that can come after `start`; keep the layers with the fewest boxes filled, as many as fit `room` bytes.

    progress is told the share of the work that is done, 0 to 1. BadRules where it would need more memory than a home
    computer has.
    """
    begun = start.filled.bit_count()
    sets = _sets(rules, start.filled)
    shapes = [(len(some), _carried(rules, start, n) + 1, rules.bonus.at + 1) for n, some in enumerate(sets)]
    _demand_room(rules, bool(max(map(np.prod, shapes)) <= MOST_VALUES))
    kept, used = set[int](), 0
    for n, shape in enumerate(shapes):
        used += 4 * int(np.prod(shape))
        if used <= room:
            kept.add(n)
    work = [float(np.prod(shape[:2])) for shape in shapes]
    layer = _last(rules, sets[-1], shapes[-1])
    layers = {begun + len(sets) - 1: layer} if len(sets) - 1 in kept else {}
    for n in range(len(sets) - 2, -1, -1):
        report = partial(_report, progress, sum(work[n + 1 :]) / sum(work), work[n] / sum(work))
        layer = _layer(rules, start, sets[n], shapes[n], layer, report)
        if n in kept:
            layers[begun + n] = layer
    return Cone(rules, start, layers)


def _report(progress: Progress, done: float, share: float, part: float) -> None:
    progress(done + share * part)


def _carried(rules: RuleSet, start: State, turns: int) -> int:
    """The most throws that can be carried after so many turns: a turn takes at least one."""
    return max(start.carried + (rules.income - 1) * turns, 0) if rules.carries else 0


def legal(rules: RuleSet, sets: Ints) -> Ints:
    """(n,) bits of the boxes that may be filled next, for bits of filled boxes (n,)."""
    opened = ((1 << len(rules.boxes)) - 1) & ~sets
    match rules.order:
        case Order.FORCED:
            return opened & -opened
        case Order.UPPER_FIRST:
            upper = opened & sum(1 << place for place, box in enumerate(rules.boxes) if box.upper)
            return np.where(upper != 0, upper, opened)
        case Order.FREE:
            return opened


def _sets(rules: RuleSet, filled: int) -> list[Ints]:
    """By turn from here, the sets of filled boxes that can be reached."""
    sets = [np.array([filled], np.int64)]
    while sets[-1][0] != (1 << len(rules.boxes)) - 1:
        allowed = legal(rules, sets[-1])
        bits = [np.int64(1 << place) for place in range(len(rules.boxes))]
        _demand_room(rules, len(sets[-1]) <= MOST_SETS)
        sets.append(np.unique(np.concatenate([sets[-1][allowed & bit != 0] | bit for bit in bits])))
    return sets


def _demand_room(rules: RuleSet, holds: bool) -> None:
    check(holds, _("{name} has too many sheets to work out the best play."), name=rules.name)


def _last(rules: RuleSet, sets: Ints, shape: tuple[int, int, int]) -> Layer:
    """The layer of the full sheets: the bonus, and what the throws left pay."""
    values = np.zeros(shape, np.float32)
    values[..., rules.bonus.at] = rules.bonus.points
    if rules.budget:
        values += rules.budget.value * np.arange(shape[1], dtype=np.float32)[:, None]
    return Layer(sets, values)


def _layer(
    rules: RuleSet, start: State, sets: Ints, shape: tuple[int, int, int], after: Layer, progress: Progress
) -> Layer:
    from scorekeeper import kernels

    limit = rules.bonus.at
    widths = np.array([max(rules.attainable[box.key]) if box.upper else 0 for box in rules.boxes], np.int64)
    bits = np.int64(1) << np.arange(len(rules.boxes), dtype=np.int64)
    since = ((sets & ~start.filled)[:, None] & bits != 0) @ widths
    left = (sets[:, None] & bits == 0) @ widths
    highs = np.minimum(limit, start.upper + since)
    lows = np.minimum(np.maximum(start.upper, limit - left - 1), highs)
    may = legal(rules, sets)[:, None] & bits != 0
    places = np.where(may, np.searchsorted(after.sets, sets[:, None] | bits), -1)
    ends = np.zeros(shape[2], np.float32)
    ends[limit] = rules.bonus.points
    if rules.budget:
        ends -= rules.budget.value * (len(rules.boxes) - int(sets[0]).bit_count())
    steps = ladders(rules.dice)
    turn = kernels.Turn(widths, *_fits(rules), steps.more, steps.fewer, rules.income, rules.carries)
    values = np.full(shape, np.nan, np.float32)
    step = max(1, AT_ONCE // (shape[1] * shape[2]))
    for begin in range(0, len(sets), step):
        part = slice(begin, begin + step)
        kernels.solve_sets(values[part], lows[part], highs[part], places[part], ends, after.values, turn)
        progress(min(1.0, (begin + step) / len(sets)))
    return Layer(sets, values)


def _fits(rules: RuleSet) -> tuple[NDArray[np.uint32], Floats]:
    """(n, 3) box, roll, points for the upper total; (n,) points: wherever a box pays for a roll."""
    steps = ladders(rules.dice)
    rows = [
        (place, i, points if box.upper else 0, points)
        for place, box in enumerate(rules.boxes)
        for i, roll in enumerate(steps.keeps[: steps.rolls])
        if (points := box.score(roll))
    ]
    table = np.array(rows, np.uint32)
    return np.ascontiguousarray(table[:, :3]), table[:, 3].astype(np.float32)
