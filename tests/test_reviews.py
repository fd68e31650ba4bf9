"""Games that are over are looked back on by the process beside the page; it is kept, and whatever fails is said."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorekeeper.events import Amended, Begun, Renamed, Rolled, Scored
from scorekeeper.history import History, replay
from scorekeeper.oracle import Oracle
from scorekeeper.patterns import Everything
from scorekeeper.rules import Bonus, Box, RuleSet
from tests.test_review import looked_back
from tests.test_solve import SMALL
from tests.test_worker import Script, run, unchanged
from web import background as backgrounds
from web import worker
from web.background import Background
from web.reviews import Reviews
from web.worker import Inquiry

__all__ = ["unchanged"]  # a fixture

GAME = replay(
    [
        Begun(SMALL, ("Anna", "Bo")),
        *(Rolled((1, 1), 1, source="camera"), Rolled((1, 6), 2, (1,), "camera"), Scored("ones", 1)),
        *(Rolled((5, 5), 1), Rolled((5, 6), 3), Scored("chance", 11)),
    ]
)
TOO_LARGE = RuleSet("large", "Large", 6, tuple(Box(f"b{n}", Everything()) for n in range(25)), Bonus(0, 0))


@pytest.fixture
def background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Background]:
    monkeypatch.setattr(backgrounds, "PATIENCE", 100)  # so that the first answer is the last one
    made = Background(tmp_path / "tables")
    yield made
    made.close()


def test_what_was_worked_out_is_kept_and_found_after_a_restart(
    tmp_path: Path, background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = background.review("abc", GAME)
    assert found == looked_back(GAME)
    background.close()
    again = Background(tmp_path / "tables")
    asked: list[Inquiry] = []
    monkeypatch.setattr(again, "_tell", asked.append)
    assert again.review("abc", GAME) == found
    assert again.review("abc", GAME) == found
    assert asked == []
    monkeypatch.setattr(backgrounds, "PATIENCE", 0)
    again.review("abc", GAME.add(Renamed(0, "Annika")))
    assert asked == [], "what changes no sheet changes nothing here"
    again.review("abc", GAME.add(Amended(0, "ones", 2)))
    assert [question.game for question in asked] == [("abc", 7)], "the sheet is another: it is looked at anew"


def test_a_game_that_is_too_large_is_refused_in_words_and_others_are_not(background: Background) -> None:
    with pytest.raises(Exception, match="too many sheets"):
        background.review("large", replay([Begun(TOO_LARGE, ("Anna",)), Rolled((1,) * 6, 1), Scored("b0", 6)]))
    assert background.review("small", GAME) == looked_back(GAME)


@pytest.mark.usefixtures("unchanged")
def test_the_worker_tells_how_far_it_is_and_then_all_of_it(tmp_path: Path) -> None:
    pipe = Script((0, Inquiry.about(("abc", 7), GAME)))
    assert run(pipe, tmp_path) == [(("abc", 7), 0.5), (("abc", 7), 1.0), (("abc", 7), looked_back(GAME))]


@pytest.mark.usefixtures("unchanged")
def test_what_fails_unforeseen_is_answered_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Oracle, "make", fail)
    pipe = Script((0, Inquiry.about(("abc", 7), GAME)))
    (answer,) = run(pipe, tmp_path)
    assert isinstance(answer, tuple)
    assert str(answer[1]) == str(worker.trouble())


def test_a_long_game_fits_the_pipe_that_nobody_may_be_reading() -> None:
    history: History = replay([Begun(SMALL, tuple(f"Player number {n}" for n in range(12)))])
    for box in SMALL.boxes:
        for _player in range(12):
            for throw in (1, 2, 3):
                history = history.add(
                    Rolled((throw, throw + 2), throw, (), "camera", f"a-picture-{len(history.games)}")
                )
            history = history.add(Scored(box.key, 0))
    assert len(Inquiry.about(("abc", 7), history).entries) < 30_000


@pytest.mark.parametrize("text", ["", "no json", "[]", '{"version": 1}', '{"version": 1, "last": 7, "accounts": [1]}'])
def test_a_file_that_cannot_be_read_is_as_none(tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture) -> None:
    reviews = Reviews(tmp_path)
    (tmp_path / "abc.json").write_text(text)
    with caplog.at_level(logging.WARNING):
        assert reviews.read("abc", 7) is None
    assert "made anew" in caplog.text
    reviews.keep("abc", 7, looked_back(GAME))
    assert reviews.read("abc", 7) == looked_back(GAME)
    assert reviews.read("abc", 8) is None


def test_where_nothing_can_be_kept_nothing_is(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    Reviews(tmp_path / "file").keep("abc", 7, looked_back(GAME))
    assert Reviews(tmp_path / "nothing").read("abc", 7) is None
