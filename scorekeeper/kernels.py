"""The arithmetic of exact play, compiled. May know: arrays.

One call works out every sheet of a layer, which are the sheets with equally many boxes filled, from the layer with one
more. Upper totals lie side by side, LANES of them in a vector register. The stages of a turn, by the throws that are
left, serve all amounts of carried throws at once. Importing this costs what the compiler costs: import it to solve.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Uints = NDArray[np.uint32]
Ints = NDArray[np.int64]

LANES = 16

# Floating point may ignore the sign of zero and fuse a product with a sum; what is poisoned (NaN) stays so.
compiled = njit(nogil=True, cache=True, error_model="numpy", fastmath={"nsz", "contract"})
inlined = njit(inline="always")


@inlined
def _six(table: Uints, i: int) -> Any:
    return table[i, 0], table[i, 1], table[i, 2], table[i, 3], table[i, 4], table[i, 5]


@inlined
def _larger(a: Any, b: Any) -> Any:
    return a if a > b else b


@inlined
def _largest(values: Floats, six: Any, j: int) -> Any:
    """The largest of six rows in lane j."""
    a, b, c, d, e, f = six
    low = _larger(_larger(values[a, j], values[b, j]), values[c, j])
    return _larger(_larger(_larger(low, values[d, j]), values[e, j]), values[f, j])


class Turn(NamedTuple):
    """What a turn is in every sheet of a game.

    widths: (boxes,) the most that each box adds to the upper total. fits, points: (n, 3) and (n,): box, roll, points
    for the upper total, and points, wherever a box pays for a roll. more, fewer: the ladders of the dice. income:
    throws that a turn brings. carries: whether throws that are left stay with the player.
    """

    widths: Ints
    fits: Uints
    points: Floats
    more: Uints
    fewer: Uints
    income: int
    carries: bool


@compiled
def _write(now: Floats, window: Floats, first: int, carried: int, places: Ints, after: Floats, turn: Turn) -> None:
    """Fill now (R, LANES) with what each roll is worth when a box is written at once, at totals `first` onwards."""
    limit = after.shape[2] - 1
    strike = np.full(LANES, -np.inf, np.float32)
    for b in range(places.shape[0]):
        if places[b] >= 0:
            for j in range(LANES + turn.widths[b]):
                window[b, j] = after[places[b], carried, min(first + j, limit)]
            for j in range(LANES):
                strike[j] = _larger(strike[j], window[b, j])
    for i in range(now.shape[0]):
        for j in range(LANES):
            now[i, j] = strike[j]
    for n in range(turn.fits.shape[0]):
        b, i, shift, pays = turn.fits[n, 0], turn.fits[n, 1], turn.fits[n, 2], turn.points[n]
        if places[b] >= 0:
            for j in range(LANES):
                now[i, j] = _larger(now[i, j], window[b, shift + j] + pays)


@compiled
def _throw(stage: Floats, more: Uints) -> None:
    """Fill the keeps of stage (K, LANES) from its rolls: the mean over one die more, down to no dice kept."""
    rolls = stage.shape[0] - more.shape[0]
    sixth = np.float32(1 / 6)
    rest = np.float32(1 / 6 - float(sixth))  # 1/6 rounded would make every throw worth a little too much
    for k in range(more.shape[0]):
        a, b, c, d, e, f = _six(more, k)
        for j in range(LANES):
            total = stage[a, j] + stage[b, j] + stage[c, j] + stage[d, j] + stage[e, j] + stage[f, j]
            stage[rolls + k, j] = total * sixth + total * rest


@compiled
def _keep(best: Floats, stage: Floats, fewer: Uints, rolls: int) -> None:
    """Fill best (K, LANES) below the rolls: the best that can be kept of some dice, all of them included."""
    last = stage.shape[0] - 1
    for j in range(LANES):
        best[last, j] = stage[last, j]
    for k in range(last - 1, rolls - 1, -1):
        six = _six(fewer, k)
        for j in range(LANES):
            best[k, j] = _larger(stage[k, j], _largest(best, six, j))


@compiled
def _sheets(out: Floats, low: int, high: int, places: Ints, ends: Floats, after: Floats, turn: Turn) -> None:
    """Fill out (carried, totals): the sheets with one set of boxes filled, for the totals low … high and below."""
    income, fewer = turn.income, turn.fewer
    keeps = fewer.shape[0] + 1
    rolls = keeps - turn.more.shape[0]
    stage, best = np.empty((keeps, LANES), np.float32), np.empty((keeps, LANES), np.float32)
    now = np.empty((rolls, LANES), np.float32)
    window = np.empty((places.shape[0], LANES + turn.widths.max()), np.float32)
    for first in range(low, high + 1, LANES):
        for left in range(income + out.shape[0] - 1):  # throws left of the turn
            if turn.carries or left == 0:
                _write(now, window, first, left if turn.carries else 0, places, after, turn)
            for i in range(rolls):
                six = _six(fewer, i)
                for j in range(LANES):
                    stage[i, j] = _larger(now[i, j], _largest(best, six, j)) if left else now[i, j]
            _throw(stage, turn.more)
            _keep(best, stage, fewer, rolls)
            if left + 1 >= income:
                for u in range(first, min(first + LANES, high + 1)):
                    out[left + 1 - income, u] = stage[keeps - 1, u - first]
    if income == 0:
        for u in range(low, high + 1):
            out[0, u] = ends[u]
    for carried in range(out.shape[0]):
        for u in range(low):
            out[carried, u] = out[carried, low]


@njit(nogil=True, cache=True, parallel=True)
def solve_sets(out: Floats, lows: Ints, highs: Ints, places: Ints, ends: Floats, after: Floats, turn: Turn) -> None:
    """Fill out (sets, carried, totals) from `after`, the layer with one box more: (sets, carried, totals).

    lows, highs: (sets,) the totals to work out; below low, where the bonus is out of reach, all are worth the same.
    places: (sets, boxes) where in `after` the set with that box filled is, −1 for a box that may not be filled now.
    ends: (totals,) what a sheet is worth that has no throw left.
    """
    for i in prange(out.shape[0]):
        _sheets(out[i], lows[i], highs[i], places[i], ends, after, turn)
