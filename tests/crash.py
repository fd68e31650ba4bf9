"""Games are played over HTTP against a real server that is killed again and again, at any moment.

python -m tests.crash [--kills 500] [--seed 1]

Several clients play legal games at random, each one of its own and all of them a common one. A client that gets no
answer sends the same request again once the server is back, as a browser does. Whatever was confirmed must be in the
log exactly once and in order, and nothing may be there that was not sent, or that is not as it was sent.
With KAST_DATABASE set, the games are kept there.
"""

from __future__ import annotations

import argparse
import http.client
import multiprocessing
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from urllib.parse import urlencode

from scorekeeper import games
from scorekeeper.events import USUAL_HELP, Renamed, Rolled, Scored
from scorekeeper.history import Entry, History, Rewound, replay
from scorekeeper.log import Log
from scorekeeper.options import ASK, say
from tests.browser.table import free_port
from tests.visit import Forms
from web.storage import DATABASE, open_log

CLIENTS = 3
MOST = 12  # answers that a server gives at most before it is killed
A_MOMENT = 0.03  # seconds more, at most, that it then lives
STALE = 409
SEE_OTHER = 303
UNSAVED = 503
EXPIRED = 400


class Gone(Exception):
    """The server was killed before it had answered, or it could not save what was sent."""


@dataclass
class Sent:
    """An act that a client sends until it is written or refused: to this address with this form. `answered` is the
    status, 0 before; `unsaved` whether the last answer was that the disk did not take it."""

    game: str
    request: str
    entry: Entry
    to: str
    form: dict[str, object]
    answered: int = 0
    unsaved: bool = False


class Server:
    """A real server on one port and one folder, started and killed. It is forked from a process that has already
    imported everything, so that a start takes moments."""

    def __init__(self, folder: Path) -> None:
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["web.serve", "web.app"])
        self.port, self.folder = free_port(), folder
        self._arguments = self.port, folder, free_port(), os.environ.get(DATABASE, "")
        self._process: BaseProcess | None = None
        self.up = threading.Event()
        self.answers = threading.Semaphore(0)

    def start(self) -> None:
        """Returns once the server answers."""
        self._process = self._context.Process(target=run, args=self._arguments, daemon=True)
        self._process.start()
        while not self.answers_now():
            assert self._process.is_alive(), "the server ended by itself"
        self.up.set()

    def answers_now(self) -> bool:
        """Whether the server answers; where it does not, a moment has gone by."""
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
                connection.request("GET", "/static/")
                connection.getresponse()
                return True
        except OSError:
            time.sleep(0.01)
            return False

    def kill(self, rng: random.Random) -> None:
        """By SIGKILL, which a process cannot hear, at any moment after it has given some more answers."""
        self.await_answers(rng.randint(1, MOST))
        time.sleep(rng.uniform(0, A_MOMENT))
        self.stop()

    def await_answers(self, number: int) -> None:
        """Returns once so many more answers were given."""
        for _answer in range(number):
            assert self.answers.acquire(timeout=20), "nothing is answered any more"

    def stop(self) -> None:
        """At once, as by a kill."""
        assert self._process
        self.up.clear()
        self._process.kill()
        self._process.join()


def run(port: int, folder: Path, https_port: int, database: str) -> None:
    """The server, in a process of its own; what it says of itself goes nowhere."""
    from web.serve import serve

    os.environ[DATABASE] = database
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    serve("127.0.0.1", port, folder, https_port)


@dataclass
class Client:
    """Someone who plays: `sent` is everything ever sent, `common` a game that others play too, `refused` how often the
    disk took nothing."""

    name: str
    server: Server
    rng: random.Random
    sent: list[Sent] = field(default_factory=list)
    common: str = ""
    help: str = USUAL_HELP
    refused: int = 0
    _cookie: str = ""
    _game: str = ""
    _history: History | None = None

    def play(self, over: threading.Event) -> None:
        """One act after the other, until it is over."""
        while not over.is_set():
            if self.server.up.wait(0.05):
                with suppress(Gone):
                    self._act()

    def _act(self) -> None:
        if self.sent and not self.sent[-1].answered:
            self._send(self.sent[-1])
        elif self.common and self.rng.random() < 0.25:
            self._new(self.common, Renamed(self.rng.randrange(2), f"{self.name} {len(self.sent)}"))
        elif self._history is None or self._history.game.finished:
            self.begin()
        else:
            self._new(self._game, self._choose(self._history))

    def begin(self) -> str:
        """A new game, of rules drawn at random; its path. A repeated request begins the same game."""
        rules = self.rng.choice(list(games.GAMES))
        form = self._form(f"/new/{rules}", "request")
        asked = [option for option in games.GAMES[rules].options if option.default == ASK]
        options = {option.key: say(option.choices[0]) for option in asked}
        answer, where = self._post(
            f"/new/{rules}", [*(form | options).items(), ("player", "Anna"), ("player", "Bo"), ("help", self.help)]
        )
        if answer == UNSAVED:
            raise Gone
        assert answer == SEE_OTHER, answer
        self._game = where
        with closing(open_log(self.server.folder)) as log:
            self._history = replay(log.read(where.rpartition("/")[2]))
        return where

    def _choose(self, history: History) -> Entry:
        game, draw = history.game, self.rng.random()
        if history.undo and draw < 0.1:
            return history.undo
        if game.roll and (not game.throws_left or draw < 0.6):
            choices = game.choices or dict.fromkeys(game.strikes, 0)
            box = self.rng.choice(sorted(choices))
            return Scored(box, choices[box])
        thrown = game.throws + 1
        return Rolled(tuple(self.rng.randint(1, 6) for _ in range(game.rules.dice)), thrown)

    def _new(self, game: str, entry: Entry) -> None:
        """Sends an act for the first time, with the page's own form."""
        request = f"{self.name}-{len(self.sent)}"
        form: dict[str, object] = {**self._form(game, "seq"), "request": request}
        match entry:
            case Rolled(dice, throw):
                path, form = "roll", form | {"dice": "".join(map(str, dice)), "throw": throw}
            case Scored(box, points):
                path, form = "score", form | {"box": box, "points": points}
            case Rewound(to):
                path, form = "rewind", form | {"to": to}
            case Renamed(player, name):
                path, form = f"players/{player}", form | {"name": name}
        self.sent.append(Sent(game, request, entry, f"{game}/{path}", form))
        self._send(self.sent[-1])

    def _send(self, act: Sent) -> None:
        """A common game may have gone on: one is told so, and nothing is written."""
        act.unsaved = False  # it may be written from now on
        answered, _where = self._post(act.to, [*act.form.items()])
        act.unsaved = answered == UNSAVED
        if act.unsaved:
            self.refused += 1
            raise Gone
        if answered == EXPIRED:  # the clock has leapt: the form is taken from a page that is fetched anew
            act.form["token"] = self._form(act.game, "seq")["token"]
            raise Gone
        act.answered = answered
        assert act.answered == SEE_OTHER or (act.game == self.common and act.answered == STALE), act
        if act.game == self._game and self._history:
            self._history = self._history.add(act.entry)

    def _form(self, page: str, field: str) -> dict[str, str]:
        """What the first form of a page carries that has this field."""
        return next(fields for _to, fields in Forms(self._ask("GET", page)[2]).all if field in fields)

    def _post(self, path: str, fields: list[tuple[str, object]]) -> tuple[int, str]:
        status, where, _text = self._ask("POST", path, urlencode(fields))
        return status, where

    def _ask(self, method: str, path: str, body: str = "") -> tuple[int, str, str]:
        headers = {"Cookie": self._cookie, "Content-Type": "application/x-www-form-urlencoded"}
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)) as connection:
                connection.request(method, path, body or None, headers)
                answer = connection.getresponse()
                text = answer.read().decode()
        except (OSError, http.client.HTTPException) as error:
            raise Gone from error
        self.server.answers.release()
        if cookie := answer.getheader("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        return answer.status, answer.getheader("Location") or "", text


def check(log: Log, clients: list[Client], since: Mapping[str, int] | None = None) -> int:
    """Compares the log with what was sent; the number of acts that were confirmed.

    since: by name of a client, the number of its acts that were checked before; only games are looked at in which
    something was sent after them. All are without.
    """
    sent = {act.request: act for client in clients for act in client.sent}
    recent = [act for client in clients for act in client.sent[(since or {}).get(client.name, 0) :]]
    written: Counter[str] = Counter()
    for game in {act.game for act in recent}:
        dumped = log.dump(game.rpartition("/")[2])
        replay(entry for _at, _request, entry in dumped)
        for _at, request, entry in dumped[1:]:
            assert sent[request].game == game
            assert sent[request].entry == entry, f"{request} is not as it was sent"
            written[request] += 1
        for client in clients:
            confirmed = [act.request for act in client.sent if act.game == game and act.answered == SEE_OTHER]
            known = set(confirmed)
            there = [request for _at, request, _entry in dumped if request in known]
            assert there == confirmed, "what was confirmed is not all there, once, and in order"
    for act in recent:
        refused = act.answered == STALE or act.unsaved
        assert written[act.request] <= (not refused), f"{act.request} was refused and is there"
    return sum(act.answered == SEE_OTHER for act in sent.values())


@contextmanager
def playing(clients: list[Client]) -> Iterator[None]:
    """They play meanwhile; what one of them finds wrong is raised at the end."""
    over, wrong = threading.Event(), []

    def play(client: Client) -> None:
        try:
            client.play(over)
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=play, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
    if wrong:
        raise wrong[0]


def crash(folder: Path, kills: int, seed: int) -> tuple[int, int]:
    """Plays until the server was killed so often; the number of acts that were confirmed, and of those that were not
    answered the first time."""
    server, rng = Server(folder), random.Random(seed)
    clients = [Client(f"c{n}", server, random.Random(seed * 100 + n)) for n in range(CLIENTS)]
    server.start()
    common = Client("host", server, rng).begin()
    for client in clients:
        client.common = common
    unanswered, checked = 0, dict[str, int]()
    for number in range(kills):
        with playing(clients):
            server.kill(rng)
        with closing(open_log(folder)) as log:
            confirmed = check(log, clients, checked)
        waiting = {client.name: not client.sent[-1].answered for client in clients if client.sent}
        unanswered += sum(waiting.values())
        checked = {client.name: len(client.sent) - waiting.get(client.name, 0) for client in clients}
        if sys.stderr.isatty() or number % 50 == 0:
            print(f"{number + 1} of {kills} kills, {confirmed} acts confirmed", file=sys.stderr, flush=True)
        server.start()
    with playing(clients):
        server.kill(rng)
    with closing(open_log(folder)) as log:
        return check(log, clients), unanswered


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        confirmed, unanswered = crash(Path(folder), options.kills, options.seed)
    print(
        f"{options.kills} kills, {unanswered} of them with an act under way; {confirmed} acts confirmed: each is there "
        "once, in order, and nothing else is."
    )


if __name__ == "__main__":
    main()
