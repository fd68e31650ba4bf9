"""Test pictures of every kind that is known to go wrong in reading dice, rendered with seeds that training never uses.

`python -m datasets.kinds OUT --count 40` fills OUT/KIND/shard-0000; stopped and started again, it goes on with the
kinds that are not whole. Every kind is rendered with the same seeds, FIRST_SEED and up: the same wishes for a picture,
bent towards each kind in turn, so that two rows differ by their kind and not by their luck. The seeds of training
pictures lie below FIRST_SEED.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import cv2

from datasets import labels
from datasets.evaluate import Score, Verdict, total
from datasets.labels import Labelled

FIRST_SEED = 1_000_000_000
ANY = "any"  # drawn freely, as most training pictures are
SIZE = (512, 512)
TESTED = {
    ANY: "any picture, as drawn for training",
    "glare": "glare in hollow, glossy pips",
    "shiny_pips": "silver pips under a lamp",
    "merging_sixes": "sixes whose pips merge",
    "neighbouring_twos": "twos side by side",
    "touching": "dice that touch",
    "stacked": "dice on dice",
    "cocked": "dice that lean on others",
    "side_faces": "side faces well in view, 58° from above",
    "light_tent": "white light from all round, or a ring of it",
    "steep": "from low beside the table",
    "dark_translucent": "dark translucent dice",
    "vivid": "pips and body told apart by hue alone",
    "swirled": "two colours swirled",
    "inlaid": "pips on a round inlay",
    "white_on_white": "washed-out white dice on white",
    "patterned_cloth": "dotted and woven cloth",
    "print": "print, cards and letters beside the dice",
    "dominoes": "dominoes beside the dice",
    "numeral_dice": "dice with digits beside the dice",
    "asian": "Asian dice: a large or red 1",
    "cut_off": "dice cut off by the edge",
    "mixed_sizes": "large and small dice together",
    "clutter": "household things all over the table",
    "hand": "a hand in the picture",
    "dim": "little light, much noise",
    "motion_blur": "moved while the shutter was open",
    "small": "dice of about 20 pixels",
    "large": "one die of about 330 pixels",
    "single": "one die",
    "many": "12 to 30 dice",
    "any_rotation": "from above, turned any way",
    "any_size": "dice of 20 to 400 pixels",
    "overhead": "from straight above",
    "phone_angle": "a phone held at an angle",
    "fisheye": "a round view",
    "greyscale": "a grey camera",
    "no_dice": "no dice, but things like dice",
}
"""What is tested, by the generator's name of the kind, in words for the card."""
SIDES = (10, 20, 30, 45, 70, 110, 180, 300, 520)  # pixels: ranges of sizes told apart
NUMBERS = (1, 2, 3, 4, 5, 6, 7, 10, 15, 21, 31)  # ranges of the number of dice


def render(folder: Path, count: int, workers: int = 1) -> Iterator[str]:
    """Renders `count` pictures (at most a shard) of each kind into `folder`; yields the kinds that are ready."""
    work = [(folder / kind, kind, count) for kind in TESTED]
    if workers > 1:
        # a fresh interpreter each: an OpenGL context does not survive a fork
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            yield from pool.imap(_render, work)
    else:
        yield from map(_render, work)


def _render(work: tuple[Path, str, int]) -> str:
    from datasets import synthesize  # needs OpenGL, which those who only judge may lack

    folder, kind, count = work
    cv2.setNumThreads(1)
    shard = folder / "shard-0000"
    if (shard / "annotations.json").exists() and len(_images(shard)) != count:
        shutil.rmtree(shard)
    for _ in synthesize.synthesize(folder, count, FIRST_SEED, SIZE, kind="" if kind == ANY else kind):
        pass
    return kind


def _images(shard: Path) -> list[object]:
    images: list[object] = json.loads((shard / "annotations.json").read_text("utf-8"))["images"]
    return images


def ready(folder: Path, count: int) -> float:
    """The share of the kinds of which `count` pictures are there."""
    shards = [folder / kind / "shard-0000" for kind in TESTED]
    whole = [shard for shard in shards if (shard / "annotations.json").exists() and len(_images(shard)) == count]
    return len(whole) / len(TESTED)


def load(folder: Path) -> list[tuple[str, list[Labelled]]]:
    """The test pictures of each kind that is ready, in the order of TESTED."""
    return [
        (kind, labels.load(folder / kind / "shard-0000", labels.RENDERED))
        for kind in TESTED
        if (folder / kind / "shard-0000" / "annotations.json").is_file()
    ]


def by_side(verdicts: Iterable[Verdict]) -> dict[str, Score]:
    """Dice asked for, found and right, by the longer side of the die in pixels."""
    ranges = [(f"{low} to {high}", low, high) for low, high in itertools.pairwise(SIDES)]
    scores = {name: Score() for name, _, _ in ranges}
    for verdict in verdicts:
        for name, low, high in ranges:
            hits = [die.face == face for die, face, side in verdict.hits if low <= side < high]
            asked = int(((verdict.sides >= low) & (verdict.sides < high)).sum())
            scores[name] += Score(dice=asked, found=len(hits), right=sum(hits))
    return {name: one for name, one in scores.items() if one.dice}


def by_number(verdicts: Iterable[Verdict]) -> dict[str, Score]:
    """The scores of pictures that show so many dice."""
    verdicts = list(verdicts)
    ranges = [
        (f"{low} to {high - 1}" if high > low + 1 else f"{low}", low, high) for low, high in itertools.pairwise(NUMBERS)
    ]
    scores = {name: total(one.score for one in verdicts if low <= one.score.dice < high) for name, low, high in ranges}
    return {name: one for name, one in scores.items() if one.pictures}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder for the test pictures, not within that of training pictures")
    parser.add_argument("--count", type=int, default=40, help="pictures of each kind, at most 100 (default: 40)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default: 1)")
    options = parser.parse_args()
    os.environ.setdefault("LP_NUM_THREADS", "1")  # the software rasteriser: one thread a worker
    for number, kind in enumerate(render(options.out, options.count, options.workers), 1):
        print(f"{number}/{len(TESTED)} kinds: {kind}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
