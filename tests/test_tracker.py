"""Which die is which from one reading to the next."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recognizer.reader import Die
from recognizer.tracker import Track, distance, follow, pairs
from tests.tables import die


def rolled(*steps: tuple[float, float]) -> Track:
    """The track of one die, seen at these places one after the other."""
    tracks: tuple[Track, ...] = ()
    for x, y in steps:
        tracks = follow(tracks, [die(4, x, y)], moving=[0])
    return max(tracks, key=lambda track: -track.missed)


def test_a_die_at_rest_gathers_readings_and_one_that_has_moved_begins_anew() -> None:
    tracks: tuple[Track, ...] = ()
    for _ in range(3):
        tracks = follow(tracks, [die(4, 5, 5), die(2, 8, 5)])
    assert [track.ripe for track in tracks] == [True, True]
    tracks = follow(tracks, [die(4, 5, 5), die(2, 8.3, 5)])
    assert [len(track.readings) for track in tracks] == [4, 1]
    assert [track.ripe for track in tracks] == [True, False]


def test_a_die_whose_picture_changes_in_place_begins_anew() -> None:
    tracks = follow(follow((), [die(4, 5, 5)]), [die(4, 5, 5)], moving=[0])
    assert [len(track.readings) for track in tracks] == [1]


def test_how_clear_a_face_is_does_not_depend_on_whether_it_is_a_die() -> None:
    faint = Die(4, (0, 0, 1, 1), 0.6 * 0.9, ((2, 0.08), (5, 0.02)))
    tracks = follow(follow((), [faint]), [faint])
    assert tracks[0].confidence == pytest.approx(0.54)
    assert tracks[0].clarity == pytest.approx(0.9)


def test_a_die_overlooked_twice_is_remembered_and_forgotten_after_the_third_time() -> None:
    tracks = follow((), [die(4, 5, 5)])
    for missed in (1, 2):
        tracks = follow(tracks, [])
        assert [track.missed for track in tracks] == [missed]
    assert follow(tracks, []) == ()


def test_a_rolling_die_is_known_to_have_come_from_where_it_was_first_seen() -> None:
    assert rolled((1, 1), (3, 1), (4.5, 1), (5, 1)).travelled == 4.0


def test_a_die_that_appears_far_from_all_others_has_come_from_nowhere() -> None:
    assert rolled((1, 1), (9, 9)).travelled == 0.0


def test_a_die_that_lay_still_is_not_the_one_that_is_seen_further_on_when_a_hand_covers_it() -> None:
    tracks: tuple[Track, ...] = ()
    for _ in range(3):
        tracks = follow(tracks, [die(4, 5, 5)])
    tracks = follow(tracks, [die(4, 5, 5)], moving=[0])  # the shadow of the hand
    tracks = follow(follow(tracks, []), [die(4, 7, 5)], moving=[0])
    assert [track.travelled for track in tracks] == [0.0, 0.0]


def test_a_creeping_die_is_not_at_rest() -> None:
    tracks: tuple[Track, ...] = ()
    for step in range(8):
        tracks = follow(tracks, [die(4, 5 + 0.08 * step, 5)])
    assert [track.ripe for track in tracks] == [False]


def test_dice_side_by_side_are_told_apart() -> None:
    before = [die(4, 5, 5).box, die(4, 6, 5).box]
    assert pairs(before, [die(4, 6.1, 5).box, die(4, 5.1, 5).box]) == {0: 1, 1: 0}


def test_a_box_of_another_size_is_another_thing() -> None:
    assert pairs([(0, 0, 1, 1)], [(0, 0, 2, 2)]) == {}


spots = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), unique=True, max_size=6)


@settings(max_examples=50, deadline=None)
@given(spots, spots, st.randoms(use_true_random=False))
def test_pairs_do_not_depend_on_the_order_and_name_each_box_once(
    before: list[tuple[int, int]], after: list[tuple[int, int]], random: object
) -> None:
    a, b = ([die(1, x, y).box for x, y in some] for some in (before, after))
    found = pairs(a, b, 1.2)
    assert len(set(found.values())) == len(found)
    assert all(distance(a[i], b[j]) <= 1.2 for i, j in found.items())
    shuffled_a, shuffled_b = list(a), list(b)
    random.shuffle(shuffled_a)  # type: ignore[attr-defined]
    random.shuffle(shuffled_b)  # type: ignore[attr-defined]
    again = pairs(shuffled_a, shuffled_b, 1.2)
    assert {(a[i], b[j]) for i, j in found.items()} == {(shuffled_a[i], shuffled_b[j]) for i, j in again.items()}
