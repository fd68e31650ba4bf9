"""What was thrown in a game, turn by turn, by its events alone."""

from __future__ import annotations

import pytest

from scorekeeper import throws
from scorekeeper.events import Amended, Begun, Renamed, Reread, Rolled, Scored
from scorekeeper.games import GAMES
from scorekeeper.history import Entry, History, Rewound, replay

YATZY, STRATZY = GAMES["yatzy"].rules, GAMES["stratzy"].rules


def played(*entries: Entry, rules: object = YATZY, players: tuple[str, ...] = ("Anna", "Bo")) -> History:
    return replay([Begun(rules, players), *entries])  # type: ignore[arg-type]


def told(history: History) -> list[tuple[int, int, str, int | None, list[int]]]:
    """Player, turn, box, points and the numbers of the throws of every turn."""
    return [
        (turn.player, turn.round, turn.box, turn.points, [throw.number for throw in turn.throws])
        for turn in throws.turns(history)
    ]


FIRST = Rolled((1, 1, 2, 3, 4), 1, source="photo", picture="first")
SECOND = Rolled((1, 1, 1, 3, 4), 2, source="camera", picture="second")


def test_every_turn_has_its_throws_and_what_came_of_them() -> None:
    history = played(FIRST, SECOND, Scored("ones", 3), Rolled((6, 6, 6, 5, 5), 3), Scored("yatzy", 0), FIRST)
    assert told(history) == [(0, 1, "ones", 3, [1, 2]), (1, 1, "yatzy", 0, [3]), (0, 2, "", None, [1])]
    first, second = throws.turns(history)[0].throws
    assert (first.seq, first.picture, first.dice, first.most) == (1, "first", (1, 1, 2, 3, 4), 3)
    assert (second.seq, second.picture) == (2, "second")


def test_before_the_first_throw_there_is_nothing() -> None:
    assert throws.turns(played(Renamed(0, "Ada"))) == []


def test_a_roll_that_was_corrected_is_what_it_counts_as() -> None:
    (turn,) = throws.turns(played(FIRST, Reread((1, 1, 2, 3, 6), 2)))
    (throw,) = turn.throws
    assert (throw.seq, throw.dice, throw.number, throw.picture) == (1, (1, 1, 2, 3, 6), 2, "first")


def test_what_was_taken_back_is_no_turn_but_is_found_by_its_number() -> None:
    history = played(FIRST, Scored("ones", 2), Rewound(0), SECOND)
    assert told(history) == [(0, 1, "", None, [2])]
    turn, throw = throws.find(history, 1)
    assert (turn.undone, turn.player, turn.box, throw.picture) == (True, 0, "", "first")
    turn, throw = throws.find(history, 4)
    assert (turn.undone, throw.picture) == (False, "second")
    assert throws.pictures(history) == {"first": 1, "second": 4}
    assert told(played(FIRST, Scored("ones", 2), Rewound(0), Rewound(2))) == [(0, 1, "ones", 2, [1])], "done again"


@pytest.mark.parametrize("seq", [0, 2, 3, 99])
def test_what_is_no_throw_is_not_found(seq: int) -> None:
    with pytest.raises(LookupError):
        throws.find(played(FIRST, Scored("ones", 2)), seq)


def test_where_a_box_was_struck_without_a_throw_the_turn_has_none() -> None:
    rules = GAMES["stratzy"].with_options({"value": 5})
    assert told(played(Scored("ones", 0), rules=rules)) == [(0, 1, "ones", 0, [])]


def test_a_turn_that_a_correction_has_ended_comes_to_nothing() -> None:
    filled = [Amended(0, box.key, 0) for box in YATZY.boxes[1:]]
    history = played(*filled, FIRST, Amended(0, "ones", 2))
    assert told(history) == [(0, 15, "", None, [1])]
    assert history.game.turn == 1
