"""What holds on every page: whose forms count, what answers carry, languages, and what is said when something fails."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from scorekeeper.events import Scored
from scorekeeper.log import SqliteLog
from scorekeeper.refusal import Unsaved
from tests.visit import begin, hidden, post, rows, sentence, shown
from web import security
from web.desk import Desk

ELSEWHERE = [
    "https://example.org/",
    "//example.org",
    "/\\example.org",
    "/\t/example.org",
    "/\n/a",
    "/a\r\nb: c",
    "x",
    "",
]
UNSAVED = "This could not be saved: {reason}. The game is as it was."


@pytest.mark.parametrize("missing", ["token", "request", "seq"])
def test_a_form_that_lacks_what_every_form_carries_changes_nothing(
    client: FlaskClient, desk: Desk, missing: str
) -> None:
    game = begin(client)
    fields = hidden(client.get(game), "roll") | {"dice": "11123"}
    del fields[missing]
    response = client.post(f"{game}/roll", data=fields)
    assert response.status_code == 400
    assert "Please try again" in sentence(response)
    assert len(desk.history(game.rsplit("/", 1)[-1]).entries) == 1


def test_another_browsers_form_is_refused(client: FlaskClient) -> None:
    game = begin(client)
    fields = hidden(client.get(game), "roll") | {"dice": "11123"}
    stranger = client.application.test_client()
    stranger.get("/")
    assert stranger.post(f"{game}/roll", data=fields).status_code == 400


@pytest.mark.parametrize("address", ["/g/nothing", "/g/nothing/players", "/g/nothing/photo", "/nothing", "/new/chess"])
def test_what_is_not_there_is_said_in_words(client: FlaskClient, address: str) -> None:
    response = client.get(address)
    assert response.status_code == 404
    assert sentence(response) == "There is no such page or game here."


def test_every_answer_carries_the_headers_that_keep_it_safe(client: FlaskClient) -> None:
    game = begin(client)
    for address in ("/", game, f"{game}/photo", "/nothing", "/static/kast.css"):
        response = client.get(address)
        headers = response.headers
        response.close()
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "camera=(self)" in headers["Permissions-Policy"]
    cookie = client.get_cookie("kast")
    assert cookie
    assert (cookie.http_only, cookie.same_site) == (True, "Lax")


def test_no_page_holds_an_inline_script_or_style(client: FlaskClient) -> None:
    game = begin(client)
    post(client, game, "roll", dice="11123", throw="1")
    for address in (
        "/",
        "/new/stratzy",
        game,
        f"{game}/players",
        f"{game}/cell/0/ones",
        f"{game}/photo",
        shown(client, game),
    ):
        page = client.get(address).text
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page), address


def test_the_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path) -> None:
    key = security.secret_key(tmp_path)
    assert len(key) == 32
    assert security.secret_key(tmp_path) == key
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert [found.name for found in tmp_path.iterdir()] == ["secret"]


def test_the_language_is_the_browsers_and_can_be_changed(client: FlaskClient) -> None:
    swedish = {"Accept-Language": "sv-SE,sv;q=0.9,en;q=0.5"}
    page = client.get("/", headers=swedish)
    assert '<html lang="sv">' in page.text
    assert "Nytt spel" in page.text
    changed = client.post("/language", data=hidden(page, "language") | {"code": "en"}, headers=swedish)
    assert changed.location == "/"
    assert "New game" in client.get("/", headers=swedish).text


@pytest.mark.parametrize("back", ELSEWHERE)
def test_changing_the_language_leads_to_no_other_site(client: FlaskClient, back: str) -> None:
    response = client.post("/language", data=hidden(client.get("/"), "language") | {"code": "sv", "back": back})
    assert response.location == "/"


def test_changing_the_language_leads_back_to_where_one_was(client: FlaskClient) -> None:
    game = begin(client)
    fields = hidden(client.get(f"{game}/players?x=1"), "language")
    assert client.post("/language", data=fields | {"code": "sv" * 50_000}).location == f"{game}/players?x=1"
    assert "New player" in client.get(f"{game}/players").text, "a language that is none changes nothing"


def test_a_refusal_is_in_the_players_language(client: FlaskClient) -> None:
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "sv"
    game = begin(client, rules="maxi-yatzy")
    assert sentence(post(client, game, "cell/0/villa", points="8")) == "I Hus kan det inte stå 8 poäng."


@pytest.mark.parametrize("form", ["roll", "reread", "score", "rewind", "again", "players/0"])
def test_a_restored_tab_that_asks_for_a_forms_address_is_led_back_to_the_game(client: FlaskClient, form: str) -> None:
    game = begin(client)
    assert client.get(f"{game}/{form}").location == game
    assert client.get("/try").location == "/"


def test_one_game_that_cannot_be_read_hides_no_other(client: FlaskClient, desk: Desk, tmp_path: Path) -> None:
    game = begin(client)
    broken = SqliteLog(tmp_path / "kast.sqlite3")
    broken.append("broken", 0, "r", Scored("ones", 3))
    broken.close()
    assert client.get("/").status_code == 200
    assert game in client.get("/").text
    response = client.get("/g/broken")
    assert response.status_code == 500
    assert sentence(response) == "Game broken cannot be read: A game starts with its beginning."


@pytest.fixture
def full(client: FlaskClient, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game going on, on a disk that has become full."""

    def fail(*_args: object) -> bool:
        raise Unsaved(UNSAVED, reason="database or disk is full")

    game = begin(client)
    monkeypatch.setattr(desk._log, "append", fail)
    return game


@pytest.mark.parametrize("act", ["roll", "players"])
def test_what_a_full_disk_does_not_take_is_said_in_words_and_the_game_is_as_it_was(
    client: FlaskClient, full: str, act: str
) -> None:
    before = rows(client.get(full))
    response = post(client, full, act, dice="11123", throw="1", name="Cilla")
    assert response.status_code == 503
    assert sentence(response) == "This could not be saved: database or disk is full. The game is as it was."
    assert rows(response) == rows(client.get(full)) == before


@pytest.mark.parametrize(("page", "form"), [("/new/yatzy", ""), ("/", "/try")])
def test_a_game_that_cannot_be_saved_does_not_begin(client: FlaskClient, full: str, page: str, form: str) -> None:
    fields = hidden(client.get(page), form) | {"player": "Anna"}
    response = client.post(form or page, data=fields)
    assert response.status_code == 503
    assert sentence(response).startswith("This could not be saved: database or disk is full.")


def test_a_bug_is_said_in_words_and_harms_no_game(
    client: FlaskClient, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = begin(client)
    client.application.testing = False

    def fail() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(desk, "games", fail)
    response = client.get("/")
    assert response.status_code == 500
    assert "The game is as it was" in sentence(response)
    assert client.get(game).status_code == 200
