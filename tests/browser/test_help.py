"""Help in Chromium: on a phone, with JavaScript and without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from scorekeeper.advice import Keep, Write
from scorekeeper.events import Begun, Rolled
from scorekeeper.games import find
from scorekeeper.log import SqliteLog
from tests.browser.conftest import watch
from tests.browser.table import GUARD_IS_OVER, Table
from tests.browser.test_play import PHONE, PHONE_ON_ITS_SIDE, no_sideways_scroll, too_small
from tests.conftest import FIVE
from tests.late import entries, keeping_sixes
from tests.test_desk import FixedReader
from tests.test_help import KEEP, ScriptedAdviser
from web.adviser import Advice, Working
from web.app import LARGEST_UPLOAD, create_app
from web.desk import Desk
from web.pictures import Pictures
from web.server import listen, running

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

EXACT = ".best:not([data-working]) strong"
PATIENT = 110_000  # milliseconds: the first advice of all compiles the solver


@pytest.fixture
def late(address: str, tmp_path: Path) -> str:
    """A game in which only the sixes are open, and its only player gets all the help there is."""
    log = SqliteLog(tmp_path / "data" / "kast.sqlite3")
    for seq, entry in enumerate(entries("everything")):
        log.append("late", seq, f"r{seq}", entry)
    log.close()
    return f"{address}/g/late"


def open_late(page: Page, late: str, scripted: bool = True) -> Table:
    page.goto(late)
    table = Table(page, scripted)
    table.throw(6, 2, 6, 1, 6)
    return table


@pytest.mark.parametrize("size", [PHONE, PHONE_ON_ITS_SIDE], ids=["upright", "on-its-side"])
def test_on_a_phone_the_best_play_comes_by_itself_and_what_lies_behind_it_opens(
    browser: Browser, late: str, complaints: list[str], size: ViewportSize
) -> None:
    context = watch(browser.new_context(locale="en", viewport=size, has_touch=True), complaints)
    page = context.new_page()
    open_late(page, late)
    page.wait_for_selector(EXACT, timeout=PATIENT)
    expected = keeping_sixes(3, throws=2)
    assert page.locator(".best").inner_text().split() == f"Keep 6 6 6 {expected:.1f} on average".split()
    marked = [slot.get_attribute("class") == "slot keep" for slot in page.locator(".tray .slot").all()]
    assert marked == [True, False, True, False, True]
    assert page.locator("[href='#write-sixes'] .cost").inner_text() == f"−{expected - 18:.1f}"
    assert no_sideways_scroll(page)
    page.locator(".best").click()
    assert page.locator("#advice").bounding_box()["y"] >= 0  # type: ignore[index]
    page.locator("#advice summary", has_text="All plays").click()
    assert page.locator("#advice tr", has_text="Throw all dice again").is_visible()
    assert no_sideways_scroll(page)
    assert too_small(page) == []
    page.evaluate(GUARD_IS_OVER)
    page.locator("#advice .close").click()
    assert not page.locator("#advice").is_visible()
    context.close()


@contextmanager
def serving(desk: Desk) -> Iterator[str]:
    """The address of a server of this desk."""
    door = listen("127.0.0.1", 0)
    with running(create_app(desk, b"a key for tests"), [(door, None)], LARGEST_UPLOAD):
        yield f"http://127.0.0.1:{door.port}"


def thrown(folder: Path, adviser: ScriptedAdviser) -> Desk:
    """A desk with one game of Yatzy, of Anna who wants all the help there is and has thrown once."""
    log = SqliteLog(folder / "kast.sqlite3")
    log.append("g", 0, "r0", Begun(find("yatzy"), ("Anna",), ("everything",)))
    log.append("g", 1, "r1", Rolled((6, 2, 6, 2, 6), 1))
    return Desk(log, Pictures(folder / "pictures"), lambda: FixedReader(FIVE), adviser)


def test_what_was_worked_out_comes_while_a_box_is_being_confirmed(
    browser: Browser, tmp_path: Path, complaints: list[str]
) -> None:
    adviser = ScriptedAdviser()
    adviser.answer = Working(0.4)
    desk = thrown(tmp_path, adviser)
    context = watch(browser.new_context(locale="en", viewport=PHONE, has_touch=True), complaints)
    page = context.new_page()
    with serving(desk) as address:
        page.goto(f"{address}/g/g")
        assert page.locator(".best").inner_text().split() == ["Keep", "6", "6", "6", "Estimate"]
        page.locator("[href='#write-sixes']").click()
        line = page.locator(".best").element_handle()
        assert line
        line.focus()
        adviser.answer = Working(0.7)
        page.wait_for_selector("text=70% done", state="attached")
        assert not page.locator("[href='#write-sixes'] .cost").count()
        adviser.answer = KEEP
        page.wait_for_selector(EXACT)
        assert line.evaluate("line => line === document.activeElement"), "it stays, as a finger may be on it"
        assert page.locator("#write-sixes").inner_text().startswith("Sixes 18 points, costs 4.0")
        assert page.locator("[href='#write-sixes'][data-picked] .cost").inner_text() == "−4.0"
        page.evaluate(GUARD_IS_OVER)
        page.locator("#write-sixes .primary").click()
        page.wait_for_selector("#hand")
        assert Table(page).sums("total") == [18]
    context.close()
    desk.close()


def test_how_games_end_is_drawn_when_they_are_simulated_and_what_was_opened_stays_open(
    browser: Browser, tmp_path: Path, complaints: list[str]
) -> None:
    adviser = ScriptedAdviser()
    adviser.answer = replace(KEEP, counting=True)
    desk = thrown(tmp_path, adviser)
    context = watch(browser.new_context(locale="en", viewport=PHONE, has_touch=True), complaints)
    page = context.new_page()
    with serving(desk) as address:
        page.goto(f"{address}/g/g")
        page.locator(".best").click()
        page.evaluate(GUARD_IS_OVER)
        page.locator("#advice summary", has_text="All plays").click()
        assert page.locator("text=Games are being simulated").is_visible()
        adviser.answer = replace(KEEP, ends=tuple(range(100, 300)))
        page.wait_for_selector("figure.spread")
        assert page.locator("#advice tr", has_text="Strike Ones").is_visible()
        page.locator("figure.spread").scroll_into_view_if_needed()
        assert page.locator("figure.spread").is_visible()
        assert page.locator("figure.spread svg").bounding_box()["height"] >= 40  # type: ignore[index]
        assert no_sideways_scroll(page)
        adviser.answer = Advice((Write("three-alike", 18, 1500.9), Keep((6, 6, 6), 1500.8)))
        page.goto(f"{address}/g/g")
        assert page.locator(".best").inner_text().split()[:3] == ["Write", "18", "in"]
        assert no_sideways_scroll(page)
    context.close()
    desk.close()


def test_help_is_changed_during_the_game_and_stays_when_the_page_is_loaded_again(
    browser: Browser, late: str, complaints: list[str]
) -> None:
    context = watch(browser.new_context(locale="en", viewport=PHONE, has_touch=True), complaints)
    page = context.new_page()
    open_late(page, late)
    page.wait_for_selector(EXACT, timeout=PATIENT)
    page.locator(".best").click()
    page.evaluate(GUARD_IS_OVER)
    page.get_by_role("button", name="No help").click()
    page.wait_for_selector(".best", state="detached")
    page.reload()
    assert page.locator(".best").count() == 0
    assert page.locator("[href='#write-sixes']").inner_text() == ""
    page.locator(".turn [href='#advice']").click()
    page.evaluate(GUARD_IS_OVER)
    page.get_by_role("button", name="A hint").click()
    page.wait_for_selector(EXACT, timeout=PATIENT)
    assert page.locator(".best").inner_text().split() == ["Keep", "6", "6", "6"]
    assert page.locator("[href='#write-sixes']").inner_text() == "18"
    context.close()


def test_without_javascript_one_looks_again(browser: Browser, late: str, complaints: list[str]) -> None:
    context = watch(browser.new_context(locale="sv", viewport=PHONE, java_script_enabled=False), complaints)
    page = context.new_page()
    open_late(page, late, scripted=False)
    while page.locator(".best[data-working]").count():  # each look waits a moment for the answer
        page.locator(".best").click()
        page.get_by_role("link", name="Titta igen").click()
    assert page.locator(".best strong").inner_text().split() == ["Behåll", "6", "6", "6"]
    assert page.locator(".best span").inner_text() == f"{keeping_sixes(3, throws=2):.1f} i snitt".replace(".", ",")
    page.locator(".best").click()
    assert page.locator("#advice").is_visible()
    context.close()
