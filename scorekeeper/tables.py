"""Solved sheets on disk. I/O. May know: solve.

A table is a header line and arrays. The header says for which rules, by which solver and how it was made, and carries a
checksum: a table for other rules, or one that is not whole, is refused with ForeignTable and never used.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorekeeper.refusal import Refusal, _
from scorekeeper.rules import RuleSet
from scorekeeper.solve import Cone, Layer, State

FORMAT, SOLVER = 1, 1  # SOLVER changes with whatever changes a value
HEADER, ALIGNED = 4096, 64


class ForeignTable(Refusal):
    """The file is no table for these rules, or it is damaged. It was not used."""


def path(folder: Path, rules: RuleSet) -> Path:
    """Where the table for these rules lies in a folder."""
    return folder / f"{rules.key}-{rules.fingerprint[:16]}.table"


def save(cone: Cone, file: Path) -> None:
    """Write the table, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    digest = hashlib.sha256()
    with part.open("wb") as out:
        out.write(bytes(HEADER))
        for array in _arrays(cone):
            data = np.ascontiguousarray(array).tobytes()
            padded = data + bytes(-len(data) % ALIGNED)
            digest.update(padded)
            out.write(padded)
        header = json.dumps(_header(cone) | {"sha256": digest.hexdigest()}).encode()
        out.seek(0)
        out.write(header.ljust(HEADER - 1) + b"\n")
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)


def load(file: Path, rules: RuleSet) -> Cone:
    """The table in this file, as a memory map; ForeignTable where it is not one for these rules."""
    try:
        with file.open("rb") as stream:
            header: dict[str, Any] = json.loads(stream.read(HEADER))
            expected = {"format": FORMAT, "solver": SOLVER, "fingerprint": rules.fingerprint}
            if {key: header.get(key) for key in expected} != expected:
                raise ForeignTable(_("{path} is not a table for these rules."), path=file)
            if hashlib.file_digest(stream, "sha256").hexdigest() != header["sha256"]:
                raise ForeignTable(_("{path} is damaged."), path=file)
        start = State(**header["start"])
        data = np.memmap(file, np.uint8, "r", HEADER)
        return Cone(rules, start, dict(_layers(data, header["layers"])))
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, ForeignTable):
            raise
        raise ForeignTable(_("{path} is not a table: {reason}."), path=file, reason=error) from error


def _header(cone: Cone) -> dict[str, Any]:
    layers = [[filled, list(layer.values.shape)] for filled, layer in cone.layers.items()]
    made = {"format": FORMAT, "solver": SOLVER, "rules": cone.rules.key, "fingerprint": cone.rules.fingerprint}
    return made | {"precision": "float32", "start": asdict(cone.start), "layers": layers}


def _arrays(cone: Cone) -> Iterator[NDArray[Any]]:
    for layer in cone.layers.values():
        yield layer.sets
        yield layer.values


def _layers(data: NDArray[np.uint8], shapes: list[Any]) -> Iterator[tuple[int, Layer]]:
    begin = 0
    for filled, shape in shapes:
        parts = []
        for kind, size in ((np.int64, shape[:1]), (np.float32, shape)):
            bytes_ = int(np.prod(size)) * np.dtype(kind).itemsize
            parts.append(data[begin : begin + bytes_].view(kind).reshape(size))
            begin += bytes_ + -bytes_ % ALIGNED
        yield filled, Layer(*parts)
