"""Two server processes at one port, on one data folder and a real PostgreSQL: one is killed, and play goes on."""

from __future__ import annotations

import http.client
import http.cookiejar
import re
import signal
import threading
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.events import Scored
from scorekeeper.postgres import PostgresLog
from tests.browser.table import free_port, start_server, stop_server
from tests.visit import Forms
from web.alone import alone
from web.https import Https
from web.security import secret_key

ROUNDS = 12
KILLED_AFTER = 4


class Persistent:
    """A browser that asks again where nobody answered, with the same form: it does not know what became of it."""

    def __init__(self, port: int) -> None:
        self._address = f"http://127.0.0.1:{port}"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        self.missed = 0

    def ask(self, path: str, data: bytes | None = None) -> tuple[str, str]:
        """Where it led to, and what that shows."""
        for _try in range(5):
            try:
                with self._opener.open(self._address + path, data, timeout=20) as answer:
                    return urllib.parse.urlsplit(answer.url).path, answer.read().decode()
            except urllib.error.HTTPError:
                raise
            except (OSError, http.client.HTTPException):
                self.missed += 1
        raise AssertionError("nobody answers")

    def send(self, page: str, action: str, **fields: object) -> tuple[str, str]:
        """Send the form of this page with this action, filled in."""
        own = next(dict(carried) for to, carried in Forms(self.ask(page)[1]).all if to.endswith(action))
        return self.ask(action or page, urllib.parse.urlencode(own | fields).encode())


def test_one_of_two_servers_is_killed_in_mid_game_and_nothing_is_lost_and_screens_go_on(
    tmp_path: Path, empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAST_DATABASE", empty)
    port, https_port, data = free_port(), free_port(), tmp_path / "data"
    servers = [start_server(data, port, https_port, share=True) for _server in range(2)]
    reached = threading.Barrier(3)

    def play(name: str) -> tuple[str, list[str], int]:
        browser, confirmed = Persistent(port), []
        game, page = browser.send("/new/yatzy", "", player=name)
        for played in range(ROUNDS):
            if played == KILLED_AFTER:
                reached.wait(60)
            _game, page = browser.send(game, f"{game}/roll", dice="12345", throw="1")
            box = re.findall(r'id="write-([\w-]+)"', page)[0]
            browser.send(game, f"{game}/score", box=box, points="0")
            confirmed.append(box)
        assert browser.ask(f"{game}/seq")[1] == str(1 + 2 * ROUNDS)
        return game.rsplit("/", 1)[-1], confirmed, browser.missed

    with ThreadPoolExecutor() as tables:
        games = [tables.submit(play, name) for name in ("Anna", "Bo")]
        reached.wait(60)
        servers[0].send_signal(signal.SIGKILL)
        ended = [game.result(100) for game in games]
    stop_server(servers[0], signal.SIGKILL)
    stop_server(servers[1])
    with closing(PostgresLog(empty)) as log:
        for game, confirmed, _missed in ended:
            entries = log.read(game)
            assert len(entries) == 1 + 2 * ROUNDS, "everything is there once"
            assert [entry.box for entry in entries if isinstance(entry, Scored)] == confirmed


def test_servers_that_start_at_once_in_a_new_folder_have_one_key_and_one_authority(tmp_path: Path) -> None:
    together = threading.Barrier(4)

    def start(_server: int) -> tuple[bytes, bytes, bytes]:
        together.wait()
        https = Https(tmp_path / "certificates", "127.0.0.1")
        return secret_key(tmp_path), https.authority, https._leaf.pem

    with ThreadPoolExecutor(4) as servers:
        assert len(set(servers.map(start, range(4)))) == 1


def test_in_a_folder_that_is_shared_one_is_alone_at_a_time(tmp_path: Path) -> None:
    inside: list[str] = []

    def enter(n: int) -> None:
        with alone(tmp_path):
            inside.append(f"in {n}")
            threading.Event().wait(0.01)
            inside.append(f"out {n}")

    with ThreadPoolExecutor(4) as servers:
        list(servers.map(enter, range(4)))
    assert all(come[3:] == gone[4:] for come, gone in zip(inside[::2], inside[1::2], strict=True))
