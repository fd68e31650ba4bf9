"""One player's sheet: what may be written, what stands beside it, and the sums under it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from scorekeeper import games
from scorekeeper.history import History
from scorekeeper.refusal import IllegalEvent
from scorekeeper.rules import Order, RuleSet
from scorekeeper.sheet import Sheet
from tests.strategies import EVERY_CHOICE, histories

YATZY = Sheet.empty(games.find("yatzy"))
FORCED = Sheet.empty(games.find("yatzy", order="forced"))
UPPER_FIRST = Sheet.empty(games.find("yatzy", order="upper-first"))
MAXI = Sheet.empty(games.find("maxi-yatzy"))
STRATZY = Sheet.empty(games.find("stratzy", value=10))


@settings(max_examples=60, deadline=None)
@given(histories())
def test_the_total_is_the_sum_of_its_parts(history: History) -> None:
    for game in history.games:
        for sheet in game.sheets:
            written = dict(zip((box.key for box in sheet.rules.boxes), sheet.scores, strict=True))
            upper = [written[box.key] or 0 for box in sheet.rules.boxes if box.upper]
            lower = [written[box.key] or 0 for box in sheet.rules.boxes if not box.upper]
            assert sheet.upper == sum(upper)
            assert sheet.bonus == (sheet.rules.bonus.points if sum(upper) >= sheet.rules.bonus.at else 0)
            assert sheet.total == sum(upper) + sum(lower) + sheet.bonus + sheet.extra
            assert all(points is None or points in sheet.rules.attainable[key] for key, points in written.items())


@settings(max_examples=60, deadline=None)
@given(histories())
def test_a_sheet_is_finished_when_nothing_can_be_written_any_more(history: History) -> None:
    for game in history.games:
        for sheet in game.sheets:
            assert set(sheet.legal) <= set(sheet.open)
            assert bool(sheet.legal) == bool(sheet.open)
            assert sheet.left >= 0
            assert set(sheet.crossed) == (set(sheet.open) if sheet.finished else set())
            if not sheet.finished:
                assert sheet.extra == 0
                struck = sheet.write(sheet.legal[0], 0, throws=1)
                assert struck.scores != sheet.scores


def test_an_open_box_and_a_struck_one_are_told_apart() -> None:
    struck = YATZY.write("yatzy", 0, throws=3)
    assert struck.points("yatzy") == 0
    assert YATZY.points("yatzy") is None
    assert "yatzy" in YATZY.open
    assert "yatzy" not in struck.open
    assert YATZY.total == struck.total == 0


@pytest.mark.parametrize("rules", EVERY_CHOICE, ids=lambda rules: f"{rules.key}-{rules.fingerprint[:6]}")
def test_an_empty_sheet_offers_what_its_order_says(rules: RuleSet) -> None:
    sheet = Sheet.empty(rules)
    keys = [box.key for box in rules.boxes]
    offered = {Order.FREE: keys, Order.FORCED: keys[:1], Order.UPPER_FIRST: keys[:6]}
    assert list(sheet.legal) == offered[rules.order]
    assert list(sheet.open) == keys
    assert not sheet.finished
    assert sheet.total == 0


def test_in_forced_order_the_boxes_follow_each_other_to_the_last() -> None:
    sheet = FORCED
    for box in sheet.rules.boxes:
        assert sheet.legal == (box.key,)
        sheet = sheet.write(box.key, 0, throws=1)
    assert sheet.finished


def test_the_lower_half_opens_when_the_upper_is_filled() -> None:
    sheet = UPPER_FIRST
    for key in ("sixes", "ones", "fives", "twos", "threes", "fours"):
        assert "chance" not in sheet.legal
        sheet = sheet.write(key, 0, throws=1)
    assert set(sheet.legal) == {box.key for box in sheet.rules.boxes if not box.upper}


@pytest.mark.parametrize(
    ("sheet", "box", "points", "throws", "sentence"),
    [
        (YATZY.write("pair", 12, 1), "pair", 10, 1, "pair is filled already."),
        (YATZY.write("pair", 0, 1), "pair", 10, 1, "pair is filled already."),
        (FORCED, "twos", 4, 1, "twos is not next: this game is played in order."),
        (UPPER_FIRST, "pair", 4, 1, "pair is not next: this game is played in order."),
        (YATZY, "twos", 7, 1, "7 points cannot be in twos."),
        (YATZY, "twos", 12, 1, "12 points cannot be in twos."),
        (YATZY, "pair", 13, 1, "13 points cannot be in pair."),
        (YATZY, "pair", -2, 1, "-2 points cannot be in pair."),
        (YATZY, "chance", 4, 1, "4 points cannot be in chance."),
        (YATZY, "chance", 31, 1, "31 points cannot be in chance."),
        (YATZY, "yatzy", 30, 1, "30 points cannot be in yatzy."),
        (YATZY, "small-straight", 20, 1, "20 points cannot be in small-straight."),
        (YATZY, "full-house", 30, 1, "30 points cannot be in full-house."),
        (MAXI, "villa", 36, 1, "36 points cannot be in villa."),
        (YATZY, "twos", 4, 4, "There are only 3 throws."),
        (YATZY, "twos", 4, 0, "There are only 3 throws."),
        (STRATZY, "twos", 4, 46, "There are only 45 throws."),
        (MAXI.write("pair", 12, 1), "twos", 4, 6, "There are only 5 throws."),
        (YATZY, "tower", 4, 1, "This sheet has no box tower."),
    ],
)
def test_what_may_not_be_written_is_refused_in_words(
    sheet: Sheet, box: str, points: int, throws: int, sentence: str
) -> None:
    with pytest.raises(IllegalEvent) as refusal:
        sheet.write(box, points, throws)
    assert str(refusal.value) == sentence


def test_rerolls_not_used_are_held_and_are_spent_by_a_turn_that_is_longer() -> None:
    """Stop after the first throw: two; after one reroll: one. A marker pays for one reroll beyond the turn's two."""
    two = MAXI.write("pair", 12, throws=1)
    three = two.write("chance", 20, throws=2)
    assert (two.left, three.left) == (2, 3)
    assert three.allowance == 6
    spent = three.write("villa", 27, throws=5)
    assert spent.left == 1
    rows = {box.key: left for box, left in zip(spent.rules.boxes, spent.beside, strict=True) if left is not None}
    assert rows == {"pair": 2, "chance": 3, "villa": 1}


def test_rerolls_not_used_are_lost_where_they_are_not_saved() -> None:
    sheet = YATZY.write("pair", 12, throws=1)
    assert sheet.left == 0
    assert sheet.allowance == 3
    assert Sheet.empty(games.find("maxi-yatzy", saved_rerolls=False)).write("pair", 12, throws=1).allowance == 3


def test_markers_left_at_the_end_are_worth_nothing() -> None:
    sheet = MAXI
    for box in sheet.rules.boxes:
        sheet = sheet.write(box.key, 0, throws=1)
    assert sheet.left == 40
    assert sheet.total == 0


def test_the_budget_of_stratzy_goes_down_as_its_rules_say() -> None:
    """45 left, one used on ones: 44. 15 left, six used for Yatzy: 50 in the box and 9 beside it."""
    sheet = STRATZY.write("ones", 3, throws=1)
    assert sheet.left == 44
    sheet = replace(sheet, left=15).write("yatzy", 50, throws=6)
    assert sheet.left == 9
    assert sheet.points("yatzy") == 50
    assert sheet.beside[sheet.rules.index("yatzy")] == 9


def test_boxes_are_marked_x_when_the_budget_is_gone() -> None:
    sheet = STRATZY.write("ones", 3, throws=45)
    assert sheet.finished
    assert len(sheet.crossed) == 14
    assert sheet.extra == -140
    assert sheet.total == 3 - 140


def test_a_cell_is_amended_opened_and_filled_again() -> None:
    sheet = MAXI.write("pair", 12, throws=1)
    assert sheet.amend("pair", 10).points("pair") == 10
    assert sheet.amend("pair", 10).left == sheet.left
    opened = sheet.amend("pair", None)
    assert opened.points("pair") is None
    assert opened.beside == MAXI.beside, "nothing stands beside an open box"
    assert sheet.amend("tower", 32).points("tower") == 32, "an open box can be filled by hand"
    again = opened.write("pair", 8, throws=3)
    assert again.points("pair") == 8


@pytest.mark.parametrize(
    ("sheet", "box", "points", "sentence"),
    [
        (YATZY, "pair", 13, "13 points cannot be in pair."),
        (YATZY, "twos", 7, "7 points cannot be in twos."),
        (YATZY, "villa", 18, "This sheet has no box villa."),
        (YATZY, "villa", None, "This sheet has no box villa."),
        (FORCED, "twos", 4, "This game is played in order: twos cannot be changed like that."),
        (
            FORCED.write("ones", 3, 1).write("twos", 4, 1),
            "ones",
            None,
            "This game is played in order: ones cannot be changed like that.",
        ),
        (UPPER_FIRST, "chance", 20, "This game is played in order: chance cannot be changed like that."),
    ],
)
def test_a_cell_cannot_be_amended_to_what_the_rules_do_not_know(
    sheet: Sheet, box: str, points: int | None, sentence: str
) -> None:
    with pytest.raises(IllegalEvent) as refusal:
        sheet.amend(box, points)
    assert str(refusal.value) == sentence
