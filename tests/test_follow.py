"""How turns are judged: followed, asked about, or silently wrong."""

from __future__ import annotations

from typing import Any

import pytest

from datasets.follow import Verdict, judge, table


def throw(at: float, values: str, kept: str = "", **more: Any) -> dict[str, Any]:
    dice = [{"value": int(value), "box": [0, 0, 1, 1]} for value in values]
    return {"at": at, "t": at, "event": "settled", "dice": dice, "kept": [values.index(k) for k in kept]} | more


def turn(*throws: dict[str, Any]) -> dict[str, Any]:
    return {"rules": "yatzy", "throws": list(throws), "other": [{"kind": "lamp", "from": 3, "to": 4}]}


def told(at: float, values: str, kept: str = "", *, sure: bool = True) -> dict[str, Any]:
    return throw(at, values, kept, sure=sure)


TRUE = turn(throw(2.0, "12345"), throw(8.0, "12666", "12"))
RIGHT = [told(2.3, "54321"), told(8.2, "12666", "12")]


def verdict(*events: dict[str, Any]) -> Verdict:
    return judge("000001", TRUE, events)


def test_a_turn_is_followed_when_every_throw_was_told_as_it_was() -> None:
    said = verdict(*RIGHT, {"t": 4.0, "event": "moved", "dice": [], "kept": [], "sure": True})
    assert said.followed
    assert said.delays == pytest.approx([0.3, 0.2])


@pytest.mark.parametrize(
    ("events", "wrong"),
    [
        ([RIGHT[0]], "8.0 s: missed"),
        ([*RIGHT, told(12.5, "12666", "12")], "12.5 s: made up"),
        ([told(2.3, "12344"), RIGHT[1]], "2.0 s: read [1, 2, 3, 4, 4] of [1, 2, 3, 4, 5]"),
        ([RIGHT[0], told(8.2, "12666", "6")], "8.0 s: kept [6] of [1, 2]"),
        ([RIGHT[0], told(11.5, "12666", "12")], "8.0 s: missed"),
    ],
)
def test_what_is_wrong_and_was_sure_is_silently_wrong(events: list[dict[str, Any]], wrong: str) -> None:
    said = verdict(*events)
    assert wrong in said.wrong
    assert said.silent
    assert not said.followed


def test_a_turn_that_asked_for_a_look_is_not_followed_and_not_silent() -> None:
    for values, right in (("54321", True), ("12344", False)):
        said = verdict(told(2.3, values, sure=False), RIGHT[1])
        assert said.right == right
        assert not said.followed
        assert not said.silent


def test_the_figures_are_given_for_all_turns_and_by_game_and_kind() -> None:
    lines = table([verdict(*RIGHT), verdict(RIGHT[0])])
    assert [line.split()[0] for line in lines[1:]] == ["all", "yatzy", "lamp"]
    assert lines[1].split() == ["all", "2", "4", *("50.0", "%") * 3, "0.30", "0.30", "0.30"]
