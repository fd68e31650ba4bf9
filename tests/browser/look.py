"""Screenshots of every view, for a person to look at: python tests/browser/look.py FOLDER [VIEW ...]

Each view is shown on a phone and a tablet, upright and on its side, light and dark.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.table import Table, chromium, serving

SIZES = {"phone": (360, 640), "phone-side": (640, 360), "tablet": (768, 1024), "tablet-side": (1280, 800)}


def start(page: Page) -> None:
    table = Table(page)
    table.begin("maxi-yatzy", "Anna", "Bo")
    table.begin("yatzy", "Farmor", "Alva", "Nils")
    page.goto("/")


def new(page: Page) -> None:
    page.goto("/new/stratzy")


def house(page: Page) -> None:
    page.goto("/new/maxi-yatzy")
    page.locator("summary").last.click()


def enter(page: Page) -> None:
    table = Table(page)
    table.begin("yatzy", "Anna", "Bo")
    table.tap(3, 6)


def rolled(page: Page) -> None:
    table = Table(page)
    table.begin("yatzy", "Christoffer", "Bo", "Alva")
    for dice, box in (((1, 1, 1, 2, 3), "ones"), ((6, 6, 6, 2, 2), "full-house"), ((1, 2, 2, 5, 6), "twos")):
        table.throw(*dice)
        table.write(box)
    table.throw(2, 3, 4, 6, 6)
    table.strike("yatzy")
    table.throw(6, 6, 5, 3, 3)


def confirm(page: Page) -> None:
    rolled(page)
    page.locator("[href='#write-fours']").click()


def correct(page: Page) -> None:
    rolled(page)
    page.locator("[href='#die-1']").click()


def many(page: Page) -> None:
    table = Table(page)
    table.begin(
        "maxi-yatzy",
        *["Anna", "Bo", "Cecilia", "David", "Eva", "Fredrik", "Greta", "Hugo", "Ida", "Johan", "Karin", "Ludvig"],
    )
    table.throw(1, 1, 2, 3, 4, 4)


def budget(page: Page) -> None:
    table = Table(page)
    table.begin("stratzy", "Anna", "Bo", value="5")
    table.throw(1, 1, 2, 3, 4)
    table.write("ones")


def cell(page: Page) -> None:
    rolled(page)
    page.locator("td.written a").first.click()


def players(page: Page) -> None:
    rolled(page)
    page.get_by_title("Players").click()


def photo(page: Page) -> None:
    table = Table(page)
    table.begin("yatzy", "Anna", "Bo")
    page.goto(f"{page.url}/photo")


def review(page: Page) -> None:
    photo(page)
    page.locator(".examples button").first.click()
    page.wait_for_selector(".picture")


def middle(page: Page) -> None:
    """A game under way, and a roll that was read from a photo."""
    halfway(page)
    page.goto(f"{page.url.split('#')[0]}/photo")
    page.locator(".examples button").first.click()
    page.wait_for_selector(".picture")
    page.locator(".accept .primary").click()
    page.wait_for_selector(".hand .slot[href^='#die']")


def past(page: Page) -> None:
    """Some turns, of which two throws were photographed."""
    table = Table(page)
    table.begin("yatzy", "Christoffer", "Alva")
    for photographed, box in ((0, "ones"), (1, "pair")):
        game = page.url.split("#")[0].split("?")[0]
        page.goto(f"{game}/photo")
        page.locator(".examples button").nth(photographed).click()
        page.wait_for_selector(".picture")
        page.locator(".accept .primary").click()
        page.wait_for_selector(".hand .slot[href^='#die']")
        table.throw(1, 1, 3, 4, 6)
        table.write(box)
    page.get_by_title("The game so far").click()


def proof(page: Page) -> None:
    """The photograph of an earlier throw."""
    past(page)
    page.locator(".thrown a").first.click()
    page.wait_for_selector(".close-up")


def halfway(page: Page, **options: str) -> Table:
    table = Table(page)
    table.begin("yatzy", "Anna", "Grandpa", **options)
    for dice, box in (
        ((5, 5, 5, 5, 2), "fives"), ((3, 3, 3, 6, 6), "full-house"), ((1, 2, 3, 4, 5), "small-straight"),
        ((4, 4, 4, 1, 2), "fours"), ((6, 6, 6, 2, 4), "three-alike"), ((1, 1, 2, 5, 6), "ones"),
        ((3, 3, 3, 3, 5), "threes"), ((2, 2, 2, 4, 6), "twos"),
    ):  # fmt: skip
        table.throw(*dice)
        table.write(box)
    table.throw(1, 2, 2, 4, 6)
    table.strike("yatzy")
    table.throw(2, 3, 3, 5, 6)
    table.write("pair")
    return table


def hint(page: Page) -> None:
    halfway(page, help="hint").throw(6, 5, 6, 2, 6)
    page.wait_for_selector(".best:not([data-working]) strong", timeout=120_000)


def advised(page: Page) -> None:
    halfway(page, help="everything").throw(6, 5, 6, 2, 6)
    page.wait_for_selector("figure.spread", state="attached", timeout=240_000)


def counsel(page: Page) -> None:
    advised(page)
    page.locator(".best").click()


def choosing(page: Page) -> None:
    """How much help, where none is given."""
    halfway(page).throw(6, 5, 6, 2, 6)
    page.goto(f"{page.url.split('#')[0]}#advice")


def end(page: Page) -> None:
    table = Table(page)
    table.begin("yatzy", "Anna", "Bo")
    for key in table.boxes():
        for _player in range(2):
            table.throw(6, 6, 6, 6, 6)
            table.strike_or_write(key)


VIEWS: tuple[Callable[[Page], None], ...] = (
    start, new, house, enter, rolled, confirm, correct, many, budget, cell, players, photo, review, middle, past, proof,
    end, hint, advised, counsel, choosing,
)  # fmt: skip


def main(folder: Path, wanted: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as address, sync_playwright() as playwright:
        browser = chromium(playwright)
        for view in VIEWS:
            if wanted and view.__name__ not in wanted:
                continue
            context = browser.new_context(base_url=address, locale="en", device_scale_factor=1, has_touch=True)
            page = context.new_page()
            view(page)
            for name, (width, height) in SIZES.items():
                page.set_viewport_size({"width": width, "height": height})
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                    page.screenshot(path=folder / f"{view.__name__}-{name}-{scheme}.png")
            context.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
