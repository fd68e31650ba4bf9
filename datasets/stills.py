"""Rendered pictures that ship: one fault each for the tests of the hints, and the frames that the benchmark reads.

python -m datasets.stills tests/pictures/faults web/frames
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

import cv2

from datasets.examples import BEECH, CLEAN, FAR_EAST, GILDED, IVORY, NAVY, RUBY
from datasets.rendering.recipe import Recipe
from datasets.synthesize import picture
from recognizer import hints

FELT = replace(CLEAN, die=70.0, dice=5, looks=(IVORY,), top="felt", tilt=20.0)
HEAP = replace(FELT, die=75.0, looks=(RUBY, IVORY, NAVY), stacked=0.8, touching=0.7)
POLISHED = replace(NAVY, surface=replace(NAVY.surface, rough=0.02, coat=1.0))


@dataclass(frozen=True)
class Still:
    """A picture to be rendered, of (width, height) pixels; `hints` are what must be told of it, nothing of a good
    one."""

    file: str
    recipe: Recipe
    seed: int
    size: tuple[int, int]
    hints: tuple[str, ...] = ()


FAULTS = (
    Still("good-1.jpg", FELT, 3, (480, 360)),
    Still("good-2.jpg", replace(FELT, looks=(RUBY,), top="stone", tilt=35.0), 3, (480, 360)),
    Still("good-3.jpg", replace(FELT, looks=(NAVY,), top="wood", touching=1.0), 4, (480, 360)),
    Still("dark.jpg", replace(FELT, looks=(IVORY, NAVY), exposure=0.025, noise=0.02), 1, (480, 360), (hints.DARK,)),
    Still("shaken.jpg", replace(FELT, motion=26.0), 4, (480, 360), (hints.BLURRED,)),
    Still("defocused.jpg", replace(FELT, looks=(NAVY,), top="wood", blur=6.0), 5, (480, 360), (hints.BLURRED,)),
    Still(
        "glare.jpg",
        replace(FELT, looks=(POLISHED,), dice=3, die=100.0, tilt=57.0, light="window", exposure=1.6, spread=0.6),
        22,
        (480, 360),
        (hints.GLARE,),
    ),
    Still(
        "cut-off.jpg", replace(FELT, top="wood", cut_off=True, spread=1.0, die=90.0), 6, (480, 360), (hints.CUT_OFF,)
    ),
    Still("hidden-1.jpg", replace(HEAP, tilt=45.0), 5, (480, 360), (hints.HIDDEN,)),
    Still("hidden-2.jpg", replace(HEAP, tilt=45.0), 6, (480, 360), (hints.HIDDEN,)),
    Still("too-small.jpg", replace(FELT, die=24.0, spread=0.5), 4, (400, 300), (hints.TOO_SMALL,)),
    Still("too-far.jpg", replace(FELT, top="wood", die=9.5, spread=0.25), 4, (1280, 960), (hints.TOO_FAR,)),
)

HD = (1280, 720)
FRAMES = (
    Still("frame-1.jpg", replace(CLEAN, looks=(IVORY,), top="wood", dice=5, tilt=25.0, die=44.0), 2, HD),
    Still("frame-2.jpg", replace(CLEAN, looks=(RUBY, NAVY), top="wood", dice=6, tilt=40.0, die=56.0), 3, HD),
    Still("frame-3.jpg", replace(CLEAN, looks=(GILDED,), top="weave", dice=5, tilt=10.0, die=36.0, noise=0.02), 4, HD),
    Still(
        "frame-4.jpg",
        replace(CLEAN, looks=(FAR_EAST,), dice=6, tilt=30.0, die=50.0, tray="box", decoys=("coin", "card", "button")),
        5,
        HD,
    ),
    Still("frame-5.jpg", replace(CLEAN, looks=(IVORY, RUBY, BEECH), top="felt", dice=20, tilt=20.0, die=40.0), 6, HD),
    Still("frame-6.jpg", replace(CLEAN, top="wood", dice=0, decoys=("coin", "card", "token")), 7, HD),
)
"""What a camera above a table sees in a game: five or six dice most of the time, many once, none once."""


def write(stills: tuple[Still, ...], folder: Path) -> None:
    """Writes the pictures, and stills.json: [{"file", "seed", "values" of the dice that can be judged, "hints"}]."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = []
    for still in stills:
        image, labels = picture(still.seed, still.size, recipe=still.recipe, samples=4.0)
        cv2.imwrite(str(folder / still.file), image, [cv2.IMWRITE_JPEG_QUALITY, 70])
        values = sorted(die["category_id"] for die in labels["annotations"] if "ambiguous" not in die)
        listed.append({"file": still.file, "seed": still.seed, "values": values, "hints": still.hints})
    lines = ",\n ".join(json.dumps(entry) for entry in listed)
    (folder / "stills.json").write_text(f"[{lines}]\n", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("faults", type=Path, help="folder for the pictures with a fault each")
    parser.add_argument("frames", type=Path, help="folder for the frames of the benchmark")
    options = parser.parse_args()
    os.environ.setdefault("LP_NUM_THREADS", "1")  # as datasets.synthesize
    write(FAULTS, options.faults)
    write(FRAMES, options.frames)


if __name__ == "__main__":
    main()
