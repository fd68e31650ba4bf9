"""The example rolls that ship with the page: six rendered pictures of five or six dice on different tables."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2

from datasets.rendering.colours import grey
from datasets.rendering.faces import PipStyle
from datasets.rendering.looks import LEFT_HANDED, Look
from datasets.rendering.recipe import Recipe
from datasets.rendering.scene import Image, Surface
from datasets.synthesize import picture

RED = (0.62, 0.02, 0.02)
IVORY = Look(Surface(grey(0.85, 0.6), rough=0.25, scatter=0.8), PipStyle(depth=0.09), rounding=0.24)
RUBY = Look(Surface((0.85, 0.03, 0.05), rough=0.08, clear=0.85), PipStyle(ink=grey(0.9), depth=0.05), 0.12)
NAVY = Look(
    Surface((0.015, 0.05, 0.3), rough=0.15, coat=0.05), PipStyle(ink=grey(0.9), radius=0.17), 0.08, 1.38, LEFT_HANDED
)
FAR_EAST = Look(
    Surface(grey(0.9), rough=0.2, scatter=0.8),
    PipStyle(ink=(0.01, 0.03, 0.2), ink_of={1: RED, 4: RED}, scale_of={1: 1.8}, depth=0.1, spread=0.46),
    0.36,
)
GILDED = Look(Surface(grey(0.012), rough=0.2), PipStyle(ink=(0.85, 0.6, 0.2), metal=0.9, depth=0.05), 0.16)
BEECH = Look(
    Surface((0.62, 0.4, 0.2), second=(0.5, 0.3, 0.14), rough=0.6, pattern=(0.5, 0.5, 0.3), scatter=0.3),
    PipStyle(ink=(0.03, 0.015, 0.01), depth=0.06, radius=0.16),
    0.14,
)
CLEAN = Recipe(
    die=92.0, view=38.0, spread=0.8, touching=0.0, light="window", tint=0.1, noise=0.003, contrast=1.1, sharpen=0.3
)
ROLLS: tuple[tuple[Recipe, int], ...] = (
    (replace(CLEAN, looks=(IVORY,), top="wood", dice=5, tilt=22.0), 11),
    (replace(CLEAN, looks=(RUBY,), top="felt", dice=5, tilt=30.0), 5),
    (replace(CLEAN, looks=(NAVY,), top="stone", dice=5, tilt=12.0), 10),
    (replace(CLEAN, looks=(FAR_EAST,), top="weave", dice=6, tilt=25.0), 10),
    (replace(CLEAN, looks=(GILDED,), top="felt", dice=5, tilt=30.0), 7),
    (replace(CLEAN, looks=(BEECH,), top="wood", dice=6, tilt=38.0), 5),
)
"""What each roll shows, and a seed that was chosen by eye."""


def write(out: Path) -> None:
    """Writes roll-1.jpg … roll-6.jpg, 960 × 720, and examples.json: [{"file", "values" from left to right}]."""
    out.mkdir(parents=True, exist_ok=True)
    listed = []
    for number, (recipe, seed) in enumerate(ROLLS, 1):
        image, values = roll(recipe, seed)
        name = f"roll-{number}.jpg"
        cv2.imwrite(str(out / name), image, [cv2.IMWRITE_JPEG_QUALITY, 82])
        listed.append({"file": name, "values": values})
    lines = ",\n ".join(json.dumps(entry) for entry in listed)
    (out / "examples.json").write_text(f"[{lines}]\n", "utf-8")


def roll(recipe: Recipe, seed: int, samples: float = 9.0) -> tuple[Image, list[int]]:
    """One roll: the picture, 960 × 720, and the values of its dice from left to right."""
    image, labels = picture(seed, (960, 720), recipe=recipe, samples=samples)
    found = sorted(labels["annotations"], key=lambda die: die["bbox"][0])
    return image, [die["category_id"] for die in found]
