"""What every sheet is worth under best play, by backward induction. May know: rules, dice, reach, the kernels.

"Best play" maximises the expected total of one sheet. With t throws left in the turn a roll is worth the better of
writing now, carrying t, and the best keep with t − 1; a fresh turn is the mean over the first roll.

How far a game may end from what is expected, and whether it brings the bonus, follows from the same plays: what is
chosen is chosen by value alone. Of plays that are worth the same in float32 the first one is taken, writing before
keeping; another one that is worth as much may have another spread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scorekeeper.prospect import Prospect
from scorekeeper.reach import MOST_VALUES, Sheets, State, ahead, legal
from scorekeeper.refusal import _, check
from scorekeeper.rules import RuleSet
from scorekeeper.totals import NOWHERE

if TYPE_CHECKING:
    from scorekeeper.kernels import Planes, Tables, Turn

Floats = NDArray[np.float32]
Progress = Callable[[float], None]

EVERYTHING = 2**62
AT_ONCE = 20_000_000  # values worked out between two reports of progress
PLANES = ("value", "variance", "bonus")  # of a layer; the first alone, or all
VALUES, SPREAD = 1, len(PLANES)
SPARE = 64  # values after the last one, so that a vector that begins at a value can be read whole


@dataclass(frozen=True, eq=False)
class Layer:
    """What sheets with equally many boxes filled are worth.

    planes: each flat, as `sheets` lays them out, and then SPARE. First the values: expected points to come less the par
    of the sheets, the bonus and what a budget pays included. With SPREAD also the variances of those points, and the
    chances of the bonus.
    """

    sheets: Sheets
    planes: Planes

    def at(self, filled: int) -> NDArray[np.float64]:
        """(carried, limit + 1) expected points to come for one set of filled boxes, NaN where no sheet has that total.

        KeyError where the set is not there.
        """
        return self._table(self.planes[0], filled) + self.sheets.par

    def moments_at(self, filled: int) -> NDArray[np.float64]:
        """(carried, limit + 1, 3) the same, the variance of the points to come, and the chance of the bonus.

        ValueError where it was solved without SPREAD.
        """
        value, variance, bonus = (self._table(plane, filled) for plane in self.planes)
        return np.stack([value + self.sheets.par, variance, bonus], axis=-1)

    def _table(self, plane: Floats, filled: int) -> NDArray[np.float64]:
        sheets, place = self.sheets, self.sheets.place(filled)
        table = plane[sheets.begins[place] : sheets.begins[place + 1]].reshape(sheets.carried, -1)
        places = sheets.totals.places[sheets.parts[place]]
        return np.where(places == NOWHERE, np.nan, table[:, places].astype(np.float64))


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
    def prospect(self) -> Prospect:
        """How it ends, without points that are written at the start; ValueError where it was solved without SPREAD."""
        found = self.ends(self.start)
        if found is None:
            raise ValueError("it was solved without the spread of final totals")
        return found

    @property
    def nbytes(self) -> int:
        """Bytes of all planes."""
        return sum(plane.nbytes for layer in self.layers.values() for plane in layer.planes)

    def ends(self, state: State) -> Prospect | None:
        """How what comes after a sheet in this state ends; None where this cone does not hold it, or not that of it."""
        layer = self.layers.get(state.filled.bit_count())
        if layer is None or len(layer.planes) < SPREAD or not self.start.reaches(state, self.rules):
            return None
        return Prospect.of(layer.moments_at(state.filled)[state.carried, state.upper])

    def after(self, state: State) -> Layer | None:
        """The layer in which a sheet in this state ends its turn, or None where this cone does not hold it."""
        layer = self.layers.get(state.filled.bit_count() + 1)
        return layer if layer and self.start.reaches(state, self.rules) else None


def fitting(sheets: list[Sheets], room: int, planes: int = VALUES) -> int:
    """Of how many turns the layers fit so many bytes; the sheet itself always does."""
    used = np.cumsum([4 * planes * some.size for some in sheets])
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
    planes: int = VALUES,
) -> Cone:
    """Solve all that can come after `start`; keep the layers of so many turns from there, if they fit `room` bytes.

    progress is told the share of the work that is done, 0 to 1. finished is given, after each layer, what is needed to
    go on from there: `known`, where this was interrupted. planes: VALUES, or SPREAD for what `Cone.prospect` says,
    too, in three times the memory. BadRules where it would need more of that than a home computer has.
    """
    sheets, begun = ahead(rules, start), start.filled.bit_count()
    check(
        planes * max(some.size for some in sheets) <= MOST_VALUES,
        _("{name} has too many sheets to work out the spread of its final total."),
        name=rules.name,
    )
    full = len(sheets) - 1
    kept = min(turns, fitting(sheets, room, planes))
    work = np.cumsum([0, *(some.steps(rules) for some in sheets[:full])])  # full sheets take none
    layers = dict(known.layers) if known else {begun + full: _last(rules, sheets[full], planes)}
    progress(1 - float(work[min(layers) - begun]) / float(work[-1]) if work[-1] else 1.0)
    for turn in range(min(layers) - begun - 1, -1, -1):
        report = partial(_report, progress, work[turn + 1], work[turn], work[-1])
        layers[begun + turn] = _layer(rules, sheets[turn], layers[begun + turn + 1], report)
        if turn + 1 > kept:
            del layers[begun + turn + 1]
        finished(Cone(rules, start, dict(layers)))
    return Cone(rules, start, {filled: layer for filled, layer in layers.items() if filled - begun <= kept})


def warm(rules: RuleSet, planes: int = VALUES) -> None:
    """Have the solver compiled, which takes seconds once a machine, by solving a last turn of these rules."""
    solve(rules, State((1 << (len(rules.boxes) - 1)) - 1, 0, 0 if rules.income else 1), planes=planes)


def _report(progress: Progress, before: int, after: int, whole: int, share: float) -> None:
    """Of all the work so much was left before this layer, and will be after it; this share of the layer is done."""
    progress(1 - float(before + share * (after - before)) / float(whole or 1))


def _last(rules: RuleSet, sheets: Sheets, planes: int) -> Layer:
    """The layer of the full sheets: the bonus, and what the throws left pay."""
    earned = np.tile(sheets.totals.totals[0, : sheets.size // sheets.carried] >= rules.bonus.at, (sheets.carried, 1))
    worth = rules.bonus.points * earned.astype(np.float64)
    if rules.budget:
        worth += rules.budget.value * np.arange(sheets.carried)[:, None]
    spare = np.zeros(SPARE, np.float32)
    return Layer(sheets, tuple(np.append(plane, spare) for plane in _ended(worth, earned, planes)))


def _ended(worth: NDArray[np.float64], earned: NDArray[np.bool_], planes: int) -> Planes:
    """The planes, flat, of games that are over, from what is still paid and whether the bonus was earned."""
    return tuple(plane.astype(np.float32).reshape(-1) for plane in (worth, 0 * worth, earned)[:planes])


def _layer(rules: RuleSet, sheets: Sheets, after: Layer, progress: Progress) -> Layer:
    from scorekeeper.turn import laid_out

    earned = np.arange(rules.bonus.at + 1) == rules.bonus.at
    ends = rules.bonus.points * earned.astype(np.float64) - owed(rules, sheets) - sheets.par
    return behind(rules, sheets, after, laid_out(rules), _ended(ends, earned, len(after.planes)), progress)


def owed(rules: RuleSet, sheets: Sheets) -> int:
    """Points that the open boxes of such sheets cost once no throw of a budget is left."""
    return rules.budget.value * (len(rules.boxes) - int(sheets.sets[0]).bit_count()) if rules.budget else 0


def behind(
    rules: RuleSet, sheets: Sheets, after: Layer, turn: Turn, ends: Planes, progress: Progress = _nothing
) -> Layer:
    """The layer of these sheets, from that with one box more. turn, ends: as the kernels read them."""
    from scorekeeper import kernels

    sets = sheets.sets
    bits = np.int64(1) << np.arange(len(rules.boxes), dtype=np.int64)
    may = legal(rules, sets)[:, None] & bits != 0
    places = np.where(may, np.searchsorted(after.sheets.sets, sets[:, None] | bits), -1)
    layer = Layer(sheets, tuple(np.full(sheets.size + SPARE, np.nan, np.float32) for _plane in after.planes))
    for plane in layer.planes:
        plane[sheets.size :] = 0
    here, there = _tables(sheets), _tables(after.sheets)
    # One kind of array is compiled for; a table on disk is another.
    planes = tuple(np.require(plane, requirements="W") for plane in after.planes)
    step = max(1, AT_ONCE * len(sets) // sheets.size)
    for begin in range(0, len(sets), step):
        part = slice(begin, begin + step)
        few = here._replace(begins=here.begins[part], parts=here.parts[part])
        kernels.solve_sets(layer.planes, few, sheets.carried, places[part], ends, planes, there, turn)
        progress(min(1.0, (begin + step) / len(sets)))
    return layer


def _tables(sheets: Sheets) -> Tables:
    from scorekeeper.kernels import Tables

    totals = sheets.totals
    return Tables(sheets.begins[:-1], sheets.parts, totals.places, totals.totals, totals.counts)
