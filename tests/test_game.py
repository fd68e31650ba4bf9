"""What may happen in a game, and what is refused and changes nothing."""

from __future__ import annotations

import copy
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import games
from scorekeeper.dice import Roll
from scorekeeper.events import Amended, Begun, Event, Helped, Joined, Renamed, Reread, Rolled, Scored
from scorekeeper.game import Game, apply, begin
from scorekeeper.history import History
from scorekeeper.options import Value
from scorekeeper.refusal import IllegalEvent
from scorekeeper.rules import Budget, RuleSet
from tests import dull_scorer
from tests.strategies import TURNS, histories, renamed, reread


def game(key: str = "yatzy", *players: str, **options: Value) -> Game:
    return begin(Begun(games.find(key, **options), players or ("Anna", "Bo")))


def after(state: Game, *events: Event) -> Game:
    for event in events:
        state = apply(state, event)
    return state


def struck(state: Game) -> Game:
    """The game after everybody has struck every box that can be struck."""
    while not state.finished:
        roll = Rolled((1, 1, 1, 1, 2, 2)[: state.rules.dice], state.throws + 1)
        state = after(state, roll, Scored(state.sheet.legal[0], 0))
    return state


FRESH = game()
THROWN = after(FRESH, Rolled((3, 3, 5, 6, 6), 1))
THIRD = after(THROWN, Rolled((6, 6, 1, 2, 3), 3))
PAIRED = after(THROWN, Scored("pair", 12), Rolled((1, 2, 3, 4, 5), 1), Scored("pair", 0))
FORCED = after(game(order="forced"), Rolled((2, 2, 2, 3, 3), 1))
MAXI = after(game("maxi-yatzy"), Rolled((6, 6, 6, 6, 3, 3), 1))
STRATZY = game("stratzy", value=10)
BROKE = begin(Begun(replace(games.find("stratzy", value=10), budget=Budget(2, 10)), ("Anna",)))
OVER = struck(FRESH)
TWELVE = game("yatzy", *"abcdefghijkl")

ILLEGAL = [
    # throws
    (FRESH, Rolled((3, 3, 5, 6), 1), "This game is played with 5 dice, not 4."),
    (FRESH, Rolled((3, 3, 5, 6, 6, 6), 1), "This game is played with 5 dice, not 6."),
    (FRESH, Rolled((), 1), "This game is played with 5 dice, not 0."),
    (MAXI, Rolled((1, 2, 3, 4, 5), 2), "This game is played with 6 dice, not 5."),
    (FRESH, Rolled((0, 3, 5, 6, 6), 1), "A die shows 1 to 6."),
    (FRESH, Rolled((7, 3, 5, 6, 6), 1), "A die shows 1 to 6."),
    (FRESH, Rolled((3, 3, 5, 6, 6), 0), "Throw 0 of this turn is over."),
    (FRESH, Rolled((3, 3, 5, 6, 6), -1), "Throw -1 of this turn is over."),
    (FRESH, Rolled((3, 3, 5, 6, 6), 4), "Anna has 3 throws in this turn, not 4."),
    (THROWN, Rolled((3, 3, 5, 6, 6), 1), "Throw 1 of this turn is over."),
    (THIRD, Rolled((3, 3, 5, 6, 6), 4), "Anna has 3 throws in this turn, not 4."),
    (MAXI, Rolled((1, 2, 3, 4, 5, 6), 4), "Anna has 3 throws in this turn, not 4."),
    (STRATZY, Rolled((3, 3, 5, 6, 6), 46), "Anna has 45 throws in this turn, not 46."),
    (FRESH, Rolled((3, 3, 5, 6, 6), 1, kept=(6,)), "6 cannot have been kept."),
    (THROWN, Rolled((3, 3, 1, 2, 4), 2, kept=(3, 3, 3)), "3-3-3 cannot have been kept."),
    (THROWN, Rolled((6, 3, 1, 2, 4), 2, kept=(6, 6)), "6-6 cannot have been kept."),
    (THROWN, Rolled((3, 3, 1, 2, 4), 2, kept=(7,)), "A die shows 1 to 6."),
    (THROWN, Rolled((3, 3, 1, 2, 4), 2, kept=(0,)), "A die shows 1 to 6."),
    (OVER, Rolled((3, 3, 5, 6, 6), 1), "The game is over."),
    # corrections of a throw
    (FRESH, Reread((3, 3, 5, 6, 6), 1), "There is no roll to correct."),
    (THROWN, Reread((3, 3, 5, 6), 1), "This game is played with 5 dice, not 4."),
    (THROWN, Reread((3, 3, 5, 6, 7), 1), "A die shows 1 to 6."),
    (THROWN, Reread((3, 3, 5, 6, 6), 0), "Anna has 3 throws in this turn, not 0."),
    (THROWN, Reread((3, 3, 5, 6, 6), 4), "Anna has 3 throws in this turn, not 4."),
    # boxes
    (FRESH, Scored("chance", 23), "Throw the dice first."),
    (FRESH, Scored("chance", 0), "Throw the dice first."),
    (STRATZY, Scored("chance", 23), "Throw the dice first."),
    (THROWN, Scored("tower", 0), "This sheet has no box tower."),
    (THROWN, Scored("", 0), "This sheet has no box ."),
    (STRATZY, Scored("tower", 0), "This sheet has no box tower."),
    (THROWN, Scored("pair", 13), "This roll gives 12 points in pair, not 13."),
    (THROWN, Scored("pair", 6), "This roll gives 12 points in pair, not 6."),
    (THROWN, Scored("twos", 7), "This roll gives 0 points in twos, not 7."),
    (THROWN, Scored("yatzy", 50), "This roll gives 0 points in yatzy, not 50."),
    (THROWN, Scored("chance", -1), "This roll gives 23 points in chance, not -1."),
    (after(PAIRED, Rolled((6, 6, 1, 2, 3), 1)), Scored("pair", 12), "pair is filled already."),
    (after(PAIRED, Rolled((6, 6, 1, 2, 3), 1)), Scored("pair", 0), "pair is filled already."),
    (FORCED, Scored("twos", 6), "twos is not next: this game is played in order."),
    (FORCED, Scored("full-house", 0), "full-house is not next: this game is played in order."),
    (OVER, Scored("chance", 0), "The game is over."),
    (after(BROKE, Scored("ones", 0), Scored("twos", 0)), Scored("threes", 0), "The game is over."),
    (after(BROKE, Scored("ones", 0), Scored("twos", 0)), Rolled((1, 2, 3, 4, 5), 1), "The game is over."),
    # corrections of a cell
    (PAIRED, Amended(2, "pair", 12), "There is no such player."),
    (PAIRED, Amended(-1, "pair", 12), "There is no such player."),
    (PAIRED, Amended(0, "tower", 12), "This sheet has no box tower."),
    (PAIRED, Amended(0, "pair", 13), "13 points cannot be in pair."),
    (PAIRED, Amended(0, "twos", 7), "7 points cannot be in twos."),
    (FORCED, Amended(0, "twos", 4), "This game is played in order: twos cannot be changed like that."),
    # players
    (FRESH, Joined("Anna"), "There is a player called Anna already."),
    (FRESH, Joined("  aNNa "), "There is a player called aNNa already."),
    (FRESH, Joined(""), "A player needs a name."),
    (FRESH, Joined(" \t "), "A player needs a name."),
    (FRESH, Joined("x" * 31), "A name has at most 30 letters."),
    (FRESH, Joined("Cil\u202ela"), "A name is written with letters."),
    (FRESH, Joined("Cil\x00la"), "A name is written with letters."),
    (FRESH, Joined("\ud800"), "A name is written with letters."),
    (TWELVE, Joined("Cilla"), "A game has 1 to 12 players."),
    (FRESH, Renamed(0, "bo"), "There is a player called bo already."),
    (FRESH, Renamed(0, ""), "A player needs a name."),
    (FRESH, Renamed(0, "x" * 31), "A name has at most 30 letters."),
    (FRESH, Renamed(0, "a\x07"), "A name is written with letters."),
    (FRESH, Renamed(2, "Cilla"), "There is no such player."),
    (FRESH, Renamed(-1, "Cilla"), "There is no such player."),
    (FRESH, Helped(2, "hint"), "There is no such player."),
    (FRESH, Helped(0, "some"), "There is no such help."),
]


@pytest.mark.parametrize(("state", "event", "sentence"), ILLEGAL, ids=[f"{row[1]} {row[2]}"[:90] for row in ILLEGAL])
def test_an_illegal_act_is_refused_with_its_sentence_and_changes_nothing(
    state: Game, event: Event, sentence: str
) -> None:
    before = copy.deepcopy(state)
    with pytest.raises(IllegalEvent) as refusal:
        apply(state, event)
    assert str(refusal.value) == sentence
    assert state == before


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        ((), "A game has 1 to 12 players."),
        (tuple("abcdefghijklm"), "A game has 1 to 12 players."),
        (("Anna", "anna"), "There is a player called anna already."),
        (("Anna", " "), "A player needs a name."),
        (("Anna", "x" * 31), "A name has at most 30 letters."),
    ],
)
def test_a_game_does_not_begin_with_impossible_players(players: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(IllegalEvent) as refusal:
        begin(Begun(games.find("yatzy"), players))
    assert str(refusal.value) == sentence


@st.composite
def nonsense(draw: st.DrawFn, state: Game) -> Event:
    """An event that the rules never allow in this state, or nearly always refuse."""
    number, word = st.integers(-3, 60), st.sampled_from(["tower", "pair", "twos", "", "yatzy", "\u0000"])
    faces = st.lists(st.integers(-1, 8), max_size=8).map(tuple)
    event: Event = draw(
        st.one_of(
            st.builds(Rolled, faces, number, faces),
            st.builds(Reread, faces, number),
            st.builds(Scored, word, number),
            st.builds(Amended, number, word, st.none() | number),
            st.builds(Renamed, number, st.text(max_size=40)),
            st.builds(Joined, st.text(max_size=40)),
            st.builds(Helped, number, word),
        )
    )
    return event


@settings(max_examples=50, deadline=None)
@given(histories(most=15), st.data())
def test_whatever_is_tried_is_allowed_or_refused_and_changes_nothing_of_the_state_before(
    history: History, data: st.DataObject
) -> None:
    state, before = history.game, copy.deepcopy(history.game)
    for _ in range(8):
        event = data.draw(nonsense(state))
        with suppress(IllegalEvent):
            apply(state, event)
        assert state == before


@settings(max_examples=60, deadline=None)
@given(histories())
def test_the_turn_is_with_somebody_who_has_one_until_the_game_is_over(history: History) -> None:
    for state in history.games:
        assert state.finished == all(state.sheets[player].finished for player in state.order)
        assert state.finished or not state.sheet.finished
        assert 0 <= state.throws <= state.sheet.allowance
        assert (state.roll is None) == (state.throws == 0)
        assert set(state.choices) == (set(state.sheet.legal) if state.roll else set())
        if state.finished:
            assert state.throws_left == 0
            assert not state.strikes


@settings(max_examples=60, deadline=None)
@given(histories())
def test_places_count_those_who_have_more_and_are_there_before_those_who_have_left(history: History) -> None:
    for state in history.games:
        totals = [sheet.total - 100_000 * (p not in state.order) for p, sheet in enumerate(state.sheets)]
        if not state.roll_offs:
            assert list(state.places) == dull_scorer.places(totals)


def used(history: History) -> list[tuple[int, int]]:
    """By player: turns taken and throws used in them, counted from the events alone."""
    turns, thrown, rules = [0] * 12, [0] * 12, history.game.rules
    now = 0
    for state, entry in zip(history.games, history.entries[1:], strict=False):
        if isinstance(entry, Rolled | Reread):
            now = entry.throw
        elif isinstance(entry, Scored):
            turns[state.turn] += 1
            thrown[state.turn] += now if now else 1
            assert now or rules.budget
            now = 0
    return list(zip(turns, thrown, strict=True))


@settings(max_examples=100, deadline=None)
@given(histories((*TURNS, *TURNS, reread, renamed), rewinds=False))
def test_throws_and_markers_are_neither_made_nor_lost(history: History) -> None:
    """Stratzy: left + used = budget. Saved rerolls: left = 2 for each turn − rerolls used."""
    for sheet, (turns, thrown) in zip(history.game.sheets, used(history), strict=False):
        if sheet.rules.budget:
            assert sheet.left + thrown == sheet.rules.budget.throws
        elif sheet.rules.saves_rerolls:
            assert sheet.left == 2 * turns - (thrown - turns)
        else:
            assert sheet.left == 0
        assert len(sheet.rules.boxes) - len(sheet.open) == turns


def test_a_turn_goes_from_throw_to_throw_to_a_box_to_the_next_player() -> None:
    assert FRESH.choices == {}
    assert FRESH.strikes == ()
    assert THROWN.choices["two-pairs"] == 18
    assert THROWN.throws_left == 2
    state = after(THROWN, Rolled((6, 6, 1, 6, 2), 2, kept=(6, 6)))
    assert state.choices["three-alike"] == 18
    state = after(state, Scored("three-alike", 18))
    assert (state.turn, state.roll, state.throws) == (1, None, 0)
    assert state.sheets[0].points("three-alike") == 18
    assert state.sheets[1].points("three-alike") is None


def test_a_box_that_fits_may_be_struck_all_the_same() -> None:
    assert after(THROWN, Scored("pair", 0)).sheets[0].points("pair") == 0


def test_a_throw_that_was_read_wrongly_is_corrected_without_spending_one() -> None:
    state = after(THROWN, Reread((3, 3, 5, 5, 6), 1))
    assert state.roll == Roll.of(3, 3, 5, 5, 6)
    assert state.throws_left == 2
    assert after(THIRD, Reread((6, 6, 1, 2, 3), 2)).throws_left == 1, "the throws were counted wrongly"


def test_a_strike_in_stratzy_costs_one_throw_and_needs_no_dice() -> None:
    state = after(STRATZY, Scored("yatzy", 0))
    assert state.sheets[0].left == 44
    assert after(STRATZY, Rolled((1, 2, 3, 4, 6), 2), Scored("yatzy", 0)).sheets[0].left == 43


def test_who_has_no_throw_left_is_passed_over_and_the_others_play_on() -> None:
    rules = replace(games.find("stratzy", value=10), budget=Budget(3, 10))
    state = begin(Begun(rules, ("Anna", "Bo")))
    state = after(state, Rolled((1, 1, 1, 2, 2), 3), Scored("ones", 3))
    assert state.sheets[0].crossed
    state = after(state, Scored("ones", 0))
    assert state.players[state.turn] == "Bo"
    state = after(state, Scored("twos", 0), Scored("threes", 0))
    assert state.finished
    assert [sheet.extra for sheet in state.sheets] == [-140, -120]


def test_a_player_who_joins_late_sits_last_and_plays_as_many_turns() -> None:
    state = after(PAIRED, Joined("  Cilla   Ek "))
    assert state.players == ("Anna", "Bo", "Cilla Ek")
    assert struck(state).finished
    late = after(OVER, Joined("Cilla"))
    assert not late.finished
    assert late.players[late.turn] == "Cilla"


def test_a_player_may_be_called_by_the_same_name_written_differently() -> None:
    assert after(FRESH, Renamed(0, "ANNA")).players == ("ANNA", "Bo")


def test_each_player_chooses_how_much_help_to_get_at_the_start_and_during_the_game() -> None:
    assert FRESH.help == ("boxes", "boxes")
    assert begin(Begun(games.find("yatzy"), ("Anna", "Bo"), ("hint", "none"))).help == ("hint", "none")
    assert after(THROWN, Helped(1, "everything"), Joined("Cilla")).help == ("boxes", "everything", "boxes")
    assert after(THROWN, Helped(0, "none")).roll == THROWN.roll
    for helps, sentence in ((("some", "hint"), "no such help"), (("hint",), "no such player")):
        with pytest.raises(IllegalEvent, match=sentence):
            begin(Begun(games.find("yatzy"), ("Anna", "Bo"), helps))


def test_a_cell_is_corrected_for_anybody_at_any_time_and_the_roll_stays_on_the_table() -> None:
    state = after(PAIRED, Rolled((6, 6, 1, 2, 3), 1), Amended(1, "pair", 4))
    assert state.sheets[1].points("pair") == 4
    assert state.roll == Roll.of(6, 6, 1, 2, 3)


def test_a_cell_opened_after_the_end_gives_its_player_a_turn() -> None:
    state = after(OVER, Amended(1, "chance", None))
    assert not state.finished
    assert state.players[state.turn] == "Bo"
    assert state.sheet.legal == ("chance",)


def test_the_turn_passes_on_when_the_last_open_box_of_the_player_is_filled_by_hand() -> None:
    rules: RuleSet = games.find("yatzy")
    last = replace(rules, boxes=rules.boxes[:1])
    state = after(begin(Begun(last, ("Anna", "Bo"))), Rolled((1, 1, 2, 3, 4), 1), Amended(0, "ones", 2))
    assert (state.players[state.turn], state.roll, state.throws) == ("Bo", None, 0)


def test_a_shared_place_leaves_the_next_one_out() -> None:
    state = after(
        game("yatzy", "Anna", "Bo", "Cilla", "Dora"),
        Amended(0, "pair", 10),
        Amended(1, "pair", 12),
        Amended(2, "pair", 10),
        Amended(3, "pair", 4),
    )
    assert state.places == (2, 1, 2, 4)
