"""From a small phone to a large tablet, upright and on its side, with one player or twelve: what a turn needs can be
seen and reached, names stay, and what is tapped is large and apart from what destroys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.conftest import watch
from tests.browser.table import serving, way_in
from tests.browser.test_play import PHONE, PHONE_ON_ITS_SIDE, no_sideways_scroll, too_small
from tests.seeded import fill

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

SIZES: dict[str, ViewportSize] = {
    "phone": PHONE,
    "phone on its side": PHONE_ON_ITS_SIDE,
    "large phone": {"width": 412, "height": 915},
    "tablet": {"width": 768, "height": 1024},
    "tablet on its side": {"width": 1024, "height": 768},
    "13 inch": {"width": 1024, "height": 1366},
    "13 inch on its side": {"width": 1366, "height": 1024},
}
# What a turn needs, before a throw and after it.
ENTERING = [".hand h2", ".throws .chip:first-child", ".pad .key:first-child", ".pad .key:last-child", ".hand .ways > *"]
ROLLED = [
    ".hand h2",
    ".hand .tray .slot:first-child",
    ".hand .tray .slot:last-child",
    "[href='#throw']",
    ".hand .ways > *",
]
SHEET = ["thead .active", "tbody tr:first-child th", "tbody tr:first-child td.active", "tr.total td.active"]
HIDDEN = """places => places.filter(place => {
    const seen = [...document.querySelectorAll(place)].filter(e => e.checkVisibility());
    return !seen.length || seen.some(e => {
        const { left, top, right, bottom } = e.getBoundingClientRect();
        const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const isOut = left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
        return isOut || !(e.contains(on) || on?.contains(e));
    });
})"""
GAPS = """() => [...document.querySelectorAll(".bar:target .strike, .apart .strike")].flatMap(one => {
    const near = one.getBoundingClientRect(), all = [...document.querySelectorAll("button, .button, .key")];
    return all.filter(e => e !== one && e.checkVisibility()).map(e => {
        const box = e.getBoundingClientRect();
        return Math.max(box.left - near.right, near.left - box.right, box.top - near.bottom, near.top - box.bottom);
    });
})"""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("layout") / "data"
    fill(folder)
    return folder


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[str]:
    with serving(data, called="192.168.1.20") as address:
        yield address


@pytest.fixture
def page(browser: Browser, server: str, data: Path, complaints: list[str]) -> Iterator[Page]:
    context = browser.new_context(base_url=server, locale="fi", viewport=PHONE, has_touch=True, reduced_motion="reduce")
    page = watch(context, complaints).new_page()
    page.goto(way_in(data))
    yield page
    context.close()


@pytest.mark.parametrize(
    ("game", "needed"),
    [("fresh", ENTERING), ("rolled", ROLLED), ("twelve", ROLLED), ("budget", ROLLED), ("alone", ENTERING)],
)
def test_nothing_that_a_turn_needs_is_off_the_screen_and_the_active_column_is_the_widest(
    page: Page, game: str, needed: list[str]
) -> None:
    page.goto(f"/g/{game}")
    for name, size in SIZES.items():
        page.set_viewport_size(size)
        assert page.evaluate(HIDDEN, needed + SHEET) == [], name
        assert no_sideways_scroll(page), name
        assert too_small(page) == [], name
        widths = page.evaluate(
            "() => [...document.querySelectorAll('thead th')].map(e => [e.classList.contains('active'), e.offsetWidth])"
        )
        active, others = (
            max([width for is_active, width in widths if is_active is which] + [0]) for which in (True, False)
        )
        assert active >= others, name


def test_row_names_the_head_and_the_active_column_stay_wherever_a_sheet_of_twelve_is_scrolled(page: Page) -> None:
    page.goto("/g/twelve")
    for name, size in SIZES.items():
        page.set_viewport_size(size)
        page.evaluate("() => document.getElementById('sheet').scrollTo(100000, 100000)")
        gone = page.evaluate(HIDDEN, ["thead .active", "tr.total th", "tr.total td.active", "tr:nth-last-child(2) th"])
        assert gone == [], name
        assert page.evaluate("() => document.getElementById('sheet').scrollLeft > 0") or size["width"] > 1000, name


@pytest.mark.parametrize("view", ["rolled#write-yatzy", "rolled/cell/0/ones"])
def test_what_strikes_is_apart_from_everything_else(page: Page, view: str) -> None:
    page.goto(f"/g/{view}")
    for name, size in SIZES.items():
        page.set_viewport_size(size)
        gaps = page.evaluate(GAPS)
        assert gaps, name
        assert min(gaps) >= 10, name


@pytest.mark.parametrize("size", [PHONE, PHONE_ON_ITS_SIDE], ids=["upright", "on-its-side"])
def test_no_other_page_scrolls_sideways_and_whatever_is_tapped_is_large(page: Page, size: ViewportSize) -> None:
    page.set_viewport_size(size)
    game = "/g/twelve"
    for view in (
        *("/", "/new/stratzy", "/trust", "/history", f"{game}/players", f"{game}/photo", f"{game}/cell/0/ones"),
        *(f"{game}/history", f"{game}/code", f"{game}/seat", "/g/finished", "/g/finished/after"),
    ):
        page.goto(view)
        assert no_sideways_scroll(page), view
        assert too_small(page) == [], view


def test_names_of_twelve_players_stand_beside_each_other(page: Page) -> None:
    page.goto("/g/twelve")
    for name, size in SIZES.items():
        page.set_viewport_size(size)
        over = page.evaluate("""() => [...document.querySelectorAll("thead th")].filter(head => {
            const name = head.querySelector(".name").getBoundingClientRect(), box = head.getBoundingClientRect();
            return name.left < box.left || name.right > box.right;
        }).map(head => head.innerText)""")
        assert over == [], name
