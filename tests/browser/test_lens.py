"""The browser's camera as a device: which is asked for, how often it is shown, and what is said where there is none.

Chromium's fake cameras show a moving pattern here; what is seen in it does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, Route

from tests.browser.conftest import watch
from tests.browser.table import GUARD_IS_OVER, QUIET, Table, serving, system_chromium
from tests.browser.test_play import PHONE, too_small

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

LONG = 120_000  # milliseconds
FAKE = ("--use-fake-device-for-media-stream=device-count=3", "--use-fake-ui-for-media-stream")
ASKED = """
const media = navigator.mediaDevices, real = media.getUserMedia.bind(media);
media.getUserMedia = wanted => {
    const asked = JSON.parse(sessionStorage.getItem("asked") ?? "[]");
    sessionStorage.setItem("asked", JSON.stringify([...asked, wanted.video]));
    const lost = window.lost;
    return lost ? Promise.reject(new DOMException("no", lost)) : real(wanted);
};
"""
ANSWER = '{"seq": 1, "state": "looking", "word": "Looking", "dice": %s, "says": [], "ask": false}'
PLAYED = "since => document.querySelector('#live video').currentTime > since"


@pytest.fixture(scope="module")
def three(playwright: Playwright) -> Iterator[Browser]:
    """A browser on a device with three cameras."""
    started = playwright.chromium.launch(executable_path=system_chromium(), args=[*QUIET, *FAKE])
    yield started
    started.close()


@pytest.fixture
def page(three: Browser, tmp_path: Path, complaints: list[str]) -> Iterator[Page]:
    with serving(tmp_path / "data", securely=True, called="192.168.1.20") as address:
        context = three.new_context(
            base_url=address, ignore_https_errors=True, locale="en", viewport=PHONE, has_touch=True
        )
        shown = watch(context, complaints).new_page()
        shown.add_init_script(ASKED)
        Table(shown).begin("yatzy", "Anna", "Bo")
        yield shown
        shown.unroute_all(behavior="ignoreErrors")
        context.close()


class Server:
    """Stands between the page and Kast: holds what the camera sends until it is answered."""

    def __init__(self, page: Page, dice: str = "[]") -> None:
        self.held: list[Route] = []
        self.dice = dice
        page.route("**/camera/*", self.hold)

    def hold(self, route: Route) -> None:
        self.held.append(route)

    def wait(self, page: Page, count: int = 1) -> None:
        while len(self.held) < count:
            page.evaluate("0")  # lets the browser tell what it has sent

    def next(self, page: Page) -> None:
        """The picture after the one that is on its way or comes next."""
        self.wait(page)
        self.answer()
        self.wait(page)

    def sent(self) -> bytes:
        return self.held[0].request.post_data_buffer or b""

    def answer(self) -> None:
        self.held.pop(0).fulfill(body=ANSWER % self.dice, content_type="application/json")


def asked(page: Page) -> list[Any]:
    found: list[Any] = page.evaluate("JSON.parse(sessionStorage.getItem('asked') ?? '[]')")
    return found


def test_the_rear_lens_and_720_lines_are_asked_for_and_another_lens_is_remembered(page: Page) -> None:
    Server(page)
    page.locator("[data-live=on]").click()
    page.wait_for_selector(".lens:not([hidden])", timeout=LONG)
    (first,) = asked(page)
    assert first["facingMode"] == {"ideal": "environment"}
    assert (first["width"]["ideal"], first["height"]["ideal"]) == (1280, 720)
    lenses = page.locator(".lens option").evaluate_all("all => all.map(option => option.value)")
    assert len(lenses) == 3
    page.locator(".lens select").select_option(lenses[2])
    page.wait_for_function("() => JSON.parse(sessionStorage.getItem('asked')).length == 2", timeout=LONG)
    assert asked(page)[1]["deviceId"] == {"exact": lenses[2]}
    page.reload()  # the camera goes on as it was
    page.wait_for_function("() => JSON.parse(sessionStorage.getItem('asked')).length == 3", timeout=LONG)
    assert asked(page)[2]["deviceId"] == {"exact": lenses[2]}
    assert asked(page)[2]["height"]["ideal"] == 720


def test_one_picture_is_on_its_way_at_a_time_and_a_slow_server_is_given_rest(page: Page) -> None:
    server = Server(page)
    page.clock.install(time=0)
    page.clock.pause_at(60_000)
    page.locator("[data-live=on]").click()
    server.wait(page)
    page.wait_for_function(PLAYED, arg=page.evaluate("document.querySelector('#live video').currentTime") + 0.5)
    page.clock.run_for(2000)
    assert len(server.held) == 1, "the first one has not been answered"
    server.answer()
    page.wait_for_selector(".word:not(:empty)", timeout=LONG)
    page.clock.run_for(400)  # of the quarter of two seconds
    page.wait_for_function(PLAYED, arg=page.evaluate("document.querySelector('#live video').currentTime") + 0.3)
    assert server.held == []
    page.clock.run_for(1000)
    server.wait(page)


def test_stopped_and_started_while_a_picture_is_on_its_way_there_is_still_one_at_a_time(page: Page) -> None:
    server = Server(page)
    page.locator("[data-live=on]").click()
    server.wait(page)
    page.locator("button[data-live=off]").click()
    page.evaluate(GUARD_IS_OVER)
    page.locator("[data-live=on]").click()
    page.wait_for_function("() => document.querySelector('#live video').srcObject?.active", timeout=LONG)
    page.wait_for_function(PLAYED, arg=page.evaluate("document.querySelector('#live video').currentTime") + 0.5)
    assert len(server.held) == 1
    server.answer()
    server.wait(page)


def test_a_camera_that_is_unplugged_is_said_so_and_comes_back_by_itself(page: Page) -> None:
    server = Server(page)
    page.locator("[data-live=on]").click()
    server.wait(page)
    page.evaluate("""() => {
        window.lost = "NotReadableError";
        document.querySelector("#live video").srcObject.getTracks().forEach(track => track.stop());
    }""")
    server.answer()
    page.wait_for_selector("[data-error=NotReadableError]", timeout=LONG)
    page.evaluate("window.lost = ''")
    server.wait(page)
    server.answer()
    page.wait_for_selector("[data-error=NotReadableError]", state="hidden", timeout=LONG)


def test_on_a_tablet_a_phone_takes_over_by_a_code_and_the_tablets_own_camera_is_let_go(page: Page) -> None:
    Server(page)
    page.set_viewport_size({"width": 768, "height": 1024})
    page.locator("[data-live=on]").click()
    page.wait_for_selector(".lens:not([hidden])", timeout=LONG)
    assert too_small(page) == []
    game = page.url
    page.get_by_title("A phone as the camera").click()
    page.wait_for_selector(".code svg")
    assert "/camera" in str(page.locator("a.code").last.get_attribute("href"))
    page.goto(game)
    assert page.locator("[data-live=on]").is_visible(), "it is not started again by itself"
    assert page.locator("#live").is_hidden()


def test_dice_are_outlined_with_their_values_and_rings_go_round_those_to_keep(page: Page) -> None:
    dice = """[{"box": [0.1, 0.2, 0.1, 0.2], "face": 6, "doubtful": false, "keep": true},
               {"box": [0.5, 0.2, 0.1, 0.2], "face": 3, "doubtful": true, "keep": false}]"""
    server = Server(page, dice)
    page.locator("[data-live=on]").click()
    server.wait(page)
    server.answer()
    page.wait_for_selector(".seen g", state="attached", timeout=LONG)
    assert page.locator(".seen text").all_text_contents() == ["6", "3?"]
    width, height = page.locator("#live video").evaluate("video => [video.videoWidth, video.videoHeight]")
    frame = page.locator(".seen .frame").first
    assert [float(str(frame.get_attribute(side))) for side in ("x", "y", "width", "height")] == pytest.approx(
        [0.1 * width, 0.2 * height, 0.1 * width, 0.2 * height]
    )
    (ring,) = page.locator(".seen .ring").all()
    middle = [float(str(ring.get_attribute(axis))) for axis in ("cx", "cy")]
    assert middle == pytest.approx([0.15 * width, 0.3 * height]), "round the six"


def test_the_marked_table_is_told_with_every_picture_of_its_lens_and_of_no_other(page: Page) -> None:
    server = Server(page)
    page.locator("[data-live=on]").click()
    server.wait(page)
    assert b'name="area"' not in server.sent()
    server.answer()
    page.wait_for_selector(".seen[viewBox]", timeout=LONG)
    page.locator("[data-live=area]").click()
    box = page.locator(".seen").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.25)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.75, steps=2)
    page.mouse.up()
    server.next(page)
    marked = server.sent().partition(b'name="area"')[2].split()[0]
    assert [float(share) for share in marked.split(b",")] == pytest.approx([0.25, 0.25, 0.5, 0.5], abs=0.02)
    first, other = page.locator(".lens option").evaluate_all("all => all.map(option => option.value)")[:2]
    page.locator(".lens select").select_option(other)
    page.wait_for_function("() => JSON.parse(sessionStorage.getItem('asked')).length == 2", timeout=LONG)
    server.next(page)
    assert b'name="area"' not in server.sent()
    page.locator(".lens select").select_option(first)
    page.wait_for_function("() => JSON.parse(sessionStorage.getItem('asked')).length == 3", timeout=LONG)
    server.next(page)
    assert marked in server.sent()


def test_where_the_browser_has_no_camera_the_page_says_so_before_anybody_tries(page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'mediaDevices', { value: undefined });")
    page.reload()
    assert page.locator("[data-live=on]").is_hidden()
    game = page.url
    page.goto(f"{game}/camera")
    assert page.get_by_text("This browser cannot use the camera here.").is_visible()
    assert page.locator("[data-live=on]").is_hidden()
    page.goto(game)
    page.locator("a[title='The live camera']").click()
    page.wait_for_url("**/trust*")
    assert page.get_by_text("This browser cannot use the camera here.").is_visible()
    assert page.get_by_text("This page is secure").is_hidden()
    assert page.get_by_text("Take a photo", exact=True).is_visible()


def test_a_camera_that_was_forbidden_says_how_it_is_allowed_and_hand_entry_and_photo_stay(page: Page) -> None:
    page.evaluate("window.lost = 'NotAllowedError'")
    page.locator("[data-live=on]").click()
    page.get_by_text("How it is allowed").click()
    assert page.get_by_text("Android:").is_visible()
    assert page.get_by_text("iPhone, iPad:").is_visible()
    assert page.get_by_text("Take a photo", exact=True).is_visible()
    assert page.locator("#hand .pad .key").first.is_visible()
    assert too_small(page) == []
    page.evaluate("window.lost = ''")
    page.locator("[data-live=on]").click()
    page.wait_for_selector(".word:not(:empty)", timeout=LONG)
