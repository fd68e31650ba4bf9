"""What each box asks for, told where one needs it, with examples that the rules have counted."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from scorekeeper.dice import Roll
from scorekeeper.games import GAMES
from scorekeeper.rules import Box, RuleSet
from tests.strategies import EVERY_CHOICE
from tests.visit import begin
from web import rules, words

LANGUAGES = words.load()


def boxes() -> list[tuple[RuleSet, Box]]:
    return list({(of.key, of.dice, box): (of, box) for of in EVERY_CHOICE for box in of.boxes}.values())


@pytest.mark.parametrize(("of", "box"), boxes(), ids=lambda value: value.key)
def test_every_box_of_every_game_has_an_example_that_pays_what_the_rules_pay(of: RuleSet, box: Box) -> None:
    first, *others = rules.examples(box, of.dice)
    assert first.points > 0
    for example in (first, *others):
        assert len(example.dice) == of.dice
        assert example.points == box.score(Roll.of(*example.dice))


@pytest.mark.parametrize(("of", "box"), boxes(), ids=lambda value: value.key)
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_box_is_explained_in_every_language(of: RuleSet, box: Box, code: str) -> None:
    told = rules.sentences(box, of.dice, LANGUAGES[code])
    assert "{" not in told
    for points in (box.points, box.extra or None):
        assert points is None or str(points) in told


@pytest.mark.parametrize(
    ("key", "box", "told", "examples"),
    [
        ("yatzy", "threes", "Every die that shows 3 counts.", [((1, 2, 3, 3, 3), 9)]),
        ("yatzy", "pair", "2 dice that show the same.", [((1, 2, 3, 4, 4), 8), ((4, 4, 4, 4, 4), 8)]),
        ("yatzy", "two-pairs", "2 alike and 2 alike, each of another value.", [((1, 4, 4, 4, 4), 0)]),
        ("superyatzy", "two-pairs", "2 alike and 2 alike. They may be of the same value.", [((1, 2, 4, 4, 4, 4), 16)]),
        ("yatzy", "small-straight", "1-2-3-4-5, all of them.", [((1, 2, 3, 4, 5), 15)]),
        ("yatzy", "yatzy", "They give 50 points.", [((1, 1, 1, 1, 1), 50)]),
        ("superyatzy", "cameron", "100 points come on top.", [((4,) * 6, 124)]),
        ("yatzy", "chance", "All dice count, whatever they show.", []),
    ],
)
def test_what_families_ask_about_is_answered(
    key: str, box: str, told: str, examples: list[tuple[tuple[int, ...], int]]
) -> None:
    of = GAMES[key].rules
    asked = of.boxes[of.index(box)]
    assert told in rules.sentences(asked, of.dice, LANGUAGES["en"])
    shown = [(example.dice, example.points) for example in rules.examples(asked, of.dice)]
    assert set(examples) <= set(shown), shown


@pytest.mark.parametrize("key", GAMES)
def test_the_name_of_each_row_opens_its_help_on_the_game_page_and_all_stand_on_one(
    client: FlaskClient, key: str
) -> None:
    options = {"value": "5"} if key == "stratzy" else {}
    game = begin(client, rules=key, **options)
    page, whole, before = (client.get(at).text for at in (game, f"{game}/rules", f"/new/{key}"))
    for box in GAMES[key].rules.boxes:
        assert f'href="#rule-{box.key}"' in page
        assert f'id="rule-{box.key}"' in page
        assert f'<dt id="{box.key}">' in whole
        assert f'<dt id="{box.key}">' in before, "also before the game"
    assert 'id="rule-bonus"' in page


def test_the_bonus_and_how_a_turn_goes_are_told(client: FlaskClient) -> None:
    whole = client.get(begin(client, rules="maxi-yatzy") + "/rules").text
    assert "100 points for 84 or more in the upper boxes together." in whole
    assert "Throws that you do not use are saved for a later turn." in whole
    told = client.get(begin(client, rules="stratzy", value="7", order="forced") + "/rules").text
    assert "There are 45 throws for the whole game." in told
    assert "In the end each throw left gives 7 points" in told
    assert re.search(r"Fill the boxes from top to bottom\.", told)
