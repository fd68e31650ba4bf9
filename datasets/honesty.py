"""Whether confidence means what it says: a reliability diagram, its expected error, and how the doubtful dice fare.

Guo et al. 2017, "On Calibration of Modern Neural Networks": answers are sorted into BINS equally wide bins by
confidence; in an honest reader the share of right answers in each is its mean confidence. The expected calibration
error is the mean distance of the two, each bin weighing as many answers as it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from datasets import evaluate
from datasets.seen import Seen
from recognizer.model import ClassifierSettings

BINS = 10
SINGLE = 24.0  # pixels: dice at least this large are to be found and read almost without exception


@dataclass(frozen=True)
class Bin:
    """Answers of like confidence: how many, their mean confidence and the share that was right."""

    low: float
    high: float
    answers: int
    said: float
    right: float


@dataclass(frozen=True)
class Answers:
    """`confidence` (n,) 0 to 1 and whether each of n answers was `right` (n,)."""

    confidence: NDArray[np.floating]
    right: NDArray[np.bool_]

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, bool]]) -> Answers:
        said, right = zip(*pairs, strict=True) if (pairs := list(pairs)) else ((), ())
        return cls(np.array(said, float), np.array(right, bool))

    @property
    def bins(self) -> list[Bin]:
        """The bins that hold answers."""
        place = np.minimum((self.confidence * BINS).astype(int), BINS - 1)
        return [
            Bin(
                k / BINS,
                (k + 1) / BINS,
                int((place == k).sum()),
                float(self.confidence[place == k].mean()),
                float(self.right[place == k].mean()),
            )
            for k in range(BINS)
            if (place == k).any()
        ]

    @property
    def error(self) -> float:
        """The expected calibration error, 0 to 1; NaN where there is no answer."""
        if not len(self.right):
            return float("nan")
        return sum(one.answers * abs(one.said - one.right) for one in self.bins) / len(self.right)


@dataclass(frozen=True)
class Honesty:
    """How some pictures were answered.

    `dice`: confidences of the dice found; `readings`: those of whole readings of pictures in which a die was found.
    Counts: `found` labelled dice, of which the right face was likeliest or second (`second`); `large`, dice of at least
    SINGLE pixels, of which `large_found` and `large_right`; `right` readings of pictures that show dice, of which
    `sure`; `exact` readings of all pictures; `silent`, sure and wrong, of all `pictures`.
    """

    dice: Answers
    readings: Answers
    found: int
    second: int
    large: int
    large_found: int
    large_right: int
    right: int
    sure: int
    exact: int
    silent: int
    pictures: int


def honesty(
    seen: Mapping[str, Sequence[Seen]], settings: ClassifierSettings | Mapping[str, ClassifierSettings]
) -> Honesty:
    """The answers to these pictures with one settings for all, or with those of each source."""
    each = settings if isinstance(settings, Mapping) else dict.fromkeys(seen, settings)
    judged = [(one, each[name]) for name, many in seen.items() for one in many]
    verdicts = [evaluate.judge(one, setting) for one, setting in judged]
    hits = [(die, face, side) for verdict in verdicts for die, face, side in verdict.hits]
    large = [(die, face) for die, face, side in hits if side >= SINGLE]
    with_dice = [verdict for verdict in verdicts if verdict.score.dice]
    right = [verdict for verdict in with_dice if verdict.exact]
    return Honesty(
        dice=Answers.of(
            (die.confidence, true == die.face)
            for verdict in verdicts
            for die, true in zip(verdict.dice, verdict.faces, strict=True)
        ),
        readings=Answers.of(
            (evaluate.confidence(one, setting), verdict.exact)
            for (one, setting), verdict in zip(judged, verdicts, strict=True)
            if verdict.dice
        ),
        found=len(hits),
        second=sum(face in (die.face, *(other for other, _ in die.alternatives[:1])) for die, face, _ in hits),
        large=sum(int((verdict.sides >= SINGLE).sum()) for verdict in verdicts),
        large_found=len(large),
        large_right=sum(die.face == face for die, face in large),
        right=len(right),
        sure=sum(verdict.sure for verdict in right),
        exact=sum(verdict.exact for verdict in verdicts),
        silent=sum(verdict.score.silent for verdict in verdicts),
        pictures=len(verdicts),
    )
