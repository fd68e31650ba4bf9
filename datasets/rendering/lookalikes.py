"""Decoys that look much like dice: cubes with digits or letters, blocks, polyhedra, dominoes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.rendering import faces, looks
from datasets.rendering.colours import Rng, any_colour, grey, ink_for
from datasets.rendering.poses import carry, resting
from datasets.rendering.scene import BOX, ICOSAHEDRON, OCTAHEDRON, Surface, Thing
from datasets.rendering.styles import pip_style


def solid(what: str, extent: tuple[float, float, float], surface: Surface, **more: object) -> Thing:
    """A thing at the origin, upright, resting on the table."""
    return resting(Thing(what, np.zeros(3), np.eye(3), extent, surface, **more))  # type: ignore[arg-type]


def stuff(rng: Rng) -> Surface:
    """Plastic, wood or metal of any colour."""
    metal = float(rng.random() < 0.12)
    return Surface(any_colour(rng), rough=rng.uniform(0.08, 0.8), metal=metal, scatter=rng.uniform(0, 0.6))


def numeral_die(rng: Rng, size: int) -> list[Thing]:
    """A six-sided die with digits."""
    _, look = looks.draw(rng)
    body = look.surface.body
    digits = list(rng.permutation(6) + 1) if rng.random() < 0.8 else list(rng.integers(1, 100, 6))
    art = faces.art(
        [
            faces.writing(str(d), size, rng, ink_for(body, rng), depth=rng.uniform(0, 0.06), high=rng.uniform(0.4, 0.8))
            for d in digits
        ]
    )
    half = 1 - look.rounding
    thing = Thing(
        "numeral die", np.zeros(3), np.eye(3), (half, half, half), look.surface, BOX, look.rounding, look.cut, art
    )
    return [resting(thing)]


def letter_cube(rng: Rng, size: int) -> list[Thing]:
    """A cube with letters or signs: word games, building blocks."""
    surface = replace(stuff(rng), metal=0.0)
    ink = ink_for(surface.body, rng)
    signs = [
        faces.writing(str(rng.choice(list("ABCDEFGHIKLMNOPRSTUVXYZ?!"))), size, rng, ink, high=rng.uniform(0.5, 0.8))
        if rng.random() < 0.6
        else faces.logo(size, rng, ink, 0.03)
        for _ in range(6)
    ]
    half = rng.uniform(0.8, 1.3)
    r = half * rng.uniform(0.04, 0.3)
    return [solid("letter cube", (half - r,) * 3, surface, rounding=r, art=faces.art(signs))]


def blank_cube(rng: Rng, size: int) -> list[Thing]:
    """A cube or block without any mark."""
    x, y, z = rng.uniform(0.5, 1.4, 3) if rng.random() < 0.5 else np.full(3, rng.uniform(0.6, 1.2))
    r = min(x, y, z) * rng.uniform(0.04, 0.4)
    surface = stuff(rng)
    if rng.random() < 0.2:
        surface = replace(surface, clear=rng.uniform(0.4, 0.95), metal=0.0)
    return [solid("block", (x - r, y - r, z - r), surface, rounding=r)]


def polyhedron(rng: Rng, size: int) -> list[Thing]:
    """An eight- or twenty-sided die with digits."""
    _, look = looks.draw(rng)
    ink = ink_for(look.surface.body, rng)
    most = 8 if rng.random() < 0.45 else 20
    art = faces.art(
        [
            faces.writing(str(int(rng.integers(1, most + 1))), size, rng, ink, high=rng.uniform(0.3, 0.5))
            for _ in range(6)
        ]
    )
    x = rng.uniform(0.55, 0.8) if most == 8 else rng.uniform(0.8, 1.2)
    kind, up = (OCTAHEDRON, np.ones(3)) if most == 8 else (ICOSAHEDRON, np.ones(3))
    thing = Thing(f"d{most}", np.zeros(3), carry(up), (x, x, x), look.surface, kind, 0.04, art=art)
    return [replace(thing, centre=np.array([0, 0, x + 0.04]))]


def domino(rng: Rng, size: int) -> list[Thing]:
    """A domino lying face up."""
    surface = Surface(
        grey(rng.uniform(0.6, 0.9), rng.random()) if rng.random() < 0.6 else grey(0.012), rough=rng.uniform(0.1, 0.5)
    )
    style = replace(pip_style(rng, ink_for(surface.body, rng)), logo=0)
    face = faces.domino((int(rng.integers(0, 7)), int(rng.integers(0, 7))), style, size, rng)
    half = rng.uniform(0.9, 1.4)
    return [
        solid(
            "domino",
            (2 * half - 0.1, half - 0.1, rng.uniform(0.15, 0.35)),
            surface,
            rounding=0.1,
            art=faces.only_top(face),
        )
    ]
