"""Makes the models again: renders, trains, calibrates, judges and writes the card.

`python -m datasets.make OUT --photos FOLDER` leaves detector.onnx, classifier.onnx, dice.md and reliability.svg in OUT.
Whatever is there already is not done again: stop it whenever you like and start the same command to go on. FOLDER holds
`train` (sources to learn from) and, to choose thresholds and to judge, `dev` (sources that are never trained on).
Without it everything comes from rendered pictures alone.

`--leave-out NAME...` trains without these sources of `train` and judges on them, into OUT/left-out.json, which the card
of another run shows when it is named with `--left-out`. OUT/note.md, where there is one, goes into the card as it is.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import torch

from datasets import judging, kinds, labels, progress
from datasets.judging import Judging
from datasets.progress import Step

RENDERING = 0.22  # seconds of one core a picture, on the software rasteriser; these serve the first estimate only
LOOKING = 0.1  # seconds a picture
PHOTOS = 600  # to be judged, roughly


def main() -> None:
    options = _arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    progress.run(steps(options))
    print(f"Done: {', '.join(str(options.out / name) for name in judging.WRITTEN)}")


def steps(options: argparse.Namespace) -> list[Step]:
    """What is to be done, each with the time that what is left of it may take."""
    renders: Path = options.renders or options.out / "renders"
    tests: Path = options.tests or options.out / "kinds"
    tested, workers = options.of_each_kind * len(kinds.TESTED), os.cpu_count() or 1
    rendering = RENDERING / workers
    judge = Judging(
        options.out, options.photos, renders, tests, options.leave_out, options.at_most, tuple(options.left_out)
    )
    learning = Step(
        "pictures to learn from",
        max(options.pictures - _rendered(renders), 0) * rendering,
        lambda: _run("synthesize", renders, "--count", options.pictures, "--seed", options.seed, "--workers", workers),
        lambda: _rendered(renders) / options.pictures,
    )
    testing = Step(
        "test pictures of each kind",
        (1 - kinds.ready(tests, options.of_each_kind)) * tested * rendering,
        lambda: _run("kinds", tests, "--count", options.of_each_kind, "--workers", workers),
        lambda: kinds.ready(tests, options.of_each_kind),
    )
    left = _untrained(options)
    training = Step("training", 60 * max(left.values(), default=0.0), lambda: train(renders, options))
    return [
        *([learning] if options.pictures else []),
        *([testing] if options.of_each_kind else []),
        *([training] if left else []),
        Step("judging", (PHOTOS + tested) * LOOKING, judge.finish, judge.share),
    ]


def train(renders: Path, options: argparse.Namespace) -> None:
    """What is left of both trainings side by side, each with its share of the processor; each goes on from its
    checkpoint."""
    common = ["--renders", renders, "--minutes", options.minutes, "--seed", options.seed]
    common += ["--cache", options.out / "decoded", "--threads", options.threads]
    if options.photos:
        common += ["--photos", options.photos / "train", "--leave-out", *options.leave_out]
    parts = {"detector": [], "classifier": ["--detector", options.out / "detector.pt"]}
    left = _untrained(options)
    running = [_start(f"train_{part}", options.out / f"{part}.pt", *parts[part], *common) for part in left]
    try:
        codes = [process.wait() for process in running]
    except BaseException:
        for process in running:
            process.terminate()
        raise
    if any(codes):
        sys.exit("A training stopped with an error; see above. The same command goes on from its last checkpoint.")


def _untrained(options: argparse.Namespace) -> dict[str, float]:
    """The networks that are not trained to the end, each with the minutes that are left."""
    left = {}
    for part in ("detector", "classifier"):
        path = options.out / f"{part}.pt"
        used = torch.load(path, weights_only=True, map_location="cpu")["used"] / 60 if path.exists() else 0.0
        if used < options.minutes:
            left[part] = options.minutes - used
    return left


def _rendered(renders: Path) -> int:
    """How many pictures to learn from there are."""
    return sum(
        len(json.loads((shard / "annotations.json").read_text("utf-8"))["images"]) for shard in labels.shards(renders)
    )


def _run(module: str, *arguments: object) -> None:
    if _start(module, *arguments).wait():
        sys.exit(f"datasets.{module} stopped with an error; see above.")


def _start(module: str, *arguments: object) -> subprocess.Popen[bytes]:
    """A module of this package as a process of its own, its idle threads asleep."""
    command = [sys.executable, "-m", f"datasets.{module}", *map(str, arguments)]
    return subprocess.Popen(command, env={**os.environ, "OMP_WAIT_POLICY": "PASSIVE"})


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder for the models and everything on the way to them")
    parser.add_argument("--photos", type=Path, help="folder with train/ and dev/")
    parser.add_argument("--renders", type=Path, help="folder with rendered shards (default: OUT/renders)")
    parser.add_argument(
        "--pictures", type=int, default=12000, help="pictures to render (default: 12000); 0: those there are will do"
    )
    parser.add_argument("--tests", type=Path, help="folder with test pictures of each kind (default: OUT/kinds)")
    parser.add_argument(
        "--of-each-kind", type=int, default=40, help="test pictures of each kind to render (default: 40); 0: none"
    )
    parser.add_argument(
        "--minutes", type=float, default=400, help="time to train (default: 400); 0: the checkpoints there are will do"
    )
    parser.add_argument("--threads", type=int, default=1, help="threads of each of the two trainings (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="NAME", help="sources to judge, not to train on")
    parser.add_argument(
        "--at-most", type=int, default=0, metavar="N", help="judge N pictures of each source left out (default: all)"
    )
    parser.add_argument(
        "--left-out", nargs="*", default=[], type=Path, metavar="FILE", help="left-out.json of other runs, for the card"
    )
    options = parser.parse_args()
    if options.seed + options.pictures > kinds.FIRST_SEED:
        parser.error(f"seeds from {kinds.FIRST_SEED} on belong to the test pictures")
    if options.leave_out and not options.photos:
        parser.error("there is nothing to leave out without --photos")
    for name in options.leave_out:
        if not (options.photos / "train" / name).is_dir():
            parser.error(f"{options.photos / 'train'} has no source {name}")
    return options


if __name__ == "__main__":
    main()
