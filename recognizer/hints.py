"""What is wrong with a picture, as codes that a page can turn into advice. Pure functions of a picture and the dice
found on it.

A grey picture is (H, W), 0 to 255; a box is (left, top, width, height) in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Box = tuple[float, float, float, float]

DARK, BLURRED, GLARE, CUT_OFF, HIDDEN = "dark", "blurred", "glare", "cut-off", "hidden"
TOO_SMALL, TOO_FAR = "too-small", "too-far"
CODES = (DARK, BLURRED, GLARE, CUT_OFF, HIDDEN, TOO_SMALL, TOO_FAR)

LIGHT = 90.0  # grey level that the bright parts of a well lit picture exceed
SHARP = 0.075  # steepest edge of a die that is in focus, as a share of the die's contrast per hundredth of its side
SHARPENED = 1.4  # how much steeper the edges of a sharp picture are than those of the same picture smoothed
EDGE = 4.0  # grey levels per 512th of a picture: what is flatter is shade, not the edge of a thing
COLOURED = 130.0  # grey level of the darkest of its colours below which a die is not white
BURNT = 250  # every colour above this: nothing but light is left
SMALL = 24.0  # sides in pixels below which the pips of a six run into each other
FAR = 1 / 40  # sides against the longer side of the picture below which dice are overlooked, however many its pixels


def of(image: Image, dice: Sequence[Box], doubtful: Sequence[Box] = ()) -> tuple[str, ...]:
    """The codes that apply to a picture (H, W, 3), BGR, in the order of CODES.

    `dice`: what was found; `doubtful`: what may be a die but shows no clear face, whether it counts as found or not.
    """
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    height, width = grey.shape
    far = are_too_far(dice, width, height)
    found = {
        DARK: is_dark(grey, dice),
        BLURRED: is_blurred(grey, dice or doubtful),
        GLARE: has_glare(image, dice, doubtful),
        CUT_OFF: is_cut_off(dice, width, height),
        HIDDEN: is_hidden(dice, doubtful),
        TOO_SMALL: not far and is_too_small(dice),
        TOO_FAR: far,
    }
    return tuple(code for code in CODES if found[code])


def is_dark(grey: Image, dice: Sequence[Box]) -> bool:
    """Even the bright parts (95th percentile) of picture and dice are dark; a dark cloth alone is no fault."""
    whole = _percentile(grey[::4, ::4], 0.95)
    parts = [_percentile(part, 0.95) for part in _parts(grey, dice)]
    return max(whole, float(np.median(parts)) if parts else 0.0) < LIGHT


def is_blurred(grey: Image, dice: Sequence[Box]) -> bool:
    """Most dice lack steep edges, at least in the direction in which the camera or they moved.

    Where there are none the whole picture is asked, by smoothing it further: what that changes little was blurred
    before (after Crété-Roffet et al. 2007, "The blur effect"). An empty table without edges is no fault.
    """
    if dice:  # those of few pixels are never sharp
        sharpness = [_sharpness(part) for part in _parts(grey, [box for box in dice if max(box[2:]) >= SMALL])]
        return bool(sharpness) and float(np.median(sharpness)) < SHARP
    whole = _fit(grey, 512)
    steep, smoothed = _slopes(whole, 1.0, 0.999), _slopes(whole, 4.0, 0.999)
    return bool(steep.min() > EDGE and (steep / smoothed).min() < SHARPENED)


def _sharpness(part: Image) -> float:
    """The steepest edges of a die brought to 100 pixels against its contrast (5th to 95th percentile), in the direction
    that has the flattest: how much of the contrast one pixel bridges."""
    square = _fit(part, 100)
    contrast = _percentile(square, 0.95) - _percentile(square, 0.05)
    return float(_slopes(square, 1.0, 0.99).min() / max(contrast, 8.0))


def _fit(grey: Image, side: int) -> Image:
    """The picture brought to a longer side of so many pixels."""
    zoom = side / max(grey.shape)
    shape = max(1, round(grey.shape[1] * zoom)), max(1, round(grey.shape[0] * zoom))
    return np.asarray(cv2.resize(grey, shape, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR), np.uint8)


def _slopes(grey: Image, deviation: float, share: float) -> NDArray[np.floating]:
    """The slope that so large a share of the pixels does not exceed, across, down and along both diagonals, in grey
    levels per pixel, of a picture smoothed by a Gaussian."""
    smooth = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), deviation)
    across, down = (cv2.Sobel(smooth, -1, *along, ksize=3) / 8 for along in ((1, 0), (0, 1)))
    angles = np.arange(4, dtype=np.float32) * np.float32(np.pi / 4)
    return np.array([_percentile(np.abs(np.cos(a) * across + np.sin(a) * down), share) for a in angles]) + 1e-6


def _percentile(values: NDArray[Any], share: float) -> float:
    """The value that so large a share of the others does not exceed. Much faster than `numpy.percentile`, which
    interpolates."""
    place = round(share * (values.size - 1))
    return float(np.partition(values, place, axis=None)[place])


def is_cut_off(dice: Sequence[Box], width: int, height: int) -> bool:
    """A die reaches the edge of the picture."""
    return any(x <= 1 or y <= 1 or x + wide >= width - 1 or y + high >= height - 1 for x, y, wide, high in dice)


def is_too_small(dice: Sequence[Box]) -> bool:
    """Some die has too few pixels to tell its pips apart."""
    return any(max(wide, high) < SMALL for _, _, wide, high in dice)


def are_too_far(dice: Sequence[Box], width: int, height: int) -> bool:
    """Most dice fill too little of the picture."""
    return bool(dice) and float(np.median([max(wide, high) for _, _, wide, high in dice])) < FAR * max(width, height)


def has_glare(image: Image, dice: Sequence[Box], doubtful: Sequence[Box]) -> bool:
    """A lamp is mirrored in a coloured or dark die: one blown-out spot of 6 to 60 % of it, more than any white pip; or
    light has burnt out most of a die whose face is not clear."""
    for part in _parts(image, dice):
        light = _darkest(part)
        if _percentile(_middle(light), 0.5) < COLOURED:
            spots = cv2.connectedComponentsWithStats((light >= BURNT).astype(np.uint8))[2][1:, cv2.CC_STAT_AREA]
            if len(spots) and 0.06 < spots.max() / light.size < 0.6:
                return True
    return any(float((_middle(_darkest(part)) >= BURNT).mean()) > 0.8 for part in _parts(image, doubtful))


def is_hidden(dice: Sequence[Box], doubtful: Sequence[Box]) -> bool:
    """A die lies under or behind another: a quarter of what shows no clear face is covered by the box of a die.

    Overlapping boxes alone mean little: the boxes of dice that lie side by side overlap as well, seen from the side or
    along a diagonal, and still every top face is in view. Of two boxes that share 80 % of one both are the same die.
    """
    for x, y, wide, high in doubtful:
        for x2, y2, wide2, high2 in dice:
            shared_x = max(min(x + wide, x2 + wide2) - max(x, x2), 0.0)
            shared_y = max(min(y + high, y2 + high2) - max(y, y2), 0.0)
            if 0.25 * wide * high < shared_x * shared_y < 0.8 * min(wide * high, wide2 * high2):
                return True
    return False


def _middle(part: Image) -> Image:
    """What lies in a box that is smaller by three sixteenths on every side: die, never table, however it is turned."""
    height, width = part.shape
    return part[3 * height // 16 : height - 3 * height // 16, 3 * width // 16 : width - 3 * width // 16]


def _darkest(part: Image) -> Image:
    """The darkest colour (H, W) of each pixel. Much faster than `numpy.min` over so short an axis."""
    return np.asarray(cv2.min(cv2.min(part[..., 0], part[..., 1]), part[..., 2]), dtype=np.uint8)


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
