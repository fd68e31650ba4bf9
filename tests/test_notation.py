"""Entries go to text and come back; what is no entry is refused."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import games
from scorekeeper.events import Begun, Joined, Rolled, Scored
from scorekeeper.history import History
from scorekeeper.notation import KINDS, read, write
from scorekeeper.rules import RuleSet
from tests.strategies import EVERY_CHOICE, histories

BEGUN = json.loads(write(Begun(games.find("yatzy"), ("Anna",))))


@settings(max_examples=60, deadline=None)
@given(histories())
def test_every_entry_comes_back_as_it_was_written(history: History) -> None:
    for entry in history.entries:
        line = write(entry)
        assert read(line) == entry
        assert "\n" not in line


@given(st.text(), st.lists(st.integers(1, 6), max_size=8).map(tuple))
def test_names_and_pictures_of_any_letters_come_back(text: str, dice: tuple[int, ...]) -> None:
    for entry in (Joined(text), Rolled(dice, 1, dice, "photo", text)):
        assert read(write(entry)) == entry


@pytest.mark.parametrize("rules", EVERY_CHOICE, ids=lambda rules: f"{rules.key}-{rules.fingerprint[:6]}")
def test_a_beginning_carries_its_rules_whole(rules: RuleSet) -> None:
    again = read(write(Begun(rules, ("Anna", "Bo"))))
    assert isinstance(again, Begun)
    assert again.rules == rules
    assert again.rules.fingerprint == rules.fingerprint


def test_an_older_line_without_the_newer_fields_is_read() -> None:
    """What is written stays readable: a field that is new has a default."""
    assert read('{"event": "Rolled", "dice": [1, 2, 3, 4, 5], "throw": 2}') == Rolled((1, 2, 3, 4, 5), 2)


def test_a_line_is_readable_by_people() -> None:
    assert write(Scored("two-pairs", 18)) == '{"event": "Scored", "box": "two-pairs", "points": 18}'
    assert "Åsa" in write(Joined("Åsa"))


@pytest.mark.parametrize(
    "text",
    [
        *("", "x", "5", "null", "[]", '"Scored"', "{}", "[" * 100_000, "\x00", '{"event": "Scored"'),
        '{"event": "Exploded"}',
        '{"event": []}',
        '{"event": null}',
        '{"event": "Scored", "box": "pair"}',
        '{"event": "Scored", "box": "pair", "points": "12"}',
        '{"event": "Scored", "box": "pair", "points": true}',
        '{"event": "Scored", "box": "pair", "points": 12.0}',
        '{"event": "Scored", "box": "pair", "points": null}',
        '{"event": "Scored", "box": 3, "points": 12}',
        '{"event": "Scored", "box": "pair", "points": 12, "colour": "red"}',
        '{"event": "Rolled", "dice": 5, "throw": 1}',
        '{"event": "Rolled", "dice": [1, 2, 3, 4, "5"], "throw": 1}',
        '{"event": "Rolled", "dice": [[1], 2, 3, 4, 5], "throw": 1}',
        '{"event": "Joined", "name": ["Anna"]}',
        '{"event": "Rewound", "to": -1.5}',
        json.dumps(BEGUN | {"rules": {}}),
        json.dumps(BEGUN | {"rules": None}),
        json.dumps(BEGUN | {"players": "Anna"}),
        json.dumps(BEGUN | {"rules": BEGUN["rules"] | {"dice": True}}),
        json.dumps(BEGUN | {"rules": BEGUN["rules"] | {"boxes": []}}),
        '{"event": "Scored", "box": "pair", "points": ' + "9" * 5000 + "}",
    ],
    ids=lambda text: text[:60] or "nothing",
)
def test_what_is_no_entry_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read(text)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists), st.sampled_from(sorted(KINDS)))
def test_a_field_of_any_other_type_is_refused_or_read_as_what_it_is(value: object, kind: str) -> None:
    for field in ("to", "name", "dice", "points", "players"):
        text = json.dumps({"event": kind, "box": "pair", field: value})
        try:
            entry = read(text)
        except ValueError:
            continue
        assert json.loads(write(entry))[field] == value
