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
from datasets.calibrate import Outcomes, calibrate
from datasets.labels import Labelled
from recognizer.model import ClassifierSettings
from recognizer.pictures import load
from recognizer.reader import Candidates, Die, Reader, conclude

EMPTY = 0.9  # share of the pictures without dice in which nothing must be found when `die` is chosen
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

    `die`: of those that find nothing in at least EMPTY of the pictures without dice (all, if none does) and come within
    half a percent of the best, the middle one. `sure`: the lowest that leaves at most SILENT of the pictures sure and
    wrong.
    """
    settings = calibrate([_outcomes(many) for many in seen.values()], settings)
    pairs = itertools.product((0.4, 0.5, 0.6), (1.6, 2.0, 2.5))
    settings = replace(settings, alike=max(pairs, key=lambda pair: macro(table(seen, replace(settings, alike=pair)))))
    grid = np.round(np.concatenate([np.arange(0.1, 0.9, 0.02), np.arange(0.9, 1.0, 0.01)]), 2)
    tables = [table(seen, replace(settings, die=float(die))) for die in grid]
    values = np.array([macro(one) for one in tables])
    empty = {name: [one for one in many if not len(one.picture.faces)] for name, many in seen.items()}
    modest = np.array([_exact(table(empty, replace(settings, die=float(die)))) >= EMPTY for die in grid])
    values[~modest & modest.any()] = -1.0
    good = grid[values >= values.max() - 0.005]
    settings = replace(settings, die=float(good[len(good) // 2]))
    return replace(settings, sure=_sure(seen, settings))


def _exact(scores: dict[str, Score]) -> float:
    """The share of all pictures read exactly; 1 where there is none."""
    total = sum(scores.values(), Score())
    return total.exact / total.pictures if total.pictures else 1.0


def _outcomes(many: Sequence[Seen]) -> Outcomes:
    """All candidates of a source that must be judged: those on dice that ask for no answer are left out."""
    evidence, real, faces, face = [], [], [], []
    for one in many:
        boxes = one.candidates.boxes / (one.width, one.height, one.width, one.height)
        dice = [Die(1, (left, top, right - left, bottom - top), 1.0) for left, top, right, bottom in boxes.tolist()]
        pairs = match(dice, one)
        asked = [i for i in range(len(dice)) if i not in pairs or not one.picture.ignored[pairs[i]]]
        evidence.append(one.candidates.evidence[asked])
        faces.append(one.candidates.faces[asked])
        real += [i in pairs for i in asked]
        face += [int(one.picture.faces[pairs[i]]) if i in pairs else 1 for i in asked]
    return Outcomes(np.concatenate(evidence), np.array(real, bool), np.concatenate(faces), np.array(face, np.int64))


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
