"""Probabilities that mean what they say, on outcomes drawn from known ones."""

from __future__ import annotations

import numpy as np

from datasets.calibrate import Outcomes, calibrate, logistic, temperature
from recognizer.reader import Reader


def test_the_weights_from_which_outcomes_were_drawn_are_found_again() -> None:
    rng = np.random.default_rng(0)
    evidence = rng.normal(0, 2, (20_000, 3))
    real = rng.random(20_000) < 1 / (1 + np.exp(-(evidence @ (2.0, 0.5, 0.0) - 1.0)))
    np.testing.assert_allclose(logistic(evidence, real, np.full(20_000, 1 / 20_000)), (2.0, 0.5, 0.0, -1.0), atol=0.12)


def test_outcomes_that_can_be_told_apart_without_error_give_finite_weights() -> None:
    evidence = np.array([[-2.0] * 3, [-1.0] * 3, [1.0] * 3, [2.0] * 3])
    weights = logistic(evidence, np.array([False, False, True, True]), np.full(4, 0.25))
    assert np.isfinite(weights).all()
    assert weights[0] > 0


def test_faces_that_are_too_sure_of_themselves_are_cooled() -> None:
    rng = np.random.default_rng(0)
    chances = rng.dirichlet(np.full(6, 0.3), 5_000)
    face = np.array([rng.choice(6, p=chance) + 1 for chance in chances])
    assert abs(temperature(chances, face, np.ones(5_000)) - 1.0) < 0.15
    sharp = chances**2 / (chances**2).sum(axis=1, keepdims=True)
    assert abs(temperature(sharp, face, np.ones(5_000)) - 2.0) < 0.3


def test_where_nothing_was_found_nothing_is_changed() -> None:
    settings = Reader().classifier
    none = Outcomes(np.zeros((3, 4)), np.zeros(3, bool), np.full((3, 6), 1 / 6), np.ones(3, np.int64))
    assert calibrate([none], settings) == settings
    assert calibrate([], settings) == settings
