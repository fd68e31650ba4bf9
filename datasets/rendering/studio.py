"""The camera and the lamps of a scene."""

from __future__ import annotations

import numpy as np

from datasets.rendering.colours import Rng, grey, hsv
from datasets.rendering.recipe import Recipe
from datasets.rendering.scene import Array, Camera, Colour, Lamp


def place_camera(recipe: Recipe, rng: Rng, width: int, height: int, scale: float) -> Camera:
    """A camera that looks at the origin, tilted and rolled, from where a die is `recipe.die` pixels wide."""
    half = np.radians(recipe.view / 2)
    focal = max(width, height) / 2 * recipe.lens / np.tan(recipe.lens * half)
    far = max(2 * focal / (recipe.die * scale), 4.0)
    tilt, roll, around = np.radians(recipe.tilt), np.radians(recipe.roll), rng.uniform(0, 2 * np.pi)
    back = np.array([np.sin(tilt) * np.cos(around), np.sin(tilt) * np.sin(around), np.cos(tilt)])
    right = np.array([-np.sin(around), np.cos(around), 0.0])
    up = np.cross(back, right)
    right, up = np.cos(roll) * right + np.sin(roll) * up, np.cos(roll) * up - np.sin(roll) * right
    return Camera(np.array([0, 0, 0.8]) + back * far, np.stack([right, up, back], 1), focal, recipe.lens, width, height)


def light(recipe: Recipe, rng: Rng) -> tuple[tuple[Lamp, ...], Colour, Colour]:
    """Lamps, and what the room sends from above and from the sides."""
    ambient, strength, size, count = {
        "soft": (rng.uniform(0.35, 0.7), rng.uniform(0.3, 0.8), rng.uniform(0.4, 1.0), 1),
        "lamp": (rng.uniform(0.15, 0.45), rng.uniform(0.8, 1.4), rng.uniform(0.06, 0.3), 1),
        "sun": (rng.uniform(0.1, 0.4), rng.uniform(1.2, 2.2), rng.uniform(0.01, 0.03), 1),
        "two": (rng.uniform(0.15, 0.4), rng.uniform(0.4, 0.9), rng.uniform(0.04, 0.2), 2),
        "tent": (rng.uniform(0.6, 0.9), rng.uniform(0.1, 0.4), rng.uniform(0.4, 1.0), 1),
        "ring": (rng.uniform(0.15, 0.7), rng.uniform(0.3, 0.9), rng.uniform(0.03, 0.3), 1),
        "window": (rng.uniform(0.2, 0.5), rng.uniform(0.6, 1.2), rng.uniform(0.25, 0.6), 1),
    }[recipe.light]
    warmth = rng.normal(0, 1) * recipe.tint
    colour = np.array([1 + 0.3 * warmth, 1.0, 1 - 0.45 * warmth]).clip(0.15, 2)
    if recipe.tint > 0.7 and rng.random() < 0.4:
        colour = colour * (0.3 + 0.7 * np.array(hsv(rng.random(), rng.uniform(0.3, 0.9), 1.0)))
    lamps = []
    for _ in range(count):
        low = (0.3, 0.9) if recipe.light in ("window", "sun") else (0.6, 1.5)
        low = (1.2, np.pi / 2) if recipe.light == "ring" else low
        lamps.append(lamp_at(rng, low, colour * strength, size, True, recipe.light == "ring"))
    for _ in range(int(rng.integers(0, 4))):  # seen in glossy things only
        lamps.append(lamp_at(rng, (0.15, 1.5), colour * rng.uniform(0.05, 0.6), rng.uniform(0.1, 0.5), False))
    zenith = ambient * (0.6 + 0.4 * colour) * np.array(grey(1.0, rng.uniform(-0.5, 0.5)))
    horizon = zenith * (rng.uniform(0.9, 1.6) if recipe.light == "tent" else rng.uniform(0.35, 1.0))
    return tuple(lamps), tuple(zenith), tuple(horizon)


def lamp_at(
    rng: Rng, elevation: tuple[float, float], colour: Array, size: float, key: bool, ring: bool = False
) -> Lamp:
    """A lamp somewhere above; elevation in radians."""
    around, up, far = (
        rng.uniform(0, 2 * np.pi),
        rng.uniform(*elevation),
        float(np.exp(rng.uniform(np.log(25), np.log(150)))),
    )
    place = far * np.array([np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up)])
    red, green, blue = (float(c) for c in colour)
    return Lamp(place, (red, green, blue), size, key, ring)
