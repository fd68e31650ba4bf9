"""`kast advise` and `kast solve`: best play on the command line."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import platformdirs

from scorekeeper import advice, contest, position, tables
from scorekeeper.advice import Keep, Play
from scorekeeper.oracle import Oracle, disk_needed
from scorekeeper.refusal import Refusal, _
from scorekeeper.rules import RuleSet
from scorekeeper.solve import SPREAD, VALUES


def tables_in(data: Path | None) -> Path:
    """The folder of the tables in a data folder, by default where the system keeps such data."""
    return (data or platformdirs.user_data_path("kast", appauthor=False)) / "tables"


def advise(args: argparse.Namespace, source: TextIO) -> int:
    """Answer every position of `source`, a JSON object a line, in order; 1 where some could not be."""
    asked = [line for line in source if line.strip()]
    answers: dict[int, dict[str, Any]] = {}
    positions = {}
    for number, line in enumerate(asked):
        answers[number] = {}
        try:
            plain = json.loads(line)
            answers[number] = {"id": plain.get("id")} if isinstance(plain, dict) else {}
            positions[number] = position.read(plain)
        except Refusal as refusal:
            answers[number]["error"] = str(refusal)
        except (ValueError, RecursionError) as error:
            answers[number]["error"] = _("This is not JSON: {reason}").format(reason=error)
    oracle = Oracle(tables_in(args.data), Progress("Solving"))
    # Positions of one game together, the emptiest sheet first: what is solved for it answers many of the others.
    for number in sorted(positions, key=lambda n: _costliest_first(positions[n])):
        asked_for = positions[number]
        try:
            plays = advice.plays(asked_for.sheet, asked_for.roll, asked_for.left, oracle.after(asked_for.sheet))
            ahead = contest.plays(asked_for) if asked_for.others else []
            answers[number] |= {"exact": True, "plays": [_plain(play) for play in plays]}
            answers[number] |= {"ahead": [_plain(play, "chance") for play in ahead]} if ahead else {}
        except Refusal as refusal:
            answers[number]["error"] = str(refusal)
    for number in sorted(answers):
        print(json.dumps(answers[number]) if args.json else _say(answers[number]))
    return 1 if any("error" in answer for answer in answers.values()) else 0


def solve(args: argparse.Namespace, rules: RuleSet) -> int:
    """Solve a game from its empty sheet and keep its opening. Goes on where it was killed before."""
    began, folder, planes = time.monotonic(), tables_in(args.data), SPREAD if args.spread else VALUES
    try:
        folder.mkdir(parents=True, exist_ok=True)  # before the work, not after
        needed = disk_needed(rules, planes) / 1e9
        print(f"{rules.name}: takes up to {needed:.1f} GB of disk until it is done.", file=sys.stderr)
        cone = Oracle(folder, Progress(rules.name)).make_table(rules, planes)
    except OSError as error:
        raise Refusal(_("Nothing can be kept in {folder}: {reason}."), folder=folder, reason=error.strerror) from error
    file, seconds = tables.path(folder, rules), time.monotonic() - began
    end = cone.prospect if args.spread else None
    if args.json:
        found = {"rules": rules.key, "fingerprint": rules.fingerprint, "expected": round(cone.value, 4)}
        if end:
            found |= {"standard_deviation": round(end.spread, 4), "bonus_chance": round(end.bonus, 6)}
        print(json.dumps(found | {"seconds": round(seconds, 1), "table": str(file)}))
    else:
        print(f"{rules.name}: best play expects {cone.value:.4f} points. Solved in {seconds:.0f} s; kept in {file}.")
        if end:
            print(f"The standard deviation is {end.spread:.2f} points; {end.bonus:.2%} of games bring the bonus.")
    return 0


class Progress:
    """Says on a terminal how far a solve is and how long it still takes, about once a second."""

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic, out: TextIO = sys.stderr) -> None:
        self._what, self._clock, self._out = what, clock, out
        self._began: tuple[float, float] | None = None  # when, and what was done by then
        self._said = 0.0

    def __call__(self, share: float) -> None:
        now = self._clock()
        if self._began is None:
            self._began, self._said = (now, share), now
            return
        began, first = self._began
        if share >= 1:
            if self._said > began:
                print(file=self._out)
            self._began = None
        elif now - self._said >= 1 and share > first:
            self._said = now
            left = (now - began) * (1 - share) / (share - first)
            print(f"\r{self._what}: {share:4.0%}, about {left:.0f} s left ", end="", file=self._out, flush=True)


def _costliest_first(asked: position.Position) -> tuple[str, int]:
    return asked.sheet.rules.fingerprint, len(asked.sheet.rules.boxes) - len(asked.sheet.open)


def _plain(play: Play, value: str = "value") -> dict[str, Any]:
    if isinstance(play, Keep):
        return {"keep": list(play.dice), value: round(play.value, 6)}
    return {"score": play.box, "points": play.points, value: round(play.value, 6)}


def _say(answer: dict[str, Any]) -> str:
    title = f"{answer['id']}: " if answer.get("id") is not None else ""
    if "error" in answer:
        return f"{title}{answer['error']}"
    lines = [title.rstrip()] if title else []
    best = answer["plays"][0]["value"]
    for play in answer["plays"][:6]:
        cost = best - play["value"]
        lines.append(f"{play['value']:9.2f}  {_words(play)}" + (f"  (costs {cost:.2f})" if cost >= 0.005 else ""))
    if ahead := answer.get("ahead"):
        lines.append(f"To end ahead: {_words(ahead[0])} ({ahead[0]['chance']:.1%})")
    return "\n".join(lines)


def _words(play: dict[str, Any]) -> str:
    return f"write {play['points']} in {play['score']}" if "score" in play else f"keep {_dice(play['keep'])}"


def _dice(dice: list[int]) -> str:
    return " ".join(map(str, dice)) or "nothing"
