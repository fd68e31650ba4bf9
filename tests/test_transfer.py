"""What answers weigh: text comes compressed to whoever can take it, files are kept for good, and pages never are."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from flask.testing import FlaskClient
from werkzeug.datastructures import Headers

from tests.visit import begin, hidden, post
from web.transfer import version

MOST = 75_000  # bytes of a game's page with everything that it asks for, without photos: half of what was promised
TWELVE = ("Anna", "Bo", "Cecilia", "David", "Eva", "Fredrik", "Greta", "Hugo", "Ida", "Johan", "Karin", "Ludvig")
SQUEEZED = {"Accept-Encoding": "gzip, deflate, br"}


def asked_for(page: str) -> set[str]:
    """The addresses of what a browser fetches to show this page."""
    links = re.findall(r"<link [^>]*>|<script [^>]*>|<img [^>]*>", page)
    return {found for link in links for found in re.findall(r'(?:href|src)="([^"#]+)"', link)}


def fetched(client: FlaskClient, address: str, headers: dict[str, str] | None = None) -> tuple[bytes, Headers]:
    """The body of an answer as it travels, and its headers."""
    with client.get(address, headers=headers) as answer:
        assert answer.status_code == 200, address
        return answer.data, answer.headers


def weight(client: FlaskClient, address: str) -> int:
    """Bytes of the bodies that are transferred when a browser opens this page for the first time."""
    answer = client.get(address, headers=SQUEEZED)
    parts = asked_for(gzip.decompress(answer.data).decode())
    assert len(parts) >= 6, "style, scripts, manifest and icons"
    return len(answer.data) + sum(len(fetched(client, part, SQUEEZED)[0]) for part in parts)


def test_a_page_is_light_even_of_the_largest_game_in_its_middle(client: FlaskClient) -> None:
    game = begin(client, *TWELVE, rules="maxi-yatzy")
    for _player in TWELVE:
        post(client, game, "roll", dice="123456", throw="3")
        post(client, game, "score", box="chance", points="21")
    post(client, game, "roll", dice="123456", throw="1")
    assert weight(client, game) <= MOST
    assert weight(client, "/") <= MOST


def test_what_is_compressed_is_the_same_and_is_told_to_caches(client: FlaskClient) -> None:
    plain = client.get("/trust")
    small = client.get("/trust", headers=SQUEEZED)
    assert [answer.content_encoding for answer in (plain, small)] == [None, "gzip"]
    assert int(small.headers["Content-Length"]) == len(small.data) < len(plain.data) / 2
    masked = re.compile(r'name="(token|request)" value="[^"]*"')
    assert masked.sub("", gzip.decompress(small.data).decode()) == masked.sub("", plain.text)
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Accept-Encoding" in small.headers["Vary"]


def test_pictures_and_what_is_tiny_are_sent_as_they_are(client: FlaskClient) -> None:
    game = begin(client)
    for address in (f"{game}/seq", next(part for part in asked_for(client.get("/").text) if part.endswith(".png"))):
        assert "Content-Encoding" not in fetched(client, address, SQUEEZED)[1]


def test_files_are_kept_for_good_by_an_address_that_changes_with_them_and_pages_are_not_kept(
    client: FlaskClient, tmp_path: Path
) -> None:
    page = client.get("/")
    style = next(part for part in asked_for(page.text) if part.endswith(".css"))
    assert fetched(client, style)[1]["Cache-Control"] == "public, max-age=31536000, immutable"
    assert page.headers["Cache-Control"] == "no-store"
    assert client.get("/static/kast.css").status_code == 404
    (tmp_path / "a.css").write_text("a { color: red }")
    before = version(tmp_path)
    assert version(tmp_path) == before
    (tmp_path / "a.css").write_text("a { color: tan }")
    assert version(tmp_path) != before


def test_the_token_of_a_form_looks_otherwise_each_time_and_any_of_them_is_good(client: FlaskClient) -> None:
    """Its length in a compressed page tells nothing, then."""
    game = begin(client)
    first, second = (hidden(client.get(game), "roll") for _ in range(2))
    assert first["token"] != second["token"]
    assert client.post(f"{game}/roll", data=first | {"dice": "11123", "throw": "1"}).status_code == 303
    for wrong in ("", "x", "!", "AAAA", first["token"][:-4], "é"):
        assert client.post(f"{game}/roll", data=second | {"dice": "11123", "token": wrong}).status_code == 400
