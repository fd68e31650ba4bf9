"""A classical pip counter to compare with: round blobs, dark and light, gathered into dice by their distance.

What is commonly built first, and small on purpose. It knows nothing of how dice look but that pips are round, equally
large and near each other. `python -m datasets.counter FOLDER...` prints a row a source, as `datasets.evaluate` does.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets import evaluate
from datasets.evaluate import Score, total
from datasets.labels import Labelled
from datasets.seen import Seen
from recognizer import pictures
from recognizer.reader import Candidates, Die

Image = NDArray[np.uint8]
Pips = NDArray[np.floating]  # (n, 3): x, y, radius in pixels

LONGEST = 1024  # pixels: larger pictures are shrunk to this, as a person who tunes blob sizes would do
REACH = 7.5  # in radii: pips nearer than this belong together; those of a 2 lie 5 to 7.5 apart
LIKE = 1.6  # ratio of radii up to which two pips may belong to one die
NONE = Candidates(np.zeros((0, 4)), np.zeros((0, 4)), np.zeros((0, 6)))


def read(image: Image, reach: float = REACH) -> tuple[Die, ...]:
    """The dice that the counter sees on a picture (H, W, 3)."""
    height, width = image.shape[:2]
    zoom = min(1.0, LONGEST / max(height, width))
    small = cv2.resize(image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA) if zoom < 1 else image
    grey = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    groups = [group for shade in (0, 255) for group in gather(blobs(grey, shade), reach) if len(group) <= 6]
    dice: list[Die] = []
    for group in sorted(groups, key=len, reverse=True):
        border = 2 * group[:, 2].mean()  # from the pips to the edge of the face
        left, top = group[:, :2].min(axis=0) - border
        right, bottom = group[:, :2].max(axis=0) + border
        box = np.array([left, top, right - left, bottom - top]) / zoom / (width, height, width, height)
        if not any(_covers(die, box) for die in dice):
            dice.append(Die(len(group), tuple(box.tolist()), 1.0))
    return tuple(dice)


def blobs(grey: Image, shade: int) -> Pips:
    """Round dark (`shade` 0) or light (255) blobs of a grey picture."""
    wanted = cv2.SimpleBlobDetector.Params()
    wanted.blobColor = shade
    wanted.minThreshold, wanted.maxThreshold, wanted.thresholdStep = 20, 240, 12
    wanted.minRepeatability, wanted.minDistBetweenBlobs = 3, 3
    wanted.filterByArea, wanted.minArea, wanted.maxArea = True, 8, 0.004 * grey.size
    wanted.filterByCircularity, wanted.minCircularity = True, 0.7
    wanted.filterByConvexity, wanted.minConvexity = True, 0.85
    wanted.filterByInertia, wanted.minInertiaRatio = True, 0.35
    found = cv2.SimpleBlobDetector.create(wanted).detect(grey)
    return np.array([(*blob.pt, blob.size / 2) for blob in found], float).reshape(-1, 3)


def gather(pips: Pips, reach: float) -> Iterator[Pips]:
    """Groups of pips in which each has a like neighbour within `reach` mean radii: single linkage."""
    left = set(range(len(pips)))
    while left:
        group = [left.pop()]
        for one in group:  # grows while it is walked through
            near = [other for other in left if _joined(pips[one], pips[other], reach)]
            left.difference_update(near)
            group += near
        yield pips[group]


def _joined(one: Pips, other: Pips, reach: float) -> bool:
    radii = one[2], other[2]
    distance = np.hypot(*(one[:2] - other[:2]))
    return bool(max(radii) <= LIKE * min(radii) and distance <= reach * (radii[0] + radii[1]) / 2)


def _covers(die: Die, box: NDArray[np.floating]) -> bool:
    """Whether the centre of one lies in the other."""
    left, top, wide, high = die.box
    x, y = box[:2] + box[2:] / 2
    mine = left + wide / 2 - box[0], top + high / 2 - box[1]
    return bool(
        (left <= x <= left + wide and top <= y <= top + high) or (0 <= mine[0] <= box[2] and 0 <= mine[1] <= box[3])
    )


def table(sources: Iterable[tuple[str, Sequence[Labelled]]], reach: float = REACH) -> dict[str, Score]:
    """The counter judged like the networks. It has no doubts: it is sure whenever it sees a die."""
    return {name: total(_score(one, reach) for one in many) for name, many in sources}


def _score(picture: Labelled, reach: float) -> Score:
    image = pictures.load(picture.path).image
    dice = read(image, reach)
    return evaluate.verdict(Seen(picture, NONE, image.shape[1], image.shape[0]), dice, bool(dice)).score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--reach", type=float, default=REACH, help=f"in radii of a pip (default: {REACH:g})")
    options = parser.parse_args()
    evaluate.show(table(evaluate.sources(options.folders), options.reach))


if __name__ == "__main__":
    main()
