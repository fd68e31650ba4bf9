"""The live camera, as plain requests: pictures in, what is seen out, and throws written down as they come to rest."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import cv2
import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from recognizer import events, frames, hints
from recognizer.events import Event
from recognizer.frames import CameraLost
from recognizer.pipeline import Follower
from scorekeeper.advice import Keep
from scorekeeper.events import Reread, Rolled
from scorekeeper.log import SqliteLog
from tests.drawn import HEIGHT, WIDTH, DrawnReader, Image, Placed, draw, jpeg
from tests.visit import begin, hidden, join, post, rows
from web import follow, words
from web.adviser import Advice
from web.app import create_app
from web.camera import DOUBTS, HERE, WORDS
from web.desk import Desk
from web.follow import OwnCamera
from web.pictures import Pictures

PHONE, TABLET = "phone-phone", "tablet-tablet"


@pytest.fixture
def reader() -> DrawnReader:
    return DrawnReader()


@pytest.fixture
def desk(tmp_path: Path, reader: DrawnReader) -> Iterator[Desk]:
    made = Desk(SqliteLog(tmp_path / "kast.sqlite3"), Pictures(tmp_path / "pictures"), lambda: reader)
    yield made
    made.close()


class Camera:
    """A phone over the table of a game: ten pictures a second, on a clock of its own."""

    def __init__(self, client: FlaskClient, game: str, name: str = PHONE) -> None:
        self.client, self.game, self.name = client, game, name
        self.token = hidden(client.get(game), "rewind")["token"]
        self.time = 100.0
        client.application.extensions["clock"] = lambda: self.time
        self.seen: dict[str, Any] = {}

    def send(self, data: bytes, **fields: str) -> TestResponse:
        self.time += 0.1
        given = {"token": self.token, **fields} | ({"frame": (BytesIO(data), "frame.jpg")} if data else {})
        return self.client.post(f"{self.game}/camera/{self.name}", data=given)

    def show(self, *dice: Placed, pictures: int = 1, **fields: str) -> dict[str, Any]:
        """So many pictures of these dice at rest; the last answer."""
        for _ in range(pictures):
            answer = self.send(jpeg(draw(*dice)), **fields)
            assert answer.status_code == 200
            self.seen = answer.get_json()
        return self.seen

    def throw(self, *dice: int, lying: tuple[Placed, ...] = (), y: float = 6, area: str = "") -> tuple[Placed, ...]:
        """Dice roll in from the left, to a row of their own, and come to rest."""
        come = tuple((face, 2 + 3.0 * n, y) for n, face in enumerate(dice))
        self.show(*lying, pictures=3, area=area)
        for left in (1.5, 0.7, 0.2):
            self.show(*lying, *((face, x - left, y + left) for face, x, y in come), area=area)
        self.show(*lying, *come, pictures=6, area=area)
        return (*lying, *come)

    def take(self, *left: Placed) -> None:
        """Somebody takes dice away; these are left."""
        self.show(*left, pictures=12)


@pytest.fixture
def camera(client: FlaskClient) -> Camera:
    return Camera(client, begin(client))


def entries(desk: Desk, camera: Camera) -> list[object]:
    return list(desk.history(camera.game.rsplit("/", 1)[-1]).entries[1:])


def rolls(desk: Desk, camera: Camera) -> list[tuple[list[int], int, tuple[int, ...]]]:
    """Faces, throw and kept dice of all throws that were written."""
    written = [entry for entry in entries(desk, camera) if isinstance(entry, Rolled)]
    return [(sorted(entry.dice), entry.throw, tuple(sorted(entry.kept))) for entry in written]


def test_a_throw_that_comes_to_rest_is_written_once_with_its_picture(camera: Camera, desk: Desk) -> None:
    camera.throw(1, 1, 2, 6, 5)
    camera.show(*((face, 2 + 3.0 * n, 6.0) for n, face in enumerate((1, 1, 2, 6, 5))), pictures=20)
    (entry,) = entries(desk, camera)
    assert isinstance(entry, Rolled)
    assert (sorted(entry.dice), entry.throw, entry.kept, entry.source) == ([1, 1, 2, 5, 6], 1, (), "camera")
    page = camera.client.get(camera.game)
    assert f'href="{camera.game}/history/1"' in page.text
    assert "question mark" not in page.text
    assert desk.pictures.shot(entry.picture).reading.faces == (1, 1, 2, 5, 6)
    assert rows(page)["Ones"] == ["2", ""]


def test_the_answer_says_what_is_seen_where_and_in_which_state(camera: Camera) -> None:
    seen = camera.show(pictures=3)
    assert (seen["state"], seen["word"], seen["dice"], seen["seq"]) == ("looking", "Looking", [], 1)
    camera.show((3, 1, 5), (4, 4, 4))
    assert camera.show((3, 2, 6), (4, 5, 6))["state"] == "rolling"
    camera.throw(1, 2, 3, 4, 5)
    assert (camera.seen["state"], camera.seen["word"], camera.seen["seq"]) == ("settled", "At rest", 2)
    (first, *_others) = sorted(camera.seen["dice"], key=lambda die: die["face"])
    assert first["face"] == 1
    assert first["box"] == pytest.approx([(2 - 0.5) * 40 / 640, 5.5 * 40 / 360, 40 / 640, 40 / 360], abs=0.01)


def test_hints_are_said_as_they_arise_the_first_ones_first_and_go_when_the_dice_are_read(
    camera: Camera, reader: DrawnReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    lying: tuple[Placed, ...] = ((3, 2, 6), (4, 5, 6))
    assert camera.show(*lying)["says"] == []
    monkeypatch.setattr(reader, "hints", (hints.DARK, hints.CUT_OFF))
    camera.show((3, 2, 5), (4, 5, 5))
    assert camera.seen["says"] == [
        "The picture is dark. More light helps.",
        "A die is cut off at the edge. Take in the whole table.",
    ]
    camera.throw(1, 1, 2, 6, 5)
    assert (camera.seen["state"], camera.seen["says"]) == ("settled", [])


def test_dice_that_stay_are_kept_and_the_throws_are_counted(camera: Camera, desk: Desk) -> None:
    lying = camera.throw(6, 6, 1, 2, 3)
    camera.take(*lying[:2])
    camera.throw(6, 4, 4, lying=lying[:2], y=2)
    assert rolls(desk, camera) == [([1, 2, 3, 6, 6], 1, ()), ([4, 4, 6, 6, 6], 2, (6, 6))]


def test_when_no_throw_is_left_the_next_one_waits_until_a_box_is_written(camera: Camera, desk: Desk) -> None:
    for n, faces in enumerate(((1, 1, 2, 6, 5), (1, 2, 2, 6, 5), (3, 3, 3, 6, 6), (4, 4, 1, 5, 5))):
        camera.throw(*faces, y=2 + 2.0 * (n % 3))
        camera.take()
    assert [throw for _faces, throw, _kept in rolls(desk, camera)] == [1, 2, 3]
    assert camera.seen["says"] == ["No throw is left in this turn. Write a box, and this one counts for the next."]
    assert post(camera.client, camera.game, "score", box="full-house", points="21").status_code == 303
    camera.show()
    assert rolls(desk, camera)[-1] == ([1, 4, 4, 5, 5], 1, ())
    assert desk.history(camera.game.rsplit("/", 1)[-1]).game.turn == 1
    assert camera.show()["says"] == []


def test_a_throw_that_somebody_has_entered_by_hand_meanwhile_is_not_counted_again(camera: Camera, desk: Desk) -> None:
    camera.show(pictures=3)
    post(camera.client, camera.game, "roll", dice="11265", throw="1")
    lying = camera.throw(1, 1, 2, 6, 5)
    assert len(entries(desk, camera)) == 1
    camera.take(*lying[:2])
    camera.throw(3, 3, 3, lying=lying[:2], y=2)
    assert rolls(desk, camera)[1:] == [([1, 1, 3, 3, 3], 2, (1, 1))]


def test_dice_that_lay_there_before_the_camera_was_started_are_no_throw(
    camera: Camera, client: FlaskClient, desk: Desk
) -> None:
    lying = camera.throw(1, 1, 2, 6, 5)
    post(client, camera.game, "score", box="ones", points="2")
    client.application.extensions["cameras"] = follow.Cameras(desk)  # as after a new start of the server
    camera.show(*lying, pictures=12)
    assert len(rolls(desk, camera)) == 1
    camera.take()
    camera.throw(2, 2, 3, 3, 1)
    assert rolls(desk, camera)[1:] == [([1, 2, 2, 3, 3], 1, ())]


def test_what_is_taken_back_by_hand_stays_so_and_the_next_throw_counts(camera: Camera, desk: Desk) -> None:
    lying = camera.throw(1, 1, 2, 6, 5)
    post(camera.client, camera.game, "rewind", to="0")
    camera.show(*lying, pictures=10)
    assert len(rolls(desk, camera)) == 1
    camera.take()
    camera.throw(1, 1, 2, 6, 5, y=2)
    assert rolls(desk, camera)[1:] == [([1, 1, 2, 5, 6], 1, ())]


def test_a_reading_that_is_not_sure_is_marked_on_the_page_until_somebody_corrects_it(
    camera: Camera, reader: DrawnReader, desk: Desk
) -> None:
    reader.sure = False
    camera.throw(1, 1, 2, 6, 5)
    assert (camera.seen["state"], camera.seen["word"]) == ("check", "Please check")
    assert all(die["doubtful"] for die in camera.seen["dice"])
    page = camera.client.get(camera.game)
    assert "Please check the dice with a question mark." in page.text
    assert page.text.count("doubtful") == 5
    (entry,) = entries(desk, camera)
    assert isinstance(entry, Rolled)
    dice = "".join(map(str, entry.dice))
    post(camera.client, camera.game, "reread", dice=dice, die=str(entry.dice.index(5)), face="4", throw="1")
    assert "doubtful" not in camera.client.get(camera.game).text


def test_a_die_that_was_corrected_by_hand_is_kept_as_what_it_is(camera: Camera, desk: Desk) -> None:
    lying = camera.throw(1, 1, 2, 6, 5)
    (entry,) = entries(desk, camera)
    assert isinstance(entry, Rolled)
    dice = "".join(map(str, entry.dice))
    post(camera.client, camera.game, "reread", dice=dice, die=str(entry.dice.index(5)), face="6", throw="1")
    camera.show(*lying, pictures=3)
    assert isinstance(entries(desk, camera)[-1], Reread)
    camera.take(lying[4], lying[3])
    camera.throw(2, 2, 2, lying=(lying[4], lying[3]), y=2)
    assert rolls(desk, camera)[1:] == [([2, 2, 2, 6, 6], 2, (6, 6))]


def test_dice_put_down_by_hand_are_a_throw_if_somebody_says_so(
    camera: Camera, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    lying = camera.throw(1, 1, 2, 6, 5)
    with monkeypatch.context() as doubting:
        doubting.setattr(Follower, "doubt", Event(events.PLACED, 0.0, (), sure=False))
        assert not camera.seen["ask"]
        assert camera.show(*lying)["ask"]
        assert camera.seen["says"] == ["Somebody has put dice there. Was it a throw?"]
    camera.show(*lying, declare="1")
    assert rolls(desk, camera) == [([1, 1, 2, 5, 6], 1, ()), ([1, 1, 2, 5, 6], 2, ())]


def test_a_declared_throw_with_too_few_dice_is_refused_in_words(camera: Camera, desk: Desk) -> None:
    camera.show((3, 2, 6), (4, 5, 6), pictures=8)
    seen = camera.show((3, 2, 6), (4, 5, 6), declare="1")
    assert "This game is played with 5 dice, not 2." in seen["says"]
    assert entries(desk, camera) == []
    assert "not 2" not in " ".join(camera.show((3, 2, 6), (4, 5, 6))["says"])


def test_only_what_lies_on_the_table_counts_where_that_is_marked(camera: Camera, desk: Desk) -> None:
    spare: tuple[Placed, ...] = ((6, 2, 1.5), (6, 5, 1.5))
    camera.throw(1, 1, 2, 6, 5, lying=spare, area="0,0.35,1,0.65")
    assert rolls(desk, camera) == [([1, 1, 2, 5, 6], 1, ())]
    assert all(die["box"][1] > 0.35 for die in camera.seen["dice"])


def test_a_second_camera_follows_only_if_somebody_says_so(camera: Camera, client: FlaskClient, desk: Desk) -> None:
    camera.show(pictures=2)
    other = Camera(client, camera.game, TABLET)
    other.throw(1, 1, 2, 6, 5)
    assert (other.seen["state"], other.seen["word"], other.seen["dice"]) == ("away", "Another camera", [])
    other.show(take="1")
    assert other.seen["state"] == "looking"
    assert camera.show()["state"] == "away"
    assert entries(desk, camera) == []
    other.throw(1, 1, 2, 6, 5)
    assert len(rolls(desk, camera)) == 1


def test_cameras_that_have_gone_are_forgotten_and_never_too_many_are_followed(camera: Camera, desk: Desk) -> None:
    cameras = follow.Cameras(desk)
    first = cameras.watch("game", PHONE, 5, None, at=0.0)
    assert cameras.watch("game", TABLET, 5, None, at=1.0) is None
    assert cameras.watch("game", PHONE, 5, None, at=follow.IDLE) is first
    assert cameras.watch("game", TABLET, 5, None, at=2 * follow.IDLE + 1) is not None
    for n in range(follow.MOST):
        cameras.watch(f"game {n}", PHONE, 5, None, at=2 * follow.IDLE + 2)
    assert cameras.watch("game", PHONE, 5, None, at=2 * follow.IDLE + 3) is not None, "the other one was forgotten"


def test_rings_go_round_the_dice_to_keep_for_whoever_wants_to_know(
    client: FlaskClient, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "advise", lambda _game: Advice((Keep((6, 6), 20.0),)))
    for level, kept in (("boxes", 0), ("hint", 2)):
        camera = Camera(client, begin(client, help=level))
        camera.throw(6, 1, 6, 6, 5)
        assert [die["face"] for die in camera.seen["dice"] if die["keep"]] == [6] * kept


@pytest.mark.parametrize("data", [b"\0", b"this is a letter", jpeg(draw())[:300]])
def test_a_picture_that_is_none_is_said_in_words_and_the_game_goes_on(camera: Camera, desk: Desk, data: bytes) -> None:
    answer = camera.send(data)
    assert answer.status_code == 200
    assert len(answer.get_json()["says"]) == 1
    camera.throw(1, 1, 2, 6, 5)
    assert len(rolls(desk, camera)) == 1


def test_where_the_eye_is_broken_that_is_said_and_hand_entry_goes_on(camera: Camera, reader: DrawnReader) -> None:
    reader.broken = True
    assert camera.show()["says"] == ["The dice cannot be read at the moment. Enter them by hand."]
    assert post(camera.client, camera.game, "roll", dice="11265", throw="1").status_code == 303


@pytest.mark.parametrize(
    "fields", [{"token": "another"}, {"area": "a,b"}, {"area": "0,0,2,1"}, {"area": "0,0,0,0"}, {"area": "nan,0,1,1"}]
)
def test_what_no_page_of_kast_sends_is_refused(camera: Camera, fields: dict[str, str]) -> None:
    assert camera.send(jpeg(draw()), **fields).status_code == 400


def test_a_camera_with_no_name_or_no_picture_or_no_game_is_refused(camera: Camera, client: FlaskClient) -> None:
    assert client.post(f"{camera.game}/camera/{PHONE}", data={"token": camera.token}).status_code == 400
    assert Camera(client, camera.game, "x").send(jpeg(draw())).status_code == 400
    camera.game = "/g/nothing"
    assert camera.send(jpeg(draw())).status_code == 404


@pytest.mark.parametrize("language", words.load().values(), ids=lambda language: language.code)
def test_every_state_and_doubt_is_said_in_every_language(language: words.Language) -> None:
    for sentences in (WORDS, DOUBTS):
        said = {language.say(sentence, dice=5, seen=4) for sentence in sentences.values()}
        assert len(said) == len(sentences)


def test_the_live_view_is_there_where_browsers_allow_it_and_elsewhere_the_way_to_it(
    camera: Camera, at_home: None
) -> None:
    for address in ("https://192.168.1.20:8443", "http://localhost:8123"):
        join(camera.client, camera.game, base_url=address)
        page = camera.client.get(camera.game, base_url=address).text
        assert 'id="live"' in page
        assert "camera.js" in page
    join(camera.client, camera.game, base_url="http://192.168.1.20:8123")
    page = camera.client.get(camera.game, base_url="http://192.168.1.20:8123").text
    assert 'id="live"' not in page
    assert f'href="/trust?game={camera.game.rsplit("/", 1)[-1]}"' in page


class Scripted(OwnCamera):
    """A camera at the computer that sees what it is given, picture by picture, and then is lost."""

    def __init__(self) -> None:
        self._last = None
        self.coming: list[Image | None] = []

    def newest(self) -> Image | None:
        if not self.coming:
            raise CameraLost("The camera {source} sends no pictures.", source="0")
        self._last = self.coming.pop(0)
        return self._last


@pytest.fixture
def own(client: FlaskClient) -> Scripted:
    client.application.extensions["camera"] = scripted = Scripted()
    return scripted


def test_the_camera_at_the_computer_follows_a_game_for_the_pages_that_look_through_it(
    client: FlaskClient, own: Scripted, desk: Desk
) -> None:
    camera = Camera(client, begin(client), HERE)
    assert client.get(f"{camera.game}/camera/here.jpg").status_code == 404, "it has seen nothing yet"
    row: list[Placed] = [(face, 2 + 3.0 * n, 6.0) for n, face in enumerate((1, 1, 2, 6, 5))]
    rolling = [draw(*((face, x - left, y + left) for face, x, y in row)) for left in (1.5, 0.7, 0.2)]
    own.coming = [draw(), None, draw(), *rolling, *[draw(*row)] * 6]
    while own.coming:
        answer = camera.send(b"").get_json()
    assert (answer["state"], len(answer["dice"])) == ("settled", 5)
    assert rolls(desk, camera) == [([1, 1, 2, 5, 6], 1, ())]
    shown = client.get(f"{camera.game}/camera/here.jpg")
    assert (shown.mimetype, shown.data[:3]) == ("image/jpeg", b"\xff\xd8\xff")


def test_two_screens_look_through_the_camera_at_the_computer_and_a_throw_counts_once(
    client: FlaskClient, own: Scripted, desk: Desk
) -> None:
    camera, other = (Camera(client, game, HERE) for game in [begin(client)] * 2)
    client.application.extensions["clock"] = lambda: camera.time + other.time
    row: list[Placed] = [(face, 2 + 3.0 * n, 6.0) for n, face in enumerate((1, 1, 2, 6, 5))]
    rolling = [draw(*((face, x - left, y + left) for face, x, y in row)) for left in (1.5, 0.7, 0.2)]
    own.coming = [*[draw()] * 3, *rolling, *[draw(*row)] * 8]
    screens = [camera, other]
    while own.coming:
        screens.reverse()
        answer = screens[0].send(b"").get_json()
        assert answer["state"] != "away"
    assert rolls(desk, camera) == [([1, 1, 2, 5, 6], 1, ())]


def film(path: Path, *pictures: Image) -> Path:
    """A video of these pictures, ten a second."""
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (WIDTH, HEIGHT))
    for picture in pictures:
        video.write(picture)
    video.release()
    return path


def test_a_video_in_place_of_a_camera_is_followed_to_the_written_score(
    client: FlaskClient, desk: Desk, tmp_path: Path
) -> None:
    row: list[Placed] = [(face, 2 + 3.0 * n, 6.0) for n, face in enumerate((1, 1, 2, 6, 5))]
    rolling = [draw(*((face, x - left, y + left) for face, x, y in row)) for left in (1.5, 0.7, 0.2)]
    path = film(tmp_path / "turn.avi", *[draw()] * 3, *rolling, *[draw(*row)] * 6)
    camera, shown = Camera(client, begin(client), HERE), threading.Semaphore(0)

    def let_pass(_seconds: float) -> None:
        shown.acquire(timeout=30)  # until the page has seen the last picture

    source = frames.Camera(str(path), lambda name: frames.Film(name, lambda: 0.0, let_pass))
    client.application.extensions["camera"] = OwnCamera(source)
    with source:
        for _picture in range(15):  # three more than there are: the last stays
            answer = camera.send(b"").get_json()
            shown.release()
    shown.release()
    assert (answer["state"], len(answer["dice"])) == ("settled", 5)
    assert rolls(desk, camera) == [([1, 1, 2, 5, 6], 1, ())]
    assert post(client, camera.game, "score", box="ones", points="2").status_code == 303
    assert rows(client.get(camera.game))["Ones"] == ["2", ""]


def test_a_camera_at_the_computer_that_is_lost_is_said_in_words(client: FlaskClient, own: Scripted) -> None:
    answer = Camera(client, begin(client), HERE).send(b"")
    assert answer.status_code == 200
    assert answer.get_json()["says"] == ["The camera at the computer sends no pictures. It is tried again."]


def test_where_there_is_no_camera_at_the_computer_nothing_looks_through_it(client: FlaskClient) -> None:
    camera = Camera(client, begin(client), HERE)
    assert camera.send(b"").status_code == 400
    assert client.get(f"{camera.game}/camera/here.jpg").status_code == 404


def test_with_a_camera_at_the_computer_the_live_view_is_there_on_plain_http_too(desk: Desk, at_home: None) -> None:
    visitor = create_app(desk, b"a key for tests", own_camera=Scripted()).test_client()
    game = begin(visitor)
    for address in ("http://192.168.1.20:8123", "https://192.168.1.20:8443"):
        join(visitor, game, base_url=address)
    plain = visitor.get(game, base_url="http://192.168.1.20:8123").text
    assert 'data-here="The camera at the computer" data-only-here' in plain
    secure = visitor.get(game, base_url="https://192.168.1.20:8443").text
    assert 'data-here="The camera at the computer"' in secure
    assert "data-only-here" not in secure
