"""Renders clips of whole turns, pure functions of their seeds, with the truth beside them.

python -m datasets.clips OUT --turns 300 --seed 0 --size 640x360

A clip is OUT/000123.avi, ten frames a second, and OUT/000123.json, which is written last: a clip that has it is whole,
and is not rendered again. The truth:

    seed, rules, dice, fps, size [width, height], seconds
    throws   [{at: seconds when the last die came to rest, dice: [{value, box: [x, y, w, h] in pixels}], kept: [indices
             into dice]}]; dice that lie there from the start are a throw at 0
    other    [{kind, from, to}]: what happened that is no throw
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.clips.camera import Camera, is_legible
from datasets.clips.director import FPS, Director, NoRoom
from datasets.clips.film import Film, Studio
from datasets.clips.stage import Stage
from datasets.clips.turn import play, rules_of
from datasets.rendering.scene import Image, Thing


@lru_cache(maxsize=1)
def studio() -> Studio:
    """The one renderer of this process."""
    return Studio()


def turn(seed: int, size: tuple[int, int]) -> tuple[Director, Stage]:
    """What happens in the clip of a seed, and where; the first of its tables that has room and on which every die is
    legible wherever it comes to lie."""
    rules = rules_of(seed)
    for attempt in range(100):
        rng = np.random.default_rng([seed, 3, attempt])
        stage = Stage.of(rng, rules.dice, size)
        if not _is_legible(stage, stage.dice, seed):
            continue
        try:
            director = play(stage, rules, rng)
        except NoRoom:
            continue
        if all(_is_legible(stage, dice, seed) for dice in director.tables):
            return director, stage
    raise NoRoom(f"no table of seed {seed} has room")


def _is_legible(stage: Stage, dice: Sequence[Thing], seed: int) -> bool:
    return is_legible(stage, dice, studio(), np.random.default_rng([seed, 4]))


def frames(director: Director, stage: Stage, seed: int) -> Iterator[Image]:
    """The frames of a turn."""
    film = Film(stage, studio())
    camera = Camera(stage.recipe, np.random.default_rng([seed, 4]), film.at_rest(stage.dice))
    for shot in director.shots:
        yield camera.take(shot, film)


def write(seed: int, out: Path, size: tuple[int, int]) -> None:
    """Renders one clip; the truth comes last."""
    director, stage = turn(seed, size)
    path = out / f"{seed:06d}.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, size)
    video.set(cv2.VIDEOWRITER_PROP_QUALITY, 92)
    for frame in frames(director, stage, seed):
        video.write(frame)
    video.release()
    waiting = path.with_suffix(".part")
    waiting.write_text(json.dumps(truth(director, seed, size)), "utf-8")
    waiting.replace(path.with_suffix(".json"))


def truth(director: Director, seed: int, size: tuple[int, int]) -> dict[str, Any]:
    """What is true of a clip."""
    rules = rules_of(seed)
    about = {"seed": seed, "rules": rules.key, "dice": rules.dice, "fps": FPS, "size": list(size)}
    return about | {"seconds": director.at, "throws": director.truth, "other": director.other}


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m datasets.clips", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path, help="folder for the clips")
    parser.add_argument("--turns", type=int, default=300, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first (default: %(default)s)")
    parser.add_argument("--seeds", type=Path, metavar="FILE", help="a file with a seed a line, instead")
    parser.add_argument("--size", default="640x360", help="WIDTHxHEIGHT in pixels (default: %(default)s)")
    options = parser.parse_args(arguments)
    os.environ.setdefault("LP_NUM_THREADS", "1")  # the software rasteriser
    cv2.setNumThreads(1)
    width, _, height = options.size.partition("x")
    options.out.mkdir(parents=True, exist_ok=True)
    seeds = [*range(options.seed, options.seed + options.turns)]
    if options.seeds:
        seeds = [int(line) for line in options.seeds.read_text("utf-8").split("\n") if line and line[0] != "#"]
    left = [seed for seed in seeds if not (options.out / f"{seed:06d}.json").exists()]
    begun = time.monotonic()
    for done, seed in enumerate(left, 1):
        write(seed, options.out, (int(width), int(height)))
        spent = time.monotonic() - begun
        ready = len(seeds) - len(left) + done
        rest = spent / done * (len(left) - done)
        print(f"{ready}/{len(seeds)} turns, {spent:.0f} s, about {rest:.0f} s left", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
