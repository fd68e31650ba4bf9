"""How readings are judged, on made-up pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets import evaluate, thresholds
from datasets.evaluate import Score
from datasets.labels import Labelled
from datasets.seen import Seen
from recognizer.model import ClassifierSettings
from recognizer.reader import Candidates, Reader

Box = tuple[float, float, float, float]
A, B, C = (10.0, 10.0, 30.0, 30.0), (50.0, 50.0, 72.0, 70.0), (80.0, 80.0, 98.0, 99.0)


@pytest.fixture(scope="module")
def settings() -> ClassifierSettings:
    return replace(
        Reader().classifier, calibration=(1.0, 1.0, 0.0, 0.0, 0.0), temperature=1.0, die=0.5, first=0.5, sure=0.8
    )


def seen(true: Sequence[tuple[Box, int]], found: Sequence[tuple[Box, int, float]], ignored: int = -1) -> Seen:
    """A picture of 100 × 100 pixels: true dice (box, face), and candidates (box, face, log-odds of being a die)."""
    boxes = np.array([box for box, _ in true], np.float32).reshape(-1, 4)
    faces = np.array([face for _, face in true], np.int64)
    picture = Labelled(
        path=Path("none.jpg"),
        source="made up",
        boxes=boxes,
        close=np.ones(len(true), bool),
        tops=np.asarray((boxes[:, :2] + boxes[:, 2:]) / 2, np.float32),
        faces=faces,
        ignored=np.arange(len(true)) == ignored,
        decoys=np.zeros((0, 4), np.float32),
        tilted=False,
    )
    chances = np.full((len(found), 6), 0.002)
    for row, (_, face, _) in enumerate(found):
        chances[row, face - 1] = 0.99
    places = np.array([box for box, _, _ in found]).reshape(-1, 4)
    evidence = np.array([[odds / 2, odds / 2, 0.0, 0.0] for _, _, odds in found]).reshape(-1, 4)
    return Seen(picture, Candidates(places, evidence, chances), 100, 100)


def test_a_roll_read_whole_is_exact_and_sure(settings: ClassifierSettings) -> None:
    score = evaluate.judge(seen([(A, 3), (B, 5)], [(B, 5, 5.0), (A, 3, 5.0)]), settings).score
    assert score == Score(pictures=1, dice=2, found=2, right=2, false=0, exact=1, sure=1, silent=0)


def test_a_wrong_face_that_the_reader_was_sure_of_is_a_silent_error(settings: ClassifierSettings) -> None:
    score = evaluate.judge(seen([(A, 3)], [(A, 4, 5.0)]), settings).score
    assert (score.found, score.right, score.exact, score.silent) == (1, 0, 0, 1)


def test_a_die_missed_and_a_die_made_up_are_counted_apart(settings: ClassifierSettings) -> None:
    score = evaluate.judge(seen([(A, 3)], [(C, 3, 5.0)]), settings).score
    assert (score.found, score.false, score.dice) == (0, 1, 1)
    assert score.exact == 1, "the roll alone is what counts in `exact`, as in the tool that judges from outside"


def test_a_die_that_asks_for_no_answer_is_neither_missed_nor_false(settings: ClassifierSettings) -> None:
    true = [(A, 3), (B, 5)]
    for found in ([(A, 3, 5.0)], [(A, 3, 5.0), (B, 1, 5.0)]):
        score = evaluate.judge(seen(true, found, ignored=1), settings).score
        assert (score.dice, score.found, score.false, score.exact) == (1, 1, 0, 1)


def test_each_die_is_matched_once_and_the_nearest_first(settings: ClassifierSettings) -> None:
    near = (12.0, 12.0, 32.0, 32.0)
    score = evaluate.judge(seen([(A, 3)], [(near, 4, 5.0), (A, 3, 5.0)]), settings).score
    assert (score.found, score.right, score.false) == (1, 1, 1)


def test_the_threshold_chosen_keeps_the_dice_and_drops_the_rest(settings: ClassifierSettings) -> None:
    pictures = [seen([(A, 3), (B, 5)], [(A, 3, 3.0), (B, 5, 2.5), (C, 1, -1.5)]) for _ in range(20)]
    pictures += [seen([], [(C, 1, -1.0)]) for _ in range(5)]
    chosen = thresholds.choose({"made up": pictures}, settings)
    total = evaluate.total(evaluate.judge(one, chosen).score for one in pictures)
    assert total.exact == total.pictures
    assert total.silent == 0
    assert total.sure >= 20


def test_pictures_that_are_hard_on_purpose_make_the_reader_more_careful(settings: ClassifierSettings) -> None:
    usual = [seen([(A, 3), (B, 5)], [(A, 3, 3.0), (B, 5, 2.5), (C, 1, -1.5)]) for _ in range(20)]
    hard = [seen([(A, 3)], [(A, 4, 2.0)]) for _ in range(5)]
    alone = thresholds.choose({"made up": usual}, settings)
    both = thresholds.choose({"made up": usual}, settings, hard)
    assert both.sure > alone.sure
    assert not any(evaluate.judge(one, both).sure for one in hard)


def test_small_sources_weigh_as_much_as_large_ones() -> None:
    assert evaluate.macro({"large": Score(pictures=98, exact=98), "small": Score(pictures=2, exact=0)}) == 0.5
