"""Pictures of rolls as one file, to be moved with the games that name them. I/O: a ZIP file, the picture folder.

Nothing of such a file is taken unless all of it is right: names that the games name; for each a JPEG, and what was read
in it; no larger than Kast itself keeps. Names lead to no other folder, for they hold letters and digits alone.
"""

from __future__ import annotations

import json
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from time import mktime

from recognizer import pictures as photographs
from recognizer.pictures import UnreadablePicture
from scorekeeper.history import Entry
from scorekeeper.refusal import Refusal, _
from web.pictures import LONGEST, NAME, Pictures, shot_of

LARGEST = 4 * 1024 * 1024  # bytes of a picture, which is 1600 pixels long at most
ENDS = ("jpg", "json")


def named(entries: Iterable[Entry]) -> set[str]:
    """The pictures that these entries name."""
    found = {str(getattr(entry, "picture", "")) for entry in entries}
    return {name for name in found if NAME.fullmatch(name)}


def pack(pictures: Pictures, names: Iterable[str], to: Path) -> int:
    """Write those of the pictures that are there into a file, whole or not at all; how many they are. Only its owner
    may read it. OSError where it cannot be written."""
    count = 0
    with tempfile.NamedTemporaryFile(dir=to.parent, delete=False) as file:
        part = Path(file.name)
        try:
            with zipfile.ZipFile(file, "w", strict_timestamps=False) as album:  # JPEGs do not get smaller
                for name in sorted(names):
                    with suppress(LookupError, FileNotFoundError):
                        picture = pictures.path(name)
                        album.write(picture.with_suffix(".json"), f"{name}.json")
                        album.write(picture, f"{name}.jpg")
                        count += 1
            part.replace(to)
        finally:
            part.unlink(missing_ok=True)
    return count


def check(file: Path, names: set[str]) -> None:
    """Refusal where something in the file is not right, or is none of the pictures with these names; OSError where it
    cannot be read."""
    for _name, jpeg, read, _at in _pictures(file, names):
        try:
            height, width = photographs.load(jpeg).image.shape[:2]
            shot = shot_of("", json.loads(read))
            if not jpeg.startswith(b"\xff\xd8") or max(height, width) > LONGEST:
                raise ValueError((width, height))
            if (shot.width, shot.height) != (width, height):
                raise ValueError(shot)
        except (ValueError, KeyError, TypeError, AssertionError, RecursionError, UnreadablePicture) as error:
            raise _damaged(file) from error


def unpack(file: Path, names: set[str], pictures: Pictures) -> int:
    """Take the pictures of a file that was checked; how many came that were not here. OSError where one cannot be kept:
    those before it are, then."""
    count = 0
    for name, jpeg, read, at in _pictures(file, names):
        if not pictures.has(name):
            pictures.restore(name, jpeg, read, at)
            count += 1
    return count


def _pictures(file: Path, names: set[str]) -> Iterator[tuple[str, bytes, bytes, float]]:
    """Of each picture: its name, the JPEG, what was read in it, and when it was taken."""
    try:
        with zipfile.ZipFile(file) as album:
            parts = {part.filename: part for part in album.infolist()}
            found = {part.partition(".")[0] for part in parts}
            if not found <= names or set(parts) != {f"{name}.{end}" for name in found for end in ENDS}:
                raise ValueError("other files")
            if max((part.file_size for part in parts.values()), default=0) > LARGEST:
                raise ValueError("a large file")
            for name in sorted(found):
                jpeg, read = (album.read(parts[f"{name}.{end}"]) for end in ENDS)  # as long as it says, or damaged
                yield name, jpeg, read, min(time.time(), mktime((*parts[f"{name}.jpg"].date_time, 0, 0, -1)))
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError, OverflowError) as error:
        raise _damaged(file) from error


def _damaged(file: Path) -> Refusal:
    return Refusal(_("{path} holds other things than pictures of these games, or it is damaged."), path=file)
