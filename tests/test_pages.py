"""The pages of a game, as plain requests: every act, every refusal. No script runs here, and everything works."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from tests.visit import Forms, begin, hidden, post, rows, sentence, throws_left
from web.desk import Desk


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
    assert "Ones of Anna was corrected: 0 → –." in client.get(game).text


def test_a_corrected_cell_says_that_it_was(client: FlaskClient) -> None:
    game = begin(client)
    post(client, game, "cell/0/ones", points="4")
    assert 'aria-label="Ones: 4 points, corrected"' in client.get(game).text
    client.post(f"{game}/rewind", data=hidden(client.get(game), "rewind"))
    assert "corrected" not in client.get(game).text


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


@pytest.mark.parametrize("text", ["1a234", "1,2,3,4,5", "0", "7", "1" * 41, "१२३"])
def test_dice_that_are_no_dice_are_refused(client: FlaskClient, text: str) -> None:
    game = begin(client)
    assert post(client, game, "roll", dice=text, throw="1").status_code == 400
    assert client.get(game, query_string={"dice": text}).status_code == 400


def test_an_open_page_can_ask_whether_the_game_has_gone_on(client: FlaskClient) -> None:
    game = begin(client)
    assert client.get(f"{game}/seq").text == "1"
    post(client, game, "roll", dice="11123", throw="1")
    answer = client.get(f"{game}/seq")
    assert (answer.text, answer.headers["Cache-Control"]) == ("2", "no-store")
    assert client.get("/g/nothing/seq").status_code == 404
