"""Games go from one log to another with nothing lost, once, and whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper import archive, games
from scorekeeper.archive import Damaged, bring, pack, unpack
from scorekeeper.events import Begun, Rolled, Scored
from scorekeeper.history import Entry, Rewound, replay
from scorekeeper.log import SqliteLog, Written
from scorekeeper.refusal import Unsaved
from tests.strategies import histories

BEGUN = Begun(games.find("yatzy"), ("Anna", "Bo"))
ENTRIES: list[Entry] = [BEGUN, Rolled((3, 3, 5, 6, 6), 1), Scored("pair", 12), Rewound(1), Scored("two-pairs", 18)]
ID, OTHER = "a-game-of-anna", "another-game-of-bo"
AT = datetime(2026, 11, 30, 18, 30, 5, 123456, UTC)


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    with closing(SqliteLog(tmp_path / "here.sqlite")) as log:
        yield log


@pytest.fixture
def other(tmp_path: Path) -> Iterator[SqliteLog]:
    with closing(SqliteLog(tmp_path / "there.sqlite")) as log:
        yield log


def write(log: SqliteLog, game: str, entries: list[Entry] = ENTRIES, first: int = 0, by: str = "r") -> None:
    for seq, entry in enumerate(entries[first:], first):
        assert log.append(game, seq, f"{by}{seq}", entry)


def text_of(log: SqliteLog, *ids: str) -> str:
    return pack({game: log.dump(game) for game in ids})


def everything(log: SqliteLog) -> dict[str, list[Written]]:
    return {saved.game: log.dump(saved.game) for saved in log.games()}


def test_what_is_taken_along_arrives_with_nothing_lost(log: SqliteLog, other: SqliteLog) -> None:
    write(log, ID)
    write(log, OTHER, ENTRIES[:3])
    brought = bring(other, text_of(log, ID, OTHER))
    assert (brought.came, brought.known) == ((ID, OTHER), ())
    assert everything(other) == everything(log)
    assert other.read(ID) == ENTRIES
    assert [saved.game for saved in other.games()] == [saved.game for saved in log.games()], "in the same order"


@settings(deadline=None, max_examples=50)
@given(history=histories())
def test_every_game_goes_round(history: Any) -> None:
    entries = [Written(AT, f"r{n}", entry) for n, entry in enumerate(history.entries)]
    found = unpack(pack({ID: entries}))
    assert found == {ID: entries}
    assert replay(written.entry for written in found[ID]) == history


def test_what_is_brought_twice_comes_once(log: SqliteLog, other: SqliteLog) -> None:
    write(log, ID)
    text = text_of(log, ID)
    bring(other, text)
    before = everything(other)
    assert bring(other, text).known == (ID,)
    assert bring(log, text).known == (ID,), "where it comes from it is as well"
    assert everything(other) == before


def test_a_game_goes_on_where_it_was_and_an_older_copy_changes_nothing(log: SqliteLog, other: SqliteLog) -> None:
    write(log, ID, ENTRIES[:3])
    early = text_of(log, ID)
    bring(other, early)
    write(other, ID, ENTRIES, first=3)
    assert bring(log, text_of(other, ID)).came == (ID,)
    assert log.dump(ID) == other.dump(ID)
    assert bring(log, early).known == (ID,)
    assert log.read(ID) == ENTRIES


def test_a_game_that_went_on_otherwise_becomes_another_one(log: SqliteLog, other: SqliteLog) -> None:
    write(log, ID, ENTRIES[:3])
    bring(other, text_of(log, ID))
    write(log, ID, ENTRIES, first=3)
    write(other, ID, [*ENTRIES[:3], Rolled((1, 1, 1, 1, 1), 1)], first=3, by="elsewhere")
    text = text_of(other, ID)
    (came,) = bring(log, text).came
    assert came != ID
    assert log.dump(came) == other.dump(ID)
    assert log.read(ID) == ENTRIES
    assert bring(log, text).known == (came,)


@given(data=st.data())
def test_a_text_that_was_cut_off_or_altered_anywhere_is_refused(data: st.DataObject) -> None:
    text = pack({ID: [Written(AT, f"r{n}", entry) for n, entry in enumerate(ENTRIES)]})
    at = data.draw(st.integers(0, len(text) - 3))
    with pytest.raises(Damaged):
        unpack(text[:at])
    sign = data.draw(st.sampled_from('0123456789abz,:"{}[]'))
    altered = text[:at] + sign + text[at + 1 :]
    if altered != text:
        with pytest.raises(Damaged):
            unpack(altered)


def sealed(games_: list[dict[str, Any]], **other: Any) -> str:
    """A text whose checksum is right, whatever is in it."""
    head = {"format": archive.FORMAT, "version": archive.VERSION, "sha256": archive._seal(games_), "games": games_}
    return json.dumps(head | other)


def plain(game: str = ID, entries: list[Entry] = ENTRIES) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(pack({game: [Written(AT, f"r{n}", e) for n, e in enumerate(entries)]}))["games"][
        0
    ]
    return found


def changed(seq: int, /, **fields: object) -> dict[str, Any]:
    game = plain()
    game["entries"][seq] |= fields
    return game


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no games of Kast's"),
        ("[1, 2]", "no games of Kast's"),
        ("[" * 100_000, "no games of Kast's"),
        ('{"format": "something else"}', "no games of Kast's"),
        (sealed([plain()], version=2), "another version"),
        (sealed([plain()], sha256="0"), "damaged, or it was altered"),
        (sealed([plain(), plain()]), "no games of Kast's"),
        (sealed([plain(game="../../etc/passwd")]), "no games of Kast's"),
        (sealed([plain(game="short")]), "no games of Kast's"),
        (sealed([plain(entries=[])]), "A game starts with its beginning"),
        (sealed([plain(entries=ENTRIES[1:])]), "A game starts with its beginning"),
        (sealed([changed(2, points=13)]), "gives 12 points in pair, not 13"),
        (sealed([changed(1, at="yesterday")]), "no games of Kast's"),
        (sealed([changed(1, at="2026-11-30T18:00:00")]), "no games of Kast's"),
        (sealed([changed(1, at="0001-01-01T00:00:00+14:00")]), "no games of Kast's"),
        (sealed([changed(1, request="r0")]), "no games of Kast's"),
        (sealed([changed(1, request="x" * 65)]), "no games of Kast's"),
        (sealed([changed(1, event="Exploded")]), "no games of Kast's"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence_and_nothing_of_it_is_written(
    log: SqliteLog, text: str, words: str
) -> None:
    write(log, OTHER)
    before = everything(log)
    with pytest.raises(Damaged, match=words):
        bring(log, text)
    assert everything(log) == before


def test_of_several_games_all_are_written_or_none(
    log: SqliteLog, other: SqliteLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(log, ID)
    write(log, OTHER)
    text = text_of(log, ID, OTHER)
    with other._db:
        other._db.execute(
            "CREATE TRIGGER full BEFORE INSERT ON entries WHEN NEW.seq = 4 AND NEW.game LIKE 'another%' "
            "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        )
    with pytest.raises(Unsaved, match="the disk is full"):
        bring(other, text)
    assert other.games() == []
    other._db.execute("DROP TRIGGER full")
    assert bring(other, text).came == (ID, OTHER)
