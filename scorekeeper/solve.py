"""What every sheet is worth under best play, by backward induction. May know: rules, dice, reach, the kernels.

"Best play" maximises the expected total of one sheet. With t throws left in the turn a roll is worth the better of
writing now, carrying t, and the best keep with t − 1; a fresh turn is the mean over the first roll.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scorekeeper.dice import FACES, ladders
from scorekeeper.reach import Sheets, State, ahead, legal, par
from scorekeeper.rules import RuleSet
from scorekeeper.totals import NOWHERE

if TYPE_CHECKING:
    from scorekeeper.kernels import Turn, Values

Floats = NDArray[np.float32]
Progress = Callable[[float], None]

EVERYTHING = 2**62
AT_ONCE = 20_000_000  # values worked out between two reports of progress
SPARE = 64  # values after the last one, so that a vector that begins at a value can be read whole


@dataclass(frozen=True, eq=False)
class Layer:
    """What sheets with equally many boxes filled are worth.

    values: flat, as `sheets` lays them out, and then SPARE: expected points to come less the par of the sheets, the
    bonus and what a budget pays included.
    """

    sheets: Sheets
    values: Floats

    def at(self, filled: int) -> NDArray[np.float64]:
        """(carried, limit + 1) expected points to come for one set of filled boxes, NaN where no sheet has that total.

        KeyError where the set is not there.
        """
        sheets, place = self.sheets, self.sheets.place(filled)
        table = self.values[sheets.begins[place] : sheets.begins[place + 1]].reshape(sheets.carried, -1)
        places = sheets.totals.places[sheets.parts[place]]
        return np.where(places == NOWHERE, np.nan, table[:, places] + np.float64(sheets.par))


@dataclass(frozen=True, eq=False)
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

    @property
    def nbytes(self) -> int:
        """Bytes of all values."""
        return sum(layer.values.nbytes for layer in self.layers.values())

    def after(self, state: State) -> Layer | None:
        """The layer in which a sheet in this state ends its turn, or None where this cone does not hold it."""
        layer = self.layers.get(state.filled.bit_count() + 1)
        return layer if layer and self.start.reaches(state, self.rules) else None


def fitting(sheets: list[Sheets], room: int) -> int:
    """Of how many turns the layers fit so many bytes; the sheet itself always does."""
    used = np.cumsum([4 * some.size for some in sheets])
    return max(int(np.searchsorted(used, room, side="right")) - 1, 0)


def _nothing(_: object) -> None:
    pass


def solve(
    rules: RuleSet,
    start: State,
    turns: int = EVERYTHING,
    room: int = EVERYTHING,
    progress: Progress = _nothing,
    known: Cone | None = None,
    finished: Callable[[Cone], None] = _nothing,
) -> Cone:
    """Solve all that can come after `start`; keep the layers of so many turns from there, if they fit `room` bytes.

    progress is told the share of the work that is done, 0 to 1. finished is given, after each layer, what is needed to
    go on from there: `known`, where this was interrupted. BadRules where it would need more memory than a home computer
    has.
    """
    sheets, begun = ahead(rules, start), start.filled.bit_count()
    full = len(sheets) - 1
    kept = min(turns, fitting(sheets, room))
    work = np.cumsum([0, *(some.steps(rules) for some in sheets[:full])])  # full sheets take none
    layers = dict(known.layers) if known else {begun + full: _last(rules, sheets[full])}
    progress(1 - float(work[min(layers) - begun]) / float(work[-1]) if work[-1] else 1.0)
    for turn in range(min(layers) - begun - 1, -1, -1):
        report = partial(_report, progress, work[turn + 1], work[turn], work[-1])
        layers[begun + turn] = _layer(rules, sheets[turn], layers[begun + turn + 1], report)
        if turn + 1 > kept:
            del layers[begun + turn + 1]
        finished(Cone(rules, start, dict(layers)))
    return Cone(rules, start, {filled: layer for filled, layer in layers.items() if filled - begun <= kept})


def warm(rules: RuleSet) -> None:
    """Have the solver compiled, which takes seconds once a machine, by solving a last turn of these rules."""
    solve(rules, State((1 << (len(rules.boxes) - 1)) - 1, 0, 0))


def _report(progress: Progress, before: int, after: int, whole: int, share: float) -> None:
    """Of all the work so much was left before this layer, and will be after it; this share of the layer is done."""
    progress(1 - float(before + share * (after - before)) / float(whole))


def _last(rules: RuleSet, sheets: Sheets) -> Layer:
    """The layer of the full sheets: the bonus, and what the throws left pay."""
    values = np.zeros(sheets.size + SPARE, np.float32)
    table = values[: sheets.size].reshape(sheets.carried, -1)
    table += rules.bonus.points * (sheets.totals.totals[0, : table.shape[1]] >= rules.bonus.at)
    if rules.budget:
        table += rules.budget.value * np.arange(sheets.carried, dtype=np.float32)[:, None]
    return Layer(sheets, values)


def _layer(rules: RuleSet, sheets: Sheets, after: Layer, progress: Progress) -> Layer:
    from scorekeeper import kernels

    sets = sheets.sets
    bits = np.int64(1) << np.arange(len(rules.boxes), dtype=np.int64)
    may = legal(rules, sets)[:, None] & bits != 0
    places = np.where(may, np.searchsorted(after.sheets.sets, sets[:, None] | bits), -1)
    ends = np.zeros(rules.bonus.at + 1, np.float32)
    ends[rules.bonus.at] = rules.bonus.points
    if rules.budget:
        ends -= rules.budget.value * (len(rules.boxes) - int(sets[0]).bit_count())
    ends -= sheets.par
    values = np.full(sheets.size + SPARE, np.nan, np.float32)
    values[sheets.size :] = 0
    out, behind, turn = _values(sheets, values), _values(after.sheets, after.values), _turn(rules)
    step = max(1, AT_ONCE * len(sets) // sheets.size)
    for begin in range(0, len(sets), step):
        part = slice(begin, begin + step)
        few = out._replace(begins=out.begins[part], parts=out.parts[part])
        kernels.solve_sets(few, sheets.carried, places[part], ends, behind, turn)
        progress(min(1.0, (begin + step) / len(sets)))
    return Layer(sheets, values)


def _values(sheets: Sheets, values: Floats) -> Values:
    from scorekeeper.kernels import Values

    totals = sheets.totals
    values = np.require(values, requirements="W")  # one kind of array is compiled for; a table on disk is another
    return Values(values, sheets.begins[:-1], sheets.parts, totals.places, totals.totals, totals.counts)


@lru_cache(maxsize=8)
def _turn(rules: RuleSet) -> Turn:
    from scorekeeper.kernels import Turn

    steps = ladders(rules.dice)
    rolls = steps.keeps[: steps.rolls]
    amounts = [sorted(rules.attainable[box.key]) for box in rules.boxes]
    rows = np.cumsum([0, *map(len, amounts)])
    paid = [
        [(i, row + attainable.index(points)) for i, roll in enumerate(rolls) if (points := box.score(roll))]
        for box, attainable, row in zip(rules.boxes, amounts, rows, strict=False)
    ]
    entries = np.concatenate(paid).astype(np.uint32)
    faces = [len(set(keep.dice)) for keep in steps.keeps]
    sizes = [len(keep) % rules.dice for keep in steps.keeps]  # all dice first
    order = sorted(range(len(steps.keeps) - 1), key=lambda keep: (sizes[keep], faces[keep]))
    counts = [[sum(sizes[k] == size and faces[k] == n for k in order) for n in FACES] for size in range(rules.dice)]
    return Turn(
        upper=np.array([box.upper for box in rules.boxes]),
        rows=rows,
        points=np.concatenate(amounts),
        pays=(np.concatenate(amounts) - par(rules)).astype(np.float32),
        begins=np.cumsum([0, *map(len, paid)]),
        rolls=np.ascontiguousarray(entries[:, 0]),
        amounts=np.ascontiguousarray(entries[:, 1]),
        more=steps.more.reshape(-1),
        counts=np.array(counts),
        keeps=np.array(order, np.uint32),
        fewer=np.concatenate([steps.fewer[keep, : faces[keep]] for keep in order]),
        size=len(steps.keeps),
        income=rules.income,
        carries=rules.carries,
    )
