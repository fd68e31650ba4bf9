"""Files of games that earlier versions wrote are played on; those of later ones are refused.

golden/first.sqlite3 was written by the first version that kept games (commit 622d4cc): games at random, with some acts
undone,
and first.json says how many entries each has, and what its players have in the end.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from scorekeeper.events import Joined
from scorekeeper.history import replay
from scorekeeper.log import SqliteLog
from scorekeeper.refusal import UnusableLog
from scorekeeper.whole import VERSION
from web.backups import to_go_back_to
from web.command import main

GOLDEN = Path(__file__).parent / "golden"
EXPECTED = json.loads((GOLDEN / "first.json").read_text())


def totals(log: SqliteLog) -> dict[str, list[int]]:
    found = {}
    for saved in log.games():
        history = replay(log.read(saved.game))
        found[saved.game] = [len(history.entries), *(sheet.total for sheet in history.game.sheets)]
    return found


@pytest.mark.parametrize("name", ["kast.sqlite3", "backups/kast-2026-11-30.sqlite3"])
def test_games_of_the_first_version_have_the_same_totals_and_go_on(tmp_path: Path, name: str) -> None:
    """Also where the file was a copy, and is put back."""
    first = tmp_path / name
    first.parent.mkdir(exist_ok=True)
    shutil.copyfile(GOLDEN / "first.sqlite3", first)
    copy = to_go_back_to(tmp_path / "backups", date(2026, 12, 1))
    file = tmp_path / "kast.sqlite3"
    if copy:
        shutil.copyfile(copy, file)
    with closing(SqliteLog(file)) as log:
        assert totals(log) == EXPECTED
        game, (entries, *_points) = next(iter(EXPECTED.items()))
        assert log.append(game, entries, "today", Joined("Cilla"))


def test_games_of_the_first_version_are_taken_along_to_another_computer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "old").mkdir()
    shutil.copyfile(GOLDEN / "first.sqlite3", tmp_path / "old" / "kast.sqlite3")
    assert main(["export", str(tmp_path / "games.json"), "--data", str(tmp_path / "old")]) == 0
    assert main(["import", str(tmp_path / "games.json"), "--data", str(tmp_path / "new")]) == 0
    assert "2 games came" in capsys.readouterr().out
    with closing(SqliteLog(tmp_path / "new" / "kast.sqlite3")) as log:
        assert totals(log) == EXPECTED


def test_a_file_of_a_later_version_is_refused_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "kast.sqlite3"
    shutil.copyfile(GOLDEN / "first.sqlite3", file)
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = file.read_bytes()
    with pytest.raises(UnusableLog, match=rf"was written by another version of Kast \({VERSION + 1}\)"):
        SqliteLog(file)
    assert file.read_bytes() == before
