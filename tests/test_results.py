"""The page of results says what was measured, and what was measured is what the solver and the players do now."""

from __future__ import annotations

import json
import random
import re
import shlex
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from datasets.results import measure
from datasets.results.__main__ import main, read
from datasets.results.duels import _duels, duels
from datasets.results.page import best_table, command, headline, page, plots
from datasets.results.players import LastTurn, greedy, simple
from datasets.results.plots import Axis
from scorekeeper import advice, games
from scorekeeper.dice import Roll
from scorekeeper.patterns import Everything, Faces
from scorekeeper.reach import State
from scorekeeper.rules import Bonus, Box, RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.solve import solve
from tests.dull_solver import DullSolver
from tests.test_solve import EXACT, SMALL, SMALL_GAMES, golden, prospects
from web.command import _parser
from web.command import main as kast
from web.rulebook import chosen

DOCS = Path(__file__).parent.parent / "docs"
GOLDEN = Path(__file__).parent / "golden"
KNOWN = read(DOCS)
QUICK = ("yatzy", "yatzy:order=forced,bonus_at=63", "superyatzy:order=forced", "maxi-yatzy:order=forced")


def test_the_page_and_its_plots_are_made_of_the_recorded_figures() -> None:
    assert KNOWN
    assert (DOCS / "results.md").read_text(encoding="utf-8") == page(KNOWN)
    for name, plot in plots(KNOWN).items():
        assert (DOCS / name).read_text(encoding="utf-8") == plot
        assert f"]({name})" in page(KNOWN)


def test_the_readme_says_the_headline() -> None:
    readme = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    assert headline(KNOWN) in " ".join(readme.split())
    assert "docs/results.md" in readme


def test_every_figure_was_measured_for_the_rules_and_by_the_solver_that_there_are_now() -> None:
    tasks = measure.tasks()
    for key, figures in KNOWN.items():
        assert measure.is_current(figures, tasks[key][2]), key


@pytest.mark.parametrize("name", QUICK)
def test_what_is_quick_to_solve_is_what_was_recorded(name: str) -> None:
    found, recorded = measure.best(name, measure.rows()[name]), KNOWN[f"best {name}"]
    assert found["expected"] == pytest.approx(recorded["expected"], abs=EXACT)
    assert found["deviation"] == pytest.approx(recorded["deviation"], abs=0.005)
    assert found["bonus"] == pytest.approx(recorded["bonus"], abs=EXACT)


@pytest.mark.parametrize("file", ["best_play.txt", "openings.txt"])
def test_recorded_totals_are_what_an_independent_program_expects(file: str) -> None:
    by_rules = {figures["rules"]: figures for key, figures in KNOWN.items() if key.startswith("best ")}
    compared = 0
    for key, options, expected in golden(GOLDEN / file):
        if found := by_rules.get(games.find(key, **options).fingerprint):
            assert found["expected"] == pytest.approx(expected, abs=EXACT)
            compared += 1
    assert compared


def test_recorded_spreads_and_bonuses_are_what_a_plain_program_says() -> None:
    by_rules = {figures["rules"]: figures for key, figures in KNOWN.items() if key.startswith("best ")}
    compared = 0
    for key, options, mean, spread, bonus in prospects():
        if found := by_rules.get(games.find(key, **options).fingerprint):
            assert found["expected"] == pytest.approx(mean, abs=EXACT)
            assert found["deviation"] == pytest.approx(spread, abs=1e-3)
            assert found["bonus"] == pytest.approx(bonus, abs=1e-5)
            compared += 1
    assert compared >= 4


def test_every_choice_of_every_option_has_a_row() -> None:
    fingerprints = {rules.fingerprint for rules in measure.rows().values()}
    assert len(fingerprints) == len(measure.rows())
    for key, printed in games.GAMES.items():
        for option in printed.options:
            for choice in () if option.is_long else option.choices:
                agreed = {"value": 5} if printed.rules.budget else {}
                assert games.find(key, **(agreed | {option.key: choice})).fingerprint in fingerprints


def test_the_command_of_each_row_is_for_its_rules() -> None:
    for name, rules in measure.rows().items():
        args = _parser().parse_args(shlex.split(command(name))[1:])
        assert args.spread
        assert chosen(args, ask=True).fingerprint == rules.fingerprint


def test_the_command_of_a_row_says_what_the_row_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "yatzy:order=forced"
    assert kast([*shlex.split(command(name))[1:], "--json", "--data", str(tmp_path)]) == 0
    said = json.loads(capsys.readouterr().out)
    row = next(line for line in best_table(KNOWN).splitlines() if f"`{command(name)}`" in line)
    assert f"| {said['expected']:.4f} | {said['standard_deviation']:.2f} | {said['bonus_chance']:.2%} |" in row


def test_a_run_that_was_killed_goes_on_and_measures_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def measured(name: str, _rules: RuleSet) -> measure.Figures:
        asked.append(name)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return KNOWN["best yatzy"]

    rules = games.find("yatzy")
    tasks = {f"best {name}": (measured, name, rules) for name in ("yatzy", "yatzy:order=forced")}
    monkeypatch.setattr(measure, "tasks", lambda: tasks)
    monkeypatch.setattr("sys.argv", ["results", str(tmp_path)])
    with pytest.raises(KeyboardInterrupt):
        main()
    assert "Not worked out yet: best yatzy:order=forced." in (tmp_path / "results.md").read_text(encoding="utf-8")
    assert main() == 0
    assert asked == ["yatzy", "yatzy:order=forced", "yatzy:order=forced"]
    assert "Not worked out" not in (tmp_path / "results.md").read_text(encoding="utf-8").partition("## Best")[0]


@pytest.mark.parametrize("rules", [SMALL, SMALL_GAMES["saved rerolls"], SMALL_GAMES["a budget"]])
def test_in_the_last_turn_a_greedy_player_plays_best(rules: RuleSet) -> None:
    sheet = Sheet.empty(rules)
    for box in rules.boxes[:-1]:
        sheet = sheet.write(box.key, min(rules.attainable[box.key] - {0}), 1)
    after = solve(rules, State.of(sheet)).after(State.of(sheet))
    assert after
    left = sheet.allowance - 1
    best = advice.plays(sheet, Roll.of(1, 6), left, after)
    found = advice.plays(sheet, Roll.of(1, 6), left, LastTurn.after(sheet))
    assert [play.value for play in found] == pytest.approx([play.value for play in best], abs=EXACT)


def test_a_greedy_player_takes_the_most_that_a_turn_brings() -> None:
    # Two boxes, one throw each, of two dice: chance first, as it always pays more than the ones; then the ones.
    boxes = (Box("ones", Faces(1), upper=True), Box("chance", Everything()))
    rules = replace(SMALL, throws=1, boxes=boxes, bonus=Bonus(at=2, points=0))
    script = iter([(1, 2), (1, 1)])
    assert greedy(rules, lambda _n: next(script), 1).totals == (3 + 2,)


def test_a_simple_player_keeps_what_shows_most_and_writes_where_it_pays_most() -> None:
    boxes = (Box("ones", Faces(1), upper=True), Box("chance", Everything()))
    rules = replace(SMALL, dice=3, boxes=boxes, bonus=Bonus(at=2, points=7))
    script = iter([(1, 1, 5), (5,), (2,), (1, 2, 3), (1, 3), (3,)])
    asked = []

    def throw(n: int) -> tuple[int, ...]:
        asked.append(n)
        thrown = next(script)
        assert len(thrown) == n
        return thrown

    # 1-1-2 is 4 in chance. Of 1-2-3 the three is kept, of 3-1-3 both; three threes are no ones: a strike, no bonus.
    found = simple(rules, throw, 1)
    assert (found.totals, found.bonuses, asked) == ((4,), 0, [3, 1, 1, 3, 2, 1])


def test_a_bonus_hunter_has_the_bonus_more_often_and_ends_lower() -> None:
    for name in measure.COMPARED:
        if (hunter := KNOWN.get(f"hunter {name}")) and (best := KNOWN.get(f"best {name}")):
            assert hunter["bonus"] > best["bonus"]
            assert hunter["expected"] < best["expected"]


def test_what_a_hunter_ends_with_is_what_the_sheet_pays_and_not_what_he_dreams_of() -> None:
    # One box decides the bonus, and there is nothing to choose but the dice: believing in more changes nothing.
    rules = replace(SMALL, boxes=(Box("sixes", Faces(6), upper=True),), bonus=Bonus(at=6, points=20))
    expected, hunted = measure.best("sixes", rules), measure.hunter("sixes", rules)
    assert hunted["expected"] == pytest.approx(expected["expected"], abs=0.001)
    assert hunted["bonus"] == pytest.approx(1 - (5 / 6) ** 6, abs=1e-5)


@pytest.mark.parametrize("player", ["greedy", "simple"])
def test_simulated_players_end_as_recorded(player: str) -> None:
    count = 40 if player == "greedy" else 400
    play = {"greedy": greedy, "simple": simple}[player]
    found, recorded = play(games.find("yatzy"), measure.dice(7), count), KNOWN[f"{player} yatzy"]
    error = recorded["deviation"] / count**0.5
    assert sum(found.totals) / count == pytest.approx(recorded["expected"], abs=4 * error)


def test_what_a_marker_is_worth_is_what_brute_force_says() -> None:
    rules = SMALL_GAMES["saved rerolls"]
    found, dull = measure.markers("small", rules, 30), DullSolver(rules)
    nothing = (None,) * len(rules.boxes)
    assert found["worth"][0] == pytest.approx(dull.turn(nothing, 1) - dull.turn(nothing, 0), abs=1e-3)
    assert (found["error"][0], found["held"][0]) == (0, 0)
    assert len(found["worth"]) == len(rules.boxes)
    assert found["last"][0] > found["last"][1] > found["last"][-1] >= 0


def test_a_marker_at_the_end_is_worth_a_throw_more() -> None:
    # One die that is thrown until it shows a six.
    sixes = Box("sixes", Faces(6), upper=True)
    rules = replace(SMALL, dice=1, saves_rerolls=True, boxes=(sixes,), bonus=Bonus(at=6, points=0))
    chance = [1 - (5 / 6) ** throws for throws in range(3, 3 + measure.MARKERS + 1)]
    assert measure.last_markers(rules) == pytest.approx(
        [6 * (more - less) for less, more in pairwise(chance)], abs=EXACT
    )


def test_plots_are_well_formed_and_load_nothing() -> None:
    for plot in plots(KNOWN).values():
        ET.fromstring(plot)
        assert "prefers-color-scheme:dark" in plot
        assert not re.search(r"href|url\(|@import|<script", plot)


@pytest.mark.parametrize("seed", range(20))
def test_an_axis_holds_what_it_is_over_and_has_few_ticks(seed: int) -> None:
    source = random.Random(seed)
    least, most = sorted(source.uniform(-500, 500) * 10 ** source.randint(-1, 1) for _ in range(2))
    axis = Axis.over(least, most, 10, 110)
    assert 10 - 1e-9 <= axis(least) < axis(most) <= 110 + 1e-9
    assert 4 <= len(axis.ticks) <= 12
    assert (axis(axis.ticks[0]), axis(axis.ticks[-1])) == pytest.approx((10, 110))


def test_whoever_plays_to_win_wins_more_often_and_never_expects_to_win_less() -> None:
    rules = games.find("yatzy", order="forced")
    found = list(_duels(rules, 6, 2, lambda _share: None))
    assert all(duel.best >= duel.before - 1e-5 for duel in found)
    assert all(0 <= share <= 1 + 1e-5 for duel in found for share in duel)
    assert sum(duel.best - duel.before for duel in found) > 0.001
    figures = duels(rules, 6, 2)
    assert figures["exact_gain"] == pytest.approx(sum(duel.best - duel.before for duel in found) / 6, abs=1e-5)
    assert figures["gain"] == pytest.approx(sum(duel.ahead - duel.points for duel in found) / 6, abs=1e-5)


def test_with_one_round_left_to_play_it_is_weighed_and_not_played() -> None:
    for duel in _duels(games.find("yatzy", order="forced"), 4, 1, lambda _share: None):
        assert (duel.points, duel.ahead) == (duel.before, duel.best)
