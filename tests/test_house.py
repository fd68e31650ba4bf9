"""House rules made, named, kept and played from the page; what cannot be played is refused with a reason."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from scorekeeper import games, houserules
from scorekeeper.refusal import BadRules, Unsaved
from scorekeeper.rules import RuleSet
from tests.visit import Forms, begin, hidden, post, rows, sentence
from web.desk import Desk
from web.house import MOST_KEPT, House, file_name

YATZY = [box.key for box in games.GAMES["yatzy"].rules.boxes]


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path / "house")


def named(name: str, base: str = "yatzy") -> RuleSet:
    return houserules.from_dict(games.GAMES[base].rules.as_dict() | {"name": name})


def make(client: FlaskClient, base: str = "yatzy", **fields: object) -> TestResponse:
    """Send the form that starts from this game, with these fields filled in."""
    page = client.get(f"/house/{base}")
    boxes = re.findall(r'name="box" value="([^"]+)" checked', page.text)
    return client.post(f"/house/{base}", data=hidden(page) | {"name": "Farmors yatzy", "box": boxes} | fields)


def test_house_rules_are_made_from_a_printed_sheet_and_can_be_played_at_once(client: FlaskClient, desk: Desk) -> None:
    answer = make(client, two_pairs="four-alike", throws="4", **{"bonus-at": "60", "bonus-points": "35"})
    assert answer.status_code == 303
    assert answer.location == "/new/farmors-yatzy"
    assert "Farmors yatzy" in client.get("/").text
    game = begin(client, rules="farmors-yatzy")
    rules = desk.history(game.rsplit("/", 1)[-1]).game.rules
    assert (rules.name, rules.throws, rules.bonus.points) == ("Farmors yatzy", 4, 35)
    post(client, game, "roll", dice="66661", throw="4")
    assert rows(client.get(game))["Two pairs"][0] == "24"


def test_boxes_are_left_out_added_and_given_fixed_points(client: FlaskClient, house: House) -> None:
    boxes = [key for key in YATZY if key != "chance"] + ["five-alike"]
    fields = {f"points-{key}": "" for key in YATZY if key not in ("yatzy", "ones")}
    assert make(client, box=boxes, **fields | {"points-yatzy": "100", "points-full-house": "25"}).status_code == 303
    rules = house.find("farmors-yatzy")
    assert rules
    assert [box.key for box in rules.boxes] == boxes
    paid = {box.key: box.points for box in rules.boxes}
    assert (paid["yatzy"], paid["full-house"], paid["pair"]) == (100, 25, None)


def test_the_names_of_boxes_are_those_of_the_printed_sheet(client: FlaskClient) -> None:
    make(client, "maxi-yatzy")
    client.post("/language", data=hidden(client.get("/"), "language") | {"code": "sv", "back": "/"})
    assert "Hus" in rows(client.get(begin(client, rules="farmors-yatzy")))


def test_house_rules_are_changed_renamed_and_deleted_and_a_game_by_them_goes_on(
    client: FlaskClient, house: House
) -> None:
    make(client)
    game = begin(client, rules="farmors-yatzy")
    assert make(client, "farmors-yatzy", name="Farfars yatzy", throws="5").location == "/new/farfars-yatzy"
    assert [key for key, _rules in house] == ["farfars-yatzy"]
    fields = hidden(client.get("/house"), "delete")
    assert client.post("/house/farfars-yatzy/delete", data=fields).status_code == 303
    assert list(house) == []
    assert "Farfars" not in client.get("/").text
    assert "Farmors yatzy" in client.get(game).text
    again = client.post(f"{game}/again", data=hidden(client.get("/")))
    assert "Farmors yatzy" in client.get(str(again.location)).text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": ""}, "The name of a game has 1 to 40 letters."),
        ({"name": "x" * 41}, "The name of a game has 1 to 40 letters."),
        ({"name": "…"}, "The name of a game has at least one letter from a to z, or a digit."),
        ({"name": "yatzy"}, "There is a game called yatzy already."),
        ({"name": "Maxi Yatzy"}, "There is a game called Maxi Yatzy already."),
        ({"dice": "9"}, "A game has 1 to 8 dice."),
        ({"dice": "0"}, "A game has 1 to 8 dice."),
        ({"dice": "4"}, "The box Small straight cannot be filled with 4 dice."),
        ({"throws": "11"}, "A turn has 1 to 10 throws."),
        ({"throws": "many"}, "“many” is no whole number."),
        ({"throws": "99999"}, "“99999” is no whole number."),
        ({"box": []}, "A sheet has 1 to 40 boxes."),
        ({"bonus-points": "1001"}, "The bonus and its limit are 0 to 1000."),
        ({"points-yatzy": "5000"}, "The box Yatzy pays 1 to 1000 points."),
        ({"points-yatzy": "0"}, "The box Yatzy pays 1 to 1000 points."),
        ({"box": ["full-straight"]}, "The box Full straight cannot be filled with 5 dice."),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused_with_a_reason_and_the_form_keeps_what_was_written(
    client: FlaskClient, house: House, fields: dict[str, str], words: str
) -> None:
    answer = make(client, **fields)
    assert answer.status_code == 422
    assert html.unescape(sentence(answer)) == words
    for field, value in fields.items():
        assert field == "box" or f'value="{value}"' in answer.text
    assert list(house) == []


def test_rules_are_also_written_as_text(client: FlaskClient, house: House) -> None:
    text = houserules.to_toml(named("Mummon säännöt", "superyatzy"))
    page = client.get("/house/yatzy")
    fields = Forms(page.text).all[-1][1]
    assert client.post("/house/yatzy", data=fields | {"text": text}).location == "/new/mummon-saannot"
    assert house.find("mummon-saannot") == named("Mummon säännöt", "superyatzy")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "The game: “order”"),
        ("name = [", "This is not TOML"),
        ("x" * 20_001, "The text is longer than 20000 letters."),
        (houserules.to_toml(named("Big")).replace("dice = 5", "dice = 900"), "A game has 1 to 8 dice."),
    ],
)
def test_text_that_makes_no_game_is_refused_and_stays_to_be_put_right(
    client: FlaskClient, house: House, text: str, words: str
) -> None:
    answer = client.post("/house/yatzy", data=hidden(client.get("/house/yatzy")) | {"text": text})
    assert answer.status_code == 422
    assert words.split(":", maxsplit=1)[0] in html.unescape(sentence(answer))
    assert html.escape(text, quote=True).replace("&quot;", "&#34;")[:200] in answer.text
    assert list(house) == []


OWN = houserules.to_toml(named("Own"))
CHANCE = '[[boxes]]\nkey = "{}"\neverything = true\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("x" * 1_000_000, "The text is longer than 20000 letters.", id="a megabyte"),
        pytest.param("boxes = [" + "{}," * 1_000_000 + "]", "The text is longer than", id="a million boxes"),
        pytest.param(OWN + "".join(map(CHANCE.format, range(300))), "A sheet has 1 to 40 boxes.", id="300 boxes"),
        pytest.param("a = " + "[" * 15_000, "This is not TOML", id="deep"),
        pytest.param(OWN.replace("dice = 5", "dice = 5\ndice = 6"), "This is not TOML", id="twice"),
        pytest.param(OWN.replace("throws = 3", "throws = nan"), "“throws” cannot be nan.", id="no number"),
        pytest.param(OWN.replace("throws = 3", "throws = -inf"), "“throws” cannot be -inf.", id="endless"),
        pytest.param(OWN.replace("throws = 3", "throws = -3"), "A turn has 1 to 10 throws.", id="negative"),
        pytest.param(OWN.replace("throws = 3", f"throws = {10**4000}"), "1 to 10 throws.", id="4000 digits"),
        pytest.param(OWN.replace("throws = 3", "throws = 2026-12-01"), "“throws” cannot be", id="a date"),
        pytest.param(OWN.replace("throws = 3", "cheats = 3"), "nobody knows what “cheats” is.", id="unknown"),
        pytest.param(OWN.replace('"Own"', '"O\\u0007wn"'), "The name of a game has 1 to 40", id="a bell"),
        pytest.param(OWN.replace('"Own"', '"../../"'), "at least one letter from a to z", id="a path"),
        pytest.param(OWN.replace('"ones"', '"../ones"'), "“../ones” cannot be a key", id="a path as a box"),
    ],
)
def test_hostile_text_is_refused_with_what_is_wrong_and_nothing_is_kept(
    client: FlaskClient, tmp_path: Path, text: str, words: str
) -> None:
    assert text != OWN
    answer = client.post("/house/yatzy", data=hidden(client.get("/house/yatzy")) | {"text": text})
    assert answer.status_code in (413, 422)
    assert answer.status_code == 413 or words in html.unescape(sentence(answer))
    assert not list(tmp_path.rglob("*.toml*"))


def test_a_name_that_is_taken_replaces_nothing(house: House) -> None:
    house.keep(named("Farmors"))
    with pytest.raises(BadRules, match=r"^There is a game called FARMORS already\.$"):
        house.keep(named("FARMORS", "maxi-yatzy"))
    assert house.find("farmors") == named("Farmors")


def test_there_is_an_end_to_how_many_are_kept(house: House) -> None:
    for n in range(MOST_KEPT):
        house.keep(named(f"Number {n}"))
    with pytest.raises(BadRules, match=r"^There are 40 house rules already"):
        house.keep(named("One more"))
    assert house.keep(named("Another name"), instead="number-7") == "another-name"


def test_a_file_that_somebody_has_spoilt_hides_no_other(client: FlaskClient, house: House, tmp_path: Path) -> None:
    house.keep(named("Farmors"))
    (tmp_path / "house" / "broken.toml").write_bytes(b"\xff\xfe")
    (tmp_path / "house" / "half.toml").write_text("name = 'Half'")
    assert [key for key, _rules in house] == ["farmors"]
    assert client.get("/").status_code == client.get("/house").status_code == 200
    assert client.get("/new/half").status_code == client.get("/house/half").status_code == 404


def test_where_the_disk_fails_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unsaved, match=r"^The rules cannot be kept: "):
        House(tmp_path / "file").keep(named("Farmors"))


@given(st.text(max_size=60))
def test_a_file_name_leads_nowhere_else(name: str) -> None:
    try:
        key = file_name(name)
    except BadRules:
        return
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key)
    assert len(key) <= 40


@pytest.mark.parametrize("key", ["..", "%2e%2e", "nothing", "farmors/../../x"])
def test_no_other_file_is_reached(client: FlaskClient, key: str) -> None:
    assert client.get(f"/house/{key}").status_code == 404
    assert client.get(f"/new/{key}").status_code == 404
