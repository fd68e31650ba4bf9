"""Probabilities that mean what they say: of a hundred dice read with 0.9, ninety are right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recognizer.model import ClassifierSettings

Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Outcomes:
    """Candidates of one source and what they were: `evidence` (n, 4) as in `reader.Candidates`, `real` (n,) whether it
    was a die, `faces` (n, 6) and `face` (n,) the true one, 1 to 6, where it was."""

    evidence: Floats
    real: NDArray[np.bool_]
    faces: Floats
    face: NDArray[np.int64]


def calibrate(sources: Iterable[Outcomes], settings: ClassifierSettings) -> ClassifierSettings:
    """The settings with weights and temperature that suit these outcomes best, every source weighing the same."""
    many = [one for one in sources if len(one.real)]
    if not any(one.real.any() for one in many):
        return settings  # nothing was found: nothing can be said
    evidence, real = np.concatenate([one.evidence for one in many]), np.concatenate([one.real for one in many])
    weights = np.concatenate([np.full(len(one.real), 1 / len(one.real)) for one in many])
    faces, face = np.concatenate([one.faces for one in many])[real], np.concatenate([one.face for one in many])[real]
    return replace(
        settings,
        calibration=logistic(evidence, real, weights),
        temperature=temperature(faces, face, weights[real]),
    )


def logistic(evidence: Floats, real: NDArray[np.bool_], weights: Floats) -> tuple[float, ...]:
    """Weights of the columns of `evidence` and offset of a logistic regression, by Newton's method.

    A slight pull to (1, 1, 0, …) keeps it finite where the outcomes can be told apart without error.
    """
    inputs = np.column_stack([evidence, np.ones(len(evidence))])
    start = np.zeros(inputs.shape[1])
    start[:2] = 1.0
    now, pull = start.copy(), 1e-3
    for _ in range(50):
        said = 1 / (1 + np.exp(-np.clip(inputs @ now, -30, 30)))
        slope = inputs.T @ (weights * (said - real)) + pull * (now - start)
        curve = (inputs * (weights * said * (1 - said))[:, None]).T @ inputs + pull * np.eye(len(start))
        now = now - np.linalg.solve(curve, slope)
    return tuple(float(round(value, 4)) for value in now)


def temperature(faces: Floats, face: NDArray[np.int64], weights: Floats) -> float:
    """The temperature (Guo et al. 2017) under which the true faces are likeliest, each die with its weight."""
    grid = np.round(np.arange(0.4, 3.0, 0.05), 2)
    log = np.log(np.maximum(faces, 1e-9))
    true = np.arange(len(face)), face - 1
    likelihood = [float((weights * (log[true] / t - np.log(np.exp(log / t).sum(axis=1)))).sum()) for t in grid]
    return float(grid[int(np.argmax(likelihood))])
