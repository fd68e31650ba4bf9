"""Pictures in, events out: painted tables, one after the other, ten a second."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import pytest

from recognizer import pipeline
from recognizer.pipeline import Follower
from tests.painted import HEIGHT, SIDE, WIDTH, Image, PaintedEye, Placed, table
from tests.tables import say

FIRST: tuple[Placed, ...] = ((6, 100, 60), (6, 180, 80), (4, 260, 200), (2, 340, 120), (1, 420, 180))


def film(*parts: tuple[int, Iterable[Image]]) -> Iterator[tuple[float, Image]]:
    """Each part repeated so many times, with the time of every picture."""
    number = 0
    for times, pictures in parts:
        for _ in range(times):
            for picture in pictures:
                yield number / 10, picture
                number += 1


def still(dice: Iterable[Placed], pictures: int, light: float = 1.0) -> tuple[int, list[Image]]:
    return 1, [table(*dice, seed=k, light=light) for k in range(pictures)]


def rolling(before: Iterable[Placed], after: Iterable[Placed]) -> tuple[int, list[Image]]:
    """Dice come in from the right, in four pictures."""
    return 1, [
        table(*before, *((face % 6 + 1, x + 30 * k, y + 6 * k) for face, x, y in after), seed=k) for k in (4, 3, 2, 1)
    ]


def passing() -> tuple[int, list[Image]]:
    """A hand comes up over the dice and goes."""
    return 1, [table(*FIRST, hand=(260, y), seed=k) for k, y in enumerate((340, 240, 140, 60, 60, 140, 240, 340))]


def run(follower: Follower, *parts: tuple[int, Iterable[Image]]) -> list[str]:
    told = [event for at, picture in film(*parts) for event in follower.see(picture, at)]
    return [say(event) for event in told if event.what != "rolling"]


def test_a_throw_on_an_empty_table_is_told_within_four_tenths_of_a_second() -> None:
    # at rest from 0.9 on
    follower = Follower(PaintedEye(), 5)
    assert run(follower, still((), 5), rolling((), FIRST), still(FIRST, 5)) == [
        "1.1 settled 12466"
    ]  # at rest since 0.9
    assert follower.state == pipeline.SETTLED


def test_a_still_table_is_read_no_more_often_than_the_vote_needs() -> None:
    eye = PaintedEye()
    follower = Follower(eye, 5)
    run(follower, still(FIRST, 60))
    assert eye.asked <= 4


def test_a_quiet_table_that_cannot_be_made_out_is_read_ever_more_seldom() -> None:
    eye = PaintedEye()
    flickering = [table(*FIRST[: 4 + k % 2], seed=k) for k in range(2)]
    follower = Follower(eye, 5)
    eye.read = lambda image, read=eye.read: read(flickering[eye.asked % 2])  # type: ignore[method-assign, misc]
    run(follower, still(FIRST, 200))
    assert eye.asked < 60


def test_a_hand_that_passes_is_no_throw() -> None:
    follower = Follower(PaintedEye(), 5)
    assert run(follower, still(FIRST, 5), passing(), still(FIRST, 5)) == ["0.2 settled 12466"]
    assert follower.state == pipeline.SETTLED


def test_light_that_comes_and_goes_is_no_throw() -> None:
    follower = Follower(PaintedEye(), 5)
    lamp = still(FIRST, 5, 0.5), still(FIRST, 5, 0.8), still(FIRST, 5)
    assert run(follower, still(FIRST, 5), *lamp) == ["0.2 settled 12466"]


def test_a_camera_that_is_bumped_sees_no_throw() -> None:
    shifted = [(face, x + 23, y + 9) for face, x, y in FIRST]
    follower = Follower(PaintedEye(), 5)
    assert run(follower, still(FIRST, 5), still(shifted, 5)) == ["0.2 settled 12466", "0.7 moved 12466"]


def test_kept_dice_are_told_from_thrown_ones() -> None:
    kept, thrown = FIRST[:2], ((3, 250, 60), (5, 330, 220), (1, 420, 100))
    told = run(
        Follower(PaintedEye(), 5),
        still(FIRST, 5),
        passing(),
        still(kept, 8),
        rolling(kept, thrown),
        still((*kept, *thrown), 5),
    )
    assert told == ["0.2 settled 12466", "1.5 taken 66", "2.7 settled 13566 kept 66"]


def test_a_die_that_a_hand_puts_down_elsewhere_is_no_throw() -> None:
    moved = (*FIRST[:4], (1, 480, 260))
    hand = [table(*FIRST[:4], hand=(x, y), seed=x) for x, y in ((430, 150), (430, 150), (460, 200), (500, 240))]
    gone = [table(*moved, hand=(500, y), seed=y) for y in (300, 340)]
    told = run(Follower(PaintedEye(), 5), still(FIRST, 5), (3, hand), (1, gone), still(moved, 5))
    assert told[0] == "0.2 settled 12466"
    assert [line[4:] for line in told[1:]] == ["moved 12466"]


def test_what_lies_outside_the_area_is_ignored_and_boxes_are_those_of_the_whole_picture() -> None:
    follower = Follower(PaintedEye(), 4, area=(0.1, 0.1, 0.5, 0.8))
    told = [event for at, picture in film(still(FIRST, 5)) for event in follower.see(picture, at)]
    assert [say(event) for event in told] == ["0.2 settled 2466"]
    seen = sorted(die.pixels(WIDTH, HEIGHT) for die in told[0].dice)
    for (x, y, wide, high), (_, left, top) in zip(seen, FIRST, strict=False):
        assert (x, y, wide, high) == pytest.approx((left, top, SIDE, SIDE), abs=1.5)
    assert sorted(die.pixels(WIDTH, HEIGHT)[0] for die in follower.dice) == pytest.approx([100, 180, 260, 340], abs=1.5)


def test_a_picture_of_another_size_is_looked_at_afresh_and_makes_no_throw() -> None:
    follower = Follower(PaintedEye(), 5)
    wide = [picture[:, :600] for picture in still(FIRST, 6)[1]]
    assert [line for line in run(follower, still(FIRST, 5), (1, wide)) if "moved" not in line] == ["0.2 settled 12466"]


def test_the_state_in_a_word() -> None:
    follower = Follower(PaintedEye(), 5)
    assert follower.state == pipeline.LOOKING
    states = []
    for at, picture in film(still((), 3), rolling((), FIRST), still(FIRST, 4), still(FIRST[:3], 4)):
        follower.see(picture, at)
        states.append(follower.state)
    expected = [pipeline.LOOKING, pipeline.ROLLING, pipeline.SETTLED, pipeline.LOOKING]
    assert [states[0], *(b for a, b in pairwise(states) if a != b)] == expected


def test_a_throw_can_be_declared_and_corrected_by_hand() -> None:
    follower = Follower(PaintedEye(), 6)
    run(follower, still(FIRST, 16))
    assert follower.state == pipeline.CHECK  # a die is missing
    event = follower.declare(2.0)
    assert event is not None
    assert say(event) == "2.0 settled 12466 unsure"
    assert follower.roll is not None
    follower.correct([5, 5, 5, 5, 5])
    with pytest.raises(ValueError):
        follower.correct([5, 5])


def test_dice_put_down_by_hand_one_by_one_are_no_first_throw_but_a_person_is_asked_once_all_lie() -> None:
    parts: list[tuple[int, list[Image]]] = [still((), 5)]
    for k, (_, x, y) in enumerate(FIRST):
        before, after = FIRST[:k], FIRST[: k + 1]
        parts.append((1, [table(*before, hand=(x + 20, high), seed=high) for high in (300, y + 60, y - 20)]))
        parts.append((1, [table(*after, hand=(x + 20, high), seed=high) for high in (y - 20, y + 60, 300)]))
        parts.append(still(after, 12))
    told = run(Follower(PaintedEye(), 5), *parts)
    assert [line.partition(" ")[2] for line in told] == ["placed 12466 unsure"]
