"""Whether confidence is judged rightly: on answers whose honesty is known."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from datasets import diagram
from datasets.honesty import Answers, honesty
from recognizer.model import ClassifierSettings
from recognizer.reader import Reader
from tests.test_evaluate import A, B, C, seen


@pytest.fixture(scope="module")
def settings() -> ClassifierSettings:
    return replace(
        Reader().classifier, calibration=(1.0, 1.0, 0.0, 0.0, 0.0), temperature=1.0, die=0.5, first=0.5, sure=0.8
    )


def test_answers_drawn_with_their_own_confidence_have_next_to_no_error() -> None:
    rng = np.random.default_rng(0)
    said = rng.random(50_000)
    assert Answers(said, rng.random(50_000) < said).error < 0.01


def test_the_error_is_the_distance_of_confidence_and_share_right_weighed_by_answers() -> None:
    answers = Answers.of([(0.95, True)] * 30 + [(0.95, False)] * 30 + [(0.15, False)] * 40)
    assert [(one.answers, one.right) for one in answers.bins] == [(40, 0.0), (60, 0.5)]
    assert answers.error == pytest.approx(0.6 * 0.45 + 0.4 * 0.15)


def test_no_answers_have_no_error_to_tell() -> None:
    assert Answers.of([]).bins == []
    assert np.isnan(Answers.of([]).error)


def test_dice_missed_doubted_and_wrong_are_counted_apart(settings: ClassifierSettings) -> None:
    pictures = [
        seen([(A, 3), (B, 5)], [(A, 3, 5.0), (B, 4, 5.0)]),  # sure and wrong
        seen([(A, 3)], [(A, 3, 5.0)]),  # sure and right
        seen([(A, 3)], [(A, 3, 1.0)]),  # right, in doubt
        seen([(A, 3)], []),  # missed
        seen([], []),  # nothing there, nothing seen
    ]
    told = honesty({"made up": pictures}, settings)
    assert (told.pictures, told.right, told.exact, told.sure, told.silent) == (5, 2, 3, 1, 1)
    assert told.found == 4
    assert len(told.dice.right) == 4
    assert told.dice.right.sum() == 3
    assert told.readings.right.tolist() == [False, True, True]
    assert told.readings.confidence[2] < settings.sure < told.readings.confidence[1]


def test_only_dice_large_enough_are_asked_for_without_exception(settings: ClassifierSettings) -> None:
    large = (10.0, 10.0, 40.0, 40.0)
    told = honesty({"made up": [seen([(large, 3), (C, 5)], [(large, 3, 5.0)])]}, settings)
    assert (told.large, told.large_found, told.large_right) == (1, 1, 1)


def test_the_second_face_counts_where_it_is_the_right_one(settings: ClassifierSettings) -> None:
    one = seen([(A, 3)], [(A, 4, 5.0)])
    one.candidates.faces[0] = (0.001, 0.001, 0.2, 0.79, 0.004, 0.004)
    assert honesty({"made up": [one]}, settings).second == 1
    one.candidates.faces[0] = (0.001, 0.15, 0.05, 0.79, 0.004, 0.005)
    assert honesty({"made up": [one]}, settings).second == 0


def test_each_source_may_have_settings_of_its_own(settings: ClassifierSettings) -> None:
    pictures = {"one": [seen([(A, 3)], [(A, 3, 5.0)])], "other": [seen([(A, 3)], [(A, 3, 5.0)])]}
    told = honesty(pictures, {"one": settings, "other": replace(settings, sure=1.0)})
    assert (told.right, told.sure) == (2, 1)


def test_the_diagram_is_an_svg_with_a_point_for_each_bin() -> None:
    answers = Answers.of([(0.95, True)] * 30 + [(0.15, False)] * 40)
    root = ElementTree.fromstring(diagram.reliability({"dice": answers, "readings": Answers.of([])}))
    points = [one for one in root.iter("{http://www.w3.org/2000/svg}circle") if one.find("*") is not None]
    assert len(points) == 2
    (low, high) = sorted(points, key=lambda point: float(point.attrib["cx"]))
    assert float(low.attrib["cy"]) > float(high.attrib["cy"]), "what is right more often lies higher"
