"""Since when a place has been occupied."""

from __future__ import annotations

from collections.abc import Iterable

from recognizer.places import Place, occupy, since, still
from recognizer.reader import Die
from tests.tables import die


def seen(*readings: tuple[float, Iterable[Die]]) -> tuple[Place, ...]:
    """The places after these readings."""
    places: tuple[Place, ...] = ()
    for at, dice in readings:
        places = occupy(places, tuple(dice), at)
    return places


HERE, THERE = die(4, 5, 5), die(4, 9, 5)


def test_a_die_lies_in_its_place_since_it_was_first_seen_there_whatever_covered_it_in_between() -> None:
    places = seen((1.0, [HERE]), (1.1, [HERE]), (1.2, []), (8.0, [HERE]))
    assert since(places, HERE, 8.0) == 1.0


def test_a_die_that_is_seen_nowhere_else_lies_there_since_now() -> None:
    assert since(seen((1.0, [HERE])), THERE, 3.0) == 3.0


def test_a_die_that_rolled_through_a_place_has_not_lain_there() -> None:
    places = seen((1.0, [HERE]), (1.1, [die(4, 5.5, 5)]), (1.2, [die(4, 6, 5)]))
    assert since(places, HERE, 9.0) == 9.0


def test_dice_that_roll_through_a_place_with_the_face_that_comes_to_lie_there_have_not_lain_there() -> None:
    places: tuple[Place, ...] = ()
    for at in (1.0, 1.1, 1.9):
        places = occupy(places, [HERE], at, moving=[0])
    for at in (2.0, 2.1, 2.2):
        places = occupy(places, [HERE], at)
    assert since(places, HERE, 2.2) == 2.0


def test_another_face_is_another_die() -> None:
    places = seen(*((k / 10, [HERE]) for k in range(5)))
    assert since(places, die(5, 5, 5), 9.0) == 9.0


def test_places_are_forgotten_when_nothing_was_seen_there_for_long_or_a_roll_lies_elsewhere() -> None:
    lying = [(k / 10, [HERE, THERE]) for k in range(5)]
    assert since(seen(*lying, (40.0, [THERE])), HERE, 40.0) == 40.0
    kept = still(seen(*lying), [THERE])
    assert (since(kept, THERE, 1.0), since(kept, HERE, 1.0)) == (0.0, 1.0)
