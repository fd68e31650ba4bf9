"""The live camera in Chromium, over https: its fake camera films a turn, which is followed to the written score."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, Playwright

from tests.browser.clip import Table as FilmedTable
from tests.browser.clip import film, jpeg
from tests.browser.conftest import watch
from tests.browser.table import GUARD_IS_OVER, Table, chromium, serving
from tests.browser.test_play import PHONE, no_sideways_scroll, too_small

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

LONG = 120_000  # milliseconds: the film takes its time, and so does a busy machine
IS_LIVE = "() => document.querySelector('#live video').srcObject?.active"


class Film(NamedTuple):
    """A browser whose camera shows a turn, the file of it, the faces of its two throws, and those kept."""

    browser: Browser
    path: Path
    first: list[int]
    second: list[int]
    kept: list[int]


@pytest.fixture(scope="module")
def turn(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Film]:
    path = tmp_path_factory.mktemp("film") / "turn.mjpeg"
    faces = film(path, first_rest=12.0, last_rest=40.0)
    browser = chromium(playwright, path)
    yield Film(browser, path, *faces)
    browser.close()
    path.unlink()


@pytest.fixture
def page(turn: Film, tmp_path: Path, complaints: list[str]) -> Iterator[Page]:
    with serving(tmp_path / "data", securely=True) as address:
        context = turn.browser.new_context(
            base_url=address, ignore_https_errors=True, locale="en", viewport=PHONE, has_touch=True
        )
        yield watch(context, complaints).new_page()
        context.close()


def tray(page: Page) -> list[int]:
    drawn = page.locator(".hand .slot[href^='#die'] use").all()
    return sorted(int(str(die.get_attribute("href"))[2:]) for die in drawn)


def test_a_whole_turn_is_followed_without_a_touch_until_a_box_is_tapped(page: Page, turn: Film) -> None:
    table = Table(page)
    table.begin("yatzy", "Anna", "Bo")
    page.evaluate("window.stayed = true")
    page.locator("[data-live=on]").click()
    page.wait_for_selector("text=Throw 1 of 3", timeout=LONG)
    assert tray(page) == turn.first
    page.wait_for_selector("text=Throw 2 of 3", timeout=LONG)
    assert tray(page) == turn.second
    page.wait_for_selector(".word[data-state=settled]", timeout=LONG)
    outlined = page.locator(".seen .read text").all_text_contents()
    assert sorted(map(int, outlined)) == turn.second
    assert no_sideways_scroll(page)
    assert too_small(page) == []
    table.write("sixes")
    assert table.player() == "Bo"
    assert table.sums("total") == [6 * turn.second.count(6), 0]
    assert page.evaluate(IS_LIVE), "the camera goes on"
    assert page.evaluate("window.stayed"), "and the page was never left"
    page.reload()
    assert table.sums("total") == [6 * turn.second.count(6), 0]
    page.wait_for_function(IS_LIVE)  # whoever comes back finds the camera as it was


def test_the_camera_works_again_after_the_screen_was_off_and_stops_when_told(page: Page) -> None:
    Table(page).begin("yatzy", "Anna", "Bo")
    page.locator("[data-live=on]").click()
    page.wait_for_selector(".word[data-state]:not(:empty)", timeout=LONG)
    with page.expect_response("**/camera/*", timeout=LONG):
        page.evaluate("""() => {
            document.querySelector("#live video").srcObject.getTracks().forEach(track => track.stop());
            document.dispatchEvent(new Event("visibilitychange"));
        }""")
    page.wait_for_function(IS_LIVE, timeout=LONG)
    page.evaluate(GUARD_IS_OVER)
    page.locator("button[data-live=off]").click()
    page.wait_for_selector("#live", state="hidden")
    assert not page.evaluate(IS_LIVE)


def test_hand_entry_goes_on_beside_the_camera(page: Page) -> None:
    table = Table(page)
    table.begin("maxi-yatzy", "Anna", "Bo")
    page.locator("[data-live=on]").click()
    page.wait_for_selector(".word[data-state]:not(:empty)", timeout=LONG)
    page.evaluate("window.stayed = true")
    table.throw(1, 2, 3, 4, 5, 6)
    assert tray(page) == [1, 2, 3, 4, 5, 6]
    table.write("full-straight")
    table.throw(6, 6, 6, 1, 1, 2)
    assert table.player() == "Bo"
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector("#hand")
    assert table.sums("total") == [21, 0]
    assert page.evaluate("window.stayed")


def test_the_table_is_marked_on_the_picture_and_remembered(page: Page) -> None:
    Table(page).begin("yatzy", "Anna")
    page.locator("[data-live=on]").click()
    page.wait_for_selector(".seen[viewBox]", timeout=LONG)
    page.locator("[data-live=area]").click()
    box = page.locator(".seen").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.8, steps=3)
    page.mouse.up()
    page.reload()
    drawn = page.locator(".seen .area").get_attribute("d", timeout=LONG)
    assert drawn
    corner = [float(number) for number in drawn.split("M")[2].split("h")[0].split()]
    assert corner == pytest.approx([0.25, 0.2], abs=0.02)


def test_a_camera_that_may_not_be_used_is_said_in_words_with_the_photo_beside_it(
    page: Page, complaints: list[str]
) -> None:
    page.add_init_script("""navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException("no", "NotAllowedError"));""")
    Table(page).begin("yatzy", "Anna")
    page.locator("[data-live=on]").click()
    page.wait_for_selector("[data-error=NotAllowedError]")
    assert page.get_by_text("Take a photo", exact=True).is_visible()


def test_another_screen_follows_by_itself_what_happens_in_front_of_a_phone(page: Page, turn: Film) -> None:
    table = Table(page)
    table.begin("yatzy", "Anna", "Bo")
    page.evaluate("window.stayed = true")
    phone = page.context.new_page()
    phone.goto(f"{page.url}/camera")
    phone.locator("[data-live=on]").click()
    page.wait_for_selector("text=Throw 1 of 3", timeout=LONG)
    assert tray(page) == turn.first
    assert page.evaluate("window.stayed")
    assert too_small(phone) == []
    assert no_sideways_scroll(phone)


class Streamed(BaseHTTPRequestHandler):
    """Sends the pictures that are due, one after the other, as network cameras do, until the connection is cut."""

    due: ClassVar[list[bytes]] = []
    cut = threading.Event()

    def do_GET(self) -> None:
        if self.cut.is_set():
            self.send_error(503)
        else:
            self._stream()

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
        self.end_headers()
        pace = threading.Event()
        with suppress(OSError):
            for picture in itertools.chain(self.due, itertools.repeat(self.due[-1])):
                head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                self.wfile.write(head.encode() + picture + b"\r\n")
                if self.cut.is_set() or pace.wait(0.2):  # five pictures a second
                    return

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
        """Says nothing."""


@pytest.fixture
def stream() -> Iterator[str]:
    """The address of a network camera that sees a throw."""
    filmed = FilmedTable()
    rolling = list(filmed.roll_in([], filmed.dice))[::3]
    pictures = [filmed.show([])] * 10 + rolling + [filmed.show(filmed.dice) for _ in range(5)]
    Streamed.due = [jpeg(picture) for picture in pictures]
    Streamed.cut.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Streamed)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    Streamed.cut.set()
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_video_at_the_computer_is_followed_on_plain_http_to_the_written_score(
    browser: Browser, turn: Film, tmp_path: Path, complaints: list[str]
) -> None:
    with serving(tmp_path / "data", camera=str(turn.path)) as address:
        context = watch(browser.new_context(base_url=address, locale="en", viewport=PHONE), complaints)
        page = context.new_page()
        page.add_init_script("localStorage.setItem('lens', 'here')")  # this address counts as secure to the browser
        table = Table(page)
        table.begin("yatzy", "Anna", "Bo")
        page.locator("[data-live=on]").click()
        page.wait_for_selector("text=Throw 1 of 3", timeout=LONG)
        assert tray(page) == turn.first
        page.wait_for_selector("text=Throw 2 of 3", timeout=LONG)
        assert tray(page) == turn.second
        table.write("sixes")
        assert table.sums("total") == [6 * turn.second.count(6), 0]
        page.get_by_title("The game so far").click()
        page.locator(".thrown a").last.click()
        read = page.locator(".close-up b").all_text_contents()
        assert sorted(int(face.strip("?")) for face in read) == turn.second
        assert too_small(page) == []
        assert no_sideways_scroll(page)
        context.close()


def test_a_network_camera_follows_the_game_on_plain_http_and_comes_back_when_it_was_away(
    browser: Browser, stream: str, tmp_path: Path, complaints: list[str]
) -> None:
    with serving(tmp_path / "data", camera=stream) as address:
        context = browser.new_context(base_url=address, locale="en", viewport=PHONE)
        page = context.new_page()
        page.add_init_script("localStorage.setItem('lens', 'here')")
        Table(page).begin("yatzy", "Anna", "Bo")
        page.locator("[data-live=on]").click()
        page.wait_for_selector("text=Throw 1 of 3", timeout=LONG)
        assert tray(page) == [3, 3, 4, 6, 6]
        page.wait_for_selector(".word[data-state=settled]", timeout=LONG)
        assert page.locator("#live img").evaluate("image => image.naturalWidth") == 960
        Streamed.cut.set()
        page.wait_for_selector("text=The camera at the computer sends no pictures.", timeout=LONG)
        Streamed.cut.clear()
        page.wait_for_selector("text=The camera at the computer sends no pictures.", state="detached", timeout=LONG)
        context.close()
