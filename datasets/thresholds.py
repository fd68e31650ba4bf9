"""The settings that read labelled pictures best: probabilities made honest first, then the thresholds on them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from datasets import evaluate, labels
from datasets.calibrate import Floats, Outcomes, calibrate
from datasets.evaluate import macro, table
from datasets.seen import Seen
from recognizer.model import ClassifierSettings
from recognizer.reader import Die

DIE, FIRST = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8), (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99)  # what is tried
NEAR = 0.003  # of the mean share of exact readings
SILENT = 0.005  # share of the pictures that may be sure and wrong when the threshold for "sure" is chosen


def choose(
    usual: Mapping[str, Sequence[Seen]], settings: ClassifierSettings, hard: Sequence[Seen] = ()
) -> ClassifierSettings:
    """The settings calibrated on these pictures, with the thresholds that read them best; never the pictures that were
    trained on. `usual` is what people take, source by source; `hard`, one source more, is hard on purpose.

    `die` and `first`: of the pairs that come within NEAR of the best, the one in their middle. `sure`: the lowest that
    leaves at most SILENT of the usual pictures, and of the hard ones, sure and wrong. Without any picture the settings
    stay as they are.
    """
    seen = {**usual, **({labels.RENDERED: hard} if hard else {})}
    if not seen:
        return settings
    settings = calibrate([outcomes(many) for many in seen.values()], settings)
    pairs = np.array([(die, first) for die, first in itertools.product(DIE, FIRST) if die <= first])
    values = np.array([macro(table(seen, replace(settings, die=die, first=first))) for die, first in pairs.tolist()])
    good = pairs[values >= values.max() - NEAR]
    odds = np.log(good / (1 - good))
    die, first = good[np.linalg.norm(odds - odds.mean(axis=0), axis=1).argmin()].tolist()
    settings = replace(settings, die=die, first=first)
    every = [one for many in usual.values() for one in many]
    return replace(settings, sure=max(_sure(every, settings), _sure(hard, settings)))


def apart(
    usual: Mapping[str, Sequence[Seen]], settings: ClassifierSettings, hard: Sequence[Seen] = ()
) -> dict[str, ClassifierSettings]:
    """For each usual source the settings chosen on all others: what they would be on a table that they have not
    seen."""
    return {name: choose({other: usual[other] for other in usual if other != name}, settings, hard) for name in usual}


def outcomes(many: Sequence[Seen]) -> Outcomes:
    """All candidates of a source that must be judged: those on dice that ask for no answer are left out."""
    evidence: list[Floats] = [np.zeros((0, 4))]
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


def _sure(every: Sequence[Seen], settings: ClassifierSettings) -> float:
    """The lowest threshold that leaves at most a share of SILENT of the pictures sure and wrong."""
    wrong = [evaluate.confidence(one, settings) for one in every if not evaluate.judge(one, settings).exact]
    most = sorted(wrong, reverse=True)[int(SILENT * len(every)) :]
    return min(1.0, math.ceil(1000 * most[0] + 0.1) / 1000) if most else 0.5
