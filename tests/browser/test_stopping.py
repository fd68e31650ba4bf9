"""The real server is told to stop in the middle of its work: it ends well, and leaves nothing half done behind."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from scorekeeper import games, houserules, whole
from tests.browser.table import ROOT, free_port, start_server, stop_server
from tests.browser.test_server import Visitor

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only Linux shows processes so")

Server = subprocess.Popen[str]
TABLETS = 4


def wait_for(there: Callable[[], object]) -> None:
    """Until this is so, for a while."""
    until = time.monotonic() + 20
    while not there():
        assert time.monotonic() < until, "it did not come to that"
        time.sleep(0.001)


def started(tmp_path: Path) -> tuple[Server, Visitor]:
    port = free_port()
    return start_server(tmp_path / "data", port), Visitor(f"http://127.0.0.1:{port}")


def stop(server: Server, tmp_path: Path) -> None:
    """It ends well, and all games are in their one file."""
    stop_server(server)
    assert server.returncode == 0
    assert not list((tmp_path / "data").rglob("*-wal"))
    assert not list((tmp_path / "data").rglob("*.part"))
    whole.refuse_damaged(tmp_path / "data" / "kast.sqlite3")


def test_pictures_that_are_being_read_are_read_to_their_end(tmp_path: Path) -> None:
    server, visitor = started(tmp_path)
    game, _page = visitor.send("/new/yatzy", "", player="Anna")
    pictures, dice = tmp_path / "data" / "pictures", (ROOT / "web/static/examples/roll-1.jpg").read_bytes()
    with ThreadPoolExecutor() as tablets:
        answers = [tablets.submit(visitor.photograph, game, dice) for _ in range(TABLETS)]
        wait_for(lambda: list(pictures.rglob("*.jpg")))  # one is read after the other
        assert not all(answer.done() for answer in answers)
        stop(server, tmp_path)
        for answer in answers:
            with suppress(OSError):  # the page after the picture is another request
                assert answer.result()[0] == 200
    kept = {path.stem for path in pictures.rglob("*.jpg")}
    assert kept == {path.stem for path in pictures.rglob("*.json")}
    assert len(kept) > 1, "those that were sent by then are read"


def helpers(process: int) -> list[int]:
    """The processes that this one has started and that run still."""
    found = []
    for task in Path(f"/proc/{process}/task").iterdir():
        found += [int(child) for child in (task / "children").read_text().split()]
    return found


def spent(process: int) -> float:
    """Seconds that this process has computed."""
    times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def test_best_play_that_is_being_solved_is_left_and_no_process_stays(tmp_path: Path) -> None:
    rules = houserules.from_dict(games.find("maxi-yatzy").as_dict() | {"key": "own", "name": "Own", "throws": 4})
    (tmp_path / "data" / "house").mkdir(parents=True)
    (tmp_path / "data" / "house" / "own.toml").write_text(houserules.to_toml(rules))
    server, visitor = started(tmp_path)
    visitor.send("/new/own", "", player="Anna", help="everything")
    usual = os.getpriority(os.PRIO_PROCESS, 0)
    wait_for(lambda: any(os.getpriority(os.PRIO_PROCESS, helper) > usual for helper in helpers(server.pid)))
    there = helpers(server.pid)
    already = sum(map(spent, there))
    wait_for(lambda: sum(map(spent, there)) > already + 0.5)
    stop(server, tmp_path)
    wait_for(lambda: not any(Path(f"/proc/{helper}").exists() for helper in there))


def test_a_daily_copy_that_is_being_made_is_whole_or_not_there(tmp_path: Path) -> None:
    server, visitor = started(tmp_path)
    visitor.send("/new/yatzy", "", player="Anna")
    stop_server(server, signal.SIGKILL)
    with closing(sqlite3.connect(tmp_path / "data" / "kast.sqlite3")) as games_file:  # as after many deleted games
        games_file.executescript("CREATE TABLE x (y); INSERT INTO x VALUES (zeroblob(100000000)); DROP TABLE x;")
    server, _visitor = started(tmp_path)
    wait_for(lambda: list((tmp_path / "data").rglob("*.part")))
    stop(server, tmp_path)
    for copy in (tmp_path / "data" / "backups").glob("*.sqlite3"):
        whole.refuse_damaged(copy)
        assert copy.stat().st_size > 100 * 1000 * 1000
