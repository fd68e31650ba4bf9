"""The page is for everyone: axe-core finds nothing, a turn is played by keyboard, and all screens show one game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import axe_playwright_python
import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import watch
from tests.browser.table import Table, serving, way_in
from tests.browser.test_play import PHONE
from tests.seeded import fill
from web.app import create_app
from web.desk import Desk
from web.house import House

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
CALLED = "192.168.1.20"
# Every view by the route that shows it: where it is, and what is tapped there.
VIEWS: dict[str, list[str]] = {
    "pages.start": ["/"],
    "pages.new": ["/new/stratzy", "/new/maxi-yatzy"],
    "pages.game": [
        *("/g/rolled", "/g/rolled#die-0", "/g/rolled#throw", "/g/rolled#advice", "/g/rolled#write-yatzy"),
        *("/g/rolled#rule-full-house", "/g/rolled#who-1", "/g/rolled?mend=1"),
        *("/g/fresh", "/g/twelve", "/g/budget", "/g/finished"),
    ],
    "pages.cell": ["/g/rolled/cell/0/ones"],
    "people.page": ["/g/rolled/players"],
    "past.page": ["/g/rolled/history"],
    "photos.offer": ["/g/rolled/photo"],
    "join.code": ["/g/rolled/code"],
    "door.ask": ["/join"],
    "join.seat": ["/g/rolled/seat"],
    "camera.page": ["/g/rolled/camera"],
    "trust.page": ["/trust?game=rolled"],
    "ledger.page": ["/g/budget/ledger/0"],
    "rules.page": ["/g/rolled/rules"],
    "house.page": ["/house"],
    "house.make": ["/house/yatzy"],
    "after.page": ["/g/finished/after"],
    "after.sheet": ["/g/finished/sheet"],
    "after.history": ["/history"],
}
ELSEWHERE = {"photos.review", "past.throw"}  # views that need a photograph: they are looked at below
NO_VIEWS = {
    *("static", "pages.seq", "camera.picture", "photos.picture", "install.manifest", "trust.authority"),
    *("door.scan", "carry.as_json", "carry.as_csv", "carry.all_csv", "carry.all_json"),
}
GRAVE = ("serious", "critical")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("everyone") / "data"
    fill(folder)
    return folder


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[str]:
    with serving(data, called=CALLED) as address:
        yield address


@pytest.fixture
def page(browser: Browser, server: str, data: Path, complaints: list[str]) -> Iterator[Page]:
    context = browser.new_context(base_url=server, locale="en", viewport=PHONE, reduced_motion="reduce")
    page = watch(context, complaints).new_page()
    page.goto(way_in(data))
    yield page
    context.close()


def found(page: Page, view: str) -> list[str]:
    """What axe-core finds that shuts somebody out, on a phone in light and on a tablet in dark colours."""
    said = []
    for size, scheme in ((PHONE, "light"), ({"width": 1024, "height": 768}, "dark")):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        page.evaluate(AXE)
        for each in page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]:
            if each["impact"] not in GRAVE:
                continue
            where = [(node["target"], node["any"][:1] and node["any"][0]["message"]) for node in each["nodes"][:3]]
            said.append(f"{view} {scheme}: {each['impact']}: {each['id']}: {json.dumps(where)}")
    return said


def test_axe_finds_nothing_on_any_view_in_either_theme(page: Page) -> None:
    shown = {
        rule.endpoint
        for rule in create_app(Desk(None, None, None), b"key", house=House(Path())).url_map.iter_rules()  # type: ignore[arg-type]
        if "GET" in (rule.methods or ())
    }
    assert shown == VIEWS.keys() | ELSEWHERE | NO_VIEWS, "a new view is looked at here, too"
    said = []
    for view in (address for addresses in VIEWS.values() for address in addresses):
        page.goto("about:blank")  # so that a bar opens with its page
        answer = page.goto(view)
        assert answer
        assert answer.status == 200, view
        for summary in page.locator("details:not([open]) > summary").all():
            if summary.is_visible():
                summary.click()
        said += found(page, view)
    page.goto("/g/rolled/photo")
    page.locator(".examples button").first.click()
    page.wait_for_selector(".picture")
    said += found(page, "review")
    page.locator(".accept .primary").click()
    page.wait_for_selector(".hand .slot.photo", state="attached")
    page.goto(str(page.locator(".hand .slot.photo").get_attribute("href")))
    said += found(page, "throw")
    page.goto("/g/rolled")
    page.evaluate("document.getElementById('live').hidden = false, document.body.classList.add('live-on')")
    said += found(page, "the live camera")
    page.goto("/g/rolled/seat")
    page.get_by_text("Only Bo").click()
    page.wait_for_selector(".own #sheet")
    said += found(page, "own")
    assert said == []


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until what is in focus is this; it is no further than the page is long."""
    for _press in range(150):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not lead to {selector}")


COMES = """wanted => new Promise(done => {
    const look = () => {
        const { innerText, hash } = document.activeElement;
        if (wanted === innerText?.trim() || wanted === hash) done(); else requestAnimationFrame(look);
    };
    look();
})"""


def focus_comes(page: Page, wanted: str) -> None:
    """What is in focus, and so is read aloud, says this or leads there; the page may need a moment for it."""
    page.evaluate(COMES, wanted)


def test_a_whole_turn_is_played_by_keyboard_and_what_a_screen_reader_says_is_enough(page: Page) -> None:
    page.goto("/g/fresh")
    tab_to(page, ".pad .key[data-face='6']")
    for _die in range(5):
        page.keyboard.press("Enter")
    page.wait_for_selector(".hand .slot[href^='#die']")
    focus_comes(page, "Anna")  # reading goes on where the roll is
    spoken = page.locator("main").aria_snapshot()
    for line in (
        *('heading "Anna"', 'link "Die 5 shows 6. Correct it."', 'rowheader "Sixes"', 'columnheader "Anna"'),
        'link "Yatzy: write 50"',
    ):
        assert line in spoken, spoken
    tab_to(page, "[href='#write-yatzy']")
    page.keyboard.press("Enter")
    focus_comes(page, "Yatzy 50 points")
    page.keyboard.press("Escape")
    assert not page.locator("#write-yatzy").is_visible()
    focus_comes(page, "#write-yatzy")  # one is back where one was
    page.keyboard.press("Enter")
    focus_comes(page, "Yatzy 50 points")
    tab_to(page, "#write-yatzy .primary")
    page.keyboard.press("Enter")
    page.wait_for_selector("#hand")
    focus_comes(page, "Anna wrote 50 in Yatzy.")
    tab_to(page, ".top [action$='rewind'] button, .top a[href$='/players']")


def test_screens_show_the_same_game_one_that_slept_looks_at_once_and_what_may_be_old_says_so(
    page: Page, browser: Browser, server: str, data: Path
) -> None:
    other = browser.new_context(base_url=server, locale="sv", viewport={"width": 1024, "height": 768})
    tablet, asked, sent = other.new_page(), list[str](), list[str]()
    tablet.on("request", lambda request: asked.append(request.url) if request.url.endswith("/seq") else None)
    tablet.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    tablet.add_init_script("""navigator.wakeLock.request = () => {
        window.asked = (window.asked ?? 0) + 1;
        return Promise.resolve(window.held = { released: false });
    };""")
    tablet.goto(way_in(data, "/g/twelve"))
    page.goto("/g/twelve")
    before = tablet.locator("#sheet").get_attribute("data-seq")
    page.locator(".choice a").first.click()
    page.locator(".bar:target .primary").dispatch_event("click")
    tablet.wait_for_selector(f"#sheet:not([data-seq='{before}'])", state="attached")
    assert tablet.locator(".done").inner_text().startswith("Anna skrev ")
    assert "Anna skrev " in tablet.get_by_role("status").first.inner_text(), "a screen reader says it"
    assert tablet.locator("th.active .name").inner_text() == page.locator("th.active .name").inner_text() == "Bo"
    tablet.locator(".pad .key").nth(2).click()
    tablet.locator(".pad .key").nth(2).click()
    tablet.evaluate("location.hash = '#none'")

    tablet.evaluate(SLEEPS, True)
    tablet.evaluate("window.held.released = true")
    asked.clear()
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(".hand .slot[href^='#die']")
    assert asked == [], "nobody looks at it"
    tablet.evaluate("document.querySelector('#hand').elements.dice.value = ''")
    tablet.evaluate(SLEEPS, False)
    tablet.wait_for_selector(".hand .slot[href^='#die']")
    assert tablet.evaluate("window.asked") == 2, "the screen is kept on again"

    tablet.route("**/seq", lambda route: route.abort())
    tablet.wait_for_selector(".away:not(:empty)")
    tablet.locator("[action$='rewind'] button:enabled").first.click()
    tablet.unroute("**/seq")
    tablet.wait_for_selector(".away:empty", state="attached")
    assert sent == [], "nothing is sent to where nobody answers"
    other.close()


def test_without_javascript_a_game_is_scored_by_hand_to_its_end(
    browser: Browser, server: str, data: Path, complaints: list[str]
) -> None:
    context = watch(browser.new_context(base_url=server, locale="en", java_script_enabled=False), complaints)
    page = context.new_page()
    table = Table(page, scripted=False)
    page.goto(way_in(data, "/g/last"))
    before = table.sums("total")
    gained = []
    for player in ("Anna", "Bo"):
        assert table.player() == player
        table.throw(6, 6, 6, 5, 5)
        (box,) = table.offered()
        gained.append(table.offered()[box])
        table.strike_or_write(box)
    assert page.locator(".result .places li").count() == 2
    assert [now - then for now, then in zip(table.sums("total"), before, strict=True)] == gained
    page.get_by_role("button", name="Undo").click()
    assert table.player() == "Bo"
    context.close()


SLEEPS = """sleeps => {
    Object.defineProperty(document, "hidden", { value: sleeps, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_the_start_page_leads_others_here_and_says_how_the_screen_stays_on(page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'wakeLock', { value: undefined })")
    page.goto("/")
    assert page.locator(".sleepless").is_visible()
    picture = page.locator(".invite .code svg").screenshot()
    shown = np.asarray(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    decoded, *_rest = cv2.QRCodeDetector().detectAndDecode(shown)
    code = page.locator(".invite b.letters").inner_text()
    assert decoded == f"{page.locator('.invite .address a').first.get_attribute('href')}join/{code}/"
    assert decoded.startswith(f"http://{CALLED}:")


def test_no_double_tap_zooms_and_nothing_moves_where_that_is_not_wanted(page: Page) -> None:
    page.goto("/g/rolled")
    zooms = "[...document.querySelectorAll('html, button, a[href], label')].filter(e => !['manipulation', 'auto']"
    assert page.evaluate(f"{zooms}.includes(getComputedStyle(e).touchAction)).length") == 0
    assert page.evaluate("getComputedStyle(document.documentElement).touchAction") == "manipulation"
    page.locator(".choice a").first.click()
    moves = "getComputedStyle(document.querySelector('.bar:target')).animationName"
    assert page.evaluate(moves) == "none"
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(moves) == "rise"
