"""Contact sheets: pictures that were read wrongly, with what was found and what is there, for a person to look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import evaluate
from datasets.evaluate import Verdict
from datasets.seen import Seen
from recognizer.model import ClassifierSettings
from recognizer.pictures import load
from recognizer.reader import Image

Floats = NDArray[np.floating]
SIDE = 360  # of a tile in pixels
TRUE, RIGHT, WRONG = (0, 200, 255), (0, 200, 0), (0, 0, 255)  # yellow, green, red (BGR)


def sheet(
    seen: Mapping[str, Sequence[Seen]], settings: ClassifierSettings, columns: int = 5, most: int = 40
) -> Image | None:
    """At most `most` of the pictures that were not read exactly, those that the reader was sure of first; None where
    all were. Thin yellow boxes with a value: dice that are there. Green and red boxes: dice found, right and wrong,
    with the value and the confidence in percent."""
    judged = ((name, evaluate.judge(one, settings)) for name, many in seen.items() for one in many)
    wrong = sorted(((name, one) for name, one in judged if not one.exact), key=lambda pair: not pair[1].sure)
    return grid([tile(name, one) for name, one in wrong[:most]], columns) if wrong else None


def tile(name: str, verdict: Verdict) -> Image:
    """One picture as a square, the source's name above it in red if the reader was sure of it."""
    image = load(verdict.picture.path).image
    height, width = image.shape[:2]
    zoom = SIDE / max(height, width)
    square = np.zeros((SIDE, SIDE, 3), np.uint8)
    small = cv2.resize(image, (round(width * zoom), round(height * zoom)), interpolation=cv2.INTER_AREA)
    square[: small.shape[0], : small.shape[1]] = small
    for box, face, ignored in zip(verdict.picture.boxes, verdict.picture.faces, verdict.picture.ignored, strict=True):
        _box(square, box * zoom, "" if ignored else str(face), TRUE, 1, above=False)
    for die, face in zip(verdict.dice, verdict.faces, strict=True):
        left, top, wide, high = (part * zoom for part in die.pixels(width, height))
        said = f"{die.face} {100 * die.confidence:.0f}"
        colour = RIGHT if die.face == face else WRONG
        _box(square, np.array([left, top, left + wide, top + high]), said, colour, 2, above=True)
    title = f"{name} {verdict.picture.path.stem}"
    cv2.putText(square, title, (4, SIDE - 6), cv2.FONT_HERSHEY_SIMPLEX, 0.45, WRONG if verdict.sure else RIGHT, 1)
    return square


def grid(tiles: Iterable[Image], columns: int) -> Image:
    """Tiles of one size in rows."""
    many = list(tiles)
    many += [np.zeros_like(many[0])] * (-len(many) % columns)
    return np.vstack([np.hstack(many[row : row + columns]) for row in range(0, len(many), columns)])


def _box(square: Image, box: Floats, said: str, colour: tuple[int, int, int], width: int, *, above: bool) -> None:
    left, top, right, bottom = (round(float(side)) for side in box)
    cv2.rectangle(square, (left, top), (right, bottom), colour, width)
    y = max(top - 3, 10) if above else min(bottom + 11, SIDE - 2)
    cv2.putText(square, said, (left, y), cv2.FONT_HERSHEY_SIMPLEX, 0.4, colour, 1, cv2.LINE_AA)
