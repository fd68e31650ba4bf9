"""Printed and laid surfaces: dotted cloth, posters, pages, score sheets, tiles, keys."""

from __future__ import annotations

import cv2
import numpy as np

from datasets.rendering.colours import Rng, grey
from datasets.rendering.scene import Image
from datasets.rendering.textures import Field, Top, blend, clouds, shade, table_colour

WORDS = [
    "yatzy",
    "ettor",
    "tvåor",
    "treor",
    "fyror",
    "femmor",
    "sexor",
    "summa",
    "bonus",
    "ett",
    "par",
    "två",
    "par",
    "tretal",
    "fyrtal",
    "liten",
    "stege",
    "stor",
    "kåk",
    "chans",
    "total",
    "the",
    "dice",
    "are",
    "thrown",
    "and",
    "nobody",
    "looks",
    "away",
    "while",
    "the",
    "last",
    "one",
    "spins",
    "on",
    "its",
    "corner",
    "before",
    "it",
    "falls",
]


def bytes_of(image: Image) -> Field:
    """A picture as displayed, in linear light."""
    return (image.astype(np.float32) / 255) ** 2.2


def dots(rng: Rng, size: int) -> Top:
    """Printed cloth: dots in rows or quincunx, rings, flowers, stars, of about the size of pips or larger."""
    image = np.asarray(table_colour(rng), np.float32) * np.ones((size, size, 1), np.float32)
    across = int(rng.choice([8, 16, 32]))
    cell = size // across
    line = (np.arange(cell, dtype=np.float32) + 0.5) / cell * 2 - 1
    x, y = np.meshgrid(line, line)
    far, radius, sharp = np.hypot(x, y), rng.uniform(0.2, 0.7), cell / 2
    if rng.random() < 0.25:
        far = far * (1 + 0.3 * np.cos(int(rng.integers(4, 7)) * np.arctan2(y, x)))
    if rng.random() < 0.2:
        far = np.abs(far - radius * 0.7) + radius * 0.7
    one = np.clip((radius - far) * sharp + 0.5, 0, 1)
    none = np.zeros_like(one)
    tile = [[one, one], [one, one]] if rng.random() < 0.5 else [[one, none], [none, one]]
    mask = np.tile(np.block(tile), (across // 2, across // 2))[..., None]
    image = image * (1 - mask) + np.asarray(table_colour(rng), np.float32) * mask
    return Top(
        image * (1 + 0.08 * clouds(rng, size, 64, 256)[..., None]), across * rng.uniform(0.15, 0.9), 0.9, 0.02, 0.1
    )


def printed(rng: Rng, size: int) -> Top:
    """A poster or game board: gradients, circles, lines, polygons, words."""
    coarse = rng.uniform(0, 255, (*rng.integers(2, 6, 2), 3)).astype(np.float32)
    image = cv2.resize(coarse, (size, size), interpolation=cv2.INTER_CUBIC) * rng.uniform(0, 0.7) + rng.uniform(0, 120)
    canvas = np.clip(image, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(4, 60))):
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        p, q = (tuple(int(v) for v in rng.integers(0, size, 2)) for _ in range(2))
        kind = int(rng.integers(5))
        if kind == 0:
            cv2.circle(canvas, p, int(rng.integers(3, 45)), colour, -1 if rng.random() < 0.6 else 3, cv2.LINE_AA)
        elif kind == 1:
            cv2.line(canvas, p, q, colour, int(rng.integers(1, 7)), cv2.LINE_AA)
        elif kind == 2:
            cv2.rectangle(canvas, p, q, colour, -1 if rng.random() < 0.25 else 2)
        elif kind == 3:
            cv2.putText(
                canvas,
                str(rng.choice(WORDS)).upper(),
                p,
                int(rng.integers(0, 5)),
                rng.uniform(0.5, 2),
                colour,
                int(rng.integers(1, 4)),
                cv2.LINE_AA,
            )
        else:
            cv2.fillPoly(canvas, [rng.integers(0, size, (int(rng.integers(3, 7)), 2)).astype(np.int32)], colour)
    return Top(bytes_of(canvas), rng.uniform(8, 25), rng.uniform(0.2, 0.9), 0.03)


def text(rng: Rng, size: int) -> Top:
    """A printed page: lines of words, headings."""
    canvas = np.full((size, size, 3), int(rng.integers(200, 253)), np.uint8)
    ink = tuple(int(v) for v in rng.integers(0, 90, 3))
    scale, y = rng.uniform(0.35, 0.9), 10.0
    while y < size:
        heading = rng.random() < 0.06
        high = scale * (2.2 if heading else 1)
        line = " ".join(rng.choice(WORDS, 14))
        cv2.putText(
            canvas,
            line,
            (int(rng.choice([6, 6, 30])), int(y + 20 * high)),
            cv2.FONT_HERSHEY_COMPLEX_SMALL,
            high,
            ink,
            2 if heading else 1,
            cv2.LINE_AA,
        )
        y += 26 * high + (14 if rng.random() < 0.15 else 0)
    return Top(bytes_of(canvas), rng.uniform(6, 18), rng.uniform(0.4, 1), 0.03)


def score_sheet(rng: Rng, size: int) -> Top:
    """A printed table with words, figures and crosses."""
    canvas = np.full((size, size, 3), int(rng.integers(215, 253)), np.uint8)
    ink, pen = (tuple(int(v) for v in rng.integers(0, top, 3)) for top in (100, 160))
    rows, columns = int(rng.integers(10, 22)), int(rng.integers(3, 9))
    first = int(size * rng.uniform(0.2, 0.4))
    for r in range(rows + 1):
        y = int(r * (size - 1) / rows)
        cv2.line(canvas, (0, y), (size, y), ink, int(rng.choice([1, 1, 2])))
        cv2.putText(
            canvas,
            str(rng.choice(WORDS)).capitalize(),
            (5, y - 6),
            cv2.FONT_HERSHEY_SIMPLEX,
            8 / rows + 0.1,
            ink,
            1,
            cv2.LINE_AA,
        )
        for c in range(columns):
            if rng.random() < 0.5:
                x = int(first + (c + 0.3) * (size - first) / columns)
                cv2.putText(
                    canvas,
                    str(rng.choice(["-", "X", *map(str, range(1, 40))])),
                    (x, y - 5),
                    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
                    9 / rows + 0.1,
                    pen,
                    1,
                    cv2.LINE_AA,
                )
    for c in range(columns + 1):
        x = int(first + c * (size - 1 - first) / columns)
        cv2.line(canvas, (x, 0), (x, size), ink, 1)
    return Top(bytes_of(canvas), rng.uniform(9, 22), rng.uniform(0.5, 1), 0.03)


def tiles(rng: Rng, size: int) -> Top:
    """Chequered boards, tiles with joints, bricks, a grid of keys with letters."""
    across = int(rng.choice([4, 8, 16]))
    line = np.arange(size, dtype=np.float32) * across / size
    y, x = np.meshgrid(line, line, indexing="ij")
    kind = str(rng.choice(["chequered", "joints", "bricks", "keys"]))
    if kind == "bricks":
        x = (x * 0.5 + 0.5 * (np.floor(y) % 2)) % (across / 2)
    a, b = table_colour(rng), table_colour(rng)
    cells = rng.uniform(0.75, 1.2, (across, across))[np.floor(y).astype(int), np.floor(x).astype(int)]
    if kind == "chequered":
        texture = blend(a, b, ((np.floor(x) + np.floor(y)) % 2).astype(np.float32))
    else:
        gap = rng.uniform(0.02, 0.1) if kind != "keys" else rng.uniform(0.08, 0.16)
        texture = blend(a, shade(rng, a, 0.2, 0.6), ((x % 1 < gap) | (y % 1 < gap)).astype(np.float32))
        texture = texture * (cells[..., None] if kind != "keys" else 1)
    if kind == "keys":
        canvas = np.zeros((size, size), np.uint8)
        for k in range(across * across):
            at = (int((k % across + 0.4) * size / across), int((k // across + 0.65) * size / across))
            cv2.putText(
                canvas,
                str(rng.choice(list("QWERTYUIOPASDFGHJKLZXCVBNM0123456789+-.,:"))),
                at,
                cv2.FONT_HERSHEY_SIMPLEX,
                8 / across,
                255,
                max(1, 12 // across),
                cv2.LINE_AA,
            )
        light = grey(0.8) if np.mean(a) < 0.3 else grey(0.02)
        texture = texture + (np.asarray(light, np.float32) - texture) * (canvas / np.float32(255))[..., None]
    texture = texture * (1 + rng.uniform(0, 0.12) * clouds(rng, size, 8, 256)[..., None])
    return Top(
        np.clip(texture, 0.002, 1).astype(np.float32), across * rng.uniform(0.6, 2.2), rng.uniform(0.15, 0.9), 0.04
    )
