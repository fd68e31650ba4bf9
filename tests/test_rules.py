"""A rule set checks itself, and is known by how it is played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scorekeeper import games
from scorekeeper.dice import Roll
from scorekeeper.patterns import Groups
from scorekeeper.refusal import IllegalEvent
from scorekeeper.rules import Bonus, Box, Budget, Order, RuleSet
from tests.strategies import EVERY_CHOICE

YATZY = games.find("yatzy")
CHANGED = [
    replace(YATZY, dice=6),
    replace(YATZY, throws=4),
    replace(YATZY, saves_rerolls=True),
    replace(YATZY, budget=Budget(45, 1)),
    replace(YATZY, budget=Budget(44, 1)),
    replace(YATZY, budget=Budget(45, 2)),
    replace(YATZY, order=Order.FORCED),
    replace(YATZY, order=Order.UPPER_FIRST),
    replace(YATZY, bonus=Bonus(62, 50)),
    replace(YATZY, bonus=Bonus(63, 51)),
    replace(YATZY, boxes=YATZY.boxes[1:]),
    replace(YATZY, boxes=YATZY.boxes[::-1]),
    replace(YATZY, boxes=(*YATZY.boxes[:-1], replace(YATZY.boxes[-1], key="kast"))),
    replace(YATZY, boxes=(*YATZY.boxes[:-1], replace(YATZY.boxes[-1], points=51))),
    replace(YATZY, boxes=(*YATZY.boxes[:-1], replace(YATZY.boxes[-1], points=None))),
    replace(YATZY, boxes=(*YATZY.boxes[:-1], replace(YATZY.boxes[-1], extra=1))),
    replace(YATZY, boxes=(*YATZY.boxes[:-1], replace(YATZY.boxes[-1], upper=True))),
    replace(YATZY, boxes=(*YATZY.boxes[:-1], replace(YATZY.boxes[-1], pattern=Groups((4,))))),
    games.find("yatzy", two_pairs="four-alike"),
]


def test_the_fingerprint_changes_with_everything_but_the_names_of_the_game() -> None:
    assert replace(YATZY, key="mine", name="Our own").fingerprint == YATZY.fingerprint
    prints = [YATZY.fingerprint, *(rules.fingerprint for rules in CHANGED)]
    assert len(set(prints)) == len(prints)


def test_two_games_with_one_fingerprint_are_one_game() -> None:
    by_print: dict[str, RuleSet] = {}
    for rules in EVERY_CHOICE:
        nameless = replace(rules, key="x", name="x")
        assert by_print.setdefault(rules.fingerprint, nameless) == nameless


def test_a_box_pays_its_pips_or_its_points_and_the_extra_besides() -> None:
    six = Roll.of(6, 6, 6, 6, 6, 6)
    assert Box("a", Groups((6,))).score(six) == 36
    assert Box("a", Groups((6,)), points=100).score(six) == 100
    assert Box("a", Groups((6,)), extra=50).score(six) == 86
    assert Box("a", Groups((6,)), points=100, extra=50).score(six) == 150
    assert Box("a", Groups((6,)), points=100, extra=50).score(Roll.of(6, 6, 6, 6, 6, 5)) == 0


def test_a_box_is_found_by_its_key() -> None:
    assert [YATZY.index(box.key) for box in YATZY.boxes] == list(range(15))
    with pytest.raises(IllegalEvent, match="This sheet has no box villa"):
        YATZY.index("villa")
