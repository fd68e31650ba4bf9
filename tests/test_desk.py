"""The desk: what is confirmed is written, what is refused changes nothing, and a broken eye harms no game."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from recognizer.pictures import UnreadablePicture
from recognizer.reader import Die, Reading
from scorekeeper import games
from scorekeeper.events import Begun, Rolled, Scored
from scorekeeper.history import Rewound
from scorekeeper.log import SqliteLog
from scorekeeper.refusal import IllegalEvent, Refusal, StaleEntry, Unsaved
from web import desk as desks
from web.desk import Desk, UnknownGame
from web.pictures import MOST_WAITING, Pictures

YATZY = games.find("yatzy")
SEEN = Reading(
    (Die(3, (0.1, 0.2, 0.1, 0.15), 0.99, ((5, 0.01),)), Die(6, (0.5, 0.5, 0.1, 0.15), 0.6)), False, ("dark",)
)


class FixedReader:
    """Sees the same dice in every picture."""

    def __init__(self, reading: Reading = SEEN) -> None:
        self.reading = reading

    def read(self, image: NDArray[np.uint8]) -> Reading:
        return self.reading


class BrokenReader:
    """Fails on every picture."""

    def read(self, image: NDArray[np.uint8]) -> Reading:
        raise RuntimeError("the model is broken")


def picture(width: int = 80, height: int = 60) -> bytes:
    """A grey PNG."""
    _written, png = cv2.imencode(".png", np.full((height, width, 3), 120, np.uint8))
    return png.tobytes()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(SqliteLog(tmp_path / "kast.sqlite3"), Pictures(tmp_path / "pictures"), FixedReader)
    made.begin("g", "r0", Begun(YATZY, ("Anna", "Bo")))
    yield made
    made.close()


def test_what_was_done_is_in_the_log_and_in_the_history(desk: Desk, tmp_path: Path) -> None:
    desk.act("g", 1, "r1", Rolled((1, 1, 2, 3, 4), 1))
    desk.act("g", 2, "r2", Scored("ones", 2))
    assert desk.history("g").game.sheets[0].total == 2
    other = SqliteLog(tmp_path / "kast.sqlite3")
    assert other.read("g") == list(desk.history("g").entries)
    other.close()


def test_what_another_process_writes_is_seen(desk: Desk, tmp_path: Path) -> None:
    assert len(desk.history("g").entries) == 1
    other = SqliteLog(tmp_path / "kast.sqlite3")
    other.append("g", 1, "elsewhere", Rolled((1, 1, 2, 3, 4), 1))
    other.close()
    assert desk.history("g").game.throws == 1


def test_an_illegal_act_is_refused_and_nothing_is_written(desk: Desk) -> None:
    before = desk.history("g")
    with pytest.raises(IllegalEvent):
        desk.act("g", 1, "r1", Scored("ones", 2))
    assert desk.history("g") == before


def test_a_repeated_request_does_nothing_even_after_others(desk: Desk) -> None:
    desk.act("g", 1, "r1", Rolled((1, 1, 2, 3, 4), 1))
    desk.act("g", 2, "r2", Scored("ones", 2))
    before = desk.history("g")
    desk.act("g", 1, "r1", Rolled((1, 1, 2, 3, 4), 1))
    desk.act("g", 2, "r2", Scored("ones", 2))
    assert desk.history("g") == before


def test_a_screen_that_is_behind_is_told_so_and_writes_nothing(desk: Desk) -> None:
    desk.act("g", 1, "r1", Rolled((1, 1, 2, 3, 4), 1))
    before = desk.history("g")
    for seq in (1, 7):
        with pytest.raises(StaleEntry):
            desk.act("g", seq, f"late {seq}", Rolled((6, 6, 6, 6, 6), 2))
    assert desk.history("g") == before


def test_of_many_screens_that_write_at_once_one_wins(desk: Desk) -> None:
    outcomes: list[str] = []

    def tap(screen: int) -> None:
        try:
            desk.act("g", 1, f"screen {screen}", Rolled((1, 1, 2, 3, 4), 1))
            outcomes.append("written")
        except StaleEntry:
            outcomes.append("stale")

    screens = [threading.Thread(target=tap, args=(screen,)) for screen in range(8)]
    for screen in screens:
        screen.start()
    for screen in screens:
        screen.join()
    assert sorted(outcomes) == ["stale"] * 7 + ["written"]
    assert len(desk.history("g").entries) == 2


def test_undo_and_redo_are_acts_like_any_other(desk: Desk) -> None:
    desk.act("g", 1, "r1", Rolled((1, 1, 2, 3, 4), 1))
    desk.act("g", 2, "r2", Rewound(0))
    assert desk.history("g").game.roll is None
    desk.act("g", 3, "r3", Rewound(1))
    assert desk.history("g").game.throws == 1


def test_a_game_begins_once(desk: Desk) -> None:
    desk.begin("g", "r0", Begun(YATZY, ("Anna", "Bo")))
    assert len(desk.games()) == 1
    assert desk.history("g").game.players == ("Anna", "Bo")


def test_a_game_that_cannot_be_played_leaves_no_trace(desk: Desk) -> None:
    with pytest.raises(IllegalEvent):
        desk.begin("h", "r", Begun(YATZY, ()))
    assert [saved.game for saved in desk.games()] == ["g"]


def test_there_is_no_game_that_nobody_began(desk: Desk) -> None:
    for act in (lambda: desk.history("h"), lambda: desk.act("h", 0, "r", Rewound(0))):
        with pytest.raises(UnknownGame):
            act()


def test_more_games_than_are_held_in_memory_are_all_playable(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desks, "MOST_HELD", 2)
    for game in "abcde":
        desk.begin(game, "r0", Begun(YATZY, (game,)))
    for game in "abcde":
        desk.act(game, 1, "r1", Rolled((1, 1, 2, 3, 4), 1))
    assert [desk.history(game).game.players[0] for game in "abcde"] == list("abcde")


def test_a_picture_is_kept_with_what_was_read_in_it(desk: Desk) -> None:
    shot = desk.pictures.shot(desk.look(picture()))
    assert shot.reading == SEEN
    assert (shot.width, shot.height) == (80, 60)
    kept = cv2.imread(str(desk.pictures.path(shot.name)))
    assert kept is not None
    assert kept.shape == (60, 80, 3)


def test_a_large_picture_is_kept_smaller_in_the_same_shape(desk: Desk) -> None:
    shot = desk.pictures.shot(desk.look(picture(2400, 1200)))
    assert (shot.width, shot.height) == (1600, 800)


def test_what_is_no_picture_is_refused_in_words_and_nothing_is_kept(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(UnreadablePicture):
        desk.look(b"GIF89a, or so it says")
    assert not list((tmp_path / "pictures").rglob("*.*"))


def test_a_broken_eye_is_said_in_words_and_the_game_goes_on(tmp_path: Path) -> None:
    def no_model() -> desks.Reader:
        raise OSError("there is no model")

    for make_reader in (BrokenReader, no_model):
        desk = Desk(SqliteLog(tmp_path / "kast.sqlite3"), Pictures(tmp_path / "pictures"), make_reader)
        with pytest.raises(Refusal, match="by hand"):
            desk.look(picture())
        desk.begin("g", "r0", Begun(YATZY, ("Anna",)))
        assert desk.history("g").game.players == ("Anna",)
        desk.close()


def test_a_picture_that_cannot_be_kept_is_refused_in_words_and_the_next_one_is_read(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "pictures" / "waiting").rmdir()
    with pytest.raises(Unsaved, match=r"^The picture cannot be kept: No such file or directory\.$"):
        desk.look(picture())
    (tmp_path / "pictures" / "waiting").mkdir()
    assert _is_there(desk, desk.look(picture()))


def test_while_one_picture_is_read_another_waits_no_longer_than_its_patience(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desks, "PATIENCE", 0.01)
    inside, go_on = threading.Event(), threading.Event()

    class SlowReader:
        def read(self, image: NDArray[np.uint8]) -> Reading:
            inside.set()
            assert go_on.wait(30)
            return SEEN

    monkeypatch.setattr(desk, "_reader", SlowReader())
    first = threading.Thread(target=desk.look, args=(picture(),))
    first.start()
    assert inside.wait(30)
    with pytest.raises(Refusal, match="moment"):
        desk.look(picture())
    go_on.set()
    first.join()


def test_pictures_that_nobody_accepts_make_room_and_accepted_ones_stay(desk: Desk) -> None:
    accepted = desk.look(picture())
    desk.pictures.accept(accepted)
    names = [desk.look(picture()) for _ in range(MOST_WAITING + 3)]
    assert sum(_is_there(desk, name) for name in names) == MOST_WAITING
    assert _is_there(desk, names[-1])
    assert _is_there(desk, accepted)


def test_a_picture_that_somebody_else_takes_meanwhile_is_in_nobodys_way(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "pictures" / "waiting" / "taken.jpg").symlink_to("gone")
    assert _is_there(desk, desk.look(picture()))


def _is_there(desk: Desk, name: str) -> bool:
    try:
        return desk.pictures.path(name).exists() and desk.pictures.shot(name).name == name
    except LookupError:
        return False


def test_a_picture_is_found_by_its_own_name_only(desk: Desk) -> None:
    desk.look(picture())
    for name in ("", "x" * 20, "../kast.sqlite3", "waiting", "*" * 20):
        with pytest.raises(LookupError):
            desk.pictures.path(name)
