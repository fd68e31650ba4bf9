"""Around the turns, in Chromium on a phone: seats, rule help, house rules, a roll-off, and what is read aloud."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import watch
from tests.browser.table import GUARD_IS_OVER, Table
from tests.browser.test_play import PHONE, no_sideways_scroll, too_small

pytestmark = pytest.mark.browser

# A device without a voice, which notes down what it would say.
NOTE_DOWN = """SpeechSynthesis.prototype.speak = sentence => {
    const heard = JSON.parse(localStorage.getItem("heard") ?? "[]");
    localStorage.setItem("heard", JSON.stringify([...heard, sentence.text]));
}"""


def heard(page: Page) -> list[str]:
    return list(json.loads(page.evaluate("localStorage.getItem('heard') ?? '[]'")))


def fits(page: Page) -> bool:
    return no_sideways_scroll(page) and too_small(page) == []


@pytest.mark.timeout(300)
def test_around_a_turn_whatever_a_family_asks_for_is_a_tap_away(
    browser: Browser, address: str, complaints: list[str]
) -> None:
    context = watch(browser.new_context(base_url=address, locale="en", viewport=PHONE, has_touch=True), complaints)
    context.add_init_script(NOTE_DOWN)
    page = context.new_page()
    table = Table(page)
    table.begin("maxi-yatzy", "Anna", "Bo", "Cilla")
    game = page.url

    # What does a box ask for? Whose turn is it?
    page.locator("th a[href='#rule-full-house']").click()
    assert "3 alike and 2 alike, each of another value." in page.locator("#rule-full-house").inner_text()
    assert page.locator("#rule-full-house .example").first.is_visible()
    assert fits(page)
    page.keyboard.press("Escape")
    page.evaluate(GUARD_IS_OVER)
    page.locator("th a[href='#who-1']").click()
    assert fits(page)
    page.evaluate(GUARD_IS_OVER)
    page.locator("#who-1 .primary").click()
    page.wait_for_selector("th.active:has-text('Bo')")
    table.throw(1, 2, 3, 4, 5, 6)
    assert heard(page) == [], "nobody has asked for a voice"

    # All dice were read wrongly.
    page.locator(".hand .slot").first.click()
    page.get_by_role("link", name="Correct them all").click()
    page.locator(".hand .tray .slot").first.click()
    table.tap(6)
    page.locator("#hand .use").click()
    page.wait_for_selector(".hand .slot[aria-label='Die 6 shows 6. Correct it.']")
    assert table.offered()["sixes"] == 12

    # Seats change, and from now on the throws can be heard.
    page.locator("header a[title='Players']").click()
    page.locator("[data-voice] input").check(force=True)
    assert heard(page) == ["From now on you can hear it."]
    page.locator("#player-2 [value=earlier]").click()
    page.wait_for_selector(".done:has-text('The turns go: Anna, Cilla and Bo.')")
    assert fits(page)
    page.goto(game)
    assert heard(page)[1:] == ["The turns go: Anna, Cilla and Bo. It is the turn of Bo."]
    page.reload()
    assert len(heard(page)) == 2, "once is enough"
    table.write("sixes")
    assert heard(page)[2:] == ["Bo wrote 12 in Sixes. Bo has 12. It is the turn of Anna."]
    assert fits(page)
    page.get_by_role("button", name="Be quiet").click()
    table.throw(1, 1, 1, 1, 1, 1)
    assert len(heard(page)) == 3
    assert page.locator("[data-mute]").is_hidden()

    for view in ("rules", "ledger/1", "history"):
        page.goto(f"{game}/{view}")
        assert fits(page), view
    context.close()


def test_house_rules_are_made_named_and_played(browser: Browser, address: str, complaints: list[str]) -> None:
    context = watch(browser.new_context(base_url=address, locale="sv", viewport=PHONE, has_touch=True), complaints)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="Egna husregler").click()
    assert fits(page)
    page.get_by_role("link", name="Superyatzy").click()
    assert fits(page)
    page.locator("[name=name]").fill("Mormors")
    page.locator("[name=throws]").fill("4")
    page.locator("[name=box][value=cameron]").uncheck(force=True)
    page.locator(".begin button").click()
    page.wait_for_selector("[name=player]")
    page.goto("/")
    page.locator("a.new", has_text="Mormors").click()
    page.locator("[name=player]").first.fill("Anna")
    page.locator(".begin button").click()
    page.wait_for_selector("#sheet")
    assert Table(page).boxes() == [
        *("ones", "twos", "threes", "fours", "fives", "sixes", "pair", "two-pairs", "three-pairs", "three-alike"),
        *("four-alike", "two-triples", "small-straight", "large-straight", "full-house", "chance", "superyatzy"),
    ]
    assert page.locator(".throws .chip").count() == 4
    context.close()
