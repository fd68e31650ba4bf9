"""kast doctor says in words how everything is, and what to do where it is not as it should be."""

from __future__ import annotations

import os
import platform
import shutil
import socket
from collections import namedtuple
from contextlib import closing
from datetime import date
from pathlib import Path

import psycopg
import pytest

from recognizer.reader import Reader
from scorekeeper.events import Joined, Scored
from scorekeeper.log import SqliteLog
from scorekeeper.postgres import PostgresLog
from tests.browser.table import free_port
from tests.test_log import BEGUN, write
from web import certificates, doctor
from web.backups import Backups
from web.command import main
from web.https import Https

Usage = namedtuple("Usage", "total used free")


def found(folder: Path, about: str) -> list[doctor.Finding]:
    return [finding for finding in doctor.examine(folder, (free_port(), free_port())) if finding.about == about]


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A folder with a game and a copy of it."""
    with closing(SqliteLog(tmp_path / "kast.sqlite3")) as log:
        write(log, "g")
        Backups(log, tmp_path / "house", tmp_path / "backups", days=30).keep(date(2026, 11, 30))
    return tmp_path


def test_a_fresh_machine_is_well_and_nothing_is_made_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "not there yet"
    ports = ["--port", str(free_port()), "--https-port", str(free_port())]
    assert main(["doctor", "--data", str(folder), *ports]) == 0
    said = capsys.readouterr().out
    for about in ("program", "free space", "games", "best play", "eye", "cameras", "addresses", "ports", "https"):
        assert f"ok  {about}" in said
    assert said.endswith("All is well.\n")
    assert not folder.exists()


def test_games_are_counted_and_read_and_copies_named(played: Path) -> None:
    assert found(played, "games")[0].what.startswith("1, all whole, in ")
    assert found(played, "copies")[0].what == "1, the newest whole one is kast-2026-11-30.sqlite3"


def test_a_damaged_file_of_games_is_reported_with_the_copy_to_go_back_to(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = played / "kast.sqlite3"
    file.write_bytes(file.read_bytes()[:4096] + b"noise" * 2000)
    assert main(["doctor", "--data", str(played)]) == 1
    said = capsys.readouterr().out
    assert "!!  games" in said
    assert f"To go back: stop Kast, and put {played / 'backups' / 'kast-2026-11-30.sqlite3'} in its place." in said
    assert "Lines with !! need something to be done: 1." in said


def test_a_database_that_does_not_answer_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAST_DATABASE", "postgresql://kast:secret@127.0.0.1:1/games")
    (finding,) = found(tmp_path, "games")
    assert not finding.fine
    assert "The database cannot be opened" in finding.what
    assert "secret" not in str(finding)


@pytest.mark.parametrize(("free", "fine", "words"), [(1e7, False, "Scores may not be saved"), (1e9, True, "to play")])
def test_little_free_space_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: float, fine: bool, words: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(1e12, 1e12 - free, free))
    (finding,) = found(tmp_path, "free space")
    assert finding.fine is fine
    assert words in finding.advice


def test_missing_networks_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.doctor.Reader", lambda threads: Reader(tmp_path / "empty", threads))
    (finding,) = found(tmp_path, "eye")
    assert not finding.fine
    assert "Install Kast again" in finding.advice


def test_a_camera_that_may_not_be_used_is_reported_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recognizer.frames.devices", lambda: {"Desk camera": 3})
    monkeypatch.setattr(os, "access", lambda *_: False)
    (finding,) = found(tmp_path, "cameras")
    assert not finding.fine
    assert "usermod -aG video" in finding.advice


def test_a_port_where_somebody_listens_is_told(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
        said = [str(finding) for finding in doctor.examine(tmp_path, (port,))]
    assert any(f"{port}: a server is there" in line for line in said)


def test_the_authority_is_named_and_a_damaged_one_reported(tmp_path: Path) -> None:
    Https(tmp_path / "certificates", "127.0.0.1")
    assert found(tmp_path, "https")[0].what.startswith("devices can trust “")
    (tmp_path / "certificates" / certificates.AUTHORITY).write_bytes(b"noise")
    assert not found(tmp_path, "https")[0].fine


def test_what_cannot_be_looked_at_hides_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> dict[str, int]:
        raise RuntimeError("no such bus")

    monkeypatch.setattr("recognizer.frames.devices", broken)
    said = list(doctor.examine(tmp_path, (free_port(),)))
    assert [finding.what for finding in said if not finding.fine] == ["cannot be looked at: no such bus"]
    assert said[-1].about == "https"


# It only looks.


def lies(folder: Path) -> dict[Path, tuple[bytes, int]]:
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("state", ["at rest", "served", "crashed", "damaged"])
def test_not_a_byte_of_the_data_is_changed_by_looking(played: Path, tmp_path: Path, state: str) -> None:
    shutil.copytree(played, folder := tmp_path / "folder", ignore=shutil.ignore_patterns("folder"))
    log = SqliteLog(folder / "kast.sqlite3")
    log.append("g", len(log.read("g")), "last", Joined("Cilla"))
    if state in ("crashed", "damaged"):
        shutil.copytree(folder, tmp_path / "crashed")
        log.close()
        folder = tmp_path / "crashed"
    if state == "damaged":
        (folder / "kast.sqlite3-wal").write_bytes(b"noise" * 3000)
    if state == "at rest":
        log.close()
    before = lies(folder)
    (games, *_more) = found(folder, "games")
    assert games.fine == (state != "damaged"), games
    assert lies(folder) == before
    log.close()


def test_no_schema_is_made_in_a_database_by_looking(
    tmp_path: Path, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAST_DATABASE", empty)
    (finding,) = found(tmp_path, "games")
    assert finding.what.startswith("none yet")
    with psycopg.connect(empty) as db:
        assert db.execute("SELECT count(*) FROM pg_namespace WHERE nspname = 'kast'").fetchone() == (0,)
    with closing(PostgresLog(empty)) as log:
        write(log, "g")
    (finding,) = found(tmp_path, "games")
    assert finding.what.startswith("1, all whole, in the database")


def test_a_game_that_cannot_be_played_through_is_counted(played: Path) -> None:
    with closing(SqliteLog(played / "kast.sqlite3")) as log:
        log.append("other", 0, "begin", BEGUN)
        log.append("other", 1, "r", Scored("no such box", 5))
    assert found(played, "games")[0].what == "1 of 2 cannot be read; the others can be played on"


def test_games_that_are_gone_are_missed_where_there_is_a_copy_of_them(played: Path) -> None:
    (played / "kast.sqlite3").write_bytes(b"")
    (games, _copies) = (*found(played, "games"), *found(played, "copies"))
    assert not games.fine
    assert "kast-2026-11-30.sqlite3" in games.advice


def test_house_rules_that_somebody_has_spoilt_are_named(played: Path) -> None:
    (played / "house").mkdir()
    (played / "house" / "ours.toml").write_text("dice = 'many'")
    (finding,) = found(played, "house rules")
    assert finding.what.startswith("ours.toml: ")
    assert not finding.fine


def test_a_clock_that_has_leapt_is_reported(played: Path) -> None:
    (played / "clock").write_text("2016-11-30T20:00:00+00:00")
    (finding,) = found(played, "clock")
    assert "has leapt by" in finding.what
    assert found(played / "none", "clock") == []


def test_what_is_said_for_others_names_nobody_and_no_place(
    played: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recognizer.frames.devices", lambda: {"Anna's camera": 3})
    monkeypatch.setattr("web.network.hosts", lambda _host: ["192.168.7.20"])
    monkeypatch.setattr("getpass.getuser", lambda: "annakarin")
    Https(played / "certificates", "127.0.0.1")
    main(["doctor", "--to-send", "--data", str(played)])
    said = capsys.readouterr().out
    for private in ("Anna", "192.168.7.20", "annakarin", str(played), platform.node()):
        assert private not in said
    assert "1, all whole" in said
    assert "kast serve --camera 3" in said
