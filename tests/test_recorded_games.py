"""Whole games, recorded in text files, are replayed: turn by turn, and to the sums under the sheet."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from scorekeeper import games
from scorekeeper.dice import Roll
from scorekeeper.events import Amended, Begun, Joined, Renamed, Reread, Rolled, Scored
from scorekeeper.history import History, replay, start
from tests import recorded
from tests.dull_book import Book
from tests.recorded import Happening, Turn

FILES = recorded.games()
every_game = pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])


def begin(record: recorded.Recorded) -> History:
    printed = games.printed(record.game)
    options = {option.key: option for option in printed.options}
    chosen = {key: options[key].parse(text) for key, text in record.options.items()}
    return start(Begun(printed.with_options(chosen), record.players))


def take_turn(history: History, turn: Turn) -> History:
    """What the line says happens, and agrees with what the game offers."""
    assert history.game.players[history.game.turn] == turn.player
    for number, throw in enumerate(turn.throws or (), start=1):
        if throw is not None:
            history = history.add(Rolled(throw.dice, number, throw.kept))
            assert history.game.throws == number
            assert history.game.roll == Roll.of(*throw.dice)
    seat, choices = history.game.turn, history.game.choices
    assert turn.box in history.game.strikes
    assert turn.points in (choices.get(turn.box, 0), 0)
    history = history.add(Scored(turn.box, turn.points))
    sheet = history.game.sheets[seat]
    assert sheet.points(turn.box) == turn.points
    if sheet.rules.carries:
        assert sheet.beside[sheet.rules.index(turn.box)] == sheet.left == turn.beside
    return history


def happen(history: History, line: Happening) -> History:
    players = history.game.players
    match line.what, line.words:
        case "undo", ():
            assert history.undo
            return history.add(history.undo)
        case "redo", ():
            assert history.redo
            return history.add(history.redo)
        case "reread", dice:
            return history.add(Reread(tuple(map(int, dice)), history.game.throws))
        case "join", (name,):
            return history.add(Joined(name))
        case "rename", (name, "to", other):
            return history.add(Renamed(players.index(name), other))
        case "amend", (name, box, points):
            return history.add(Amended(players.index(name), box, None if points == "open" else int(points)))
    raise AssertionError(line)


def play(record: recorded.Recorded) -> History:
    history = begin(record)
    for line in record.lines:
        history = take_turn(history, line) if isinstance(line, Turn) else happen(history, line)
    return history


@every_game
def test_a_recorded_game_ends_with_the_sums_places_and_crosses_that_are_written_under_it(path: Path) -> None:
    record = recorded.load(path)
    game = play(record).game
    assert game.finished
    assert game.throws_left == 0
    assert game.players == tuple(end.player for end in record.ends)
    for sheet, place, end in zip(game.sheets, game.places, record.ends, strict=True):
        sums = {"upper": sheet.upper, "bonus": sheet.bonus, "extra": sheet.extra, "total": sheet.total}
        assert sums == end.sums
        assert sheet.crossed == end.crossed
        assert place == end.place


@every_game
def test_the_second_scorer_keeps_the_same_book_of_a_recorded_game(path: Path) -> None:
    record = recorded.load(path)
    book = Book(record)
    for line in record.lines:
        book.read(line)
    assert book.ends() == record.ends


@every_game
def test_a_recorded_game_is_the_same_when_it_is_folded_again_from_its_entries(path: Path) -> None:
    history = play(recorded.load(path))
    assert replay(history.entries) == history


def test_every_rule_set_has_a_recorded_game_and_everything_that_can_happen_happens_in_one() -> None:
    records = [recorded.load(path) for path in FILES]
    lines = list(chain.from_iterable(record.lines for record in records))
    turns = [line for line in lines if isinstance(line, Turn)]
    ends = list(chain.from_iterable(record.ends for record in records))
    assert {record.game for record in records} == set(games.GAMES)
    words = {"undo", "redo", "reread", "join", "rename", "amend"}
    assert {line.what for line in lines if isinstance(line, Happening)} == words
    assert any(len(turn.throws or ()) >= 5 for turn in turns), "markers are spent"
    assert any(turn.throws == () and turn.points == 0 for turn in turns), "a box is struck without dice"
    assert any(turn.throws is not None and None in turn.throws for turn in turns), "a throw nobody saw"
    assert any(end.crossed and end.sums["extra"] < 0 for end in ends), "boxes marked X cost points"
    assert any(end.sums["extra"] > 0 for end in ends), "throws left pay"
    assert any(sorted(end.place for end in record.ends) == [1, 1, 3] for record in records), "a shared place"
