"""Photographs that people show, and what was read in them. I/O: the picture folder. May know: the eye's readings.

A picture is kept upright, without the camera's notes on place and time, under a name that cannot be guessed. It waits
until its roll is accepted, and then stays until it is old. Those that wait are few: the oldest makes room.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from recognizer.reader import Die, Reading
from web.security import new_id

DOUBTFUL = 0.9  # below this confidence a die of an unsure reading is marked
MOST_WAITING = 40
LONGEST = 1600  # pixels of the longer side of a picture that is kept
QUALITY = 85
NAME = re.compile(r"[A-Za-z0-9_-]{20}")


@dataclass(frozen=True)
class Shot:
    """A picture that is kept: its size in pixels, and what was read in it."""

    name: str
    width: int
    height: int
    reading: Reading

    @property
    def doubtful(self) -> frozenset[int]:
        """Places of the dice that somebody should look at: none where the reading is sure, else one at least."""
        return doubtful(self.reading.dice) if not self.reading.sure else frozenset()


def doubtful(dice: Sequence[Die]) -> frozenset[int]:
    """Of the dice of an unsure reading, the places of those that it may be unsure of; one at least, if there is any."""
    least = min((die.confidence for die in dice), default=1.0)
    return frozenset(place for place, die in enumerate(dice) if die.confidence <= max(DOUBTFUL, least))


class Pictures:
    """The pictures in one folder."""

    def __init__(self, folder: Path) -> None:
        self._kept, self._waiting = folder, folder / "waiting"
        self._waiting.mkdir(parents=True, exist_ok=True)

    def add(self, image: NDArray[np.uint8], reading: Reading) -> str:
        """Keep this picture (H, W, 3), BGR, until its roll is accepted; the name it is found under."""
        shrink = min(1.0, LONGEST / max(image.shape[:2]))
        if shrink < 1:
            image = np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
        written, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        assert written
        name, (height, width) = new_id(), image.shape[:2]
        plain = {"width": width, "height": height, "reading": asdict(reading)}
        self._make_room()
        (self._waiting / f"{name}.jpg").write_bytes(jpeg.tobytes())
        (self._waiting / f"{name}.json").write_text(json.dumps(plain), encoding="utf-8")
        return name

    def accept(self, name: str) -> None:
        """The roll of this picture counts: keep it for good."""
        for end in ("json", "jpg"):
            if (waiting := self._waiting / f"{name}.{end}").exists():
                waiting.replace(self._kept / waiting.name)

    def forget(self, before: datetime) -> None:
        """Delete the pictures that were taken before this moment, those of rolls that count too: the rolls stay."""
        for old in self._kept.rglob("*.jpg"):
            if _written(old) < before.timestamp() * 1e9:
                _delete(old)

    def delete(self, name: str) -> None:
        """Delete the picture with this name, where there is one."""
        with suppress(LookupError):
            _delete(self.path(name))

    def path(self, name: str) -> Path:
        """Where the JPEG with this name is; LookupError where there is none."""
        return self._find(name, "jpg")

    def shot(self, name: str) -> Shot:
        """The picture with this name; LookupError where there is none."""
        return shot_of(name, json.loads(self._find(name, "json").read_text(encoding="utf-8")))

    def restore(self, name: str, jpeg: bytes, read: bytes, at: float) -> None:
        """Keep a picture that was kept elsewhere under this name, taken at this time (seconds since 1970), and what was
        read in it, as JSON. OSError where that cannot be; then it is not here."""
        if not NAME.fullmatch(name):
            raise LookupError(name)
        for end, data in (("json", read), ("jpg", jpeg)):  # a picture is here when its JPEG is
            part = self._kept / f"{name}.part"
            part.write_bytes(data)
            os.utime(part, (at, at))
            part.replace(self._kept / f"{name}.{end}")

    def has(self, name: str) -> bool:
        """Whether there is a picture with this name."""
        try:
            return bool(self.path(name))
        except LookupError:
            return False

    def is_waiting(self, name: str) -> bool:
        """Whether the picture with this name belongs to no roll yet."""
        return bool(NAME.fullmatch(name)) and (self._waiting / f"{name}.jpg").is_file()

    def _find(self, name: str, end: str) -> Path:
        if NAME.fullmatch(name):
            for folder in (self._waiting, self._kept):
                if (path := folder / f"{name}.{end}").is_file():
                    return path
        raise LookupError(name)

    def _make_room(self) -> None:
        waiting = sorted(self._waiting.glob("*.jpg"), key=_written, reverse=True)
        for old in waiting[MOST_WAITING - 1 :]:
            _delete(old)


def shot_of(name: str, plain: dict[str, Any]) -> Shot:
    """The picture that this JSON speaks of; ValueError, KeyError or TypeError where it speaks of none."""
    return Shot(name, plain["width"], plain["height"], _reading(plain["reading"]))


def _delete(picture: Path) -> None:
    """The file, and what was read in it."""
    picture.unlink(missing_ok=True)
    picture.with_suffix(".json").unlink(missing_ok=True)


def _written(path: Path) -> int:
    """When the file was written, in nanoseconds; 0 where somebody accepted or removed it meanwhile."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _reading(plain: dict[str, object]) -> Reading:
    dice = plain["dice"]
    assert isinstance(dice, list)
    return Reading(
        tuple(
            Die(die["face"], tuple(die["box"]), die["confidence"], tuple((f, p) for f, p in die["alternatives"]))
            for die in dice
        ),
        bool(plain["sure"]),
        tuple(plain["hints"]),  # type: ignore[arg-type]
    )
