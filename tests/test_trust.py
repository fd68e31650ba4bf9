"""How a device comes to trust this computer, as plain requests; and that a certificate follows the addresses."""

from __future__ import annotations

import re
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from flask.testing import FlaskClient

from tests.visit import begin, code, hidden, join, sentence
from web import network
from web.app import create_app
from web.desk import Desk
from web.https import Https

HTTPS = "https://192.168.1.20:8443"
PLAIN = "http://192.168.1.20:8123"


@pytest.fixture
def https(tmp_path: Path) -> Https:
    made = Https(tmp_path / "certificates", "127.0.0.1")
    made.port = 8443
    return made


@pytest.fixture
def visitor(desk: Desk, https: Https, at_home: None) -> FlaskClient:
    app = create_app(desk, b"a key for tests", https)
    app.testing = True
    return app.test_client()


def test_where_the_camera_cannot_work_the_page_says_so_and_what_to_do_and_offers_the_photo(
    visitor: FlaskClient, https: Https
) -> None:
    game = begin(visitor)
    join(visitor, game, base_url=PLAIN)
    page = visitor.get("/trust", query_string={"game": game.rsplit("/", 1)[-1]}, base_url=PLAIN)
    assert "On this page the camera cannot be used" in page.text
    assert page.text.count('<ol class="steps">') == 2, "iOS and Android"
    assert f"Switch on “{https.name}”." in page.text
    assert f'href="{HTTPS}/join/{code(visitor)}{game}?language=en"' in page.text
    assert 'type="file"' in page.text
    assert f'action="{game}/photo"' in page.text
    assert page.text.index('type="file"') < page.text.index('class="steps"'), "what works at once comes first"


@pytest.mark.parametrize(
    ("device", "opened"),
    [
        ("Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0", "Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15", "iPhone, iPad"),
        ("", "iPhone, iPad"),
    ],
)
def test_the_steps_for_the_device_at_hand_lie_open(visitor: FlaskClient, device: str, opened: str) -> None:
    page = visitor.get("/trust", base_url=PLAIN, headers={"User-Agent": device}).text
    assert re.findall(r"<details open>\s*<summary>([^<]+)</summary>", page) == [opened]


def test_where_the_camera_works_the_page_says_so(visitor: FlaskClient) -> None:
    for address in (HTTPS, "http://localhost:8123", "http://127.0.0.1:8123", "http://[::1]:8123"):
        page = visitor.get("/trust", base_url=address).text
        assert "This page is secure: the camera can be used here." in page, address
        assert "the camera cannot be used" not in page
        assert '<section class="step js nocam" aria-labelledby="photo">' in page, "only for a browser without cameras"


def test_the_authority_is_downloaded_in_the_form_that_devices_install(visitor: FlaskClient, https: Https) -> None:
    answer = visitor.get("/trust/kast.crt", base_url=PLAIN)
    assert answer.mimetype == "application/x-x509-ca-cert"
    assert x509.load_der_x509_certificate(answer.data).subject.rfc4514_string() == f"CN={https.name}"


def test_without_https_the_page_says_so_and_has_nothing_to_download(client: FlaskClient, at_home: None) -> None:
    assert "There is no secure page at the moment." in client.get("/trust", base_url=PLAIN).text
    assert client.get("/trust/kast.crt").status_code == 404


def test_a_game_that_is_not_there_is_said_in_words(visitor: FlaskClient) -> None:
    answer = visitor.get("/trust?game=nothing")
    assert (answer.status_code, sentence(answer)) == (404, "There is no such page or game here.")


def test_the_language_chosen_on_http_goes_along_to_https(visitor: FlaskClient) -> None:
    visitor.post(
        "/language", data=hidden(visitor.get("/", base_url=PLAIN), "language") | {"code": "sv"}, base_url=PLAIN
    )
    link = visitor.get("/trust", base_url=PLAIN).text.split('href="https://')[1].split('"')[0]
    came = visitor.get(f"https://{link}", follow_redirects=True)
    assert came.request.url == f"{HTTPS}/"
    assert '<html lang="sv">' in came.text


def test_a_browser_plays_on_http_and_on_https_side_by_side(visitor: FlaskClient) -> None:
    for address in (PLAIN, HTTPS, PLAIN):
        fields = hidden(visitor.get("/new/yatzy", base_url=address)) | {"player": "Anna"}
        assert visitor.post("/new/yatzy", data=fields, base_url=address).status_code == 303, address
    assert visitor.get_cookie("__Host-kast", domain="192.168.1.20")
    assert visitor.get_cookie("kast", domain="192.168.1.20")


def test_the_certificate_follows_the_addresses_while_it_is_served(
    https: Https, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "own_names", lambda *_hosts: ["10.0.0.7"])
    authority = https.authority
    https.renew()
    assert https.authority == authority
    trusting = ssl.create_default_context(cadata=authority)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting.wrap_bio(to_client, to_server, server_hostname="10.0.0.7")
    serving = https.context.wrap_bio(to_server, to_client, server_side=True)
    for _turn in range(3):
        for side in (client, serving):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    assert dict(client.getpeercert() or {})["subjectAltName"] == (("IP Address", "10.0.0.7"),)


def test_every_page_of_a_game_with_a_foot_leads_to_its_code(visitor: FlaskClient) -> None:
    game = begin(visitor)
    name = game.rsplit("/", 1)[-1]
    for page in (f"{game}/players", f"{game}/history"):
        assert f'href="/trust?game={name}"' in visitor.get(page).text
    assert 'href="/trust"' in visitor.get("/").text
    assert f'href="{game}/code"' in visitor.get(f"/trust?game={name}").text


def test_the_pages_of_the_camera_hold_no_inline_script_or_style(visitor: FlaskClient) -> None:
    game = begin(visitor)
    join(visitor, game, base_url=HTTPS)
    for address in (f"/trust?game={game.rsplit('/', 1)[-1]}", f"{game}/code", f"{game}/camera", game):
        page = visitor.get(address, base_url=HTTPS).text
        assert "<svg" in page
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page), address
