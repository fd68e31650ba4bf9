"""Games in every state, written into a data folder as the log keeps them, so that a test need not play them first."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from scorekeeper.events import Begun, Rolled, Scored
from scorekeeper.games import GAMES, find
from scorekeeper.history import Entry, History, start
from scorekeeper.log import SqliteLog
from scorekeeper.rules import RuleSet

TWELVE = ("Anna", "Bo", "Cecilia", "David", "Eva", "Fredrik", "Greta", "Hugo", "Ida", "Johan", "Karin", "Ludvig")


def played(rules: RuleSet, players: tuple[str, ...], turns: int, *, rolled: bool = True) -> Iterator[Entry]:
    """A game after so many turns of everybody, each with one throw of fair dice, written where it pays most; and
    whether the next throw lies on the table."""
    begun, chance = Begun(rules, players, ("boxes",) * len(players)), random.Random(5)
    yield begun
    history: History = start(begun)
    for _turn in range(turns * len(players)):
        throw = Rolled(tuple(chance.randint(1, 6) for _die in range(rules.dice)), 1)
        history = history.add(throw)
        box, points = max(history.game.choices.items(), key=lambda choice: choice[1])
        yield throw
        written = Scored(box, points)
        history = history.add(written)
        yield written
    if rolled and not history.game.finished:
        yield Rolled(tuple(chance.randint(1, 6) for _die in range(rules.dice)), 1)


def fill(data: Path) -> None:
    """Write the games into this data folder: “rolled”, “fresh”, “alone”, “twelve”, “budget”, “last” and “finished”."""
    data.mkdir(parents=True)
    log = SqliteLog(data / "kast.sqlite3")
    budget = GAMES["stratzy"].with_options({"value": 5})
    for game, entries in (
        ("rolled", played(find("yatzy"), ("Anna", "Bo"), 4)),
        ("fresh", played(find("yatzy"), ("Anna", "Bo"), 2, rolled=False)),
        ("alone", played(find("superyatzy"), ("Maximiliane",), 2, rolled=False)),
        ("twelve", played(find("maxi-yatzy"), TWELVE, 3)),
        ("budget", played(budget, ("Anna", "Bo"), 2)),
        ("last", played(find("yatzy"), ("Anna", "Bo"), 14, rolled=False)),
        ("finished", played(find("yatzy"), ("Anna", "Bo"), 15)),
    ):
        for seq, entry in enumerate(entries):
            log.append(game, seq, f"{game} {seq}", entry)
    log.close()
