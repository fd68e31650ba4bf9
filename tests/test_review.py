"""A game looked back on: luck and costs add up to the total, agree with brute force, and nothing is held against
anybody that is not known."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import games
from scorekeeper.advice import After, Keep, Write
from scorekeeper.events import Amended, Begun, Reread, Rolled, Scored
from scorekeeper.games import GAMES
from scorekeeper.history import Entry, History, replay
from scorekeeper.oracle import Oracle
from scorekeeper.reach import State
from scorekeeper.review import Account, Choice, Played, review
from scorekeeper.rules import Order, RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.solve import solve
from tests.dull_solver import DullSolver
from tests.late import entries, keeping_sixes
from tests.strategies import dice, histories
from tests.test_solve import SMALL, SMALL_GAMES
from web.bench_review import played

EXACT, ROUNDED = 1e-6, 1e-4


@lru_cache(maxsize=512)
def solved(sheet: Sheet) -> After:
    layer = solve(sheet.rules, State.of(sheet)).after(State.of(sheet))
    assert layer
    return layer


def looked_back(history: History, find: Callable[[Sheet], After] = solved) -> tuple[Account, ...]:
    steps, shares = review(history, find), [0.0]
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as end:
            assert shares == sorted(shares)
            assert shares[-1] in (0, 1)
            found: tuple[Account, ...] = end.value
            return found


def one_turn(*played: Entry, rules: RuleSet = GAMES["yatzy"].rules) -> Played:
    """What is said of the only turn of a game that is over but for one box."""
    account = looked_back(
        replay([*entries("none"), *played] if rules.dice == 5 else [Begun(rules, ("Anna",)), *played])
    )
    return account[0].turns[-1]


def finish(history: History, fallen: list[tuple[int, ...]]) -> History:
    """The game played to its end with these throws, again and again, whatever is written first."""
    for thrown in cycle(fallen):
        game = history.game
        if game.finished:
            break
        if game.roll is None:
            history = history.add(Rolled(thrown, 1))
        box = history.game.strikes[0]
        history = history.add(Scored(box, history.game.choices[box]))
    return history


@settings(deadline=None, max_examples=40)  # solving is compiled the first time
@given(st.data())
def test_what_was_expected_with_luck_and_less_costs_is_the_total_of_every_game(data: st.DataObject) -> None:
    history = data.draw(histories(most=25))
    history = finish(history, data.draw(st.lists(dice(history.game.rules), min_size=1, max_size=5)))
    for account, sheet in zip(looked_back(history), history.game.sheets, strict=True):
        left = account.turns[-1].after if account.turns else account.start  # of whoever has left before the end
        end = sheet.total if sheet.finished else left
        assert account.start + account.luck - account.cost + account.corrected == pytest.approx(end, abs=EXACT)
        assert all(choice.best.value >= choice.taken.value - EXACT for t in account.turns for choice in t.choices)
        assert [turn.total for turn in account.turns[-1:] if not account.corrected] in ([], [sheet.total])
        for turn in account.turns:
            assert turn.before + turn.luck - turn.cost == pytest.approx(turn.after, abs=EXACT)


def test_a_whole_game_adds_up_with_the_opening_that_came_with_kast(tmp_path: Path) -> None:
    history, oracle = played(games.find("yatzy")), Oracle(tmp_path)

    def find(sheet: Sheet) -> After:
        oracle.make(sheet)
        return oracle.after(sheet)

    accounts = looked_back(history, find)
    assert {round(account.start, 3) for account in accounts} == {248.44}
    for account, sheet in zip(accounts, history.game.sheets, strict=True):
        assert len(account.turns) == 15
        assert all(turn.shown for turn in account.turns)
        assert account.start + account.luck - account.cost == pytest.approx(sheet.total, abs=EXACT)
        assert account.cost > 20, "nobody looked at what is best"


@pytest.mark.parametrize("kind", ["upper boxes first", "saved rerolls", "a budget too small for every box"])
def test_expectations_and_costs_are_those_of_brute_force(kind: str) -> None:
    rules = SMALL_GAMES[kind]
    dull, history = DullSolver(rules), replay([Begun(rules, ("Anna",))])
    for first, kept, second in (
        ((1, 6), (6,), (6, 6)),
        ((1, 2), (), (5, 5)),
        ((4, 6), (4,), (4, 1)),
        ((3, 3), (), (2, 2)),
    ):
        game = history.game
        if game.finished:
            break
        history = history.add(Rolled(first, 1, source="camera"))
        if game.sheet.allowance > 1:
            history = history.add(Rolled(second, 2, kept, "camera"))
        box = history.game.strikes[-1]
        history = history.add(Scored(box, history.game.choices[box]))
        sheet, after = game.sheet, history.game.sheet
        turn = looked_back(history)[0].turns[-1]
        assert turn.before == pytest.approx(dull.turn(sheet.scores, sheet.left), abs=ROUNDED)
        assert turn.after == pytest.approx(dull.turn(after.scores, after.left), abs=ROUNDED)
        for choice in turn.choices:
            plays = dull.plays(sheet.scores, choice.dice, sheet.allowance - choice.throw)
            done = plays[choice.taken.dice if isinstance(choice.taken, Keep) else choice.taken.box]
            assert choice.cost == pytest.approx(max(plays.values()) - done, abs=ROUNDED)


def test_the_figures_of_a_turn_for_the_sixes_are_those_of_a_closed_form() -> None:
    turn = one_turn(
        Rolled((6, 6, 1, 2, 3), 1), Rolled((6, 1, 2, 3, 4), 2, kept=(1, 2, 3)), Rolled((6, 6, 6, 1, 1), 3, kept=(6,)),
        Scored("sixes", 18),
    )  # fmt: skip
    assert turn.before == pytest.approx(keeping_sixes(0, 3), abs=ROUNDED)
    assert [choice.sure for choice in turn.choices] == [True, True, True]
    kept_none_of_two, kept_the_six, wrote = turn.choices
    assert kept_none_of_two.best == Keep((6, 6), kept_none_of_two.best.value)
    # Two dice are thrown now, and the four that show no six next.
    worse = sum(chance * keeping_sixes(sixes, 1) for sixes, chance in ((0, 25 / 36), (1, 10 / 36), (2, 1 / 36)))
    assert kept_none_of_two.cost == pytest.approx(keeping_sixes(2, 2) - worse, abs=ROUNDED)
    assert kept_the_six.cost == wrote.cost == 0
    assert turn.luck == pytest.approx(18 - turn.before + turn.cost, abs=EXACT)


def test_of_keeps_that_fit_what_lay_there_afterwards_the_best_is_taken_to_be_meant() -> None:
    turn = one_turn(
        Rolled((6, 6, 1, 2, 3), 1), Rolled((6, 1, 2, 3, 4), 2), Rolled((6, 6, 1, 3, 4), 3), Scored("sixes", 12)
    )
    first, second, _third = turn.choices
    assert first.taken == Keep((6,), first.taken.value), "one six was thrown again, whatever became of the others"
    assert not first.sure
    assert first.cost > 0
    assert second.cost == 0
    one_that_is_sure = one_turn(Rolled((6, 6, 1, 1, 1), 1), Rolled((2, 2, 3, 4, 5), 2), Scored("sixes", 0))
    assert one_that_is_sure.choices[0].taken == Keep((), one_that_is_sure.choices[0].taken.value)
    assert one_that_is_sure.choices[0].sure


def test_dice_that_were_read_again_count_as_they_were_corrected_and_a_keep_that_no_longer_fits_does_not() -> None:
    turn = one_turn(
        Rolled((6, 6, 1, 2, 3), 1), Rolled((6, 6, 1, 1, 1), 2, kept=(6, 6)), Reread((5, 6, 1, 1, 1), 2),
        Scored("sixes", 6),
    )  # fmt: skip
    assert turn.choices[0].taken == Keep((6,), turn.choices[0].taken.value)
    assert turn.choices[1].dice == (5, 6, 1, 1, 1)


@pytest.mark.parametrize(
    "shown", [[Rolled((6, 6, 6, 1, 1), 3)], [Rolled((1, 1, 1, 1, 1), 1), Rolled((6, 6, 6, 1, 1), 3)]]
)
def test_what_happened_before_a_throw_that_nobody_showed_is_luck_and_it_is_said(shown: list[Entry]) -> None:
    turn = one_turn(*shown, Scored("sixes", 18))
    assert not turn.shown
    assert turn.cost == 0
    assert turn.luck == pytest.approx(18 - turn.before, abs=EXACT)


def test_a_single_throw_noted_down_by_hand_may_be_the_last_of_its_turn() -> None:
    noted = one_turn(Rolled((6, 6, 6, 1, 1), 1), Scored("sixes", 18))
    assert (noted.shown, noted.cost) == (False, 0)
    followed = one_turn(Rolled((6, 6, 6, 1, 1), 1, source="camera"), Scored("sixes", 18))
    assert followed.shown
    assert followed.cost == pytest.approx(keeping_sixes(3, 2) - 18, abs=ROUNDED)
    enough = one_turn(Rolled((6, 6, 6, 6, 6), 1), Scored("sixes", 30))
    assert (enough.shown, enough.cost) == (True, 0)


def test_where_throws_are_saved_writing_early_is_what_was_said() -> None:
    rules = SMALL_GAMES["saved rerolls"]
    turn = one_turn(Rolled((1, 3), 1), Scored("sixes", 0), rules=rules)
    assert turn.shown
    assert turn.cost > 0
    assert isinstance(turn.choices[-1].best, Keep | Write)


def test_a_box_struck_without_a_throw_costs_what_a_throw_could_have_brought() -> None:
    rules = SMALL_GAMES["a budget"]
    turn = one_turn(Scored("pair", 0), rules=rules)
    (choice,) = turn.choices
    assert (choice.throw, choice.dice, turn.luck) == (0, (), 0.0)
    assert choice.cost == pytest.approx(turn.before - turn.after, abs=EXACT)
    assert choice.cost > 0


def test_a_correction_by_hand_is_neither_luck_nor_a_choice() -> None:
    begun: list[Entry] = [Begun(SMALL, ("Anna",)), Rolled((1, 1), 1), Scored("ones", 2)]
    end: list[Entry] = [
        *(Rolled((6, 6), 1), Scored("sixes", 12)), *(Rolled((5, 5), 1), Scored("pair", 15)),
        *(Rolled((5, 4), 1), Scored("chance", 9)),
    ]  # fmt: skip
    (plain,) = looked_back(replay([*begun, *end]))
    (amended,) = looked_back(replay([*begun, Amended(0, "ones", 1), *end]))
    assert plain.corrected == 0
    assert amended.corrected < -EXACT
    assert amended.turns[0] == plain.turns[0]
    (late,) = looked_back(replay([*begun, *end, Amended(0, "chance", 11)]))
    assert (late.corrected, late.total) == (2, plain.total + 2)
    assert late.turns == plain.turns


def test_the_worst_choices_are_those_that_cost_most() -> None:
    history = replay([Begun(SMALL, ("Anna",)), Rolled((6, 6), 1, source="camera"), Scored("ones", 0)])
    history = finish(history, [(2, 3)])
    (account,) = looked_back(history)
    worst = account.worst(2, least=0.5)
    costs = sorted((c.cost for t in account.turns for c in t.choices), reverse=True)
    assert [choice.cost for _turn, choice in worst] == [cost for cost in costs if cost >= 0.5][:2]
    turn, choice = worst[0]
    assert choice in turn.choices
    assert account.worst(3, least=1000) == []


def test_a_choice_never_costs_less_than_nothing() -> None:
    assert Choice(1, (6, 6), Write("pair", 17, 20.0), Write("pair", 17, 19.9999999)).cost == 0


def test_order_is_heeded() -> None:
    assert SMALL_GAMES["forced order"].order == Order.FORCED
    turn = one_turn(Rolled((6, 6), 1, source="camera"), Scored("ones", 0), rules=SMALL_GAMES["forced order"])
    assert {type(turn.choices[0].best)} == {Keep}, "only the ones may be filled: throw again"
