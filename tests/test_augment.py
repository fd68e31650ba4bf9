"""What training does to pictures changes what a camera would see, not what there is to read."""

from __future__ import annotations

import numpy as np
import pytest

from datasets import augment


@pytest.mark.parametrize("seed", range(20))
def test_a_lamp_mirrored_in_a_die_brightens_some_of_it_and_leaves_the_picture_round_it(seed: int) -> None:
    picture = np.full((100, 120, 3), 40, np.uint8)
    seen = augment.glint(picture, (60.0, 50.0), 30.0, np.random.default_rng(seed))
    assert (seen.shape, seen.dtype) == (picture.shape, picture.dtype)
    assert (seen >= 40).all()
    assert (seen > 45).any()
    assert (seen[:10] == 40).all()
    assert (seen[:, :15] == 40).all()
    assert (seen > 45).all(axis=2).mean() < 0.1


@pytest.mark.parametrize("seed", range(20))
def test_a_picture_taken_anew_keeps_its_size_and_its_geometry(seed: int) -> None:
    picture = np.zeros((64, 96, 3), np.uint8)
    picture[20:44, 30:60] = 220
    seen = augment.photograph(picture, np.random.default_rng(seed)).astype(float).mean(axis=2)
    assert seen.shape == (64, 96)
    bright, dark = seen[24:40, 36:54].mean(), seen[:12].mean()
    assert abs(bright - dark) > 15
