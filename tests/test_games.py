"""The games as printed: every example of the rules, a second scorer, perfect sheets, and the options."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest

from scorekeeper import games
from scorekeeper.dice import Roll, rolls
from scorekeeper.options import ASK, Value, say
from scorekeeper.refusal import BadRules
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from tests import dull_scorer, recorded

# Every option that changes what a box pays, as the second scorer calls its choices.
BOX_OPTIONS = {
    "yatzy": {"two_pairs": ["distinct", "four-alike"], "full_house": ["distinct", "five-alike"]},
    "stratzy": {"two_pairs": ["distinct", "four-alike"], "full_house": ["distinct", "five-alike"], "value": ["7"]},
    "maxi-yatzy": {"bonus": ["alga", "tactic"], "saved_rerolls": ["true", "false"]},
    "superyatzy": {
        "cameron": ["six-alike", "straight-30", "straight-21"],
        "pairs": ["same", "distinct"],
        "superyatzy_extra": ["50", "100"],
    },
}
READINGS = [
    (game, dict(zip(options, choice, strict=True)))
    for game, options in BOX_OPTIONS.items()
    for choice in itertools.product(*options.values())
]


def find(game: str, options: dict[str, str]) -> RuleSet:
    """The rule set, its options said in words as on the command line."""
    printed = games.printed(game)
    by_key = {option.key: option for option in printed.options}
    return printed.with_options({key: by_key[key].parse(text) for key, text in options.items()})


def score(rules: RuleSet, box: str, dice: tuple[int, ...]) -> int:
    return rules.boxes[rules.index(box)].score(Roll.of(*dice))


def named(cells: list[list[str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("cells", cells, ids=[" | ".join(row[:2])[:80] for row in cells])


@named(recorded.table("examples.txt"))
def test_an_example_of_the_rules_pays_what_it_says(cells: list[str]) -> None:
    rules_text, dice, points, _source = cells
    game, options = recorded.rules(rules_text)
    for box, due in recorded.amounts(points).items():
        assert score(find(game, options), box, recorded.dice(dice)) == due, box
        assert dull_scorer.box_points(game, options, box, list(recorded.dice(dice))) == due, box


@named(recorded.table("sheets.txt"))
def test_a_sheet_of_the_rules_is_worth_what_it_says(cells: list[str]) -> None:
    rules_text, boxes, left, sums, _source = cells
    game, options = recorded.rules(rules_text)
    rules, written, throws_left = find(game, options), recorded.amounts(boxes), 0 if left == "-" else int(left)
    sheet = Sheet.empty(rules)
    sheet = replace(sheet, scores=tuple(written.get(box.key) for box in rules.boxes), left=throws_left)
    for name, due in recorded.amounts(sums).items():
        assert getattr(sheet, name) == due, name
    assert dull_scorer.total(game, options, written, throws_left) == sheet.total
    assert dull_scorer.upper_sum(written) == sheet.upper


@named(recorded.table("perfect.txt"))
def test_the_perfect_sheet_is_worth_what_it_says(cells: list[str]) -> None:
    rules_text, sums = cells
    game, options = recorded.rules(rules_text)
    upper, bonus, others, extra, total = map(int, sums.replace("+", " ").replace("=", " ").split())
    rules = find(game, options)
    left = rules.budget.throws - len(rules.boxes) if rules.budget else 0  # each box with one throw
    best = tuple(max(rules.attainable[box.key]) for box in rules.boxes)
    sheet = replace(Sheet.empty(rules), scores=best, left=left)
    assert (sheet.upper, sheet.bonus, sheet.extra, sheet.total) == (upper, bonus, extra, total)
    assert upper + bonus + others + extra == total
    dull_best = {box: max(dull_points(game, options, box)) for box in dull_scorer.SHEETS[game]}
    assert dull_scorer.total(game, options, dull_best, left) == total


def dull_points(game: str, options: dict[str, str], box: str) -> list[int]:
    dice = itertools.combinations_with_replacement(range(1, 7), dull_scorer.DICE[game])
    return [dull_scorer.box_points(game, options, box, list(roll)) for roll in dice]


@pytest.mark.parametrize(("game", "options"), READINGS, ids=[f"{game} {options}" for game, options in READINGS])
def test_the_second_scorer_agrees_on_all_boxes_and_all_rolls(game: str, options: dict[str, str]) -> None:
    rules = find(game, options)
    assert [box.key for box in rules.boxes] == dull_scorer.SHEETS[game]
    assert rules.dice == dull_scorer.DICE[game]
    disorder = random.Random(1)
    for box in rules.boxes:
        due = []
        for roll in rolls(rules.dice):
            dice = list(roll.dice)
            disorder.shuffle(dice)
            due.append(dull_scorer.box_points(game, options, box.key, dice))
        assert [box.score(roll) for roll in rolls(rules.dice)] == due, box.key
        assert rules.attainable[box.key] == {0, *due}


def test_no_option_but_those_compared_changes_what_a_box_pays() -> None:
    for game, printed in games.GAMES.items():
        agreed = {option.key: option.choices[0] for option in printed.options if option.default == ASK}
        for option in printed.options:
            if option.key in BOX_OPTIONS[game]:
                assert set(BOX_OPTIONS[game][option.key]) <= {say(choice) for choice in option.choices}
                continue
            boxes = {printed.with_options({**agreed, option.key: choice}).boxes for choice in option.choices}
            assert boxes == {printed.rules.boxes}, (game, option.key)


def test_the_declarations_are_the_printed_defaults() -> None:
    yatzy, maxi, superyatzy = games.find("yatzy"), games.find("maxi-yatzy"), games.find("superyatzy")
    stratzy = games.find("stratzy", value=5)
    assert [len(rules.boxes) for rules in (yatzy, maxi, superyatzy, stratzy)] == [15, 20, 18, 15]
    assert [rules.throws for rules in (yatzy, maxi, superyatzy)] == [3, 3, 3]
    assert [rules.saves_rerolls for rules in (yatzy, maxi, superyatzy, stratzy)] == [False, True, False, False]
    assert stratzy.boxes == yatzy.boxes
    assert stratzy.budget
    assert (stratzy.budget.throws, stratzy.budget.value) == (45, 5)
    assert not games.find("maxi-yatzy", saved_rerolls=False).saves_rerolls


@pytest.mark.parametrize(
    ("game", "options", "at", "points"),
    [
        ("yatzy", {}, 63, 50),
        ("yatzy", {"order": "forced"}, 42, 50),
        ("yatzy", {"order": "forced", "bonus_at": 63}, 63, 50),
        ("yatzy", {"order": "upper-first"}, 63, 50),
        ("yatzy", {"bonus_at": 105}, 105, 50),
        ("maxi-yatzy", {}, 84, 100),
        ("maxi-yatzy", {"bonus": "tactic"}, 75, 50),
        ("maxi-yatzy", {"order": "forced"}, 84, 100),
        ("maxi-yatzy", {"bonus": "tactic", "order": "forced"}, 75, 50),
        ("maxi-yatzy", {"bonus": "tactic", "bonus_at": 42}, 42, 50),
        ("superyatzy", {}, 84, 50),
        ("stratzy", {"value": 1}, 63, 50),
        ("stratzy", {"value": 1, "order": "forced"}, 42, 50),
    ],
)
def test_the_bonus_is_that_of_the_sheet_the_order_and_the_chosen_limit(
    game: str, options: dict[str, Value], at: int, points: int
) -> None:
    bonus = games.find(game, **options).bonus
    assert (bonus.at, bonus.points) == (at, points)


@pytest.mark.parametrize(
    ("game", "options", "sentence"),
    [
        ("yahtzee", {}, "There is no game “yahtzee”; there are: yatzy, maxi-yatzy, superyatzy, stratzy."),
        (
            "yatzy",
            {"cameron": "six-alike"},
            "yatzy has no option “cameron”; it has: bonus_at, full_house, order, two_pairs.",
        ),
        ("yatzy", {"order": "backwards"}, "order cannot be “backwards”; it is one of: free, forced, upper-first."),
        ("yatzy", {"two_pairs": True}, "two_pairs cannot be “true”; it is one of: distinct, four-alike."),
        ("maxi-yatzy", {"saved_rerolls": "maybe"}, "saved_rerolls cannot be “maybe”; it is one of: true, false."),
        ("superyatzy", {"superyatzy_extra": 75}, "superyatzy_extra cannot be “75”; it is one of: 50, 100."),
        ("stratzy", {}, "stratzy is not played before value is agreed."),
        ("stratzy", {"value": ""}, "value cannot be “”; it is one of: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10."),
        ("yatzy", {"order": ""}, "order cannot be “”; it is one of: free, forced, upper-first."),
        ("yatzy", {"bonus_at": 106}, "bonus_at cannot be “106”; it is one of: usual, 1–105."),
        ("stratzy", {"value": 1, "throws": 61}, "throws cannot be “61”; it is one of: 1–60."),
        ("stratzy", {"value": 11}, "value cannot be “11”; it is one of: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10."),
        ("stratzy", {"value": 0}, "value cannot be “0”; it is one of: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10."),
    ],
)
def test_a_choice_that_cannot_be_is_refused_in_words(game: str, options: dict[str, Value], sentence: str) -> None:
    with pytest.raises(BadRules) as refusal:
        games.find(game, **options)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("game", games.GAMES)
def test_every_choice_of_every_option_is_said_and_understood(game: str) -> None:
    printed = games.printed(game)
    agreed = {option.key: option.choices[0] for option in printed.options if option.default == ASK}
    usual = printed.with_options(agreed)
    for option in printed.options:
        for choice in option.choices:
            parsed = option.parse(say(choice))
            assert parsed == choice
            assert type(parsed) is type(choice)
            rules = printed.with_options({**agreed, option.key: choice})
            own = agreed.get(option.key, option.default)
            assert (rules == usual) == (choice == own or (rules.bonus == usual.bonus and option.key == "bonus_at"))
