"""What table tops and prints are drawn from: noise that repeats, blends, colours of tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from datasets.rendering.colours import Rng, grey, hsv
from datasets.rendering.scene import Colour

Field: TypeAlias = npt.NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Top:
    """A table top: its texture (linear), the die edges that one repeat spans, roughness, reflectance and grain."""

    texture: Field
    edges: float
    rough: float = 0.5
    coat: float = 0.04
    grain: float = 0.0


def clouds(rng: Rng, size: int, low: int, high: int, persist: float = 0.5) -> Field:
    """Noise that repeats, cells from `low` to `high` across; mean 0, deviation 1."""
    total = np.zeros((size, size), np.float32)
    weight, cells = 1.0, low
    while cells <= min(high, size):
        grid = np.pad(rng.standard_normal((cells, cells)).astype(np.float32), 2, mode="wrap")
        step = size // cells
        wide = cv2.resize(grid, None, fx=step, fy=step, interpolation=cv2.INTER_CUBIC)
        # shifted, or the lattices of all octaves would show as one grid of dots
        octave = np.roll(wide[2 * step : 2 * step + size, 2 * step : 2 * step + size], rng.integers(0, size, 2), (0, 1))
        total += weight * octave
        weight, cells = weight * persist, cells * 2
    return (total - total.mean()) / (total.std() + 1e-6)  # type: ignore[no-any-return]


def blend(a: Colour, b: Colour, share: Field) -> Field:
    """a where share is 0, b where it is 1."""
    t = np.clip(share, 0, 1)[..., None]
    return np.asarray(a, np.float32) * (1 - t) + np.asarray(b, np.float32) * t


def shade(rng: Rng, colour: Colour, least: float = 0.4, most: float = 1.5) -> Colour:
    """A colour near another."""
    v = np.clip(np.array(colour) * rng.uniform(least, most) * np.exp(rng.normal(0, 0.1, 3)), 0.003, 0.95)
    return (float(v[0]), float(v[1]), float(v[2]))


def table_colour(rng: Rng) -> Colour:
    """Tables are grey, brown, white or black more often than coloured."""
    kind = rng.random()
    if kind < 0.3:
        return grey(rng.uniform(0.4, 0.9), rng.uniform(0, 0.6))
    if kind < 0.45:
        return grey(rng.uniform(0.008, 0.06))
    return hsv(rng.random(), rng.uniform(0, 1) ** 1.5, rng.uniform(0.03, 0.8))
