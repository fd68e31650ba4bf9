"""Players and screens for Locust, which `kast bench load` runs in a process of its own: it changes Python's sockets.

A player throws fair dice, writes where the page says that it pays most, and begins another game after the last box. The
other screens of the table ask every second whether the game has gone on, as the page's script does, and show it then.
"""

from __future__ import annotations

import os
import random
import re
from itertools import count
from typing import Any
from urllib.parse import urlencode

from locust import FastHttpUser, constant_pacing, task

from web.bench_exact import split
from web.bench_page import FORM, HIDDEN

GAMES, SCREENS = int(os.environ["KAST_LOAD_GAMES"]), int(os.environ["KAST_LOAD_SCREENS"])
PACE = float(os.environ["KAST_LOAD_PACE"])  # seconds from one act of a game to the next
RULES = ("yatzy", "maxi-yatzy", "superyatzy", "stratzy:value=10")
SEQ, DICE, POINTS = (
    re.compile(text) for text in (r'data-seq="(\d+)"', r'data-dice="(\d+)"', r'name="points" value="(\d+)"')
)
FORM_TYPE = {"Content-Type": "application/x-www-form-urlencoded"}

tables: dict[int, str] = {}  # the address of the game that is played at each
seats, places = count(), count()


class Browser(FastHttpUser):  # type: ignore[misc]
    """Shows pages; a cookie belongs to it."""

    abstract = True
    page = path = ""

    def show(self, path: str, name: str = "page") -> None:
        """The page at this path, which counts under this name."""
        with self.client.get(path, name=name, catch_response=True) as answer:
            self.path, self.page = path, answer.text or ""
            if answer.status_code == 200 and "</html>" not in self.page:
                answer.failure("half a page")

    def send(self, name: str, form: str, head: str = "", **fields: object) -> None:
        """Send this form, filled in, and show where it leads to."""
        to = re.search(r'action="([^"]*)"', head)
        body = urlencode(dict(HIDDEN.findall(form)) | fields)
        with self.client.post(
            to[1] if to else self.path, body, name=name, headers=FORM_TYPE, allow_redirects=False, catch_response=True
        ) as answer:
            if answer.status_code != 303:
                answer.failure(f"{name} is answered with {answer.status_code}")
                return
            answer.success()
            path = answer.headers["Location"]
        self.show(path)

    def find(self, action: str) -> list[tuple[str, str]]:
        """The head and the inside of each form whose address ends so."""
        return [(head, form) for head, form in FORM.findall(self.page) if f'{action}"' in head]


class Player(Browser):
    """The screen by which a table plays."""

    fixed_count = GAMES
    wait_time = constant_pacing(PACE)

    def on_start(self) -> None:
        """Take a table."""
        self.table = next(seats)
        self.chance = random.Random(self.table)  # noqa: S311, it throws dice
        self.begin()

    def begin(self) -> None:
        """A game of two, the rules of the table."""
        rules, options = split(RULES[self.table % len(RULES)])
        self.show(f"/new/{rules}", "new")
        form = max((form for _head, form in FORM.findall(self.page)), key=len, default="")
        self.send("begin", form, player=f"Anna {self.table}", help="boxes", **options)
        if SEQ.search(self.page):
            tables[self.table] = self.path

    @task  # type: ignore[untyped-decorator]
    def act(self) -> None:
        """Throw, or write, whatever the page asks for."""
        hand, boxes, again = (self.find(action) for action in ("/roll", "/score", "/again"))
        dice = DICE.search(self.page)
        if hand and dice:
            thrown = "".join(str(self.chance.randint(1, 6)) for _die in range(int(dice[1])))
            number = re.search(r'name="throw" value="(\d+)"', hand[0][1])
            self.send("roll", hand[0][1], hand[0][0], dice=thrown, throw=number[1] if number else 1)
        elif boxes:
            points, at = max((int(value), at) for at, (_, form) in enumerate(boxes) for value in POINTS.findall(form))
            self.send("score", boxes[at][1], boxes[at][0], points=points)
        elif again:
            self.send("begin", again[0][1], again[0][0])
            tables[self.table] = self.path
        else:
            self.begin()


class Screen(Browser):
    """Another screen of a table."""

    fixed_count = GAMES * (SCREENS - 1)
    wait_time = constant_pacing(1)

    def on_start(self) -> None:
        """Sit down at a table."""
        self.table = next(places) % GAMES
        self.seen: Any = None

    @task  # type: ignore[untyped-decorator]
    def look(self) -> None:
        """Whether the game has gone on; the page, where it has."""
        game = tables.get(self.table)
        if not game:
            return
        with self.client.get(f"{game}/seq", name="seq") as answer:
            now = game, answer.text
        if now != self.seen:
            self.show(game)
            self.seen = now
