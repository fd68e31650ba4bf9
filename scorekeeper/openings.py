"""Openings that come with Kast: what few sheets at the beginning of a game are worth, packed. I/O. May know: tables.

Values are whole multiples of STEP; of the spreads of final totals and the chances of the bonus, which decide nothing, a
person is told less, and so is kept. Next to each other they differ little, and so do their differences: only these are
kept, in the directions ALONG, and pressed (LZMA).
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Iterator
from functools import reduce
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorekeeper.reach import Sheets, State, sheets_of
from scorekeeper.refusal import _
from scorekeeper.rules import RuleSet
from scorekeeper.solve import PLANES, SPARE, VALUES, Cone, Layer
from scorekeeper.tables import HEADER, ForeignTable, checked, describe, signed

STEP = 2.0**-14  # points; no value is off by more than half of it
STEPS = (STEP, 2.0**-4, 2.0**-9)  # of the planes of a layer: values, standard deviations (points), chances
ALONG = ((0, 1, 1, 2), (0, 1, 2), (0, 1, 2))  # from set to set, once or twice along throws carried, along upper totals
PRESS: list[dict[str, Any]] = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 0, "lp": 0, "pb": 0}]
VARIANCE = PLANES.index("variance")
ENDING = ".opening"


def path(folder: Path, rules: RuleSet) -> Path:
    """Where the opening of these rules lies in a folder."""
    return folder / f"{rules.key}-{rules.fingerprint[:16]}{ENDING}"


def pack(cone: Cone) -> tuple[bytes, dict[str, Any]]:
    """The opening as it is shipped, and its header: with the precision, and the largest error measured, in points."""
    layers, pieces, worst = [], [], 0.0
    planes = min(len(layer.planes) for layer in cone.layers.values())
    for filled, layer in cone.layers.items():
        sheets = layer.sheets
        layers.append([filled, len(sheets.sets)])
        pieces.append(np.diff(sheets.sets, prepend=0).astype("<i4").tobytes())
        for n, index in product(range(planes), _tables(sheets)):
            exact = layer.planes[n][index]
            whole = np.rint((np.sqrt(exact) if n == VARIANCE else exact) / STEPS[n]).astype(np.int32)
            if n == 0:
                worst = max(worst, float(np.abs(whole * STEP - exact.astype(np.float64)).max()))
            pieces.append(_bytes(reduce(lambda steps, axis: np.diff(steps, axis=axis, prepend=0), ALONG[n], whole)))
    data = lzma.compress(b"".join(pieces), lzma.FORMAT_RAW, filters=PRESS)
    precision = f"multiples of 1/{1 / STEP:.0f} point"
    head = describe(cone, precision=precision, worst=worst, planes=PLANES[:planes], layers=layers)
    return signed(head, hashlib.sha256(data).hexdigest()) + data, head


def unpack(file: Path, rules: RuleSet) -> Cone:
    """The opening in this file; ForeignTable where it is not one for these rules, whole and unaltered."""
    try:
        line, data = (content := file.read_bytes())[:HEADER], content[HEADER:]
        head = checked(line, hashlib.sha256(data).hexdigest(), rules, file)
        start, raw = (
            State(**head["start"]),
            np.frombuffer(lzma.decompress(data, lzma.FORMAT_RAW, None, PRESS), np.uint8),
        )
        layers, at = {}, 0
        for filled, sets in head["layers"]:
            sheets = sheets_of(rules, start, np.cumsum(raw[at : at + 4 * sets].view("<i4"), dtype=np.int64))
            at += 4 * sets
            planes = tuple(np.zeros(sheets.size + SPARE, np.float32) for _name in head.get("planes", PLANES[:VALUES]))
            for n, index in product(range(len(planes)), _tables(sheets)):
                steps = _whole(raw[at : at + 4 * index.size]).reshape(index.shape)
                found = reduce(lambda whole, axis: np.cumsum(whole, axis, np.int32), ALONG[n], steps) * STEPS[n]
                planes[n][index] = found**2 if n == VARIANCE else found
                at += 4 * index.size
            layers[filled] = Layer(sheets, planes)
        return Cone(rules, start, layers)
    except (OSError, ValueError, KeyError, TypeError, lzma.LZMAError) as error:
        if isinstance(error, ForeignTable):
            raise
        raise ForeignTable(_("{path} is not a table: {reason}."), path=file, reason=error) from error


def _tables(sheets: Sheets) -> Iterator[NDArray[np.int64]]:
    """(sets, carried, totals) for each choice of upper boxes filled: where their values lie."""
    for part, count in enumerate(sheets.totals.counts):
        begins = sheets.begins[:-1][sheets.parts == part]
        yield begins[:, None, None] + np.arange(sheets.carried)[:, None] * count + np.arange(count)


def _bytes(numbers: NDArray[np.int32]) -> bytes:
    """Small numbers as bytes: first the lowest of all, then the next, the highest last; the sign at the very bottom."""
    folded = (numbers.reshape(-1) << 1) ^ (numbers.reshape(-1) >> 31)
    return folded.astype("<u4").view(np.uint8).reshape(-1, 4).T.tobytes()


def _whole(pieces: NDArray[np.uint8]) -> NDArray[np.int32]:
    folded = np.ascontiguousarray(pieces.reshape(4, -1).T).view("<u4")[:, 0]
    return (folded >> 1).astype(np.int32) ^ -(folded & 1).astype(np.int32)
