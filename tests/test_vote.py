"""What a vote over several readings says lies on the table."""

from __future__ import annotations

from dataclasses import replace

from recognizer.reader import Die
from recognizer.tracker import Track, follow
from recognizer.vote import table
from tests.tables import die


def seen(*readings: list[Die], moving: tuple[int, ...] = ()) -> tuple[Track, ...]:
    """The tracks after these readings, in the last of which some dice moved."""
    tracks: tuple[Track, ...] = ()
    for number, dice in enumerate(readings, 1):
        tracks = follow(tracks, dice, moving if number == len(readings) else ())
    return tracks


def faces(tracks: tuple[Track, ...], expected: int | None, *, quiet: bool = True) -> list[int] | None:
    lying = table(tracks, expected, quiet=quiet)
    return None if lying is None else [track.die.face for track in lying]


THREE = [die(6, 1, 1), die(5, 3, 1), die(4, 5, 1)]


def test_what_three_readings_agree_on_lies_there_from_top_to_bottom() -> None:
    assert faces(seen(THREE, THREE), 3) is None
    assert faces(seen(THREE, THREE, THREE), 3) == [6, 5, 4]


def test_fewer_than_expected_lie_there_only_once_nothing_moves() -> None:
    assert faces(seen(*[THREE] * 3), 5, quiet=False) is None
    assert faces(seen(*[THREE] * 3), 5) == [6, 5, 4]


def test_what_may_be_a_side_face_is_a_die_half_behind_another_only_if_there_are_too_few_without_it() -> None:
    beside = die(2, 5, 1.5)
    likely = seen(*[[*THREE, replace(beside, confidence=0.85)]] * 3)
    assert faces(likely, 3) == [6, 5, 4]
    assert faces(likely, 4) == [6, 5, 4, 2]
    assert faces(seen(*[[*THREE, beside]] * 3), 3) == [6, 5, 4, 2], "two dice at a flat angle"


def test_what_is_hardly_a_die_is_not_counted_on_while_a_likelier_one_moves() -> None:
    doubtful, rolling = die(2, 8, 8, "?"), die(3, 8, 4)
    assert faces(seen(*[[*THREE, doubtful]] * 3, [*THREE, doubtful, rolling], moving=(4,)), 4, quiet=False) is None
    assert faces(seen(*[[*THREE, doubtful]] * 4), 4) == [6, 5, 4, 2]
