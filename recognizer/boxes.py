"""Boxes in a picture. Pure functions; numpy and OpenCV only.

A box is (left, top, right, bottom) in pixels with the origin at the outer corner of the first pixel; n boxes are an (n,
4) array.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Image = NDArray[np.uint8]


def areas(boxes: Floats) -> Floats:
    """The area of each of (n, 4) boxes; a box turned inside out has none."""
    sides: Floats = np.clip(boxes[:, 2:] - boxes[:, :2], 0, None)
    return sides[:, 0] * sides[:, 1]


def intersections(a: Floats, b: Floats) -> Floats:
    """(n, m): the area that each of n boxes shares with each of m boxes."""
    low = np.maximum(a[:, None, :2], b[None, :, :2])
    high = np.minimum(a[:, None, 2:], b[None, :, 2:])
    sides = np.clip(high - low, 0, None)
    return np.asarray(sides[..., 0] * sides[..., 1])


def overlaps(a: Floats, b: Floats) -> Floats:
    """(n, m): intersection over union, 0 to 1."""
    shared = intersections(a, b)
    return np.asarray(shared / np.maximum(areas(a)[:, None] + areas(b)[None, :] - shared, 1e-9))


def suppress(boxes: Floats, scores: Floats, limit: float) -> NDArray[np.intp]:
    """Indices of the boxes that remain, best first, when each box removes the weaker ones lying on it: those with an
    intersection over union above `limit`."""
    matrix = overlaps(boxes, boxes)
    order = np.argsort(-scores, kind="stable")
    kept: list[int] = []
    while len(order):
        best = int(order[0])
        kept.append(best)
        order = order[1:][matrix[best, order[1:]] <= limit]
    return np.array(kept, dtype=np.intp)


def groups(boxes: Floats, scores: Floats) -> NDArray[np.bool_]:
    """(n,): which boxes hold two others that stand beside each other, and so more than one die.

    Each of the two lies within (65 %), fills a fifth or more, which no pip does of its die, and has at least half the
    score; they share next to nothing.
    """
    size = areas(boxes)
    shared = intersections(boxes, boxes)
    within = shared > 0.65 * size[None, :]
    within &= (size[None, :] > 0.2 * size[:, None]) & (size[None, :] < 0.7 * size[:, None])
    within &= scores[None, :] > 0.5 * scores[:, None]
    apart = shared < 0.15 * np.minimum(size[:, None], size[None, :])
    beside = within.astype(np.float32) @ apart.astype(np.float32)  # how many within one stand beside another
    return np.asarray((within & (beside > 0)).any(axis=1))


def nested(boxes: Floats, scores: Floats) -> NDArray[np.intp]:
    """Indices of the boxes that remain, best first, when no die lies within another: a pip within a face, a face within
    a body, a body within a group.

    Of two boxes of which one holds most (80 %) of the other, the better remains; a larger box is given the advantage of
    the fourth root of its side, because a single pip is a convincing "one" but a whole die explains it.
    """
    sides = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0)
    size = areas(boxes)
    shared = intersections(boxes, boxes) / np.maximum(np.minimum(size[:, None], size[None, :]), 1e-9)
    order = np.argsort(-scores * sides**0.25, kind="stable")
    kept: list[int] = []
    for index in order:
        if all(shared[index, other] < 0.8 for other in kept):
            kept.append(int(index))
    return np.array(sorted(kept, key=lambda index: -scores[index]), dtype=np.intp)


def moved(boxes: Floats, centres: Floats) -> Floats:
    """The same boxes round other centres (n, 2)."""
    half = (boxes[:, 2:] - boxes[:, :2]) / 2
    return np.concatenate([centres - half, centres + half], axis=1)


def cut(image: Image, box: Floats, size: int, margin: float) -> Image:
    """The square of `size` × `size` pixels around the centre of `box`, its longer side grown by `margin` of itself on
    every side.

    Shrinking averages over areas, so that pips do not alias; what lies outside the picture repeats its edge.
    """
    side = max(float(max(box[2] - box[0], box[3] - box[1])) * (1 + 2 * margin), 1.0)
    x, y = float(box[0] + box[2]) / 2, float(box[1] + box[3]) / 2
    return sample(
        image,
        np.array([[size / side, 0, size / 2 - x * size / side], [0, size / side, size / 2 - y * size / side]]),
        size,
    )


def sample(image: Image, matrix: Floats, size: int) -> Image:
    """The picture mapped by the 2 × 3 affine `matrix` (picture → output, edge coordinates) onto `size` × `size` pixels.

    Where the matrix shrinks, the picture is first reduced by area averaging to at most twice the output's resolution.
    """
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    corners = np.array([[0, 0], [size, 0], [0, size], [size, size]], dtype=float)
    seen = (corners - matrix[:, 2]) @ np.linalg.inv(matrix[:, :2]).T
    height, width = image.shape[:2]
    left, top = (
        int(np.clip(np.floor(v) - 4, 0, limit - 1)) for v, limit in zip(seen.min(0), (width, height), strict=True)
    )
    right, bottom = (
        int(np.clip(np.ceil(v) + 4, low + 1, max(limit, low + 1)))
        for v, limit, low in zip(seen.max(0), (width, height), (left, top), strict=True)
    )
    part = image[top:bottom, left:right]
    mapped = np.array(matrix, dtype=float)
    mapped[:, 2] += mapped[:, :2] @ (left, top)
    if scale < 0.7:
        shape = (
            max(1, round(part.shape[1] * min(1.0, 1.4 * scale))),
            max(1, round(part.shape[0] * min(1.0, 1.4 * scale))),
        )
        shrink = np.array([shape[0] / part.shape[1], shape[1] / part.shape[0]])
        part = np.asarray(cv2.resize(part, shape, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        mapped[:, :2] /= shrink
    mapped[:, 2] += mapped[:, :2] @ (0.5, 0.5) - 0.5  # OpenCV counts from pixel centres
    return np.asarray(
        cv2.warpAffine(
            np.ascontiguousarray(part), mapped, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ),
        dtype=np.uint8,
    )
