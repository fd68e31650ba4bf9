"""A rule set goes to TOML and back, and says in words what is wrong with it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

import pytest
import tomli_w
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import games
from scorekeeper.dice import rolls
from scorekeeper.houserules import from_dict, from_toml, to_toml
from scorekeeper.patterns import Everything, Faces, Groups, Straight
from scorekeeper.refusal import BadRules
from scorekeeper.rules import Bonus, Box, Budget, Order, RuleSet
from tests.strategies import EVERY_CHOICE, short_rules

YATZY = games.find("yatzy")
STRATZY = games.find("stratzy", value=5)
every_choice = pytest.mark.parametrize("rules", EVERY_CHOICE, ids=lambda rules: f"{rules.key}-{rules.fingerprint[:6]}")
patterns = st.one_of(
    st.integers(1, 6).map(Faces),
    st.builds(Groups, st.lists(st.integers(1, 3), min_size=1, max_size=3).map(tuple), st.booleans()),
    st.sampled_from([Straight(1, 4), Straight(2, 5), Straight(3, 6)]),
    st.just(Everything()),
)
boxes = st.builds(
    Box,
    st.from_regex(r"[a-z]{1,8}(-[0-9]{1,3})?", fullmatch=True),
    patterns,
    st.none() | st.integers(1, 1000),
    st.integers(0, 1000),
    st.booleans(),
)


@st.composite
def house_rules(draw: st.DrawFn) -> RuleSet:
    """Any rule set that a household might make up."""
    budget = draw(st.none() | st.builds(Budget, st.integers(1, 200), st.integers(0, 100)))
    rows = draw(st.lists(boxes, min_size=1, max_size=6, unique_by=lambda box: box.key))
    dice = draw(st.integers(6, 8))
    rows = [box for box in rows if any(box.score(roll) for roll in rolls(dice))]
    return RuleSet(
        key="house",
        name=draw(st.sampled_from(["Yatzy", "Mormors yatzy", "Päivän peli", "“5” \\ # = []"])),
        dice=dice,
        boxes=tuple(rows) or YATZY.boxes[:1],
        bonus=Bonus(draw(st.integers(0, 1000)), draw(st.integers(0, 1000))),
        throws=draw(st.integers(1, 10)),
        saves_rerolls=budget is None and draw(st.booleans()),
        budget=budget,
        order=draw(st.sampled_from(Order)),
    )


@every_choice
def test_every_rule_set_comes_back_from_toml(rules: RuleSet) -> None:
    assert from_toml(to_toml(rules)) == rules
    assert from_dict(rules.as_dict()) == rules


@settings(max_examples=60, deadline=None)
@given(house_rules() | short_rules())
def test_every_house_rule_comes_back_from_toml(rules: RuleSet) -> None:
    again = from_toml(to_toml(rules))
    assert again == rules
    assert again.fingerprint == rules.fingerprint


def test_a_file_may_leave_out_what_is_usual() -> None:
    text = """
        key = "tiny"
        name = "Tiny"
        dice = 5
        bonus = {at = 63, points = 50}
        boxes = [{key = "ones", faces = 1, upper = true}, {key = "chance", everything = true}]
    """
    rules = from_toml(text)
    assert (rules.throws, rules.saves_rerolls, rules.budget, rules.order) == (3, False, None, Order.FREE)
    assert rules.boxes == (Box("ones", Faces(1), upper=True), Box("chance", Everything()))


Change = Callable[[dict[str, Any]], object]


def put(path: str, value: object) -> Change:
    """Write the value at `bonus.at` or `boxes.0.key`."""

    def change(plain: dict[str, Any]) -> None:
        *way, last = path.split(".")
        table: Any = plain
        for step in way:
            table = table[int(step)] if step.isdigit() else table[step]
        table[last] = value

    return change


def without(*keys: str) -> Change:
    def change(plain: dict[str, Any]) -> None:
        for key in keys:
            del plain[key]

    return change


BAD = [
    # missing
    (without("key"), "The game: “key” is missing."),
    (without("name"), "The game: “name” is missing."),
    (without("dice"), "The game: “dice” is missing."),
    (without("boxes"), "The game: “boxes” is missing."),
    (without("bonus"), "The game: “bonus” is missing."),
    (put("bonus", {"at": 63}), "bonus: “points” is missing."),
    (put("budget", {"throws": 45}), "budget: “value” is missing."),
    (put("boxes", [{"faces": 1}]), "A box: “key” is missing."),
    (
        put("boxes", [{"key": "ones"}]),
        "A box asks for one of faces, groups, straight, everything; this one says -.",
    ),
    # of a wrong type
    (put("dice", "5"), "The game: “dice” cannot be 5."),
    (put("dice", 5.0), "The game: “dice” cannot be 5.0."),
    (put("dice", True), "The game: “dice” cannot be True."),
    (put("throws", True), "The game: “throws” cannot be True."),
    (put("throws", float("nan")), "The game: “throws” cannot be nan."),
    (put("saves_rerolls", 1), "The game: “saves_rerolls” cannot be 1."),
    (put("key", 7), "The game: “key” cannot be 7."),
    (put("name", ["Yatzy"]), "The game: “name” cannot be ['Yatzy']."),
    (put("boxes", {}), "The game: “boxes” cannot be {}."),
    (put("boxes", ["ones"]), "A box should be a table of words and values."),
    (put("bonus", 63), "The game: “bonus” cannot be 63."),
    (put("bonus.at", False), "bonus: “at” cannot be False."),
    (put("budget", 45), "budget should be a table of words and values."),
    (put("budget", {"throws": True, "value": 1}), "budget: “throws” cannot be True."),
    (put("boxes.0.points", True), "A box: “points” cannot be True."),
    (put("boxes.0.points", "50"), "A box: “points” cannot be 50."),
    (put("boxes.0.extra", 1.5), "A box: “extra” cannot be 1.5."),
    (put("boxes.0.upper", 1), "A box: “upper” cannot be 1."),
    (
        put("boxes.0.faces", True),
        "A box asks for one of faces, groups, straight, everything; this one says faces = True.",
    ),
    # unknown words
    (put("colour", "red"), "The game: nobody knows what “colour” is."),
    (put("bonus.limit", 63), "bonus: nobody knows what “limit” is."),
    (put("budget", {"throws": 45, "value": 1, "left": 3}), "budget: nobody knows what “left” is."),
    (
        put("boxes.0.colour", "red"),
        "A box asks for one of faces, groups, straight, everything; this one says faces = 1, colour = red.",
    ),
    (put("order", "sideways"), "The order is one of free, forced, upper-first."),
    (put("order", ""), "The order is one of free, forced, upper-first."),
    # what cannot be played
    (put("boxes", []), "A sheet has 1 to 40 boxes."),
    (put("boxes", [{"key": f"b{n}", "everything": True} for n in range(41)]), "A sheet has 1 to 40 boxes."),
    (put("boxes.1.key", "ones"), "The box ones is there twice."),
    (
        put("boxes.0.groups", [2]),
        "A box asks for one of faces, groups, straight, everything; this one says faces = 1, groups = [2].",
    ),
    (put("boxes.14.groups", [6]), "The box yatzy cannot be filled with 5 dice."),
    (put("boxes.10.straight", [1, 6]), "The box small-straight cannot be filled with 5 dice."),
    (put("boxes.10.straight", [5, 1]), "There can be no straight from 5 to 1."),
    (put("boxes.12.groups", [3, 3]), "The box full-house cannot be filled with 5 dice."),
    (put("boxes.12.groups", []), "There can be no groups of  dice alike."),
    (put("boxes.12.groups", [3, -2]), "There can be no groups of 3 + -2 dice alike."),
    (put("boxes.0.faces", 7), "A die has no face 7."),
    (put("boxes.0.faces", 0), "A die has no face 0."),
    (put("boxes.0.points", 0), "The box ones pays 1 to 1000 points."),
    (put("boxes.0.points", 10**30), "The box ones pays 1 to 1000 points."),
    (put("boxes.0.extra", -1), "The box ones pays 1 to 1000 points."),
    (put("bonus.at", -1), "The bonus and its limit are 0 to 1000."),
    (put("bonus.points", 10**30), "The bonus and its limit are 0 to 1000."),
    (put("dice", 0), "A game has 1 to 8 dice."),
    (put("dice", -5), "A game has 1 to 8 dice."),
    (put("dice", 9), "A game has 1 to 8 dice."),
    (put("dice", 10**30), "A game has 1 to 8 dice."),
    (put("dice", 1), "The box pair cannot be filled with 1 dice."),
    (put("throws", 0), "A turn has 1 to 10 throws."),
    (put("throws", 10**30), "A turn has 1 to 10 throws."),
    (put("budget", {"throws": 0, "value": 1}), "A game has 1 to 200 throws."),
    (put("budget", {"throws": 10**30, "value": 1}), "A game has 1 to 200 throws."),
    (put("budget", {"throws": 45, "value": -1}), "A throw is worth 0 to 100 points."),
    (put("budget", {"throws": 45, "value": 101}), "A throw is worth 0 to 100 points."),
    # names
    (put("key", "Yatzy"), "“Yatzy” cannot be a key: it is written with a-z, 0-9 and -."),
    (put("key", ""), "“” cannot be a key: it is written with a-z, 0-9 and -."),
    (put("key", "../../etc"), "“../../etc” cannot be a key: it is written with a-z, 0-9 and -."),
    (put("key", "yatzy\n"), "“yatzy\n” cannot be a key: it is written with a-z, 0-9 and -."),
    (put("key", "a" * 41), f"“{'a' * 41}” cannot be a key: it is written with a-z, 0-9 and -."),
    (put("boxes.0.key", "<b>"), "“<b>” cannot be a key: it is written with a-z, 0-9 and -."),
    (put("name", ""), "The name of a game has 1 to 40 letters."),
    (put("name", "   "), "The name of a game has 1 to 40 letters."),
    (put("name", "x" * 41), "The name of a game has 1 to 40 letters."),
    (put("name", "Yat\x00zy"), "The name of a game has 1 to 40 letters."),
    (put("name", "Yat\u202ezy"), "The name of a game has 1 to 40 letters."),
]


@pytest.mark.parametrize(("change", "sentence"), BAD, ids=[f"{n}-{row[1]}"[:80] for n, row in enumerate(BAD)])
def test_a_rule_set_that_cannot_be_is_refused_with_its_sentence(change: Change, sentence: str) -> None:
    plain = YATZY.as_dict()
    change(plain)
    with pytest.raises(BadRules) as refusal:
        from_toml(tomli_w.dumps(plain))
    assert str(refusal.value) == sentence


def test_rerolls_cannot_be_saved_where_all_throws_are_counted() -> None:
    with pytest.raises(BadRules, match="Rerolls cannot be saved where the throws of the whole game are counted"):
        from_dict(STRATZY.as_dict() | {"saves_rerolls": True})


WHOLE = to_toml(YATZY)


@pytest.mark.parametrize(
    "text",
    [
        "not toml",
        "\x00",
        "a = [",
        "a = " + "[" * 100_000,
        "a = " + "{b = " * 5000 + "1" + "}" * 5000,
        WHOLE + WHOLE,
        WHOLE.replace("dice = 5", "dice = 5\ndice = 6"),
        WHOLE.replace("dice = 5", "dice = " + "9" * 5000),
        WHOLE.replace("faces = 1\n", "faces = 0x" + "f" * 5000 + "\n"),
    ],
    ids=lambda text: text[:30],
)
def test_what_is_no_toml_is_refused_in_words(text: str) -> None:
    with pytest.raises(BadRules, match=r"^This is not TOML: "):
        from_toml(text)


@pytest.mark.parametrize("plain", [None, 5, "yatzy", [], True, {}])
def test_what_is_no_table_is_refused_in_words(plain: object) -> None:
    with pytest.raises(BadRules, match=r"^The game"):
        from_dict(plain)


plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_whatever_stands_in_a_rule_set_it_is_read_or_refused_in_words(data: st.DataObject) -> None:
    plain: Any = STRATZY.as_dict()
    spots = [(plain, key) for key in plain]
    spots += [(plain[part], key) for part in ("bonus", "budget") for key in plain[part]]
    spots += [(box, key) for box in plain["boxes"] for key in box]
    for table, key in data.draw(st.lists(st.sampled_from(spots), min_size=1, max_size=2)):
        table[key] = data.draw(plain_values)
    try:
        rules = from_dict(plain)
    except BadRules:
        return
    assert from_toml(to_toml(rules)) == rules


def test_a_written_rule_set_is_toml_that_anybody_can_read() -> None:
    assert tomllib.loads(WHOLE) == YATZY.as_dict()
    assert [line for line in WHOLE.splitlines() if line][:6] == [
        'key = "yatzy"',
        'name = "Yatzy"',
        "dice = 5",
        "throws = 3",
        "saves_rerolls = false",
        'order = "free"',
    ]
