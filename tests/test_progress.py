"""What is said about the time left."""

from __future__ import annotations

from functools import partial

import pytest

from datasets import progress
from datasets.progress import Step, left


def nothing() -> None:
    pass


STEPS = [Step("render", 1000.0, nothing), Step("train", 6000.0, nothing), Step("judge", 100.0, nothing)]


def test_at_first_the_estimates_count() -> None:
    assert left(STEPS, 0, 0.0, 0.0, 0.0) == 7100
    assert left(STEPS, 1, 1500.0, 0.0, 0.0) == 4600


def test_a_step_that_tells_how_far_it_is_goes_by_its_own_pace() -> None:
    assert left(STEPS, 0, 500.0, 0.0, 0.25) == 1500 + 6100
    assert left(STEPS, 0, 500.0, 0.5, 0.75) == 500 + 6100, "what an earlier run did took no time now"


def test_a_step_that_takes_longer_than_thought_never_has_less_than_nothing_left() -> None:
    assert left(STEPS, 2, 500.0, 0.0, 0.0) == 0


def test_steps_run_in_order_and_say_what_is_left() -> None:
    ran: list[str] = []
    said: list[str] = []
    progress.run([Step(name, 7200.0, partial(ran.append, name)) for name in ("one", "two")], said.append)
    assert ran == ["one", "two"]
    assert said == ["[1/2] one; about 4 h 00 min left in all", "[2/2] two; about 2 h 00 min left in all"]


def test_while_a_step_runs_it_is_said_again_and_a_failure_ends_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.001)
    said: list[str] = []

    def work() -> None:
        while len(said) < 3:
            pass
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError):
        progress.run([Step("one", 600.0, work)], said.append)
    assert set(said) == {"[1/1] one; about 10 min left in all"}


@pytest.mark.parametrize(
    ("seconds", "text"), [(20, "less than a minute"), (60, "1 min"), (3599, "1 h 00 min"), (27000, "7 h 30 min")]
)
def test_times_are_said_in_words(seconds: float, text: str) -> None:
    assert progress.words(seconds) == text
