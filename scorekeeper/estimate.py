"""What sheets are worth, about, without solving anything. May know: advice, reach.

An open box is worth what a turn for it alone brings on average. Such a turn has as many throws as there are for each
open box, and more, because a roll that is bad for one box may be good for another: CHOICE throws for each further box
that may be filled. What the upper boxes bring is about normally distributed, and so the bonus has a chance.

docs/exact.md tells how often the play that seems best costs less than a point.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from scorekeeper.advice import points_of
from scorekeeper.dice import ladders
from scorekeeper.reach import State, legal, most_carried
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet

CHOICE = 2  # throws
MOST = 30  # throws of a turn; more bring next to nothing
SHOWS = 1 - (5 / 6) ** 3  # chance of a die that is thrown up to three times to show a given face
STEEP = 1.702  # of the logistic function that is nearest to the normal distribution

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """Stands for the layer of the sheets after a turn. carried: how many amounts of throws, 0 included, they carry."""

    rules: RuleSet
    carried: int

    @classmethod
    def after(cls, sheet: Sheet) -> Estimate:
        """That of the sheets that a turn on this sheet can lead to."""
        return cls(sheet.rules, most_carried(sheet.rules, State.of(sheet), 1) + 1)

    def at(self, filled: int) -> Floats:
        """(carried, limit + 1) points still to come, about, for one set of filled boxes (bits)."""
        rules, alone = self.rules, _alone(self.rules)
        still = [place for place in range(len(rules.boxes)) if not filled >> place & 1]
        upper = [place for place in still if rules.boxes[place].upper]
        throws, turns = self._throws(filled, len(still)), max(len(still), 1)
        boxes = _spend(alone[still].sum(axis=0), turns, throws, rules.budget.value if rules.budget else 0)
        mean = np.interp(throws / turns, np.arange(MOST + 1), alone[upper].sum(axis=0))
        short = rules.bonus.at - np.arange(rules.bonus.at + 1) - mean[:, None]
        return boxes[:, None] + rules.bonus.points * _chance(short, _variance(rules, upper))

    def _throws(self, filled: int, turns: int) -> NDArray[np.int64]:
        """(carried,) throws for all turns together, those included that stand for the choice between boxes."""
        choices = int(legal(self.rules, np.array([filled]))[0]).bit_count()
        return self.rules.income * turns + CHOICE * max(choices - 1, 0) + np.arange(self.carried)


@lru_cache(maxsize=32)
def _alone(rules: RuleSet) -> Floats:
    """(boxes, MOST + 1) points on average of a turn for one box alone, by throws; without a throw it is marked X."""
    steps, points = ladders(rules.dice), points_of(rules).T.astype(np.float64)
    worth, found = points, [np.full(points.shape[1], -float(rules.budget.value if rules.budget else 0))]
    for _ in range(MOST):
        keeps = steps.mean(worth)
        found.append(keeps[-1])
        worth = np.maximum(points, steps.best(keeps))
    return np.array(found).T


def _spend(boxes: Floats, turns: int, throws: NDArray[np.int64], value: int) -> Floats:
    """(carried,) what boxes bring with so many throws for all turns together, if throws not made are worth `value`.

    boxes: (MOST + 1,) what they bring by the throws for each.
    """
    spent = np.arange(throws[-1] + 1)
    worth = np.interp(spent / turns, np.arange(MOST + 1), boxes) - value * spent
    return np.asarray(np.maximum.accumulate(worth)[throws] + value * throws)


def _variance(rules: RuleSet, upper: list[int]) -> float:
    """Of what the upper boxes bring: each die shows the face that pays, or does not."""
    faces = [max(rules.attainable[rules.boxes[place].key]) / rules.dice for place in upper]
    return rules.dice * SHOWS * (1 - SHOWS) * sum(face**2 for face in faces)


def _chance(short: Floats, variance: float) -> Floats:
    """The chance of a whole number, normal about 0 with this variance, to be so large at least."""
    steepness = STEEP / (variance + 0.01) ** 0.5
    return np.asarray(1 / (1 + np.exp(np.clip(steepness * (short - 0.5), -50, 50))))
