"""Whole sources left out of training: what networks that never saw a table make of it, written where the card of the
shipped networks can show it.

`python -m datasets.make OUT --photos FOLDER --leave-out NAME...` trains without these sources and writes
OUT/left-out.json.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets import labels
from datasets.evaluate import Score
from datasets.honesty import Answers, Honesty
from datasets.labels import Labelled

FILE = "left-out.json"


@dataclass(frozen=True)
class LeftOut:
    """One training without some sources: how its networks were `made`, what they make of each source, and how honest
    they are about it."""

    made: tuple[str, ...]
    scores: dict[str, Score]
    honesty: Honesty


def sources(photos: Path, names: Sequence[str], most: int) -> list[tuple[str, list[Labelled]]]:
    """The sources left out, each with at most `most` pictures, evenly taken; with all if that is 0."""
    return [(name, evenly(labels.load(photos / name), most)) for name in names]


def evenly(pictures: list[Labelled], most: int) -> list[Labelled]:
    """At most `most` of them, as far apart as they can be; all if that is 0."""
    if not most or len(pictures) <= most:
        return pictures
    return [pictures[index] for index in np.linspace(0, len(pictures) - 1, most).round().astype(int)]


def write(file: Path, result: LeftOut) -> None:
    file.write_text(json.dumps(asdict(result), default=_listed), "utf-8")


def _listed(array: NDArray[np.floating] | NDArray[np.bool_]) -> object:
    return array.tolist() if array.dtype == bool else np.round(array, 5).tolist()


def read(file: Path) -> LeftOut:
    """Raises OSError or ValueError where it is missing or damaged."""
    try:
        content = json.loads(file.read_text("utf-8"))
        figures = content["honesty"]
        for part in ("dice", "readings"):
            figures[part] = Answers.of(zip(figures[part]["confidence"], figures[part]["right"], strict=True))
        scores = {name: Score(**score) for name, score in content["scores"].items()}
        return LeftOut(tuple(content["made"]), scores, Honesty(**figures))
    except (KeyError, TypeError) as error:
        raise ValueError(f"{file} does not tell what was left out: {error}") from error
