"""What else can be said of a position: what this turn can bring, what a throw more is worth, how the game may end.

May know: advice.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scorekeeper.advice import plays, points_of, written
from scorekeeper.dice import Roll, ladders
from scorekeeper.prospect import Prospect
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.solve import Layer


def chances(sheet: Sheet, roll: Roll, left: int) -> dict[str, float]:
    """By legal box, the chance (0 to 1) to fill it with points this turn, for whoever plays for that box alone.

    left: throws that may still be made in this turn.
    """
    here = ladders(sheet.rules.dice).place[roll]
    found = _chances(sheet.rules, left)[here]
    return {key: float(found[sheet.rules.index(key)]) for key in sheet.legal}


@lru_cache(maxsize=512)
def _chances(rules: RuleSet, left: int) -> NDArray[np.float64]:
    """(rolls, boxes) the chance that a roll and so many throws after it fit each box."""
    steps, fits = ladders(rules.dice), (points_of(rules).T > 0).astype(np.float64)
    return np.maximum(fits, steps.best(steps.mean(_chances(rules, left - 1)))) if left else fits


def marker(sheet: Sheet, roll: Roll, left: int, after: Layer, now: float) -> float | None:
    """Points that one throw more would add to `now`, the value of the best play with so many throws left; for a sheet
    that has as many as there can be, of which `after` holds no more, points that one fewer would cost.

    None where throws do not stay with the player, or there is neither.
    """
    if not sheet.rules.carries:
        return None
    if left + 1 < after.sheets.carried:
        return plays(replace(sheet, left=sheet.left + 1), roll, left + 1, after)[0].value - now
    return now - plays(sheet, roll, left - 1, after)[0].value if left else None


def prospect(sheet: Sheet, roll: Roll, left: int, after: Layer) -> Prospect:
    """How the game ends if best play goes on from here; ValueError where `after` was solved without SPREAD.

    Of plays that are worth the same the first one is taken, writing before keeping, as `advice.plays` lists them.
    """
    steps, rules = ladders(sheet.rules.dice), sheet.rules
    writes = _leading(_writes(sheet, left, after))
    worth = writes[0]
    for throws in range(1, left + 1):
        kept = steps.best(steps.mean(worth), _leading)
        worth = _leading(np.stack([writes[throws if rules.carries else 0], kept]))
    mean, square, bonus = worth[steps.place[roll]]
    moments = np.array([mean, max(square - mean**2, 0.0), bonus])
    return Prospect.of(moments, sum(points or 0 for points in sheet.scores))


def _writes(sheet: Sheet, left: int, after: Layer) -> NDArray[np.float64]:
    """(boxes, throws, rolls, 3) as `advice.writes`: the mean of the points to come, their mean square, the bonus."""
    amounts = left + 1 if sheet.rules.carries else 1
    found = []
    for filled, upper, points in written(sheet):
        mean, variance, bonus = np.moveaxis(after.moments_at(filled)[:amounts, upper], -1, 0)
        found.append(np.stack([mean + points, variance + (mean + points) ** 2, bonus], axis=-1))
    return np.array(found)


def _leading(plays: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of plays (n, …, 3) the one that has the largest mean, the first of equals."""
    first = plays[..., :1].argmax(axis=0)[None]
    return np.asarray(np.take_along_axis(plays, first, axis=0)[0])
