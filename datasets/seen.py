"""What the networks see in labelled pictures, looked at once and kept: judging with other thresholds costs nothing."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from datasets.labels import Labelled
from recognizer import boxes, finding, pictures
from recognizer.reader import Candidates, Reader


@dataclass(frozen=True)
class Seen:
    """A labelled picture (width × height pixels) with what the networks made of it."""

    picture: Labelled
    candidates: Candidates
    width: int
    height: int


def look(
    reader: Reader, sources: Iterable[tuple[str, Sequence[Labelled]]], cache: Path | None = None
) -> dict[str, list[Seen]]:
    """What the networks see in every picture of each source, once for all thresholds.

    `cache`: folder to keep it in, one file a source; it must belong to these networks alone (see `fingerprint`).
    """
    return {name: _source(reader, list(pictures), cache) for name, pictures in sources}


def fingerprint(models: Path) -> str:
    """Changes whenever the networks in a folder, or the code that finds candidates with them, do."""
    digest = hashlib.sha256()
    for name in ("detector.onnx", "classifier.onnx"):
        digest.update((models / name).read_bytes())
    for code in (boxes, finding, pictures, Reader):
        digest.update(inspect.getsource(code).encode())
    return digest.hexdigest()[:16]


def _source(reader: Reader, many: list[Labelled], cache: Path | None) -> list[Seen]:
    names = [f"{one.path.resolve()} {one.path.stat().st_mtime_ns}" for one in many]
    file = cache / f"{hashlib.sha256(chr(10).join(names).encode()).hexdigest()[:32]}.npz" if cache else None
    if file is not None and many and file.exists():
        return _read(file, many)
    found = [_look(reader, one) for one in many]
    if file is not None and many:
        file.parent.mkdir(parents=True, exist_ok=True)
        _write(file, found)
    return found


def _look(reader: Reader, picture: Labelled) -> Seen:
    image = pictures.load(picture.path).image
    return Seen(picture, reader.candidates(image), image.shape[1], image.shape[0])


def _write(file: Path, many: Sequence[Seen]) -> None:
    part = file.with_suffix(".part")
    with part.open("wb") as opened:
        np.savez_compressed(
            opened,
            sizes=np.array([(one.width, one.height) for one in many], np.int64),
            counts=np.array([len(one.candidates.boxes) for one in many], np.int64),
            boxes=np.concatenate([one.candidates.boxes for one in many]),
            evidence=np.concatenate([one.candidates.evidence for one in many]),
            faces=np.concatenate([one.candidates.faces for one in many]),
        )
    part.replace(file)


def _read(file: Path, many: Sequence[Labelled]) -> list[Seen]:
    with np.load(file) as kept:
        ends = np.cumsum(kept["counts"])[:-1]
        split = [np.split(kept[part], ends) for part in ("boxes", "evidence", "faces")]
        sizes = kept["sizes"].tolist()
    return [
        Seen(picture, Candidates(places, evidence, faces), width, height)
        for picture, places, evidence, faces, (width, height) in zip(many, *split, sizes, strict=True)
    ]
