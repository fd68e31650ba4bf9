"""How well the models read labelled photographs.

`python -m datasets.evaluate MODELS FOLDER...` prints a row a source. A picture counts as read (`exact`) when all its
dice and nothing else were found with the right faces; `silent` are those that the reader was sure of and got wrong.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from datasets import labels
from datasets.labels import Labelled
from datasets.seen import Seen, fingerprint, look
from recognizer.model import ClassifierSettings, Floats
from recognizer.reader import Die, Reader, conclude


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


@dataclass(frozen=True)
class Verdict:
    """One picture judged: `dice`, those found that count, `true`, for each of them the labelled die it lies on or -1,
    and whether the reader was sure. Dice that ask for no answer are neither missed nor false."""

    picture: Labelled
    dice: tuple[Die, ...]
    true: tuple[int, ...]
    sure: bool

    @property
    def exact(self) -> bool:
        asked = self.picture.faces[~self.picture.ignored]
        return Counter(die.face for die in self.dice) == Counter(asked.tolist())

    @property
    def sides(self) -> Floats:
        """The longer sides in pixels of the labelled dice that are asked for."""
        boxes = self.picture.boxes[~self.picture.ignored]
        return np.asarray((boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0))

    @property
    def faces(self) -> tuple[int, ...]:
        """The true face of each of `dice`, 0 for what is no die."""
        return tuple(int(self.picture.faces[of]) if of >= 0 else 0 for of in self.true)

    @property
    def hits(self) -> list[tuple[Die, int, float]]:
        """The dice found, each with its true face and the longer side in pixels of its labelled box."""
        boxes = self.picture.boxes
        return [
            (die, int(self.picture.faces[of]), float((boxes[of, 2:] - boxes[of, :2]).max()))
            for die, of in zip(self.dice, self.true, strict=True)
            if of >= 0
        ]

    @property
    def score(self) -> Score:
        return Score(
            pictures=1,
            dice=int((~self.picture.ignored).sum()),
            found=len(self.hits),
            right=sum(die.face == face for die, face, _ in self.hits),
            false=len(self.dice) - len(self.hits),
            exact=self.exact,
            sure=self.sure,
            silent=self.sure and not self.exact,
        )


def judge(seen: Seen, settings: ClassifierSettings) -> Verdict:
    """What the reader makes of one picture, judged."""
    dice, whole = conclude(seen.candidates, settings, seen.width, seen.height)
    return verdict(seen, dice, whole >= settings.sure)


def verdict(seen: Seen, dice: Sequence[Die], sure: bool) -> Verdict:
    """An answer judged. A die is matched by its centre, because sources differ in what their boxes enclose."""
    mine = match(dice, seen)
    kept = [index for index in range(len(dice)) if not (index in mine and seen.picture.ignored[mine[index]])]
    return Verdict(seen.picture, tuple(dice[i] for i in kept), tuple(mine.get(i, -1) for i in kept), sure)


def confidence(seen: Seen, settings: ClassifierSettings) -> float:
    """That of a whole reading; 0 where no die was found."""
    return conclude(seen.candidates, settings, seen.width, seen.height)[1]


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


def table(seen: Mapping[str, Sequence[Seen]], settings: ClassifierSettings) -> dict[str, Score]:
    return {name: total(judge(one, settings).score for one in many) for name, many in seen.items()}


def total(scores: Iterable[Score]) -> Score:
    return sum(scores, Score())


def macro(scores: Mapping[str, Score]) -> float:
    """The mean of `exact` over sources, so that a large source does not hide a small one."""
    return float(np.mean([one.exact / one.pictures for one in scores.values()]))


def sources(folders: Iterable[Path]) -> list[tuple[str, list[Labelled]]]:
    """The pictures of some folders, each a source or full of shards of rendered pictures."""
    return [(folder.name, _pictures(folder)) for folder in folders]


def _pictures(folder: Path) -> list[Labelled]:
    shards = [labels.load(shard, labels.RENDERED) for shard in labels.shards(folder)]
    return [picture for shard in shards for picture in shard] if shards else labels.load(folder)


def show(scores: Mapping[str, Score]) -> None:
    """Prints a row a source."""
    print(HEADER)
    for name, one in {**scores, "all": total(scores.values())}.items():
        print(f"{name:24} {one.row()}")
    print(f"macro exact {macro(scores):.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--cache", type=Path, help="folder to keep in what the networks saw")
    parser.add_argument("--misses", type=Path, help="picture to write, with all that was read wrongly")
    options = parser.parse_args()
    reader = Reader(options.models)
    cache = options.cache / fingerprint(options.models) if options.cache else None
    seen = look(reader, sources(options.folders), cache)
    show(table(seen, reader.classifier))
    if options.misses:
        from datasets import misses

        if (drawn := misses.sheet(seen, reader.classifier)) is not None:
            cv2.imwrite(str(options.misses), drawn)


if __name__ == "__main__":
    main()
