"""More screens for one game: the codes that lead there, and what each of them shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cryptography import x509
from flask.testing import FlaskClient

from tests.visit import begin, code, hidden, join, post, rows
from web import certificates, network
from web.app import create_app
from web.desk import Desk
from web.https import Https
from web.reach import Reach

HTTPS = "https://192.168.1.20:8443"
PLAIN = "http://192.168.1.20:8123"
ADDRESS = re.compile(r'<p class="address"><a href="([^"]*)"')
OTHERS = re.compile(r'<li class="address"><a href="([^"]*)"')


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, at_home: None) -> None:
    """A computer with an address of a home network and one of a tunnel."""
    monkeypatch.setattr(network, "hosts", lambda _served: ["192.168.1.20", "10.8.0.2", "kitchen.local"])


@pytest.fixture
def visitor(desk: Desk, tmp_path: Path, house: None) -> FlaskClient:
    https = Https(tmp_path / "certificates", "127.0.0.1")
    https.port = 8443
    app = create_app(desk, b"a key for tests", https, reached=Reach("", 8123))
    app.testing = True
    return app.test_client()


@pytest.mark.parametrize("opened", ["http://localhost:8123", "http://127.0.0.1:8123", PLAIN, HTTPS])
def test_the_start_page_shows_a_code_with_the_address_of_the_home_network_and_lists_others(
    visitor: FlaskClient, opened: str
) -> None:
    page = visitor.get("/", base_url=opened).text
    assert ADDRESS.findall(page) == [f"{PLAIN}/"]
    assert OTHERS.findall(page) == ["http://10.8.0.2:8123/", "http://kitchen.local:8123/"]
    assert '<div class="code" role="img" aria-label="A code that leads to this page"><svg' in page


def test_an_address_by_which_a_tablet_got_here_is_shown_and_a_name_is_among_the_others(visitor: FlaskClient) -> None:
    assert ADDRESS.findall(visitor.get("/", base_url="http://192.168.7.7:8123").text) == ["http://192.168.7.7:8123/"]
    page = visitor.get("/", base_url="http://kitchen.lan:8123").text
    assert ADDRESS.findall(page) == [f"{PLAIN}/"]
    assert OTHERS.findall(page)[-1] == "http://kitchen.lan:8123/"


def test_a_computer_that_is_in_no_network_says_so_and_shows_no_code(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "hosts", lambda _served: [])
    page = client.get("/", base_url="http://localhost:8123").text
    assert "Other devices cannot open Kast at the moment" in page
    assert 'class="code"' not in page


def test_a_code_of_a_game_leads_a_phone_to_the_choice_what_it_shows_in_the_same_language(visitor: FlaskClient) -> None:
    game = begin(visitor)
    address = f"{PLAIN}/join/{code(visitor)}{game}/seat?language=en"
    assert f'<a class="code" href="{address}"><svg' in visitor.get(f"{game}/code").text
    reached = visitor.get(address, follow_redirects=True)
    assert (reached.status_code, reached.request.path) == (200, f"{game}/seat")
    assert "Only Anna" in reached.text


def test_a_phone_becomes_the_camera_of_a_game_by_one_code(visitor: FlaskClient) -> None:
    game = begin(visitor)
    page = visitor.get(f"{game}/code")
    address = f"{HTTPS}/join/{code(visitor)}{game}/camera?language=en"
    assert f'<a class="code" href="{address}"><svg' in page.text
    assert f"{PLAIN}/trust" in page.text
    reached = visitor.get(address, follow_redirects=True)
    assert (reached.status_code, reached.request.path) == (200, f"{game}/camera")
    assert f'data-url="{game}/camera/"' in reached.text


def test_without_https_there_is_no_code_for_the_camera_but_a_sentence(client: FlaskClient, house: None) -> None:
    page = client.get(f"{begin(client)}/code")
    assert (page.status_code, page.text.count('class="code"')) == (200, 1)
    assert "There is no secure page" in page.text


def sit(client: FlaskClient, game: str, player: object) -> int:
    """Choose what this screen shows; the status of the answer."""
    return client.post(f"{game}/seat", data=hidden(client.get(f"{game}/seat")) | {"player": player}).status_code


def test_a_phone_shows_its_players_own_sheet_what_the_others_have_and_who_throws(visitor: FlaskClient) -> None:
    game = begin(visitor)
    assert sit(visitor, game, 1) == 303
    post(visitor, game, "roll", dice="11123", throw="2")
    page = visitor.get(game)
    assert [len(cells) for cells in rows(page).values()] == [1] * 19
    assert "<h2>Anna throws</h2>" in page.text
    assert 'role="img" aria-label="1, 1, 1, 2, 3"' in page.text
    assert "Throw 2 of 3" in page.text
    assert not re.search(r'id="(write|die|throw)\b', page.text), "it is not this player's turn"
    post(visitor, game, "score", box="ones", points="3")
    page = visitor.get(game)
    assert re.findall(r"<li[^>]*>(\w+) <b>(\d+)</b></li>", page.text) == [("Anna", "3"), ("Bo", "0")]
    assert 'id="hand"' in page.text, "now it is"


def test_every_screen_chooses_for_itself_and_for_one_game(visitor: FlaskClient) -> None:
    game, other = begin(visitor), begin(visitor)
    tablet = visitor.application.test_client()
    join(tablet, game)
    assert sit(visitor, game, 0) == 303
    assert len(rows(visitor.get(game))["Ones"]) == 1
    assert len(rows(tablet.get(game))["Ones"]) == 2
    assert len(rows(visitor.get(other))["Ones"]) == 2
    assert sit(visitor, game, "") == 303
    assert len(rows(visitor.get(game))["Ones"]) == 2


@pytest.mark.parametrize("player", [2, -1, "x", "²"])
def test_a_seat_that_is_not_there_is_refused_and_the_screen_shows_what_it_did(
    visitor: FlaskClient, player: object
) -> None:
    game = begin(visitor)
    sit(visitor, game, 1)
    assert sit(visitor, game, player) == 400
    assert rows(visitor.get(game))[""] == ["Bo"]


def test_a_player_who_is_called_otherwise_keeps_the_screen(visitor: FlaskClient) -> None:
    game = begin(visitor)
    sit(visitor, game, 1)
    post(visitor, game, "players/1", name="Bosse")
    assert rows(visitor.get(game))[""] == ["Bosse"]


def test_the_secure_address_that_a_phone_is_told_stands_in_the_certificate(tmp_path: Path, desk: Desk) -> None:
    https = Https(tmp_path / "certificates", "0.0.0.0", "192.168.9.9")
    https.port = 8443
    client = create_app(desk, b"a key for tests", https, reached=Reach("0.0.0.0", 8123, "192.168.9.9")).test_client()
    page = client.get(f"{begin(client)}/code", base_url="http://localhost:8123").text
    assert 'href="https://192.168.9.9:8443/' in page
    leaf = certificates.Signed.from_pem((tmp_path / "certificates" / certificates.SERVER).read_bytes())
    held = leaf.certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert "192.168.9.9" in map(str, held.get_values_for_type(x509.IPAddress))
