"""What has changed between pictures of one table."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import pytest

from recognizer.motion import Past, small
from tests.painted import SIDE, WIDTH, Image, table

DIE = (4, 260, 160)
BOX = (260 / WIDTH, 160 / WIDTH, SIDE / WIDTH, SIDE / WIDTH)


def past(pictures: Iterable[Image]) -> Past:
    """A memory of these pictures, the first of which is kept."""
    memory = Past()
    for number, picture in enumerate(pictures):
        memory.add(number / 10, small(picture))
        if number == 0:
            memory.keep()
    return memory


@pytest.mark.parametrize("light", [0.6, 1.0])
def test_a_die_that_a_hand_covered_for_long_looks_as_before_in_any_light(light: float) -> None:
    covered = [table(DIE, hand=(260, 100), seed=k) for k in range(60)]
    assert past([table(DIE), *covered, table(DIE, seed=9, light=light)]).is_as_kept(BOX)


def test_a_die_that_came_to_lie_where_another_lay_looks_otherwise() -> None:
    assert not past([table(DIE), table(), table((4, 260 + 7, 160 + 7))]).is_as_kept(BOX)
    assert not past([table(DIE), table(), table((6, 260, 160))]).is_as_kept(BOX)


def test_nothing_looks_as_before_in_a_picture_of_another_size_or_before_any_was_kept() -> None:
    assert not past([table(DIE), table(DIE)[:, :500]]).is_as_kept(BOX)
    memory = Past()
    memory.add(0.0, small(table(DIE)))
    assert not memory.is_as_kept(BOX)


def test_a_die_under_a_hand_is_told_from_one_that_came_in_full_view() -> None:
    put = [table(seed=1), table(DIE, hand=(280, 100), seed=2), table(DIE, hand=(280, 150), seed=3), table(DIE, seed=4)]
    under = past(put).coming(BOX)
    assert under is not None
    assert under.covered > 0.25
    came = past([table(seed=k) for k in range(3)] + [table(DIE, seed=4)]).coming(BOX)
    assert came is not None
    assert came.covered == pytest.approx(0.0, abs=0.02)
    assert past([table(DIE, seed=k) for k in range(3)]).coming(BOX) is None


def test_when_a_place_was_last_seen_without_what_lies_there_now_is_known() -> None:
    bare, lying = [table(seed=k) for k in range(6)], [table(DIE, seed=k) for k in range(6)]
    rolling = [table((3, 270, 180), seed=9), table((2, 250, 150), seed=8)]
    hand = [table(hand=(280, 150), seed=k) for k in range(6)]
    for before, when in (
        (bare, 0.5),
        (bare + rolling, 0.7),  # nor does what lies there now while another one rolls by
        (bare + hand, 0.5),
        (bare + lying + rolling, -inf),
        (hand, -inf),
    ):
        came = past([*before, table(DIE, seed=7)]).coming(BOX)
        assert came is not None
        assert came.bare == pytest.approx(when)
