"""How far from its mean a game may end. Pure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Prospect:
    """How a game ends under best play.

    mean, spread: the expected final total and its standard deviation, points. bonus: the chance of the bonus, 0 to 1.
    """

    mean: float
    spread: float
    bonus: float

    @classmethod
    def of(cls, moments: NDArray[np.float64], written: int = 0) -> Prospect:
        """From what `Layer.moments_at` says of a sheet (3,), and the points that are written on it."""
        mean, variance, bonus = map(float, moments)
        return cls(mean + written, variance**0.5, bonus)

    def draw(self, brings: int, chance: float, deviation: float) -> tuple[int, bool]:
        """A final total, and whether it holds the bonus, which brings so many points.

        chance: drawn evenly from 0 to 1. deviation: drawn from a standard normal distribution. The mean, the spread and
        the chance of the bonus are kept; the shape is not known: with the bonus or without, totals are taken to be
        normally distributed, alike but for those points.
        """
        earned = chance < self.bonus
        within = max(self.spread**2 - self.bonus * (1 - self.bonus) * brings**2, 0.0) ** 0.5
        return max(round(self.mean + (earned - self.bonus) * brings + within * deviation), 0), earned
