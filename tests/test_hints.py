"""Each hint appears when its fault does, and not on a good picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from recognizer import hints

DIE = (100.0, 80.0, 60.0, 60.0)
OTHER = (220.0, 90.0, 60.0, 60.0)


def table(
    light: float = 1.0, die: tuple[int, int, int] = (235, 235, 235), pip: tuple[int, int, int] = (20, 20, 20)
) -> NDArray[np.uint8]:
    """A grey table, 400 × 300, with two dice that show a three; `light` 0 to 1."""
    image = np.full((300, 400, 3), 110, np.uint8)
    for x, y, wide, high in (DIE, OTHER):
        left, top = int(x), int(y)
        cv2.rectangle(image, (left, top), (left + int(wide), top + int(high)), die, -1)
        for step in (0.25, 0.5, 0.75):
            cv2.circle(image, (left + int(step * wide), top + int(step * high)), 6, pip, -1, cv2.LINE_AA)
    return (image * light).astype(np.uint8)


def test_a_good_picture_gets_no_hint() -> None:
    assert hints.of(table(), [DIE, OTHER]) == ()


def test_a_picture_taken_in_the_dark_is_called_dark() -> None:
    assert hints.of(table(light=0.15), [DIE, OTHER]) == (hints.DARK,)


def test_a_dark_cloth_under_a_good_lamp_is_not_called_dark() -> None:
    image = table()
    image[(image == 110).all(axis=2)] = 10
    assert hints.of(image, [DIE, OTHER]) == ()


@pytest.mark.parametrize("turn", [0, 90])
def test_a_shaken_camera_is_called_blurred(turn: int) -> None:
    kernel = np.zeros((31, 31), np.float32)
    kernel[15, 4:27] = 1 / 23
    image = cv2.GaussianBlur(cv2.filter2D(table(), -1, kernel if turn == 0 else kernel.T), (0, 0), 4)
    assert hints.of(np.asarray(image, np.uint8), [DIE, OTHER]) == (hints.BLURRED,)


def test_an_empty_smooth_table_is_not_called_blurred() -> None:
    assert hints.of(np.full((300, 400, 3), 150, np.uint8), []) == ()


@pytest.mark.parametrize(
    "box", [(0.0, 80.0, 50.0, 60.0), (350.0, 80.0, 50.0, 60.0), (90.0, 0.0, 60.0, 50.0), (90.0, 250.0, 60.0, 50.0)]
)
def test_a_die_at_any_edge_of_the_picture_is_called_cut_off(box: tuple[float, float, float, float]) -> None:
    assert hints.is_cut_off(np.zeros((300, 400), np.uint8), [OTHER, box])


def test_dice_far_away_are_called_too_small() -> None:
    far = np.asarray(cv2.resize(table(), (100, 75), interpolation=cv2.INTER_AREA), np.uint8)
    assert hints.TOO_SMALL in hints.of(far, [(25.0, 20.0, 15.0, 15.0), (55.0, 22.0, 15.0, 15.0)])


def test_a_lamp_mirrored_in_a_dark_die_is_called_glare() -> None:
    image = table(die=(40, 20, 90), pip=(200, 200, 200))
    assert hints.of(image, [DIE, OTHER]) == ()
    cv2.ellipse(image, (140, 105), (12, 8), 20, 0, 360, (255, 255, 255), -1)
    assert hints.of(image, [DIE, OTHER]) == (hints.GLARE,)


def test_the_pips_of_a_white_die_and_of_a_black_one_are_no_glare() -> None:
    assert not hints.has_glare(table(), [DIE])
    assert not hints.has_glare(table(die=(20, 20, 160), pip=(255, 255, 255)), [DIE])
    assert not hints.has_glare(table(die=(15, 15, 15), pip=(225, 225, 225)), [DIE])


def test_dice_that_hide_each_other_are_called_touching_and_neighbours_are_not() -> None:
    assert hints.are_touching([DIE, (130.0, 95.0, 60.0, 60.0)])
    assert not hints.are_touching([DIE, (162.0, 80.0, 60.0, 60.0)])
    assert not hints.are_touching([DIE, OTHER])
