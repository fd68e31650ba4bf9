"""What was thrown before, and the pictures of it, as plain requests without scripts."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient

from tests.visit import begin, hidden, post, shown
from web import past, words
from web.desk import Desk


def show(client: FlaskClient, game: str, dice: str = "") -> None:
    """A roll by photo: 1 1 1 2 6, or these dice after a correction."""
    review = shown(client, game)
    fields = hidden(client.get(review))
    assert client.post(review, data=fields | ({"dice": dice} if dice else {})).status_code == 303


def plain(text: str) -> str:
    """What a page says, without its marks."""
    body = "<main" + text.partition("<main")[2].partition("</main>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


@pytest.fixture
def played(client: FlaskClient) -> str:
    """A game in which Anna has thrown by photo, then by hand, and written; and Bo has thrown by photo."""
    game = begin(client)
    show(client, game)
    post(client, game, "roll", dice="11134", throw="2")
    post(client, game, "score", box="ones", points="3")
    show(client, game, "11225")
    return game


def test_the_game_so_far_tells_every_turn_with_its_throws_the_newest_first(client: FlaskClient, played: str) -> None:
    page = client.get(f"{played}/history").text
    assert plain(page) == (
        "Bo turn 1 of 15 Throw 1 of 3 The photo of throw 1 Anna Ones 3 Throw 1 of 3 The photo of throw 1 Throw 2 of 3"
    )
    assert re.findall(r'class="faces" role="img" aria-label="([^"]+)"', page) == [
        "1, 1, 2, 2, 5", "1, 1, 1, 2, 6", "1, 1, 1, 3, 4",
    ]  # fmt: skip
    assert re.findall(rf'href="{played}/history/(\d+)"', page) == ["4", "1"], "the throw by hand has no picture"
    assert f'href="{played}/cell/0/ones"' in page


def test_the_game_page_leads_to_the_game_so_far_and_a_cell_to_its_throws(client: FlaskClient, played: str) -> None:
    assert f'href="{played}/history"' in client.get(played).text
    cell = client.get(f"{played}/cell/0/ones").text
    assert f'href="{played}/history/1"' in cell
    assert "history/4" not in cell
    assert "Throw" not in plain(client.get(f"{played}/cell/0/twos").text)


def test_the_picture_of_a_throw_shows_each_die_with_what_was_read_and_what_came_of_it(
    client: FlaskClient, played: str
) -> None:
    answer = client.get(f"{played}/history/1")
    assert answer.status_code == 200
    assert "Anna: Ones turn 1 of 15 · Throw 1 of 3" in " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())
    assert plain(answer.text).startswith("1 1 1 2 6? 1 1 1 2 6? Kast was not sure of the dice with a question mark.")
    assert "Anna threw again. Anna wrote 3 in Ones." in plain(answer.text)
    assert "Corrected by hand" not in answer.text
    assert answer.text.count('class="frame"') == 5
    assert f'href="{played}/cell/0/ones"' in answer.text
    (address,) = set(re.findall(r'<image [^>]*href="([^"]+)"', answer.text))
    with client.get(address) as picture:
        assert picture.mimetype == "image/jpeg"


def test_a_die_that_was_corrected_is_told_beside_what_was_read(client: FlaskClient, played: str) -> None:
    show(client, played, "11333")
    page = client.get(f"{played}/history/5").text
    assert "Corrected by hand, it counts as" in page
    assert 'aria-label="1, 1, 3, 3, 3"' in page
    assert "This turn is still going on." in page
    assert f'<a class="button" href="{played}">To the game</a>' in page


def test_one_leafs_through_the_pictures_of_a_game(client: FlaskClient, played: str) -> None:
    first, last = client.get(f"{played}/history/1").text, client.get(f"{played}/history/4").text
    assert f'href="{played}/history/4" rel="next"' in first
    assert 'rel="prev"' not in first
    assert f'href="{played}/history/1" rel="prev"' in last
    assert 'rel="next"' not in last


def test_a_picture_that_has_been_deleted_is_offered_nowhere_and_its_page_says_so(
    client: FlaskClient, desk: Desk, played: str
) -> None:
    desk.pictures.forget(datetime.now(UTC) + timedelta(minutes=1))
    for page in (played, f"{played}/history", f"{played}/cell/0/ones"):
        assert f"{played}/history/" not in client.get(page).text
    answer = client.get(f"{played}/history/1")
    assert answer.status_code == past.GONE
    assert "The photo of this roll has been deleted. The roll itself stays." in answer.text
    assert "<image" not in answer.text
    assert 'aria-label="1, 1, 1, 2, 6"' in answer.text
    assert "Anna wrote 3 in Ones." in answer.text


def test_a_single_picture_can_be_deleted_and_the_others_stay(client: FlaskClient, desk: Desk, played: str) -> None:
    form = hidden(client.get(f"{played}/history/1"), "delete")
    assert client.post(f"{played}/history/1/delete", data=form | {"token": "another"}).status_code == 400
    assert client.get(f"{played}/history/1").status_code == 200
    assert client.post(f"{played}/history/1/delete", data=form).location == f"{played}/history"
    assert client.get(f"{played}/history/1").status_code == past.GONE
    assert client.post(f"{played}/history/1/delete", data=form).status_code == 303, "it is gone already"
    assert client.get(f"{played}/history/4").status_code == 200
    for seq in (0, 2, 99):
        assert client.post(f"{played}/history/{seq}/delete", data=form).status_code == 404
    assert len(desk.history(played.rsplit("/", 1)[-1]).entries) == 5


def test_the_picture_of_a_roll_that_was_taken_back_says_so(client: FlaskClient, played: str) -> None:
    post(client, played, "rewind", to="0")
    assert plain(client.get(f"{played}/history").text) == "Nothing has been thrown yet."
    assert "This roll was taken back." in client.get(f"{played}/history/1").text


@pytest.mark.parametrize("seq", ["0", "2", "3", "99", "-1", "x"])
def test_what_is_no_throw_with_a_picture_has_no_page(client: FlaskClient, played: str, seq: str) -> None:
    assert client.get(f"{played}/history/{seq}").status_code == 404


def test_who_does_not_know_the_table_sees_nothing_of_it(client: FlaskClient, played: str) -> None:
    for address in ("/g/nothing/history", "/g/nothing/history/1"):
        assert client.get(address).status_code == 404


@pytest.mark.parametrize("code", words.load())
def test_the_pages_are_there_in_every_language_and_hold_no_inline_script_or_style(
    client: FlaskClient, played: str, code: str
) -> None:
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = code
    for address in (f"{played}/history", f"{played}/history/1"):
        page = client.get(address).text
        assert f'<html lang="{code}">' in page
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page), address
