"""What a camera, a lamp and a bad connection do to a picture, drawn at random. Values are 0 to 255, BGR."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Image = NDArray[np.uint8]


def photograph(image: Image, rng: Generator, strength: float = 1.0) -> Image:
    """The same scene in other colours and light, through another lens, sensor and compression; the geometry stays."""
    image = _colours(image, rng)
    image = cv2.LUT(image, _tones(rng))  # type: ignore[assignment]
    if rng.random() < 0.25:
        image = _shadow(image, rng)
    image = _lens(image, rng, strength)
    if rng.random() < 0.55:
        image = _grain(image, rng)
    if rng.random() < 0.35:
        quality = int(rng.integers(25, 92))
        image = np.asarray(
            cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1), dtype=np.uint8
        )
    return image


def glint(image: Image, centre: tuple[float, float], side: float, rng: Generator) -> Image:
    """The same die, `side` pixels wide, in whose top a lamp is mirrored: a ring or part of one, a spot, a pane."""
    turn, start = rng.uniform(0, 360, 2)
    ring = rng.random() < 0.65
    axes = side * rng.uniform(0.08, 0.45 if ring else 0.25) * np.exp(rng.normal(0, 0.25, 2))
    x, y = (float(v + rng.normal(0, 0.15) * side) for v in centre)
    light = np.zeros(image.shape[:2], np.float32)
    # in eighths of a pixel, so that thin rings keep their place
    at, size = (int(8 * x), int(8 * y)), (int(8 * axes[0]), int(8 * axes[1]))
    if ring:
        wide = max(1, int(side * rng.uniform(0.01, 0.08)))
        arc = 360.0 if rng.random() < 0.4 else rng.uniform(40, 300)
        cv2.ellipse(light, at, size, turn, start, start + arc, (1.0,), wide, cv2.LINE_AA, 3)
    elif rng.random() < 0.5:
        cv2.ellipse(light, at, size, turn, 0, 360, (1.0,), -1, cv2.LINE_AA, 3)
    else:
        corners = cv2.boxPoints(((x, y), (float(2 * axes[0]), float(2 * axes[1])), float(turn)))
        cv2.fillConvexPoly(light, np.rint(8 * corners).astype(np.int32), (1.0,), cv2.LINE_AA, 3)
    strength = np.float32(rng.uniform(0.2, 1.0 if ring else 0.6))  # nobody reads a pip behind a whole pane
    light = strength * cv2.GaussianBlur(light, (0, 0), 0.3 + side * rng.uniform(0, 0.03))
    shine = rng.uniform(180, 255) * rng.uniform(0.9, 1.0, 3)
    return np.asarray(image + light[..., None] * (shine - image), dtype=np.uint8)


def _colours(image: Image, rng: Generator) -> Image:
    """Channels exchanged, greyed, more or less saturated, or under a coloured lamp: one 3 × 3 matrix."""
    matrix = np.eye(3)
    if rng.random() < 0.15:
        matrix = matrix[rng.permutation(3)]
    grey = np.tile([0.114, 0.587, 0.299], (3, 1))
    if rng.random() < 0.12:
        matrix = grey
    elif rng.random() < 0.5:
        keep = rng.uniform(0.3, 1.6)
        matrix = (keep * np.eye(3) + (1 - keep) * grey) @ matrix
    if rng.random() < 0.6:
        matrix = np.diag(rng.uniform(0.88, 1.1, 3)) @ matrix
    return np.asarray(cv2.transform(image, matrix), dtype=np.uint8)


def _tones(rng: Generator) -> Image:
    """A lookup table: gamma, contrast, brightness, now and then a negative."""
    x = np.linspace(0, 1, 256)
    if rng.random() < 0.06:
        x = 1 - x
    x = x ** np.exp(rng.normal(0, 0.2))
    x = (x - 0.5) * rng.uniform(0.6, 1.2) + 0.5 + rng.normal(0, 0.06)
    return np.asarray(np.clip(np.rint(255 * x), 0, 255), dtype=np.uint8)


def _shadow(image: Image, rng: Generator) -> Image:
    """Half of the picture darker, with a soft or a hard edge."""
    height, width = image.shape[:2]
    turn = rng.uniform(0, 2 * np.pi)
    y, x = np.mgrid[0:16, 0:16] / 15 - rng.random((2, 1, 1))
    edge = rng.uniform(2, 30) * (x * np.cos(turn) + y * np.sin(turn))
    light = 1 - rng.uniform(0.1, 0.6) / (1 + np.exp(-np.clip(edge, -30, 30)))
    mask = cv2.resize(light.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(image * mask[..., None], 0, 255), dtype=np.uint8)


def _lens(image: Image, rng: Generator, strength: float) -> Image:
    kind = rng.random()
    if kind < 0.2:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), rng.uniform(0.3, 1.1) * strength), dtype=np.uint8)
    if kind < 0.29:
        return np.asarray(cv2.filter2D(image, -1, _smear(rng)), dtype=np.uint8)
    if kind < 0.41:
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        extra = rng.uniform(0.3, 1.5)
        return np.asarray(cv2.addWeighted(image, 1 + extra, soft, -extra, 0), dtype=np.uint8)
    return image


def _smear(rng: Generator) -> NDArray[np.float32]:
    """The path of a point while the hand shakes: a short line."""
    reach = int(rng.integers(1, 4))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    turn = rng.uniform(0, np.pi)
    step = np.rint(reach * np.array([np.cos(turn), np.sin(turn)])).astype(int)
    cv2.line(kernel, tuple(int(v) for v in reach - step), tuple(int(v) for v in reach + step), (1.0,))
    return np.asarray(kernel / kernel.sum())


_GRAIN = np.random.default_rng(0).standard_normal((384, 384, 3)).astype(np.float32)


def _grain(image: Image, rng: Generator) -> Image:
    """Sensor noise, in colour or grey; a window of a fixed sheet of noise, because drawing it anew costs more than the
    network."""
    height, width = image.shape[:2]
    tall, wide = -(-height // 256), -(-width // 256)
    top, left = rng.integers(0, 128, 2)
    sheet = _GRAIN[top : top + 256, left : left + 256]
    if rng.random() < 0.5:
        sheet = np.repeat(sheet[..., :1], 3, axis=2)
    noise = np.tile(sheet, (tall, wide, 1))[:height, :width] * np.float32(rng.uniform(1, 12))
    return np.asarray(np.clip(image + noise, 0, 255), dtype=np.uint8)


def coarse(image: Image, rng: Generator, least: int) -> Image:
    """The picture as a camera with fewer pixels (log-uniform from `least` pixels a side) would have seen it."""
    size = image.shape[0]
    pixels = int(np.exp(rng.uniform(np.log(least), np.log(size))))
    small = cv2.resize(image, (pixels, pixels), interpolation=cv2.INTER_AREA)
    back = cv2.INTER_LINEAR if rng.random() < 0.6 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(small, (size, size), interpolation=back), dtype=np.uint8)
