"""How makers vary the pips and the shape of a die."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.rendering.colours import Rng
from datasets.rendering.faces import PipStyle
from datasets.rendering.scene import Colour


def pip_style(rng: Rng, ink: Colour) -> PipStyle:
    """Pips as makers vary them."""
    radius = rng.uniform(0.12, 0.225)
    spread = rng.uniform(0.42, 0.56) if radius < 0.19 else rng.uniform(0.46, 0.55)
    # what the three pips of a column leave between them
    close = max(rng.uniform(0.6, 1.0), 1.08 * radius / spread) if rng.random() < 0.6 else 1.0
    tight = max(radius * 2.03 / spread, 0.0)
    style = PipStyle(
        radius=radius,
        spread=spread,
        ink=ink,
        depth=0.0 if rng.random() < 0.2 else rng.uniform(0.02, 0.14),
        drilled=rng.random() < 0.25,
        spread_of={
            2: rng.uniform(0.5, 1.02) if rng.random() < 0.4 else 1.0,
            4: rng.uniform(0.78, 1.0) if rng.random() < 0.35 else 1.0,
            6: max(rng.uniform(0.88, 1.12) if rng.random() < 0.5 else 1.0, tight),
        },
        scale_of={1: rng.uniform(1.25, 2.1)} if rng.random() < 0.2 else {},
        columns=close,
        parallel=rng.random() < 0.14,
        turned=tuple(bool(b) for b in rng.integers(0, 2, 7)),
        jitter=rng.uniform(0, 0.012),
        wear=rng.uniform(0.2, 0.8) if rng.random() < 0.06 else 0.0,
    )
    if rng.random() < 0.05:
        style = replace(style, ring=rng.uniform(0.45, 0.8), dot=rng.random() < 0.5, radius=radius * 1.1)
    if rng.random() < 0.03:
        style = replace(style, shape=str(rng.choice(["square", "diamond", "star", "flower"])))
    if rng.random() < 0.03:
        style = replace(style, logo=int(rng.choice([1, 6])))
    return style


def body_shape(rng: Rng, style: PipStyle) -> tuple[float, float]:
    """Corner radius, and the radius of the sphere that cuts the corners (99: none) without cutting the pips."""
    if rng.random() < 0.35:
        farthest = np.hypot(1, np.hypot(style.spread, style.spread) + 0.3 * style.radius)
        return rng.uniform(0.03, 0.12), max(rng.uniform(1.2, 1.42), farthest)
    return float(np.exp(rng.uniform(np.log(0.05), np.log(0.42)))), 99.0
