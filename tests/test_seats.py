"""The page of the players: seats, turns, who left, who is behind; hidden totals, a roll-off, an account of throws."""

from __future__ import annotations

import html
import re

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from tests.test_past import plain
from tests.visit import begin, hidden, post, rows, sentence
from web import words
from web.desk import Desk
from web.people import moved
from web.present import Table
from web.telling import spoken

ENGLISH = words.load()["en"]


@pytest.fixture
def game(client: FlaskClient) -> str:
    return begin(client, "Anna", "Bo", "Cilla")


def strike(client: FlaskClient, game: str, box: str, turns: int = 1) -> None:
    for _turn in range(turns):
        post(client, game, "roll", dice="11122", throw="1")
        post(client, game, "score", box=box, points="0")


def heads(client: FlaskClient, game: str) -> list[str]:
    """The names over the columns."""
    return rows(client.get(game))[""]


def end(client: FlaskClient, game: str, players: int = 2) -> None:
    """Strike all boxes of everybody."""
    for box in GAMES["yatzy"].rules.boxes:
        for player in range(players):
            post(client, game, f"cell/{player}/{box.key}", points="0")


@pytest.mark.parametrize(
    ("player", "move", "order"),
    [
        (2, "earlier", (0, 2, 1)),
        (0, "later", (1, 0, 2)),
        (0, "earlier", (0, 1, 2)),
        (2, "later", (0, 1, 2)),
        (1, "leave", (0, 2)),
        (1, "return", (0, 2, 1)),
    ],
)
def test_a_player_moves_by_one_seat_leaves_or_sits_down_last(player: int, move: str, order: tuple[int, ...]) -> None:
    assert moved((0, 1, 2), player, move) == order


def test_players_change_seats_and_the_columns_with_them(client: FlaskClient, game: str) -> None:
    strike(client, game, "yatzy")
    answer = post(client, game, "seats/2", move="earlier")
    assert answer.location == f"{game}/players", "one stays there, to move somebody else too"
    assert "The turns go: Anna, Cilla and Bo." in client.get(f"{game}/players").text
    assert heads(client, game) == ["Anna", "Cilla", "Bo"]
    sheet = rows(client.get(game))
    assert sheet["Yatzy"] == ["", "", ""], "what Anna struck is hers"
    assert "<h2>Bo" in client.get(game).text, "it is still his turn"


def test_who_leaves_stays_on_the_sheet_to_the_right_and_can_come_back(client: FlaskClient, game: str) -> None:
    post(client, game, "cell/0/ones", points="4")
    post(client, game, "seats/0", move="leave")
    assert heads(client, game) == ["Bo", "Cilla", "Anna (has left)"]
    assert rows(client.get(game))["Ones"][2] == "4 ✎"
    assert "<h2>Bo" in client.get(game).text
    assert "Anna has left. The sheet stays" in client.get(f"{game}/players").text
    post(client, game, "seats/0", move="return")
    assert heads(client, game) == ["Bo", "Cilla", "Anna"]


def test_the_last_player_cannot_leave(client: FlaskClient) -> None:
    game = begin(client, "Anna")
    answer = post(client, game, "seats/0", move="leave")
    assert (answer.status_code, sentence(answer)) == (422, "Somebody has to play.")


@pytest.mark.parametrize("move", ["", "up", "sideways"])
def test_a_move_that_is_none_is_refused(client: FlaskClient, game: str, move: str) -> None:
    assert post(client, game, "seats/0", move=move).status_code == 400


def test_it_can_be_made_somebody_elses_turn_by_the_name_on_the_sheet(client: FlaskClient, game: str) -> None:
    page = client.get(game).text
    assert "Does somebody else begin? Tap the name below." in page
    assert 'href="#who-1"' in page
    bar = page.partition('id="who-1"')[2].partition("</section>")[0]
    assert "Bo plays now" in bar
    assert (
        "plays now" not in page.partition('id="who-0"')[2].partition("<form")[0].replace("plays now</span>", "")[:200]
    )
    assert post(client, game, "turn", player="1").status_code == 303
    page = client.get(game).text
    assert "It is the turn of Bo." in page
    strike(client, game, "yatzy")
    assert "Does somebody else begin?" not in client.get(game).text
    assert "<h2>Cilla" in client.get(game).text


def test_who_is_behind_is_pointed_out_and_plays_by_one_tap(client: FlaskClient, game: str) -> None:
    strike(client, game, "yatzy", 2)
    post(client, game, "turn", player="0")
    page = client.get(game).text
    assert "Cilla is 1 row behind." in page
    fields = hidden(client.get(game), f"{game}/turn")
    assert client.post(f"{game}/turn", data=fields | {"player": "2"}).status_code == 303
    assert "<h2>Cilla" in client.get(game).text
    assert "behind" not in client.get(game).text


def test_who_joins_late_is_last_with_a_remark_and_is_not_called_behind(client: FlaskClient, game: str) -> None:
    strike(client, game, "yatzy", 3)
    strike(client, game, "chance", 3)
    post(client, game, "players", name="Dora")
    assert heads(client, game) == ["Anna", "Bo", "Cilla", "Dora"]
    people = client.get(f"{game}/players").text
    assert "2 rounds were over before Dora sat down." in people
    assert "behind" not in people + client.get(game).text


def test_totals_are_hidden_until_the_end_and_shown_again(client: FlaskClient) -> None:
    game = begin(client, "Anna", "Bo", concealed="yes")
    post(client, game, "roll", dice="66666", throw="1")
    post(client, game, "score", box="sixes", points="30")
    sheet = rows(client.get(game))
    assert sheet["Total"] == ["? hidden", "? hidden"]
    assert sheet["Sixes"] == ["30", ""]
    post(client, game, "totals", totals="shown")
    assert rows(client.get(game))["Total"] == ["30", "0"]
    post(client, game, "totals", totals="hidden")
    assert "The totals are hidden until the end." in client.get(game).text
    end(client, game)
    assert rows(client.get(game))["Total"] == ["0", "0"]


def test_a_roll_off_is_thrown_on_the_page_of_the_end_and_recorded(client: FlaskClient) -> None:
    game = begin(client)
    end(client, game)
    assert "Anna and Bo share the first place." in client.get(game).text
    assert post(client, game, "roll-off", **{"die-0": "3", "die-1": "3"}).status_code == 303
    page = client.get(game).text
    assert "Anna and Bo threw equally high." in page
    assert "Who wins?" in page
    assert post(client, game, "roll-off", **{"die-0": "2", "die-1": "5"}).status_code == 303
    page = html.unescape(client.get(game).text)
    assert "Bo wins!" in page
    assert "Who wins?" not in page
    assert page.count("Roll-off:") == 2
    told = plain(client.get(f"{game}/history").text)
    assert told.startswith("Bo won the roll-off. Anna and Bo threw equally high.")


@pytest.mark.parametrize("fields", [{}, {"die-0": "3"}, {"die-0": "3", "die-1": "7"}, {"die-0": "x", "die-1": "2"}])
def test_a_roll_off_that_is_not_whole_is_refused(client: FlaskClient, fields: dict[str, str]) -> None:
    game = begin(client)
    end(client, game)
    assert post(client, game, "roll-off", **fields).status_code == 422
    assert "share the first place" in client.get(game).text


def test_the_same_people_play_again_without_the_one_who_left_in_the_order_they_sit(
    client: FlaskClient, game: str
) -> None:
    post(client, game, "seats/2", move="earlier")
    post(client, game, "seats/1", move="leave")
    again = client.post(f"{game}/again", data=hidden(client.get("/")))
    assert heads(client, str(again.location)) == ["Anna", "Cilla"]
    assert '<form id="hand"' in client.get(str(again.location)).text, "dice can be entered at once"


# Saved rerolls and throws.


def test_saved_rerolls_are_accounted_for_turn_by_turn(client: FlaskClient) -> None:
    game = begin(client, "Anna", rules="maxi-yatzy")
    for box, throw in (("ones", "1"), ("twos", "5"), ("threes", "3")):
        post(client, game, "roll", dice="445566", throw=throw)
        post(client, game, "score", box=box, points="0")
    told = plain(client.get(f"{game}/ledger/0").text)
    assert told.endswith("Box Throws Change Left Ones 1 +2 2 Twos 5 −2 0 Threes 3 0 0")
    client.post(f"{game}/rewind", data=hidden(client.get(game), "rewind"))
    told = plain(client.get(f"{game}/ledger/0").text)
    assert told.endswith("Ones 1 +2 2 Twos 5 −2 0 this turn 3 0"), "what was taken back is not there"
    assert f'href="{game}/ledger/0"' in client.get(game).text


def test_the_throws_of_a_budget_are_accounted_for_a_strike_without_dice_too(client: FlaskClient) -> None:
    game = begin(client, "Anna", rules="stratzy", value="5")
    post(client, game, "score", box="ones", points="0")
    told = plain(client.get(f"{game}/ledger/0").text)
    assert told.endswith("at the start 45 Ones 1 −1 44")


def test_there_is_no_account_of_throws_where_none_are_kept(client: FlaskClient, game: str) -> None:
    assert client.get(f"{game}/ledger/0").status_code == 404
    maxi = begin(client, "Anna", rules="maxi-yatzy")
    assert client.get(f"{maxi}/ledger/1").status_code == 404


# What was corrected, and what is read aloud.


def test_what_was_in_a_cell_before_is_told_with_the_cell_and_in_the_game_so_far(client: FlaskClient, game: str) -> None:
    post(client, game, "roll", dice="11122", throw="1")
    post(client, game, "score", box="ones", points="3")
    post(client, game, "cell/0/ones", points="4")
    post(client, game, "cell/0/twos", points="4")
    told = plain(client.get(f"{game}/cell/0/ones").text)
    assert "Anna wrote 3 in Ones. Ones of Anna was corrected: 3 → 4." in told
    assert "Twos of Anna was corrected" not in told
    so_far = plain(client.get(f"{game}/history").text)
    assert so_far.startswith("Twos of Anna was corrected: – → 4. Ones of Anna was corrected: 3 → 4. Anna Ones 3")


def test_all_dice_of_a_roll_can_be_corrected_at_once_and_no_throw_is_spent(client: FlaskClient, game: str) -> None:
    post(client, game, "roll", dice="11122", throw="2")
    page = client.get(game, query_string={"mend": 1})
    fields = hidden(page, f"{game}/reread")
    assert (fields["dice"], fields["throw"]) == ("11122", "2")
    for face in (3, 3, 3):  # by links alone: one die away, another one in its place
        for link in (r'class="slot" href="([^"]+)"', rf'data-face="{face}" href="([^"]+)"'):
            found = re.search(link, page.text)
            assert found
            page = client.get(html.unescape(found[1]))
    fields = hidden(page, f"{game}/reread")
    assert fields["dice"] == "22333"
    assert client.post(f"{game}/reread", data=fields).status_code == 303
    assert "Throw 2 of 3" in client.get(game).text
    assert rows(client.get(game))["Full house"][0] == "13"


def test_a_roll_is_read_aloud_with_what_it_gives_and_a_score_with_the_total(
    client: FlaskClient, desk: Desk, game: str
) -> None:
    def heard() -> str:
        name = game.rsplit("/", 1)[-1]
        return spoken(Table(name, desk.history(name)), ENGLISH)

    assert heard() == "It is the turn of Anna."
    post(client, game, "roll", dice="66622", throw="1")
    assert heard() == "Anna threw 2, 2, 6, 6, 6. Full house 22, Chance 22, Sixes 18."
    post(client, game, "score", box="sixes", points="18")
    assert heard() == "Anna wrote 18 in Sixes. Anna has 18. It is the turn of Bo."
    post(client, game, "help/1", help="none")
    post(client, game, "roll", dice="66622", throw="1")
    assert heard() == "Bo threw 2, 2, 6, 6, 6.", "whoever wants no help is told no points"
    post(client, game, "totals", totals="hidden")
    post(client, game, "score", box="sixes", points="18")
    assert heard() == "Bo wrote 18 in Sixes. It is the turn of Cilla."
    assert f'<p id="spoken" data-words="{heard()}" hidden></p>' in client.get(game).text
