"""The chance to end ahead is what brute force and closed forms say, and no plan for points beats the play for it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from scorekeeper import games
from scorekeeper.advice import Keep, Play, plays, ranked
from scorekeeper.contest import Finals, before, chances, finals, first_place, lead
from scorekeeper.dice import Roll
from scorekeeper.options import Value
from scorekeeper.reach import State
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.solve import solve
from tests.dull_solver import DullContest, DullFinals, DullSolver, Scores
from tests.late import keeping_sixes
from tests.test_solve import SMALL_GAMES

CLOSE = 1e-5  # of a chance
SHARED = Finals(20, np.array([0.3, 0.5, 0.2]))  # of 20, 21, 22 points
LAST: dict[str, dict[str, Value]] = {
    "yatzy": {},
    "yatzy in forced order": {"order": "forced"},
    "maxi-yatzy": {},
    "maxi-yatzy without saved rerolls": {"saved_rerolls": False},
    "maxi-yatzy, upper boxes first": {"order": "upper-first"},
    "superyatzy": {},
    "stratzy": {"value": 10},
    "stratzy for little": {"value": 2},
}


def late(name: str, opened: int, seed: int) -> Sheet:
    """A sheet of this game with so many boxes open, filled at random, in the upper boxes near the bonus."""
    rules, dice = games.find(name.split(maxsplit=1)[0].strip(","), **LAST[name]), random.Random(seed)
    sheet = Sheet.empty(rules)
    while len(sheet.open) > opened:
        key = dice.choice(sheet.legal)
        points = sorted(rules.attainable[key])
        sheet = sheet.write(key, dice.choice(points[len(points) // 2 :]), 1)
    return replace(sheet, left=dice.randint(0, 3 * opened) if rules.carries else 0)


def sheets(rules: RuleSet, filled: int) -> Iterator[Sheet]:
    """Some with so many boxes filled, as well and as badly as can be; in this they differ from the empty one."""
    for choices in product((max, min), repeat=filled):
        sheet = Sheet.empty(rules)
        for choose in choices:
            sheet = sheet.write(sheet.legal[0], choose(rules.attainable[sheet.legal[0]]), 1)
        if not sheet.finished:
            yield sheet


def against(total: int) -> float:
    """The first place that a final total brings against SHARED and somebody who has 21: each tie is worth its share."""
    shared = {20: 0.3, 21: 0.5, 22: 0.2}
    return sum(
        chance / (1 + (total == other) + (total == 21)) for other, chance in shared.items() if total >= max(other, 21)
    )


def exceeds(found: Finals, total: int) -> float:
    return 1 - float(found.below(np.array([total]))[0])


@pytest.mark.parametrize("rules", SMALL_GAMES.values(), ids=SMALL_GAMES.keys())
def test_the_chance_to_end_ahead_is_what_brute_force_says(rules: RuleSet) -> None:
    dull = DullContest(rules, against)
    for sheet in sheets(rules, filled=2):
        found = chances(sheet, [SHARED, finals(21)])
        assert before(sheet, found) == pytest.approx(dull.turn(sheet.scores, sheet.left), abs=CLOSE)
        for dice in ((1, 1), (1, 6), (3, 5), (6, 6)):
            for left in range(sheet.allowance):
                expected = dull.plays(sheet.scores, dice, left)
                ranks = ranked(sheet, Roll.of(*dice), left, found[:, : left + 1])
                assert {what(play): play.value for play in ranks} == pytest.approx(expected, abs=CLOSE)


def what(play: Play) -> str | tuple[int, ...]:
    return play.dice if isinstance(play, Keep) else play.box


@pytest.mark.parametrize("rules", SMALL_GAMES.values(), ids=SMALL_GAMES.keys())
def test_whoever_plays_for_points_ends_as_brute_force_says(rules: RuleSet) -> None:
    best = DullSolver(rules)
    for sheet in sheets(rules, filled=2):
        found = finals(sheet)
        assert found.chances.sum() == pytest.approx(1)
        for total in (15, 24, 45):
            least, most = DullFinals(best, total).turn(sheet.scores, sheet.left)
            assert least - CLOSE <= exceeds(found, total) <= most + CLOSE


def test_where_brute_force_knows_no_equal_plays_the_bounds_are_one_number() -> None:
    best = DullSolver(SMALL_GAMES["free order"])
    bounds = [DullFinals(best, total).turn((1, 6, None, None), 0) for total in (30, 35, 40)]
    assert all(most - least < CLOSE for least, most in bounds)
    assert len({round(least, 3) for least, _most in bounds}) == 3


def test_a_tie_counts_as_the_share_of_those_who_are_first() -> None:
    totals = np.arange(18, 25)
    assert first_place([], totals).tolist() == [1] * 7, "alone one is first"
    assert first_place([SHARED], totals) == pytest.approx([0, 0, 0.15, 0.55, 0.9, 1, 1])
    assert first_place([finals(21), finals(21)], totals) == pytest.approx([0, 0, 0, 1 / 3, 1, 1, 1])
    assert first_place([SHARED, finals(21)], totals) == pytest.approx([against(int(total)) for total in totals])


def only_sixes(points: int = 0) -> Sheet:
    """Of Yatzy, nothing else open, and so many points in chance."""
    rules = games.find("yatzy")
    scores: Scores = tuple(None if box.key == "sixes" else 0 for box in rules.boxes)
    return replace(Sheet.empty(rules), scores=scores).amend("chance", points or None).amend("chance", points)


def enough_sixes(needed: int, dice: int, throws: int) -> float:
    """The chance of so many sixes, whoever keeps every six: each die shows one with 1 − (5/6)^throws."""
    share = 1 - (5 / 6) ** throws
    ways = np.array([float(np.prod(range(dice - k + 1, dice + 1)) / np.prod(range(1, k + 1))) for k in range(dice + 1)])
    at = np.arange(dice + 1)
    return float((ways * share**at * (1 - share) ** (dice - at))[max(needed, 0) :].sum())


@pytest.mark.parametrize("needed", range(6))
def test_with_one_box_left_against_a_known_total_it_is_the_chance_of_enough(needed: int) -> None:
    sheet = only_sixes()
    found = chances(sheet, [finals(6 * needed - 1)])
    assert before(sheet, found) == pytest.approx(enough_sixes(needed, 5, 3), abs=CLOSE)
    tied = before(sheet, chances(sheet, [finals(6 * needed)]))
    halves = (enough_sixes(needed, 5, 3) + enough_sixes(needed + 1, 5, 3)) / 2
    assert tied == pytest.approx(halves, abs=CLOSE), "a tie counts half"


def test_against_somebody_with_the_same_box_left_it_is_one_half() -> None:
    other = finals(only_sixes())
    assert other.chances.sum() == pytest.approx(1)
    assert (other.chances * (other.first + np.arange(len(other.chances)))).sum() == pytest.approx(keeping_sixes(0, 3))
    assert before(only_sixes(), chances(only_sixes(), [other])) == pytest.approx(0.5, abs=CLOSE)
    three = before(only_sixes(), chances(only_sixes(), [other, other]))
    assert three == pytest.approx(1 / 3, abs=CLOSE)


def test_against_a_total_out_of_reach_for_points_more_is_dared() -> None:
    # Yatzy and chance are open. 50 points are needed: of four alike, only a yatzy is any good.
    rules = games.find("yatzy")
    sheet = replace(
        Sheet.empty(rules), scores=tuple(None if box.key in ("chance", "yatzy") else 0 for box in rules.boxes)
    )
    roll, found = Roll.of(6, 6, 6, 6, 5), chances(sheet, [finals(49)])
    best = ranked(sheet, roll, 1, found)[0]
    assert isinstance(best, Keep)
    assert best.dice == (6, 6, 6, 6)


def test_of_plays_that_win_as_often_the_one_with_more_points_is_advised() -> None:
    sheet, roll = only_sixes(), Roll.of(6, 6, 6, 2, 1)
    after = solve(sheet.rules, State.of(sheet)).after(State.of(sheet))
    assert after
    with_points = plays(sheet, roll, 1, after)
    won = lead(with_points, sheet, roll, 1, chances(sheet, [finals(-1)]))
    assert won.play == with_points[0]
    assert (won.chance, won.plain) == pytest.approx((1, 1))
    lost = lead(with_points, sheet, roll, 1, chances(sheet, [finals(40)]))
    assert (lost.play, lost.chance, lost.plain) == (with_points[0], 0, 0)
    needs_none = lead(with_points, sheet, roll, 1, chances(sheet, [finals(18)]))
    assert needs_none.play == with_points[0]
    assert needs_none.chance == pytest.approx(1 - (5 / 6) ** 2 / 2), "a further six, or a tie"


@pytest.mark.parametrize("name", LAST)
@pytest.mark.parametrize("opened", [1, 2, 3])
def test_no_play_for_points_brings_more_and_what_one_has_already_never_harms(name: str, opened: int) -> None:
    sheet, other = late(name, opened, 1), late(name, opened, 2)
    if sheet.finished:
        sheet = replace(sheet, left=1)
    theirs, own = finals(other), finals(sheet)
    totals = own.first + np.arange(len(own.chances))
    before_now = 0.0
    for ahead in (-90, -50, -20, -5, 0, 5, 20, 50, 90):
        moved = Finals(theirs.first + round(mean(own) - mean(theirs)) - ahead, theirs.chances)
        boxes = chances(sheet, [moved])
        found, plain = before(sheet, boxes), float((own.chances * first_place([moved], totals)).sum())
        assert boxes.min() >= 0
        assert boxes.max() <= 1 + CLOSE
        assert found >= plain - CLOSE
        assert found >= before_now - CLOSE
        before_now = found
    assert before_now > 0.5


def mean(some: Finals) -> float:
    return float((some.chances * (some.first + np.arange(len(some.chances)))).sum())
