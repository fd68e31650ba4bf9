"""Solved sheets on disk. I/O. May know: solve.

A table is a header line and arrays. The header says for which rules, by which solver and how it was made, and carries a
checksum of itself and of all else: a table for other rules, or one that is not whole, is refused with ForeignTable and
never used.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorekeeper.reach import State, sheets_of
from scorekeeper.refusal import Refusal, _
from scorekeeper.rules import RuleSet
from scorekeeper.solve import PLANES, SPARE, VALUES, Cone, Layer

FORMAT, SOLVER = 3, 2  # SOLVER changes with whatever changes a value
HEADER, ALIGNED = 4096, 64
ENDING = ".table"
STALE = 3600  # seconds after which nobody writes a file any more


class ForeignTable(Refusal):
    """The file is no table for these rules, or it is damaged. It was not used."""


def path(folder: Path, rules: RuleSet, start: State | None = None) -> Path:
    """Where the table of what comes after `start` lies in a folder, by default that of a whole game."""
    of_rules = f"{rules.key}-{rules.fingerprint[:16]}"
    name = f"{of_rules}-{start.filled:x}-{start.upper}-{start.carried}" if start else of_rules
    return folder / f"{name}{ENDING}"


def starts(folder: Path, rules: RuleSet) -> Iterator[tuple[State, Path]]:
    """The tables in a folder, other than that of a whole game, and where each begins."""
    of_rules = path(folder, rules).stem
    for file in folder.glob(f"{of_rules}-*{ENDING}"):
        filled, upper, carried = file.stem.removeprefix(f"{of_rules}-").split("-")
        yield State(int(filled, 16), int(upper), int(carried)), file


def make_room(folder: Path, room: int) -> None:
    """Remove the oldest tables, other than those of whole games, until the others fit so many bytes.

    What a process that was killed left half-written goes, too.
    """
    for part in folder.glob("*.part"):
        if time.time() - part.stat().st_mtime > STALE:
            part.unlink(missing_ok=True)
    found = sorted(folder.glob(f"*-*-*-*-*{ENDING}"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file, used in zip(found, accumulate(file.stat().st_size for file in found), strict=True):
        if used > room:
            file.unlink(missing_ok=True)


def save(cone: Cone, file: Path) -> None:
    """Write the table, whole or not at all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(f".{os.getpid()}.part")  # another process may write the same
    digest = hashlib.sha256()
    layers = [[filled, len(layer.sheets.sets), layer.sheets.size] for filled, layer in cone.layers.items()]
    planes = PLANES[: max(len(layer.planes) for layer in cone.layers.values())]
    with part.open("wb") as out:
        out.write(bytes(HEADER))
        for array in _arrays(cone):
            for data in (array.view(np.uint8).data, bytes(-array.nbytes % ALIGNED)):
                digest.update(data)
                out.write(data)
        out.seek(0)
        out.write(signed(describe(cone, precision="float32", planes=planes, layers=layers), digest.hexdigest()))
        out.flush()
        os.fsync(out.fileno())
    part.replace(file)


def load(file: Path, rules: RuleSet) -> Cone:
    """The table in this file, as a memory map; ForeignTable where it is not one for these rules."""
    try:
        with file.open("rb") as stream:
            line = stream.read(HEADER)
            head = checked(line, hashlib.file_digest(stream, "sha256").hexdigest(), rules, file)
        start = State(**head["start"])
        data = np.memmap(file, np.uint8, "r", HEADER)
        return Cone(rules, start, dict(_layers(data, rules, start, head)))
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, ForeignTable):
            raise
        raise ForeignTable(_("{path} is not a table: {reason}."), path=file, reason=error) from error


def describe(cone: Cone, **more: Any) -> dict[str, Any]:
    """What a table says of itself: for which rules, by which solver, from where, and how it was made."""
    made = f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, NumPy {np.__version__}"
    known = {"format": FORMAT, "solver": SOLVER, "rules": cone.rules.key, "fingerprint": cone.rules.fingerprint}
    return known | {"made": made, "start": asdict(cone.start)} | more


def signed(head: dict[str, Any], digest: str) -> bytes:
    """The header line of data with this checksum: with a checksum of both."""
    return json.dumps(head | {"sha256": _seal(head, digest)}).encode().ljust(HEADER - 1) + b"\n"


def checked(line: bytes, digest: str, rules: RuleSet, file: Path) -> dict[str, Any]:
    """The header in this line; ForeignTable where it is for other rules, or not what was signed."""
    head: dict[str, Any] = json.loads(line)
    expected = {"format": FORMAT, "solver": SOLVER, "fingerprint": rules.fingerprint}
    if {key: head.get(key) for key in expected} != expected:
        raise ForeignTable(_("{path} is not a table for these rules."), path=file)
    if head.pop("sha256") != _seal(head, digest):
        raise ForeignTable(_("{path} is damaged."), path=file)
    return head


def _seal(head: dict[str, Any], digest: str) -> str:
    return hashlib.sha256((json.dumps(head, sort_keys=True) + digest).encode()).hexdigest()


def _arrays(cone: Cone) -> Iterator[NDArray[Any]]:
    for layer in cone.layers.values():
        yield layer.sheets.sets
        yield from layer.planes


def _layers(data: NDArray[np.uint8], rules: RuleSet, start: State, head: dict[str, Any]) -> Iterator[tuple[int, Layer]]:
    begin, names = 0, head.get("planes", PLANES[:VALUES])
    if tuple(names) != PLANES[: len(names)]:
        raise ValueError(f"planes {names}")
    for filled, sets, size in head["layers"]:
        sheets = sheets_of(rules, start, data[begin : begin + 8 * sets].view(np.int64))
        if sheets.size != size:
            raise ValueError(f"{size} sheets with {filled} boxes filled")
        begin += 8 * sets + -8 * sets % ALIGNED
        nbytes, planes = 4 * (size + SPARE), []
        for _plane in names:
            planes.append(data[begin : begin + nbytes].view(np.float32))
            begin += nbytes + -nbytes % ALIGNED
        yield filled, Layer(sheets, tuple(planes))
