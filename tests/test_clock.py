"""A clock that has leapt deletes nothing until it has said the same for a week."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from web.clock import Clock

NOW = datetime(2026, 11, 30, 20, 0, tzinfo=UTC)
DAY = timedelta(days=1)
YEARS = timedelta(days=3650)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "clock"


@pytest.mark.parametrize("restarts", [True, False])
def test_a_clock_that_goes_on_is_believed_at_once(file: Path, restarts: bool) -> None:
    clock = Clock(file)
    for days in (0, 0.01, 1, 2, 30, 80, 81):
        clock = Clock(file) if restarts else clock
        assert clock.reliable(NOW + days * DAY) == NOW + days * DAY


def test_a_leap_of_ten_years_is_not_believed_for_a_week_nor_is_it_remembered_once_it_is_over(file: Path) -> None:
    clock = Clock(file)
    clock.reliable(NOW)
    for hours in range(0, 7 * 24, 12):
        assert Clock(file).reliable(NOW + YEARS + timedelta(hours=hours)) == NOW
        assert clock.reliable(NOW + YEARS + timedelta(hours=hours)) == NOW
    assert Clock(file).reliable(NOW + DAY) == NOW + DAY, "it was put right"
    assert Clock(file).reliable(NOW + YEARS + 8 * DAY) == NOW + DAY, "a new leap has a week of its own"


def test_a_leap_that_stays_is_believed_in_the_end(file: Path) -> None:
    Clock(file).reliable(NOW)
    for days in range(7):
        assert Clock(file).reliable(NOW + YEARS + days * DAY) == NOW
    assert Clock(file).reliable(NOW + YEARS + 7 * DAY) == NOW + YEARS + 7 * DAY


def test_whoever_plays_at_christmas_alone_has_old_pictures_deleted_a_christmas_later(file: Path) -> None:
    for year in range(4):
        reliable = Clock(file).reliable(NOW + year * 365 * DAY)
        assert reliable == NOW + max(0, year - 1) * 365 * DAY


def test_a_clock_that_has_gone_back_deletes_no_more_than_it_says(file: Path) -> None:
    Clock(file).reliable(NOW)
    assert Clock(file).reliable(NOW - YEARS) == NOW - YEARS
    assert Clock(file).reliable(NOW + DAY) == NOW + DAY, "and is as before once it is right again"


@pytest.mark.parametrize("spoilt", [b"", b"noise", b"\xff\xfe", b"2026-13-01"])
def test_what_cannot_be_read_is_begun_anew(file: Path, spoilt: bytes) -> None:
    file.write_bytes(spoilt)
    assert Clock(file).reliable(NOW) == NOW
    assert Clock(file).reliable(NOW + YEARS) == NOW


def test_a_look_writes_nothing_down(file: Path) -> None:
    Clock(file).reliable(NOW, write=False)
    assert not file.exists()
