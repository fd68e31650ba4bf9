"""`kast bench page`: how soon a fresh install advises exactly, and how quick the page is while it solves.

Starts the real server, as a process of its own with a data folder of its own, and asks it as a browser does.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlencode

from web.bench_exact import chosen, split

BEGUN = ("yatzy", "superyatzy", "stratzy:value=5", "maxi-yatzy", "maxi-yatzy:bonus=tactic")
BUSY = "maxi-yatzy:bonus_at=90"  # a game that takes minutes to solve
LOOK_AGAIN = 0.1  # seconds
PATIENCE = 600.0  # seconds
FORM = re.compile(r"<form ([^>]*)>(.*?)</form>", re.S)
HIDDEN = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)"')
FIRST = "{rules:24} advice after {advice_s} s, exact after {exact_s} s"
SOLVING = """While {rules} is solved, {requests} other requests: median {solving_median_ms} ms, 95 % within \
{solving_p95_ms} ms (before: {quiet_median_ms} and {quiet_p95_ms} ms); an estimate takes {estimate_ms} ms"""


class Browser:
    """What a browser does: it keeps a cookie, sends the forms that it was given, and goes where it is led."""

    def __init__(self, port: int, pid: int) -> None:
        """Before the server of process `pid`, which listens at this port."""
        self.port, self.pid = port, pid
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._cookie = self.path = self.page = ""
        self.times: list[float] = []  # seconds of each request

    def close(self) -> None:
        """Ask for nothing more."""
        self._connection.close()

    def open(self, path: str) -> None:
        """Show the page at this path."""
        self._ask("GET", path)

    def send(self, action: str, **fields: object) -> None:
        """Fill in the first form of the page with this in its address, and show where that leads to."""
        forms = ((re.search(r'action="([^"]*)"', head), form) for head, form in FORM.findall(self.page))
        path, form = next((at[1] if at else self.path, form) for at, form in forms if action in (at[1] if at else ""))
        self._ask("POST", path, urlencode(dict(HIDDEN.findall(form)) | fields))

    def show(self, path: str, form: tuple[str, bytes]) -> str:
        """Send this form, given by its type and its body, as a script of the page does; the answer."""
        kind, body = form
        self._connection.request("POST", path, body, {"Cookie": self._cookie, "Content-Type": kind})
        response = self._connection.getresponse()
        answer = response.read().decode()
        if response.status != 200:
            raise RuntimeError(f"POST {path} is answered with {response.status}")
        return answer

    def _ask(self, method: str, path: str, body: str = "") -> None:
        headers = {"Cookie": self._cookie, "Content-Type": "application/x-www-form-urlencoded"}
        began = time.perf_counter()
        self._connection.request(method, path, body, headers)
        response = self._connection.getresponse()
        self.path, self.page = path, response.read().decode()
        self.times.append(time.perf_counter() - began)
        self._cookie = (response.getheader("Set-Cookie") or self._cookie).partition(";")[0]
        if response.status == 303:
            self._ask("GET", str(response.getheader("Location")))
        elif response.status != 200:
            raise RuntimeError(f"{method} {path} is answered with {response.status}")


@contextmanager
def serving(*, fresh: bool) -> Iterator[Browser]:
    """A browser before a server that has no games yet. fresh: whether nothing was compiled before, either."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | ({"NUMBA_CACHE_DIR": f"{folder}/compiled"} if fresh else {})
        command = [sys.executable, "-m", "web.command", "serve", "--host", "127.0.0.1", "--port", "0"]
        server = subprocess.Popen(  # noqa: S603, our own command
            [*command, "--data", f"{folder}/data"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
            cwd=Path(__file__).parent.parent,
        )
        try:
            assert server.stdout
            found = filter(None, (re.search(r"http://127\.0\.0\.1:(\d+)/", line) for line in server.stdout))
            with closing(Browser(int(next(found)[1]), server.pid)) as browser:
                yield browser
        finally:
            server.terminate()
            server.communicate()


def begin(browser: Browser, named: str, level: str) -> None:
    """Begin a game of these rules, in which the only player gets so much help."""
    key, options = split(named)
    browser.open(f"/new/{key}")
    browser.send("", player="Anna", help=level, **options)


def throw(browser: Browser, dice: str, number: int = 1) -> None:
    """Enter a throw of the turn by hand."""
    browser.send("/roll", dice=dice, throw=number)


def first_advice(named: str) -> dict[str, object]:
    """Begin the first game of a fresh install, throw at once, and wait until the advice is exact."""
    with serving(fresh=True) as browser:
        begin(browser, named, "everything")
        began = time.perf_counter()
        throw(browser, "123456"[: chosen(named).dice])
        at_once = time.perf_counter() - began
        labelled = _is_waiting(browser.page)
        while _is_waiting(browser.page):
            time.sleep(LOOK_AGAIN)
            browser.open(browser.path)
        exact = time.perf_counter() - began
    return {"rules": named, "advice_s": round(at_once, 2), "estimate": labelled, "exact_s": round(exact, 2)}


def _is_waiting(page: str) -> bool:
    """Whether the page shows an estimate; RuntimeError where it shows no advice at all."""
    best = re.search(r'<[^>]* id="best"[^>]*>', page)
    if not best or "warning" in best[0]:
        raise RuntimeError("the page gives no advice")
    return "data-working" in best[0]


def while_solving(named: str, seconds: float) -> dict[str, object]:
    """Ask for other pages for so many seconds, before and while a game of these rules is solved."""
    with serving(fresh=False) as browser:
        quiet = _play(browser, seconds)
        begin(browser, named, "everything")
        throw(browser, "123456"[: chosen(named).dice])
        solving, browser.times = browser.path, []
        busy = _play(browser, seconds)
        browser.times = []
        browser.open(solving)
        if not _is_waiting(browser.page):
            raise RuntimeError(f"{named} was solved meanwhile: name a game that takes longer")
    times = {"quiet": quiet, "solving": busy}
    found: dict[str, object] = {"rules": named, "requests": len(busy), "estimate_ms": round(1e3 * browser.times[0], 1)}
    for when, measured in times.items():
        found[f"{when}_median_ms"] = round(1e3 * statistics.median(measured), 1)
        found[f"{when}_p95_ms"] = round(1e3 * sorted(measured)[int(0.95 * len(measured))], 1)
    return found


def _play(browser: Browser, seconds: float) -> list[float]:
    """Begin games without advice, throw, strike: seconds of each request, as people make them one after the other."""
    browser.times, ends = [], time.monotonic() + seconds
    while time.monotonic() < ends:
        browser.open("/")
        begin(browser, "yatzy", "boxes")
        for box in ("ones", "twos", "threes"):
            throw(browser, "13456")
            browser.send("/score", box=box, points=0)
    return browser.times


def run(args: argparse.Namespace) -> int:
    """Both measures, the first for each of the rule sets named."""
    for name in args.rules or BEGUN:
        first = first_advice(name)
        print(json.dumps(first) if args.json else FIRST.format(**first), flush=True)
    busy = while_solving(BUSY, args.seconds)
    print(json.dumps(busy) if args.json else SOLVING.format(**busy), flush=True)
    return 0
