"""Tables that are drawn, dice as grey squares whose brightness is what they show, and a reader of just these."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from recognizer.reader import Die, Reading

Image = NDArray[np.uint8]
Placed = tuple[int, float, float]  # face, and the middle of the die in sides of dice: across and down

SIDE = 40  # pixels
WIDTH, HEIGHT = 640, 360
LEVEL = 40  # of brightness for each pip


def draw(*dice: Placed) -> Image:
    """A picture of these dice, (360, 640, 3)."""
    image = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for face, x, y in dice:
        left, top = round(x * SIDE - SIDE / 2), round(y * SIDE - SIDE / 2)
        cv2.rectangle(image, (left, top), (left + SIDE - 1, top + SIDE - 1), (LEVEL * face,) * 3, -1)
    return image


def jpeg(image: Image) -> bytes:
    """The picture as a JPEG file."""
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


class DrawnReader:
    """Reads drawn dice; `sure` of them or not."""

    def __init__(self) -> None:
        self.sure = True
        self.broken = False
        self.hints: tuple[str, ...] = ()

    def read(self, image: Image) -> Reading:
        if self.broken:
            raise RuntimeError("the model is gone")
        grey = image[..., 0]
        height, width = grey.shape
        number, _labels, boxes, _middles = cv2.connectedComponentsWithStats((grey > LEVEL // 2).astype(np.uint8))
        dice = []
        for left, top, wide, high, _area in boxes[1:number].tolist():
            if abs(wide - SIDE) < 6 and abs(high - SIDE) < 6:
                face = round(float(np.median(grey[top : top + high, left : left + wide])) / LEVEL)
                box = (left / width, top / height, wide / width, high / height)
                dice.append(Die(face, box, 0.99 if self.sure else 0.6, ((face % 6 + 1, 0.01 if self.sure else 0.4),)))
        return Reading(tuple(dice), self.sure, self.hints)
