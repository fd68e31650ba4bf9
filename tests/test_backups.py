"""The file of games is copied once a day, and old copies go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from scorekeeper.events import Joined
from scorekeeper.log import SqliteLog
from scorekeeper.refusal import UnusableLog
from tests.test_log import BEGUN, ENTRIES, write
from web.backups import Backups, copies, to_go_back_to

TODAY = date(2026, 11, 30)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    with closing(SqliteLog(tmp_path / "kast.sqlite3")) as log:
        yield log


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups"


def names(folder: Path) -> list[str]:
    return [path.name for path in copies(folder)]


def test_a_copy_holds_all_games_and_can_be_put_in_their_place(log: SqliteLog, folder: Path, tmp_path: Path) -> None:
    write(log, "g")
    Backups(log, folder.parent / "house", folder, days=30).keep(TODAY)
    log.append("g", len(ENTRIES), "after the copy", Joined("Cilla"))
    assert names(folder) == ["kast-2026-11-30.sqlite3"]
    back = tmp_path / "back.sqlite3"
    back.write_bytes(copies(folder)[0].read_bytes())
    with closing(SqliteLog(back)) as restored:
        assert restored.dump("g") == log.dump("g")[: len(ENTRIES)]
        assert restored.append("g", len(ENTRIES), "goes on", Joined("Cilla"))


def test_there_is_one_copy_a_day_and_nothing_beside_it(log: SqliteLog, folder: Path) -> None:
    log.append("g", 0, "begin", BEGUN)
    backups = Backups(log, folder.parent / "house", folder, days=30)
    backups.keep(TODAY)
    first = copies(folder)[0].read_bytes()
    log.append("g", 1, "more", Joined("Cilla"))
    backups.keep(TODAY)
    assert copies(folder)[0].read_bytes() == first
    backups.keep(TODAY + timedelta(days=1))
    assert sorted(path.name for path in folder.iterdir()) == ["kast-2026-11-30.sqlite3", "kast-2026-12-01.sqlite3"]
    assert all(path.stat().st_mode & 0o77 == 0 for path in [folder, *folder.iterdir()]), "others may not read them"


def test_copies_go_after_the_days_that_one_sets_but_never_the_newest(log: SqliteLog, folder: Path) -> None:
    log.append("g", 0, "begin", BEGUN)
    backups = Backups(log, folder.parent / "house", folder, days=3)
    for day in range(5):
        backups.keep(TODAY + timedelta(days=day))
    assert names(folder) == [f"kast-2026-12-0{day}.sqlite3" for day in (2, 3, 4)]
    (folder / "my own notes.txt").write_text("kept")
    for old in copies(folder)[:-1]:
        old.unlink()
    log.close()
    with pytest.raises(UnusableLog):
        backups.keep(TODAY + timedelta(days=60))
    assert names(folder) == ["kast-2026-12-04.sqlite3"], "a log that cannot be copied costs no copy"
    assert (folder / "my own notes.txt").exists()


def test_no_copies_are_made_where_there_are_no_games_or_none_are_wanted(log: SqliteLog, folder: Path) -> None:
    Backups(log, folder.parent / "house", folder, days=30).keep(TODAY)
    assert not folder.exists()
    log.append("g", 0, "begin", BEGUN)
    Backups(log, folder.parent / "house", folder, days=0).keep(TODAY)
    assert not folder.exists()


def test_a_clock_that_leaps_to_and_fro_costs_no_more_than_the_oldest_copies(log: SqliteLog, folder: Path) -> None:
    log.append("g", 0, "begin", BEGUN)
    backups = Backups(log, folder.parent / "house", folder, days=5)
    for day in range(5):
        backups.keep(TODAY + timedelta(days=day))
    before = names(folder)
    for leap in (3650, -400):
        backups.keep(TODAY + timedelta(days=leap))
    assert set(names(folder)) >= set(before[2:])
    assert f"kast-{TODAY - timedelta(days=400)}.sqlite3" in names(folder), "the copy of the day stays, whatever it is"
    back = to_go_back_to(folder, TODAY + timedelta(days=4))
    assert back is not None
    assert back.name == before[-1], "and not the one of a day to come"


def test_the_copy_to_go_back_to_is_the_newest_that_is_whole(log: SqliteLog, folder: Path) -> None:
    assert to_go_back_to(folder, TODAY) is None
    log.append("g", 0, "begin", BEGUN)
    backups = Backups(log, folder.parent / "house", folder, days=5)
    for day in range(4):
        backups.keep(TODAY + timedelta(days=day))
    first, _second, third, fourth = copies(folder)
    third.write_bytes(b"")
    fourth.write_bytes(first.read_bytes()[:4096] + b"noise" * 2000)
    assert to_go_back_to(folder, TODAY + timedelta(days=9)) == copies(folder)[1]


def test_house_rules_are_copied_with_the_games(log: SqliteLog, folder: Path) -> None:
    house = folder.parent / "house"
    backups = Backups(log, house, folder, days=2)
    backups.keep(TODAY)
    assert not folder.exists()
    house.mkdir()
    (house / "ours.toml").write_text("one")
    for day in range(3):
        backups.keep(TODAY + timedelta(days=day))
    (house / "ours.toml").write_text("other")
    backups.keep(TODAY + timedelta(days=2))
    assert sorted(path.name for path in folder.iterdir()) == ["house-2026-12-01", "house-2026-12-02"]
    assert [path.read_text() for path in sorted(folder.glob("*/*"))] == ["one", "one"]


def test_where_a_copy_cannot_be_written_that_is_said_and_nothing_is_left(log: SqliteLog, folder: Path) -> None:
    log.append("g", 0, "begin", BEGUN)
    (folder / "kast-2026-11-30.part").mkdir(parents=True)
    with pytest.raises(UnusableLog, match="cannot be written"):
        Backups(log, folder.parent / "house", folder, days=30).keep(TODAY)
    assert names(folder) == []
