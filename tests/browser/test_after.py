"""After a game, in Chromium: what is worked out comes by itself, and the sheet comes on one page of paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from scorekeeper.games import find
from scorekeeper.log import SqliteLog
from tests.browser.conftest import watch
from tests.browser.table import serving
from tests.browser.test_play import PHONE
from tests.seeded import TWELVE, played

pytestmark = pytest.mark.browser


def pages(page: Page) -> int:
    """Sheets of paper that the page is printed on."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(prefer_css_page_size=True)))


@pytest.mark.timeout(300)
def test_what_is_worked_out_comes_by_itself_and_a_sheet_is_one_page(
    browser: Browser, tmp_path: Path, complaints: list[str]
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    log = SqliteLog(data / "kast.sqlite3")
    for game, entries in (
        ("two", played(find("yatzy"), ("Anna", "Bo"), 15)),
        ("twelve", played(find("maxi-yatzy"), TWELVE, 3)),
    ):
        for seq, entry in enumerate(entries):
            log.append(game, seq, f"{seq}", entry)
    log.close()
    with serving(data) as address:
        context = browser.new_context(base_url=address, locale="en", viewport=PHONE, has_touch=True)
        page = watch(context, complaints).new_page()
        page.goto("/g/two")
        page.get_by_text("How it went").click()
        page.wait_for_selector(".plot", timeout=120_000)
        assert page.locator(".mistakes").count() == 2
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        page.get_by_text("Turn by turn", exact=True).first.click()
        assert page.locator(".figures:visible tbody tr").count() >= 2 + 15
        for sheet in ("/g/two/sheet", "/g/twelve/sheet", "/g/two"):
            page.goto(sheet)
            assert pages(page) == 1, sheet
        page.goto("/g/twelve/sheet")
        page.emulate_media(media="print", color_scheme="dark")
        table = page.locator(".printed")
        assert (
            table.evaluate("table => getComputedStyle(table.querySelector('tbody')).backgroundColor")
            == "rgb(255, 255, 255)"
        )
        assert table.evaluate("table => getComputedStyle(table).color") == "rgb(0, 0, 0)"
        assert not page.locator("header.top").is_visible()
        assert table.evaluate("table => table.scrollWidth <= table.clientWidth + 1")
        context.close()
