"""What the server says of itself can be sent to anybody: it names no player, game, code, device or folder."""

from __future__ import annotations

import json
import logging
import sqlite3
import subprocess
import sys
import urllib.error
from contextlib import closing
from pathlib import Path

import pytest

from scorekeeper.refusal import Unsaved, UnusableLog
from tests.browser.table import ROOT, free_port, stop_server
from tests.browser.test_server import Visitor
from web import journal

ANNA, BO = "Änna-Kärin Östlund", "Bo 0701234567"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("192.168.1.20 is not local", "… is not local"),
        ("Client ('10.0.0.7', 51234) lost", "Client ('…', 51234) lost"),
        ("from fe80::1c2b:3aff:fe4d:5e6f or ::1", "from … or …"),
        ("[2001:db8:0:0:0:0:0:1]:8443", "[…]:8443"),
        ("no game 0f3a9b1c2d4e5f60718293a4b5c6d7 here", "no game … here"),
        ("picture AbCdEfGhIj0123456789.jpg", "picture ….jpg"),
        ("at 12:30:05 kast 0.1.0 used 1.26.4", "at 12:30:05 kast 0.1.0 used 1.26.4"),
        ("recognizer_is_a_long_name_of_ours", "recognizer_is_a_long_name_of_ours"),
        (f"{Path.home()}/kast", "~/kast"),
    ],
)
def test_what_tells_one_person_or_game_from_another_is_left_out(said: str, shown: str) -> None:
    assert journal.hidden(said) == shown


def test_an_error_says_what_it_is_and_not_whom_it_met() -> None:
    inner = Unsaved("{name} has no {box} and {n}: {reason}", name=ANNA, box="x", n=3, reason=sqlite3.Error("disk full"))
    refusal = UnusableLog("Game {game} cannot be read: {reason}.", game="abc", reason=inner)
    assert journal.described(refusal) == "Game … cannot be read: … has no … and 3: disk full."
    assert journal.described(KeyError(ANNA)) == "…"
    assert journal.described(OSError(28, "No space left on device", f"/home/{ANNA}")) == "No space left on device"


def test_a_traceback_leads_to_the_place_in_the_program_without_what_was_said_there() -> None:
    try:
        try:
            raise KeyError(ANNA)
        except KeyError as error:
            raise RuntimeError(f"{ANNA} again") from error
    except RuntimeError:
        record = logging.LogRecord("kast", logging.ERROR, "", 0, "it failed", (), sys.exc_info())
    said = journal.Formatter("%(message)s").format(record)
    assert ANNA not in said
    assert str(ROOT) not in said
    assert "tests/test_journal.py" in said
    assert said.index("KeyError: …") < said.index("RuntimeError: …")


PROGRAM = """
import sys
from pathlib import Path
from web import telling
from web.serve import serve
whole = telling.last_act
def last_act(at, language):
    if len(at.game.players) == 2:
        raise ValueError(f"{at.game.players} of {at.id}")
    return whole(at, language)
telling.last_act = last_act
serve("127.0.0.1", int(sys.argv[1]), Path(sys.argv[2]), 0)
"""


def test_a_server_with_an_error_in_it_names_nobody(tmp_path: Path) -> None:
    port, data = free_port(), tmp_path / "Annas folder"
    with (tmp_path / "said").open("w") as said:
        server = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(port), str(data)],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=said, text=True,
        )  # fmt: skip
    assert server.stdout
    try:
        assert any(line.startswith("Games are kept") for line in server.stdout)
        visitor = Visitor(f"http://127.0.0.1:{port}")
        game, _page = visitor.send("/new/yatzy", "", player=ANNA)
        visitor.send(game, f"{game}/roll", dice="66655", throw="1")
        with pytest.raises(urllib.error.HTTPError, match="500"):
            visitor.send(f"{game}/players", f"{game}/players", name=BO)
        with closing(sqlite3.connect(data / "kast.sqlite3", isolation_level=None)) as log:
            spoilt = json.dumps({"event": "Scored", "box": BO, "points": 5})
            log.execute("INSERT INTO entries SELECT game, 3, at, ?, ? FROM entries WHERE seq = 0", (BO, spoilt))
        with pytest.raises(urllib.error.HTTPError, match="500"):
            visitor.get(game)
    finally:
        stop_server(server)
    text = (tmp_path / "said").read_text()
    assert "a request failed: GET /g/<game>" in text
    assert "ValueError: …" in text
    assert "ERROR Game … cannot be read: …. This sheet has no box …." in text
    for private in (
        "Änna",
        "Kärin",
        "Bo",
        "0701",
        game.rpartition("/")[2],
        "127.0.0.1",
        "Annas",
        str(tmp_path),
        str(ROOT),
    ):
        assert private not in text
