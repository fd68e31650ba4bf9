"""Games as one text, to be taken from one log to another with nothing lost. May know: the log, entries, the history.

The text is JSON: what it is, its version, the games with every entry, when it was written and by which request, and a
checksum. It is taken whole or not at all: every game in it is played through before anything is written.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorekeeper import notation
from scorekeeper.events import Begun
from scorekeeper.history import replay
from scorekeeper.log import Log, Written, moment
from scorekeeper.refusal import Refusal, _

FORMAT, VERSION = "Kast games", 1
ID = re.compile(r"[A-Za-z0-9_-]{12,64}")
REQUEST = 64  # letters at most
MOST_ENTRIES = 20_000  # of a game

Games = Mapping[str, Sequence[Written]]


class Damaged(Refusal):
    """The text holds no games, or not all of them as they were; nothing was taken from it."""


@dataclass(frozen=True)
class Brought:
    """Ids of games as they are called in this log: those that came, or went on; and those that were there already."""

    came: tuple[str, ...]
    known: tuple[str, ...]


def pack(games: Games) -> str:
    """The text of these games."""
    plain = [{"id": game, "entries": [_plain(written) for written in entries]} for game, entries in games.items()]
    sealed = {"format": FORMAT, "version": VERSION, "sha256": _seal(plain), "games": plain}
    return json.dumps(sealed, ensure_ascii=False) + "\n"


def unpack(text: str) -> dict[str, list[Written]]:
    """The games of a text; Damaged where it is not whole, unaltered, and of games that can be."""
    try:
        plain = json.loads(text)
        if plain["format"] != FORMAT:
            raise Damaged(_("This file holds no games of Kast's, or it is damaged."))
        if plain["version"] != VERSION:
            raise Damaged(_("This file was written by another version of Kast ({version})."), version=plain["version"])
        if plain["sha256"] != _seal(plain["games"]):
            raise Damaged(_("This file is damaged, or it was altered. Nothing was taken from it."))
        games = dict(map(_game, plain["games"]))
        if len(games) < len(plain["games"]):
            raise ValueError("a game is there twice")
        return games
    except Damaged:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
        if isinstance(error, Refusal):
            reason = str(error).rstrip(".")
            raise Damaged(_("A game in this file cannot be: {reason}."), reason=reason) from error
        raise Damaged(_("This file holds no games of Kast's, or it is damaged.")) from error


def bring(log: Log, text: str, seat: Callable[[str], str] = str) -> Brought:
    """Write the games of a text into the log, all or none; what is there already is not written twice.

    A game that has gone on in the text goes on in the log. One that went on otherwise in each becomes another game.
    `seat` says at which table a game is played from now on that was played at this one.
    Damaged; UnusableLog, Unsaved.
    """
    add, came, known = dict[str, tuple[int, list[Written]]](), list[str](), list[str]()
    for wanted, written in unpack(text).items():
        entries = _seated(written, seat)
        game, have = wanted, log.dump(wanted)
        if not _begins_like(have, entries):
            game = hashlib.sha256(pack({"": entries}).encode()).hexdigest()[:30]
            have = log.dump(game)
        if len(have) < len(entries):
            add[game] = len(have), entries[len(have) :]
            came.append(game)
        else:
            known.append(game)
    log.restore(add)
    return Brought(tuple(came), tuple(known))


def _seated(entries: list[Written], seat: Callable[[str], str]) -> list[Written]:
    first = entries[0]
    assert isinstance(first.entry, Begun)
    return [first._replace(entry=replace(first.entry, table=seat(first.entry.table))), *entries[1:]]


def _begins_like(one: Iterable[Written], other: Iterable[Written]) -> bool:
    """Whether they are the same as far as both go."""
    return all(a.entry == b.entry and a.request == b.request for a, b in zip(one, other, strict=False))


def _plain(written: Written) -> dict[str, Any]:
    event: dict[str, Any] = json.loads(notation.write(written.entry))
    return {"at": written.at.isoformat(), "request": written.request} | event


def _game(plain: dict[str, Any]) -> tuple[str, list[Written]]:
    entries = [_written(entry) for entry in plain["entries"]]
    requests = {written.request for written in entries}
    if not ID.fullmatch(plain["id"]) or len(entries) > MOST_ENTRIES or len(requests) < len(entries):
        raise ValueError(plain["id"])
    table = replay(written.entry for written in entries).table
    if table and not ID.fullmatch(table):
        raise ValueError(table)
    return plain["id"], entries


def _written(plain: dict[str, Any]) -> Written:
    at, request = moment(plain.pop("at")), plain.pop("request")
    if not (isinstance(request, str) and 0 < len(request) <= REQUEST):
        raise ValueError(request)
    return Written(at, request, notation.read(json.dumps(plain)))


def _seal(games: object) -> str:
    return hashlib.sha256(json.dumps(games, sort_keys=True).encode()).hexdigest()
