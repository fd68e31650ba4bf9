"""What dice are thrown on: named table tops and mats, drawn as textures that repeat.

A texture is S × S × 3, linear light. Each drawer returns a `Top`.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from datasets.rendering.colours import Rng, grey, hsv
from datasets.rendering.prints import dots, printed, score_sheet, text, tiles
from datasets.rendering.scene import Colour
from datasets.rendering.textures import Top, blend, clouds, shade, table_colour


def plain(rng: Rng, size: int) -> Top:
    """One colour, hardly a mark."""
    tone = 1 + rng.uniform(0, 0.06) * clouds(rng, size, 4, size, 0.8)
    texture = np.asarray(table_colour(rng), np.float32) * tone[..., None]
    return Top(texture, rng.uniform(10, 30), rng.uniform(0.2, 0.9), rng.uniform(0.02, 0.05), rng.uniform(0, 0.1))


def dark(rng: Rng, size: int) -> Top:
    """Nearly black: leatherette, a lacquered table."""
    texture = np.asarray(grey(rng.uniform(0.006, 0.03))) * (1 + 0.25 * clouds(rng, size, 32, 256, 0.9)[..., None])
    return Top(texture.astype(np.float32), rng.uniform(6, 20), rng.uniform(0.15, 0.7), 0.04, rng.uniform(0, 0.35))


def bright(rng: Rng, size: int) -> Top:
    """White: paper, a painted tray, a light box."""
    texture = np.asarray(grey(rng.uniform(0.7, 0.93), rng.uniform(0, 0.3))) * (
        1 + 0.02 * clouds(rng, size, 4, 128)[..., None]
    )
    return Top(texture.astype(np.float32), rng.uniform(10, 30), rng.uniform(0.3, 1), 0.03, rng.uniform(0, 0.08))


def wood(rng: Rng, size: int) -> Top:
    """Rings stretched to long grain, fibres, pores, sometimes planks."""
    tone = rng.uniform(0.12, 1.5)
    green, blue = rng.uniform(0.52, 0.7), rng.uniform(0.2, 0.42)
    first: Colour = (min(0.5 * tone, 0.9), min(0.5 * green * tone, 0.85), min(0.5 * blue * tone, 0.8))
    line = np.linspace(0, 1, size, endpoint=False, dtype=np.float32)
    y = np.broadcast_to(line[:, None], (size, size))
    long = int(size * rng.uniform(0.03, 0.2))
    fibres = cv2.blur(np.pad(clouds(rng, size, 64, size, 0.9), ((0, 0), (long, long)), mode="wrap"), (long, 1))
    fibres = fibres[:, long:-long]
    rings = np.sin(2 * np.pi * (y * rng.integers(2, 12) + clouds(rng, size, 2, 8) * rng.uniform(0.05, 0.35)))
    share = (0.5 + 0.5 * rings) * rng.uniform(0.1, 0.7) + fibres / (fibres.std() + 1e-6) * rng.uniform(0.08, 0.3)
    pores = np.clip(fibres / (fibres.std() + 1e-6) - rng.uniform(1, 2.5), 0, 1) * rng.uniform(0, 0.8)
    texture = blend(first, shade(rng, first, 0.4, 0.85), share) * (1 - 0.6 * pores[..., None])
    if rng.random() < 0.35:
        planks = int(rng.choice([2, 3, 4, 6]))
        texture = texture * rng.uniform(0.75, 1.2, planks)[(y * planks).astype(int), None]
        texture *= np.where((y * planks) % 1 < 0.006 * planks, 0.3, 1)[..., None]
    return Top(texture.astype(np.float32), rng.uniform(8, 24), rng.uniform(0.12, 0.8), 0.04, rng.uniform(0, 0.1))


def felt(rng: Rng, size: int) -> Top:
    """The cloth of dice trays: fine fuzz, strong colours."""
    colour = hsv(
        float(rng.choice([0.33, 0.4, 0.6, 0.0, 0.08, rng.random()])), rng.uniform(0.3, 1), rng.uniform(0.02, 0.4)
    )
    fuzz = 1 + rng.uniform(0.05, 0.3) * clouds(rng, size, 64, size, 1.0) + 0.08 * clouds(rng, size, 4, 8)
    return Top(
        np.asarray(colour, np.float32) * np.clip(fuzz, 0.1, 2)[..., None],
        rng.uniform(5, 14),
        1.0,
        0.0,
        rng.uniform(0.05, 0.4),
    )


def carpet(rng: Rng, size: int) -> Top:
    """Tufts of several colours."""
    a = table_colour(rng)
    b = table_colour(rng) if rng.random() < 0.3 else shade(rng, a, 0.4, 1.4)
    texture = blend(a, b, 0.5 + 0.5 * clouds(rng, size, 32, 128, 1.0)) * (
        1 + 0.3 * clouds(rng, size, 64, 256)[..., None]
    )
    return Top(np.clip(texture, 0.002, 1), rng.uniform(5, 16), 1.0, 0.0, rng.uniform(0.1, 0.5))


def weave(rng: Rng, size: int) -> Top:
    """Threads over and under, plain or striped."""
    threads = int(rng.choice([32, 64, 128]))
    line = np.arange(size, dtype=np.float32) * threads / size
    y, x = np.meshgrid(line, line, indexing="ij")
    over = (np.floor(x) + np.floor(y)) % 2
    bump = np.where(over > 0, np.abs(np.sin(np.pi * x)), np.abs(np.sin(np.pi * y)))
    a = table_colour(rng)
    texture = blend(shade(rng, a, 0.5, 0.9), a, bump) * (1 + 0.1 * clouds(rng, size, 16, 256)[..., None])
    if rng.random() < 0.4:
        stripes = np.clip(np.sin(2 * np.pi * line / threads * rng.integers(2, 9)) * 4, 0, 1)
        share = np.maximum(stripes[:, None], stripes[None] * float(rng.random() < 0.6)) * 0.7
        texture = texture * (1 - share[..., None]) + np.asarray(table_colour(rng)) * share[..., None]
    return Top(texture.astype(np.float32), rng.uniform(5, 16), 1.0, 0.0, rng.uniform(0, 0.3))


def stone(rng: Rng, size: int) -> Top:
    """Marble with veins, or granite with grains."""
    a = table_colour(rng)
    if rng.random() < 0.5:
        veins = np.clip(1 - np.abs(clouds(rng, size, 2, 128, 0.6)) * rng.uniform(1.5, 5), 0, 1)
        texture = blend(a, shade(rng, a, 0.3, 1.6), veins * rng.uniform(0.3, 0.9))
    else:
        b = table_colour(rng) if rng.random() < 0.3 else shade(rng, a, 0.4, 1.5)
        texture = blend(a, b, np.clip(clouds(rng, size, 64, 256, 0.9) - rng.uniform(0, 1), 0, 1) * rng.uniform(0.3, 1))
    return Top(texture.astype(np.float32), rng.uniform(10, 30), rng.uniform(0.08, 0.5), 0.04)


TOPS: dict[str, tuple[float, Callable[[Rng, int], Top]]] = {
    "plain": (0.17, plain),
    "dark": (0.09, dark),
    "bright": (0.09, bright),
    "wood": (0.19, wood),
    "felt": (0.1, felt),
    "carpet": (0.05, carpet),
    "weave": (0.07, weave),
    "stone": (0.06, stone),
    "dots": (0.04, dots),
    "printed": (0.05, printed),
    "text": (0.03, text),
    "score_sheet": (0.03, score_sheet),
    "tiles": (0.05, tiles),
}


def draw(rng: Rng, size: int, name: str = "") -> tuple[str, Top]:
    """A table top by name, or one of any kind."""
    if not name:
        weights = np.array([weight for weight, _ in TOPS.values()])
        name = str(rng.choice(list(TOPS), p=weights / weights.sum()))
    return name, TOPS[name][1](rng, size)
