"""Games as files, out and in, by the page's own forms; a spreadsheet opens what is meant for one."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.events import Amended, Begun, Rolled, Scored
from scorekeeper.history import Entry
from scorekeeper.log import SqliteLog
from tests.conftest import FIVE
from tests.test_after import ANNA, BO, both, play
from tests.test_desk import FixedReader
from tests.test_solve import SMALL, SMALL_GAMES
from tests.visit import begin, hidden, post, sentence
from web.app import create_app
from web.desk import Desk
from web.pictures import Pictures

GAME = "the-game-of-anna-and-bo"


def cells(response: TestResponse, delimiter: str = ",") -> list[list[str]]:
    text = response.data.decode("utf-8-sig")
    assert response.data.startswith(b"\xef\xbb\xbf"), "a mark by which spreadsheets know the letters"
    return list(csv.reader(io.StringIO(text), delimiter=delimiter))


def bring(client: FlaskClient, data: bytes | str) -> TestResponse:
    fields = hidden(client.get("/history"), "games.json")
    file = io.BytesIO(data.encode() if isinstance(data, str) else data)
    return client.post("/games.json", data=fields | {"file": (file, "games.json")})


@pytest.fixture
def elsewhere(tmp_path: Path) -> FlaskClient:
    """Another Kast, with nothing in it."""
    pictures = Pictures(tmp_path / "there")
    there = Desk(SqliteLog(tmp_path / "there.sqlite3"), pictures, lambda: FixedReader(FIVE))
    return create_app(there, b"another key").test_client()


def test_a_game_is_taken_to_another_kast_and_goes_on_there(
    client: FlaskClient, desk: Desk, elsewhere: FlaskClient
) -> None:
    address = begin(client, "Anna", "Bo")
    post(client, address, "roll", dice="11123", throw="1")
    file = client.get(f"{address}/game.json")
    assert "attachment" in file.headers["Content-Disposition"]
    came = bring(elsewhere, file.data)
    assert (came.status_code, came.location) == (303, address)
    assert elsewhere.get(f"{address}/game.json").data == file.data
    assert post(elsewhere, address, "score", box="ones", points="3").status_code == 303
    assert bring(elsewhere, file.data).location == address
    assert "Bo" in elsewhere.get(address).text


def test_all_games_are_taken_in_one_file_and_once(client: FlaskClient, desk: Desk, elsewhere: FlaskClient) -> None:
    play(desk, GAME, *both(ANNA, BO), players=("Anna", "Bo"))
    play(desk, "another-game-of-anna", *ANNA[:2])
    file = client.get("/games.json")
    page = elsewhere.get(bring(elsewhere, file.data).location).text
    assert "Games that came: 2." in page
    assert "Anna 60, Bo 18" in page
    page = elsewhere.get(bring(elsewhere, file.data).location).text
    assert "Games that came: 0. Games that were here already: 2." in page


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text[: len(text) // 2], "holds no games of Kast"),
        (lambda text: text.replace('"points": 12', '"points": 13'), "damaged, or it was altered"),
        (lambda _text: "Anna;12", "holds no games of Kast"),
        (lambda _text: b"\x89PNG\r\n\x1a\n\xff\xfe", "holds no games of Kast"),
    ],
)
def test_a_file_that_is_damaged_is_refused_in_a_sentence(
    client: FlaskClient, desk: Desk, elsewhere: FlaskClient, change: object, words: str
) -> None:
    play(desk, GAME, *both(ANNA, BO), players=("Anna", "Bo"))
    refused = bring(elsewhere, change(client.get("/games.json").text))  # type: ignore[operator]
    assert refused.status_code == 422
    assert words in sentence(refused)
    assert "No game has been finished yet" in elsewhere.get("/history").text


def test_no_file_is_no_game(client: FlaskClient) -> None:
    refused = client.post("/games.json", data=hidden(client.get("/history"), "games.json"))
    assert (refused.status_code, sentence(refused)) == (422, "Choose a file first.")
    assert client.post("/games.json").status_code == 400, "nor without the page's own form"


def test_a_spreadsheet_opens_the_sheet_with_its_names(client: FlaskClient, desk: Desk) -> None:
    play(desk, GAME, *both(ANNA, BO), Amended(1, "pair", None), players=("Åsa", "Bo"))
    file = client.get(f"/g/{GAME}/sheet.csv")
    assert file.mimetype == "text/csv"
    assert cells(file) == [
        ["Small", "Åsa", "Bo"], ["Ones", "2", "0"], ["Sixes", "12", "6"], ["Upper total", "14", "6"],
        ["Bonus", "20", "0"], ["One pair", "15", ""], ["Chance", "11", "3"], ["Total", "60", "9"],
    ]  # fmt: skip
    swedish = client.get(f"/g/{GAME}/sheet.csv", headers={"Accept-Language": "sv"})
    assert cells(swedish, ";")[1] == ["Ettor", "2", "0"], "where numbers have a comma, cells have a semicolon"


def test_what_a_budget_left_open_is_marked(client: FlaskClient, desk: Desk) -> None:
    rules = SMALL_GAMES["a budget too small for every box"]
    spent: list[Entry] = [Rolled((1, 1), 1), Rolled((1, 1), 2, (1,)), Rolled((1, 1), 3, (1,)), Scored("ones", 2)]
    play(desk, GAME, *spent, rules=rules)
    found = {row[0]: row[1] for row in cells(client.get(f"/g/{GAME}/sheet.csv"))}
    assert (found["Sixes"], found["Extra"]) == ("X", "-30")


@pytest.mark.parametrize("name", ["=1+1", "+46 70", "-Bo", "@Anna", '=HYPERLINK("http://x")'])
def test_a_name_that_looks_like_a_formula_is_shown_and_not_worked_out(
    client: FlaskClient, desk: Desk, name: str
) -> None:
    play(desk, GAME, *ANNA, players=(name,))
    assert cells(client.get(f"/g/{GAME}/sheet.csv"))[0] == ["Small", f"'{name}"]
    assert cells(client.get("/games.csv"))[1][3] == f"'{name}"


def test_all_results_are_lines_of_one_file(client: FlaskClient, desk: Desk) -> None:
    play(desk, GAME, *both(BO, ANNA), players=("Anna", "Bo"))
    play(desk, "going-on-with-this", *ANNA[:2])
    head, *lines = cells(client.get("/games.csv"))
    assert head == ["Date", "Game", "Place", "Player", "Total"]
    assert [line[1:] for line in lines] == [["Small", "1", "Bo", "60"], ["Small", "2", "Anna", "18"]]


def test_what_is_taken_along_tells_nothing_but_the_games(client: FlaskClient, desk: Desk) -> None:
    desk.begin(GAME, "request", Begun(SMALL, ("Anna",)))
    plain = json.loads(client.get(f"/g/{GAME}/game.json").text)
    assert plain.keys() == {"format", "version", "sha256", "games"}
    assert plain["games"][0]["entries"][0].keys() >= {"at", "request", "event", "rules", "players"}
