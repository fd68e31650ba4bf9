"""The classical counter counts plain dice, so that what it gets wrong says something."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets import counter

PIPS = {1: ["c"], 2: ["a", "i"], 3: ["a", "c", "i"], 4: "abhi", 5: "abchi", 6: "abdehi"}
PLACES = {"a": (-1, -1), "b": (1, -1), "d": (-1, 0), "c": (0, 0), "e": (1, 0), "h": (-1, 1), "i": (1, 1)}


def table(faces: list[int], pip: int, die: int, cloth: int) -> NDArray[np.uint8]:
    """Dice of 80 pixels in a row, 160 apart, drawn flat in shades of grey."""
    image = np.full((240, 160 * len(faces) + 80, 3), cloth, np.uint8)
    for number, face in enumerate(faces):
        x, y = 120 + 160 * number, 120
        cv2.rectangle(image, (x - 40, y - 40), (x + 40, y + 40), (die, die, die), -1)
        for place in PIPS[face]:
            across, down = PLACES[place]
            cv2.circle(image, (x + 21 * across, y + 21 * down), 8, (pip, pip, pip), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0), np.uint8)


@pytest.mark.parametrize(("pip", "die", "cloth"), [(20, 235, 120), (240, 30, 120)])
def test_plain_dice_that_lie_apart_are_counted_dark_on_light_and_light_on_dark(pip: int, die: int, cloth: int) -> None:
    dice = counter.read(table([1, 2, 3, 4, 5, 6], pip, die, cloth))
    assert [one.face for one in sorted(dice, key=lambda one: one.box[0])] == [1, 2, 3, 4, 5, 6]
    middles = sorted((one.box[0] + one.box[2] / 2) * (160 * 6 + 80) for one in dice)
    np.testing.assert_allclose(middles, 120 + 160 * np.arange(6), atol=3)


def test_pips_belong_together_when_they_are_near_and_alike() -> None:
    pips = np.array([(0, 0, 5), (20, 0, 5), (40, 0, 5), (200, 0, 5), (10, 10, 12)], float)
    assert sorted(len(group) for group in counter.gather(pips, reach=5.0)) == [1, 1, 3]
    assert sorted(len(group) for group in counter.gather(pips, reach=3.0)) == [1, 1, 1, 1, 1]


def test_an_empty_table_shows_nothing() -> None:
    assert counter.read(np.full((200, 300, 3), 128, np.uint8)) == ()
