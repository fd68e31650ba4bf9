"""A die rolls out of a hand and comes to rest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.rendering.colours import Rng
from datasets.rendering.poses import resting, turn_z
from datasets.rendering.scene import Array, Thing


class Rolling:
    """A die on its way from a hand to where it comes to rest, `lasts` seconds from `begin` on."""

    def __init__(self, rest: Thing, start: Array, rng: Rng) -> None:
        self.rest, self.start = rest, start + np.array([*rng.normal(0, 0.8, 2), 0.0])
        self.begin, self.lasts = float(rng.uniform(0, 0.15)), float(rng.uniform(0.6, 1.3))
        self.way = rest.centre[:2] - self.start[:2]
        self.spin, self.hop = float(rng.normal(0, 1.5)), float(rng.uniform(1.0, 3.0))

    def pose(self, seconds: float) -> Thing | None:
        """The die so many seconds after it was let go of; None while it is in the hand."""
        t = (seconds - self.begin) / self.lasts
        if t < 0:
            return None
        left = max(0.0, 1 - t) ** 1.7
        if left == 0:
            return self.rest
        far = float(np.hypot(*self.way))
        axis = np.array([-self.way[1], self.way[0], 0.0]) / max(far, 1e-6)
        turned = turn_z(self.spin * left) @ about(axis, -left * far * 0.8) @ self.rest.rotation
        at = self.rest.centre[:2] - self.way * left
        die = resting(replace(self.rest, centre=np.array([*at, 0.0]), rotation=turned))
        bounce = self.hop * left * abs(np.cos(9 * (1 - left)))
        return replace(die, centre=die.centre + np.array([0, 0, bounce]))


def about(axis: Array, angle: float) -> Array:
    """Rotation about a unit vector (Rodrigues), radians."""
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross)
