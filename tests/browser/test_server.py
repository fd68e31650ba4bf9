"""The real server process: what it has confirmed outlives it, and it stops when it is told to."""

from __future__ import annotations

import http.client
import http.cookiejar
import itertools
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.browser.table import ROOT, free_port, start_server, stop_server
from tests.browser.test_https import said_at_start
from tests.visit import Forms
from web.serve import addresses

MEBI = 1024 * 1024


class Visitor:
    """A browser of the plainest kind: pages, forms and a cookie."""

    def __init__(self, address: str) -> None:
        self.address = address
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(cookies)

    def get(self, path: str) -> str:
        with self.opener.open(self.address + path, timeout=20) as answer:
            return str(answer.read().decode())

    def send(self, page: str, action: str, **fields: str) -> tuple[str, str]:
        """Send the form of this page, filled in; where it led to, and what that shows."""
        own = next(dict(carried) for to, carried in Forms(self.get(page)).all if to.endswith(action))
        data = urllib.parse.urlencode(own | fields).encode()
        with self.opener.open(self.address + (action or page), data, timeout=20) as answer:
            return urllib.parse.urlsplit(answer.url).path, answer.read().decode()

    def photograph(self, game: str, picture: bytes, length: int = 0) -> tuple[int, str]:
        """Send this picture, followed by zeros where it is to be so long; the status of the answer, and its text."""
        fields = dict(next(dict(carried) for to, carried in Forms(self.get(f"{game}/photo")).all if "photo" in to))
        parts = [f'--b\r\nContent-Disposition: form-data; name="{n}"\r\n\r\n{v}\r\n' for n, v in fields.items()]
        parts.append('--b\r\nContent-Disposition: form-data; name="picture"; filename="dice.jpg"\r\n\r\n')
        head, foot = "".join(parts).encode() + picture, b"\r\n--b--\r\n"
        zeros = max(0, length - len(picture))
        pieces = itertools.chain([head], itertools.repeat(bytes(MEBI), zeros // MEBI), [foot])
        size = len(head) + zeros // MEBI * MEBI + len(foot)
        request = urllib.request.Request(
            f"{self.address}{game}/photo",
            pieces,
            {"Content-Type": "multipart/form-data; boundary=b", "Content-Length": str(size)},
        )
        try:
            with self.opener.open(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()


def most_memory(server: subprocess.Popen[str]) -> int:
    """Bytes that a process has held at most."""
    return 1024 * int(Path(f"/proc/{server.pid}/status").read_text().split("VmHWM:")[1].split()[0])


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells how much memory a process had")
def test_a_body_of_200_megabytes_costs_little_memory_and_the_next_photo_is_read(tmp_path: Path) -> None:
    port, dice = free_port(), (ROOT / "web/static/examples/roll-1.jpg").read_bytes()
    server = start_server(tmp_path / "data", port)
    visitor = Visitor(f"http://127.0.0.1:{port}")
    game, _page = visitor.send("/new/yatzy", "", player="Anna")
    assert visitor.photograph(game, dice)[0] == 200
    before = most_memory(server)
    status, text = visitor.photograph(game, dice, 60 * MEBI)
    assert (status, "The picture is larger than 25 MB." in text) == (413, True)
    with suppress(ConnectionError, urllib.error.URLError, http.client.HTTPException):  # or it is cut off
        assert visitor.photograph(game, dice, 200 * MEBI)[0] == 413
    assert most_memory(server) - before < 40 * MEBI
    assert 'class="picture' in visitor.photograph(game, dice)[1]
    stop_server(server)
    assert server.returncode == 0


def test_a_confirmed_score_survives_the_process_being_killed(tmp_path: Path) -> None:
    port, data = free_port(), tmp_path / "data"
    server = start_server(data, port)
    visitor = Visitor(f"http://127.0.0.1:{port}")
    game, _page = visitor.send("/new/yatzy", "", player="Anna")
    visitor.send(game, f"{game}/roll", dice="66655", throw="2")
    visitor.send(game, f"{game}/score", box="full-house", points="28")
    stop_server(server, signal.SIGKILL)

    server = start_server(data, port)
    page = Visitor(f"http://127.0.0.1:{port}").get(game)
    stop_server(server)
    assert re.search(r'aria-label="Full house: 28 points"', page)


def test_pictures_older_than_the_days_that_were_chosen_are_deleted_and_later_ones_stay(tmp_path: Path) -> None:
    pictures = tmp_path / "data" / "pictures"
    pictures.mkdir(parents=True)
    for name, days in (("old", 8), ("new", 6)):
        for end in ("jpg", "json"):
            (pictures / f"{name}.{end}").touch()
            os.utime(pictures / f"{name}.{end}", (time.time() - days * 86_400,) * 2)
    said = said_at_start(tmp_path / "data", "--https-port", "0", "--keep-pictures", "7")
    assert said[-1].startswith("Games are kept")
    assert sorted(path.name for path in pictures.glob("*.*")) == ["new.jpg", "new.json"]


def refused(data: Path, host: str = "127.0.0.1", port: int = 0) -> str:
    """The sentence with which a server that cannot start ends."""
    command = ["-m", "web.command", "serve", "--host", host, "--port", str(port), "--data", str(data)]
    ended = subprocess.run(
        [sys.executable, *command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1
    assert re.fullmatch(r"kast: .+\.\n", ended.stderr), "one sentence, and no traceback"
    return ended.stderr


def test_an_address_that_is_taken_is_said_in_words(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert f"kast: Kast cannot be served at 127.0.0.1:{port}:" in refused(tmp_path, port=port)


@pytest.mark.parametrize(("host", "port"), [("", 0), ("no such host", 0), ("127.0.0.1", 99999), ("127.0.0.1", -1)])
def test_an_address_that_is_none_is_said_in_words(tmp_path: Path, host: str, port: int) -> None:
    assert f"Kast cannot be served at {host}:{port}:" in refused(tmp_path, host, port)


@pytest.mark.parametrize("name", ["data", "data/pictures", "data/secret", "data/kast.sqlite3"])
def test_a_folder_in_which_nothing_can_be_kept_is_said_in_words(tmp_path: Path, name: str) -> None:
    """Even the administrator, as whom tests may run, makes no folder of a file, and no file of a folder."""
    in_the_way = tmp_path / name
    in_the_way.parent.mkdir(exist_ok=True)
    in_the_way.mkdir() if name in ("data/secret", "data/kast.sqlite3") else in_the_way.touch()
    assert str(tmp_path / "data") in refused(tmp_path / "data")


@pytest.mark.parametrize(
    ("host", "address"),
    [("127.0.0.1", "http://127.0.0.1:80/"), ("::1", "http://[::1]:80/"), ("kast.local", "http://kast.local:80/")],
)
def test_a_chosen_address_is_the_one_that_is_told(host: str, address: str) -> None:
    assert addresses(host, 80) == [address]


def test_of_all_addresses_those_for_other_devices_come_first_and_this_computer_last() -> None:
    told = addresses("0.0.0.0", 80)
    assert told[-1] == "http://localhost:80/"
    assert not any("//127." in address for address in told)


def test_the_server_stops_at_once_when_told_and_says_what_it_does(tmp_path: Path) -> None:
    server = start_server(tmp_path / "data", free_port())
    assert server.stdout
    server.send_signal(signal.SIGTERM)
    assert "Kast stops." in server.stdout.read()
    stop_server(server)
    assert server.returncode == 0


def test_the_server_stops_when_told_in_the_middle_of_many_requests(tmp_path: Path) -> None:
    port, stopped = free_port(), threading.Event()
    server = start_server(tmp_path / "data", port)

    def ask() -> int:
        with closing(http.client.HTTPConnection("127.0.0.1", port)) as tablet:
            tablet.request("GET", "/")
            return tablet.getresponse().status

    def ask_on() -> None:
        while not stopped.is_set():
            with suppress(OSError, http.client.HTTPException):
                ask()

    with ThreadPoolExecutor() as tablets:
        for _ in range(4):
            tablets.submit(ask_on)
        assert ask() == 200
        stop_server(server)
        stopped.set()
    assert server.returncode == 0
