"""Draws what is printed on or pressed into faces: pips, digits, letters, coins, keys, cards.

A face is the square −1..1 × −1..1. Every function returns (inks, reliefs), S × S × 4 each, as `scene.Art` wants them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from datasets.rendering.scene import Art, Colour, Image

Field: TypeAlias = npt.NDArray[np.floating[Any]]
Face: TypeAlias = tuple[Image, Image]
BLACK: Colour = (0.012, 0.012, 0.013)
QUINCUNX = ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0))


@dataclass(frozen=True)
class PipStyle:
    """How the maker of a die draws its pips. Lengths are in half edges of the die."""

    radius: float = 0.18
    spread: float = 0.5
    depth: float = 0.06  # 0: painted on
    drilled: bool = False  # flat bottom and steep sides
    ink: Colour = BLACK
    ink_of: dict[int, Colour] = field(default_factory=dict)  # a red 1, a red 4
    scale_of: dict[int, float] = field(default_factory=dict)  # a large 1
    spread_of: dict[int, float] = field(default_factory=dict)
    columns: float = 1.0  # of the 6, as a share of the spread; below 1 they stand close
    parallel: bool = False  # 2 and 3 parallel to an edge
    turned: tuple[bool, ...] = (False,) * 7  # by value: a quarter turn
    ring: float = 0.0  # inner radius of a ring, as a share; 0: filled
    dot: bool = False  # a dot within the ring
    cover: float = 1.0  # of the paint; 0: not painted
    wear: float = 0.0
    metal: float = 0.0
    shape: str = "round"
    jitter: float = 0.0
    logo: int = 0  # the value that a logo replaces
    plate: float = 0.0  # radius of a round inlay that the pips stand on
    plate_ink: Colour = BLACK
    line: float = 0.0  # inner radius of a line along its edge, as a share; 0: none
    line_ink: Colour = BLACK
    filled: bool = True  # or no more than that line


def grid(size: int) -> tuple[Field, Field]:
    """The coordinates of the middles of S × S cells, −1..1."""
    line = ((np.arange(size, dtype=np.float32) + 0.5) * (2 / size) - 1).astype(np.float32)
    x, y = np.meshgrid(line, line)
    return x, y


def layout(value: int, style: PipStyle) -> npt.NDArray[np.floating[Any]]:
    """Where the pips of a value stand: value × 2."""
    d = style.spread * style.spread_of.get(value, 1.0)
    if value in (2, 3):
        ends = np.array([(-d, 0.0), (d, 0.0)] if style.parallel else [(-d, -d), (d, d)])
        points = ends if value == 2 else np.vstack([ends, [(0.0, 0.0)]])
    elif value == 6:
        points = np.array([(x * d * style.columns, y * d) for x in (-1, 1) for y in (-1, 0, 1)])
    else:
        points = np.array({1: QUINCUNX[4:], 4: QUINCUNX[:4], 5: QUINCUNX}[value], float) * d
    return points[:, ::-1] * (-1, 1) if style.turned[value] else points


def encode(colour: Field | Colour, cover: Field, height: Field, cavity: Field, metal: float = 0.0) -> Face:
    """Packs colours (linear), how much of the body they cover, the height (half edges) and how open the sky is."""
    size = len(cover)
    inks = np.empty((size, size, 4), np.uint8)
    inks[..., :3] = np.sqrt(np.clip(colour, 0, 1)) * 255
    inks[..., 3] = np.clip(cover, 0, 1) * 255
    up, across = np.gradient(height, 2 / size)
    reliefs = np.empty((size, size, 4), np.uint8)
    reliefs[..., 0] = np.clip(across * (255 / 4) + 128.5, 0, 255)
    reliefs[..., 1] = np.clip(up * (255 / 4) + 128.5, 0, 255)
    reliefs[..., 2] = np.clip(cavity, 0, 1) * 255
    reliefs[..., 3] = np.clip(cover * metal, 0, 1) * 255
    return inks, reliefs


def pips(value: int, style: PipStyle, size: int, rng: np.random.Generator) -> Face:
    """A face of a die with `value` pips."""
    if value == style.logo:
        return logo(size, rng, style.ink, style.depth)
    x, y = grid(size)
    radius = style.radius * style.scale_of.get(value, 1.0)
    points = layout(value, style) + rng.normal(0, style.jitter + 1e-9, (value, 2))
    near = np.full((size, size), 9, np.float32)
    for px, py in points:
        np.minimum(near, distance(x - px, y - py, style.shape), out=near)
    edge = size / 2
    inside = np.clip((radius - near) * edge + 0.5, 0, 1)
    cover = inside
    if style.ring:
        cover = inside * np.clip((near - radius * style.ring) * edge + 0.5, 0, 1)
        if style.dot:
            cover = np.maximum(cover, np.clip((radius * style.ring * 0.45 - near) * edge + 0.5, 0, 1))
    if style.wear:
        cover = cover * np.clip(1.5 + 2 * speckle(size, 6, rng) - 3 * style.wear, 0, 1)
    share = np.clip(near / radius, 0, 1)
    slope = np.clip((1 - share) * 4, 0, 1) if style.drilled else 1 - share**2
    height = -style.depth * slope * (near < radius)
    cavity = 1 - inside * min(0.75, style.depth * 5) * (0.5 + 0.5 * slope)
    ink, cover = style.ink_of.get(value, style.ink), cover * style.cover
    if not style.plate:
        return encode(ink, cover, height, cavity, style.metal)
    far = np.hypot(x, y)
    plate = np.clip((style.plate - far) * edge + 0.5, 0, 1)
    line = plate * np.clip((far - style.plate * style.line) * edge + 0.5, 0, 1) if style.line else 0 * plate
    plate = plate if style.filled else line
    colour = np.asarray(style.plate_ink, np.float32) + line[..., None] * np.subtract(style.line_ink, style.plate_ink)
    colour = colour + cover[..., None] * (ink - colour)
    return encode(colour, np.maximum(plate, cover), height - 0.02 * plate, cavity, style.metal)


def distance(x: Field, y: Field, shape: str) -> Field:
    """Distance-like field of a pip around (0, 0); its level set at r is a pip of radius r."""
    if shape == "square":
        return np.maximum(np.abs(x), np.abs(y)) * 1.15
    if shape == "diamond":
        return (np.abs(x) + np.abs(y)) * 0.85
    far: Field = np.hypot(x, y)
    if shape == "star":
        far = far * (1.15 + 0.3 * np.cos(5 * np.arctan2(x, y)))
    elif shape == "flower":
        far = far * (1.0 + 0.2 * np.cos(6 * np.arctan2(x, y)))
    return far


def speckle(size: int, cells: int, rng: np.random.Generator) -> Field:
    """Smooth random blotches, about −1..1."""
    coarse = rng.normal(0, 0.5, (cells, cells)).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC), np.float32)


def stamp(mask: Field, ink: Colour, depth: float = 0.0, metal: float = 0.0) -> Face:
    """A face from a mask 0..1, its ink pressed in by `depth`."""
    height = -depth * cv2.GaussianBlur(mask, (0, 0), max(0.5, len(mask) / 90))
    return encode(ink, mask, np.asarray(height), 1 - mask * min(0.6, depth * 5), metal)


def writing(
    text: str, size: int, rng: np.random.Generator, ink: Colour, *, depth: float = 0.0, high: float = 0.8
) -> Face:
    """Digits or letters, `high` of the face's height, in one of the plain fonts."""
    big = max(size, 96)
    font = int(
        rng.choice(
            [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX]
        )
    )
    heavy = max(1, int(big * rng.uniform(0.02, 0.07)))
    (width, height), _ = cv2.getTextSize(text, font, 1.0, 1)
    scale = min(high * big / height, 0.85 * big / width)
    mask = np.zeros((big, big), np.uint8)
    # the texture's rows go up the face, pictures' rows go down: draw upright, then flip
    at = (int((big - width * scale) / 2), int((big + height * scale) / 2))
    cv2.putText(mask, text, at, font, scale, 255, heavy, cv2.LINE_AA)
    if text in ("6", "9", "66", "99"):
        cv2.line(mask, (int(big * 0.3), int(big * 0.95)), (int(big * 0.7), int(big * 0.95)), 255, heavy)
    small = cv2.resize(mask[::-1], (size, size), interpolation=cv2.INTER_AREA)
    return stamp(small.astype(np.float32) / 255, ink, depth)


def logo(size: int, rng: np.random.Generator, ink: Colour, depth: float = 0.0) -> Face:
    """A sign that is no number of pips: a cross, a heart, a crown, a star, a bolt, initials."""
    if rng.random() < 0.3:
        initials = "".join(rng.choice(list("ABCDEGHKMNRSTXYZ"), int(rng.integers(1, 4))))
        return writing(initials, size, rng, ink, depth=depth, high=0.6)
    x, y = grid(size)
    far, angle = np.hypot(x, y), np.arctan2(x, y)
    kind = int(rng.integers(6))
    shape = [
        np.minimum(np.maximum(np.abs(x) * 2.6, np.abs(y)), np.maximum(np.abs(x), np.abs(y) * 2.6)),
        np.hypot(x, y * 1.1 - 0.55 * np.sqrt(np.abs(x))),
        np.maximum(np.abs(x), np.abs(y - 0.25 * np.abs(((x * 2.2 + 9) % 1) - 0.5) * 2)) * 1.1,
        far * (1.1 + 0.4 * np.cos(int(rng.integers(3, 8)) * angle)),
        np.abs(x + 0.4 * np.sign(y) * (np.abs(y) > 0.15) * (0.6 - np.abs(y))) * 3 + np.abs(y) * 0.4,
        np.abs(far - 0.45) * 3 + 0.2 * np.abs(np.sin(angle * 1.5)),
    ][kind]
    return stamp(np.clip((0.6 - shape) * size / 2 + 0.5, 0, 1).astype(np.float32), ink, depth)


def blank(size: int) -> Face:
    """Nothing at all."""
    nothing = np.zeros((size, size), np.float32)
    return encode(BLACK, nothing, nothing, 1 + nothing)


def domino(values: tuple[int, int], style: PipStyle, size: int, rng: np.random.Generator) -> Face:
    """Two halves side by side with a bar between, to be stretched 2 : 1 over the stone."""
    halves = [pips(v, style, size, rng) if v else blank(size) for v in values]
    inks, reliefs = (np.hstack([a[k] for a in halves]) for k in (0, 1))
    inks[:, size - size // 24 - 1 : size + size // 24 + 1] = (*(int(np.sqrt(c) * 255) for c in style.ink), 255)
    inks, reliefs = (
        cv2.resize(a, (size, size), interpolation=cv2.INTER_AREA).astype(np.uint8) for a in (inks, reliefs)
    )
    return inks, reliefs


def coin(size: int, rng: np.random.Generator, ink: Colour) -> Face:
    """A coin: rim, a digit or a head, dots or letters along the rim, all in relief."""
    x, y = grid(size)
    far, angle = np.hypot(x, y), np.arctan2(x, y)
    height = 0.03 * np.clip(1 - np.abs(far - 0.93) * 20, 0, 1)
    beads = int(rng.integers(12, 48))
    height += 0.02 * (np.cos(angle * beads) > 0.2) * (np.abs(far - 0.78) < rng.uniform(0.03, 0.08))
    head = writing(str(rng.choice(list("12510R"))), size, rng, ink, high=rng.uniform(0.4, 0.9))[0][..., 3] / 255
    if rng.random() < 0.5:
        head = (np.hypot(x * 1.3, y) + 0.25 * speckle(size, 5, rng) < 0.5).astype(float)
    height = height + 0.03 * cv2.GaussianBlur(head.astype(np.float32), (0, 0), size / 60)
    tone = np.clip(
        1 + 0.25 * speckle(size, 8, rng) - 3 * np.abs(cv2.Laplacian(height.astype(np.float32), -1)), 0.2, 1.3
    )
    colour = np.asarray(ink, np.float32) * tone[..., None]
    return encode(colour, (far < 1.02).astype(np.float32), height.astype(np.float32), np.ones_like(far), 0.8)


def button(size: int, rng: np.random.Generator) -> Face:
    """A button's two or four holes and its rim: deep black dots that stand like the pips of a 2 or a 4."""
    style = PipStyle(radius=rng.uniform(0.09, 0.16), spread=rng.uniform(0.15, 0.3), depth=0.1, drilled=True)
    inks, reliefs = pips(int(rng.choice([2, 4])), style, size, rng)
    x, y = grid(size)
    rim = -0.05 * np.clip((0.75 - np.hypot(x, y)) * 8, 0, 1).astype(np.float32)
    dent = encode(BLACK, inks[..., 3] / np.float32(255), rim, np.ones_like(rim))[1]
    reliefs[..., :2] = np.clip(reliefs[..., :2].astype(int) + dent[..., :2] - 128, 0, 255)
    return inks, reliefs


def picture(image: Image) -> Face:
    """A printed picture (S × S × 3, red green blue as displayed) that covers the face, upright."""
    flat = np.ones(image.shape[:2], np.float32)
    linear = (image[::-1].astype(np.float32) / 255) ** 2.2
    return encode(linear, flat, 0 * flat, flat)


def art(faces: list[Face]) -> Art:
    """Six faces, in the order of `scene.FACES`; a shorter list is repeated."""
    six = [faces[k % len(faces)] for k in range(6)]
    return Art(np.stack([f[0] for f in six]), np.stack([f[1] for f in six]))


def only_top(face: Face) -> Art:
    """Art on face 4 (local up) and its underside, nothing on the sides."""
    none = blank(len(face[0]))
    return art([none, none, none, none, face, face])
