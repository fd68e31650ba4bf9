"""Who is let in: without the code of its table, nobody sees or changes anything of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from scorekeeper.events import Begun
from scorekeeper.games import find
from scorekeeper.log import SqliteLog
from tests.test_camera import Scripted
from tests.test_desk import picture
from tests.visit import begin, code, hidden, join, post, sentence, shown
from web import codes
from web.app import create_app
from web.desk import Desk
from web.house import House
from web.reach import Reach

WIFI = {"REMOTE_ADDR": "192.168.1.50"}
NAMES = "Alva", "Birger"  # who plays in the game that is not to be seen
NOT_THERE = "There is no such page or game here."


def device(client: FlaskClient, address: str = "192.168.1.50") -> FlaskClient:
    """A browser that has joined nothing, on another device."""
    other = client.application.test_client()
    other.environ_base["REMOTE_ADDR"] = address
    return other


@pytest.fixture
def family(desk: Desk, tmp_path: Path) -> FlaskClient:
    """The browser of a phone whose family plays; there are a camera at the computer and house rules, too."""
    app = create_app(desk, b"a key for tests", own_camera=Scripted(), house=House(tmp_path / "house"))
    app.testing = True
    here = app.test_client()
    fields = hidden(here.get("/house/yatzy"), "") | {"name": "Mormors", "box": ["ones", "yatzy"]}
    assert here.post("/house/yatzy", data=fields).status_code == 303
    return device(here, "192.168.1.9")


@pytest.fixture
def game(family: FlaskClient) -> str:
    """The address of their game, with a photograph of a throw."""
    game = begin(family, *NAMES)
    review = shown(family, game)
    accepted = hidden(family.get(review))
    assert family.post(review, data=accepted).status_code == 303
    return game


def addresses(rule: Rule, game: str, desk: Desk) -> Iterator[str]:
    """The addresses that a route can have for this game."""
    name = game.rsplit("/", 1)[-1]
    rolled = desk.history(name).game.picture
    known = {"game": name, "picture": rolled, "name": rolled, "key": "mormors", "base": "mormors", "box": "ones"}

    def value(found: re.Match[str]) -> str:
        what = found[1].rpartition(":")[2]
        return known.get(what, "1" if found[1].startswith("int:") else "here")

    path = re.sub(r"<([^>]+)>", value, rule.rule)
    yield path
    yield f"{path}?game={name}"


def test_a_stranger_finds_nothing_of_a_game_on_any_route_and_changes_nothing(
    family: FlaskClient, game: str, desk: Desk
) -> None:
    stranger, name = device(family), game.rsplit("/", 1)[-1]
    before, houses = desk.history(name).entries, family.application.extensions["house"]
    token = {"token": hidden(stranger.get("/"), "join")["token"]}
    seen = 0
    for rule in family.application.url_map.iter_rules():
        for address in addresses(rule, game, desk):
            answers = [stranger.get(address)] if "GET" in (rule.methods or ()) else []
            if "POST" in (rule.methods or ()):
                form = token | {"seq": str(len(before)), "request": "a request", "dice": "11123", "throw": "2"}
                form |= {"face": "1", "points": "1", "box": "ones", "name": "Z", "player": "0", "to": "0", "code": "x"}
                answers.append(stranger.post(address, data=form | {"picture": (BytesIO(picture(40, 30)), "a.png")}))
            for answer in answers:
                seen += 1
                if "<game>" in rule.rule or "?game=" in address:
                    assert answer.status_code == 404 or rule.endpoint == "static", (address, answer.status_code)
                for word in (*NAMES, name, "Mormors"):
                    assert word not in answer.text.replace(f"/g/{name}", ""), (address, word)
                assert answer.mimetype != "image/jpeg" or rule.endpoint == "static", address
                answer.close()
    assert seen > 100
    assert desk.history(name).entries == before
    assert [key for key, _rules in houses] == ["mormors"]
    assert desk.pictures.has(desk.history(name).game.picture)


def test_whoever_plays_at_another_table_finds_nothing_of_it_either(family: FlaskClient, game: str) -> None:
    other = device(family)
    own = begin(other, "Cilla", "Disa")
    assert other.get(own).status_code == 200
    assert sentence(other.get(game)) == NOT_THERE
    for address in ("/", "/history", "/games.json", "/games.csv", f"{own}/after"):
        page = other.get(address, follow_redirects=True).text
        assert not any(word in page for word in (*NAMES, game.rsplit("/", 1)[-1])), address
    assert "Cilla" in other.get("/").text
    assert other.get("/house").status_code == 404, "house rules belong to the table of the house"
    assert other.get(f"{own}/camera/here.jpg").status_code == 404, "and so does the camera at the computer"


def test_a_screen_that_has_scanned_the_code_sees_all_games_of_the_table_and_plays_in_them(
    family: FlaskClient, game: str
) -> None:
    tablet = device(family)
    response = join(tablet, game)
    assert response.location == game, "the code is left behind"
    assert tablet.get(game).status_code == 200
    assert post(tablet, game, "score", box="ones", points="3").status_code == 303
    later = begin(family, "Alva", "Birger", "Cilla")
    assert tablet.get(later).status_code == 200, "nobody scans twice"
    again = post(tablet, later, "again").location
    assert family.get(str(again)).status_code == 200
    assert "Cilla" in tablet.get("/").text


def test_a_code_is_typed_in_any_way_that_reads_the_same_and_a_wrong_one_is_said_in_words(
    family: FlaskClient, game: str, desk: Desk
) -> None:
    letters = code(family, desk.table_of(game.rsplit("/", 1)[-1]))
    assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}", letters)
    sloppy = letters.lower().replace("-", " ").replace("0", "o").replace("1", "l")
    for typed in (letters, sloppy, f" {letters} "):
        tablet = device(family)
        fields = hidden(tablet.get("/"), "join")
        assert tablet.post("/join", data=fields | {"code": "0000-0000"}).status_code == 404
        wrong = tablet.post("/join", data=fields | {"code": "0000-0000"})
        assert sentence(wrong) == "No table here has this code. Look at the screen that shows it, and try again."
        assert tablet.get(game).status_code == 404
        assert tablet.post("/join", data=fields | {"code": typed}).location == "/"
        assert tablet.get(game).status_code == 200


@pytest.mark.parametrize("to", ["/example.org", "/\\example.org", "\\\\example.org", "%09/example.org"])
def test_a_code_leads_to_no_other_site(client: FlaskClient, to: str) -> None:
    location = client.get(f"/join/{code(client)}/{to}").location
    there = urlsplit(location)
    assert there.netloc in ("", "localhost")
    assert not re.match(r"[/\\]{2}", location)
    assert "\\" not in location


def test_a_code_can_be_told_by_nobody_without_the_key_and_differs_from_table_to_table() -> None:
    tables = [f"table {n}" for n in range(2000)]
    found = {codes.code(b"a key", table) for table in tables}
    assert len(found) == len(tables)
    assert len(codes.ALPHABET) ** codes.SIGNS == 2**40
    assert {sign for each in found for sign in each} == {*codes.ALPHABET, "-"}
    assert found.isdisjoint(codes.code(b"another key", table) for table in tables)
    assert codes.find(b"a key", tables, codes.code(b"a key", "table 7")) == "table 7"
    assert codes.find(b"a key", tables, "") is None


def test_the_next_game_is_begun_at_the_table_where_one_was_last_or_at_a_new_one(
    family: FlaskClient, game: str, desk: Desk
) -> None:
    at = desk.table_of(game.rsplit("/", 1)[-1])
    page = family.get("/new/yatzy")
    assert "At which table?" in page.text
    new = begin(family, table="new")
    assert desk.table_of(new.rsplit("/", 1)[-1]) not in (at, "")
    assert desk.table_of(begin(family).rsplit("/", 1)[-1]) == desk.table_of(new.rsplit("/", 1)[-1])
    assert desk.table_of(begin(family, table=code(family, at)).rsplit("/", 1)[-1]) == at
    family.get(new)
    assert desk.table_of(begin(family).rsplit("/", 1)[-1]) == desk.table_of(new.rsplit("/", 1)[-1]), "it was there last"
    stranger = device(family)
    theirs = begin(stranger, table=code(family, at))
    assert desk.table_of(theirs.rsplit("/", 1)[-1]) != at, "that it has not joined"


def test_games_from_before_there_were_tables_are_all_at_the_table_of_the_house(client: FlaskClient, desk: Desk) -> None:
    desk.begin("an-old-game", "request", Begun(find("yatzy"), NAMES))
    tablet = device(client)
    assert tablet.get("/g/an-old-game").status_code == 404
    tablet.get(f"/join/{code(client)}/")
    assert tablet.get("/g/an-old-game").status_code == 200


def test_a_browser_on_the_computer_sees_all_tables(family: FlaskClient, game: str) -> None:
    here = family.application.test_client()
    assert here.get(game).status_code == 200
    assert "Alva" in here.get("/").text
    for called in ("http://127.0.0.1:8123", "http://[::1]:8123"):
        again = family.application.test_client()
        assert again.get(game, base_url=called).status_code == 200


@pytest.mark.parametrize(
    "proxied",
    [
        {"environ_base": WIFI},
        {"headers": {"X-Forwarded-For": "203.0.113.9"}},
        {"headers": {"Forwarded": "for=203.0.113.9"}},
        {"headers": {"Via": "1.1 proxy"}},
        {"environ_overrides": {"SERVER_PROTOCOL": "HTTP/1.0"}},  # nginx, when it is told nothing
        {"base_url": "http://192.168.1.20:8123"},
    ],
)
def test_whatever_is_passed_on_or_asked_from_elsewhere_is_not_the_computer_itself(
    family: FlaskClient, game: str, proxied: dict[str, object], at_home: None
) -> None:
    assert family.application.test_client().get(game, **proxied).status_code == 404


def test_a_server_that_others_call_by_a_name_it_was_told_has_no_browser_of_its_own(desk: Desk) -> None:
    app = create_app(desk, b"a key for tests", reached=Reach("", 8123, "kast.example"))
    here = app.test_client()
    desk.begin("a-game-of-ours", "request", Begun(find("yatzy"), NAMES))
    assert here.get("/g/a-game-of-ours").status_code == 404
    here.get(f"/join/{code(here)}/")
    assert here.get("/g/a-game-of-ours").status_code == 200


def test_games_from_a_file_come_to_a_table_of_ones_own_and_touch_no_other(
    family: FlaskClient, game: str, desk: Desk
) -> None:
    """Somebody has got hold of an old file of the family's games, and has changed it."""
    whole = family.get("/games.json").data
    stranger = device(family)
    fields = hidden(stranger.get("/history"), "games.json")
    answer = stranger.post("/games.json", data=fields | {"file": (BytesIO(whole), "games.json")})
    assert answer.status_code == 303
    copied = str(answer.location)
    assert copied != game
    assert desk.table_of(copied.rsplit("/", 1)[-1]) != desk.table_of(game.rsplit("/", 1)[-1])
    assert stranger.get(copied).status_code == 200
    assert family.get(copied).status_code == 404
    assert stranger.get(game).status_code == 404
    known = family.post(
        "/games.json", data=hidden(family.get("/history"), "games.json") | {"file": (BytesIO(whole), "games.json")}
    )
    assert known.location == game, "those who have the game have it already"


def test_a_game_that_cannot_be_read_is_there_for_the_computer_alone(
    family: FlaskClient, game: str, tmp_path: Path
) -> None:
    with SqliteLog(tmp_path / "kast.sqlite3")._writing() as db:
        db.execute("INSERT INTO entries VALUES ('broken-game-00', 0, '2026-01-01T00:00:00+00:00', 'r', '{}')")
        db.execute("COMMIT")
    assert family.get("/g/broken-game-00").status_code == 404
    assert family.get("/").status_code == 200
    assert family.application.test_client().get("/g/broken-game-00").status_code == 500


def test_an_answer_that_comes_late_does_not_put_a_browser_out_again(family: FlaskClient, game: str) -> None:
    tablet = device(family)
    tablet.get("/")
    before = tablet.get_cookie("kast")
    join(tablet, game)
    assert before
    late = tablet.application.test_client(use_cookies=False).get(
        "/", headers={"Cookie": f"kast={before.value}"}, environ_base=WIFI
    )
    assert "Set-Cookie" not in late.headers
