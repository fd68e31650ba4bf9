"""`kast bench solve` and `kast bench advise`: how long best play takes, on this machine."""

from __future__ import annotations

import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scorekeeper import games, outlook
from scorekeeper.advice import Play, Write, plays
from scorekeeper.dice import Roll
from scorekeeper.oracle import Oracle
from scorekeeper.reach import State
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.solve import solve, warm
from web import memory

SOLVED = ("yatzy", "superyatzy", "stratzy:value=10", "maxi-yatzy:saved_rerolls=false", "maxi-yatzy")
ADVISED = ("yatzy", "superyatzy", "stratzy:value=10", "maxi-yatzy")


def chosen(text: str) -> RuleSet:
    """The rule set that `maxi-yatzy:bonus=tactic,order=forced` names; BadRules where there is none."""
    key, _colon, options = text.partition(":")
    pairs = (option.partition("=") for option in options.split(",") if option)
    return games.find(key, **{name: value for name, _equals, value in pairs})


def bench_solve(named: Sequence[str], as_json: bool) -> int:
    """Solve games from nothing, the compiled code warm: seconds by the clock and of all cores, memory, the result."""
    warm(games.find("yatzy"))
    for name in named or SOLVED:
        rules = chosen(name)
        began, work = time.perf_counter(), time.process_time()
        value = solve(rules, State.of(Sheet.empty(rules)), turns=1).value
        found: dict[str, object] = {
            "rules": name,
            "seconds": round(time.perf_counter() - began, 2),
            "cpu_seconds": round(time.process_time() - work, 2),
            "peak_mb": round(memory.peak() / 1e6),
            "expected": round(value, 6),
        }
        print(json.dumps(found) if as_json else _solved(found), flush=True)
    return 0


def _solved(found: dict[str, object]) -> str:
    line = "{rules:32} {seconds:>8} s {cpu_seconds:>8} CPU s {peak_mb:>6} MB   {expected} points"
    return line.format(**found)


@dataclass
class Times:
    """Seconds of requests: those that found what they needed, and those for which something was solved."""

    found: list[float] = field(default_factory=list)
    solved: list[float] = field(default_factory=list)


def bench_advise(named: Sequence[str], rounds: int, as_json: bool, seed: int = 1) -> int:
    """Play whole games as advised, with nothing but what came with Kast, and time every request for advice.

    What must be solved is solved with one thread fewer than there are cores, as it is beside the page.
    """
    os.environ.setdefault("NUMBA_NUM_THREADS", str(max(1, (os.cpu_count() or 1) - 1)))
    warm(games.find("yatzy"))
    for name in named or ADVISED:
        rules, times, dice = chosen(name), Times(), random.Random(seed)  # noqa: S311, dice of a game
        with tempfile.TemporaryDirectory() as folder:
            for _ in range(rounds):
                _play(rules, Oracle(Path(folder)), dice, times)
        found: dict[str, object] = {"rules": name, "requests": len(times.found), **_in_ms("", times.found)}
        found |= {"solved": len(times.solved), **_in_ms("solved_", times.solved)}
        print(json.dumps(found) if as_json else _advised(found), flush=True)
    return 0


def _in_ms(prefix: str, seconds: list[float]) -> dict[str, float | None]:
    if not seconds:
        return {f"{prefix}median_ms": None, f"{prefix}p95_ms": None}
    last = sorted(seconds)[int(0.95 * len(seconds))]
    return {f"{prefix}median_ms": round(1e3 * statistics.median(seconds), 2), f"{prefix}p95_ms": round(1e3 * last, 2)}


def _advised(found: dict[str, object]) -> str:
    text = "{rules:24} {requests:5} requests: median {median_ms} ms, 95 % within {p95_ms} ms".format(**found)
    if found["solved"]:
        text += "; {solved} that had to be solved: median {solved_median_ms} ms".format(**found)
    return text


def _play(rules: RuleSet, oracle: Oracle, dice: random.Random, times: Times) -> None:
    """One game as advised."""
    sheet = Sheet.empty(rules)
    while not sheet.finished:
        lying: tuple[int, ...] = ()
        for left in range(sheet.allowance - 1, -1, -1):
            roll = Roll.of(*lying, *(dice.randint(1, 6) for _ in range(rules.dice - len(lying))))
            play = _ask(sheet, roll, left, oracle, times)
            if isinstance(play, Write):
                sheet = sheet.write(play.box, play.points, sheet.allowance - left)
                break
            lying = play.dice


def _ask(sheet: Sheet, roll: Roll, left: int, oracle: Oracle, times: Times) -> Play:
    known, began = oracle.known(sheet) is not None, time.perf_counter()
    after = oracle.after(sheet)
    best = plays(sheet, roll, left, after)[0]
    outlook.chances(sheet, roll, left)
    outlook.marker(sheet, roll, left, after, best.value)
    (times.found if known else times.solved).append(time.perf_counter() - began)
    return best
