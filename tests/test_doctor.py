"""kast doctor says in words how everything is, and what to do where it is not as it should be."""

from __future__ import annotations

import os
import shutil
import socket
from collections import namedtuple
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from recognizer.reader import Reader
from scorekeeper.log import SqliteLog
from tests.browser.table import free_port
from tests.test_log import write
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
        Backups(log, tmp_path / "backups", days=30).keep(date(2026, 11, 30))
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
    assert found(played, "copies")[0].what == "1, the newest kast-2026-11-30.sqlite3"


def test_a_damaged_file_of_games_is_reported_with_the_copy_to_go_back_to(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = played / "kast.sqlite3"
    file.write_bytes(file.read_bytes()[:4096] + b"noise" * 2000)
    assert main(["doctor", "--data", str(played)]) == 1
    said = capsys.readouterr().out
    assert "!!  games" in said
    assert f"Stop Kast and put {played / 'backups' / 'kast-2026-11-30.sqlite3'} in its place." in said
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
