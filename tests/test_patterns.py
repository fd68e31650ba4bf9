"""What a pattern pays, and how it is written down."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.dice import Roll, rolls
from scorekeeper.patterns import Everything, Faces, Groups, Pattern, Straight, read
from scorekeeper.refusal import BadRules

faces = st.integers(1, 6)
rolled = st.lists(faces, min_size=1, max_size=8).map(lambda dice: Roll.of(*dice))
straights = st.tuples(faces, faces).filter(lambda ends: ends[0] < ends[1])
some_patterns: st.SearchStrategy[Pattern] = st.one_of(
    faces.map(Faces),
    st.builds(Groups, st.lists(st.integers(1, 6), min_size=1, max_size=4).map(tuple), st.booleans()),
    straights.map(lambda ends: Straight(*ends)),
    st.just(Everything()),
)


def pays(pattern: Pattern, *dice: int) -> int:
    return pattern.pips(Roll.of(*dice))


@given(some_patterns, rolled)
def test_a_pattern_pays_from_nothing_to_all_dice(pattern: Pattern, roll: Roll) -> None:
    assert 0 <= pattern.pips(roll) <= roll.pips


@given(some_patterns, rolled, faces)
def test_one_die_more_never_pays_less(pattern: Pattern, roll: Roll, die: int) -> None:
    assert pattern.pips(Roll.of(*roll.dice, die)) >= pattern.pips(roll)


@given(some_patterns)
def test_a_pattern_goes_round_through_plain_types(pattern: Pattern) -> None:
    assert read(pattern.as_dict()) == pattern


@given(st.permutations([3, 2, 2, 1]), rolled, st.booleans())
def test_the_order_in_which_groups_are_named_does_not_matter(sizes: list[int], roll: Roll, distinct: bool) -> None:
    assert Groups(tuple(sizes), distinct).pips(roll) == Groups((3, 2, 2, 1), distinct).pips(roll)


def test_groups_take_the_best_paying_reading_which_need_not_be_the_greedy_one() -> None:
    assert pays(Groups((3, 2)), 6, 6, 6, 5, 5, 5) == 28
    assert pays(Groups((3, 2)), 6, 6, 5, 5, 5) == 27
    assert pays(Groups((2, 2)), 6, 6, 6, 6, 1) == 0, "four alike are one pair, and the 1 is none"
    assert pays(Groups((2, 2)), 6, 6, 6, 6, 1, 1) == 14
    assert pays(Groups((2, 2), distinct=False), 6, 6, 6, 6, 1, 1) == 24
    assert pays(Groups((3, 3), distinct=False), 6, 6, 6, 6, 6, 6) == 36


def test_groups_agree_with_trying_every_choice_of_faces() -> None:
    for sizes, distinct in product(
        [(2,), (2, 2), (3, 2), (2, 2, 2), (4, 2), (3, 3), (3, 1), (1, 1, 1), (2, 1, 1)], [True, False]
    ):
        for roll in rolls(6):
            sums = [0]
            for chosen in product(range(1, 7), repeat=len(sizes)):
                needed = [face for face, size in zip(chosen, sizes, strict=True) for _ in range(size)]
                enough = all(needed.count(face) <= roll.dice.count(face) for face in needed)
                if enough and (not distinct or len(set(chosen)) == len(chosen)):
                    sums.append(sum(needed))
            assert Groups(sizes, distinct).pips(roll) == max(sums), (sizes, distinct, roll.dice)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Faces(0), "A die has no face 0."),
        (lambda: Faces(7), "A die has no face 7."),
        (lambda: Groups(()), "There can be no groups of  dice alike."),
        (lambda: Groups((3, 0)), "There can be no groups of 3 + 0 dice alike."),
        (lambda: Groups((9,)), "There can be no groups of 9 dice alike."),
        (lambda: Groups((2,) * 7), "There can be no groups of 2 + 2 + 2 + 2 + 2 + 2 + 2 dice alike."),
        (lambda: Straight(2, 2), "There can be no straight from 2 to 2."),
        (lambda: Straight(5, 1), "There can be no straight from 5 to 1."),
        (lambda: Straight(2, 7), "There can be no straight from 2 to 7."),
    ],
)
def test_a_pattern_that_cannot_be_is_refused_in_words(make: object, sentence: str) -> None:
    assert callable(make)
    with pytest.raises(BadRules) as refusal:
        make()
    assert str(refusal.value) == sentence


ONE_OF = "A box asks for one of faces, groups, straight, everything; this one says "


@pytest.mark.parametrize(
    ("plain", "says"),
    [
        ({}, "-."),
        ({"faces": 1, "groups": [2]}, "faces = 1, groups = [2]."),
        ({"faces": True}, "faces = True."),
        ({"faces": "6"}, "faces = 6."),
        ({"faces": 1.0}, "faces = 1.0."),
        ({"groups": 3}, "groups = 3."),
        ({"groups": [2, True]}, "groups = [2, True]."),
        ({"groups": [2, "2"]}, "groups = [2, '2']."),
        ({"groups": [2, 2], "distinct": 1}, "groups = [2, 2], distinct = 1."),
        ({"distinct": False}, "distinct = False."),
        ({"straight": [1]}, "straight = [1]."),
        ({"straight": [1, 3, 5]}, "straight = [1, 3, 5]."),
        ({"straight": [True, 5]}, "straight = [True, 5]."),
        ({"everything": False}, "everything = False."),
        ({"everything": True, "faces": 1}, "everything = True, faces = 1."),
        ({"fullhouse": True}, "fullhouse = True."),
    ],
)
def test_what_is_no_pattern_is_refused_and_said_back(plain: dict[str, object], says: str) -> None:
    with pytest.raises(BadRules) as refusal:
        read(plain)
    assert str(refusal.value) == ONE_OF + says
