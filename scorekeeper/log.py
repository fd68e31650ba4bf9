"""The append-only log of entries, in one SQLite file. I/O. May know: entries, and how they are written.

What `append` returned from is on the disk (WAL, synchronous=FULL). The key (game, seq) is the concurrency rule: of two
screens that write the same seq one gets StaleEntry. A request that is repeated is written once.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple, Protocol

from scorekeeper import notation, whole
from scorekeeper.history import Entry
from scorekeeper.refusal import StaleEntry, Unsaved, UnusableLog, _
from scorekeeper.whole import APPLICATION, VERSION

PATIENCE, PAUSE = 10.0, 0.02  # seconds to wait for others that have the file, and between two tries

TABLES = """
CREATE TABLE IF NOT EXISTS entries (
    game    TEXT    NOT NULL,
    seq     INTEGER NOT NULL CHECK (seq >= 0),
    at      TEXT    NOT NULL,
    request TEXT    NOT NULL,
    entry   TEXT    NOT NULL,
    PRIMARY KEY (game, seq)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS once ON entries (game, request);
CREATE TRIGGER IF NOT EXISTS no_replace BEFORE INSERT ON entries
WHEN EXISTS (SELECT 1 FROM entries WHERE game = NEW.game AND (seq = NEW.seq OR request = NEW.request))
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER IF NOT EXISTS no_update BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER IF NOT EXISTS no_delete BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
"""
HEADER = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"


class Saved(NamedTuple):
    """A game in the log: its id, how many entries it has, and when the last one was written (UTC)."""

    game: str
    entries: int
    at: datetime


class Written(NamedTuple):
    """An entry with all that the log knows of it: when it was written (UTC), and by which request."""

    at: datetime
    request: str
    entry: Entry


def moment(text: str) -> datetime:
    """The time that this says, UTC; ValueError or OverflowError where it says none."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"{text} does not say where")
    return at.astimezone(UTC)


class Log(Protocol):
    """Where entries are kept."""

    def append(self, game: str, seq: int, request: str, entry: Entry) -> bool:
        """Write the entry as number seq. False where the same request was written before: nothing more is.

        StaleEntry where seq is not the next number, Unsaved where it could not be written.
        """

    def read(self, game: str, start: int = 0) -> list[Entry]:
        """The entries of the game from number `start` on, in order; none where there is no such game.

        UnusableLog where they cannot be read.
        """

    def count(self, game: str) -> int:
        """How many entries the game has; 0 where there is no such game. What another server has written counts within
        a moment, and within seconds where the way to it is broken. UnusableLog as in `read`."""

    def games(self) -> list[Saved]:
        """All games, the latest first; UnusableLog where they cannot be read."""

    def dump(self, game: str) -> list[Written]:
        """All that is known of the game, in order; none where there is no such game. UnusableLog as in `read`."""

    def restore(self, games: Mapping[str, tuple[int, Sequence[Written]]]) -> None:
        """Write what was dumped elsewhere: for each game, entries from this number on; all of it or nothing.

        StaleEntry where that is not the next number, Unsaved where it could not be written.
        """

    def close(self) -> None:
        """Nothing is read or written after this."""


def refuse_stale(seq: int, last: int | None) -> None:
    """StaleEntry unless `seq` comes next after the last number of a game, None where it has none."""
    if seq != (0 if last is None else last + 1):
        raise StaleEntry(_("Another screen wrote first. Here is the game as it is now."))


@contextmanager
def legible(game: str) -> Iterator[None]:
    """UnusableLog where an entry of the game cannot be read."""
    try:
        yield
    except ValueError as error:
        raise UnusableLog(_("Game {game} cannot be read: {reason}."), game=game, reason=error) from error


class SqliteLog:
    """The log in one file. UnusableLog where the file is damaged or somebody else's: it is left untouched."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            whole.refuse_damaged(path)
            whole.set_aside(path)
            self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=PATIENCE)
        except (sqlite3.Error, OSError) as error:
            raise UnusableLog(_("{path} cannot be opened: {reason}."), path=path, reason=error) from error
        try:
            if self._db.execute("PRAGMA application_id").fetchone() != (APPLICATION,):
                self._db.executescript(f"BEGIN IMMEDIATE; {TABLES} {HEADER} COMMIT;")
            self._write_ahead()
            self._db.execute("PRAGMA synchronous = FULL")
            with suppress(sqlite3.OperationalError):  # what a crash has left beside is in the file from now on
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # if there is room for it
        except sqlite3.Error as error:
            self._db.close()
            raise UnusableLog(_("{path} cannot be opened: {reason}."), path=path, reason=error) from error

    def _write_ahead(self) -> None:
        """From now on readers and a writer do not stand in each other's way. SQLite waits for a lock by itself, but
        not for this one when somebody else writes."""
        tried = monotonic()
        while True:
            try:
                self._db.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() - tried > PATIENCE:
                    raise
                sleep(PAUSE)

    def append(self, game: str, seq: int, request: str, entry: Entry) -> bool:
        with self._writing() as db:
            known = db.execute("SELECT 1 FROM entries WHERE game = ? AND request = ?", (game, request))
            if known.fetchone():
                return False
            _insert(db, game, seq, [Written(datetime.now(UTC), request, entry)])
            db.execute("COMMIT")
            return True

    def dump(self, game: str) -> list[Written]:
        rows = self._rows("SELECT at, request, entry FROM entries WHERE game = ? ORDER BY seq", game)
        with legible(game):
            return [Written(moment(at), request, notation.read(text)) for at, request, text in rows]

    def restore(self, games: Mapping[str, tuple[int, Sequence[Written]]]) -> None:
        with self._writing() as db:
            for game, (seq, written) in games.items():
                _insert(db, game, seq, written)
            db.execute("COMMIT")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """The database in a transaction that leaves no trace unless it is committed; Unsaved where the disk fails."""
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield self._db
            except sqlite3.Error as error:
                raise Unsaved(_("This could not be saved: {reason}. The game is as it was."), reason=error) from error
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def read(self, game: str, start: int = 0) -> list[Entry]:
        rows = self._rows("SELECT entry FROM entries WHERE game = ? AND seq >= ? ORDER BY seq", game, start)
        with legible(game):
            return [notation.read(text) for (text,) in rows]

    def count(self, game: str) -> int:
        ((number,),) = self._rows("SELECT count(*) FROM entries WHERE game = ?", game)
        return int(number)

    def games(self) -> list[Saved]:
        rows = self._rows("SELECT game, count(*), max(at) FROM entries GROUP BY game ORDER BY max(at) DESC")
        return [Saved(game, entries, datetime.fromisoformat(at)) for game, entries, at in rows]

    def _rows(self, question: str, *values: str | int) -> list[Any]:
        try:
            with self._lock:
                return self._db.execute(question, values).fetchall()
        except sqlite3.Error as error:
            raise UnusableLog(_("The games cannot be read just now: {reason}."), reason=error) from error

    def copy(self, to: Path) -> None:
        """Write all entries as they are now into a new file, while others go on; whole or not at all. UnusableLog
        where they cannot be read or written."""
        part = to.with_suffix(".part")
        try:
            part.unlink(missing_ok=True)
            with self._lock, closing(sqlite3.connect(part)) as copy:
                self._db.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
            part.chmod(0o600)
            part.replace(to)
        except (sqlite3.Error, OSError) as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise UnusableLog(_("{path} cannot be written: {reason}."), path=to, reason=error) from error

    def close(self) -> None:
        with self._lock:
            self._db.close()


def _insert(db: sqlite3.Connection, game: str, seq: int, written: Sequence[Written]) -> None:
    """The entries from this number on; StaleEntry where it is not the next."""
    refuse_stale(seq, *db.execute("SELECT max(seq) FROM entries WHERE game = ?", (game,)).fetchone())
    rows = [
        (game, n, at.isoformat(), request, notation.write(entry)) for n, (at, request, entry) in enumerate(written, seq)
    ]
    db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", rows)
