"""`kast bench solve` and `kast bench advise`: how long best play takes, on this machine."""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from scorekeeper import games, outlook
from scorekeeper.advice import Play, Write, plays
from scorekeeper.dice import Roll
from scorekeeper.estimate import Estimate
from scorekeeper.oracle import Oracle
from scorekeeper.reach import State
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.solve import SPREAD, VALUES, solve, warm
from web import memory
from web.exact import Progress

SOLVED = ("yatzy", "superyatzy", "stratzy:value=10", "maxi-yatzy:saved_rerolls=false", "maxi-yatzy")
ADVISED = ("yatzy", "superyatzy", "stratzy:value=10", "maxi-yatzy:saved_rerolls=false", "maxi-yatzy")


def run(args: argparse.Namespace) -> int:
    """Measure what the arguments name."""
    if args.what == "solve":
        return bench_solve(args.rules, args.json, args.spread)
    return bench_advise(args.rules, args.rounds, args.json)


def split(text: str) -> tuple[str, dict[str, str]]:
    """The key and the options in `maxi-yatzy:bonus=tactic,order=forced`."""
    key, _colon, options = text.partition(":")
    pairs = (option.partition("=") for option in options.split(",") if option)
    return key, {name: value for name, _equals, value in pairs}


def chosen(text: str) -> RuleSet:
    """The rule set that `maxi-yatzy:bonus=tactic,order=forced` names; BadRules where there is none."""
    key, options = split(text)
    return games.find(key, **options)


def bench_solve(named: Sequence[str], as_json: bool, spread: bool = False) -> int:
    """Solve games from nothing, the compiled code warm: seconds by the clock and of all cores, memory, the result.

    spread: also work out the standard deviation of the final total, and the chance of the bonus.
    """
    planes = SPREAD if spread else VALUES
    warm(games.find("yatzy"), planes)
    for name in named or SOLVED:
        rules = chosen(name)
        began, work = time.perf_counter(), time.process_time()
        cone = solve(rules, State.of(Sheet.empty(rules)), turns=1, planes=planes)
        found: dict[str, object] = {
            "rules": name,
            "seconds": round(time.perf_counter() - began, 2),
            "cpu_seconds": round(time.process_time() - work, 2),
            "peak_mb": round(memory.peak() / 1e6),
            "expected": round(cone.value, 6),
        }
        if spread:
            end = cone.prospect
            found |= {"standard_deviation": round(end.spread, 4), "bonus_chance": round(end.bonus, 6)}
        print(json.dumps(found) if as_json else _solved(found), flush=True)
    return 0


def _solved(found: dict[str, object]) -> str:
    line = "{rules:32} {seconds:>8} s {cpu_seconds:>8} CPU s {peak_mb:>6} MB   {expected} points"
    more = " ± {standard_deviation:.2f}, bonus {bonus_chance:.2%}" if "bonus_chance" in found else ""
    return (line + more).format(**found)


@dataclass
class Times:
    """Seconds: of requests that found what they needed, and until it was there for those for which it was solved.

    costs: what the play is worse, in points, that an estimate would have called best.
    """

    found: list[float] = field(default_factory=list)
    solved: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)


def bench_advise(named: Sequence[str], rounds: int, as_json: bool, seed: int = 1) -> int:
    """Play whole games as advised, with nothing but what came with Kast, and time every request for advice.

    What is solved is kept in a folder, as it is beside the page.
    """
    warm(games.find("yatzy"))
    for name in named or ADVISED:
        rules, times, dice = chosen(name), Times(), random.Random(seed)  # noqa: S311, dice of a game
        with tempfile.TemporaryDirectory() as folder:
            oracle, began = Oracle(Path(folder), Progress(name)), time.perf_counter()
            oracle.make(Sheet.empty(rules))
            first = time.perf_counter() - began
            for _ in range(rounds):
                _play(rules, oracle, dice, times)
        below = sum(cost < 1 for cost in times.costs) / len(times.costs)
        found: dict[str, object] = {"rules": name, "first_s": round(first, 4), "solved": len(times.solved)}
        found |= _spread("solved", "s", times.solved) | {"requests": len(times.found)}
        found |= _spread("found", "ms", [1e3 * seconds for seconds in times.found])
        found |= {"estimate_below_1": round(below, 3), "estimate_cost": round(statistics.mean(times.costs), 2)}
        print(json.dumps(found) if as_json else _advised(found), flush=True)
    return 0


def _spread(prefix: str, unit: str, times: list[float]) -> dict[str, object]:
    """Median and 95th percentile; None where there was nothing."""
    last = sorted(times)[int(0.95 * len(times)) :][:1]
    median = round(statistics.median(times), 4) if times else None
    return {f"{prefix}_median_{unit}": median, f"{prefix}_p95_{unit}": round(last[0], 4) if last else None}


def _advised(found: dict[str, object]) -> str:
    text = (
        "{rules}: ready after {first_s:.3g} s; {requests} requests, median {found_median_ms:.3g} ms, "
        "95 % within {found_p95_ms:.3g} ms"
    )
    if found["solved"]:
        text += "; {solved} times solved on, median {solved_median_s:.3g} s, 95 % within {solved_p95_s:.3g} s"
    text += "; an estimate costs less than a point in {estimate_below_1:.0%}, {estimate_cost} points on average"
    return text.format(**found)


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
    began = time.perf_counter()
    if not oracle.known(sheet):
        oracle.make(sheet)
        times.solved.append(time.perf_counter() - began)
        began = time.perf_counter()
    after = oracle.known(sheet)
    assert after
    best, *others = plays(sheet, roll, left, after)
    outlook.chances(sheet, roll, left)
    outlook.marker(sheet, roll, left, after, best.value)
    times.found.append(time.perf_counter() - began)
    seems_best = plays(sheet, roll, left, Estimate.after(sheet))[0]
    times.costs.append(best.value - next(play.value for play in (best, *others) if is_same(play, seems_best)))
    return best


def is_same(one: Play, other: Play) -> bool:
    """Whether two plays do the same, whatever they are said to be worth."""
    return replace(one, value=0.0) == replace(other, value=0.0)
