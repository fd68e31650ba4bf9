"""Labelled pictures of dice: what a folder in COCO layout holds, and what each known source means by a box.

A source is a folder with `images/` and `annotations.json`. In an annotation `bbox` is [x, y, w, h] in pixels of the
upright picture and `category_id` is the value of the top face. Rendered pictures add `top` (box of the top face),
`visible` (share of the die that can be seen) and a list `decoys` of things that are not dice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

RENDERED = "rendered"
READABLE = 0.75  # a die of which less can be seen is neither asked for nor counted as background
TILTED = (
    0.2  # offset of the top face from the die's centre, in sides of the die, from which "up" matters (about 33 degrees)
)
PIPS_OF_FACE = 0.72  # side of the box round the pips of a 4, 5 or 6 against the side of the face
BODY_OF_FACE = 1.35  # side of the box round a whole die, some of its sides in view, against the side of the face
PIP_SPAN = np.array(
    [np.nan, 0.3, 0.8, 0.9, 1.0, 1.0, 1.0]
)  # longer side of the box round the pips, by value, against that of a 6


@dataclass(frozen=True)
class Source:
    """What is peculiar to one set of photographs.

    `box` says what its boxes enclose: "die" (the whole body, closely), "loose" (the body with a border that varies) or
    "pips" (the pips of the top face). `tilted`: the camera looks from the side, so that turning a picture upside down
    would make a side face look like the top. `share` is its weight among the real sources in training.
    """

    box: str
    tilted: bool
    share: float
    licence: str
    credit: str


SOURCES = {
    "nell_byler": Source("loose", False, 1.5, "BSD-3-Clause", "Nell Byler, github.com/nell-byler/dice_detection"),
    "matteop65": Source("pips", True, 1.0, "MIT", "matteop65, github.com/matteop65/Dice_Detection_Recognition"),
    "epanemu_roboflow": Source("die", True, 1.0, "CC BY 4.0", "Epanemu, GameDiceRecognition (Roboflow export)"),
    "rune55_trays": Source("die", True, 1.0, "CC BY 4.0", "Roboflow user rune55, dice in felt trays"),
    "rune55_fisheye_grey": Source(
        "loose", False, 0.7, "CC BY 4.0", "Roboflow user rune55, dice through a grey fisheye"
    ),
}
UNKNOWN = Source("die", False, 1.0, "", "")


@dataclass(frozen=True)
class Labelled:
    """One picture and its n dice.

    `boxes` (n, 4) left, top, right, bottom of the whole die in pixels; `close` (n,) whether that box is exact enough to
    learn its sides; `tops` (n, 2) the centre of the top face; `faces` (n,) 1 to 6; `ignored` (n,) dice that are there
    but ask for no answer; `decoys` (m, 4) things that could be mistaken for dice; `tilted` as in `Source`.
    """

    path: Path
    source: str
    boxes: NDArray[np.float32]
    close: NDArray[np.bool_]
    tops: NDArray[np.float32]
    faces: NDArray[np.int64]
    ignored: NDArray[np.bool_]
    decoys: NDArray[np.float32]
    tilted: bool


def load(folder: Path, name: str | None = None) -> list[Labelled]:
    """All pictures of one source, in the order of their file names.

    `name` is the key into SOURCES (default: the folder's name). Raises OSError or ValueError where the labels are
    missing or damaged.
    """
    name = name or folder.name
    content = json.loads((folder / "annotations.json").read_text())
    dice: dict[int, list[dict[str, object]]] = {}
    decoys: dict[int, list[list[float]]] = {}
    for annotation in content["annotations"]:
        dice.setdefault(annotation["image_id"], []).append(annotation)
    for decoy in content.get("decoys", []):
        decoys.setdefault(decoy["image_id"], []).append(decoy["bbox"])
    images = sorted(content["images"], key=lambda image: str(image["file_name"]))
    return [
        _labelled(folder / "images" / image["file_name"], name, dice.get(image["id"], []), decoys.get(image["id"], []))
        for image in images
    ]


def shards(folder: Path) -> Iterator[Path]:
    """The finished shards anywhere in a folder of rendered pictures; one that is still being written has no labels
    yet."""
    for path in sorted(folder.rglob("shard-*")):
        if (path / "annotations.json").is_file():
            yield path


def _labelled(path: Path, name: str, dice: list[dict[str, object]], decoys: list[list[float]]) -> Labelled:
    source = SOURCES.get(name, UNKNOWN)
    boxes = _corners([die["bbox"] for die in dice])
    faces = np.array([die["category_id"] for die in dice], dtype=np.int64)
    tops = _middle(_corners([die.get("top", die["bbox"]) for die in dice]))
    ignored = np.array([_ignored(die) for die in dice], dtype=np.bool_)
    if source.box == "pips":
        boxes = bodies(boxes, faces)
    close = np.full(len(dice), source.box == "die")
    return Labelled(
        path, name, boxes, close, tops, faces, ignored, _corners(decoys), source.tilted or _leaning(boxes, tops)
    )


def _ignored(die: dict[str, object]) -> bool:
    visible = die.get("visible", 1.0)
    unclear = any(die.get(key) for key in ("ambiguous", "custom_symbol", "iscrowd"))
    return unclear or (isinstance(visible, float) and visible < READABLE)


def bodies(pips: NDArray[np.float32], faces: NDArray[np.int64]) -> NDArray[np.float32]:
    """Boxes round whole dice, guessed from boxes (n, 4) round the pips of their top faces.

    The dice of one picture are taken to be equally large, so the wide patterns tell how large a die with a single pip
    is. The camera stands at the picture's lower edge: the body reaches further down than the top face.
    """
    if not len(pips):
        return pips
    spans = (pips[:, 2:] - pips[:, :2]).max(axis=1) / PIP_SPAN[faces]
    telling = spans[faces > 1] if (faces > 1).any() else spans
    face = float(np.median(telling)) / PIPS_OF_FACE
    centres = _middle(pips) + np.array([0.0, 0.18 * face], dtype=np.float32)
    half = np.float32(face * BODY_OF_FACE / 2)
    return np.concatenate([centres - half, centres + half], axis=1).astype(np.float32)


def _leaning(boxes: NDArray[np.float32], tops: NDArray[np.float32]) -> bool:
    if not len(boxes):
        return False
    side = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, keepdims=True)
    return bool(np.median(np.linalg.norm((tops - _middle(boxes)) / side, axis=1)) > TILTED)


def _corners(boxes: list[object] | list[list[float]]) -> NDArray[np.float32]:
    array = np.array(boxes, dtype=np.float32).reshape(-1, 4)
    array[:, 2:] += array[:, :2]
    return array


def _middle(boxes: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2, dtype=np.float32)
