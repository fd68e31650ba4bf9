"""Things that are not dice to be read: each drawer returns solids that rest on the table around the origin."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np

from datasets.rendering import faces, tables
from datasets.rendering.colours import Rng, any_colour, grey, ink_for
from datasets.rendering.lookalikes import blank_cube, domino, letter_cube, numeral_die, polyhedron, solid, stuff
from datasets.rendering.poses import carry, turn_z
from datasets.rendering.scene import CYLINDER, HOLLOW, Array, Surface, Thing


def coin(rng: Rng, size: int) -> list[Thing]:
    """A coin."""
    metal = [(0.7, 0.68, 0.65), (0.75, 0.55, 0.2), (0.55, 0.28, 0.15)][int(rng.integers(3))]
    surface = Surface(metal, rough=rng.uniform(0.2, 0.5), metal=0.8)
    r = rng.uniform(0.9, 1.7)
    return [
        solid(
            "coin",
            (r, r, 0.06),
            surface,
            kind=CYLINDER,
            rounding=0.03,
            art=faces.only_top(faces.coin(size, rng, metal)),
        )
    ]


def button(rng: Rng, size: int) -> list[Thing]:
    """A button with two or four holes."""
    r = rng.uniform(0.6, 1.3)
    surface = replace(stuff(rng), metal=0.0)
    return [
        solid("button", (r, r, 0.1), surface, kind=CYLINDER, rounding=0.08, art=faces.only_top(faces.button(size, rng)))
    ]


def token(rng: Rng, size: int) -> list[Thing]:
    """A poker chip or game token with a sign."""
    surface, r = stuff(rng), rng.uniform(0.8, 1.8)
    ink = ink_for(surface.body, rng)
    face = (
        faces.logo(size, rng, ink, 0.02)
        if rng.random() < 0.5
        else faces.writing(str(int(rng.choice([1, 2, 5, 6, 8, 9, 10, 25, 50, 100]))), size, rng, ink, high=0.5)
    )
    return [
        solid("token", (r, r, rng.uniform(0.1, 0.25)), surface, kind=CYLINDER, rounding=0.06, art=faces.only_top(face))
    ]


def marble(rng: Rng, size: int) -> list[Thing]:
    """A glass or wooden ball."""
    r = rng.uniform(0.4, 1.2)
    surface = replace(
        stuff(rng),
        clear=rng.uniform(0.3, 0.9) * float(rng.random() < 0.4),
        second=any_colour(rng),
        pattern=(0.3, rng.uniform(0.3, 0.9), 0.1),
    )
    return [solid("marble", (0, 0, 0), surface, rounding=r)]


def sweet(rng: Rng, size: int) -> list[Thing]:
    """A chocolate, sugar lump or nut, bare or wrapped in creased foil."""
    half = rng.uniform(0.5, 1.3, 3)
    rounding = float(half.min()) * rng.uniform(0.3, 0.95)
    foil = rng.random() < 0.5
    surface = replace(
        stuff(rng),
        second=any_colour(rng),
        pattern=(rng.uniform(0.1, 0.5), rng.uniform(0.4, 0.8), rng.uniform(0.05, 0.4)),
        rough=rng.uniform(0.05, 0.3) if foil else rng.uniform(0.2, 0.8),
        metal=rng.uniform(0.3, 1.0) if foil else 0.0,
        glitter=rng.uniform(0.3, 1.2) if foil and rng.random() < 0.5 else 0.0,
    )
    x, y, z = (float(v) - rounding for v in half)
    return [solid("sweet", (x, y, z), surface, rounding=rounding)]


def pen(rng: Rng, size: int) -> list[Thing]:
    """A pen or pencil lying down, with its tip."""
    r, half = rng.uniform(0.3, 0.5), rng.uniform(5, 9)
    lying = carry(np.array([0.0, 1.0, 0.0]))
    parts = []
    for at, length, thick in ((0.0, half, r), (half + 0.7, 0.7, r * 0.6), (-half - 0.5, 0.5, r * 1.05)):
        thing = Thing("pen", np.array([0, at, 0.0]), lying, (thick, thick, length), stuff(rng), CYLINDER, 0.03)
        parts.append(replace(thing, centre=np.array([0, at, r + 0.03])))
    return parts


def cup(rng: Rng, size: int) -> list[Thing]:
    """A dice cup, mug or glass standing upright."""
    r, half = rng.uniform(2.2, 4.5), rng.uniform(1.5, 4.5)
    return [solid("cup", (r, r * rng.uniform(0.06, 0.14), half), stuff(rng), kind=HOLLOW, rounding=0.03)]


def lego(rng: Rng, size: int) -> list[Thing]:
    """A studded brick: rows of round studs, up or, lying on its side, outwards."""
    surface = replace(stuff(rng), metal=0.0, rough=0.2)
    wide, long = int(rng.integers(1, 3)), int(rng.integers(1, 5))
    pitch, high = rng.uniform(0.7, 1.1), rng.uniform(0.3, 0.7)
    parts = [solid("brick", (pitch * wide / 2 - 0.03, pitch * long / 2 - 0.03, high), surface, rounding=0.03)]
    for x in range(wide):
        for y in range(long):
            stud = solid("brick", (pitch * 0.3, pitch * 0.3, 0.12), surface, kind=CYLINDER, rounding=0.02)
            at = ((x - (wide - 1) / 2) * pitch, (y - (long - 1) / 2) * pitch, parts[0].lift * 2 + 0.1)
            parts.append(replace(stud, centre=np.array(at)))
    if rng.random() < 0.35:
        side = carry(np.array([1.0, 0.0, 0.0]))
        up = np.array([0, 0, pitch * wide / 2])
        return [replace(p, centre=side @ (p.centre - [0, 0, parts[0].lift]) + up, rotation=side) for p in parts]
    return parts


def keyboard(rng: Rng, size: int) -> list[Thing]:
    """A few rows of keys with letters on a plate."""
    body = grey(rng.choice([rng.uniform(0.01, 0.05), rng.uniform(0.6, 0.9)]))
    surface, ink = Surface(body, rough=rng.uniform(0.3, 0.7)), ink_for(body, rng)
    half, columns, rows = rng.uniform(0.7, 1.1), int(rng.integers(3, 6)), int(rng.integers(2, 4))
    pitch = half * rng.uniform(2.1, 2.4)
    plate = solid("keyboard", (columns * pitch / 2 + 0.2, rows * pitch / 2 + 0.2, 0.2), Surface(any_colour(rng)))
    letters = rng.choice(list("QWERTYUIOPASDFGHJKLZXCVBNM1234567890.,:;-+"), 6)
    arts = [faces.only_top(faces.writing(str(t), size, rng, ink, high=rng.uniform(0.25, 0.6))) for t in letters]
    parts = [plate]
    for k in range(columns * rows):
        at = ((k % columns - (columns - 1) / 2) * pitch, (k // columns - (rows - 1) / 2) * pitch, 0.75)
        key = Thing(
            "keyboard",
            np.array(at),
            np.eye(3),
            (half - 0.15, half - 0.15, 0.15),
            surface,
            rounding=0.15,
            art=arts[int(rng.integers(len(arts)))],
        )
        parts.append(key)
    return parts


def card(rng: Rng, size: int) -> list[Thing]:
    """A playing card, photograph or score sheet lying flat, printed."""
    name = str(rng.choice(["printed", "text", "score_sheet", "dots", "tiles"]))
    sheet = tables.TOPS[name][1](rng, 256).texture
    image = (np.clip(sheet, 0, 1) ** (1 / 2.2) * 255).astype(np.uint8)
    wide = rng.uniform(2.5, 6)
    small = cv2.resize(image, (size, size), interpolation=cv2.INTER_AREA).astype(np.uint8)
    return [
        solid(
            "card",
            (wide, wide * rng.uniform(0.6, 1.4), 0.01),
            Surface(grey(0.8), rough=rng.uniform(0.2, 0.9)),
            rounding=0.02,
            art=faces.only_top(faces.picture(small)),
        )
    ]


def pawn(rng: Rng, size: int) -> list[Thing]:
    """A game piece: foot, body, head."""
    surface = stuff(rng)
    foot = solid("pawn", (0.6, 0.6, 0.12), surface, kind=CYLINDER, rounding=0.08)
    body = replace(solid("pawn", (0.28, 0.28, 0.6), surface, kind=CYLINDER, rounding=0.1), centre=np.array([0, 0, 1.0]))
    head = replace(solid("pawn", (0, 0, 0), surface, rounding=0.45), centre=np.array([0, 0, 1.95]))
    return [foot, body, head]


def ring(rng: Rng, size: int) -> list[Thing]:
    """A ring, washer or tape roll."""
    r = rng.uniform(0.6, 2)
    return [
        solid("ring", (r, r * rng.uniform(0.1, 0.4), rng.uniform(0.1, 0.6)), stuff(rng), kind=HOLLOW, rounding=0.03)
    ]


def rod(what: str, start: Array, end: Array, radius: float, surface: Surface) -> Thing:
    """A round-ended rod between two points."""
    half = float(np.linalg.norm(end - start)) / 2
    turn = carry((end - start) / (2 * half)).T
    return Thing(what, (start + end) / 2, turn, (0.0, 0.0, half), surface, rounding=radius)


def chain(what: str, points: list[Array], radius: float, surface: Surface) -> list[Thing]:
    """Rods from point to point."""
    return [rod(what, a, b, radius, surface) for a, b in itertools.pairwise(points)]


def cable(rng: Rng, size: int) -> list[Thing]:
    """A cable, lying in bends."""
    r, step = rng.uniform(0.15, 0.4), rng.uniform(1.5, 3)
    surface = Surface(grey(rng.choice([0.01, 0.8])), rough=rng.uniform(0.2, 0.6))
    heading, points = 0.0, [np.array([-5 * step, 0.0, r])]
    for _ in range(10):
        heading += rng.normal(0, 0.35)
        points.append(points[-1] + step * np.array([np.cos(heading), np.sin(heading), 0]))
    return chain("cable", points, r, surface)


def hand(rng: Rng, size: int) -> list[Thing]:
    """A hand that comes in over the table, fingers bent or stretched, with its forearm."""
    tone = rng.uniform(0.15, 1.0)
    skin = Surface((0.75 * tone, 0.46 * tone + 0.02, 0.34 * tone), rough=rng.uniform(0.4, 0.7), scatter=0.9)
    high, bend = rng.uniform(1.2, 4.0), rng.uniform(0.1, 0.9)
    turned = carry(np.array([0.0, 0.0, 1.0]))
    parts = [Thing("hand", np.array([0, 0, high]), turned, (2.2, 2.4, 0.3), skin, rounding=1.0)]
    parts.append(rod("hand", np.array([-2.0, 0, high]), np.array([-14.0, rng.normal(0, 2), high + 2]), 2.2, skin))
    for k, length in enumerate((3.4, 4.0, 3.7, 2.9)):
        root = np.array([2.6, (k - 1.5) * 1.7, high])
        middle = root + length * 0.6 * np.array([1.0, 0.15 * (k - 1.5), -0.4 * bend])
        tip = middle + length * 0.5 * np.array([1 - bend, 0.1 * (k - 1.5), -bend])
        parts += chain("hand", [root, middle, np.array([tip[0], tip[1], max(tip[2], 0.8)])], 0.78, skin)
    thumb = np.array([2.0, -4.4, max(high - 1.5, 0.9)])
    return [
        *parts,
        *chain("hand", [np.array([-1.0, -2.4, high]), np.array([0.8, -4.0, high - 0.3]), thumb], 0.85, skin),
    ]


DECOYS: dict[str, tuple[float, Callable[[Rng, int], list[Thing]]]] = {
    "numeral_die": (0.13, numeral_die),
    "letter_cube": (0.09, letter_cube),
    "blank_cube": (0.09, blank_cube),
    "polyhedron": (0.1, polyhedron),
    "domino": (0.1, domino),
    "coin": (0.09, coin),
    "button": (0.06, button),
    "token": (0.07, token),
    "marble": (0.05, marble),
    "sweet": (0.06, sweet),
    "pen": (0.06, pen),
    "cup": (0.03, cup),
    "lego": (0.12, lego),
    "keyboard": (0.05, keyboard),
    "card": (0.06, card),
    "pawn": (0.05, pawn),
    "ring": (0.03, ring),
    "cable": (0.04, cable),
    "hand": (0.02, hand),
}


def draw(rng: Rng, size: int, name: str = "") -> list[Thing]:
    """A decoy by name, or one of any kind, turned by any angle about the vertical."""
    if not name:
        weights = np.array([weight for weight, _ in DECOYS.values()])
        name = str(rng.choice(list(DECOYS), p=weights / weights.sum()))
    turn = turn_z(rng.uniform(0, 2 * np.pi))
    seed = rng.uniform(0, 50)
    return [
        replace(t, centre=turn @ t.centre, rotation=turn @ t.rotation, seed=seed) for t in DECOYS[name][1](rng, size)
    ]
