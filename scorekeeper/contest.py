"""The chance to end ahead of the others, and the play that makes it largest, in the last rounds.

May know: the grid, advice. The others are taken to play for points, each for the largest expectation of their own total
as `solve` has it, and not to mind what anybody else does; ahead is ahead of all of them, and a first place that n share
counts 1/n. So understood, all is exact: the final totals of the others have distributions, and with these a final total
of one's own is worth a chance. What is asked again after every turn takes into account what the others have got.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorekeeper.advice import Keep, Play, keeps, points_of, ranked
from scorekeeper.dice import Roll
from scorekeeper.grid import Grid
from scorekeeper.position import Position
from scorekeeper.reach import State
from scorekeeper.refusal import _, demand
from scorekeeper.sheet import Sheet
from scorekeeper.totals import Ints

LAST = 3  # boxes that each player may have open at most
EVEN = 0.0005  # a chance that is less worse is as good

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Finals:
    """How a sheet may end: the chances (n,) of the final totals `first`, `first` + 1, …"""

    first: int
    chances: Floats

    def below(self, totals: Ints) -> Floats:
        """The chance of less than each of these totals."""
        return np.append(0.0, np.cumsum(self.chances))[np.clip(totals - self.first, 0, len(self.chances))]

    def at(self, totals: Ints) -> Floats:
        """The chance of each of these totals."""
        return np.pad(self.chances, 1)[np.clip(totals - self.first + 1, 0, len(self.chances) + 1)]


def first_place(others: Sequence[Finals], totals: Ints) -> Floats:
    """The share of the first place (0 to 1) that each of these final totals brings on average.

    With x of the chance to be as good as one other, beside that to be better, the chance of k who are as good is the
    coefficient of x^k in the product over all others; the mean of 1/(k + 1) is its integral from 0 to 1.
    """
    product: list[Floats | float] = [np.ones(totals.shape)]
    for other in others:
        less, equal = other.below(totals), other.at(totals)
        pairs = zip([*product, 0.0], [0.0, *product], strict=True)
        product = [less * as_many + equal * one_fewer for as_many, one_fewer in pairs]
    return np.asarray(sum(chance / (k + 1) for k, chance in enumerate(product)))


@lru_cache(maxsize=256)
def finals(other: Sheet | int) -> Finals:
    """The final totals of whoever plays for points from this sheet on, before a turn; or a final total that is known.

    From sheets with ever more points behind them the same threshold is reached with ever fewer to come: one solve says
    how likely each amount of points to come is exceeded. BadRules where that takes too long.
    """
    if isinstance(other, int) or other.finished:
        return Finals(other if isinstance(other, int) else other.total, np.ones(1))
    state, rules = State.of(other), other.rules
    value = rules.budget.value if rules.budget else 0
    most = sum(max(rules.attainable[key]) for key in other.open) + rules.bonus.points + value * state.carried
    least = -value * len(other.open)
    grid = Grid(rules, state, most - least + 1)
    layer = grid.solve(lambda points: (points >= most).astype(np.float64), turns=0, for_points=True)
    begun = grid.number(state.upper, np.arange(most - least, -1, -1))
    exceed = layer.moments_at(state.filled)[state.carried, begun, 2]
    return Finals(_written(other) + least, np.maximum(exceed - np.append(exceed[1:], 0.0), 0.0))


def is_near(sheets: Iterable[Sheet]) -> bool:
    """Whether these are the last rounds of everybody."""
    return all(sheet.finished or len(sheet.open) <= LAST for sheet in sheets)


def chances(sheet: Sheet, others: Sequence[Finals]) -> Floats:
    """(boxes, throws, rolls) the chance to end ahead if each legal box is written now with 0 … throws left.

    As `advice.writes`, for all throws that the turn may leave. BadRules where that takes too long.
    """
    state, rules, had = State.of(sheet), sheet.rules, _written(sheet)
    grid = Grid(rules, state, 1)
    layer = grid.solve(lambda points: first_place(others, points + had), turns=1)
    amounts = sheet.allowance if rules.carries else 1
    found = []
    for place in map(rules.index, sheet.legal):
        numbers = grid.number(state.upper, 0) + points_of(rules)[place] * grid.step(place)
        found.append(layer.at(state.filled | 1 << place)[:amounts, numbers])
    return np.array(found)


def before(sheet: Sheet, boxes: Floats) -> float:
    """The chance to end ahead before the first throw of a turn, of which `chances` says so much."""
    return float(keeps(boxes, sheet.allowance, sheet.rules)[-1][-1])


def plays(position: Position) -> list[Play]:
    """Every play, best first, by the chance (0 to 1) to end ahead of the others. Refusal before the last rounds."""
    others = [other for other in position.others if isinstance(other, Sheet)]
    say = _("The chance to end ahead is worked out once nobody has more than {most} boxes left.")
    demand(is_near((position.sheet, *others)), say, most=LAST)
    boxes = chances(position.sheet, [finals(other) for other in position.others])
    return ranked(position.sheet, position.roll, position.left, boxes[:, : position.left + 1])


class Lead(NamedTuple):
    """What gives the best chance to end ahead, and that chance; of plays that do, the one that is best for points.

    plain: the chance after the play that is best for points, if only that one is made for points.
    """

    play: Play
    chance: float
    plain: float


def lead(by_points: Sequence[Play], sheet: Sheet, roll: Roll, left: int, boxes: Floats) -> Lead:
    """Among all plays, best for points first, from what `chances` says of the sheet."""
    found = {_what(play): play.value for play in ranked(sheet, roll, left, boxes[:, : left + 1])}
    best = max(found.values())
    first = next(play for play in by_points if found[_what(play)] > best - EVEN)
    return Lead(first, found[_what(first)], found[_what(by_points[0])])


def _what(play: Play) -> str | tuple[int, ...]:
    return play.dice if isinstance(play, Keep) else play.box


def _written(sheet: Sheet) -> int:
    return sum(points or 0 for points in sheet.scores)
