"""The arithmetic of exact play, compiled. May know: arrays, lanes.

One call works out every sheet of a layer, which are the sheets with equally many boxes filled, from the layer with one
more. Upper totals lie side by side, sixteen of them in a vector. The stages of a turn, by the throws that are left,
serve all amounts of carried throws at once. Importing this costs what the compiler costs: import it to solve.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from scorekeeper.lanes import LANES, gather, larger, largest_of, load, plus, spread, store, sum_of_six, times

Floats = NDArray[np.float32]
Uints = NDArray[np.uint32]
Ints = NDArray[np.int64]
Buffer = Any  # (rows × LANES,) float32, flat

compiled = njit(nogil=True, cache=True, error_model="numpy")


class Turn(NamedTuple):
    """What a turn is in every sheet of a game.

    upper: (boxes,) whether a box adds to the upper total. rows: (boxes + 1,) where the amounts that a box pays begin,
    0 being the first of each. points: (amounts,); pays: the same, relative to the par of a box. begins: (boxes + 1,)
    where the rolls that a box pays for begin; rolls, amounts: (n,) those, and what they pay. more: the ladder up, flat.
    keeps: (K − 1,) those of all dice, of one die, two, …, and among these by the faces that they show; counts: (dice,
    6) how many of each there are. fewer: the ladder down for each in turn, as many places as it shows faces. size: K,
    the keeps in all. income: throws that a turn brings. carries: whether throws that are left stay with the player.
    """

    upper: NDArray[np.bool_]
    rows: Ints
    points: Ints
    pays: Floats
    begins: Ints
    rolls: Uints
    amounts: Uints
    more: Uints
    counts: Ints
    keeps: Uints
    fewer: Uints
    size: int
    income: int
    carries: bool


class Values(NamedTuple):
    """A layer, flat: for each set of filled boxes a table (carried, places of upper totals).

    begins: (sets,) where a table begins. parts: (sets,) which upper boxes are filled, a row of what follows.
    places: (parts, limit + 1) where a total stands among those that matter. totals: (parts, most) a total that stands
    there, the last one repeated. counts: (parts,) how many places there are.
    """

    flat: Floats
    begins: Ints
    parts: Ints
    places: NDArray[np.int32]
    totals: Uints
    counts: Ints


def _by_faces(n: int) -> Callable[..., tuple[int, int]]:
    largest = largest_of(n)

    @compiled
    def run(out: Buffer, own: Buffer, best: Buffer, turn: Turn, count: int, i: int, at: int) -> tuple[int, int]:
        """For the next `count` keeps, of n faces each: out is the larger of own and the best of one die fewer."""
        for _ in range(count):
            keep = np.intp(turn.keeps[i]) * LANES
            store(out, keep, largest(load(own, keep), best, turn.fewer, at))
            i += 1
            at += n
        return i, at

    return run  # type: ignore[no-any-return]


_one, _two, _three, _four, _five, _six = map(_by_faces, range(1, 7))


@compiled
def _keep(out: Buffer, own: Buffer, best: Buffer, turn: Turn, dice: int, i: int, at: int) -> tuple[int, int]:
    """Fill the keeps of so many dice, 0 for all: the better of `own` and what is best with one die fewer."""
    faces = turn.counts[dice]
    i, at = _one(out, own, best, turn, faces[0], i, at)
    i, at = _two(out, own, best, turn, faces[1], i, at)
    i, at = _three(out, own, best, turn, faces[2], i, at)
    i, at = _four(out, own, best, turn, faces[3], i, at)
    i, at = _five(out, own, best, turn, faces[4], i, at)
    return _six(out, own, best, turn, faces[5], i, at)


@compiled
def _throw(stage: Buffer, more: Uints, rolls: int) -> None:
    """Fill the keeps of a stage from its rolls: the mean over one die more, down to no dice kept."""
    sixth = np.float32(1 / 6)
    rest = np.float32(1 / 6 - float(sixth))  # 1/6 rounded would make every throw worth a little too much
    for keep in range(more.shape[0] // 6):
        total = sum_of_six(stage, more, keep * 6)
        store(stage, (rolls + keep) * LANES, plus(times(total, spread(sixth)), times(total, spread(rest))))


@compiled
def _steps(steps: Uints, totals: Uints, places: Ints, after: Values, turn: Turn) -> None:
    """Fill steps (amounts × LANES,): where these totals (LANES,) stand once an upper box has paid an amount."""
    limit = after.places.shape[1] - 1
    for b in range(places.shape[0]):
        if places[b] >= 0 and turn.upper[b]:
            there = after.places[after.parts[places[b]]]
            for a in range(turn.rows[b], turn.rows[b + 1]):
                for j in range(LANES):
                    steps[a * LANES + j] = there[min(totals[j] + turn.points[a], limit)]


@compiled
def _pay(paid: Buffer, first: int, carried: int, steps: Uints, places: Ints, after: Values, turn: Turn) -> None:
    """Fill paid (amounts × LANES,) with what sheets are worth once a box has paid an amount, and that amount."""
    for b in range(places.shape[0]):
        if places[b] >= 0:
            table = after.begins[places[b]] + carried * after.counts[after.parts[places[b]]]
            if turn.upper[b]:
                for a in range(turn.rows[b], turn.rows[b + 1]):
                    worth = gather(after.flat, table, steps, a * LANES)
                    store(paid, a * LANES, plus(worth, spread(turn.pays[a])))
            else:
                worth = load(after.flat, table + first)
                for a in range(turn.rows[b], turn.rows[b + 1]):
                    store(paid, a * LANES, plus(worth, spread(turn.pays[a])))


@compiled
def _write(now: Buffer, paid: Buffer, places: Ints, turn: Turn) -> None:
    """Fill now (rolls × LANES,) with what each roll is worth when a box is written at once."""
    strike = spread(np.float32(-np.inf))
    for b in range(places.shape[0]):
        if places[b] >= 0:
            strike = larger(strike, load(paid, turn.rows[b] * LANES))
    for i in range(0, now.shape[0], LANES):
        store(now, i, strike)
    for b in range(places.shape[0]):
        if places[b] >= 0:
            for n in range(turn.begins[b], turn.begins[b + 1]):
                roll = np.intp(turn.rolls[n]) * LANES
                store(now, roll, larger(load(now, roll), load(paid, np.intp(turn.amounts[n]) * LANES)))


@compiled
def _aligned(rows: int) -> Buffer:
    """(rows × LANES,) float32 that begin where a vector does."""
    memory = np.empty((rows + 1) * LANES, np.float32)
    skip = (-(memory.ctypes.data // 4)) % LANES
    return memory[skip : skip + rows * LANES]


@compiled
def _sheets(
    out: Floats, carried: int, count: int, totals: Uints, places: Ints, ends: Floats, after: Values, turn: Turn
) -> None:
    """Fill out, flat (carried, count): the sheets with one set of boxes filled."""
    dice, rolls = turn.counts.shape[0], turn.size - turn.more.shape[0] // 6
    paid, now = _aligned(turn.pays.shape[0]), _aligned(rolls)
    stage, best = _aligned(turn.size), _aligned(turn.size)
    steps = np.empty(turn.pays.shape[0] * LANES, np.uint32)
    nothing = (turn.size - 1) * LANES  # no dice kept
    for first in range(0, count, LANES):
        _steps(steps, totals[first : first + LANES], places, after, turn)
        best[:] = -np.inf  # with no throw left nothing is kept
        for left in range(turn.income + carried - 1):  # throws left of the turn
            if turn.carries or left == 0:
                _pay(paid, first, left if turn.carries else 0, steps, places, after, turn)
                _write(now, paid, places, turn)
            i, at = _keep(stage, now, best, turn, 0, 0, 0)
            _throw(stage, turn.more, rolls)
            store(best, nothing, load(stage, nothing))
            for size in range(1, dice):
                i, at = _keep(best, stage, best, turn, size, i, at)
            if left + 1 >= turn.income:
                begin = (left + 1 - turn.income) * count + first
                for j in range(min(LANES, count - first)):
                    out[begin + j] = stage[nothing + j]
    if turn.income == 0:
        for j in range(count):
            out[j] = ends[totals[j]]


@njit(nogil=True, cache=True, parallel=True)
def solve_sets(out: Values, carried: int, places: Ints, ends: Floats, after: Values, turn: Turn) -> None:
    """Fill the tables of some sets, each for `carried` amounts of throws, from `after`, the layer with one box more.

    places: (sets, boxes) which set of `after` has that box filled too, −1 for a box that may not be filled now.
    ends: (limit + 1,) by upper total, what a sheet is worth that has no throw left.
    """
    for i in prange(places.shape[0]):
        part = out.parts[i]
        count = out.counts[part]
        table = out.flat[out.begins[i] : out.begins[i] + carried * count]
        _sheets(table, carried, count, out.totals[part], places[i], ends, after, turn)
