"""Renders labelled pictures of dice, a pure function of the seed, into shards that are written whole or not at all.

python -m datasets.synthesize OUT --count 1000 --seed 0 --size 512 --workers 2 [--kind NAME]
python -m datasets.synthesize --examples web/static/examples
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.rendering.arrange import arrange
from datasets.rendering.bends import KINDS, wish
from datasets.rendering.label import label
from datasets.rendering.photograph import photograph
from datasets.rendering.recipe import Recipe
from datasets.rendering.render import Renderer
from datasets.rendering.scene import Image

SHARD = 100


@lru_cache(maxsize=1)
def renderer() -> Renderer:
    """The one renderer of this process."""
    return Renderer()


def recipe_of(seed: int, kind: str = "") -> Recipe:
    """The recipe of a seed, bent towards a named kind if one is given."""
    rng = np.random.default_rng([seed, 1])
    recipe = wish(rng)
    return KINDS[kind](recipe, rng) if kind else recipe


def picture(
    seed: int, size: tuple[int, int] = (512, 512), kind: str = "", recipe: Recipe | None = None, samples: float = 2.0
) -> tuple[Image, dict[str, Any]]:
    """The picture of a seed (H × W × 3, blue green red) of (width, height) pixels, and its labels.

    Labels: {"kinds": [...], "annotations": [...], "decoys": [...]}, as `label.label` writes them.
    """
    recipe = recipe or recipe_of(seed, kind)
    rng = np.random.default_rng([seed, 2])
    scene = arrange(recipe, rng, *size)
    raster = renderer().draw(scene, samples)
    image = photograph(raster, recipe, rng)
    dice, decoys = label(scene, recipe, raster, image)
    return image, {"kinds": [*recipe.kinds, *scene.tags], "annotations": dice, "decoys": decoys}


def write_shard(folder: Path, seeds: range, size: tuple[int, int], kind: str) -> None:
    """Renders the pictures of `seeds`; annotations.json comes last, so a shard that has it is whole."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    book: dict[str, list[dict[str, Any]]] = {"images": [], "annotations": [], "decoys": []}
    for number, seed in enumerate(seeds, 1):
        image, labels = picture(seed, size, kind)
        name = f"{seed:06d}.jpg"
        cv2.imwrite(str(folder / "images" / name), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        book["images"].append(
            {
                "id": number,
                "file_name": name,
                "width": size[0],
                "height": size[1],
                "seed": seed,
                "kinds": labels["kinds"],
            }
        )
        for part in ("annotations", "decoys"):
            book[part] += [{"image_id": number, **found} for found in labels[part]]
    for identity, found in enumerate(book["annotations"], 1):
        found["id"] = identity
    waiting = folder / "annotations.json.part"
    waiting.write_text(json.dumps(book), "utf-8")
    waiting.replace(folder / "annotations.json")


def _write_shard(work: tuple[Path, range, tuple[int, int], str]) -> int:
    cv2.setNumThreads(1)
    write_shard(*work)
    return len(work[1])


def synthesize(
    out: Path, count: int, seed: int, size: tuple[int, int], *, workers: int = 1, kind: str = ""
) -> Iterator[int]:
    """Writes `count` pictures with the seeds seed, seed + 1, … in shards of 100; skips shards that are whole.

    Yields the number of pictures done, as it grows.
    """
    work = [
        (out / f"shard-{k:04d}", range(seed + k * SHARD, seed + min((k + 1) * SHARD, count)), size, kind)
        for k in range(-(-count // SHARD))
    ]
    left = [w for w in work if not (w[0] / "annotations.json").exists()]
    done = sum(len(w[1]) for w in work) - sum(len(w[1]) for w in left)
    yield done
    if workers > 1:
        # a fresh interpreter each: an OpenGL context does not survive a fork
        with multiprocessing.get_context("spawn").Pool(workers) as pool:
            for more in pool.imap_unordered(_write_shard, left):
                yield (done := done + more)
    else:
        for item in left:
            yield (done := done + _write_shard(item))


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m datasets.synthesize", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path, nargs="?", help="folder for the shards")
    parser.add_argument("--count", type=int, default=1000, help="pictures in all (default 1000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first picture (default 0)")
    parser.add_argument("--size", default="512", help="edge in pixels, or WIDTHxHEIGHT (default 512)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default 1)")
    parser.add_argument(
        "--kind",
        default="",
        choices=["", *KINDS],
        metavar="NAME",
        help=f"only pictures of this kind: {', '.join(KINDS)}",
    )
    parser.add_argument("--examples", type=Path, metavar="FOLDER", help="write the example rolls there instead")
    options = parser.parse_args(arguments)
    os.environ.setdefault("LP_NUM_THREADS", "1")  # the software rasteriser: one thread a worker
    if options.examples:
        from datasets import examples

        examples.write(options.examples)
        return 0
    if options.out is None:
        parser.error("name the folder for the shards")
    width, _, height = options.size.partition("x")
    start, first = time.monotonic(), None
    for done in synthesize(
        options.out,
        options.count,
        options.seed,
        (int(width), int(height or width)),
        workers=options.workers,
        kind=options.kind,
    ):
        first = done if first is None else first
        spent = time.monotonic() - start
        left = f", about {spent / (done - first) * (options.count - done):.0f} s left" if done > first else ""
        print(f"{done}/{options.count} pictures, {spent:.0f} s{left}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
