"""How many entries games have, heard from a PostgreSQL database as they are written, by whichever server. I/O.

One connection listens. What is known is what was counted or heard while it did, and it is believed only while what this
process says to itself through the database comes back: a connection may have broken, or lead through a pool in which
nobody hears anything.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from uuid import uuid4

import psycopg

logger = logging.getLogger(__name__)

CHANNEL = "kast"
ROUND = 0.5  # seconds between two proofs that the connection hears
FRESH = 2.0  # seconds for which a proof is good
AGAIN = 1.0  # seconds before a connection that was lost is made again
MOST = 10_000  # games known

Counts = OrderedDict[str, int]


class Hearsay:
    """Listens from the first question until it is closed."""

    def __init__(self, connect: Callable[[], psycopg.Connection]) -> None:
        """`connect` makes a connection that commits by itself, or raises psycopg.Error."""
        self._connect = connect
        self._lock = threading.Lock()
        self._counts: Counts = OrderedDict()  # another one whenever a connection begins to listen
        self._proved = -FRESH
        self._name = uuid4().hex  # no game is called so
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def count(self, game: str) -> int | None:
        """How many entries the game has; None where that is not known just now."""
        with self._lock:
            if not self._thread:
                self._thread = threading.Thread(target=self._listen, name="kast hearsay", daemon=True)
                self._thread.start()
            return (self._counts.get(game) or None) if monotonic() - self._proved < FRESH else None

    def reading(self, game: str) -> Callable[[int], None]:
        """To be called before the entries of a game are counted in the database; tell what this returns the count.

        What is heard between the two is not forgotten, and what was counted before a connection broke is not known to
        the one after it.
        """
        with self._lock:
            counts = self._counts
            counts.setdefault(game, 0)
            counts.move_to_end(game)
            while len(counts) > MOST:
                counts.popitem(last=False)

        def counted(count: int) -> None:
            with self._lock:
                if game in counts:
                    counts[game] = max(counts[game], count)

        return counted

    def close(self) -> None:
        """Nothing is heard after this."""
        self._closed.set()
        if self._thread:
            self._thread.join()

    def _listen(self) -> None:
        while not self._closed.is_set():
            try:
                with self._connect() as db:
                    self._hear(db)
            except psycopg.Error as error:
                logger.warning("nothing is heard of other servers just now: %s", type(error).__name__)
            with self._lock:
                self._proved = -FRESH
            self._closed.wait(AGAIN)

    def _hear(self, db: psycopg.Connection) -> None:
        db.execute(f"LISTEN {CHANNEL}")
        with self._lock:
            self._counts = OrderedDict()  # whatever was counted before may have changed since
        number = 0
        while not self._closed.is_set():
            number, asked = number + 1, monotonic()
            db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{self._name} {number}"))
            for notice in db.notifies(timeout=ROUND):
                name, _space, count = notice.payload.rpartition(" ")
                with self._lock, suppress(ValueError):
                    if name == self._name and int(count) == number:
                        self._proved = asked
                    elif name in self._counts:
                        self._counts[name] = max(self._counts[name], int(count))
