"""`kast bench load`: many tables that play at once, each with several screens, against a real server.

Locust plays; see `load`. The server is a process of its own with a data folder of its own, or one that runs already.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scorekeeper.refusal import Refusal, _
from web.bench_page import Browser, begin, serving, throw

SOLVED = "maxi-yatzy:bonus_at={at}"  # each takes minutes to solve
FIRST_BONUS = 90
EVERY = 60.0  # seconds between two looks at the memory
START = 20.0  # seconds in which all screens are opened
SETTLED = 1 / 3  # of the time, after which memory is not to grow any more
GROWTH = 0.05  # of what it is then
MEGA = 1e6


def run(args: argparse.Namespace) -> int:
    """Play for so long, and print what was found; Refusal where Locust is not installed."""
    if not find_spec("locust"):
        command = "pip install 'kast[load]'"
        raise Refusal(_("Install what plays many games at once: {command}."), command=command)
    with nullcontext() if args.url else serving(fresh=False) as browser:
        url = args.url if browser is None else f"http://127.0.0.1:{browser.port}"
        with _watched(browser, args.minutes * 60, args.solve) as samples:
            entries, wall = _play(url, args)
    found = summary(entries, samples, wall) | {"games": args.games, "screens": args.screens, "pace_s": args.pace}
    print(json.dumps(found) if args.json else say(found))
    return 0


def _play(url: str, args: argparse.Namespace) -> tuple[list[dict[str, Any]], float]:
    """What Locust has counted for each kind of request, and the seconds that it took."""
    screens = args.games * args.screens
    command = [sys.executable, "-m", "locust", "-f", str(Path(__file__).with_name("load.py")), "--headless"]
    command += ["--host", url, "--users", str(screens), "--spawn-rate", str(max(1.0, screens / START))]
    command += ["--run-time", f"{round(args.minutes * 60)}s", "--json", "--skip-log", "--exit-code-on-error", "0"]
    numbers = {"GAMES": args.games, "SCREENS": args.screens, "PACE": args.pace}
    environment = os.environ | {f"KAST_LOAD_{name}": str(value) for name, value in numbers.items()}
    with tempfile.TemporaryFile("w+") as said:
        began = time.monotonic()
        ended = subprocess.run(  # noqa: S603, our own command
            command,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            check=False,
            cwd=Path(__file__).parents[1],
        )
        wall = time.monotonic() - began
        said.seek(0)
        if ended.returncode:
            raise RuntimeError(f"Locust failed: {said.read()[-500:]}")
    return json.loads(ended.stdout), wall


@contextmanager
def _watched(browser: Browser | None, seconds: float, solve: bool) -> Iterator[list[dict[str, float]]]:
    """What the server weighs and works, at the start, now and then, and at the end; nothing of one elsewhere."""
    samples: list[dict[str, float]] = []
    if not browser:
        yield samples
        return
    import psutil

    server, began, ended = psutil.Process(browser.pid), time.monotonic(), threading.Event()
    work = _solving(browser) if solve else None

    def look() -> None:
        times, helpers = server.cpu_times(), server.children(recursive=True)
        samples.append(
            {
                "s": round(time.monotonic() - began, 1),
                "memory_mb": round(server.memory_info().rss / MEGA, 1),
                "solver_mb": round(sum(child.memory_info().rss for child in helpers) / MEGA, 1),
                "cpu_s": round(times.user + times.system, 2),
            }
        )

    def watch() -> None:
        while not ended.wait(min(EVERY, seconds / 6)):
            look()
            if work:
                next(work)

    look()
    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield samples
    finally:
        ended.set()
        watcher.join()
        look()


def _solving(browser: Browser) -> Iterator[None]:
    """A game whose best play is being worked out; another one each time that this is done."""
    for at in range(FIRST_BONUS, FIRST_BONUS + 40):
        begin(browser, SOLVED.format(at=at), "everything")
        throw(browser, "123456")
        while "data-working" in browser.page:
            yield
            browser.open(browser.path)


def summary(entries: list[dict[str, Any]], samples: list[dict[str, float]], wall: float) -> dict[str, Any]:
    """Medians and percentiles (milliseconds) by kind of request and of all, errors, requests a second, memory."""
    by_kind = {entry["name"]: Counter({float(ms): n for ms, n in entry["response_times"].items()}) for entry in entries}
    by_kind["all"] = sum(by_kind.values(), Counter())
    found: dict[str, Any] = {"requests": {kind: _times(times) for kind, times in by_kind.items()}}
    found |= {"errors": sum(entry["num_failures"] for entry in entries), "minutes": round(wall / 60, 1)}
    found |= {"per_second": round(by_kind["all"].total() / wall, 1), "samples": samples}
    if samples:
        settled = next(sample for sample in samples if sample["s"] >= SETTLED * samples[-1]["s"])
        found["cores"] = round((samples[-1]["cpu_s"] - samples[0]["cpu_s"]) / (samples[-1]["s"] - samples[0]["s"]), 2)
        found["grown_mb"] = round(samples[-1]["memory_mb"] - settled["memory_mb"], 1)
        found["flat"] = samples[-1]["memory_mb"] <= (1 + GROWTH) * settled["memory_mb"]
    return found


def _times(times: Counter[float]) -> dict[str, float]:
    """Of so many requests that took so many milliseconds each."""
    every = sorted(times.elements())
    found = {"n": len(every), "median_ms": statistics.median(every)}
    found |= {f"p{part}_ms": every[min(len(every) - 1, part * len(every) // 100)] for part in (95, 99)}
    return found | {"max_ms": every[-1]}


def say(found: dict[str, Any]) -> str:
    """A table for people."""
    lines = [
        "{games} games, {screens} screens each, an act every {pace_s:g} s a game, {minutes} minutes".format(**found)
    ]
    lines += [f"{'':8}{'requests':>9}{'median':>9}{'95 %':>9}{'99 %':>9}{'longest':>9}   milliseconds"]
    for kind, times in found["requests"].items():
        lines.append(f"{kind:8}" + "".join(f"{value:>9,.0f}" for value in times.values()))
    lines.append("{per_second} requests a second, {errors} errors".format(**found))
    for sample in found["samples"]:
        solver = f", solving {sample['solver_mb']:.0f} MB" if sample["solver_mb"] else ""
        lines.append(f"after {sample['s']:6.0f} s the server weighs {sample['memory_mb']:.1f} MB{solver}")
    if found["samples"]:
        flat = "flat" if found["flat"] else "not flat"
        lines.append(
            f"The server used {found['cores']} cores. Memory after the first third: {found['grown_mb']:+} MB, {flat}."
        )
    return "\n".join(lines)
