"""A picture made ready for the detector, and its answers made into boxes."""

from __future__ import annotations

import numpy as np
import pytest

from recognizer.finding import Found, Look, decode, prepare, trust, weighed


def test_a_picture_is_brought_to_size_and_padded_with_the_mean() -> None:
    batch, zoom = prepare(np.full((50, 100, 3), 178, np.uint8), 200, 32, 114.0, 64.0)
    assert zoom == 2.0
    assert batch.shape == (1, 3, 128, 224)
    assert (batch[0, :, :100, :200] == 1).all()
    assert (batch[0, :, 100:] == 0).all()
    assert (batch[0, :, :, 200:] == 0).all()


def test_an_answer_becomes_boxes_in_pixels_of_the_picture() -> None:
    out = np.zeros((1, 5, 4, 6), np.float32)
    out[0, :, 2, 3] = 0.9, 10, 20, 30, 40
    out[0, :, 2, 4] = 0.5, 18, 20, 22, 40
    boxes, tops, heat = decode(out, zoom=0.5, least=0.1, overlap=0.5, stride=8)
    np.testing.assert_allclose(boxes, [[2 * (28 - 10), 2 * (20 - 20), 2 * (28 + 30), 2 * (20 + 40)]])
    np.testing.assert_allclose(heat, [0.9])
    assert np.abs(tops - (2 * 28, 2 * 20)).max() <= 2 * 4


@pytest.mark.parametrize("size", [(0.8, 1.1), (2.5, 1.5)])
@pytest.mark.parametrize("place", [(3.0, 2.0), (3.4, 1.7), (0.0, 4.2), (5.0, 0.0)])
def test_the_middle_of_a_top_face_is_found_between_the_cells(
    place: tuple[float, float], size: tuple[float, float]
) -> None:
    y, x = np.mgrid[0:5, 0:6]
    out = np.full((1, 5, 5, 6), 40, np.float32)
    out[0, 0] = 0.9 * np.exp(-((x - place[0]) ** 2) / (2 * size[0] ** 2) - (y - place[1]) ** 2 / (2 * size[1] ** 2))
    _, tops, _ = decode(out, zoom=0.5, least=0.7, overlap=0.0, stride=8)
    np.testing.assert_allclose(
        tops, [[2 * 8 * (place[0] + 0.5), 2 * 8 * (place[1] + 0.5)]], atol=0.01 + 16 * 0.5 * (0 in place)
    )


def test_dice_of_the_sizes_trained_for_are_trusted_most() -> None:
    trusted = trust(np.array([5, 9, 20, 60, 120, 220, 300]), (9.0, 18.0, 120.0, 220.0))
    np.testing.assert_allclose(trusted, [0, 0, 1, 1, 1, 0, 0], atol=1e-9)


def test_the_coarsest_look_counts_only_for_dice_too_large_for_the_next() -> None:
    def look(zoom: float) -> Look:
        boxes = np.array([[0, 0, 300, 280], [0, 0, 60, 50], [0, 0, 24, 24]], np.float32)
        return Look(Found(boxes, boxes[:, 2:] / np.float32(2), np.full(3, 0.8, np.float32)), zoom)

    coarse, fine = weighed([look(0.3), look(0.7)], (9.0, 18.0, 100.0, 200.0), (100.0, 200.0))
    np.testing.assert_allclose(coarse.heat, [0.8, 0.0, 0.0])
    np.testing.assert_allclose(fine.heat, [0.0, 0.8, 0.7204], atol=1e-3)
    assert weighed([look(0.7)], (9.0, 18.0, 100.0, 200.0), (100.0, 200.0))[0].heat[1] == pytest.approx(0.8)
