"""The append-only log of entries in a PostgreSQL database, for several servers at once. I/O. May know: the same as log.

What `append` returned from is committed, and on the disk of the database. Connections that were lost are made again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, LiteralString

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from scorekeeper import notation
from scorekeeper.hearsay import CHANNEL, Hearsay
from scorekeeper.history import Entry
from scorekeeper.log import PATIENCE, Saved, Written, legible, refuse_stale
from scorekeeper.refusal import NoGames, Unsaved, UnusableLog, _
from scorekeeper.whole import APPLICATION, VERSION

CONNECTIONS = 8  # at most, of one server, and one that listens
SILENCE = 5_000  # milliseconds without an answer, after which the one that listens is taken for lost
OURS = f"Kast {VERSION}"  # remark on our schema: tells it from any other, and one version from another

SCHEMA = f"""
CREATE SCHEMA kast;
COMMENT ON SCHEMA kast IS '{OURS}';
CREATE TABLE kast.entries (
    game    text        NOT NULL,
    seq     integer     NOT NULL CHECK (seq >= 0),
    at      timestamptz NOT NULL,
    request text        NOT NULL,
    entry   text        NOT NULL,
    PRIMARY KEY (game, seq),
    CONSTRAINT once UNIQUE (game, request)
);
CREATE FUNCTION kast.refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE integrity_constraint_violation USING MESSAGE = 'the log is append-only'; END $$;
CREATE TRIGGER no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON kast.entries EXECUTE FUNCTION kast.refuse();
"""


class PostgresLog:
    """The log in one database, in a schema of its own. UnusableLog where it cannot be reached or is not ours."""

    def __init__(self, address: str, only_look: bool = False) -> None:
        """`address` as PostgreSQL understands it: postgresql://user:password@host/name. `only_look`: nothing is
        written, and no schema made; NoGames where there is none."""
        read_only = " -c default_transaction_read_only=on" if only_look else ""
        self._pool = ConnectionPool(
            address,
            min_size=1,
            max_size=CONNECTIONS,
            timeout=PATIENCE,
            kwargs={
                "autocommit": True,
                "options": f"-c synchronous_commit=on{read_only}",
                "connect_timeout": int(PATIENCE),
            },
            check=ConnectionPool.check_connection,
            open=False,
        )
        self._hearsay = Hearsay(
            lambda: psycopg.connect(
                address, autocommit=True, connect_timeout=int(PATIENCE), tcp_user_timeout=SILENCE, keepalives_idle=1
            )
        )
        try:
            psycopg.connect(address, connect_timeout=int(PATIENCE)).close()  # the pool would only say that it waited
            self._pool.open(wait=True, timeout=PATIENCE)
            self._prepare(only_look)
        except (psycopg.Error, PoolTimeout) as error:
            self._pool.close()
            raise UnusableLog(_("The database cannot be opened: {reason}."), reason=_reason(error)) from error
        except UnusableLog:
            self._pool.close()
            raise

    def _prepare(self, only_look: bool) -> None:
        with self._pool.connection() as db, db.transaction():
            db.execute("SELECT pg_advisory_xact_lock(%s)", (APPLICATION,))  # of many servers that start, one does this
            known = db.execute(
                "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = 'kast'"
            ).fetchone()
            if not known and only_look:
                raise NoGames("The database holds no games yet.")
            if not known:
                db.execute(SCHEMA)
            elif known != (OURS,):
                raise UnusableLog(_("The database holds something else, or games of another version of Kast."))

    def append(self, game: str, seq: int, request: str, entry: Entry) -> bool:
        with self._writing() as db:
            _lock(db, game)
            if db.execute("SELECT 1 FROM kast.entries WHERE game = %s AND request = %s", (game, request)).fetchone():
                return False
            _insert(db, game, seq, [Written(datetime.now(UTC), request, entry)])
        self._hearsay.reading(game)(seq + 1)  # whoever acted here sees it here at once
        return True

    def count(self, game: str) -> int:
        known = self._hearsay.count(game)
        if known:
            return known
        counted = self._hearsay.reading(game)
        ((number,),) = self._rows("SELECT count(*) FROM kast.entries WHERE game = %s", game)
        counted(number)
        return int(number)

    def read(self, game: str, start: int = 0) -> list[Entry]:
        question = "SELECT entry FROM kast.entries WHERE game = %s AND seq >= %s ORDER BY seq"
        rows = self._rows(question, game, start)
        with legible(game):
            return [notation.read(text) for (text,) in rows]

    def dump(self, game: str) -> list[Written]:
        rows = self._rows("SELECT at, request, entry FROM kast.entries WHERE game = %s ORDER BY seq", game)
        with legible(game):
            return [Written(at.astimezone(UTC), request, notation.read(text)) for at, request, text in rows]

    def restore(self, games: Mapping[str, tuple[int, Sequence[Written]]]) -> None:
        with self._writing() as db:
            for game, (seq, written) in sorted(games.items()):  # in one order, so that no two wait for each other
                _lock(db, game)
                _insert(db, game, seq, written)

    def games(self) -> list[Saved]:
        question = "SELECT game, count(*), max(at) FROM kast.entries GROUP BY game ORDER BY max(at) DESC"
        return [Saved(game, number, at.astimezone(UTC)) for game, number, at in self._rows(question)]

    def _rows(self, question: LiteralString, *values: str | int) -> list[Any]:
        try:
            with self._pool.connection() as db:
                return db.execute(question, values).fetchall()
        except (psycopg.Error, PoolTimeout) as error:
            raise UnusableLog(_("The games cannot be read just now: {reason}."), reason=_reason(error)) from error

    @contextmanager
    def _writing(self) -> Iterator[psycopg.Connection]:
        """A connection in a transaction that leaves no trace if anything fails; Unsaved where the database does."""
        try:
            with self._pool.connection() as db, db.transaction():
                yield db
        except (psycopg.Error, PoolTimeout) as error:
            template = _("This could not be saved: {reason}. The game is as it was.")
            raise Unsaved(template, reason=_reason(error)) from error

    def close(self) -> None:
        self._hearsay.close()
        self._pool.close()


def _lock(db: psycopg.Connection, game: str) -> None:
    """One writer of a game at a time, until the transaction ends."""
    db.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", (APPLICATION, game))


def _insert(db: psycopg.Connection, game: str, seq: int, written: Sequence[Written]) -> None:
    """The entries from this number on; StaleEntry where it is not the next."""
    last = db.execute("SELECT max(seq) FROM kast.entries WHERE game = %s", (game,)).fetchone()
    refuse_stale(seq, last[0] if last else None)
    rows = [(game, n, at, request, notation.write(entry)) for n, (at, request, entry) in enumerate(written, seq)]
    with db.cursor() as cursor:
        cursor.executemany("INSERT INTO kast.entries VALUES (%s, %s, %s, %s, %s)", rows)
        # Heard by all servers once this is committed, and not before.
        cursor.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{game} {seq + len(rows)}"))


def _reason(error: Exception) -> str:
    """The first line of what the database says, which holds no password."""
    return str(error).strip().split("\n")[0].rstrip(".")
