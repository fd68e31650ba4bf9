"""A film of a turn for Chromium's fake camera, from one rendered still: its dice slide in, rest, leave, come again.

The still is one of the frames that come with Kast; what lies under the dice is painted over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from recognizer.reader import Reader

Image = NDArray[np.uint8]
FRAME = Path(__file__).parents[2] / "web" / "frames" / "frame-1.jpg"
RATE = 30  # pictures a second, which Chromium takes for granted
ROLL = 12  # pictures in which a die rolls in
MARGIN = 0.12  # of a die, around it


@dataclass(frozen=True)
class Sprite:
    """A die cut out of the still: its face, and where its upper left corner is, in pixels."""

    face: int
    cut: Image
    mask: NDArray[np.float32]
    x: float
    y: float


class Table:
    """The table of the still without its dice, and the dice by themselves, lowest face first."""

    def __init__(self) -> None:
        still = np.asarray(cv2.imread(str(FRAME)), np.uint8)
        height, width = still.shape[:2]
        covered = np.zeros((height, width), np.uint8)
        sprites = []
        for die in Reader().read(still).dice:
            x, y, wide, high = die.pixels(width, height)
            around = (int(x - wide / 2), int(y - high / 2)), (int(x + wide * 1.5), int(y + high * 1.6))
            cv2.rectangle(covered, *around, 255, -1)
            left, top = int(x - MARGIN * wide), int(y - MARGIN * high)
            right, bottom = int(x + (1 + MARGIN) * wide), int(y + (1 + MARGIN) * high)
            cut = still[top:bottom, left:right].copy()
            mask = np.zeros((bottom - top, right - left, 1), np.float32)
            mask[5:-5, 5:-5] = 1.0
            soft = np.asarray(cv2.GaussianBlur(mask, (0, 0), 2), np.float32)
            sprites.append(Sprite(die.face, cut, soft[..., None], left, top))
        self.dice = sorted(sprites, key=lambda sprite: (sprite.face, sprite.x))
        self.empty = np.asarray(cv2.inpaint(still, covered, 9, cv2.INPAINT_TELEA), np.uint8)
        self._chance = np.random.default_rng(1)

    def show(self, sprites: list[Sprite]) -> Image:
        """A picture of these dice, with a camera's noise."""
        picture = self.empty.astype(np.float32)
        height, width = picture.shape[:2]
        for sprite in sprites:
            x, y = round(sprite.x), round(sprite.y)
            left, top = max(x, 0), max(y, 0)
            right, bottom = min(x + sprite.cut.shape[1], width), min(y + sprite.cut.shape[0], height)
            if left < right and top < bottom:
                inside = np.s_[top - y : bottom - y, left - x : right - x]
                mask, there = sprite.mask[inside], picture[top:bottom, left:right]
                there += mask * (sprite.cut[inside] - there)
        picture += self._chance.normal(0, 1.0, picture.shape).astype(np.float32)
        return picture.clip(0, 255).astype(np.uint8)

    def roll_in(self, lying: list[Sprite], coming: list[Sprite]) -> Iterator[Image]:
        """Dice come from the left, ever slower, and lie still."""
        for step in range(1, ROLL + 1):
            left = (1 - step / ROLL) ** 2 * 1300
            yield self.show([*lying, *(replace(each, x=each.x - left) for each in coming)])

    def leave(self, lying: list[Sprite], going: list[Sprite]) -> Iterator[Image]:
        """Dice are drawn off the table to the left."""
        for step in range(1, ROLL + 1):
            yield self.show([*lying, *(replace(each, x=each.x - (step / ROLL) ** 2 * 1300) for each in going)])


def film(path: Path, first_rest: float = 6.0, last_rest: float = 30.0) -> tuple[list[int], list[int], list[int]]:
    """Write the film (motion JPEG): an empty table, a throw, three of its dice thrown again. Rests are in seconds.

    Returns the faces of both throws, and of those that were kept.
    """
    table = Table()
    three, four, five, six, seven = table.dice
    again = [replace(six, x=four.x, y=four.y), replace(three, x=five.x + 60, y=five.y - 40)]
    again.append(replace(four, x=760, y=520))
    with path.open("wb") as file:

        def rest(sprites: list[Sprite], seconds: float) -> None:
            still = [jpeg(table.show(sprites)) for _ in range(6)]  # noise goes on while dice rest
            for n in range(round(seconds * RATE)):
                file.write(still[n % len(still)])

        rest([], 1.0)
        for picture in table.roll_in([], table.dice):
            file.write(jpeg(picture))
        rest(table.dice, first_rest)
        for picture in table.leave([six, seven], [three, four, five]):
            file.write(jpeg(picture))
        rest([six, seven], 1.5)
        for picture in table.roll_in([six, seven], again):
            file.write(jpeg(picture))
        rest([six, seven, *again], last_rest)
    faces = [sprite.face for sprite in table.dice]
    return faces, sorted(sprite.face for sprite in [six, seven, *again]), [six.face, seven.face]


def jpeg(picture: Image) -> bytes:
    """The picture as a JPEG file."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 75])[1].tobytes()
