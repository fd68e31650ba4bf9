"""Dated copies of the file of games and of the house rules, one a day. I/O: a folder.

To go back to one: stop Kast, and put the copy where kast.sqlite3 lies.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from datetime import date
from pathlib import Path

from scorekeeper import whole
from scorekeeper.log import SqliteLog
from scorekeeper.refusal import UnusableLog
from web.alone import alone


class Backups:
    """The copies of a log, and of the folder of house rules, in a folder; those of the last `days` on which there was
    one to make are kept. None are made where that is 0.

    They are counted, and not judged by their dates: a clock that is wrong deletes none but the oldest.
    """

    def __init__(self, log: SqliteLog, house: Path, folder: Path, days: int) -> None:
        self._log, self._house, self._folder, self._days = log, house, folder, days

    def keep(self, today: date) -> None:
        """Make the copies of today if there are none yet, and delete old ones. OSError or UnusableLog where that
        cannot be; then the copies are as they were."""
        if self._days and (self._folder.exists() or self._log.games() or any(self._house.glob("*.toml"))):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            with alone(self._folder):  # several servers make one copy
                self._keep(today.isoformat())

    def _keep(self, day: str) -> None:
        copy, house = self._folder / f"kast-{day}.sqlite3", self._folder / f"house-{day}"
        if not copy.exists() and self._log.games():
            self._log.copy(copy)
        if not house.exists() and any(self._house.glob("*.toml")):
            _copy_folder(self._house, house)
        for old in (copies(self._folder), sorted(self._folder.glob("house-????-??-??"))):
            before = [path for path in old if path not in (copy, house)]
            room = self._days - (len(old) - len(before))
            for path in before[: max(0, len(before) - room)]:
                path.unlink() if path.is_file() else shutil.rmtree(path)


def _copy_folder(folder: Path, to: Path) -> None:
    """Whole or not at all."""
    part = to.with_suffix(".part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(mode=0o700)
    for path in folder.glob("*.toml"):
        shutil.copy2(path, part)
    part.replace(to)


def copies(folder: Path) -> list[Path]:
    """The copies of the file of games in a folder, oldest first."""
    return sorted(folder.glob("kast-????-??-??.sqlite3"))


def to_go_back_to(folder: Path, today: date) -> Path | None:
    """The newest copy that is whole, None where there is none. One dated after today was made by a wrong clock: it
    comes last."""
    found = copies(folder)[::-1]
    in_time = [path for path in found if path.stem <= f"kast-{today.isoformat()}"]
    for path in [*in_time, *(path for path in found if path not in in_time)]:
        with suppress(UnusableLog, OSError):
            whole.refuse_damaged(path)
            if path.stat().st_size:
                return path
    return None


def advice(data_folder: Path, today: date) -> str:
    """What to do where the file of games cannot be used, as a sentence."""
    copy = to_go_back_to(data_folder / "backups", today)
    if copy:
        return f"It is kept as it is. To go back: stop Kast, and put {copy} in its place."
    return "It is kept as it is; there is no copy of it in backups."
