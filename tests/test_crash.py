"""A server that is killed loses nothing. `python -m tests.crash` does the same five hundred times."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.crash import crash

KILLS = 10


@pytest.mark.parametrize("where", ["a file", "PostgreSQL"])
def test_whatever_was_confirmed_before_a_kill_is_there_once_and_nothing_is_half_there(
    where: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    if where == "PostgreSQL":
        monkeypatch.setenv("KAST_DATABASE", request.getfixturevalue("empty"))
    confirmed, unanswered = crash(tmp_path, KILLS, seed=7)
    assert confirmed > KILLS
    assert unanswered, "no act was under way when the server was killed"
