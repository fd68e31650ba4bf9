"""Each defence of docs/security.md that no other file tests: who is answered, how often, and what lies on the disk."""

from __future__ import annotations

import re
import stat
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen

import pytest
from flask.testing import FlaskClient

from scorekeeper.events import Begun, Scored
from scorekeeper.games import find
from scorekeeper.log import SqliteLog
from tests.browser.table import serving
from tests.test_door import device
from tests.visit import begin, code, hidden, join, sentence
from web import codes, limits, security, storage, throttle
from web.command import main
from web.limits import Limit

ROOT = Path(__file__).parent.parent
TOO_MUCH = "That was too much at once from this device. Please wait a little, then try again."


@pytest.mark.parametrize(
    "host", ["evil.example", "192.168.1.99", "kitchen.evil.example", "[::2]:80", "a b", "[", "localhost.evil.example"]
)
def test_a_name_that_is_none_of_this_computers_gets_nothing_but_the_right_addresses(
    client: FlaskClient, at_home: None, host: str
) -> None:
    game = begin(client)
    for address in ("/", game, "/history", f"{client.application.static_url_path}/kast.css"):
        answer = client.get(address, headers={"Host": host})
        assert answer.status_code in (400, 421), address
        assert not re.search(r"Anna|token|\.resume", answer.text)
        assert "Set-Cookie" not in answer.headers
    answer = client.post("/try", headers={"Host": host})
    assert answer.status_code in (400, 421)


@pytest.mark.parametrize(
    "base",
    [
        "http://localhost",
        "http://127.0.0.1:8123",
        "https://192.168.1.20:8443",
        "http://KITCHEN.local.",
        "http://kitchen",
    ],
)
def test_every_name_and_address_of_this_computer_is_answered(client: FlaskClient, at_home: None, base: str) -> None:
    assert client.get("/", base_url=base).status_code == 200


def test_whoever_came_by_a_wrong_name_is_told_the_right_ones(client: FlaskClient, at_home: None) -> None:
    answer = client.get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert sentence(answer) == "Kast is not called what this address says. Open one of these:"
    assert "http://localhost" in answer.text
    assert "evil" not in answer.text


@pytest.mark.parametrize(
    "sent",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_with_the_right_token_that_another_site_sends_is_refused(
    client: FlaskClient, sent: dict[str, str]
) -> None:
    fields = hidden(client.get("/"), "try")
    assert client.post("/try", data=fields, headers=sent).status_code == 400
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/try", data=fields, headers=own).status_code == 303


def test_a_limit_lets_a_number_pass_at_once_and_then_one_at_a_time() -> None:
    limit = Limit(3, 10.0)
    assert [limit.take("a", 0.0) for _time in range(4)] == [0, 0, 0, 10]
    assert limit.take("b", 0.0) == 0, "each caller has its own"
    assert limit.wait("a", 4.0) == 6
    assert limit.take("a", 10.0) == 0
    assert limit.take("a", 10.0) == 10
    assert limit.take("a", 1000.0) == 0


def test_a_limit_remembers_a_bounded_number_of_callers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_HELD", 10)
    limit = Limit(1, 10.0)
    for n in range(100):
        limit.take(str(n), 0.0)
    assert len(limit._due) == 10
    assert limit.wait("99", 0.0) == 10


def test_a_device_is_one_caller_whatever_address_of_its_network_it_takes() -> None:
    assert limits.caller("2001:db8::1") == limits.caller("2001:db8::ffff:1")
    assert limits.caller("2001:db8:0:1::1") != limits.caller("2001:db8::1")
    assert limits.caller("192.168.1.9") == limits.caller("::ffff:192.168.1.9") != limits.caller("192.168.1.10")


def test_guessing_codes_comes_to_a_stop_and_a_right_one_opens_nothing_meanwhile(client: FlaskClient) -> None:
    client.application.extensions["clock"] = lambda: 1000.0
    game = begin(client)
    thief = device(client)
    fields = hidden(thief.get("/"), "join")
    tried = [thief.post("/join", data=fields | {"code": f"0000-{n:04}"}).status_code for n in range(12)]
    assert tried == [404] * 10 + [429] * 2
    answer = thief.get(f"/join/{code(client)}{game}")
    assert (answer.status_code, sentence(answer)) == (429, TOO_MUCH)
    assert int(answer.headers["Retry-After"]) == 30
    assert thief.get(game).status_code == 404
    join(device(client, "192.168.1.51"), game)
    for n in range(60, 80):
        other = device(client, f"192.168.1.{n}")
        for guess in range(5):
            other.get(f"/join/1111-{guess:04}/")
    assert device(client, "192.168.1.99").get(f"/join/{code(client)}/").status_code == 429, "all together"
    client.application.extensions["clock"] = lambda: 2000.0
    join(thief, game)


def test_a_device_begins_no_end_of_games_and_sends_no_end_of_pictures_and_forms(client: FlaskClient) -> None:
    phone, held = device(client), throttle.Limits()
    game = begin(phone)
    client.application.extensions |= {"clock": lambda: 1000.0, "limits": held}
    held.games, held.uploads, held.frames = Limit(2, 10), Limit(3, 10), Limit(4, 10)
    fields = hidden(phone.get("/"), "try")
    assert [phone.post("/try", data=fields).status_code for _time in range(3)] == [303] * 2 + [429]
    sent = hidden(phone.get(f"{game}/photo"), "photo")

    def send(to: str, field: str) -> int:
        return phone.post(f"{game}/{to}", data=sent | {field: (BytesIO(b"none"), "a.png")}).status_code

    assert [send("photo", "picture") for _time in range(4)] == [422] * 3 + [429]
    assert [send("camera/phone-0001", "frame") for _time in range(5)] == [200] * 4 + [429]
    held.posts = Limit(5, 10)
    assert [phone.post("/language", data=fields).status_code for _time in range(6)] == [303] * 5 + [429]
    assert phone.get(game).status_code == 200, "what is there can still be looked at"
    assert begin(client), "the computer itself has no limits"


def test_all_that_is_kept_is_for_its_owner_alone_in_a_folder_that_others_can_open_too(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    SqliteLog(folder / storage.FILE).close()
    (folder / storage.FILE).chmod(0o644)  # as an earlier Kast left it
    with serving(folder) as address:
        with urlopen(f"{address}/") as answer:
            assert answer.status == 200
        found = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*")}
    assert {storage.FILE, "secret", "certificates"} <= found.keys()
    assert {name: mode for name, mode in found.items() if mode & 0o077} == {}


@pytest.mark.parametrize(
    "name", ["../secret", "..%2fsecret", "%2e%2e/secret", "/etc/passwd", "..\\secret", "secret%00"]
)
def test_no_name_leads_to_a_file(client: FlaskClient, tmp_path: Path, name: str) -> None:
    (tmp_path / "secret").write_text("the secret of this test")
    game = begin(client)
    for address in (
        f"{game}/photo/{name}.jpg",
        f"{game}/photo/{name}",
        f"/house/{name}",
        f"/new/{name}",
        f"/static/{name}",
        f"/g/{name}",
    ):
        answer = client.get(address, follow_redirects=True)
        assert answer.status_code == 404, address
        assert "the secret" not in answer.text


def test_whoever_sits_at_a_computer_without_a_screen_is_told_the_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = storage.open_log(tmp_path)
    log.append("a-game-of-anna", 0, "r", Begun(find("yatzy"), ("Anna", "Bo"), table="a-table-of-anna"))
    log.append("broken", 0, "r", Scored("ones", 3))
    log.close()
    assert main(["code", "--data", str(tmp_path)]) == 0
    key = security.secret_key(tmp_path)
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{codes.code(key, 'a-table-of-anna')}  Anna, Bo (")
    assert second.startswith(f"{codes.code(key, '')}  the house: ")
    assert main(["code", "--data", str(tmp_path / "nothing")]) == 1


def test_ids_of_games_have_120_random_bits(client: FlaskClient) -> None:
    ids = {begin(client).rsplit("/", 1)[-1] for _time in range(5)}
    assert len(ids) == 5
    assert all(re.fullmatch(r"[0-9a-f]{30}", each) for each in ids)


def test_every_dependency_is_pinned_with_its_hashes() -> None:
    for name in ("requirements.txt", "requirements-dev.txt"):
        pinned = re.split(r"\n(?=[a-z])", (ROOT / name).read_text(encoding="utf-8"))
        for each in (text for text in pinned if re.match(r"[a-zA-Z0-9]", text)):
            assert re.match(r"[A-Za-z0-9._-]+(\[[a-z,]+\])?==\S+", each), each
            assert "--hash=sha256:" in each, each


def test_a_picture_is_not_shown_on_another_site(client: FlaskClient) -> None:
    assert client.get("/").headers["Cross-Origin-Resource-Policy"] == "same-origin"
