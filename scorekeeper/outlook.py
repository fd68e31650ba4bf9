"""What else can be said of a position: what this turn can bring, what a throw more is worth. May know: advice."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scorekeeper.advice import plays, points_of
from scorekeeper.dice import Roll, ladders
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
    """Points that one throw more would add to `now`, the value of the best play with so many throws left.

    None where throws do not stay with the player, or where `after` does not hold what such a sheet leads to.
    """
    if not sheet.rules.carries or left + 1 >= after.sheets.carried:
        return None
    return plays(replace(sheet, left=sheet.left + 1), roll, left + 1, after)[0].value - now
