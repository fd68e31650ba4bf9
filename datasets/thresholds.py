"""The settings that read labelled pictures best: probabilities made honest first, then the thresholds on them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from datasets import evaluate
from datasets.calibrate import Floats, Outcomes, calibrate
from datasets.evaluate import macro, table, total
from datasets.seen import Seen
from recognizer.model import ClassifierSettings
from recognizer.reader import Die

EMPTY = 0.9  # share of the pictures without dice in which nothing must be found when `die` is chosen
SILENT = 0.005  # share of the pictures that may be sure and wrong when the threshold for "sure" is chosen


def choose(seen: Mapping[str, Sequence[Seen]], settings: ClassifierSettings) -> ClassifierSettings:
    """The settings calibrated on these pictures, with the thresholds that read them best; never the pictures that were
    trained on.

    `die`: of those that find nothing in at least EMPTY of the pictures without dice (all, if none does) and come within
    half a percent of the best, the middle one. `sure`: the lowest that leaves at most SILENT of the pictures sure and
    wrong. Without any picture the settings stay as they are.
    """
    if not seen:
        return settings
    settings = calibrate([outcomes(many) for many in seen.values()], settings)
    pairs = itertools.product((0.4, 0.5, 0.6), (1.6, 2.0, 2.5))
    settings = replace(settings, alike=max(pairs, key=lambda pair: macro(table(seen, replace(settings, alike=pair)))))
    grid = np.round(np.concatenate([np.arange(0.1, 0.9, 0.02), np.arange(0.9, 1.0, 0.01)]), 2)
    values = np.array([macro(table(seen, replace(settings, die=float(die)))) for die in grid])
    empty = {name: [one for one in many if not len(one.picture.faces)] for name, many in seen.items()}
    modest = np.array([_exact(empty, replace(settings, die=float(die))) >= EMPTY for die in grid])
    values[~modest & modest.any()] = -1.0
    good = grid[values >= values.max() - 0.005]
    settings = replace(settings, die=float(good[len(good) // 2]))
    return replace(settings, sure=_sure(seen, settings))


def apart(seen: Mapping[str, Sequence[Seen]], settings: ClassifierSettings) -> dict[str, ClassifierSettings]:
    """For each source the settings chosen on all others: what they would be on a table that they have not seen."""
    return {name: choose({other: seen[other] for other in seen if other != name}, settings) for name in seen}


def outcomes(many: Sequence[Seen]) -> Outcomes:
    """All candidates of a source that must be judged: those on dice that ask for no answer are left out."""
    evidence: list[Floats] = [np.zeros((0, 3))]
    faces: list[Floats] = [np.zeros((0, 6))]
    real, face = [], []
    for one in many:
        boxes = one.candidates.boxes / (one.width, one.height, one.width, one.height)
        dice = [Die(1, (left, top, right - left, bottom - top), 1.0) for left, top, right, bottom in boxes.tolist()]
        pairs = evaluate.match(dice, one)
        asked = [i for i in range(len(dice)) if i not in pairs or not one.picture.ignored[pairs[i]]]
        evidence.append(one.candidates.evidence[asked])
        faces.append(one.candidates.faces[asked])
        real += [i in pairs for i in asked]
        face += [int(one.picture.faces[pairs[i]]) if i in pairs else 1 for i in asked]
    return Outcomes(np.concatenate(evidence), np.array(real, bool), np.concatenate(faces), np.array(face, np.int64))


def _exact(seen: Mapping[str, Sequence[Seen]], settings: ClassifierSettings) -> float:
    """The share of all pictures read exactly; 1 where there is none."""
    score = total(table(seen, settings).values())
    return score.exact / score.pictures if score.pictures else 1.0


def _sure(seen: Mapping[str, Sequence[Seen]], settings: ClassifierSettings) -> float:
    """The lowest threshold that leaves few enough of the pictures sure and wrong."""
    every = [one for many in seen.values() for one in many]
    wrong = [evaluate.confidence(one, settings) for one in every if not evaluate.judge(one, settings).exact]
    most = sorted(wrong, reverse=True)[int(SILENT * len(every)) :]
    return min(1.0, math.ceil(1000 * most[0] + 0.1) / 1000) if most else 0.5
