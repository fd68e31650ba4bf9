"""What befalls a server in play costs nobody a confirmed act. `python -m tests.faults` does more of the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import faults


def test_a_full_disk_refuses_acts_in_words_shows_all_games_and_loses_none(tmp_path: Path) -> None:
    try:
        confirmed, refused = faults.full_disk(tmp_path / "data", rounds=1, seed=3)
    except faults.Unavailable as error:
        pytest.skip(str(error))
    assert refused
    assert confirmed > refused


def test_two_servers_on_one_file_write_each_act_once_and_in_order(tmp_path: Path) -> None:
    assert faults.two_servers(tmp_path, rounds=2, seed=4) > 4


def test_a_clock_that_leaps_years_ahead_and_back_costs_no_act_no_picture_and_no_copy(tmp_path: Path) -> None:
    picture, copy = tmp_path / "pictures" / "one.jpg", tmp_path / "backups" / "kast-2026-11-29.sqlite3"
    for file in (picture, copy):
        file.parent.mkdir()
        file.touch()
    try:
        confirmed = faults.leaps(tmp_path, [0, 3650, -400], seed=5)
    except faults.Unavailable as error:
        pytest.skip(str(error))
    assert confirmed > 3
    assert picture.exists()
    assert copy.exists()
    assert len(list(copy.parent.glob("kast-*"))) == 3
