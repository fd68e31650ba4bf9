"""What is wrong with a picture, as codes that a page can turn into advice. Pure functions of a picture and the dice
found on it.

A grey picture is (H, W), 0 to 255; a box is (left, top, width, height) in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Box = tuple[float, float, float, float]

DARK, BLURRED, CUT_OFF, TOO_SMALL, GLARE, TOUCHING = "dark", "blurred", "cut-off", "too-small", "glare", "touching"
CODES = (DARK, BLURRED, CUT_OFF, TOO_SMALL, GLARE, TOUCHING)

SMALL = 24.0  # sides in pixels below which the pips of a six run into each other
SHARP = 0.12  # steepest edge of a die that is in focus, as a share of the die's contrast per hundredth of its side


def of(image: Image, dice: Sequence[Box]) -> tuple[str, ...]:
    """The codes that apply to a picture (H, W, 3), BGR, in the order of CODES."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = {
        DARK: is_dark(grey, dice),
        BLURRED: is_blurred(grey, dice),
        CUT_OFF: is_cut_off(grey, dice),
        TOO_SMALL: is_too_small(dice),
        GLARE: has_glare(image, dice),
        TOUCHING: are_touching(dice),
    }
    return tuple(code for code in CODES if found[code])


def is_dark(grey: Image, dice: Sequence[Box]) -> bool:
    """Even the bright parts (95th percentile) of picture and dice are dark; a dark cloth alone is no fault."""
    whole = float(np.percentile(grey[::4, ::4], 95))
    parts = [float(np.percentile(part, 95)) for part in _parts(grey, dice)]
    return max(whole, float(np.median(parts)) if parts else 0.0) < 60


def is_blurred(grey: Image, dice: Sequence[Box]) -> bool:
    """Most dice lack a single sharp edge. Without dice nothing is said: an empty table may well be smooth."""
    sharpness = [_sharpness(part) for part in _parts(grey, dice)]
    return bool(sharpness) and float(np.median(sharpness)) < SHARP


def _sharpness(part: Image) -> float:
    """The steepest edges (99th percentile of the gradient) against the contrast (5th to 95th percentile) of a part
    brought to 100 pixels a side: how much of the contrast one pixel bridges."""
    square = cv2.resize(part, (100, 100), interpolation=cv2.INTER_AREA if min(part.shape) > 100 else cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(square.astype(np.float32), (0, 0), 1.0)
    slope = np.hypot(np.diff(smooth, axis=0)[:, :-1], np.diff(smooth, axis=1)[:-1])
    low, high = np.percentile(smooth, (5, 95))
    return float(np.percentile(slope, 99) / max(high - low, 8.0))


def is_cut_off(grey: Image, dice: Sequence[Box]) -> bool:
    """A die reaches the edge of the picture."""
    height, width = grey.shape
    return any(x <= 1 or y <= 1 or x + wide >= width - 1 or y + high >= height - 1 for x, y, wide, high in dice)


def is_too_small(dice: Sequence[Box]) -> bool:
    """Some die has too few pixels to tell its pips apart."""
    return any(max(wide, high) < SMALL for _, _, wide, high in dice)


def has_glare(image: Image, dice: Sequence[Box]) -> bool:
    """A lamp is mirrored in a coloured or dark die: one blown-out spot of 6 to 40 % of it, more than any white pip."""
    for part in _parts(image, dice):
        brightness = part.min(axis=2)
        if float(np.median(brightness)) < 100:
            spots = cv2.connectedComponentsWithStats((brightness >= 250).astype(np.uint8))[2][1:, cv2.CC_STAT_AREA]
            if len(spots) and 0.06 < spots.max() / brightness.size < 0.4:
                return True
    return False


def are_touching(dice: Sequence[Box]) -> bool:
    """Two dice overlap so much that one may hide part of the other: their boxes share a quarter of the smaller one."""
    for index, (x, y, wide, high) in enumerate(dice):
        for x2, y2, wide2, high2 in dice[index + 1 :]:
            shared_x = min(x + wide, x2 + wide2) - max(x, x2)
            shared_y = min(y + high, y2 + high2) - max(y, y2)
            if shared_x > 0 and shared_y > 0 and shared_x * shared_y > 0.25 * min(wide * high, wide2 * high2):
                return True
    return False


def _parts(image: Image, dice: Sequence[Box]) -> list[Image]:
    """The inside of each die: its box without the outer tenth on every side."""
    parts = []
    for x, y, wide, high in dice:
        left, right = max(round(x + 0.1 * wide), 0), round(x + 0.9 * wide)
        top, bottom = max(round(y + 0.1 * high), 0), round(y + 0.9 * high)
        part = image[top:bottom, left:right]
        if min(part.shape[:2]) >= 3:
            parts.append(part)
    return parts
