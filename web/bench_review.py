"""`kast bench review`: how long it takes to look back on a game, on this machine."""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from pathlib import Path

from scorekeeper import games
from scorekeeper.advice import After
from scorekeeper.events import Begun, Rolled, Scored
from scorekeeper.game import Game
from scorekeeper.history import History, start
from scorekeeper.oracle import Oracle
from scorekeeper.review import review
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.solve import warm
from web.bench_exact import ADVISED, chosen

PLAYERS = ("Anna", "Bo", "Cecilia", "David")


def run(args: argparse.Namespace) -> int:
    """Look back on a game of four, with nothing but what came with Kast, and once more, the compiled code warm."""
    warm(games.find("yatzy"))
    for name in args.rules or ADVISED:
        history = played(chosen(name))
        with tempfile.TemporaryDirectory() as folder:
            oracle = Oracle(Path(folder))
            first, again = _timed(history, oracle), _timed(history, oracle)
        found = {"rules": name, "entries": len(history.entries)}
        found |= {"seconds": round(first[0], 2), "cpu_seconds": round(first[1], 2), "again_s": round(again[0], 3)}
        line = "{rules:32} {seconds:>8} s {cpu_seconds:>8} CPU s, again in {again_s} s   ({entries} entries)"
        print(json.dumps(found) if args.json else line.format(**found), flush=True)
    return 0


def played(rules: RuleSet, seed: int = 1) -> History:
    """A game by people who keep what they have most of, and write where it pays most."""
    history, dice = start(Begun(rules, PLAYERS)), random.Random(seed)  # noqa: S311, dice of a game
    while not history.game.finished:
        kept = _most(history.game)
        if history.game.throws_left and len(kept) < rules.dice and history.game.throws < rules.throws:
            thrown = tuple(dice.randint(1, 6) for _ in range(rules.dice - len(kept)))
            history = history.add(Rolled(kept + thrown, history.game.throws + 1, kept, "camera"))
        else:
            choices = history.game.choices or dict.fromkeys(history.game.strikes, 0)
            box = max(choices, key=lambda key: choices[key])
            history = history.add(Scored(box, choices[box]))
    return history


def _most(game: Game) -> tuple[int, ...]:
    dice = game.roll.dice if game.roll else ()
    face = max(dice, key=dice.count, default=0)
    return tuple(die for die in dice if die == face)


def _timed(history: History, oracle: Oracle) -> tuple[float, float]:
    """Seconds by the clock, and of all cores."""

    def find(sheet: Sheet) -> After:
        oracle.make(sheet)
        return oracle.after(sheet)

    began, work = time.perf_counter(), time.process_time()
    for _share in review(history, find):
        pass
    return time.perf_counter() - began, time.process_time() - work
