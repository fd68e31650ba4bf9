"""A roll is what the dice show, in whatever order they lie."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.dice import FACES, Roll, rolls

dice = st.lists(st.integers(1, 6), max_size=8)


@given(dice, st.randoms())
def test_the_order_of_the_dice_does_not_matter(faces: list[int], chance: Random) -> None:
    shuffled = chance.sample(faces, len(faces))
    assert Roll.of(*shuffled) == Roll.of(*faces)
    assert hash(Roll.of(*shuffled)) == hash(Roll.of(*faces))


@given(dice)
def test_a_roll_tells_its_dice_their_number_and_their_sum(faces: list[int]) -> None:
    roll = Roll.of(*faces)
    assert roll.dice == tuple(sorted(faces))
    assert len(roll) == len(faces)
    assert roll.pips == sum(faces)


@given(dice, dice)
def test_dice_are_among_others_when_each_of_them_finds_one_of_its_own(few: list[int], many: list[int]) -> None:
    left = list(many)
    for die in few:
        if die in left:
            left.remove(die)
    assert (tuple(few) in Roll.of(*many)) == (len(left) == len(many) - len(few))


@pytest.mark.parametrize("die", [0, 7, -1, 60])
def test_a_die_that_shows_no_face_is_refused(die: int) -> None:
    with pytest.raises(ValueError, match=f"a die shows 1 to 6, not {die}"):
        Roll.of(1, 2, die)


@pytest.mark.parametrize("counts", [(1, 1, 1), (0, 0, 0, 0, 0, -1), (1,) * 7])
def test_counts_that_are_no_roll_are_refused(counts: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="six counts"):
        Roll(counts)  # type: ignore[arg-type]


@pytest.mark.parametrize(("n", "different"), [(0, 1), (1, 6), (2, 21), (5, 252), (6, 462)])
def test_all_different_rolls_are_listed_once(n: int, different: int) -> None:
    """252 and 462 are the numbers of multisets, C(n + 5, 5)."""
    assert len(rolls(n)) == len(set(rolls(n))) == different
    assert {roll.dice for roll in rolls(n)} == {tuple(sorted(faces)) for faces in product(FACES, repeat=n)}
    assert [roll.dice for roll in rolls(n)] == list(combinations_with_replacement(FACES, n))
