"""Undo, redo and the fold over all entries."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import games
from scorekeeper.events import Amended, Begun, Joined, Rolled, Scored
from scorekeeper.history import Entry, History, Rewound, replay, start
from scorekeeper.refusal import IllegalEvent
from tests.strategies import histories

BEGUN = Begun(games.find("yatzy"), ("Anna", "Bo"))
ROLLED = Rolled((3, 3, 5, 6, 6), 1)


def story(*entries: Entry) -> History:
    return replay((BEGUN, *entries))


@settings(max_examples=60, deadline=None)
@given(histories())
def test_the_fold_of_all_entries_is_the_history(history: History) -> None:
    assert replay(history.entries) == history
    assert len(history.games) == len(history.entries)


@settings(max_examples=60, deadline=None)
@given(histories())
def test_undo_then_redo_changes_nothing(history: History) -> None:
    if history.undo:
        undone = history.add(history.undo)
        assert undone.redo
        again = undone.add(undone.redo)
        assert again.game == history.game
        assert (again.path, again.ahead) == (history.path, history.ahead)


@settings(max_examples=60, deadline=None)
@given(histories())
def test_all_can_be_undone_step_by_step_to_the_beginning_and_done_again(history: History) -> None:
    states = [history.game]
    back = history
    while back.undo:
        back = back.add(back.undo)
        states.append(back.game)
    assert back.game == back.games[0]
    assert len(states) == len(history.path)
    for state in reversed(states[:-1]):
        assert back.redo
        back = back.add(back.redo)
        assert back.game == state
    assert back.game == history.game


@settings(max_examples=60, deadline=None)
@given(histories(), st.integers(-3, 60))
def test_only_what_led_here_or_was_taken_back_can_be_gone_to(history: History, to: int) -> None:
    reachable = {*history.path, *history.ahead}
    if to in reachable:
        assert history.add(Rewound(to)).game == history.games[to]
    else:
        with pytest.raises(IllegalEvent, match=r"^That cannot be undone or done again\.$"):
            history.add(Rewound(to))


def test_undo_takes_back_a_box_then_the_throw_and_the_turn_is_with_the_same_player() -> None:
    history = story(ROLLED, Scored("pair", 12))
    assert history.game.turn == 1
    history = history.add(Rewound(1))
    assert (history.game.turn, history.game.throws) == (0, 1)
    assert history.game.sheets[0].points("pair") is None
    assert history.undo == Rewound(0)
    assert history.redo == Rewound(2)


def test_something_new_after_an_undo_leaves_nothing_to_redo_but_the_entries_stay() -> None:
    history = story(ROLLED, Scored("pair", 12), Rewound(1), Scored("two-pairs", 18))
    assert history.redo is None
    assert history.game.sheets[0].points("two-pairs") == 18
    assert history.game.sheets[0].points("pair") is None
    assert len(history.entries) == 5
    assert history.path == (0, 1, 4)
    with pytest.raises(IllegalEvent, match="cannot be undone"):
        history.add(Rewound(2))


def test_undo_works_after_the_last_box() -> None:
    rules = games.find("stratzy", value=10, throws=1)
    history = start(Begun(rules, ("Anna",))).add(Scored("ones", 0))
    assert history.game.finished
    assert history.undo
    assert not history.add(history.undo).game.finished


def test_an_amendment_and_a_new_player_are_undone_like_anything_else() -> None:
    history = story(ROLLED, Scored("pair", 12), Amended(0, "pair", 10), Joined("Cilla"))
    history = history.add(Rewound(3))
    assert history.game.players == ("Anna", "Bo")
    history = history.add(Rewound(2))
    assert history.game.sheets[0].points("pair") == 12


def test_there_is_nothing_to_undo_or_redo_at_the_beginning() -> None:
    assert story().undo is None
    assert story().redo is None
    assert story().game == story().games[0]


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ((), "A game starts with its beginning."),
        ((ROLLED,), "A game starts with its beginning."),
        ((Rewound(0), BEGUN), "A game starts with its beginning."),
        ((BEGUN, BEGUN), "The game has begun already."),
        ((BEGUN, Rewound(1)), "That cannot be undone or done again."),
        ((BEGUN, ROLLED, Scored("pair", 13)), "This roll gives 12 points in pair, not 13."),
    ],
)
def test_entries_that_make_no_game_are_refused_in_words(entries: tuple[Entry, ...], sentence: str) -> None:
    with pytest.raises(IllegalEvent) as refusal:
        replay(entries)
    assert str(refusal.value) == sentence


def test_a_refusal_leaves_the_history_as_it_was() -> None:
    history = story(ROLLED)
    copy = story(ROLLED)
    for entry in (BEGUN, ROLLED, Rewound(9), Scored("pair", 13), Joined("anna")):
        with pytest.raises(IllegalEvent):
            history.add(entry)
        assert history == copy
