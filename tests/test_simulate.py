"""Games that are played out end, on average, where best play is expected to, and as far from it as brute force says."""

import random
from dataclasses import replace

import pytest

from scorekeeper import games
from scorekeeper.dice import Roll
from scorekeeper.patterns import Everything, Faces
from scorekeeper.reach import State
from scorekeeper.rules import Bonus, Box, RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.simulate import Find, Throw, play_out
from scorekeeper.solve import SPREAD, solve
from tests.dull_solver import DullSolver
from tests.test_solve import SMALL, SMALL_GAMES

GAMES = 400


def dice(seed: int) -> Throw:
    source = random.Random(seed)
    return lambda n: tuple(source.randint(1, 6) for _ in range(n))


def finder(rules: RuleSet) -> Find:
    cone = solve(rules, State.of(Sheet.empty(rules)))
    return lambda sheet: cone.after(State.of(sheet))


@pytest.mark.parametrize("rules", [SMALL_GAMES["saved rerolls"], SMALL_GAMES["a budget"], SMALL])
def test_games_end_on_average_where_best_play_is_expected_to(rules: RuleSet) -> None:
    sheet = Sheet.empty(rules)
    expected = max(DullSolver(rules).plays(sheet.scores, (1, 6), 2).values())
    found = play_out(sheet, Roll.of(1, 6), 2, finder(rules), dice(1), GAMES)
    assert found
    assert len(found.totals) == GAMES
    error = found.spread / GAMES**0.5
    assert sum(found.totals) / GAMES == pytest.approx(expected, abs=4 * error)


def test_the_bonus_and_the_spread_are_those_of_a_throw_that_decides_both() -> None:
    # One throw of two dice in a box of sixes: 25/36 none, 10/36 one, 1/36 both, which is the bonus.
    sixes = replace(SMALL, throws=1, boxes=(Box("sixes", Faces(6), upper=True),), bonus=Bonus(at=12, points=8))
    rules = replace(sixes, boxes=(*sixes.boxes, Box("chance", Everything())), dice=2)
    sheet = Sheet.empty(rules).write("chance", 2, 1)
    ends = [(25 / 36, 2), (10 / 36, 8), (1 / 36, 22)]
    mean = sum(share * total for share, total in ends)
    spread = sum(share * (total - mean) ** 2 for share, total in ends) ** 0.5
    find, throw = finder(rules), dice(2)
    totals, bonuses = list[int](), 0
    for _ in range(GAMES):
        found = play_out(sheet, Roll.of(*throw(2)), 0, find, throw, 1)
        assert found
        totals += found.totals
        bonuses += found.bonuses
    assert set(totals) == {2, 8, 22}
    assert bonuses / GAMES == pytest.approx(1 / 36, abs=0.033)
    assert (sum((total - mean) ** 2 for total in totals) / GAMES) ** 0.5 == pytest.approx(spread, rel=0.25)


def test_games_of_yatzy_end_as_exact_play_says_they_do() -> None:
    sheet = Sheet.empty(games.find("yatzy"))
    filled = {"ones": 3, "twos": 6, "threes": 9, "fours": 12, "pair": 10, "two-pairs": 14, "three-alike": 12}
    filled |= {"four-alike": 0, "small-straight": 15, "large-straight": 0}
    for key, points in filled.items():
        sheet = sheet.write(key, points, 1)
    cone = solve(sheet.rules, State.of(sheet), planes=SPREAD)
    exact, written = cone.prospect, sum(filled.values())
    found = play_out(sheet, None, 2, lambda later: cone.after(State.of(later)), dice(5), GAMES)
    assert found
    error = exact.spread / GAMES**0.5
    assert sum(found.totals) / GAMES == pytest.approx(written + exact.mean, abs=4 * error)
    assert found.spread == pytest.approx(exact.spread, abs=4 * error)
    assert 0.2 < exact.bonus < 0.8
    assert found.bonus == pytest.approx(exact.bonus, abs=4 * (exact.bonus * (1 - exact.bonus) / GAMES) ** 0.5)


def test_a_turn_can_be_played_out_from_before_its_first_throw() -> None:
    sheet = Sheet.empty(SMALL)
    found = play_out(sheet, None, 2, finder(SMALL), dice(3), GAMES)
    assert found
    expected = solve(SMALL, State.of(sheet)).value
    assert sum(found.totals) / GAMES == pytest.approx(expected, abs=4 * found.spread / GAMES**0.5)


def test_nothing_is_said_where_not_all_is_solved() -> None:
    cone = solve(SMALL, State.of(Sheet.empty(SMALL)), turns=1)
    found = play_out(Sheet.empty(SMALL), Roll.of(1, 6), 2, lambda sheet: cone.after(State.of(sheet)), dice(1), 3)
    assert found is None


def test_games_that_are_not_solved_to_their_end_are_ended_at_random_with_the_mean_and_the_spread_that_are_known() -> (
    None
):
    sheet, source = Sheet.empty(SMALL), random.Random(7)
    cone = solve(SMALL, State.of(sheet), planes=SPREAD)
    short, exact = replace(cone, layers={filled: cone.layers[filled] for filled in (0, 1)}), cone.prospect

    def draw(later: Sheet) -> tuple[int, bool]:
        ends, written = short.ends(State.of(later)), sum(points or 0 for points in later.scores)
        assert ends
        return replace(ends, mean=ends.mean + written).draw(SMALL.bonus.points, source.random(), source.gauss())

    found = play_out(sheet, None, 2, lambda later: short.after(State.of(later)), dice(4), 4 * GAMES, draw)
    assert found
    assert found.drawn == 4 * GAMES
    error = exact.spread / (4 * GAMES) ** 0.5
    assert sum(found.totals) / (4 * GAMES) == pytest.approx(exact.mean, abs=4 * error)
    assert found.spread == pytest.approx(exact.spread, abs=4 * error)
    assert found.bonus == pytest.approx(exact.bonus, abs=4 * (exact.bonus * (1 - exact.bonus) / (4 * GAMES)) ** 0.5)
