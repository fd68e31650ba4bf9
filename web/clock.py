"""The time that one can rely on to delete by: a clock that has leapt deletes nothing. I/O: a file of the data folder.

A computer whose battery is empty, or whose clock was set wrong, may say that ten years have gone by. What is to be
deleted after a time waits then until the clock has said so for a week, or on another day after that week.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from web.security import write_private

logger = logging.getLogger(__name__)

LEAP = timedelta(days=60)  # a longer time is doubted when nobody has seen it go by
TRIAL = timedelta(days=7)  # after which it is believed
OFTEN = timedelta(hours=1)  # between two times that are written down


class Clock:
    """Remembers in a file the time that is believed, and one that is doubted so far, if any."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._believed, self._doubted = _read(path)
        self._written = self._believed

    def reliable(self, now: datetime, write: bool = True) -> datetime:
        """The time to delete by, when the clock says `now` (UTC): never later than that. OSError where it cannot be
        written down; nothing is if one does not want it."""
        believed, doubted = self._believed or now, self._doubted
        if doubted and now < doubted:  # it has gone back: what it said was wrong
            doubted = None
        if doubted and now - doubted >= TRIAL:
            believed, doubted = max(believed, doubted), None
        if now - believed <= LEAP:
            believed, doubted = max(believed, now), None
        elif not doubted:
            doubted = now
        if write and doubted and doubted != self._doubted:
            logger.warning("the clock has leapt by %d days: what is deleted after a time waits", (now - believed).days)
        if write and (doubted != self._doubted or not self._written or believed - self._written >= OFTEN):
            lines = [each.isoformat() for each in (believed, doubted) if each]
            write_private(self._path, "\n".join(lines).encode())
            self._written = believed
        self._believed, self._doubted = believed, doubted
        return min(now, believed)


def _read(path: Path) -> tuple[datetime | None, datetime | None]:
    """What is written there; nothing where nothing can be read."""
    found: list[datetime | None] = []
    with suppress(OSError, ValueError):
        found = [datetime.fromisoformat(line).astimezone(UTC) for line in path.read_text("utf-8").split()]
    return (*found, None, None)[0], (*found, None, None)[1]
