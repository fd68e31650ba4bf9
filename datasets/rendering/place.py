"""Free places on the table for things that must not run into each other."""

from __future__ import annotations

import numpy as np

from datasets.rendering.colours import Rng
from datasets.rendering.recipe import Recipe
from datasets.rendering.scene import CYLINDER, HOLLOW, Array, Camera, Thing


class Placer:
    """Finds free places on the table; remembers what it gave away, as turned squares."""

    def __init__(self, camera: Camera, rng: Rng, recipe: Recipe, tray: tuple[float, float] | None) -> None:
        self.camera, self.rng, self.recipe, self.tray = camera, rng, recipe, tray
        self.taken: list[tuple[float, float, float, float]] = []  # x, y, half edge, angle
        inside = (1 - recipe.spread) / 2
        shift = rng.uniform(-inside, inside, 2)
        self.low, self.high = 0.5 - recipe.spread / 2 + shift, 0.5 + recipe.spread / 2 + shift

    def find(self, half: float, beside: bool = False) -> tuple[float, float, float] | None:
        """A free place (x, y, angle) for a square of this half edge, against another if wished; None without one."""
        for k in range(60):  # ever nearer the middle
            angle = self.rng.uniform(0, 2 * np.pi)
            if beside and self.taken:
                x0, y0, other, turned = self.taken[int(self.rng.integers(len(self.taken)))]
                if self.rng.random() < 0.6:
                    angle = turned
                way = turned + self.rng.integers(4) * np.pi / 2
                along = half * (abs(np.cos(way - angle)) + abs(np.sin(way - angle))) + other + 0.03
                slide = self.rng.uniform(-1, 1) * half
                x = x0 + along * np.cos(way) - slide * np.sin(way)
                y = y0 + along * np.sin(way) + slide * np.cos(way)
            else:
                at = (0.5 + (self.rng.uniform(self.low, self.high) - 0.5) * (1 - 0.012 * k)) * (
                    self.camera.width,
                    self.camera.height,
                )
                x, y = self.camera.reach(at[None], half)[0, :2]
            if self.allowed(x, y, half) and not any(overlap((x, y, half, angle), t) for t in self.taken):
                self.taken.append((x, y, half, angle))
                return x, y, angle
        return None

    def find_for(self, parts: list[Thing]) -> Array | None:
        """Where to move a decoy's parts (x, y, 0) so that it is in the picture and on nothing else; None without room.

        A hand may be anywhere: it hovers, and may hold or hide dice.
        """
        marks = np.array([square for part in parts for square in footprint(part)])
        for _ in range(40):
            at = self.rng.uniform(0, 1, 2) * (self.camera.width, self.camera.height)
            move = np.array([*self.camera.reach(at[None], 0.5)[0, :2], 0.0])
            moved = [(x + move[0], y + move[1], half, angle) for x, y, half, angle in marks]
            if parts[0].what == "hand":
                return move
            near = np.array([[*move[:2], 2 * parts[0].lift]])
            facing = (self.camera.eye - near) @ self.camera.view[:, 2] > parts[0].reach
            if facing[0] and not any(overlap(m, t) for m in moved for t in self.taken):
                self.taken += moved
                return move
        return None

    def allowed(self, x: float, y: float, half: float) -> bool:
        """Whether a die there would be in the tray and in the picture (its edge may cut it only if wished)."""
        if self.tray is not None:
            a, b = abs(x) / max(self.tray[0] - 1.45 * half, 0.1), abs(y) / max(self.tray[1] - 1.45 * half, 0.1)
            inside = {
                "box": max(a, b) < 1,
                "hexagon": max(a * 0.866 + b * 0.5, b) * 1.05 < 0.98,
                "bowl": np.hypot(a, b) < 1,
            }
            if not inside[self.recipe.tray or "box"]:
                return False
        corners = np.array(
            [[x + i * half, y + j * half, z] for i in (-1.2, 1.2) for j in (-1.2, 1.2) for z in (0, 2 * half)]
        )
        if np.min((self.camera.eye - corners) @ self.camera.view[:, 2]) < 1.5 * half:
            return False
        at = self.camera.project(corners) / (self.camera.width, self.camera.height)
        if self.recipe.cut_off:
            middle = at.mean(0)
            return bool(np.all(middle > 0) and np.all(middle < 1))
        return bool(at.min() > 0.005 and at.max() < 0.995)


def footprint(thing: Thing) -> list[tuple[float, float, float, float]]:
    """Turned squares (x, y, half edge, angle) that cover what a thing covers on the table, in a row along it."""
    x, y, z = thing.extent
    half = np.array([x, x if thing.kind in (CYLINDER, HOLLOW) else y, z]) + thing.rounding
    flat = thing.rotation[:2] * half
    order = np.argsort(np.hypot(*flat))
    long, wide = flat[:, order[2]], max(float(np.hypot(*flat[:, order[1]])), 0.2)
    length = float(np.hypot(*long))
    steps = np.linspace(-1, 1, max(1, int(np.ceil(length / wide)))) * max(0.0, 1 - wide / max(length, 1e-9))
    angle = float(np.arctan2(long[1], long[0]))
    return [(*(thing.centre[:2] + long * s), wide, angle) for s in steps]


def overlap(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    """Whether two turned squares (x, y, half edge, angle) overlap: the separating axis theorem."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    for own, other, turned, half in ((a, b, a[3], a[2]), (b, a, b[3], b[2])):
        delta = other[3] - own[3]
        reach = half + other[2] * (abs(np.cos(delta)) + abs(np.sin(delta)))
        c, s = np.cos(turned), np.sin(turned)
        if abs(dx * c + dy * s) >= reach or abs(dy * c - dx * s) >= reach:
            return False
    return True
