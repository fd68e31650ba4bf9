"""Requests at random, well and badly formed, to every route of the page.

python -m tests.fuzz [--requests 100000] [--seed 1]

Nothing may answer with an error of the server, show a traceback, or change a game and say that it did not; what only
asks may change nothing at all.
"""

from __future__ import annotations

import argparse
import logging
import random
import re
import sys
import tempfile
import time
import urllib.parse
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from scorekeeper import games, houserules
from scorekeeper.log import SqliteLog
from tests.conftest import FIVE
from tests.test_desk import FixedReader, picture
from tests.visit import Forms, begin
from web.app import create_app
from web.desk import Desk
from web.house import House
from web.pictures import Pictures

REFUSED = 400
BROKEN = 500
PAGES = 40  # requests after which the forms of a page are read again

TEXTS = (
    *("", "0", "1", "3", "-1", "7", "999999999999999999999", "1e9", "0x1", "NaN", "null", "true", "12345", "66666"),
    *("111111", "ones", "yatzy", "chance", "pair", "open", "none", "everything", "earlier", "leave", "hidden", "Anna"),
    *(" ", "\t", "é", "Ж" * 40, "a" * 5000, "\x00", "\u202e", "\U0001f3b2", "'", '"', "<script>alert(1)</script>"),
    *(
        "{{7*7}}",
        "%s%n",
        "../..",
        "../../etc/passwd",
        "/etc/passwd",
        "C:\\con",
        "//example.org",
        "; DROP TABLE entries;",
    ),
    *("=1+1", "\r\nSet-Cookie: a=b", "[[1,2],[3,4]]", "0.1,0.1,0.5,0.5", "[rules]\nkey = 1", "[" * 3000, "٣", "1 2"),
)
RULES = houserules.to_toml(games.find("yatzy")).replace('name = "Yatzy"', 'name = "Own"')
PICTURE = picture()
NO_LETTERS = ("%ff", "%c3%28", "%ed%a0%80", "%00", "%")  # bytes that are no UTF-8, and less
FILES = ("picture", "frame", "file")  # the fields in which forms send one
HEADERS: tuple[dict[str, str], ...] = (
    *({}, {}, {}, {"Accept-Language": "fi"}, {"Accept-Language": "\xff;q=9"}, {"Range": "bytes=9-1"}),
    *({"Accept-Encoding": "gzip"}, {"X-Forwarded-For": "1.2.3.4"}, {"Cookie": "session=x.y.z"}, {"If-None-Match": "*"}),
    *({"Origin": "https://example.org"}, {"Content-Type": "application/json"}, {"If-Modified-Since": "yesterday"}),
    *({"Referer": "//"}, {"Host": "example.org"}),
)


@dataclass
class Fuzzer:
    """Draws requests for an application and checks what they do to its `log`."""

    app: Flask
    log: SqliteLog
    rng: random.Random
    seen: Counter[tuple[str, int]] = field(default_factory=Counter)
    forms: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.client: FlaskClient = self.app.test_client()
        self.known = [begin(self.client, rules=rules, **asked(rules)) for rules in games.GAMES]
        self.archive = self.client.get("/games.json").data
        self.rules = [rule for rule in self.app.url_map.iter_rules() if rule.endpoint != "static"]

    def run(self, requests: int, told: Callable[[int], None] = lambda done: None) -> None:
        """So many requests, each checked."""
        for number in range(requests):
            if number % PAGES == 0:
                self._read_forms()
                told(number)
            self._one()

    def _read_forms(self) -> None:
        """What a person could send now: the forms of one page, and the names of all fields ever seen."""
        game = self.rng.choice(self.known)
        page = self.rng.choice(
            [
                *(game, f"{game}/players", f"{game}/photo", f"{game}/history", "/", "/history", "/new/stratzy"),
                *("/house/yatzy", "/house/own"),
            ]
        )
        self.forms = Forms(self.client.get(page).text).all
        self.names = sorted({*self.names, *(name for _to, fields in self.forms for name in fields)})[:200]

    def _one(self) -> None:
        before = self._written()
        method, path, fields, headers = self._draw()
        if method == "POST":
            fields = fields | self._sent_along()
        answer = self._send(method, path, fields, headers)
        self.seen[method, answer.status_code] += 1
        what = f"{method} {path} {str(fields)[:300]} {headers}: {answer.status}"
        assert answer.status_code < BROKEN, what
        assert b"Traceback (most recent call last)" not in answer.get_data(), what
        if method != "POST" or answer.status_code >= REFUSED:
            assert self._written() == before, f"it changed something: {what}"

    def _written(self) -> int:
        (number,) = self.log._db.execute("SELECT count(*) FROM entries").fetchone()
        return int(number)

    def _send(self, method: str, path: str, fields: dict[str, Any], headers: dict[str, str]) -> TestResponse:
        try:
            if method == "POST" and self.rng.random() < 0.02:
                plain = {name: value for name, value in fields.items() if isinstance(value, str)}
                form = urllib.parse.urlencode(plain).replace("e", self.rng.choice(NO_LETTERS))
                return self.client.post(path, data=form, content_type="application/x-www-form-urlencoded")
            if method == "POST":
                return self.client.post(path, data=fields, headers=headers)
            if self.rng.random() < 0.02:
                path, fields = f"{path}?language={self.rng.choice(NO_LETTERS)}&dice=%ff", {}
            return self.client.open(path, method=method, query_string=fields or None, headers=headers)
        except UnicodeError:  # the client itself cannot write that down
            return self.client.get("/")

    def _draw(self) -> tuple[str, str, dict[str, Any], dict[str, str]]:
        headers = dict(self.rng.choice(HEADERS))
        if self.forms and self.rng.random() < 0.4:
            path, fields = self.rng.choice(self.forms)
            return "POST", path or self.rng.choice(self.known), self._spoiled(dict(fields)), headers
        rule = self.rng.choice(self.rules)
        usual = sorted({"GET", "POST"} & (rule.methods or set())) * 8
        method = self.rng.choice([*usual, "HEAD", "OPTIONS", "PUT", "TRACE"])
        fields = {self._name(): self._value() for _ in range(self.rng.randint(0, 4))}
        if self.rng.random() < 0.8 and self.forms:
            fields |= {
                key: value
                for key, value in self.rng.choice(self.forms)[1].items()
                if key in ("token", "request", "seq")
            }
        return method, self._path(rule), fields, headers

    def _spoiled(self, fields: dict[str, str]) -> dict[str, Any]:
        """A form as it is, or with some fields changed, left out or added."""
        spoiled: dict[str, Any] = dict(fields)
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            name = self.rng.choice([*fields, self._name()])
            if self.rng.random() < 0.2:
                spoiled.pop(name, None)
            else:
                spoiled[name] = self._value()
        return spoiled

    def _name(self) -> str:
        return self.rng.choice(
            [*self.names, "dice", "throw", "box", "points", "player", "name", "to", "picture", "area", "code"]
        )

    def _value(self) -> Any:
        if self.rng.random() < 0.05:
            return self._file()
        return self.rng.choice([*TEXTS, self._broken(RULES.encode()).decode("latin-1")])

    def _sent_along(self) -> dict[str, Any]:
        """Files, and house rules as text, which no form carries before somebody has chosen or written them."""
        along: dict[str, Any] = {name: self._file() for name in FILES if self.rng.random() < 0.2}
        if self.rng.random() < 0.1:
            along["text"] = self._broken(RULES.encode()).decode("latin-1")
        return along

    def _file(self) -> tuple[BytesIO, str]:
        """A picture, an archive, rules or noise, whole or damaged, under some name."""
        data = self.rng.choice([PICTURE, self.archive, RULES.encode(), self.rng.randbytes(300), b""])
        name = self.rng.choice(["a.png", "games.json", "../x", "", "a\x00b"])
        return BytesIO(self._broken(data)), name

    def _broken(self, data: bytes) -> bytes:
        """These bytes as they are, cut off, or with some of them changed."""
        broken = bytearray(data)
        for _ in range(self.rng.choice((0, 0, 1, 3))):
            if broken:
                broken[self.rng.randrange(len(broken))] = self.rng.randrange(256)
        return bytes(broken[: self.rng.choice((None, None, None, len(broken) // 2))])

    def _path(self, rule: Rule) -> str:
        """The address of a rule, with what exists or does not in place of what varies."""

        def value(found: re.Match[str]) -> str:
            if "game" in found[0] and self.rng.random() < 0.8:
                return self.rng.choice(self.known).rpartition("/")[2]
            if found[0] == "<camera>" and self.rng.random() < 0.8:
                return "phone-phone"
            if "int:" in found[0]:
                return str(self.rng.choice([0, 1, 2, 5, 10**9, 10**30]))
            if "key" in found[0] and self.rng.random() < 0.6:
                return self.rng.choice(list(games.GAMES))
            text = self.rng.choice(TEXTS)
            return text if "path:" in found[0] else text.replace("/", "%2F")[:200]

        return re.sub(r"<[^>]+>", value, rule.rule).replace("\r", "").replace("\n", "").replace("#", "%23") or "/"


def asked(rules: str) -> dict[str, str]:
    """Answers to what a game asks before it begins."""
    return {"value": "3"} if rules == "stratzy" else {}


def fuzz(
    folder: Path, requests: int, seed: int, told: Callable[[int], None] = lambda done: None
) -> Counter[tuple[str, int]]:
    """Sends so many requests to an application with its data in this folder; how often each status came."""
    with closing(SqliteLog(folder / "kast.sqlite3")) as log:
        desk = Desk(log, Pictures(folder / "pictures"), lambda: FixedReader(FIVE))
        app = create_app(desk, b"a key for tests", house=House(folder / "house"))
        fuzzer = Fuzzer(app, log, random.Random(seed))
        fuzzer.run(requests, told)
        return fuzzer.seen


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable()
    began = time.monotonic()

    def tell(done: int) -> None:
        if done % 2000 == 0:
            print(
                f"{done} of {options.requests} requests, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True
            )

    with tempfile.TemporaryDirectory() as folder:
        seen = fuzz(Path(folder), options.requests, options.seed, tell)
    for (method, status), number in sorted(seen.items()):
        print(f"{method:8} {status} {number:8}")


if __name__ == "__main__":
    main()
