"""`kast bench read`: how long a reading takes, stage by stage, and what it weighs.

May know the eye. Nothing here imports what reading does not need, for the memory is measured too.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TextIO

import cv2
import numpy as np
from numpy.typing import NDArray

from recognizer import pictures
from recognizer.reader import MODELS, STAGES, Lap
from web import memory
from web.eye import reader

FRAMES = Path(__file__).parent / "frames"
THREADS = (1, 2)
WARM_UP = 2  # readings of every frame before the clock counts: memory is allocated, clock rates have risen

Image = NDArray[np.uint8]
Read = Callable[[Image, Lap], object]
Clock = Callable[[], float]


def run(args: argparse.Namespace) -> int:
    """Measure with each number of threads and print what was found."""
    frames = [pictures.load(path).image for path in sorted(FRAMES.glob("*.jpg"))]
    runs = []
    for threads in (args.threads,) if args.threads else THREADS:
        cv2.setNumThreads(threads)
        eye = reader(threads=threads)
        measured = measure(eye.read, frames, args.rounds, progress=Progress(f"{threads} threads", sys.stderr))
        runs.append({"threads": threads, **measured})
    height, width = frames[0].shape[:2]
    found: dict[str, Any] = {"model": eye.version, "frames": len(frames), "width": width, "height": height}
    found |= {"rounds": args.rounds, "runs": runs}
    found |= {"models_mb": round(sum(path.stat().st_size for path in MODELS.glob("*.onnx")) / 1e6, 2)}
    found |= {"memory_mb": round(memory.peak() / 1e6, 1)}
    print(json.dumps(found) if args.json else say(found))
    return 0


def measure(
    read: Read,
    frames: Sequence[Image],
    rounds: int,
    clock: Clock = time.perf_counter,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> dict[str, Any]:
    """{"ms": median of a whole reading, "stages": {name: {"ms": median, "share": of all time, 0 to 1}}}.

    Every round reads every frame once, so that whatever else the computer does meets all of them alike.
    """
    wholes: list[float] = []
    stages: dict[str, list[float]] = {stage: [] for stage in STAGES}
    for done in range(WARM_UP + rounds):
        for frame in frames:
            watch = Stopwatch(clock)
            read(frame, watch)
            if done >= WARM_UP:
                wholes.append(sum(watch.spent.values()))
                for stage in STAGES:
                    stages[stage].append(watch.spent[stage])
        progress(done + 1, WARM_UP + rounds)
    total = sum(wholes)
    each = {
        name: {"ms": round(1000 * statistics.median(spent), 2), "share": round(sum(spent) / total, 4)}
        for name, spent in stages.items()
    }
    return {"ms": round(1000 * statistics.median(wholes), 2), "stages": each}


class Stopwatch:
    """Seconds spent on each stage, from the moment when it is made."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._at = clock, clock()
        self.spent = dict.fromkeys(STAGES, 0.0)

    def __call__(self, stage: str) -> None:
        now = self._clock()
        self.spent[stage] += now - self._at
        self._at = now


class Progress:
    """A line on a terminal, nothing elsewhere."""

    def __init__(self, what: str, out: TextIO) -> None:
        self._what, self._out = what, out

    def __call__(self, done: int, of: int) -> None:
        if self._out.isatty():
            end = "\n" if done == of else ""
            print(f"\r{self._what}: round {done} of {of}", end=end, file=self._out, flush=True)


def say(found: dict[str, Any]) -> str:
    """A table for people."""
    runs = found["runs"]
    lines = [
        f"Model {found['model']}: {found['frames']} frames of {found['width']} × {found['height']}, "
        f"{found['rounds']} rounds, decoding of the files not counted.",
        "".join(["stage       ", *(f"{'threads: ' + str(run['threads']):>22}" for run in runs)]),
    ]
    for stage in STAGES:
        cells = (run["stages"][stage] for run in runs)
        lines.append("".join([f"{stage:12}", *(f"{cell['ms']:12.2f} ms{cell['share']:7.1%}" for cell in cells)]))
    lines.append("".join(["whole       ", *(f"{run['ms']:12.2f} ms       " for run in runs)]).rstrip())
    lines.append(f"models      {found['models_mb']:12.2f} MB")
    lines.append(f"memory      {found['memory_mb']:12.1f} MB at most")
    return "\n".join(lines)
