"""Dice by photograph, as plain requests: sent, read, corrected, accepted."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from flask.testing import FlaskClient
from PIL import Image

from recognizer import hints
from tests.test_desk import picture
from tests.test_pictures import encoded, png_of_declared_size, quarters
from tests.visit import begin, hidden, post, rows, sentence, shown, upload
from web import desk as desks
from web import photos, words
from web.desk import Desk


@pytest.mark.parametrize("language", words.load().values(), ids=lambda language: language.code)
def test_every_hint_of_the_eye_has_its_advice_in_every_language(language: words.Language) -> None:
    assert set(photos.ADVICE) == set(hints.CODES)
    said = {language.say(sentence) for sentence in photos.ADVICE.values()}
    assert len(said) == len(hints.CODES)
    assert said.isdisjoint(photos.ADVICE.values()) == (language.code != words.SOURCE)


def test_a_photo_is_read_shown_accepted_and_kept_with_the_roll(client: FlaskClient) -> None:
    game = begin(client)
    review = shown(client, game)
    page = client.get(review)
    assert page.text.count('class="read"') == 4
    assert page.text.count('<a href="#spot-4" class="doubtful"') == 1
    assert "Please check the dice with a question mark." in page.text
    assert "The picture is dark. More light helps." in page.text
    fields = hidden(page)
    assert (fields["dice"], fields["throw"]) == ("11126", "1")
    assert client.post(review, data=fields).status_code == 303
    table = client.get(game)
    assert rows(table)["Ones"] == ["3", ""]
    shot = client.get(f"{review}.jpg")
    assert client.get(review).location == f"{game}/history/1", "it is not offered a second time"
    assert f'href="{game}/history/1"' in table.text
    assert (shot.mimetype, shot.data[:3]) == ("image/jpeg", b"\xff\xd8\xff")
    shot.close()


def test_a_die_of_a_photo_is_corrected_with_the_likeliest_first(client: FlaskClient) -> None:
    game = begin(client)
    review = shown(client, game)
    bar = client.get(review).text.split('id="spot-4"')[1].split('class="bar"')[0]
    links = re.findall(r'href="([^"]+dice=\d+)"', bar)
    assert [link[-1] for link in links] == ["6", "5", "1", "2", "3", "4"]
    page = client.get(links[1])
    assert hidden(page)["dice"] == "11125"
    assert "question mark" not in page.text


def test_dice_of_a_photo_are_taken_away_and_added_and_the_count_is_said(client: FlaskClient) -> None:
    game = begin(client)
    review = shown(client, game)
    without = client.get(review, query_string={"dice": "1x126"})
    assert sentence(without) == "1 die is missing: this game has 5. Add it with +."
    assert "disabled" in without.text.split('class="accept"')[1].split("</form>")[0]
    added = client.get(review, query_string={"dice": "1x1264"})
    assert hidden(added)["dice"] == "11246"
    assert not sentence(added)
    many = client.get(review, query_string={"dice": "1112644"})
    assert "2 dice too many" in sentence(many)
    away = re.findall(r'href="([^"]+)"[^>]*>\s*<svg[^>]*><use href="#i-cross"/></svg> Not a die', many.text)
    assert [link.rsplit("=", 1)[-1] for link in away][-2:] == ["111264", "111264"]


def test_a_wrong_number_of_dice_is_refused_even_when_sent(client: FlaskClient) -> None:
    game = begin(client)
    review = shown(client, game)
    fields = hidden(client.get(review)) | {"dice": "111"}
    response = client.post(review, data=fields)
    assert response.status_code == 422
    assert sentence(response) == "This game is played with 5 dice, not 3."


@pytest.mark.parametrize("signs", ["111", "11126" + "1" * 9, "11127", "1112?", "11126x", "xxxxxx"])
def test_corrections_that_fit_no_photo_lead_nowhere(client: FlaskClient, signs: str) -> None:
    game = begin(client)
    assert client.get(shown(client, game), query_string={"dice": signs}).status_code == 404


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "The file is empty."),
        (b"this is a letter", "This is not a picture in a format that can be read"),
        (picture()[:60], "cannot be read"),
        (b"\xff\xd8\xff\xe0" + b"\0" * 500, "not a picture"),
        (picture(4, 4), "too small"),
    ],
)
def test_an_upload_that_is_no_picture_is_said_in_words_and_changes_nothing(
    client: FlaskClient, desk: Desk, data: bytes, words: str
) -> None:
    game = begin(client)
    response = upload(client, game, data)
    assert response.status_code == 422
    assert words in sentence(response)
    assert len(desk.history(game.rsplit("/", 1)[-1]).entries) == 1


def wide_grey() -> Image.Image:
    return Image.fromarray(np.full((60, 80), 40_000, np.uint16))


@pytest.mark.parametrize(
    ("data", "is_read"),
    [
        pytest.param(b"", False, id="zero bytes"),
        pytest.param(picture(400, 300)[:200], False, id="cut off"),
        pytest.param(encoded(quarters(), "JPEG")[:700], False, id="cut off JPEG"),
        pytest.param(png_of_declared_size(50_000, 50_000), False, id="bomb"),
        pytest.param(encoded(quarters(), "PDF"), False, id="document"),
        pytest.param(encoded(quarters(), "TIFF"), False, id="other format"),
        pytest.param(b"<svg xmlns='http://www.w3.org/2000/svg'/>", False, id="drawing"),
        pytest.param(encoded(quarters(), "GIF", save_all=True, append_images=[quarters("L")]), True, id="animated"),
        pytest.param(encoded(wide_grey(), "PNG"), True, id="16 bits"),
        pytest.param(encoded(quarters("CMYK"), "JPEG"), True, id="CMYK"),
    ],
)
def test_after_every_kind_of_bad_or_odd_picture_the_next_good_one_is_read(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, data: bytes, is_read: bool
) -> None:
    monkeypatch.setattr(desks, "PATIENCE", 0.1)  # seconds that the next one would wait for this one
    game = begin(client)
    for _ in range(2):
        response = upload(client, game, data, "dice.jpg")
        assert (response.status_code, bool(sentence(response))) == ((303, False) if is_read else (422, True))
    assert hidden(client.get(shown(client, game)))["dice"] == "11126"


def test_no_upload_at_all_is_said_in_words(client: FlaskClient) -> None:
    game = begin(client)
    assert sentence(upload(client, game, b"", "")) == "Choose a picture first."


def test_an_enormous_upload_is_refused_in_words(client: FlaskClient) -> None:
    game = begin(client)
    assert client.application.config["MAX_CONTENT_LENGTH"] == 25 * 1024 * 1024
    client.application.config["MAX_CONTENT_LENGTH"] = 1000
    response = upload(client, game, b"\0" * 1000)
    assert response.status_code == 413
    assert sentence(response) == "The picture is larger than 25 MB. Choose a smaller one."


def test_no_picture_is_reached_by_guessing(client: FlaskClient) -> None:
    game = begin(client)
    shown(client, game)
    for name in ("x" * 20, "waiting", "..%2Fsecret", "%2e%2e"):
        assert client.get(f"{game}/photo/{name}.jpg").status_code == 404
        assert client.get(f"{game}/photo/{name}").status_code == 404


def test_a_picture_is_shown_at_its_own_table_only(client: FlaskClient) -> None:
    game, other = begin(client), begin(client)
    review = shown(client, game)
    client.post(review, data=hidden(client.get(review)))
    name = review.rsplit("/", 1)[-1]
    with client.get(f"{game}/photo/{name}.jpg") as answer:
        assert answer.status_code == 200
    for address in (f"{other}/photo/{name}", f"{other}/photo/{name}.jpg", f"/g/nothing/photo/{name}.jpg"):
        assert client.get(address).status_code == 404


def test_a_roll_that_was_refused_leaves_its_photo_to_be_used_again(client: FlaskClient) -> None:
    game = begin(client)
    review = shown(client, game)
    fields = hidden(client.get(review))
    assert client.post(review, data=fields | {"throw": "9"}).status_code == 422
    assert hidden(client.get(review))["dice"] == fields["dice"]
    assert client.post(review, data=hidden(client.get(review))).status_code == 303


def test_trying_kast_leads_straight_to_the_example_pictures(client: FlaskClient) -> None:
    response = client.post("/try", data=hidden(client.get("/"), "try"))
    assert response.status_code == 303
    assert str(response.location).endswith("/photo")


def test_example_pictures_are_offered_where_the_dice_are_as_many_and_are_read_like_any_other(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "examples.json").write_text(
        '[{"file": "five.png", "values": [1, 2, 3, 4, 5]}, {"file": "six.png", "values": [1, 2, 3, 4, 5, 6]}]'
    )
    (tmp_path / "five.png").write_bytes(picture())
    monkeypatch.setattr(photos, "EXAMPLES", tmp_path)
    game = begin(client)
    page = client.get(f"{game}/photo")
    assert 'value="five.png"' in page.text
    assert "six.png" not in page.text
    fields = hidden(page, "photo")
    assert client.post(f"{game}/photo", data=fields | {"example": "five.png"}).status_code == 303
    assert client.post(f"{game}/photo", data=fields | {"example": "../secret"}).status_code == 404


def test_old_pictures_are_deleted_and_their_rolls_stay(client: FlaskClient, desk: Desk, tmp_path: Path) -> None:
    game = begin(client)
    review = shown(client, game)
    client.post(review, data=hidden(client.get(review)))
    waiting = shown(client, game)
    now = datetime.now(UTC)
    desk.pictures.forget(now - timedelta(minutes=1))
    with client.get(f"{review}.jpg") as answer:
        assert answer.status_code == client.get(waiting).status_code == 200
    desk.pictures.forget(now + timedelta(minutes=1))
    assert client.get(f"{review}.jpg").status_code == client.get(waiting).status_code == 404
    assert [path.name for path in (tmp_path / "pictures").rglob("*")] == ["waiting"]
    table = client.get(game)
    assert "/photo/" not in table.text.replace(f'{game}/photo"', "")
    assert rows(table)["Ones"] == ["3", ""]


def test_a_tap_on_a_die_of_a_photo_offers_the_likeliest_face_first_on_the_game_page_too(client: FlaskClient) -> None:
    game = begin(client)
    review = shown(client, game)
    client.post(review, data=hidden(client.get(review)))

    def offered(place: int) -> list[str]:
        bar = client.get(game).text.partition(f'id="die-{place}"')[2].partition("</form>")[0]
        return re.findall(r'name="face" value="(\d)"', bar)

    assert offered(3) == ["2", "5", "1", "3", "4", "6"], "what was read, then the runner-up that is worth naming"
    assert offered(4) == ["6", "5", "1", "2", "3", "4"]
    post(client, game, "reread", dice="11126", die="4", face="3", throw="1")
    assert offered(4) == ["1", "2", "3", "4", "5", "6"], "of a face that nobody saw there is nothing to say"
    post(client, game, "roll", dice="11166", throw="2")
    assert offered(0) == ["1", "2", "3", "4", "5", "6"]
