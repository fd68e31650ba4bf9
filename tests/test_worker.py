"""The process beside the page: games are counted to the end of the game, solving goes first, failures stop nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scorekeeper import contest, grid, openings
from scorekeeper import oracle as oracles
from scorekeeper.oracle import Oracle
from scorekeeper.reach import State
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.simulate import Outcomes
from scorekeeper.solve import SPREAD, VALUES, solve
from tests.test_solve import SMALL, SMALL_GAMES
from web import worker
from web.worker import NOTHING, Count, Inquiry, Question

EMPTY = Sheet.empty(SMALL)
LATER = EMPTY.write("ones", 2, 1)


OTHER = Sheet.empty(SMALL_GAMES["saved rerolls"])


class Script:
    """A pipe from which these questions come, each once there are so many answers, or once something is begun."""

    def __init__(self, *questions: tuple[int | str, Question | Inquiry]) -> None:
        self._questions = list(questions)
        self._begun = False
        self.answers: list[object] = []

    def poll(self) -> bool:
        after = self._questions[0][0] if self._questions else 99
        return self._begun if isinstance(after, str) else len(self.answers) >= after

    def recv(self) -> Question | Inquiry:
        if not self._questions:
            raise EOFError
        return self._questions.pop(0)[1]

    def send(self, answer: object) -> None:
        if isinstance(answer, float):
            self._begun = True
        else:
            self.answers.append(answer)


@pytest.fixture
def unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a process of its own does to itself is not done to this one."""
    monkeypatch.setattr("os.nice", lambda _more: None)
    monkeypatch.setattr("signal.signal", lambda *_args: None)
    monkeypatch.setattr(worker, "MOST_GAMES", 60)


def run(pipe: Script, folder: Path) -> list[object]:
    worker.work(pipe, folder)  # type: ignore[arg-type]
    return pipe.answers


@pytest.mark.usefixtures("unchanged")
def test_what_is_asked_is_solved_and_its_games_are_counted(tmp_path: Path) -> None:
    pipe = Script((0, Question(EMPTY, only_count=False)), (1, Question(EMPTY, only_count=True)))
    pipe._questions.append((2, Question(LATER, only_count=False)))
    solved, counted, again = run(pipe, tmp_path)
    assert (solved, again) == ((EMPTY, None), (LATER, None))
    assert isinstance(counted, tuple)
    sheet, outcomes = counted
    assert sheet == EMPTY
    assert len(outcomes.totals) == 60
    assert Oracle(tmp_path).known(LATER)


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("rules", SMALL_GAMES.values(), ids=SMALL_GAMES)
def test_it_goes_on_after_every_kind_of_game(tmp_path: Path, rules: RuleSet) -> None:
    sheet = Sheet.empty(rules)
    later = sheet.write(sheet.legal[0], 0, 1)
    pipe = Script((0, Question(sheet, only_count=False)), (1, Question(later, only_count=False)))
    assert run(pipe, tmp_path) == [(sheet, None), (later, None)]


@pytest.mark.usefixtures("unchanged")
def test_what_is_quick_to_solve_does_not_wait_for_what_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Oracle(tmp_path, shipped=tmp_path).make_table(SMALL)
    monkeypatch.setattr(oracles, "LIVE", 0.0)
    pipe = Script((0, Question(OTHER, only_count=False)), ("begun", Question(EMPTY, only_count=False)))
    assert run(pipe, tmp_path) == [(EMPTY, None), (OTHER, None)]


@pytest.mark.usefixtures("unchanged")
def test_solving_goes_before_counting_and_a_count_that_fails_stops_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_count: Count) -> bool:
        raise OSError("the disk is full")

    pipe = Script(
        (0, Question(EMPTY, only_count=True)),
        (0, Question(EMPTY, only_count=False)),
        (2, Question(LATER, only_count=False)),
    )
    monkeypatch.setattr(Count, "go_on", fail)
    assert run(pipe, tmp_path) == [(EMPTY, None), (EMPTY, NOTHING), (LATER, None)]


def test_a_game_whose_end_is_not_solved_yet_is_solved_to_its_end_first_where_that_is_quick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "FEWEST_GAMES", worker.AT_ONCE)
    count = Count(Oracle(tmp_path, shipped=tmp_path), EMPTY)
    assert count.go_on(), "now it is solved"
    assert count.go_on()
    assert Oracle(tmp_path).known(EMPTY, SPREAD), "with what tells its end exactly"
    assert len(count.outcomes.totals) == worker.AT_ONCE
    monkeypatch.setattr(worker, "AHEAD", 0.0)
    costly = Count(Oracle(tmp_path / "other", shipped=tmp_path), EMPTY)
    assert costly.go_on()
    assert not costly.go_on()
    assert costly.outcomes == NOTHING


def test_where_only_the_opening_is_solved_and_the_rest_is_costly_games_are_ended_as_its_spread_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "AHEAD", 0.0)
    monkeypatch.setattr(worker, "FEWEST_GAMES", worker.AT_ONCE)
    for planes, drawn in ((VALUES, 0), (SPREAD, worker.AT_ONCE)):
        opening = solve(SMALL, State.of(EMPTY), turns=1, planes=planes)
        openings.path(tmp_path, SMALL).write_bytes(openings.pack(opening)[0])
        count = Count(Oracle(tmp_path, shipped=tmp_path), EMPTY)
        assert count.go_on()
        assert count.go_on() is bool(drawn)
        assert count.outcomes.drawn == len(count.outcomes.totals) == drawn


@pytest.mark.usefixtures("unchanged")
def test_chances_to_end_ahead_come_at_once_and_where_they_cannot_nothing_stops(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = contest.chances(LATER, [contest.finals(LATER)])
    weighed, solved = run(Script((0, Question(LATER, others=(LATER,))), (1, Question(LATER))), tmp_path)
    assert isinstance(weighed, tuple)
    assert weighed[0] == (LATER, (LATER,))
    assert np.array_equal(weighed[1], expected)
    assert solved == (LATER, None)
    monkeypatch.setattr(grid, "MOST_NUMBERS", 0)
    weighed, solved = run(Script((0, Question(EMPTY, others=(20,))), (1, Question(LATER))), tmp_path)
    assert isinstance(weighed, tuple)
    assert weighed[0] == (EMPTY, (20,))
    assert weighed[1].size == 0, "it is too large"
    assert solved == (LATER, None)


def test_too_few_games_tell_nothing(tmp_path: Path) -> None:
    oracle = Oracle(tmp_path, shipped=tmp_path)
    oracle.make_cone(EMPTY)
    count = Count(oracle, EMPTY)
    assert count.go_on()
    assert count.go_on(), "some are played"
    assert count.outcomes == Outcomes((), 0)
