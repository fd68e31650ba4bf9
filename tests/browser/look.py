"""Screenshots of every view, for a person to look at: python tests/browser/look.py FOLDER [VIEW ...]

Each view is shown on a phone and a tablet, upright and on its side, light and dark.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, Route, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.clip import film
from tests.browser.table import Table, chromium, serving, way_in

SIZES = {"phone": (360, 640), "phone-side": (640, 360), "tablet": (768, 1024), "tablet-side": (1280, 800)}


def start(page: Page) -> None:
    table = Table(page)
    table.begin("maxi-yatzy", "Anna", "Bo")
    table.begin("yatzy", "Farmor", "Alva", "Nils")
    page.goto("/")


def stranger(page: Page) -> None:
    page.goto("/")


def wrong(page: Page) -> None:
    page.goto("/join")
    page.locator("input[name=code]").fill("k3f7 9qxd")
    page.locator(".letters button").click()


def new(page: Page) -> None:
    page.goto("/new/stratzy")


def house(page: Page) -> None:
    page.goto("/new/maxi-yatzy")
    page.get_by_text("How do you play at home?").click()


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


def live(page: Page, **options: str) -> None:
    """A throw before the camera, which has come to rest."""
    page.add_init_script("localStorage.setItem('lens', 'here')")
    Table(page).begin("yatzy", "Christoffer", "Alva", **options)
    page.locator("[data-live=on]").click()
    page.wait_for_selector(".hand .slot[href^='#die']", timeout=120_000)
    page.wait_for_selector(".word[data-state=settled]", timeout=120_000)


def kept(page: Page) -> None:
    """The same with rings round the sixes, which need not be the best to keep, and a hint."""

    def advise(route: Route) -> None:
        seen = route.fetch().json()
        dice = [die | {"keep": die["face"] == 6} for die in seen["dice"]]
        route.fulfill(json=seen | {"dice": dice, "says": ["Light glares on a die. Move a little to the side."]})

    page.route("**/camera/here", advise)
    live(page)
    page.wait_for_selector(".seen .ring", state="attached", timeout=120_000)


def marking(page: Page) -> None:
    """The table being marked on the picture."""
    live(page)
    page.locator("[data-live=area]").click()
    box = page.locator(".seen").bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] * 0.1, box["y"] + box["height"] * 0.1)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.9, steps=3)


def lone(page: Page) -> None:
    """A phone that is only the camera."""
    live(page)
    page.goto(f"{page.url.split('#')[0].split('?')[0]}/camera")
    page.wait_for_selector(".word[data-state]:not(:empty)", timeout=120_000)


def forbidden(page: Page) -> None:
    page.add_init_script("""navigator.mediaDevices.getUserMedia = () =>
        Promise.reject(new DOMException("no", "NotAllowedError"));""")
    Table(page).begin("yatzy", "Christoffer", "Alva")
    page.locator("[data-live=on]").click()
    page.wait_for_selector("[data-error=NotAllowedError]")
    page.get_by_text("How it is allowed").click()


def trust(page: Page) -> None:
    Table(page).begin("yatzy", "Christoffer", "Alva")
    page.goto(f"/trust?game={page.url.rsplit('/', 1)[-1]}")


def code(page: Page) -> None:
    trust(page)
    page.get_by_text("Show the code for the phone").click()


def seat(page: Page) -> None:
    rolled(page)
    page.goto(f"{page.url.split('#')[0]}/seat")


def own(page: Page) -> None:
    """A phone that shows one player's sheet, whose turn it is."""
    seat(page)
    page.get_by_text("Only Bo").click()
    page.wait_for_selector(".own #sheet")


def waiting(page: Page) -> None:
    """The same while somebody else throws, and Kast is not reached."""
    seat(page)
    page.get_by_text("Only Christoffer").click()
    page.wait_for_selector(".own #sheet")
    page.route("**/seq", lambda route: route.abort())
    page.wait_for_selector(".away:not(:empty)")


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


def rule(page: Page) -> None:
    """What a box asks for."""
    rolled(page)
    page.locator("th a[href='#rule-full-house']").click()


def who(page: Page) -> None:
    """Whose turn it is, and who is behind."""
    rolled(page)
    page.goto(f"{page.url.split('#')[0]}#who-2")


def seats(page: Page) -> None:
    """The players, one of whom has left."""
    rolled(page)
    page.get_by_title("Players").click()
    page.locator("#player-1 [value=leave]").click()
    page.wait_for_selector(".gone")


def ledger(page: Page) -> None:
    budget(page)
    page.goto(f"{page.url.split('#')[0]}/ledger/0")


def rules(page: Page) -> None:
    many(page)
    page.goto(f"{page.url.split('#')[0]}/rules")


def making(page: Page) -> None:
    """House rules in the making."""
    page.goto("/house/yatzy")
    page.locator("[name=name]").fill("Grandma's")


def tie(page: Page) -> None:
    """A shared win, to be thrown for."""
    end(page)
    page.locator(".roll-off summary").click()


def after(page: Page) -> None:
    """How a game went, once it is worked out."""
    end(page)
    page.goto(f"{page.url.split('#')[0]}/after")
    page.wait_for_selector(".plot", timeout=240_000)


def paper(page: Page) -> None:
    """The sheet to print."""
    end(page)
    page.goto(f"{page.url.split('#')[0]}/sheet")


def history(page: Page) -> None:
    """All games."""
    end(page)
    page.goto("/history")


VIEWS: tuple[Callable[[Page], None], ...] = (
    start, stranger, wrong,
    new, house, enter, rolled, confirm, correct, many, budget, cell, players, photo, review, middle, past, proof,
    end, hint, advised, counsel, choosing, live, kept, marking, lone, forbidden, trust, code,
    seat, own, waiting, after, paper, history,
    rule, who, seats, ledger, rules, making, tie,
)  # fmt: skip


STRANGERS = (stranger, wrong)


def main(folder: Path, wanted: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        throw = Path(scratch) / "throw.mjpeg"
        film(throw, first_rest=0.5)
        browser = chromium(playwright)
        for view in VIEWS:
            if wanted and view.__name__ not in wanted:
                continue
            with serving(Path(scratch) / view.__name__, camera=str(throw), called="192.168.1.20") as address:
                context = browser.new_context(base_url=address, locale="en", device_scale_factor=1, has_touch=True)
                page = context.new_page()
                if view not in STRANGERS:
                    page.goto(way_in(Path(scratch) / view.__name__))
                view(page)
                show(page, folder, view.__name__)
                page.unroute_all(behavior="ignoreErrors")
                context.close()
        browser.close()


def show(page: Page, folder: Path, name: str) -> None:
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.screenshot(path=folder / f"{name}-{size}-{scheme}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
