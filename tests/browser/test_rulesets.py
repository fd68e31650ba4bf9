"""A whole game of every rule set, by touch, by photo and by hand, on a phone in Swedish and a tablet in Finnish
that take turns: each goes on with what the other has done."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests import dull_scorer as dull
from tests.browser.conftest import watch
from tests.browser.table import Table
from tests.browser.test_play import PHONE, examples, no_sideways_scroll

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

TABLET: ViewportSize = {"width": 768, "height": 1024}
AT_ONCE = 5  # turns, before the other device goes on
PHOTOGRAPHED = (0, AT_ONCE)  # turns: one on each device


@pytest.mark.parametrize(
    ("rules", "options"), [("yatzy", {}), ("superyatzy", {}), ("maxi-yatzy", {}), ("stratzy", {"value": "5"})]
)
def test_a_whole_game_by_touch_on_a_phone_and_a_tablet_that_follow_each_other(
    browser: Browser, address: str, complaints: list[str], rules: str, options: dict[str, str]
) -> None:
    contexts = [
        watch(browser.new_context(base_url=address, locale=locale, viewport=size, has_touch=True), complaints)
        for locale, size in (("sv", PHONE), ("fi", TABLET))
    ]
    devices = [Table(context.new_page(), touch=True) for context in contexts]
    devices[0].begin(rules, "Anna", **options)
    devices[1].page.goto(devices[0].page.url)
    chance, photographs, sheet = random.Random(7), iter(examples(dull.DICE[rules])), dict[str, int]()
    boxes = dull.SHEETS[rules]
    for turn in range(len(boxes)):
        table, other = devices[turn // AT_ONCE % 2], devices[turn // AT_ONCE % 2 - 1]
        if turn and turn % AT_ONCE == 0:
            seq = other.page.locator("#sheet").get_attribute("data-seq")
            table.page.wait_for_selector(f"#sheet[data-seq='{seq}']")
        if turn in PHOTOGRAPHED:
            file, dice = next(photographs)
            table.show(file, dice)
        else:
            dice = [chance.randint(1, 6) for _die in range(dull.DICE[rules])]
            table.throw(*dice)
        due = {box: dull.box_points(rules, options, box, dice) for box in boxes if box not in sheet}
        assert table.offered() == due
        box = max(due, key=lambda key: due[key])
        if due[box]:
            table.write(box)
        else:
            box = next(reversed(due))
            table.strike(box)
        sheet[box] = due[box]
        assert no_sideways_scroll(table.page)
    left = dull.starts_with(rules, options)
    total = dull.total(rules, options, sheet, left - len(boxes) if left else 0)
    devices[0].page.wait_for_selector(".result")
    devices[1].page.wait_for_selector(".result")
    assert [table.sums("total") for table in devices] == [[total], [total]]
    for context in contexts:
        context.close()
