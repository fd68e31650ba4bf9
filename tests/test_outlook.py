"""What this turn can bring, and what a throw more is worth, are what brute force says."""

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from scorekeeper import games
from scorekeeper.dice import Roll
from scorekeeper.outlook import chances, marker, prospect
from scorekeeper.patterns import Everything, Faces
from scorekeeper.reach import State
from scorekeeper.rules import Bonus, Box, RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.solve import solve
from tests.dull_solver import DullProspects, DullSolver
from tests.test_solve import EXACT, SMALL, SMALL_GAMES, with_spread


def dull_chance(rules: RuleSet, box: str, dice: tuple[int, ...], left: int) -> float:
    """Every choice of dice to keep, every outcome of the others."""
    if rules.boxes[rules.index(box)].score(Roll.of(*dice)) or not left:
        return float(rules.boxes[rules.index(box)].score(Roll.of(*dice)) > 0)
    found = []
    for chosen in product((False, True), repeat=len(dice)):
        kept = tuple(die for die, keep in zip(dice, chosen, strict=True) if keep)
        fallen = list(product(range(1, 7), repeat=len(dice) - len(kept)))
        found.append(sum(dull_chance(rules, box, (*kept, *some), left - 1) for some in fallen) / len(fallen))
    return max(found)


@pytest.mark.parametrize("dice", [(1, 2), (3, 3), (6, 1)])
@pytest.mark.parametrize("left", [0, 1, 2])
def test_the_chance_of_a_box_is_that_of_playing_for_it(dice: tuple[int, ...], left: int) -> None:
    found = chances(Sheet.empty(SMALL), Roll.of(*dice), left)
    assert found == pytest.approx({box.key: dull_chance(SMALL, box.key, dice, left) for box in SMALL.boxes})


def test_the_chances_of_one_turn_are_the_known_ones() -> None:
    # Of five dice, nothing kept, three throws: as rule texts print them, and 4.6 % for Yatzy.
    rules = games.find("yatzy")
    sheet = Sheet.empty(rules)
    known = {"yatzy": 347897 / 7558272, "large-straight": 0.196829, "full-house": 0.362883}
    for box, chance in known.items():
        rolls = Counter(Roll.of(*dice) for dice in product(range(1, 7), repeat=5))
        mean = sum(n * chances(sheet, roll, 2)[box] for roll, n in rolls.items()) / 6**5
        assert mean == pytest.approx(chance, abs=1e-6)


def test_only_boxes_that_may_be_filled_have_a_chance() -> None:
    rules = SMALL_GAMES["saved rerolls in forced order"]
    assert chances(Sheet.empty(rules), Roll.of(1, 1), 0) == {"ones": 1.0}


@pytest.mark.parametrize("rules", [SMALL_GAMES["saved rerolls"], SMALL_GAMES["a budget"]])
def test_a_throw_more_is_worth_what_brute_force_says(rules: RuleSet) -> None:
    dull, sheet = DullSolver(rules), Sheet.empty(rules)
    after = solve(rules, replace(State.of(sheet), carried=sheet.left + 2)).after(State.of(sheet))
    assert after
    for dice in ((1, 1), (1, 6), (3, 5)):
        for left in range(sheet.allowance):
            now = max(dull.plays(sheet.scores, dice, left).values())
            more = max(dull.plays(sheet.scores, dice, left + 1).values())
            assert marker(sheet, Roll.of(*dice), left, after, now) == pytest.approx(more - now, abs=1e-4)


def test_a_throw_that_does_not_stay_is_worth_nothing_to_speak_of() -> None:
    after = solve(SMALL, State.of(Sheet.empty(SMALL))).after(State.of(Sheet.empty(SMALL)))
    assert after
    assert marker(Sheet.empty(SMALL), Roll.of(1, 2), 1, after, 0.0) is None


@pytest.mark.parametrize("rules", [SMALL_GAMES["saved rerolls"], SMALL_GAMES["a budget"]])
def test_where_nobody_can_have_more_throws_one_is_worth_what_it_would_cost_to_be_without(rules: RuleSet) -> None:
    dull, sheet = DullSolver(rules), Sheet.empty(rules)
    after, left = solve(rules, State.of(sheet)).after(State.of(sheet)), sheet.allowance - 1
    assert after
    now, fewer = (max(dull.plays(sheet.scores, (1, 2), throws).values()) for throws in (left, left - 1))
    assert marker(sheet, Roll.of(1, 2), left, after, now) == pytest.approx(now - fewer, abs=1e-4)


@pytest.mark.parametrize("rules", SMALL_GAMES.values(), ids=SMALL_GAMES.keys())
def test_a_game_goes_on_from_every_roll_as_brute_force_says(rules: RuleSet) -> None:
    dull, sheet = DullProspects(rules), Sheet.empty(rules)
    after = with_spread(rules).after(State.of(sheet))
    assert after
    for dice in ((1, 1), (1, 6), (3, 5), (6, 6)):
        for left in range(sheet.allowance):
            found = prospect(sheet, Roll.of(*dice), left, after)
            bounds, mean = dull.roll(sheet.scores, dice, left), dull.best.roll(sheet.scores, dice, left)
            assert found.mean == pytest.approx(mean, abs=EXACT)
            assert bounds.least_square - 1e-3 <= found.spread**2 + mean**2 <= bounds.most_square + 1e-3
            assert bounds.least_bonus - EXACT <= found.bonus <= bounds.most_bonus + EXACT


def test_the_last_throw_for_the_last_box_is_that_of_a_few_dice() -> None:
    # Two sixes lie there and the bonus asks for four: of three dice two or more must show one.
    sixes = replace(SMALL, dice=5, boxes=(Box("sixes", Faces(6), upper=True),), bonus=Bonus(at=24, points=0))
    sheet = Sheet.empty(replace(sixes, boxes=(Box("chance", Everything()), *sixes.boxes))).write("chance", 20, 1)
    after = with_spread(sheet.rules).after(State.of(sheet))
    assert after
    found = prospect(sheet, Roll.of(1, 2, 3, 6, 6), 1, after)
    assert found.mean == pytest.approx(20 + 12 + 3 * 6 / 6, abs=EXACT)
    assert found.spread == pytest.approx(6 * (3 * 1 / 6 * 5 / 6) ** 0.5, abs=EXACT)
    assert found.bonus == pytest.approx((3 * 5 + 1) / 6**3, abs=1e-6)
    there = prospect(sheet, Roll.of(6, 6, 6, 6, 6), 1, after)
    assert there.mean == pytest.approx(50, abs=EXACT)
    assert there.spread == pytest.approx(0, abs=1e-3)
    assert there.bonus == 1


def test_nothing_is_said_of_the_spread_where_it_was_not_worked_out() -> None:
    after = solve(SMALL, State.of(Sheet.empty(SMALL))).after(State.of(Sheet.empty(SMALL)))
    assert after
    with pytest.raises(ValueError):
        prospect(Sheet.empty(SMALL), Roll.of(1, 2), 1, after)
