"""The arithmetic of exact play, compiled. May know: arrays, lanes.

One call works out every sheet of a layer, which are the sheets with equally many boxes filled, from the layer with one
more. Upper totals lie side by side, sixteen of them in a vector. The stages of a turn, by the throws that are left,
serve all amounts of carried throws at once. Importing this costs what the compiler costs: import it to solve.

What is worked out of each sheet is a tuple of arrays: the values, which alone decide what is played, or these and two
more that follow: the variances of the final total, and the chances of the bonus. Code is compiled for tuples of one and
of three, so that the values alone cost nothing more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import njit, prange
from numba.extending import overload
from numpy.typing import NDArray

from scorekeeper.lanes import LANES, alike, best_of, better, credit, gather, load, mean_of_six, store

Floats = NDArray[np.float32]
Uints = NDArray[np.uint32]
Ints = NDArray[np.int64]
Planes = tuple[Floats, ...]  # values; or values, variances, chances of the bonus
Buffer = Any  # planes, each (rows × LANES,), flat

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


class Tables(NamedTuple):
    """Where a layer keeps its sheets: for each set of filled boxes a table (carried, places of upper totals), flat.

    begins: (sets,) where a table begins. parts: (sets,) which upper boxes are filled, a row of what follows.
    places: (parts, limit + 1) where a total stands among those that matter. totals: (parts, most) a total that stands
    there, the last one repeated. counts: (parts,) how many places there are.
    """

    begins: Ints
    parts: Ints
    places: NDArray[np.int32]
    totals: Uints
    counts: Ints


def _by_faces(n: int) -> Callable[..., tuple[int, int]]:
    best_row = best_of(n)

    @compiled
    def run(out: Buffer, own: Buffer, best: Buffer, turn: Turn, count: int, i: int, at: int) -> tuple[int, int]:
        """For the next `count` keeps, of n faces each: out is the better of own and the best of one die fewer."""
        for _ in range(count):
            keep = np.intp(turn.keeps[i]) * LANES
            store(out, keep, best_row(load(own, keep), best, turn.fewer, at))
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
    for keep in range(more.shape[0] // 6):
        store(stage, (rolls + keep) * LANES, mean_of_six(stage, more, keep * 6))


@compiled
def _steps(steps: Uints, totals: Uints, places: Ints, after: Tables, turn: Turn) -> None:
    """Fill steps (amounts × LANES,): where these totals (LANES,) stand once an upper box has paid an amount."""
    limit = after.places.shape[1] - 1
    for b in range(places.shape[0]):
        if places[b] >= 0 and turn.upper[b]:
            there = after.places[after.parts[places[b]]]
            for a in range(turn.rows[b], turn.rows[b + 1]):
                for j in range(LANES):
                    steps[a * LANES + j] = there[min(totals[j] + turn.points[a], limit)]


@compiled
def _pay(
    paid: Buffer, first: int, carried: int, steps: Uints, places: Ints, behind: Planes, after: Tables, turn: Turn
) -> None:
    """Fill paid (amounts × LANES,) with what sheets are worth once a box has paid an amount, and that amount."""
    for b in range(places.shape[0]):
        if places[b] >= 0:
            table = after.begins[places[b]] + carried * after.counts[after.parts[places[b]]]
            if turn.upper[b]:
                for a in range(turn.rows[b], turn.rows[b + 1]):
                    worth = gather(behind, table, steps, a * LANES)
                    store(paid, a * LANES, credit(worth, turn.pays[a]))
            else:
                worth = load(behind, table + first)
                for a in range(turn.rows[b], turn.rows[b + 1]):
                    store(paid, a * LANES, credit(worth, turn.pays[a]))


@compiled
def _write(now: Buffer, paid: Buffer, places: Ints, turn: Turn) -> None:
    """Fill now (rolls × LANES,) with what each roll is worth when a box is written at once."""
    strike = alike(paid, np.float32(-np.inf))
    for b in range(places.shape[0]):
        if places[b] >= 0:
            strike = better(strike, load(paid, turn.rows[b] * LANES))
    for i in range(0, now[0].shape[0], LANES):
        store(now, i, strike)
    for b in range(places.shape[0]):
        if places[b] >= 0:
            for n in range(turn.begins[b], turn.begins[b + 1]):
                roll = np.intp(turn.rolls[n]) * LANES
                store(now, roll, better(load(now, roll), load(paid, np.intp(turn.amounts[n]) * LANES)))


@compiled
def _aligned(rows: int) -> Floats:
    """(rows × LANES,) float32 that begin where a vector does."""
    memory = np.empty((rows + 1) * LANES, np.float32)
    skip = (-(memory.ctypes.data // 4)) % LANES
    return memory[skip : skip + rows * LANES]


def _buffer(like: Planes, rows: int) -> Buffer:
    """As many planes (rows × LANES,) as there are, aligned."""
    return tuple(_aligned(rows) for _ in like)


@overload(_buffer, strict=False)
def _compiled_buffer(like: Any, rows: Any) -> Callable[[Planes, int], Buffer]:
    if len(like) == 1:
        return lambda like, rows: (_aligned(rows),)
    return lambda like, rows: (_aligned(rows), _aligned(rows), _aligned(rows))


@compiled
def _sheets(
    out: Planes,
    begin: int,
    carried: int,
    count: int,
    totals: Uints,
    places: Ints,
    ends: Planes,
    behind: Planes,
    after: Tables,
    turn: Turn,
) -> None:
    """Fill out from `begin` on, flat (carried, count): the sheets with one set of boxes filled."""
    dice, rolls = turn.counts.shape[0], turn.size - turn.more.shape[0] // 6
    paid, now = _buffer(ends, turn.pays.shape[0]), _buffer(ends, rolls)
    stage, best = _buffer(ends, turn.size), _buffer(ends, turn.size)
    steps = np.empty(turn.pays.shape[0] * LANES, np.uint32)
    nothing = (turn.size - 1) * LANES  # no dice kept
    for first in range(0, count, LANES):
        _steps(steps, totals[first : first + LANES], places, after, turn)
        for plane in best:
            plane[:] = -np.inf  # with no throw left nothing is kept
        for left in range(turn.income + carried - 1):  # throws left of the turn
            if turn.carries or left == 0:
                _pay(paid, first, left if turn.carries else 0, steps, places, behind, after, turn)
                _write(now, paid, places, turn)
            i, at = _keep(stage, now, best, turn, 0, 0, 0)
            _throw(stage, turn.more, rolls)
            store(best, nothing, load(stage, nothing))
            for size in range(1, dice):
                i, at = _keep(best, stage, best, turn, size, i, at)
            if left + 1 >= turn.income:
                at = begin + (left + 1 - turn.income) * count + first
                for result, plane in zip(out, stage):  # noqa: B905, the compiler knows no strict
                    for j in range(min(LANES, count - first)):
                        result[at + j] = plane[nothing + j]
    if turn.income == 0:
        for result, end in zip(out, ends):  # noqa: B905
            for j in range(count):
                result[begin + j] = end[totals[j]]


@njit(nogil=True, cache=True, parallel=True)
def solve_sets(
    out: Planes, sheets: Tables, carried: int, places: Ints, ends: Planes, behind: Planes, after: Tables, turn: Turn
) -> None:
    """Fill the tables of some sets, each for `carried` amounts of throws, from the layer with one box more.

    out, behind: the planes of both layers. places: (sets, boxes) which set of `after` has that box filled too, −1 for a
    box that may not be filled now. ends: planes (limit + 1,), by upper total, of a sheet that has no throw left.
    """
    for i in prange(places.shape[0]):
        count, totals = sheets.counts[sheets.parts[i]], sheets.totals[sheets.parts[i]]
        _sheets(out, sheets.begins[i], carried, count, totals, places[i], ends, behind, after, turn)
