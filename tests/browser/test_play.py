"""People play on the page, in Chromium: a whole game, on a phone, and without JavaScript."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests import dull_scorer as dull
from tests.browser.conftest import watch
from tests.browser.table import GUARD_IS_OVER, ROOT, Table

pytestmark = pytest.mark.browser

EXAMPLES = ROOT / "web" / "static" / "examples"
PHONE: ViewportSize = {"width": 360, "height": 640}
PHONE_ON_ITS_SIDE: ViewportSize = {"width": 640, "height": 360}


def examples(dice: int) -> list[tuple[Path, list[int]]]:
    """The rendered photographs with so many dice, and what these show."""
    listed = json.loads((EXAMPLES / "examples.json").read_text(encoding="utf-8"))
    return [(EXAMPLES / entry["file"], entry["values"]) for entry in listed if len(entry["values"]) == dice]


@pytest.mark.timeout(600)
def test_a_whole_yatzy_game_for_two_by_photo_and_by_hand(browser: Browser, address: str, complaints: list[str]) -> None:
    context = watch(browser.new_context(base_url=address, locale="en", viewport=PHONE, has_touch=True), complaints)
    page = context.new_page()
    table = Table(page)
    table.begin("yatzy", "Anna", "Bo")
    chance = random.Random(7)
    photographs = iter(examples(5))
    sheets: list[dict[str, int]] = [{}, {}]
    for turn in range(15):
        for player, name in enumerate(("Anna", "Bo")):
            assert table.player() == name
            file, dice = next(photographs, (None, [chance.randint(1, 6) for _ in range(5)]))
            if file:
                table.show(file, dice)
            else:
                table.throw(*dice)
            open_boxes = [box for box in dull.SHEETS["yatzy"] if box not in sheets[player]]
            due = {box: dull.box_points("yatzy", {}, box, dice) for box in open_boxes}
            assert table.offered() == due
            box = max(open_boxes, key=lambda key: due[key])
            if due[box]:
                table.write(box)
            else:
                box = open_boxes[-1]
                table.strike(box)
            sheets[player][box] = due[box]
            if turn in (3, 9):
                before = page.locator("#sheet").inner_text()
                page.reload()
                page.reload()
                assert page.locator("#sheet").inner_text() == before
            assert no_sideways_scroll(page)
    totals = [dull.total("yatzy", {}, sheet) for sheet in sheets]
    assert table.sums("total") == totals
    assert table.sums("upper") == [dull.upper_sum(sheet) for sheet in sheets]
    assert table.sums("bonus") == [dull.bonus("yatzy", {}, sheet) for sheet in sheets]
    winner = ["Anna", "Bo"][totals.index(max(totals))]
    assert page.locator(".result h2").inner_text() == f"{winner} wins!"
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(".hand .slot[href^='#die']")
    page.get_by_role("button", name="Redo").click()
    page.wait_for_selector(".result")
    assert table.sums("total") == totals
    context.close()


def test_without_javascript_a_turn_is_played_by_hand_and_by_photo(
    browser: Browser, address: str, complaints: list[str]
) -> None:
    context = watch(browser.new_context(base_url=address, locale="sv", java_script_enabled=False), complaints)
    page = context.new_page()
    table = Table(page, scripted=False)
    table.begin("yatzy", "Anna", "Bo")
    table.throw(2, 2, 3, 3, 3)
    assert table.offered()["full-house"] == 13
    table.write("full-house")
    assert table.player() == "Bo"
    page.locator(".ways a:visible").click()
    file, dice = examples(5)[0]
    page.locator("input[type=file]").first.set_input_files(file)
    page.get_by_role("button", name="Läs av tärningarna").first.click()
    table.agree(dice)
    assert table.offered() == {box: dull.box_points("yatzy", {}, box, dice) for box in dull.SHEETS["yatzy"]}
    table.strike("yatzy")
    assert table.sums("total") == [13, 0]
    assert page.locator("td.struck").count() == 1
    context.close()


def test_the_example_pictures_let_one_try_without_dice(browser: Browser, address: str, complaints: list[str]) -> None:
    context = watch(browser.new_context(base_url=address, locale="en"), complaints)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name="Try it now").click()
    page.locator(".examples button").first.click()
    table = Table(page)
    dice = examples(5)[0][1]
    table.agree(dice)
    assert table.offered()["chance"] == sum(dice)
    context.close()


def test_a_wrongly_tapped_die_and_a_wrong_cell_are_put_right(
    browser: Browser, address: str, complaints: list[str]
) -> None:
    context = watch(browser.new_context(base_url=address, locale="en", viewport=PHONE, has_touch=True), complaints)
    page = context.new_page()
    table = Table(page)
    table.begin("maxi-yatzy", "Anna", "Bo")
    table.tap(1, 1, 1, 1)
    page.locator(".hand .tray .slot").first.click()
    table.tap(2, 3, 4)
    page.locator("#hand .use").click()
    page.locator(".hand .slot").nth(3).click()
    page.locator("#die-3 .key").nth(4).click()
    page.wait_for_selector(".hand .slot[aria-label='Die 4 shows 5. Correct it.']")
    assert table.offered()["chance"] == 1 + 1 + 1 + 5 + 3 + 4
    page.locator(".hand [href='#throw']").click()
    page.locator("#throw .key").nth(1).click()
    page.wait_for_selector("text=Throw 2 of 3")
    table.write("chance")
    assert page.locator("thead .tokens").first.inner_text().split()[-1] == "1"
    page.locator("td.written a").click()
    page.locator(".values .key", has_text="30").click()
    page.wait_for_selector("#hand")
    assert table.sums("total") == [30, 0]
    context.close()


def test_a_double_tap_acts_once_and_leads_nowhere_else(browser: Browser, address: str, complaints: list[str]) -> None:
    context = watch(browser.new_context(base_url=address, locale="en", viewport=PHONE, has_touch=True), complaints)
    page = context.new_page()
    table = Table(page)
    table.begin("yatzy", "Anna", "Bo")
    table.throw(6, 6, 6, 2, 2)
    page.locator("[href='#write-sixes']").dblclick()
    assert page.locator("#write-sixes").is_visible()
    page.evaluate(GUARD_IS_OVER)
    page.locator("#write-sixes .primary").dblclick()
    page.wait_for_selector("#hand")
    assert table.player() == "Bo"
    assert table.sums("total") == [18, 0]
    context.close()


def no_sideways_scroll(page: Page) -> bool:
    return bool(
        page.evaluate("document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth")
    )


def too_small(page: Page) -> list[str]:
    """Links, buttons and fields that can be seen and are under 48 pixels either way."""
    found: list[str] = page.evaluate("""() => [...document.querySelectorAll("a[href], button, summary, .chip, input")]
        .filter(e => e.checkVisibility({ opacityProperty: true }) && !e.closest(".chip input, .quiet"))
        .filter(e => { const r = e.getBoundingClientRect(); return r.width && (r.width < 48 || r.height < 48); })
        .map(e => e.outerHTML.slice(0, 120))""")
    return found
