"""Colours of dice and inks, in linear light."""

from __future__ import annotations

import colorsys
from typing import TypeAlias

import numpy as np

from datasets.rendering.scene import Colour

Rng: TypeAlias = np.random.Generator


def hsv(hue: float, saturation: float, value: float) -> Colour:
    """A colour in linear light."""
    r, g, b = colorsys.hsv_to_rgb(hue % 1, float(np.clip(saturation, 0, 1)), float(np.clip(value, 0, 1)))
    return (r, g, b)


def grey(value: float, warmth: float = 0.0) -> Colour:
    """A grey, warmer (yellower) as warmth grows from 0 to 1."""
    return (value, value * (1 - 0.06 * warmth), value * (1 - 0.25 * warmth))


def brightness(colour: Colour) -> float:
    """How bright a linear colour looks, 0..1 (Rec. 709 weights, then a gamma)."""
    return float(np.dot(colour, (0.2126, 0.7152, 0.0722)) ** 0.45)


def distance(a: Colour, b: Colour) -> float:
    """How far apart two linear colours look: the largest difference of a channel after a gamma, 0..1."""
    return float(np.abs(np.power(a, 0.45) - np.power(b, 0.45)).max())


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """a where share is 0, b where it is 1."""
    r, g, b_ = (float(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return (r, g, b_)


def any_colour(rng: Rng) -> Colour:
    """A colour a die is sold in."""
    kind = rng.random()
    if kind < 0.3:
        return grey(rng.uniform(0.5, 0.9), rng.uniform(0, 1) ** 2)
    if kind < 0.42:
        return grey(rng.uniform(0.006, 0.04))
    if kind < 0.58:
        return hsv(rng.normal(0, 0.02), rng.uniform(0.75, 1), rng.uniform(0.2, 0.75))
    return hsv(rng.random(), rng.uniform(0.4, 1), rng.uniform(0.05, 0.85))


def any_ink(rng: Rng) -> Colour:
    """A colour pips are painted in: white or black for the most part, gold, or a strong colour."""
    kind = rng.random()
    if kind < 0.45:
        return grey(rng.uniform(0.65, 0.95))
    if kind < 0.85:
        return grey(rng.uniform(0.004, 0.04))
    if kind < 0.9:
        return (0.7, 0.45, 0.1)
    return hsv(rng.random(), rng.uniform(0.6, 1), rng.uniform(0.05, 0.9))


def ink_for(body: Colour, rng: Rng, least: float = 0.28) -> Colour:
    """A pip colour that stands out from the body by at least `least` of the range of brightness."""
    for _ in range(40):
        colour = any_ink(rng)
        if abs(brightness(colour) - brightness(body)) > least:
            return colour
    return grey(0.9) if brightness(body) < 0.5 else grey(0.01)
