"""Each hint appears when its fault does, and not on a good picture: on drawn dice, and on rendered pictures as read by
the networks."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from recognizer import hints
from recognizer.pictures import load
from recognizer.reader import Reader

DIE = (100.0, 80.0, 60.0, 60.0)
OTHER = (220.0, 90.0, 60.0, 60.0)
FAULTS = Path(__file__).parent / "pictures" / "faults"
LISTED: dict[str, list[str]] = {
    entry["file"]: entry["hints"] for entry in json.loads((FAULTS / "stills.json").read_text("utf-8"))
}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.mark.parametrize("name", [name for name, expected in LISTED.items() if expected])
def test_a_rendered_fault_is_told(reader: Reader, name: str) -> None:
    assert set(LISTED[name]) <= set(reader.read(load(FAULTS / name).image).hints)


@pytest.mark.parametrize("name", [name for name, expected in LISTED.items() if not expected])
def test_of_a_good_rendered_picture_nothing_is_said(reader: Reader, name: str) -> None:
    assert reader.read(load(FAULTS / name).image).hints == ()


def test_every_hint_has_its_rendered_fault() -> None:
    assert {code for expected in LISTED.values() for code in expected} == set(hints.CODES)


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


def shaken(image: NDArray[np.uint8], *, upright: bool) -> NDArray[np.uint8]:
    """The picture smeared over 23 pixels along one side."""
    kernel = np.zeros((31, 31), np.float32)
    kernel[15, 4:27] = 1 / 23
    return np.asarray(cv2.filter2D(image, -1, kernel.T if upright else kernel), np.uint8)


def test_a_good_picture_gets_no_hint() -> None:
    assert hints.of(table(), [DIE, OTHER]) == ()
    assert hints.of(table(), []) == ()


def test_a_picture_taken_in_the_dark_is_called_dark() -> None:
    assert hints.of(table(light=0.15), [DIE, OTHER]) == (hints.DARK,)


def test_a_dark_cloth_under_a_good_lamp_is_not_called_dark() -> None:
    image = table()
    image[(image == 110).all(axis=2)] = 10
    assert hints.of(image, [DIE, OTHER]) == ()


@pytest.mark.parametrize("upright", [False, True])
def test_a_shaken_camera_is_called_blurred_whether_dice_are_found_or_not(upright: bool) -> None:
    image = shaken(table(), upright=upright)
    assert hints.of(image, [DIE, OTHER]) == (hints.BLURRED,)
    assert hints.of(image, []) == (hints.BLURRED,)


def test_an_empty_smooth_table_is_not_called_blurred() -> None:
    assert hints.of(np.full((300, 400, 3), 150, np.uint8), []) == ()
    shade = np.linspace(60, 200, 400, dtype=np.uint8)
    assert hints.of(np.tile(shade[None, :, None], (300, 1, 3)), []) == ()


@pytest.mark.parametrize(
    "box", [(0.0, 80.0, 50.0, 60.0), (350.0, 80.0, 50.0, 60.0), (90.0, 0.0, 60.0, 50.0), (90.0, 250.0, 60.0, 50.0)]
)
def test_a_die_at_any_edge_of_the_picture_is_called_cut_off(box: tuple[float, float, float, float]) -> None:
    assert hints.is_cut_off([OTHER, box], 400, 300)
    assert not hints.is_cut_off([DIE, OTHER], 400, 300)


def test_dice_of_too_few_pixels_are_called_too_small_and_those_that_fill_too_little_too_far() -> None:
    near, far = [(25.0, 20.0, 15.0, 15.0), (55.0, 22.0, 15.0, 15.0)], [(900.0, 700.0, 40.0, 40.0)]
    coarse = np.asarray(cv2.resize(table(), (100, 75), interpolation=cv2.INTER_AREA), np.uint8)
    assert hints.of(coarse, near) == (hints.TOO_SMALL,)
    large = np.zeros((1500, 2000, 3), np.uint8)
    large[700:740, 900:940] = 240
    large[715:725, 915:925] = 10
    assert hints.of(large, far) == (hints.TOO_FAR,)
    assert hints.of(large[:1000, :1400], far) == (), "the same dice, from nearer"


def test_a_lamp_mirrored_in_a_dark_die_is_called_glare() -> None:
    image = table(die=(40, 20, 90), pip=(200, 200, 200))
    assert hints.of(image, [DIE, OTHER]) == ()
    cv2.ellipse(image, (140, 105), (12, 8), 20, 0, 360, (255, 255, 255), -1)
    assert hints.of(image, [DIE, OTHER]) == (hints.GLARE,)


def test_a_white_die_burnt_out_by_light_is_called_glare_once_its_face_is_unclear() -> None:
    image = table(die=(255, 255, 255))
    image[80:140, 100:160] = 255
    assert hints.of(image, [OTHER], [DIE]) == (hints.GLARE,)
    assert not hints.has_glare(table(die=(255, 255, 255)), [DIE], [DIE]), "its pips are in view"


def test_the_pips_of_a_white_die_and_of_a_black_one_are_no_glare() -> None:
    assert not hints.has_glare(table(), [DIE], [])
    assert not hints.has_glare(table(die=(20, 20, 160), pip=(255, 255, 255)), [DIE], [])
    assert not hints.has_glare(table(die=(15, 15, 15), pip=(225, 225, 225)), [DIE], [])


def test_a_white_die_turned_by_45_degrees_on_a_black_cloth_is_no_glare() -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    cv2.fillConvexPoly(image, np.array([(100, 40), (160, 100), (100, 160), (40, 100)]), (255, 255, 255))
    assert not hints.has_glare(image, [(40.0, 40.0, 120.0, 120.0)], [])


def test_an_unclear_die_under_another_is_called_hidden_and_clear_neighbours_are_not() -> None:
    under = (130.0, 95.0, 60.0, 60.0)
    assert hints.is_hidden([DIE], [under])
    assert hints.is_hidden([DIE, under], [under])
    assert not hints.is_hidden([DIE, under], [])
    assert not hints.is_hidden([DIE, OTHER], [OTHER])
    assert not hints.is_hidden([DIE], [DIE])
    assert not hints.is_hidden([DIE], [(100.0001, 79.9999, 60.0, 60.0)]), "a die does not hide itself"
    assert not hints.is_hidden([DIE, (162.0, 80.0, 60.0, 60.0)], [DIE])
