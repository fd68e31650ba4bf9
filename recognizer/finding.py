"""Where dice may be: a picture made ready for the detector, and its answers, one a size, made into boxes. Pure; knows
nothing of what a die shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from recognizer import boxes as geometry
from recognizer.model import DetectorSettings, Floats

Image = NDArray[np.uint8]
LARGEST_ENLARGEMENT = 2.0
FAINT = 0.15  # heat from which there may be something that a finer look shows to be a die
FEW, COMFORTABLE = 10, 20.0  # dice at most, and pixels of the smallest at least, where the finest look may be left out


class Found(NamedTuple):
    """What may be dice, best first: `boxes` (n, 4) and the centres (n, 2) of the `tops` in pixels of the picture, and
    the `heat` (n,), 0 to 1."""

    boxes: Floats
    tops: Floats
    heat: Floats


class Look(NamedTuple):
    """What the detector found at one size; `zoom`: its input pixels per pixel of the picture."""

    found: Found
    zoom: float


def prepare(image: Image, size: int, multiple: int, mean: float, scale: float) -> tuple[Floats, float]:
    """The picture as a batch of one (1, 3, H, W), its longer side `size` pixels, padded to multiples; and input pixels
    per pixel."""
    height, width = image.shape[:2]
    zoom = min(size / max(height, width), LARGEST_ENLARGEMENT)
    shape = max(1, round(width * zoom)), max(1, round(height * zoom))
    small = cv2.resize(image, shape, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)
    padded = np.zeros((1, 3, -(-shape[1] // multiple) * multiple, -(-shape[0] // multiple) * multiple), np.float32)
    for colour, plane in zip(cv2.split(small), padded[0, :, : shape[1], : shape[0]], strict=True):
        cv2.addWeighted(colour, 1 / scale, colour, 0, -mean / scale, dst=plane, dtype=cv2.CV_32F)
    return padded, zoom


def decode(out: Floats, zoom: float, least: float, overlap: float, stride: int) -> Found:
    """What the detector's answer (1, 5, H, W) says."""
    heat, distances = out[0, 0], out[0, 1:]
    rows, columns = np.nonzero(heat > least)
    left, top, right, bottom = distances[:, rows, columns]
    x, y = (columns + 0.5) * stride, (rows + 0.5) * stride
    boxes = np.stack([x - left, y - top, x + right, y + bottom], axis=1) / zoom
    scores = heat[rows, columns]
    best = geometry.suppress(boxes, scores, overlap)
    tops = (summits(heat, rows[best], columns[best]) + 0.5) * (stride / zoom)
    return Found(boxes[best].astype(np.float32), tops.astype(np.float32), scores[best])


def summits(heat: Floats, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.floating]:
    """(n, 2): column and row, between cells, where the Gaussian hills peak whose highest cells are these: the vertex of
    the parabola through three logarithms, at most half a cell away."""
    hills = np.log(np.pad(heat, 1, mode="edge").clip(1e-5))
    rows, columns = rows + 1, columns + 1
    middle = hills[rows, columns]
    moved = []
    for before, after in (
        (hills[rows, columns - 1], hills[rows, columns + 1]),
        (hills[rows - 1, columns], hills[rows + 1, columns]),
    ):
        bend = np.maximum(2 * middle - before - after, 1e-3)
        moved.append(np.clip((after - before) / (2 * bend), -0.5, 0.5))
    return np.stack([columns - 1 + moved[0], rows - 1 + moved[1]], axis=1)


def trust(sides: NDArray[np.floating], between: tuple[float, ...]) -> NDArray[np.floating]:
    """0 to 1: how far an answer counts for dice of these sides (in input pixels). It begins to at the first of these
    sides, does in full from the second and, if there are four, to the third, and no more from the fourth."""
    return np.asarray(np.interp(np.log(np.maximum(sides, 1e-3)), np.log(between), [0.0, 1.0, 1.0, 0.0][: len(between)]))


def weighed(
    looks: Sequence[Look],
    trained: tuple[float, float, float, float],
    large: tuple[float, float],
) -> list[Found]:
    """What was found, coarsest look first, with the heat that can be trusted.

    The coarsest look is there for dice too large for the next: smaller ones it takes for one where they touch.
    """
    trusted = []
    for index, (found, zoom) in enumerate(looks):
        sides = (found.boxes[:, 2:] - found.boxes[:, :2]).max(axis=1, initial=0)
        share = trust(sides * zoom, trained)
        if index == 0 < len(looks) - 1:
            share = share * trust(sides * looks[1].zoom, large)
        trusted.append(found._replace(heat=(found.heat * share).astype(np.float32)))
    return trusted


def together(looks: Sequence[Look], settings: DetectorSettings) -> Found:
    """What all looks found: where two of them see the same die, the one better trained for its size counts."""
    parts = zip(*weighed([_clear(look, settings) for look in looks], settings.trained, settings.large), strict=True)
    boxes, tops, heat = (np.concatenate(part) for part in parts)
    single = np.flatnonzero(~geometry.groups(boxes, heat))  # a coarse look may take two dice that touch for one
    best = single[geometry.suppress(boxes[single], heat[single], settings.overlap)]
    best = best[heat[best] > settings.least]
    return Found(boxes[best], tops[best], heat[best])


def _clear(look: Look, settings: DetectorSettings) -> Look:
    """The same without what is too faint to count."""
    clear = look.found.heat > settings.least
    return look._replace(found=Found(*(part[clear] for part in look.found)))


def is_plain(looks: Sequence[Look], found: Found, settings: DetectorSettings) -> bool:
    """Whether these looks, which found this together, show a few dice, none small to the last of them, and nothing
    else that a finer look might show to be a die."""
    sides = (found.boxes[:, 2:] - found.boxes[:, :2]).max(axis=1, initial=0) * looks[-1].zoom
    if not 0 < len(sides) <= FEW or sides.min() < COMFORTABLE:
        return False
    seen = weighed(looks, settings.trained, settings.large)
    boxes = np.concatenate([one.boxes[one.heat > FAINT] for one in seen])
    middles = (boxes[:, None, :2] + boxes[:, None, 2:]) / 2
    within = (middles >= found.boxes[:, :2]) & (middles <= found.boxes[:, 2:])
    return bool(within.all(axis=2).any(axis=1).all())
