"""How well the models read labelled photographs, and the thresholds that read them best.

`python -m datasets.evaluate MODELS FOLDER...` prints a row a source. A picture counts as read (`exact`) when all its
dice and nothing else were found with the right faces; `silent` are those that the reader was sure of and got wrong.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets import labels
from datasets.labels import Labelled
from recognizer.model import ClassifierSettings
from recognizer.pictures import load
from recognizer.reader import Candidates, Die, Reader, conclude

SILENT = 0.005  # share of the pictures that may be sure and wrong when the threshold for "sure" is chosen


@dataclass(frozen=True)
class Seen:
    """A labelled picture (width × height pixels) with what the networks made of it."""

    picture: Labelled
    candidates: Candidates
    width: int
    height: int


@dataclass(frozen=True)
class Score:
    """Counts over some pictures; the properties are shares."""

    pictures: int = 0
    dice: int = 0
    found: int = 0
    right: int = 0
    false: int = 0
    exact: int = 0
    sure: int = 0
    silent: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(**{name: getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__})

    def row(self) -> str:
        """found (of the dice), false (a picture), value (of the found), exact, sure, silent (of the pictures)."""
        n = max(self.pictures, 1)
        parts = (
            self.found / max(self.dice, 1),
            self.false / n,
            self.right / max(self.found, 1),
            self.exact / n,
            self.sure / n,
            self.silent / n,
        )
        return f"{self.pictures:5} {self.dice:5} " + " ".join(f"{part:7.3f}" for part in parts)


HEADER = f"{'source':24} {'pics':>5} {'dice':>5} " + " ".join(
    f"{name:>7}" for name in ["found", "false", "value", "exact", "sure", "silent"]
)


def look(reader: Reader, sources: Iterable[tuple[str, Sequence[Labelled]]]) -> dict[str, list[Seen]]:
    """What the networks see in every picture, once for all thresholds."""
    seen: dict[str, list[Seen]] = {}
    for name, pictures_of_source in sources:
        for picture in pictures_of_source:
            image = load(picture.path).image
            candidates = reader.candidates(image)
            seen.setdefault(name, []).append(Seen(picture, candidates, image.shape[1], image.shape[0]))
    return seen


def score(seen: Seen, settings: ClassifierSettings) -> Score:
    """One picture judged. A die is matched by its centre, because sources differ in what their boxes enclose; dice that
    ask for no answer are neither missed nor false."""
    dice, sure = conclude(seen.candidates, settings, seen.width, seen.height)
    picture = seen.picture
    mine = match(dice, seen)
    kept = [index for index in range(len(dice)) if not (index in mine and picture.ignored[mine[index]])]
    hits = [index for index in kept if index in mine]
    right = sum(dice[index].face == picture.faces[mine[index]] for index in hits)
    exact = Counter(dice[index].face for index in kept) == Counter(picture.faces[~picture.ignored].tolist())
    return Score(
        1, int((~picture.ignored).sum()), len(hits), right, len(kept) - len(hits), exact, sure, sure and not exact
    )


def match(dice: Sequence[Die], seen: Seen) -> dict[int, int]:
    """{index of a found die: index of the labelled one}, nearest centres first."""
    found = np.array([die.pixels(seen.width, seen.height) for die in dice]).reshape(-1, 4)
    centres = found[:, :2] + found[:, 2:] / 2
    boxes, tops = seen.picture.boxes, seen.picture.tops
    border = 0.3 * (boxes[:, 2:] - boxes[:, :2])
    inside = ((centres[:, None] >= boxes[:, :2] - border) & (centres[:, None] <= boxes[:, 2:] + border)).all(axis=2)
    around = ((tops >= found[:, None, :2]) & (tops <= found[:, None, :2] + found[:, None, 2:])).all(axis=2)
    distance = np.linalg.norm(centres[:, None] - tops, axis=2)
    pairs: dict[int, int] = {}
    for mine, true in sorted(np.argwhere(inside | around).tolist(), key=lambda pair: distance[pair[0], pair[1]]):
        if mine not in pairs and true not in pairs.values():
            pairs[mine] = true
    return pairs


def table(seen: dict[str, list[Seen]], settings: ClassifierSettings) -> dict[str, Score]:
    return {name: sum((score(one, settings) for one in many), Score()) for name, many in seen.items()}


def macro(scores: dict[str, Score]) -> float:
    """The mean of `exact` over sources, so that a large source does not hide a small one."""
    return float(np.mean([one.exact / one.pictures for one in scores.values()]))


def choose(seen: dict[str, list[Seen]], settings: ClassifierSettings) -> ClassifierSettings:
    """The settings calibrated on these pictures, with the thresholds that read them best; never the pictures that were
    trained on.

    Of the thresholds `die` that come within half a percent of the best, the middle one; of those for `sure`, the lowest
    that leaves at most SILENT of the pictures sure and wrong.
    """
    settings = calibrate(seen, settings)
    pairs = itertools.product((0.4, 0.5, 0.6), (1.6, 2.0, 2.5))
    settings = replace(settings, alike=max(pairs, key=lambda pair: _macro(seen, settings, alike=pair)))
    grid = np.round(np.arange(0.1, 0.96, 0.02), 2)
    values = np.array([_macro(seen, settings, die=float(die)) for die in grid])
    good = grid[values >= values.max() - 0.005]
    settings = replace(settings, die=float(good[len(good) // 2]))
    return replace(settings, sure=_sure(seen, settings))


def calibrate(seen: dict[str, list[Seen]], settings: ClassifierSettings) -> ClassifierSettings:
    """The settings with probabilities that mean what they say on these pictures, every source weighing the same."""
    odds, true, faces, weights = [], [], [], []
    for many in seen.values():
        found = [outcome for one in many for outcome in _outcomes(one)]
        for score_of, is_die, face in found:
            odds.append(np.log(score_of / (1 - score_of)))
            true.append(is_die)
            weights.append(1 / len(found))
            if is_die:
                faces.append(face)
    if not faces:
        return settings  # nothing was found: nothing can be said
    chances = np.array(faces)
    temperatures = np.round(np.arange(0.3, 3.0, 0.05), 2)
    likelihood = [
        np.log(chances[:, 0] ** (1 / t) / (chances[:, 1:] ** (1 / t)).sum(axis=1)).sum() for t in temperatures
    ]
    return replace(
        settings,
        calibration=_logistic(np.array(odds), np.array(true), np.array(weights)),
        temperature=float(temperatures[int(np.argmax(likelihood))]),
    )


def _outcomes(one: Seen) -> list[tuple[float, bool, NDArray[np.floating]]]:
    """Of each candidate that must be judged: its score, whether it is a die, and the probability of the die's face
    followed by those of all six."""
    found = one.candidates
    dice = [Die(1, box, 1.0) for box in _fractions(found.boxes, one)]
    pairs = match(dice, one)
    outcomes = []
    for index, value in enumerate(np.clip(found.scores, 1e-6, 1 - 1e-6)):
        true = pairs.get(index)
        if true is None or not one.picture.ignored[true]:
            chances = found.faces[index]
            face = chances[one.picture.faces[true] - 1] if true is not None else 0.0
            outcomes.append((float(value), true is not None, np.concatenate([[face], chances])))
    return outcomes


def _fractions(boxes: NDArray[np.floating], one: Seen) -> list[tuple[float, float, float, float]]:
    """Boxes by their corners in pixels → (left, top, width, height) in fractions of the picture."""
    scaled = boxes / (one.width, one.height, one.width, one.height)
    return [(left, top, right - left, bottom - top) for left, top, right, bottom in scaled.tolist()]


def _logistic(
    odds: NDArray[np.floating], true: NDArray[np.bool_], weights: NDArray[np.floating]
) -> tuple[float, float]:
    """Slope and offset of the logistic regression of `true` on `odds`, by Newton's method with a slight pull to (1,
    0)."""
    inputs = np.column_stack([odds, np.ones_like(odds)])
    start = np.array([1.0, 0.0])
    now, pull = start.copy(), 1e-4
    for _ in range(50):
        said = 1 / (1 + np.exp(-np.clip(inputs @ now, -30, 30)))
        slope = inputs.T @ (weights * (said - true)) + pull * (now - start)
        curve = (inputs * (weights * said * (1 - said))[:, None]).T @ inputs + pull * np.eye(2)
        now = now - np.linalg.solve(curve, slope)
    return float(round(now[0], 4)), float(round(now[1], 4))


def _macro(seen: dict[str, list[Seen]], settings: ClassifierSettings, **thresholds: object) -> float:
    return macro(table(seen, replace(settings, **thresholds)))  # type: ignore[arg-type]


def _sure(seen: dict[str, list[Seen]], settings: ClassifierSettings) -> float:
    grid: NDArray[np.floating] = np.round(np.concatenate([np.arange(0.3, 0.98, 0.02), np.arange(0.98, 1.0, 0.002)]), 3)
    for sure in grid:
        total = sum(table(seen, replace(settings, sure=float(sure))).values(), Score())
        if total.silent <= SILENT * total.pictures:
            return float(sure)
    return 1.0


def sources(folders: Iterable[Path]) -> list[tuple[str, list[Labelled]]]:
    return [(folder.name, labels.load(folder)) for folder in folders]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    options = parser.parse_args()
    reader = Reader(options.models)
    scores = table(look(reader, sources(options.folders)), reader.classifier)
    print(HEADER)
    for name, one in {**scores, "all": sum(scores.values(), Score())}.items():
        print(f"{name:24} {one.row()}")
    print(f"macro exact {macro(scores):.4f}")


if __name__ == "__main__":
    main()
