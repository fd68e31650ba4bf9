"""Painted tables: squares for dice, whose grey says the face, and an eye that reads them. Fast, and always right."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from recognizer.reader import Die, Reading

Image = NDArray[np.uint8]
Placed = tuple[int, int, int]  # face, x and y of the left upper corner in pixels
SIDE, WIDTH, HEIGHT = 40, 640, 360
TABLE, LIGHTEST = (70, 110, 90), 180


def table(*dice: Placed, hand: tuple[int, int] | None = None, seed: int = 0, light: float = 1.0) -> Image:
    """A table with dice, perhaps a hand that covers everything from a point down, noise, and so much light."""
    picture = np.full((HEIGHT, WIDTH, 3), TABLE, np.float32)
    picture += np.random.default_rng(7).normal(0, 12, (HEIGHT // 8, WIDTH // 8, 1)).repeat(8, 0).repeat(8, 1)
    for face, x, y in dice:
        picture[y : y + SIDE, x : x + SIDE] = LIGHTEST + 12 * face
    if hand is not None:
        x, y = hand
        picture[max(y, 0) :, max(x - 70, 0) : x + 70] = (90, 120, 170)
    picture += np.random.default_rng(seed).normal(0, 1.5, picture.shape)
    return np.asarray(np.clip(picture * light, 0, 255), np.uint8)


class PaintedEye:
    """Reads such tables, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def read(self, image: Image) -> Reading:
        """The squares that are whole."""
        self.asked += 1
        light = image.astype(np.float32).min(axis=2)
        light *= 90 / max(float(np.median(image[..., 2])), 1.0)
        count, _, boxes, middles = cv2.connectedComponentsWithStats((light > LIGHTEST).astype(np.uint8))
        height, width = image.shape[:2]
        dice = []
        for left, top, wide, high, area in boxes[1:count]:
            if abs(wide - SIDE) < 4 and abs(high - SIDE) < 4 and area > 0.9 * SIDE**2:
                inside = light[top + 4 : top + high - 4, left + 4 : left + wide - 4]
                face = int(np.clip(round((float(np.median(inside)) - LIGHTEST) / 12), 1, 6))
                dice.append(Die(face, (left / width, top / height, wide / width, high / height), 0.99))
        assert len(middles) == count
        return Reading(tuple(dice), True, ())
