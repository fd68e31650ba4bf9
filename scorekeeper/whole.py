"""Whether a file of games is ours and whole, before anything opens it to write. I/O: reads it; copies of it, elsewhere.

SQLite takes what it can read for all there is: of a damaged write-ahead log it keeps the sound beginning, and deletes
the rest with what was confirmed there. So what lies beside the file is looked at, too. Formats:
https://www.sqlite.org/fileformat.html and https://www.sqlite.org/walformat.html
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import sleep
from typing import NamedTuple

from scorekeeper.refusal import UnusableLog, _

logger = logging.getLogger(__name__)

APPLICATION = 0x4B617374  # "Kast" in ASCII: tells our file from any other SQLite file
VERSION = 1
JOURNAL = 18  # place in a file's head of the byte that is 2 where it has a write-ahead log
WAL_HEAD, FRAME_HEAD, FRAMES_OF_INDEX = 32, 24, 16
TRIES, PAUSE = 3, 0.05  # a copy made while others write may be torn, seconds between two


class Damaged(UnusableLog):
    """The file is not whole, or not all that belongs to it is there."""


def refuse_damaged(path: Path, every_page: bool = False) -> None:
    """UnusableLog where there is a file that is not ours, or not whole. Nothing there is touched, and nothing made.

    every_page: whether to look at all that SQLite can check, and not at its quick half alone.
    """
    if not path.exists() or path.stat().st_size == 0:
        return
    if not has_log(path):
        _refuse_lost(path)
        _judge(path, path, "immutable=1", every_page)
        return
    for left in reversed(range(TRIES)):
        try:
            with copied(path) as copy:
                _refuse_torn(path, copy, _judge(path, copy, "mode=rw", every_page))
                return
        except Damaged:
            if not left:
                raise
            sleep(PAUSE)
        except OSError:  # no room for a copy: all the more should what is there be shown
            _judge(path, path, "mode=ro", every_page)
            return


def has_log(path: Path) -> bool:
    """Whether a write-ahead log lies beside the file that belongs to it."""
    return _size(beside(path, "wal")) > 0 and _head(path)[JOURNAL : JOURNAL + 1] == b"\2"


def beside(path: Path, what: str) -> Path:
    """Where SQLite keeps the write-ahead log (wal) of a file, or its index (shm)."""
    return path.with_name(f"{path.name}-{what}")


def set_aside(path: Path) -> None:
    """Move a write-ahead log out of the way that belongs to another file, which lay here before this one.

    A copy that somebody has put back is such a file. SQLite would write into it what is in that log.
    """
    if _size(beside(path, "wal")) and not has_log(path):
        for what in ("wal", "shm"):
            if (stray := beside(path, what)).exists():
                stray.replace(stray.with_name(f"{stray.name}.of-another"))
        logger.warning("what lay beside %s belonged to another file and was set aside", path.name)


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A copy of the file and of its write-ahead log, in a folder that is soon gone. OSError where there is no room."""
    with tempfile.TemporaryDirectory(prefix="kast", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / path.name
        for _try in range(TRIES):
            before = _stamps(path)
            shutil.copyfile(path, copy)
            if has_log(path):
                shutil.copyfile(beside(path, "wal"), beside(copy, "wal"))
            if _stamps(path) == before:
                break
        yield copy


def _stamps(path: Path) -> list[int]:
    """By which one sees that somebody has written."""
    return [there.stat().st_mtime_ns for there in (path, beside(path, "wal")) if there.exists()]


def _judge(path: Path, copy: Path, mode: str, every_page: bool) -> int:
    """UnusableLog, in which the file is called `path`; the number of sound frames in its write-ahead log."""
    try:
        with closing(sqlite3.connect(f"{copy.absolute().as_uri()}?{mode}", uri=True, timeout=10)) as db:
            ((application,),) = db.execute("PRAGMA application_id")
            ((version,),) = db.execute("PRAGMA user_version")
            check = "integrity_check" if every_page else "quick_check"
            health = db.execute(f"PRAGMA {check}(1)").fetchone()[0]
            frames = 0 if copy == path else int(db.execute("PRAGMA wal_checkpoint").fetchone()[1])
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise Damaged(_("{path} is damaged: {reason}."), path=path, reason=error) from error
    if application != APPLICATION:
        raise UnusableLog(_("{path} is not a file of Kast's."), path=path)
    if version != VERSION:
        raise UnusableLog(_("{path} was written by another version of Kast ({version})."), path=path, version=version)
    if health != "ok":
        raise Damaged(_("{path} is damaged: {reason}."), path=path, reason=health)
    return frames


class _Index(NamedTuple):
    """What SQLite wrote down of a write-ahead log once it was on the disk: its salts, how many frames had been
    confirmed, and how many of these are in the file by now."""

    salts: bytes
    confirmed: int
    moved: int


def _index(path: Path) -> _Index | None:
    """None where there is none, or none that can be trusted."""
    try:
        with beside(path, "shm").open("rb") as file:
            head = file.read(100)
    except OSError:
        return None
    if len(head) < 100 or head[:48] != head[48:96] or not head[12]:
        return None
    (confirmed,) = struct.unpack_from("=I", head, FRAMES_OF_INDEX)
    (moved,) = struct.unpack_from("=I", head, 96)
    return _Index(head[32:40], confirmed, moved)


def _refuse_lost(path: Path) -> None:
    index = _index(path)
    if index and index.confirmed > index.moved and _head(path)[JOURNAL : JOURNAL + 1] == b"\2":
        raise Damaged(_("{path} is not whole: {part} is missing."), path=path, part=beside(path, "wal").name)


def _refuse_torn(path: Path, copy: Path, sound: int) -> None:
    """Of a write-ahead log only the last transaction may be torn: nobody was told yet that it is saved."""
    index, log = _index(path), beside(path, "wal").read_bytes()
    head, salts = log[:WAL_HEAD], log[16:24]
    size = struct.unpack(">H", _head(copy)[16:18])[0]
    step = FRAME_HEAD + (65536 if size == 1 else size)
    torn, confirmed = 1, index.confirmed if index and index.salts == salts else 0
    if not _is_sound(head):
        torn, salts = 0, log[WAL_HEAD + 8 : WAL_HEAD + 16]
    behind = [
        place
        for place in range(WAL_HEAD + sound * step, len(log) - FRAME_HEAD + 1, step)
        if log[place + 8 : place + 16] == salts and log[place + 4 : place + 8] != bytes(4)
    ]
    if len(behind) > torn or confirmed > sound:
        raise Damaged(_("{path} is not whole: {part} is damaged."), path=path, part=beside(path, "wal").name)


def _is_sound(head: bytes) -> bool:
    """Whether the head of a write-ahead log is as its checksum says."""
    if len(head) < WAL_HEAD:
        return False
    order, one, two = (">" if head[3] & 1 else "<"), 0, 0
    numbers = struct.unpack(f"{order}6I", head[:24])
    for first, second in zip(numbers[::2], numbers[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return (one, two) == struct.unpack(">2I", head[24:32])


def _head(path: Path) -> bytes:
    """The head of the file; nothing where there is none."""
    try:
        with path.open("rb") as file:
            return file.read(100)
    except FileNotFoundError:
        return b""


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
