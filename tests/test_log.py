"""The log keeps what was written, only grows, and leaves alone what is not its own."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper import games
from scorekeeper.events import Begun, Joined, Rolled, Scored
from scorekeeper.history import Entry, Rewound
from scorekeeper.log import Log, SqliteLog
from scorekeeper.refusal import Unsaved, UnusableLog
from scorekeeper.whole import APPLICATION, VERSION

BEGUN = Begun(games.find("yatzy"), ("Anna", "Bo"))
ENTRIES: list[Entry] = [BEGUN, Rolled((3, 3, 5, 6, 6), 1), Scored("pair", 12), Rewound(1), Scored("two-pairs", 18)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


@pytest.fixture
def log(path: Path) -> Iterator[SqliteLog]:
    with closing(SqliteLog(path)) as log:
        yield log


@pytest.fixture(scope="session")
def some_log(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a log of several pages."""
    path = tmp_path_factory.mktemp("log") / "games.sqlite"
    with closing(SqliteLog(path)) as log:
        for seq in range(100):
            log.append("g", seq, f"request-{seq}", BEGUN if seq == 0 else Joined(f"somebody {seq}" * 10))
    return path.read_bytes()


@pytest.fixture
def whole(path: Path, some_log: bytes) -> bytes:
    """The bytes of a log that is whole, as they stand at `path`."""
    path.write_bytes(some_log)
    SqliteLog(path).close()
    return some_log


def write(log: Log, game: str) -> None:
    for seq, entry in enumerate(ENTRIES):
        assert log.append(game, seq, f"request-{seq}", entry)


def raw(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def beside(path: Path) -> list[str]:
    return sorted(found.name for found in path.parent.iterdir() if found != path)


# What is written is there.


def test_a_write_is_on_the_disk_before_append_returns(log: SqliteLog) -> None:
    """WAL with synchronous=FULL (2) syncs at every commit: https://www.sqlite.org/pragma.html#pragma_synchronous"""
    assert log._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert log._db.execute("PRAGMA synchronous").fetchone() == (2,)


# The log only grows.


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET entry = ''",
        "UPDATE entries SET seq = 9 WHERE seq = 1",
        "DELETE FROM entries",
        "DELETE FROM entries WHERE seq = 4",
        "INSERT OR REPLACE INTO entries VALUES ('g', 0, 'now', 'other', '')",
        "INSERT INTO entries VALUES ('g', 0, 'now', 'other', '')",
        "INSERT INTO entries VALUES ('g', -1, 'now', 'other', '')",
        "INSERT INTO entries VALUES ('g', 5, 'now', 'request-0', '')",
    ],
)
def test_nothing_that_was_written_can_be_changed(log: SqliteLog, path: Path, statement: str) -> None:
    write(log, "g")
    with closing(raw(path)) as other, pytest.raises(sqlite3.IntegrityError):
        other.execute(statement)
    assert log.read("g") == ENTRIES


# Two screens.


def test_many_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    for attempt in range(5):
        new, together = tmp_path / f"{attempt}", threading.Barrier(4)

        def open_it(_thread: int, new: Path = new, together: threading.Barrier = together) -> None:
            together.wait()
            SqliteLog(new).close()

        in_threads(4, open_it)


def test_whoever_opens_a_file_waits_for_another_who_writes_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "games"
    SqliteLog(file).close()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN IMMEDIATE")
        waited = []

        def while_waiting(seconds: float) -> None:
            waited.append(seconds)
            other.execute("COMMIT")

        monkeypatch.setattr("scorekeeper.log.sleep", while_waiting)
        SqliteLog(file).close()
    assert len(waited) == 1


def in_threads(number: int, act: Callable[[int], None]) -> None:
    """Run act(0) … act(number - 1) at once; what one of them raises is raised here."""
    failures: list[Exception] = []

    def run(thread: int) -> None:
        try:
            act(thread)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(thread,)) for thread in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


# A disk that fails.


def full(log: SqliteLog) -> None:
    """Let the database grow no further; SQLite then says what it says on a full disk (SQLITE_FULL)."""
    log._db.execute("PRAGMA max_page_count = 1")


def test_what_a_full_disk_does_not_take_is_refused_in_words_and_leaves_no_trace(log: SqliteLog) -> None:
    write(log, "g")
    full(log)
    long = Joined("somebody" * 1000)
    with pytest.raises(Unsaved, match=r"^This could not be saved: database or disk is full\. The game is as it was\.$"):
        log.append("g", len(ENTRIES), "later", long)
    assert log.read("g") == ENTRIES
    log._db.execute("PRAGMA max_page_count = 1000")
    assert log.append("g", len(ENTRIES), "later", long), "the same request can be sent again"


def test_a_file_that_another_program_holds_is_said_in_words(log: SqliteLog, path: Path) -> None:
    write(log, "g")
    log._db.execute("PRAGMA busy_timeout = 0")
    with closing(raw(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unsaved, match="database is locked"):
            log.append("g", len(ENTRIES), "later", Joined("Cilla"))
    assert log.read("g") == ENTRIES
    assert log.append("g", len(ENTRIES), "later", Joined("Cilla"))


def test_a_file_that_breaks_while_it_is_open_is_said_in_words(log: SqliteLog, path: Path) -> None:
    write(log, "g")
    log._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    log._db.execute("PRAGMA cache_size = 0")  # nothing is remembered, all is read again
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * (path.stat().st_size - 4096))
    for read in (lambda: log.read("g"), log.games):
        with pytest.raises(UnusableLog, match="The games cannot be read just now: "):
            read()


# What is not its own, or not whole.


def refuse(path: Path, sentence: str) -> None:
    """The file is refused in these words, stays as it was, and nothing is left beside it."""
    before, others = path.read_bytes(), beside(path)
    with pytest.raises(UnusableLog, match=sentence):
        SqliteLog(path)
    assert path.read_bytes() == before
    assert beside(path) == others


@pytest.mark.parametrize("length", [1, 50, 100, 512, 4095, 4096, 8192, -4096, -8192])
def test_a_file_that_was_cut_off_is_refused_and_left_as_it_is(path: Path, whole: bytes, length: int) -> None:
    path.write_bytes(whole[:length])
    refuse(path, r"games\.sqlite is (damaged: |not a file of Kast's)")


@pytest.mark.parametrize("place", [0, 16, 100, 4096, 8192, 12288, -4096])
def test_a_file_that_was_overwritten_with_noise_is_refused_and_left_as_it_is(
    path: Path, whole: bytes, place: int
) -> None:
    place %= len(whole)
    noise = bytes((7 * n * n + 13 * n + 101) % 251 for n in range(600))
    path.write_bytes(whole[:place] + noise + whole[place + 600 :])
    refuse(path, r"games\.sqlite is (damaged: |not a file of Kast's)")


@pytest.mark.parametrize("content", [b"x", b"Dear diary, ", b"\x00" * 4096, b"\x89PNG\r\n\x1a\n", b"PK\x03\x04" * 300])
def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refuse(path, r"games\.sqlite is (damaged: |not a file of Kast's)")


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_a_database_of_somebody_else_is_refused_and_left_as_it_is(path: Path, journal: str) -> None:
    with closing(raw(path)) as other:
        other.execute(f"PRAGMA journal_mode = {journal}")
        other.execute("CREATE TABLE entries (game, seq, at, request, entry)")
        other.execute("INSERT INTO entries VALUES ('g', 0, 'now', 'r', '{}')")
    refuse(path, r"games\.sqlite is not a file of Kast's\.$")


def test_a_database_that_somebody_else_has_open_is_refused_and_left_as_it_is(path: Path) -> None:
    with closing(raw(path)) as other:
        other.execute("PRAGMA journal_mode = wal")
        other.execute("CREATE TABLE theirs (x)")
        refuse(path, r"games\.sqlite is not a file of Kast's\.$")
        assert other.execute("SELECT count(*) FROM theirs").fetchone() == (0,)


def test_an_unfinished_write_of_somebody_else_is_left_to_them(path: Path) -> None:
    """A journal left by a crash would be rolled back, and the file changed, by whoever opens it to write."""
    with closing(raw(path)) as other:
        other.execute("CREATE TABLE theirs (x)")
        other.execute("INSERT INTO theirs VALUES (1)")
        other.execute("PRAGMA cache_size = 1")
        other.execute("BEGIN")
        other.executemany("INSERT INTO theirs VALUES (?)", [("x" * 3000,) for _ in range(50)])
        crashed = {name: (path.parent / name).read_bytes() for name in (path.name, f"{path.name}-journal")}
        other.execute("ROLLBACK")
    for name, content in crashed.items():
        (path.parent / name).write_bytes(content)
    refuse(path, r"games\.sqlite is (damaged: |not a file of Kast's|cannot be opened: )")
    assert (path.parent / f"{path.name}-journal").read_bytes() == crashed[f"{path.name}-journal"]


def test_a_file_of_a_newer_version_is_refused_and_left_as_it_is(path: Path, whole: bytes) -> None:
    assert whole
    with closing(raw(path)) as other:
        other.execute(f"PRAGMA user_version = {VERSION + 1}")
    refuse(path, rf"games\.sqlite was written by another version of Kast \({VERSION + 1}\)\.$")


def test_a_folder_or_a_place_that_is_not_there_is_refused_in_words(tmp_path: Path) -> None:
    for impossible in (tmp_path, tmp_path / "nowhere" / "games.sqlite"):
        with pytest.raises(UnusableLog, match=r"cannot be opened: "):
            SqliteLog(impossible)


def test_an_entry_that_cannot_be_read_is_said_to_be_so(log: SqliteLog, path: Path) -> None:
    write(log, "g")
    with closing(raw(path)) as other:
        other.execute("INSERT INTO entries VALUES ('g', 5, 'now', 'r', '{\"event\": \"Scored\", \"box\": 7}')")
    with pytest.raises(UnusableLog, match=r"Game g cannot be read: "):
        log.read("g")


def test_a_file_with_an_odd_name_is_a_file(tmp_path: Path) -> None:
    names = ["günther & co.sqlite", "100% sure?mode=memory#x", "file:x"]
    for name in names:
        path = tmp_path / name
        for _ in range(2):
            SqliteLog(path).close()
        assert path.stat().st_size > 0
    assert {found.name for found in tmp_path.iterdir()} == set(names)


def test_the_file_says_whose_it_is(whole: bytes) -> None:
    """Application id and user version stand at bytes 68 and 60 of the header: https://www.sqlite.org/fileformat.html"""
    assert whole[68:72] == b"Kast" == APPLICATION.to_bytes(4, "big")
    assert whole[60:64] == VERSION.to_bytes(4, "big")
