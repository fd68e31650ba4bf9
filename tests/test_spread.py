"""How games end is told by where most of them do, and drawn in a few bars."""

from __future__ import annotations

import random

import pytest

from web.spread import MOST_BARS, Spread


def test_half_of_all_games_and_nine_in_ten_leave_out_the_best_and_the_worst_alike() -> None:
    spread = Spread(tuple(reversed(range(100, 201))))
    assert spread.between(0.5) == (125, 175)
    assert spread.between(0.9) == (105, 195)


def test_bars_are_as_high_as_there_are_games_and_those_of_the_middle_half_are_marked() -> None:
    spread = Spread((1, 11, 12, 12, 13, 13, 14, 23))
    assert (spread.width, spread.ends) == (1, (1, 24))
    assert [bar.height for bar in spread.bars] == [0.5, *[0] * 9, 0.5, 1, 1, 0.5, *[0] * 8, 0.5]
    assert [n for n, bar in enumerate(spread.bars) if bar.usual] == [11, 12]


@pytest.mark.parametrize("most", [1, 30, 400, 5000, 100_000])
def test_bars_are_few_and_hold_every_game_whatever_the_game_pays(most: int) -> None:
    dice = random.Random(most)
    totals = tuple(dice.randint(-5, most) for _ in range(300))
    spread = Spread(totals)
    assert 1 <= len(spread.bars) <= MOST_BARS + 1
    assert spread.ends[0] <= min(totals) <= max(totals) < spread.ends[1]
    assert max(bar.height for bar in spread.bars) == 1


def test_one_game_is_one_bar() -> None:
    spread = Spread((250,))
    assert spread.between(0.5) == (250, 250)
    assert [bar.height for bar in spread.bars] == [1]
