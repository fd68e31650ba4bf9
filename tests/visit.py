"""Visits the pages as a browser without scripts would: fills in the page's own forms, and reads what is shown."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from io import BytesIO
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.test_desk import picture
from web import codes


class Forms(HTMLParser):
    """The forms of a page: where each goes, and what it carries."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {key: value or "" for key, value in attrs}
        if tag == "form":
            self.all.append((given.get("action", ""), {}))
        elif tag == "input" and self.all and "name" in given and (given.get("type") == "hidden" or "checked" in given):
            self.all[-1][1][given["name"]] = given.get("value", "")


def hidden(response: TestResponse, action: str = "") -> dict[str, str]:
    """What the first form with this in its address carries."""
    return next(dict(fields) for to, fields in Forms(response.text).all if action in to)


def begin(client: FlaskClient, *players: str, rules: str = "yatzy", **options: str) -> str:
    """The address of a new game."""
    fields = hidden(client.get(f"/new/{rules}")) | {"player": list(players or ("Anna", "Bo"))} | options
    response = client.post(f"/new/{rules}", data=fields)
    assert response.status_code == 303, response.text
    return str(response.location)


def code(client: FlaskClient, table: str = "") -> str:
    """The code of a table: that of the house, or the one with this id."""
    return codes.code(client.application.config["SECRET_KEY"], table)


def join(client: FlaskClient, game: str, **options: Any) -> TestResponse:
    """This browser has scanned the code of the table at which the game with this address is played. `options` as for
    a request: base_url, where cookies are kept for; environ_base, for where it asks from."""
    table = client.application.extensions["kast"].table_of(game.rsplit("/", 1)[-1])
    response = client.get(f"/join/{code(client, table)}{game}", **options)
    assert response.status_code == 303, response.text
    return response


def post(client: FlaskClient, game: str, act: str, **fields: object) -> TestResponse:
    """Send the page's own form for this act, with these fields filled in."""
    own = hidden(client.get(game), "rewind")
    own.pop("to")
    return client.post(f"{game}/{act}", data=own | fields)


def rows(response: TestResponse) -> dict[str, list[str]]:
    """What the sheet shows, by the name of the row."""
    found = {}
    sheet = response.text.partition('id="sheet"')[2].partition("</table>")[0]
    for row in re.findall(r"<tr.*?</tr>", sheet, re.S):
        cells = re.findall(r"<t[hd].*?</t[hd]>", row, re.S)
        plain = [" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in cells]
        found[plain[0]] = plain[1:]
    return found


def throws_left(response: TestResponse) -> list[str]:
    """The throws that are left, for each player, as the tokens say."""
    found = re.findall(r'class="tokens" title="Throws left">(.*?)\n', response.text)
    return [re.sub(r"<[^>]+>|Throws left:", "", text).strip() for text in found]


def sentence(response: TestResponse) -> str:
    """What the page says could not be done."""
    found = re.search(r'role="alert">(.*?)</p>', response.text, re.S)
    return found[1].replace("&#39;", "'") if found else ""


def upload(client: FlaskClient, game: str, data: bytes, name: str = "dice.png") -> TestResponse:
    """Send this file with the form of the photo page."""
    fields = hidden(client.get(f"{game}/photo"), "photo")
    return client.post(f"{game}/photo", data=fields | {"picture": (BytesIO(data), name)})


def shown(client: FlaskClient, game: str) -> str:
    """The address of the review of a picture that was just sent."""
    response = upload(client, game, picture(400, 300))
    assert response.status_code == 303
    return str(response.location)
