"""Dated copies of the file of games, one a day. I/O: a folder.

To go back to one: stop Kast, and put the copy where kast.sqlite3 lies.
"""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

from scorekeeper.log import SqliteLog
from web.alone import alone


class Backups:
    """The copies of a log in a folder; those of the last `days` are kept, and the newest in any case. None are made
    where that is 0."""

    def __init__(self, log: SqliteLog, folder: Path, days: int) -> None:
        self._log, self._folder, self._days = log, folder, days

    def keep(self, today: date) -> None:
        """Make the copy of today if there is none yet, and delete old ones. OSError or UnusableLog where that cannot
        be; then the copies are as they were."""
        if not self._days or not (self._folder.exists() or self._log.games()):
            return
        self._folder.mkdir(mode=0o700, exist_ok=True)
        with alone(self._folder):  # several servers make one copy
            self._keep(today)

    def _keep(self, today: date) -> None:
        copy = self._folder / f"kast-{today.isoformat()}.sqlite3"
        if not copy.exists() and self._log.games():
            self._log.copy(copy)
        oldest = f"kast-{(today - timedelta(days=self._days - 1)).isoformat()}"
        for old in copies(self._folder)[:-1]:
            if old.stem < oldest:
                old.unlink()


def copies(folder: Path) -> list[Path]:
    """The copies in a folder, oldest first."""
    return sorted(folder.glob("kast-????-??-??.sqlite3"))
