"""A position that programs hand over is read as it is meant, or refused in a sentence."""

from typing import Any

import pytest

from scorekeeper import games, position
from scorekeeper.dice import Roll
from scorekeeper.refusal import Refusal
from scorekeeper.sheet import Sheet

YATZY: dict[str, Any] = {"rules": "yatzy", "roll": [6, 6, 5, 1, 1], "rerolls_left": 2}
MAXI: dict[str, Any] = {"rules": "maxi-yatzy", "roll": [6, 6, 5, 1, 1, 2], "rerolls_left": 1}
STRATZY: dict[str, Any] = {"rules": "stratzy", "options": {"value": 5}, "roll": [6, 6, 5, 1, 1], "throws_left": 44}


def test_a_position_in_the_middle_of_a_turn() -> None:
    there = position.read(YATZY | {"id": "7", "options": {"order": "forced"}, "scores": {"twos": 4, "ones": 3}})
    assert there.sheet.rules == games.find("yatzy", order="forced")
    assert (there.sheet.points("ones"), there.sheet.points("twos"), there.sheet.legal) == (3, 4, ("threes",))
    assert (there.roll, there.left) == (Roll.of(1, 1, 5, 6, 6), 2)


def test_markers_pay_for_further_throws() -> None:
    there = position.read(MAXI | {"scores": {"ones": 2, "pair": 12}, "saved": 3})
    assert (there.sheet.left, there.left) == (3, 4)


def test_a_budget_counts_all_throws_that_are_left() -> None:
    there = position.read(STRATZY)
    assert there.left == 44
    assert there.sheet.left == 45, "before the throw that shows this roll"


def test_opponents_are_sheets_between_turns_or_final_totals() -> None:
    there = position.read(MAXI | {"opponents": [{"scores": {"ones": 2, "pair": 12}, "saved": 3}, 250, {}]})
    first, total, empty = there.others
    assert isinstance(first, Sheet)
    assert (first.points("pair"), first.left) == (12, 3)
    assert total == 250
    assert empty == Sheet.empty(first.rules)
    throws = position.read(STRATZY | {"opponents": [{"scores": {"ones": 2}, "throws_left": 40}]}).others[0]
    assert isinstance(throws, Sheet)
    assert throws.left == 40
    assert position.read(YATZY).others == ()


@pytest.mark.parametrize(
    ("plain", "sentence"),
    [
        ([], "A position is an object with rules, scores and a roll."),
        ({"roll": [1, 1, 1, 1, 1]}, "A position names its rules."),
        (YATZY | {"opponents": 250}, "Opponents are a list"),
        (YATZY | {"opponents": [{"total": 250}]}, "Opponents are a list"),
        (YATZY | {"opponents": [{"scores": {"ones": 6}}]}, "6 points cannot be in ones."),
        (MAXI | {"opponents": [{"saved": 1}]}, "saved is a number from 0 to 0, not 1."),
        (YATZY | {"rerolls": 2}, "Nobody knows what “rerolls” is."),
        (YATZY | {"rules": "poker"}, "There is no game “poker”"),
        (YATZY | {"options": {"cameron": "six-alike"}}, "yatzy has no option “cameron”"),
        (YATZY | {"options": {"order": [1]}}, "Options are keys with values."),
        (YATZY | {"scores": {"ones": True}}, "Scores are points by box."),
        (YATZY | {"scores": {"ones": 7}}, "7 points cannot be in ones."),
        (YATZY | {"scores": {"villa": 7}}, "This sheet has no box villa."),
        (YATZY | {"options": {"order": "forced"}, "scores": {"pair": 12}}, "This game is played in order"),
        (YATZY | {"roll": [1, 2, 3]}, "This game is played with 5 dice, not 3."),
        (YATZY | {"roll": [1, 2, 3, 4, 7]}, "A die shows 1 to 6."),
        (YATZY | {"roll": [1, 2, 3, 4, True]}, "A die shows 1 to 6."),
        (YATZY | {"roll": None}, "A die shows 1 to 6."),
        (YATZY | {"rerolls_left": 3}, "rerolls_left is a number from 0 to 2, not 3."),
        (YATZY | {"rerolls_left": None}, "rerolls_left is a number from 0 to 2, not None."),
        (YATZY | {"saved": 1}, "saved is a number from 0 to 0, not 1."),
        (MAXI | {"scores": {"ones": 2}, "saved": 3}, "saved is a number from 0 to 2, not 3."),
        (STRATZY | {"options": {}}, "stratzy is not played before value is agreed."),
        (STRATZY | {"throws_left": 45}, "throws_left is a number from 0 to 44, not 45."),
        (
            YATZY | {"scores": {box.key: 0 for box in games.find("yatzy").boxes}},
            "Every box is filled: there is nothing left to do.",
        ),
    ],
)
def test_a_position_that_cannot_be_is_refused_in_a_sentence(plain: Any, sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        position.read(plain)
    assert sentence in str(refused.value)
