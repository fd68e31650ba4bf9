"""A file of games that a crash, a bad disk or a hand has spoilt is refused whole, and what lies beside it is kept."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.log import SqliteLog
from scorekeeper.refusal import UnusableLog
from scorekeeper.whole import Damaged, beside
from tests.test_log import ENTRIES, write

NOISE = bytes((7 * n * n + 13 * n + 101) % 251 for n in range(600))


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A file of games as a killed server leaves it: what was confirmed lies in the write-ahead log beside it."""
    made, left = tmp_path / "made" / "games", tmp_path / "left"
    made.parent.mkdir()
    with closing(SqliteLog(made)) as log:
        write(log, "g")
        log.copy(tmp_path / "backup")
        shutil.copytree(made.parent, left)
    return left / "games"


def lies(path: Path) -> dict[str, bytes]:
    return {there.name: there.read_bytes() for there in path.parent.iterdir()}


def spoil(path: Path, how: Callable[[bytes], bytes]) -> None:
    path.write_bytes(how(path.read_bytes()))


def refuse(path: Path, sentence: str) -> None:
    before = lies(path)
    with pytest.raises(Damaged, match=sentence):
        SqliteLog(path)
    assert lies(path) == before, "it was kept as it is"


def test_what_a_killed_server_has_left_is_taken_up_and_nothing_stays_beside(crashed: Path) -> None:
    with closing(SqliteLog(crashed)) as log:
        assert log.read("g") == ENTRIES
        assert beside(crashed, "wal").stat().st_size == 0, "it is in the file itself from now on"
    assert list(lies(crashed)) == ["games"]


@pytest.mark.parametrize("with_index", [True, False], ids=["index", "no index"])
@pytest.mark.parametrize("place", [0, 32, 100, -20_000, -9_000])
def test_noise_in_the_write_ahead_log_is_refused_and_all_of_it_kept(
    crashed: Path, place: int, with_index: bool
) -> None:
    """SQLite alone would keep what comes before the noise, and delete the rest without a word."""
    log = beside(crashed, "wal")
    place %= log.stat().st_size
    spoil(log, lambda data: data[:place] + NOISE + data[place + len(NOISE) :])
    if not with_index:
        beside(crashed, "shm").unlink()
    refuse(crashed, "games is not whole: games-wal is damaged")


@pytest.mark.parametrize("length", [0.3, 0.5, 0.9])
def test_a_write_ahead_log_that_was_cut_off_is_refused(crashed: Path, length: float) -> None:
    spoil(beside(crashed, "wal"), lambda data: data[: int(length * len(data))])
    refuse(crashed, "games is not whole: games-wal is damaged")


@pytest.mark.parametrize("how", ["deleted", "emptied"])
def test_a_write_ahead_log_that_is_gone_is_missed(crashed: Path, how: str) -> None:
    if how == "deleted":
        beside(crashed, "wal").unlink()
    else:
        beside(crashed, "wal").write_bytes(b"")
    refuse(crashed, "games is not whole: games-wal is missing")


def test_a_last_write_that_was_torn_when_the_power_went_is_as_if_it_had_not_been(crashed: Path) -> None:
    """Nobody was told that it is saved: the index beside the file, which is written after the log, knows nothing of it
    either, and does not outlive a loss of power."""
    beside(crashed, "shm").unlink()
    spoil(beside(crashed, "wal"), lambda data: data[:-2000] + NOISE + data[-1400:])
    with closing(SqliteLog(crashed)) as log:
        assert log.read("g") == ENTRIES[:-1]


def test_noise_in_the_file_itself_is_refused_with_all_that_lies_beside_it(crashed: Path) -> None:
    spoil(crashed, lambda data: NOISE + data[len(NOISE) :])
    refuse(crashed, "games is damaged")


@pytest.mark.parametrize("instead", ["a copy", "nothing"])
def test_a_copy_that_is_put_back_is_not_mixed_with_what_lay_beside_the_file_before(crashed: Path, instead: str) -> None:
    """A write-ahead log knows not whose it is: SQLite would write it into the copy."""
    before = beside(crashed, "wal").read_bytes()
    crashed.unlink()
    if instead == "a copy":
        shutil.copyfile(crashed.parent.parent / "backup", crashed)
    with closing(SqliteLog(crashed)) as log:
        assert log.read("g") == (ENTRIES if instead == "a copy" else [])
    assert lies(crashed)["games-wal.of-another"] == before


def test_a_second_server_opens_the_file_while_the_first_one_writes(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with closing(SqliteLog(path)) as log:
        write(log, "g")
        with closing(SqliteLog(path)) as other:
            assert other.read("g") == ENTRIES


def test_a_file_whose_log_cannot_be_looked_into_for_want_of_room_is_opened_all_the_same(
    crashed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shutil.copyfile", full)
    with closing(SqliteLog(crashed)) as log:
        assert log.read("g") == ENTRIES


def test_a_damaged_file_is_an_unusable_one() -> None:
    assert issubclass(Damaged, UnusableLog)
