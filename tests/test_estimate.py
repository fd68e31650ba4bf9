"""An estimate comes at once for every game, is seldom far from best play, and never against common sense."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scorekeeper import games, position
from scorekeeper.advice import Keep, Play, plays
from scorekeeper.dice import Roll
from scorekeeper.estimate import Estimate
from scorekeeper.history import replay
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from tests.late import entries, keeping_sixes
from tests.test_solve import POSITIONS, SMALL_GAMES

PRINTED = {
    "yatzy": games.find("yatzy"),
    "forced order": games.find("yatzy", order="forced"),
    "upper boxes first": games.find("maxi-yatzy", order="upper-first"),
    "saved rerolls": games.find("maxi-yatzy"),
    "a budget": games.find("stratzy", value=7),
}


def best(sheet: Sheet, *dice: int, left: int) -> Play:
    return plays(sheet, Roll.of(*dice), left, Estimate.after(sheet))[0]


def cost(expected: dict[str, Any], play: Play) -> float:
    """What a play costs; of a keep that is not among the first six, that it costs more than those do."""
    listed = [
        *((("keep", *top["keep"]), top["value"]) for top in expected["top"] if "keep" in top),
        *((("write", box), value) for box, value in expected["scores"].items()),
    ]
    name = ("keep", *play.dice) if isinstance(play, Keep) else ("write", play.box)
    return float(expected["value"] - dict(listed).get(name, -np.inf))


@pytest.mark.skipif(not POSITIONS.exists(), reason="the positions of the independent program are not here")
def test_in_nine_of_ten_positions_the_play_that_seems_best_costs_less_than_a_point() -> None:
    costs = []
    for line in POSITIONS.read_text().splitlines():
        plain = json.loads(line)
        expected = plain.pop("expect")
        at = position.read(plain)
        costs.append(cost(expected, best(at.sheet, *at.roll.dice, left=at.left)))
    assert len(costs) > 300
    assert sum(each < 1 for each in costs) >= 0.9 * len(costs)


def test_the_last_box_of_all_is_no_estimate() -> None:
    sheet = replay(entries("everything")).game.sheet
    play = best(sheet, 6, 6, 6, 2, 1, left=2)
    assert isinstance(play, Keep)
    assert play.dice == (6, 6, 6)
    assert play.value == pytest.approx(keeping_sixes(3, throws=2))


def test_what_is_plain_to_everybody_is_plain_to_it() -> None:
    sheet = Sheet.empty(PRINTED["yatzy"])
    four = best(sheet, 6, 6, 6, 6, 1, left=2)
    assert isinstance(four, Keep)
    assert four.dice == (6, 6, 6, 6)
    sixes = best(sheet, 6, 6, 6, 6, 6, left=0)
    assert not isinstance(sixes, Keep)
    assert sixes.box in ("yatzy", "sixes")
    bad = best(sheet, 1, 1, 2, 4, 6, left=0)
    assert not isinstance(bad, Keep)
    assert bad.box in ("ones", "pair", "chance")


@pytest.mark.parametrize("rules", [*PRINTED.values(), *SMALL_GAMES.values()], ids=[*PRINTED, *SMALL_GAMES])
def test_more_upper_points_and_more_throws_are_never_worth_less(rules: RuleSet) -> None:
    estimate = Estimate.after(replace(Sheet.empty(rules), left=4 if rules.carries else 0))
    for filled in (1, 2**6, 2 ** len(rules.boxes) - 2, 2 ** len(rules.boxes) - 1):
        worth = estimate.at(filled)
        assert worth.shape == (estimate.carried, rules.bonus.at + 1)
        assert np.isfinite(worth).all()
        assert (np.diff(worth, axis=0) >= -1e-9).all()
        assert (np.diff(worth, axis=1) >= -1e-9).all()


def test_full_sheets_get_their_bonus_and_what_is_left_of_a_budget() -> None:
    rules = PRINTED["a budget"]
    worth = Estimate.after(replace(Sheet.empty(rules), left=3)).at(2 ** len(rules.boxes) - 1)
    assert worth[:, [0, 62, 63]] == pytest.approx(np.array([[7 * c, 7 * c, 50 + 7 * c] for c in range(3)]), abs=0.02)
