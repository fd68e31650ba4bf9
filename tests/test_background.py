"""Best play from a process of its own: exact through the page, and whatever becomes of it, an answer."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from scorekeeper.advice import Keep
from scorekeeper.dice import Roll
from scorekeeper.history import replay
from scorekeeper.log import SqliteLog
from scorekeeper.oracle import Oracle
from scorekeeper.patterns import Everything
from scorekeeper.position import Position
from scorekeeper.refusal import BadRules, Refusal
from scorekeeper.rules import Box
from scorekeeper.sheet import Sheet
from scorekeeper.simulate import Outcomes
from tests.conftest import FIVE
from tests.late import entries, keeping_sixes
from tests.test_desk import FixedReader
from tests.test_help import best, counsel, kept
from tests.visit import post, rows
from web import background as backgrounds
from web.adviser import Advice, Working
from web.app import create_app
from web.background import Background
from web.desk import Desk
from web.pictures import Pictures
from web.worker import Question

SHEET = replay(entries("everything")).game.sheet
THROWN = Position(SHEET, Roll.of(6, 6, 6, 2, 1), 2)
OTHER = Position(SHEET.amend("ones", 3), Roll.of(6, 6, 5, 5, 1), 1)


def is_exact(advice: Advice) -> bool:
    return advice.working is None


@pytest.fixture
def background(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Background]:
    monkeypatch.setattr(backgrounds, "PATIENCE", 100)  # so that the first answer is the last one
    made = Background(tmp_path / "tables")
    yield made
    made.close()


def test_advice_on_the_page_is_exact(tmp_path: Path, background: Background) -> None:
    log = SqliteLog(tmp_path / "kast.sqlite3")
    for seq, entry in enumerate(entries("everything")):
        log.append("late", seq, f"r{seq}", entry)
    desk = Desk(log, Pictures(tmp_path / "pictures"), lambda: FixedReader(FIVE), background)
    client = create_app(desk, b"a key for tests").test_client()
    post(client, "/g/late", "roll", dice="66621", throw="1")
    page = client.get("/g/late")
    expected = keeping_sixes(3, throws=2)
    assert best(page) == f"Keep 6 6 6 {expected:.1f} on average"
    assert kept(page) == ["6", "6", "6"]
    assert rows(page)["Sixes"] == [f"18 −{expected - 18:.1f}"]
    assert f"Keep 6 6 {keeping_sixes(2, throws=2):.1f}" in counsel(page)
    desk.close()


def test_what_is_kept_is_worth_what_the_closed_form_says(background: Background) -> None:
    advice = background.ask(THROWN)
    assert advice.working is None
    assert isinstance(advice.plays[0], Keep)
    assert advice.plays[0].dice == (6, 6, 6)
    assert advice.plays[0].value == pytest.approx(keeping_sixes(3, throws=2), abs=1e-4)
    assert background.prepare(SHEET) is None


def test_what_was_solved_is_there_after_a_restart(
    tmp_path: Path, background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Question] = []
    assert is_exact(background.ask(THROWN))
    background.close()
    again = Background(tmp_path / "tables")
    monkeypatch.setattr(again, "_tell", asked.append)
    assert is_exact(again.ask(THROWN))
    assert asked == [Question(SHEET, only_count=True)], "only games are counted"


def test_the_chances_of_the_open_boxes_come_with_the_advice(background: Background) -> None:
    advice = background.ask(Position(SHEET, Roll.of(1, 1, 2, 3, 4), 1))
    assert advice.chances == {"sixes": pytest.approx(1 - (5 / 6) ** 5)}
    assert advice.marker is None, "no throw stays"


def test_how_the_game_ends_is_exact_from_this_roll_on_and_simulated_games_show_how_often(
    background: Background,
) -> None:
    assert background.prepare(SHEET) is None
    with background._changed:
        assert background._changed.wait_for(lambda: background._counted.get(SHEET), 100)
    advice = background.ask(THROWN)
    share = 1 - (5 / 6) ** 2  # of each of the two other dice to show a six
    assert advice.spread == pytest.approx(6 * (2 * share * (1 - share)) ** 0.5, abs=1e-3)
    assert advice.bonus == 0, "63 is out of reach"
    assert advice.games is None, "these two are not counted"
    assert not advice.counting
    assert len(advice.ends) > 100
    assert set(advice.ends) <= {0, 6, 12, 18, 24, 30}


def test_in_the_last_rounds_the_best_chance_to_end_ahead_comes_with_the_advice(background: Background) -> None:
    # 18 points lie in sixes; the other one has 23: three sixes are not enough, and four are.
    assert background.prepare(SHEET, (SHEET.amend("chance", 23),)) is None
    finished = SHEET.amend("chance", 23).amend("sixes", 0)
    advice = background.ask(replace(THROWN, others=(finished,)))
    assert advice.lead
    assert not advice.weighing
    assert advice.lead.play == advice.plays[0]
    assert advice.lead.chance == pytest.approx(1 - (5 / 6) ** 4), "a six of two dice, thrown twice"
    sure = background.ask(replace(THROWN, others=(SHEET.amend("chance", 17).amend("sixes", 0), 12)))
    assert sure.lead
    assert sure.lead.chance == pytest.approx(1)


def test_before_the_last_rounds_and_alone_nothing_is_said_of_others(background: Background) -> None:
    assert background.ask(THROWN).lead is None
    many = Sheet.empty(SHEET.rules)
    advice = background.ask(replace(THROWN, others=(many,)))
    assert advice.lead is None
    assert not advice.weighing


def test_where_the_spread_is_costly_to_solve_it_is_counted_in_simulated_games(
    background: Background, tmp_path: Path
) -> None:
    Oracle(tmp_path / "tables").make(SHEET)
    played = tuple(6 * n for n in (1, 2, 2, 3)) * 50
    background._counted[SHEET] = Outcomes(played, 0)
    advice = background.ask(THROWN)
    assert (advice.games, advice.ends, advice.bonus) == (200, played, 0)
    assert advice.spread == pytest.approx(4.24, abs=0.02)


def test_a_process_that_ends_is_said_and_the_next_question_begins_another(
    background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_exact(background.ask(THROWN))
    assert background._process
    assert background._process.pid
    os.kill(background._process.pid, signal.SIGSTOP)
    monkeypatch.setattr(backgrounds, "PATIENCE", 0)
    assert background.ask(OTHER).working
    assert is_exact(background.ask(THROWN)), "what is solved needs no process"
    background._process.kill()
    monkeypatch.setattr(backgrounds, "PATIENCE", 100)
    with pytest.raises(Refusal, match="at the moment"):
        background.ask(OTHER)
    assert is_exact(background.ask(OTHER))


def test_what_is_foreseen_is_there_when_it_is_asked_for(background: Background, tmp_path: Path) -> None:
    background.foresee(SHEET)
    with background._changed:
        assert background._changed.wait_for(lambda: not background._waiting, 100)
    assert Oracle(tmp_path / "tables").known(SHEET)
    assert is_exact(background.ask(THROWN))


def test_nobody_waits_for_a_long_work(background: Background, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backgrounds, "PATIENCE", 0)
    for _ in range(3):
        assert background.ask(THROWN).working
    monkeypatch.setattr(backgrounds, "PATIENCE", 100)
    assert is_exact(background.ask(THROWN))


def test_a_game_that_cannot_be_solved_is_refused_and_the_next_one_is_answered(background: Background) -> None:
    boxes = tuple(Box(f"chance-{n}", Everything()) for n in range(32))
    huge = Sheet.empty(replace(SHEET.rules, boxes=boxes))
    with pytest.raises(BadRules, match="too many sheets"):
        background.ask(Position(huge, Roll.of(1, 2, 3, 4, 5), 1))
    assert is_exact(background.ask(THROWN))


def test_the_share_done_and_the_time_left_are_told(background: Background, monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([5.0, 10.0, 12.0, 13.0])
    monkeypatch.setattr("web.background.time.monotonic", lambda: next(now))
    background._waiting[SHEET] = None
    assert background._progress(SHEET) == Working(0.0)
    told = iter([0.0, 0.5, 0.75])

    class Pipe:
        def recv(self) -> float:
            try:
                return next(told)
            except StopIteration:
                raise EOFError from None

    monkeypatch.setattr(background, "_lost", lambda _process: None)
    background._listen(None, Pipe())  # type: ignore[arg-type]
    assert background._progress(SHEET) == Working(0.75, 3.0), "a quarter in three seconds by now, and as much left"
