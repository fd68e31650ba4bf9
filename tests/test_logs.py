"""What a log promises, wherever it keeps its entries: in a file, or in a real PostgreSQL for several servers."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import psycopg
import pytest
from hypothesis import given, settings

from scorekeeper.events import Joined, Scored
from scorekeeper.history import History, replay
from scorekeeper.log import Log, SqliteLog
from scorekeeper.postgres import PostgresLog
from scorekeeper.refusal import StaleEntry, Unsaved, UnusableLog
from tests.strategies import histories
from tests.test_log import BEGUN, ENTRIES, in_threads, write
from web.storage import open_log

Opened = Callable[[], Log]


@pytest.fixture(params=["a file", "PostgreSQL"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new log is to be."""
    if request.param == "a file":
        return str(tmp_path / "games.sqlite")
    return str(request.getfixturevalue("empty"))


@pytest.fixture
def opened(address: str) -> Iterator[Opened]:
    """Opens the same log once more."""
    with ExitStack() as logs:

        def one_more() -> Log:
            log = PostgresLog(address) if address.startswith("postgresql:") else SqliteLog(Path(address))
            logs.callback(log.close)
            return log

        yield one_more


@pytest.fixture
def log(opened: Opened) -> Log:
    return opened()


def test_entries_come_back_in_their_order_and_after_the_log_was_closed(log: Log, opened: Opened) -> None:
    write(log, "g")
    assert log.read("g") == ENTRIES
    assert log.read("g", start=3) == ENTRIES[3:]
    assert log.read("another") == []
    assert (log.count("g"), log.count("another")) == (len(ENTRIES), 0)
    log.close()
    again = opened()
    assert again.read("g") == ENTRIES
    again.append("g", len(ENTRIES), "later", Joined("Cilla"))
    assert len(again.read("g")) == len(ENTRIES) + 1


def test_a_game_read_back_is_the_game_that_was_played(log: Log) -> None:
    numbers = count()

    @settings(max_examples=30, deadline=None)
    @given(histories())
    def read_back(history: History) -> None:
        game = f"g{next(numbers)}"
        for seq, entry in enumerate(history.entries):
            log.append(game, seq, str(seq), entry)
        assert replay(log.read(game)) == history

    read_back()


def test_games_are_listed_the_latest_first(log: Log) -> None:
    assert log.games() == []
    write(log, "first")
    write(log, "second")
    log.append("first", len(ENTRIES), "later", Joined("Cilla"))
    listed = log.games()
    assert [(saved.game, saved.entries) for saved in listed] == [("first", 6), ("second", 5)]
    assert listed[0].at >= listed[1].at
    assert listed[0].at.utcoffset() is not None


def test_what_was_appended_survives_a_process_that_is_killed_right_after(address: str, opened: Opened) -> None:
    script = """
import os, signal, sys
from pathlib import Path
from scorekeeper.log import SqliteLog
from scorekeeper.postgres import PostgresLog
from tests.test_log import BEGUN
log = PostgresLog(sys.argv[1]) if sys.argv[1].startswith("postgresql:") else SqliteLog(Path(sys.argv[1]))
log.append("g", 0, "r", BEGUN)
os.kill(os.getpid(), signal.SIGKILL)
"""
    root = Path(__file__).parent.parent
    killed = subprocess.run([sys.executable, "-c", script, address], cwd=root, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert opened().read("g") == [BEGUN]


@pytest.mark.parametrize("seq", [0, 4, 6, 100, -1])
def test_only_the_next_number_is_written(log: Log, seq: int) -> None:
    write(log, "g")
    with pytest.raises(StaleEntry, match="Another screen wrote first"):
        log.append("g", seq, "new", Joined("Cilla"))
    assert log.read("g") == ENTRIES


def test_a_game_starts_with_number_0(log: Log) -> None:
    with pytest.raises(StaleEntry):
        log.append("g", 1, "new", BEGUN)
    assert log.games() == []


def test_a_request_that_is_repeated_is_written_once(log: Log) -> None:
    write(log, "g")
    assert not log.append("g", 5, "request-2", Scored("pair", 12))
    assert not log.append("g", 2, "request-2", Scored("pair", 12))
    assert log.read("g") == ENTRIES
    assert log.append("other", 0, "request-2", BEGUN), "another game has requests of its own"


def test_of_many_screens_that_write_the_same_number_one_succeeds(opened: Opened) -> None:
    screens, numbers = 4, 25
    logs = [opened() for _ in range(screens)]
    logs[0].append("g", 0, "begin", BEGUN)
    together = threading.Barrier(screens)
    outcomes: list[tuple[int, str]] = []

    def act(screen: int) -> None:
        for seq in range(1, numbers):
            together.wait()
            try:
                logs[screen].append("g", seq, f"{screen}-{seq}", Joined(f"{screen}-{seq}"))
                outcomes.append((seq, "written"))
            except StaleEntry:
                outcomes.append((seq, "stale"))

    in_threads(screens, act)
    assert sorted(outcomes) == sorted((seq, o) for seq in range(1, numbers) for o in ["written"] + ["stale"] * 3)
    assert len(logs[0].read("g")) == numbers


def test_a_request_that_many_send_at_once_is_written_once(opened: Opened) -> None:
    logs = [opened() for _ in range(4)]
    logs[0].append("g", 0, "begin", BEGUN)
    for number in range(1, 10):
        written = []
        in_threads(4, lambda n: written.append(logs[n].append("g", number, f"r{number}", Joined("Cilla"))))  # noqa: B023
        assert sorted(written) == [False, False, False, True]


def test_one_log_is_used_by_many_threads(log: Log) -> None:
    def play(thread: int) -> None:
        for seq in range(20):
            log.append(f"g{thread}", seq, f"{seq}", BEGUN if seq == 0 else Joined(f"{seq}"))
            assert len(log.read(f"g{thread}")) == seq + 1

    in_threads(4, play)
    assert sorted(saved.entries for saved in log.games()) == [20] * 4


def test_many_may_open_a_new_log_at_once(opened: Opened) -> None:
    def open_it(_thread: int) -> None:
        opened()

    in_threads(4, open_it)
    assert opened().games() == []


def test_what_is_dumped_is_written_again_elsewhere_with_its_times_and_requests(log: Log, tmp_path: Path) -> None:
    write(log, "g")
    write(log, "another")
    with closing(SqliteLog(tmp_path / "elsewhere.sqlite")) as elsewhere:
        elsewhere.restore({game: (0, log.dump(game)) for game in ("g", "another")})
        assert [elsewhere.dump(game) for game in ("g", "another")] == [log.dump(game) for game in ("g", "another")]
        elsewhere.append("g", len(ENTRIES), "later", Joined("Cilla"))
        log.restore({"g": (len(ENTRIES), elsewhere.dump("g")[len(ENTRIES) :])})
        assert log.dump("g") == elsewhere.dump("g")


def test_of_what_cannot_all_be_written_again_nothing_is(log: Log) -> None:
    write(log, "g")
    with pytest.raises(StaleEntry):
        log.restore({"another": (0, log.dump("g")), "g": (3, log.dump("g")[3:])})
    assert [saved.game for saved in log.games()] == ["g"]


# PostgreSQL alone.


def test_nothing_in_the_database_can_be_changed(empty: str) -> None:
    log = PostgresLog(empty)
    write(log, "g")
    with psycopg.connect(empty, autocommit=True) as other:
        for statement in (
            "UPDATE kast.entries SET entry = ''",
            "UPDATE kast.entries SET seq = 9 WHERE seq = 1",
            "DELETE FROM kast.entries",
            "TRUNCATE kast.entries",
            "INSERT INTO kast.entries VALUES ('g', 0, now(), 'other', '')",
            "INSERT INTO kast.entries VALUES ('g', -1, now(), 'other', '')",
            "INSERT INTO kast.entries VALUES ('g', 5, now(), 'request-0', '')",
        ):
            with pytest.raises(psycopg.errors.IntegrityError):
                other.execute(statement.encode())
    assert log.read("g") == ENTRIES
    log.close()


def test_connections_that_were_lost_are_made_again(empty: str) -> None:
    log = PostgresLog(empty)
    write(log, "g")
    with psycopg.connect(empty, autocommit=True) as other:
        other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    assert log.read("g") == ENTRIES
    assert log.append("g", len(ENTRIES), "later", Joined("Cilla"))
    log.close()


def test_a_schema_of_somebody_else_is_refused_and_left_as_it_is(empty: str) -> None:
    with psycopg.connect(empty, autocommit=True) as other:
        other.execute("CREATE SCHEMA kast")
        with pytest.raises(UnusableLog, match="something else, or games of another version"):
            PostgresLog(empty)
        assert other.execute(
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'kast'"
        ).fetchone() == (0,)


def test_a_database_that_is_not_there_is_said_in_words(server: str) -> None:
    with pytest.raises(UnusableLog, match=r'^The database cannot be opened: .*database "nowhere" does not exist\.$'):
        PostgresLog(server.replace("/postgres?", "/nowhere?"))
    with pytest.raises(UnusableLog, match=r"^The database cannot be opened: ") as refused:
        PostgresLog("postgresql://kast:secret@127.0.0.1:1/games")
    assert "secret" not in str(refused.value)


def test_what_the_database_does_not_take_is_refused_in_words_and_leaves_no_trace(empty: str) -> None:
    log = PostgresLog(empty)
    write(log, "g")
    with psycopg.connect(empty, autocommit=True) as other:
        other.execute("ALTER TABLE kast.entries RENAME TO elsewhere")
        with pytest.raises(Unsaved, match=r"^This could not be saved: .* The game is as it was\.$"):
            log.append("g", len(ENTRIES), "later", Joined("Cilla"))
        with pytest.raises(UnusableLog, match=r"^The games cannot be read just now: "):
            log.games()
        other.execute("ALTER TABLE kast.elsewhere RENAME TO entries")
    assert log.read("g") == ENTRIES
    log.close()


# Which of them a server opens.


def test_the_server_keeps_games_where_it_is_told_to(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_log(tmp_path)) as in_the_file:
        assert isinstance(in_the_file, SqliteLog)
    monkeypatch.setenv("KAST_DATABASE", empty)
    with closing(open_log(tmp_path)) as in_the_database:
        assert isinstance(in_the_database, PostgresLog)
    monkeypatch.setenv("KAST_DATABASE", "mysql://somewhere")
    with pytest.raises(UnusableLog, match=r"^KAST_DATABASE has to begin with postgresql://\.$"):
        open_log(tmp_path)


def test_a_server_without_what_talks_to_postgresql_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAST_DATABASE", "postgresql://localhost/kast")
    monkeypatch.setitem(sys.modules, "scorekeeper.postgres", None)
    with pytest.raises(UnusableLog, match=r"install what talks to it: pip install 'kast\[postgresql\]'"):
        open_log(tmp_path)
