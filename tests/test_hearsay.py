"""Several servers on one real PostgreSQL: what one has written the others hear, and nothing old is taken for new."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing

import psycopg
import pytest

from scorekeeper import hearsay
from scorekeeper.events import Joined
from scorekeeper.hearsay import Hearsay
from scorekeeper.postgres import PostgresLog
from tests.test_log import BEGUN, ENTRIES, write


@pytest.fixture
def logs(empty: str) -> Iterator[tuple[PostgresLog, PostgresLog]]:
    """Those of two servers."""
    with closing(PostgresLog(empty)) as one, closing(PostgresLog(empty)) as other:
        yield one, other


def until(holds: Callable[[], object]) -> None:
    """Wait, for some seconds at most, until this holds."""
    ends = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.01)


def known(log: PostgresLog, game: str) -> None:
    """Wait until the log need not ask how many entries the game has."""
    until(lambda: log.count(game) and log._hearsay.count(game))


def questions(monkeypatch: pytest.MonkeyPatch, log: PostgresLog) -> list[object]:
    """What this log asks its database from now on."""
    asked: list[object] = []
    rows = log._rows
    monkeypatch.setattr(log, "_rows", lambda *question: asked.append(question) or rows(*question))  # type: ignore[func-returns-value]
    return asked


def test_what_another_server_writes_is_known_without_a_question(
    logs: tuple[PostgresLog, PostgresLog], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = logs
    write(one, "g")
    assert other.count("g") == len(ENTRIES)
    assert other.count("nothing") == 0
    known(other, "g")
    asked = questions(monkeypatch, other)
    one.append("g", len(ENTRIES), "later", Joined("Cilla"))
    until(lambda: other.count("g") == len(ENTRIES) + 1)
    other.append("g", len(ENTRIES) + 1, "last", Joined("Dan"))
    assert other.count("g") == len(ENTRIES) + 2, "and its own at once"
    assert asked == []


def test_what_is_brought_into_the_database_is_heard_too(logs: tuple[PostgresLog, PostgresLog]) -> None:
    one, other = logs
    write(one, "g")
    written = one.dump("g")
    one.restore({"h": (0, written[:2])})
    known(other, "h")
    one.restore({"h": (2, written[2:])})
    until(lambda: other._hearsay.count("h") == len(ENTRIES))


def test_while_the_connection_that_listens_is_lost_the_database_is_asked(
    logs: tuple[PostgresLog, PostgresLog], empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = logs
    write(one, "g")
    known(other, "g")
    monkeypatch.setattr(hearsay, "AGAIN", 0.3)
    with psycopg.connect(empty, autocommit=True) as administrator:
        administrator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE query LIKE '%pg_notify%' AND pid <> pg_backend_pid()"
        )
    until(lambda: other._hearsay.count("g") is None)
    one.append("g", len(ENTRIES), "unheard", Joined("Cilla"))
    assert other.count("g") == len(ENTRIES) + 1
    known(other, "g")
    assert other._hearsay.count("g") == len(ENTRIES) + 1
    one.append("g", len(ENTRIES) + 1, "heard again", Joined("Dan"))
    until(lambda: other._hearsay.count("g") == len(ENTRIES) + 2)


def test_a_connection_that_hears_nothing_is_not_believed(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As through a pool of connections, or a network that has gone without a word."""
    monkeypatch.setattr(hearsay, "FRESH", 0.3)
    monkeypatch.setattr(hearsay, "ROUND", 0.05)
    listening = Hearsay(lambda: psycopg.connect(empty, autocommit=True))
    with closing(listening):
        listening.reading("g")(3)
        until(lambda: listening.reading("g")(3) or listening.count("g") == 3)
        monkeypatch.setattr(hearsay, "CHANNEL", "elsewhere")  # what it says to itself does not come back
        until(lambda: listening.count("g") is None)


def test_what_is_written_while_entries_are_counted_is_not_forgotten(empty: str) -> None:
    with closing(PostgresLog(empty)) as log, closing(Hearsay(lambda: psycopg.connect(empty, autocommit=True))) as heard:
        until(lambda: heard.reading("x")(1) or heard.count("x"))
        counted = heard.reading("g")
        log.append("g", 0, "r", BEGUN)  # after the database was asked, which has said 0
        until(lambda: heard.count("g") == 1)
        counted(0)
        assert heard.count("g") == 1


def test_what_was_counted_before_a_connection_broke_is_not_known_to_the_next() -> None:
    heard = Hearsay(lambda: pytest.fail("nobody listens"))
    counted = heard.reading("g")
    heard._counts = type(heard._counts)()
    counted(3)
    assert "g" not in heard._counts


def test_of_games_that_nobody_asks_for_little_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hearsay, "MOST", 2)
    heard = Hearsay(lambda: pytest.fail("nobody listens"))
    for game in "abc":
        heard.reading(game)(1)
    assert list(heard._counts) == ["b", "c"]


def test_many_servers_count_alike_while_all_write(empty: str) -> None:
    with closing(PostgresLog(empty)) as one, closing(PostgresLog(empty)) as other:
        one.append("g", 0, "r", BEGUN)
        seen: list[int] = []
        ended = threading.Event()

        def look() -> None:
            while not ended.is_set():
                seen.append(other.count("g"))

        looker = threading.Thread(target=look)
        looker.start()
        for seq in range(1, 40):
            one.append("g", seq, str(seq), Joined(f"P{seq}"))
        until(lambda: seen and seen[-1] == 40)
        ended.set()
        looker.join()
        assert seen == sorted(seen), "no count goes back"
