"""All games move from one folder or database to another, on the command line."""

from __future__ import annotations

import io
import stat
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.log import Log, SqliteLog, Written
from tests.test_archive import ENTRIES, ID, OTHER, write
from web.command import main
from web.storage import DATABASE, open_log

Output = pytest.CaptureFixture[str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two games."""
    monkeypatch.delenv(DATABASE, raising=False)
    with closing(SqliteLog(tmp_path / "kast.sqlite3")) as log:
        write(log, ID)
        write(log, OTHER, ENTRIES[:3])
    return tmp_path


def everything(log: Log) -> dict[str, list[Written]]:
    with closing(log):
        return {saved.game: log.dump(saved.game) for saved in log.games()}


def test_all_games_move_to_another_folder_with_nothing_lost(home: Path, tmp_path: Path, capsys: Output) -> None:
    file, there = tmp_path / "games.json", tmp_path / "there"
    assert main(["export", str(file), "--data", str(home)]) == 0
    assert "2 games from" in capsys.readouterr().out
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert main(["import", str(file), "--data", str(there)]) == 0
    assert capsys.readouterr().out.startswith("2 games came into")
    assert everything(open_log(there)) == everything(open_log(home))
    assert main(["import", str(file), "--data", str(there)]) == 0
    assert "2 games were there already" in capsys.readouterr().out


def test_games_move_into_a_database_and_back(
    home: Path, tmp_path: Path, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, back = tmp_path / "games.json", tmp_path / "back.json"
    assert main(["export", str(file), "--data", str(home)]) == 0
    monkeypatch.setenv(DATABASE, empty)
    assert main(["import", str(file), "--data", str(home)]) == 0
    assert main(["export", str(back), "--data", str(home)]) == 0
    monkeypatch.delenv(DATABASE)
    assert main(["import", str(back), "--data", str(tmp_path / "there")]) == 0
    assert everything(open_log(tmp_path / "there")) == everything(open_log(home))


def test_games_pass_through_streams(
    home: Path, tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["export", "-", "--data", str(home)]) == 0
    text = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["import", "-", "--data", str(tmp_path / "there")]) == 0
    assert everything(open_log(tmp_path / "there")) == everything(open_log(home))


def test_what_cannot_be_is_said_in_a_sentence(home: Path, tmp_path: Path, capsys: Output) -> None:
    nowhere, damaged = tmp_path / "nowhere", tmp_path / "damaged.json"
    damaged.write_text("half of a f")
    for argv, words in (
        (["export", str(tmp_path / "x.json"), "--data", str(nowhere)], "There are no games in"),
        (["export", str(nowhere / "x.json"), "--data", str(home)], "cannot be written"),
        (["import", str(tmp_path / "x.json"), "--data", str(home)], "cannot be read"),
        (["import", str(damaged), "--data", str(home)], "holds no games of Kast's"),
    ):
        assert main(argv) == 1
        assert words in capsys.readouterr().err
    assert not nowhere.exists()
    assert len(everything(open_log(home))) == 2
