"""People come and go, change places, and throw for a shared win."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scorekeeper import games, notation
from scorekeeper.events import (
    Amended,
    Begun,
    Concealed,
    Event,
    Helped,
    Joined,
    Renamed,
    Rolled,
    RolledOff,
    Scored,
    Seated,
    Turned,
)
from scorekeeper.game import Game, apply, begin
from scorekeeper.history import History, Rewound, replay
from scorekeeper.refusal import IllegalEvent
from scorekeeper.sheet import Sheet
from tests.strategies import histories


def after(state: Game, *events: Event) -> Game:
    for event in events:
        state = apply(state, event)
    return state


def begun(*players: str, key: str = "yatzy") -> Game:
    return begin(Begun(games.find(key), players or ("Anna", "Bo", "Cilla")))


def round_(state: Game, box: str, turns: int = 1) -> Game:
    """The game after so many turns in which each strikes this box."""
    dice = (1, 1, 1, 1, 2, 2)[: state.rules.dice]
    for _turn in range(turns):
        state = after(state, Rolled(dice, state.throws + 1), Scored(box, 0))
    return state


def played_out(state: Game) -> Game:
    """The game after everybody has written what the same dice give."""
    while not state.finished:
        state = after(state, Rolled((6, 6, 6, 6, 6), 1))
        state = after(state, Scored(state.sheet.legal[0], state.choices[state.sheet.legal[0]]))
    return state


FRESH = begun()
SECOND = round_(FRESH, "yatzy", 1)
THROWN = after(SECOND, Rolled((3, 3, 5, 6, 6), 2))
TIED = played_out(FRESH)
ALONE = played_out(begun("Anna"))

ILLEGAL: list[tuple[Game, Event, str]] = [
    (FRESH, Seated(()), "Somebody has to play."),
    (FRESH, Seated((0, 1, 3)), "There is no such player."),
    (FRESH, Seated((0, -1)), "There is no such player."),
    (FRESH, Seated((0, 1, 1)), "Bo has one seat only."),
    (FRESH, Turned(3), "There is no such player."),
    (FRESH, Turned(-1), "There is no such player."),
    (after(FRESH, Seated((0, 1))), Turned(2), "Cilla does not play now."),
    (TIED, Turned(1), "Bo has no turn left."),
    (TIED, Seated((0, 1)), "The game is over."),
    (TIED, Seated((2, 1, 0)), "The game is over."),
    (FRESH, RolledOff((1, 2, 3)), "A roll-off comes after the game."),
    (ALONE, RolledOff((1,)), "Nobody shares the first place."),
    (TIED, RolledOff((1, 2)), "3 throw one die each."),
    (TIED, RolledOff((1, 2, 7)), "A die shows 1 to 6."),
    (TIED, RolledOff((0, 2, 3)), "A die shows 1 to 6."),
    (after(TIED, RolledOff((1, 2, 3))), RolledOff((1,)), "Nobody shares the first place."),
    (after(TIED, RolledOff((1, 3, 3))), RolledOff((1, 2, 3)), "2 throw one die each."),
]


@pytest.mark.parametrize(("state", "event", "sentence"), ILLEGAL, ids=[f"{row[1]} {row[2]}"[:80] for row in ILLEGAL])
def test_what_cannot_be_is_refused_with_its_sentence_and_changes_nothing(
    state: Game, event: Event, sentence: str
) -> None:
    before = copy.deepcopy(state)
    with pytest.raises(IllegalEvent) as refusal:
        apply(state, event)
    assert str(refusal.value) == sentence
    assert state == before


def test_a_turn_cannot_be_given_to_somebody_who_has_not_so_many_throws() -> None:
    saved = round_(begun("Anna", "Bo", key="maxi-yatzy"), "chance")
    spent = after(saved, Rolled((1, 2, 3, 4, 5, 6), 3), Scored("ones", 1), Rolled((1, 2, 3, 4, 5, 6), 5))
    with pytest.raises(IllegalEvent, match=r"^Bo has 3 throws in this turn, not 5\.$"):
        apply(spent, Turned(1))
    assert after(saved, Turned(0), Turned(1)) == saved


# The order of the turns.


@settings(max_examples=80, deadline=None)
@given(histories(), st.randoms())
def test_another_order_keeps_every_sheet_and_name_and_all_that_was_written(history: History, chance: object) -> None:
    state = history.game
    assume(not state.finished)
    order = list(state.order)
    chance.shuffle(order)  # type: ignore[attr-defined]
    seated = apply(state, Seated(tuple(order)))
    assert (seated.sheets, seated.players, seated.help) == (state.sheets, state.players, state.help)
    assert (seated.turn, seated.roll, seated.throws) == (state.turn, state.roll, state.throws)
    assert seated.places == state.places


@settings(max_examples=80, deadline=None)
@given(histories())
def test_whose_turn_it_is_plays_on_and_has_a_turn_left_unless_the_game_is_over(history: History) -> None:
    for state in history.games:
        assert state.turn in state.order
        assert len(set(state.order)) == len(state.order) >= 1
        assert state.finished or not state.sheet.finished


@settings(max_examples=80, deadline=None)
@given(histories(rewinds=False))
def test_whatever_people_do_no_sheet_changes_by_it(history: History) -> None:
    beside = Renamed | Helped | Seated | Turned | Concealed | RolledOff
    for entry, before, now in zip(history.entries[1:], history.games, history.games[1:], strict=False):
        if isinstance(entry, beside):
            assert now.sheets == before.sheets
        elif isinstance(entry, Joined):
            assert now.sheets == (*before.sheets, Sheet.empty(before.rules))


def test_turns_go_round_in_the_new_order() -> None:
    state = after(FRESH, Seated((2, 0, 1)))
    assert state.turn == 0, "whose turn it was has it still"
    turns = []
    for _turn in range(4):
        turns.append(state.turn)
        state = round_(state, state.sheet.legal[0])
    assert turns == [0, 1, 2, 0]


def test_who_leaves_keeps_the_sheet_and_the_others_play_on() -> None:
    state = after(THROWN, Seated((0, 2)))
    assert state.turn == 2
    assert (state.roll, state.throws) == (None, 0), "the dice of one who left are nobody's"
    assert round_(state, "chance").turn == 0
    assert state.sheets == THROWN.sheets
    assert played_out(state).finished


def test_who_leaves_comes_after_all_others_in_the_end() -> None:
    state = played_out(after(FRESH, Amended(1, "yatzy", 50), Seated((0, 2)), Amended(0, "yatzy", 0)))
    assert state.places == (2, 3, 1)


def test_when_all_who_had_a_turn_left_are_gone_the_game_is_over() -> None:
    almost = begun("Anna", "Bo")
    for box in almost.rules.boxes:
        almost = apply(almost, Amended(0, box.key, 0))
    assert almost.turn == 1
    assert after(almost, Seated((0,))).finished
    assert not after(almost, Seated((0,)), Seated((0, 1))).finished


# Whose turn it is, and who is behind.


def test_the_turn_can_be_given_to_somebody_else_with_the_dice_on_the_table() -> None:
    state = after(THROWN, Turned(0))
    assert (state.turn, state.roll, state.throws) == (0, THROWN.roll, 2)
    assert after(state, Scored("pair", 12)).sheets[0].points("pair") == 12


def test_nobody_is_behind_while_turns_are_taken_in_order_whoever_began() -> None:
    state = after(FRESH, Turned(1))
    for _turn in range(3 * len(FRESH.rules.boxes)):
        assert state.behind == {}
        state = round_(state, state.sheet.legal[0])


def test_who_was_left_out_is_behind_until_the_row_is_filled() -> None:
    skipped = after(round_(FRESH, "yatzy", 2), Turned(0))
    assert skipped.behind == {2: 1}
    assert after(skipped, Turned(2)).behind == {}, "it is being put right"
    twice = round_(skipped, "chance", 2)
    assert after(twice, Turned(0)).behind == {2: 2}
    assert after(skipped, Amended(2, "ones", 3)).behind == {}


def test_a_cell_that_was_opened_again_puts_its_player_behind() -> None:
    state = after(round_(FRESH, "yatzy", 3), Amended(1, "yatzy", None))
    assert state.behind == {1: 1}
    assert round_(after(state, Turned(1)), "yatzy").behind == {}


def test_who_joins_late_or_comes_back_is_not_called_behind_but_plays_every_box() -> None:
    state = round_(FRESH, "yatzy", 3)
    joined = after(state, Joined("Dora"))
    assert joined.behind == {}
    away = after(joined, Seated((0, 1, 3)))
    for _round in range(2):
        away = round_(away, away.sheet.legal[0], 3)
    back = after(away, Seated((0, 1, 2, 3)))
    assert back.behind == {}
    end = played_out(back)
    assert all(not sheet.open for sheet in end.sheets)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 4), st.lists(st.integers(0, 3), max_size=30))
def test_no_game_ends_before_everybody_who_plays_has_filled_every_box(count: int, turns: list[int]) -> None:
    state = begun(*"abcd"[:count])
    for player in turns:
        if not state.finished and player < count and not state.sheets[player].finished:
            state = apply(state, Turned(player))
        state = round_(state, state.sheet.legal[0]) if not state.finished else state
    assert all(not sheet.open for sheet in played_out(state).sheets)


# A roll-off.


def test_the_highest_die_wins_the_shared_place_and_the_others_share_the_next() -> None:
    assert TIED.places == (1, 1, 1)
    decided = after(TIED, RolledOff((2, 6, 4)))
    assert decided.first == (1,)
    assert decided.places == (2, 1, 2)


def test_those_who_threw_as_high_throw_again_and_only_they() -> None:
    again = after(TIED, RolledOff((5, 1, 5)))
    assert (again.first, again.places) == ((0, 2), (1, 3, 1))
    assert after(again, RolledOff((3, 3)), RolledOff((1, 2))).places == (2, 2, 1)


def test_a_roll_off_changes_no_total_and_can_be_taken_back() -> None:
    history = replay([Begun(games.find("yatzy"), ("Anna", "Bo"))])
    while not history.game.finished:
        history = history.add(Rolled((6, 6, 6, 6, 6), 1))
        box = history.game.sheet.legal[0]
        history = history.add(Scored(box, history.game.choices[box]))
    decided = history.add(RolledOff((1, 2)))
    assert decided.game.sheets == history.game.sheets
    assert decided.undo
    assert decided.add(decided.undo).game == history.game


@pytest.mark.parametrize("event", [Amended(0, "chance", 5), Joined("Dora")], ids=str)
def test_a_roll_off_does_not_outlast_the_sheets_and_people_that_it_was_about(event: Event) -> None:
    assert after(TIED, RolledOff((1, 2, 3)), event).roll_offs == ()


def test_a_name_or_another_level_of_help_leaves_a_roll_off_alone() -> None:
    decided = after(TIED, RolledOff((1, 2, 3)))
    assert after(decided, Renamed(0, "Ann"), Helped(1, "none"), Concealed(True)).first == (2,)


# What was written by an older Kast.


def test_a_game_from_before_there_were_orders_and_roll_offs_is_read_and_goes_on() -> None:
    rules = games.find("yatzy").as_dict()
    lines = [
        json.dumps({"event": "Begun", "rules": rules, "players": ["Anna", "Bo"], "help": []}),
        '{"event": "Rolled", "dice": [3, 3, 5, 6, 6], "throw": 1, "kept": [], "source": "hand", "picture": ""}',
        '{"event": "Scored", "box": "pair", "points": 12}',
        '{"event": "Joined", "name": "Cilla"}',
        '{"event": "Rewound", "to": 2}',
    ]
    history = replay(map(notation.read, lines))
    assert history.game.order == (0, 1)
    assert history.game.turn == 1
    assert not history.game.concealed
    assert history.add(Seated((1, 0))).add(Rewound(2)).game == history.game
