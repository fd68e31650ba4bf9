"""The pages, as plain requests: every route, every refusal. Nothing here runs a script, and everything works."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from recognizer import hints
from recognizer.reader import Die, Reading
from scorekeeper.game import Scored
from scorekeeper.games import GAMES
from scorekeeper.log import SqliteLog
from scorekeeper.refusal import Unsaved
from tests.test_desk import FixedReader, picture
from web import photos, security
from web.app import create_app
from web.desk import Desk
from web.pictures import Pictures

UNSAVED = "This could not be saved: {reason}. The game is as it was."
FIVE = Reading(
    tuple(
        Die(face, (0.1 + 0.15 * n, 0.3, 0.1, 0.15), 0.99 if face < 6 else 0.6, ((5, 0.3), (1, 0.001)))
        for n, face in enumerate((1, 1, 1, 2, 6))
    ),
    False,
    ("dark",),
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(SqliteLog(tmp_path / "kast.sqlite3"), Pictures(tmp_path / "pictures"), lambda: FixedReader(FIVE))
    yield made
    made.close()


@pytest.fixture
def client(desk: Desk) -> FlaskClient:
    app = create_app(desk, b"a key for tests")
    app.testing = True
    return app.test_client()


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


def post(client: FlaskClient, game: str, act: str, **fields: object) -> TestResponse:
    """Send the page's own form for this act, with these fields filled in."""
    own = hidden(client.get(game), "rewind")
    own.pop("to")
    return client.post(f"{game}/{act}", data=own | fields)


def rows(response: TestResponse) -> dict[str, list[str]]:
    """What the sheet shows, by the name of the row."""
    found = {}
    for row in re.findall(r"<tr.*?</tr>", response.text, re.S):
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


def test_the_start_page_offers_every_game_and_lists_those_going_on(client: FlaskClient) -> None:
    game = begin(client, "Farmor", "Alva")
    page = client.get("/").text
    for printed in GAMES.values():
        assert f"/new/{printed.rules.key}" in page
    assert game in page
    assert "Farmor, Alva" in page


@pytest.mark.parametrize("key", GAMES)
def test_every_option_of_every_game_can_be_chosen_in_its_form(client: FlaskClient, key: str) -> None:
    page = client.get(f"/new/{key}").text
    for option in GAMES[key].options:
        assert f'name="{option.key}"' in page
    assert page.count('name="player"') == 12


def test_the_choices_made_are_the_rules_of_the_game(client: FlaskClient, desk: Desk) -> None:
    game = begin(client, rules="maxi-yatzy", bonus="tactic", saved_rerolls="false", order="forced", bonus_at="60")
    rules = desk.history(game.rsplit("/", 1)[-1]).game.rules
    assert (rules.bonus.at, rules.bonus.points, rules.saves_rerolls, str(rules.order)) == (60, 50, False, "forced")


def test_the_worth_of_a_throw_must_be_agreed(client: FlaskClient) -> None:
    page = client.get("/new/stratzy")
    assert "required" in page.text.split('name="value"')[1][:40]
    fields = hidden(page) | {"player": ["Anna"]}
    refused = client.post("/new/stratzy", data=fields)
    assert refused.status_code == 422
    assert "What is each throw left worth" in sentence(refused)
    assert client.post("/new/stratzy", data=fields | {"value": "5"}).status_code == 303


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"player": []}, "1 to 12 players"),
        ({"player": ["Anna", "anna"]}, "called anna already"),
        ({"player": ["A" * 31]}, "at most 30 letters"),
        ({"player": ["Anna"], "order": "sideways"}, "cannot be"),
        ({"player": ["Anna"], "bonus_at": "9999"}, "cannot be"),
    ],
)
def test_a_game_that_cannot_be_is_refused_and_the_form_keeps_what_was_written(
    client: FlaskClient, desk: Desk, fields: dict[str, object], words: str
) -> None:
    response = client.post("/new/yatzy", data=hidden(client.get("/new/yatzy")) | fields)
    assert response.status_code == 422
    assert words in sentence(response)
    for name in fields["player"]:  # type: ignore[attr-defined]
        assert f'value="{name}"' in response.text
    assert desk.games() == []


def test_a_new_game_sent_twice_begins_once(client: FlaskClient, desk: Desk) -> None:
    fields = hidden(client.get("/new/yatzy")) | {"player": ["Anna"]}
    addresses = {client.post("/new/yatzy", data=fields).location for _ in range(3)}
    assert len(addresses) == len(desk.games()) == 1


def test_a_whole_turn_by_hand(client: FlaskClient) -> None:
    game = begin(client)
    assert post(client, game, "roll", dice="11123", throw="1").status_code == 303
    sheet = rows(client.get(game))
    assert sheet["Ones"] == ["3", ""]
    assert sheet["One pair"] == ["2", ""]
    assert sheet["Yatzy"] == ["strike", ""]
    assert post(client, game, "roll", dice="11116", throw="3").status_code == 303
    assert "Throw 3 of 3" in client.get(game).text
    assert "Throw again" not in client.get(game).text
    assert post(client, game, "score", box="ones", points="4").status_code == 303
    page = client.get(game)
    assert rows(page)["Ones"] == ["4", ""]
    assert rows(page)["Total"] == ["4", "0"]
    assert "Anna wrote 4 in Ones." in page.text
    assert "<h2>Bo" in page.text


def test_dice_are_entered_one_tap_at_a_time_by_links_alone(client: FlaskClient) -> None:
    game = begin(client)
    page = client.get(game)
    for face in (3, 3, 4, 5, 5):
        link = re.search(rf'data-face="{face}" href="([^"]+)"', page.text)
        assert link
        page = client.get(link[1].replace("&amp;", "&"))
    fields = hidden(page, "roll")
    assert (fields["dice"], fields["throw"]) == ("33455", "1")
    assert client.post(f"{game}/roll", data=fields).status_code == 303
    assert rows(client.get(game))["Two pairs"] == ["16", ""]


def test_a_die_and_the_count_of_throws_can_be_corrected(client: FlaskClient) -> None:
    game = begin(client)
    post(client, game, "roll", dice="11123", throw="1")
    post(client, game, "reread", dice="11123", die="4", face="1", throw="1")
    assert rows(client.get(game))["Ones"] == ["4", ""]
    post(client, game, "reread", dice="11121", throw="2")
    assert "Throw 2 of 3" in client.get(game).text


def test_a_struck_box_looks_unlike_an_open_one(client: FlaskClient) -> None:
    game = begin(client)
    post(client, game, "roll", dice="11123", throw="1")
    post(client, game, "score", box="yatzy", points="0")
    page = client.get(game)
    assert 'aria-label="Yatzy: struck"' in page.text
    assert 'aria-label="Yatzy: open"' in page.text
    assert "Anna struck Yatzy." in page.text


def test_undo_and_redo_go_all_the_way_and_after_the_last_box_too(client: FlaskClient, desk: Desk) -> None:
    game = begin(client, "Anna")
    for box in GAMES["yatzy"].rules.boxes:
        post(client, game, "roll", dice="66666", throw="1")
        points = box.score(desk.history(game.rsplit("/", 1)[-1]).game.roll)  # type: ignore[arg-type]
        post(client, game, "score", box=box.key, points=points)
    end = client.get(game)
    assert "Well played, Anna!" in end.text
    undone = 0
    while (fields := Forms(client.get(game).text).all[0][1])["to"]:
        assert client.post(f"{game}/rewind", data=fields).status_code == 303
        undone += 1
    assert undone == 30
    assert rows(client.get(game))["Total"] == ["0"]
    for _ in range(30):
        assert client.post(f"{game}/rewind", data=Forms(client.get(game).text).all[1][1]).status_code == 303
    assert rows(client.get(game)) == rows(end)


def test_any_earlier_cell_can_be_corrected_and_opened_again(client: FlaskClient) -> None:
    game = begin(client)
    post(client, game, "roll", dice="11123", throw="1")
    post(client, game, "score", box="ones", points="3")
    for points, shown in (("4", "4 ✎"), ("0", "✎"), ("open", "")):
        page = client.get(f"{game}/cell/0/ones")
        assert "Anna: Ones" in page.text
        assert client.post(f"{game}/cell/0/ones", data=hidden(page) | {"points": points}).status_code == 303
        assert rows(client.get(game))["Ones"][0] == shown
    assert "Ones of Anna was corrected." in client.get(game).text


def test_a_corrected_cell_says_that_it_was(client: FlaskClient) -> None:
    game = begin(client)
    post(client, game, "cell/0/ones", points="4")
    assert 'aria-label="Ones: 4 points, corrected"' in client.get(game).text
    client.post(f"{game}/rewind", data=hidden(client.get(game), "rewind"))
    assert "corrected" not in client.get(game).text


def test_every_hint_of_the_eye_has_its_advice() -> None:
    assert set(photos.ADVICE) == set(hints.CODES)


def test_players_join_and_are_renamed_during_the_game(client: FlaskClient) -> None:
    game = begin(client)
    post(client, game, "players", name="Cecilia")
    post(client, game, "players/1", name="Bosse")
    page = client.get(game)
    assert rows(page)[""] == ["Anna", "Bosse", "Cecilia"]
    assert "Bo is now called Bosse." in page.text


def test_the_end_names_the_winner_and_the_same_people_play_again(client: FlaskClient) -> None:
    game = begin(client)
    _play_out(client, game, anna="66666", bo="55555")
    page = client.get(game)
    assert "Anna wins!" in page.text
    again = client.post(f"{game}/again", data=hidden(page, "again"))
    assert again.status_code == 303
    assert again.location != game
    assert rows(client.get(str(again.location)))[""] == ["Anna", "Bo"]


def test_a_tie_is_shared_and_a_roll_off_is_offered(client: FlaskClient) -> None:
    game = begin(client)
    _play_out(client, game, anna="66666", bo="66666")
    page = client.get(game).text
    assert "Anna and Bo share the first place." in page
    assert "Throw one die each" in page
    assert page.count('<li value="1">') == 2


def _play_out(client: FlaskClient, game: str, **dice: str) -> None:
    for box in GAMES["yatzy"].rules.boxes:
        for shown in dice.values():
            post(client, game, "roll", dice=shown, throw="1")
            page = client.get(game).text
            found = re.search(rf'id="write-{box.key}"(.*?)</form>', page, re.S)
            assert found
            due = re.search(r'class="primary" name="points" value="(\d+)"', found[1])
            assert post(client, game, "score", box=box.key, points=due[1] if due else "0").status_code == 303


def test_saved_rerolls_are_tokens_that_one_can_see(client: FlaskClient) -> None:
    game = begin(client, rules="maxi-yatzy")
    post(client, game, "roll", dice="111111", throw="1")
    post(client, game, "score", box="maxi-yatzy", points="100")
    sheet = rows(client.get(game))
    assert sheet[""] == ["Anna Saved rerolls: 2", "Bo"]
    assert sheet["Maxi Yatzy"] == ["100 2", ""]


def test_a_budget_of_throws_is_shown_and_a_strike_needs_no_dice(client: FlaskClient) -> None:
    game = begin(client, "Anna", rules="stratzy", value="5", throws="16")
    page = client.get(game)
    assert throws_left(page) == ["16"]
    assert "0 points, and a throw is spent" in page.text
    post(client, game, "score", box="ones", points="0")
    assert throws_left(client.get(game)) == ["15"]
    post(client, game, "roll", dice="12345", throw="1")
    assert "Careful: after the next throw there are 13 throws left for 13 boxes." not in client.get(game).text
    post(client, game, "roll", dice="12345", throw="2")
    assert "Careful: after the next throw there are 12 throws left for 13 boxes." in client.get(game).text


@pytest.mark.parametrize(
    ("act", "fields", "words"),
    [
        ("score", {"box": "ones", "points": "3"}, "Throw the dice first."),
        ("roll", {"dice": "1112", "throw": "1"}, "This game is played with 5 dice, not 4."),
        ("roll", {"dice": "111222", "throw": "1"}, "This game is played with 5 dice, not 6."),
        ("roll", {"dice": "11122", "throw": "4"}, "Anna has 3 throws in this turn, not 4."),
        ("reread", {"dice": "11122", "throw": "1"}, "There is no roll to correct."),
        ("score", {"box": "nothing", "points": "0"}, "Throw the dice first."),
        ("rewind", {"to": "5"}, "That cannot be undone or done again."),
        ("players", {"name": "BO"}, "There is a player called BO already."),
        ("players/7", {"name": "Eva"}, "There is no such player."),
        ("cell/0/pair", {"points": "7"}, "7 points cannot be in One pair."),
        ("cell/0/nothing", {"points": "7"}, "This sheet has no box Nothing."),
    ],
)
def test_what_the_rules_do_not_allow_is_said_in_a_sentence_and_changes_nothing(
    client: FlaskClient, act: str, fields: dict[str, str], words: str
) -> None:
    game = begin(client)
    before = rows(client.get(game))
    response = post(client, game, act, **fields)
    assert response.status_code == 422
    assert sentence(response) == words
    assert rows(client.get(game)) == before


def test_a_screen_that_is_behind_gets_a_fresh_page_and_a_sentence(client: FlaskClient) -> None:
    game = begin(client)
    old = hidden(client.get(game), "roll")
    post(client, game, "roll", dice="11123", throw="1")
    response = client.post(f"{game}/roll", data=old | {"dice": "66666"})
    assert response.status_code == 409
    assert sentence(response) == "Another screen wrote first. Here is the game as it is now."
    assert rows(response)["Ones"] == ["3", ""]


def test_a_repeated_request_does_nothing_twice(client: FlaskClient, desk: Desk) -> None:
    game = begin(client)
    fields = hidden(client.get(game), "roll") | {"dice": "11123"}
    assert [client.post(f"{game}/roll", data=fields).status_code for _ in range(3)] == [303] * 3
    assert len(desk.history(game.rsplit("/", 1)[-1]).entries) == 2


@pytest.mark.parametrize("form", ["roll", "reread", "score", "rewind", "again", "players/0"])
def test_a_restored_tab_that_asks_for_a_forms_address_is_led_back_to_the_game(client: FlaskClient, form: str) -> None:
    game = begin(client)
    assert client.get(f"{game}/{form}").location == game
    assert client.get("/try").location == "/"


def test_a_name_is_shown_as_it_is_written_whatever_it_holds(client: FlaskClient) -> None:
    game = begin(client, "<script>alert(1)</script>", "{name} %s {{7}}")
    for address in ("/", game, f"{game}/players", f"{game}/cell/0/ones"):
        page = client.get(address).text
        assert "<script>alert" not in page
        assert "&lt;script&gt;" in page
    post(client, game, "roll", dice="11123", throw="1")
    post(client, game, "score", box="ones", points="3")
    post(client, game, "roll", dice="11123", throw="1")
    post(client, game, "score", box="ones", points="3")
    assert "{name} %s {{7}} wrote 3 in Ones." in client.get(game).text


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


@pytest.mark.parametrize("text", ["1a234", "1,2,3,4,5", "0", "7", "1" * 41, "१२३"])
def test_dice_that_are_no_dice_are_refused(client: FlaskClient, text: str) -> None:
    game = begin(client)
    assert post(client, game, "roll", dice=text, throw="1").status_code == 400
    assert client.get(game, query_string={"dice": text}).status_code == 400


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
        _shown(client, game),
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


@pytest.mark.parametrize("back", ["https://example.org/", "//example.org", "/\\example.org", ""])
def test_changing_the_language_leads_to_no_other_site(client: FlaskClient, back: str) -> None:
    response = client.post("/language", data=hidden(client.get("/"), "language") | {"code": "sv", "back": back})
    assert response.location == "/"


def test_a_refusal_is_in_the_players_language(client: FlaskClient) -> None:
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "sv"
    game = begin(client, rules="maxi-yatzy")
    assert sentence(post(client, game, "cell/0/villa", points="8")) == "I Hus kan det inte stå 8 poäng."


def _upload(client: FlaskClient, game: str, data: bytes, name: str = "dice.png") -> TestResponse:
    fields = hidden(client.get(f"{game}/photo"), "photo")
    return client.post(f"{game}/photo", data=fields | {"picture": (BytesIO(data), name)})


def _shown(client: FlaskClient, game: str) -> str:
    response = _upload(client, game, picture(400, 300))
    assert response.status_code == 303
    return str(response.location)


def test_a_photo_is_read_shown_accepted_and_kept_with_the_roll(client: FlaskClient) -> None:
    game = begin(client)
    review = _shown(client, game)
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
    assert f'href="{review}"' in table.text
    assert "Use these dice" not in client.get(review).text
    assert (shot.mimetype, shot.data[:3]) == ("image/jpeg", b"\xff\xd8\xff")
    shot.close()


def test_a_die_of_a_photo_is_corrected_with_the_likeliest_first(client: FlaskClient) -> None:
    game = begin(client)
    review = _shown(client, game)
    bar = client.get(review).text.split('id="spot-4"')[1].split('class="bar"')[0]
    links = re.findall(r'href="([^"]+dice=\d+)"', bar)
    assert [link[-1] for link in links] == ["6", "5", "1", "2", "3", "4"]
    page = client.get(links[1])
    assert hidden(page)["dice"] == "11125"
    assert "question mark" not in page.text


def test_dice_of_a_photo_are_taken_away_and_added_and_the_count_is_said(client: FlaskClient) -> None:
    game = begin(client)
    review = _shown(client, game)
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
    review = _shown(client, game)
    fields = hidden(client.get(review)) | {"dice": "111"}
    response = client.post(review, data=fields)
    assert response.status_code == 422
    assert sentence(response) == "This game is played with 5 dice, not 3."


@pytest.mark.parametrize("signs", ["111", "11126" + "1" * 9, "11127", "1112?", "11126x", "xxxxxx"])
def test_corrections_that_fit_no_photo_lead_nowhere(client: FlaskClient, signs: str) -> None:
    game = begin(client)
    assert client.get(_shown(client, game), query_string={"dice": signs}).status_code == 404


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
    response = _upload(client, game, data)
    assert response.status_code == 422
    assert words in sentence(response)
    assert len(desk.history(game.rsplit("/", 1)[-1]).entries) == 1


def test_no_upload_at_all_is_said_in_words(client: FlaskClient) -> None:
    game = begin(client)
    assert sentence(_upload(client, game, b"", "")) == "Choose a picture first."


def test_an_enormous_upload_is_refused_in_words(client: FlaskClient) -> None:
    game = begin(client)
    assert client.application.config["MAX_CONTENT_LENGTH"] == 25 * 1024 * 1024
    client.application.config["MAX_CONTENT_LENGTH"] = 1000
    response = _upload(client, game, b"\0" * 1000)
    assert response.status_code == 413
    assert sentence(response) == "The picture is larger than 25 MB. Choose a smaller one."


def test_no_picture_is_reached_by_guessing(client: FlaskClient) -> None:
    game = begin(client)
    _shown(client, game)
    for name in ("x" * 20, "waiting", "..%2Fsecret", "%2e%2e"):
        assert client.get(f"{game}/photo/{name}.jpg").status_code == 404
        assert client.get(f"{game}/photo/{name}").status_code == 404


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
