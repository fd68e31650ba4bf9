"""What became of sources left out of training: written by one run, read by another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets import leftout
from datasets.evaluate import table
from datasets.honesty import honesty
from datasets.leftout import LeftOut
from recognizer.reader import Reader
from tests.test_evaluate import A, B, seen


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    looked = {"somewhere": [seen([(A, 3), (B, 5)], [(A, 3, 5.0), (B, 4, 2.0)]), seen([], [])]}
    settings = Reader().classifier
    result = LeftOut(("detector: 5 steps",), table(looked, settings), honesty(looked, settings))
    leftout.write(tmp_path / "left-out.json", result)
    again = leftout.read(tmp_path / "left-out.json")
    assert (again.made, again.scores) == (result.made, result.scores)
    assert again.honesty.readings.right.tolist() == result.honesty.readings.right.tolist()
    np.testing.assert_allclose(again.honesty.dice.confidence, result.honesty.dice.confidence, atol=1e-5)
    assert again.honesty.pictures == 2


@pytest.mark.parametrize("text", ["", "[]", '{"made": []}'])
def test_a_damaged_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "left-out.json").write_text(text)
    with pytest.raises(ValueError):
        leftout.read(tmp_path / "left-out.json")


def test_pictures_are_taken_evenly_from_first_to_last() -> None:
    pictures = [seen([], []).picture for _ in range(10)]
    numbers = {id(picture): number for number, picture in enumerate(pictures)}
    assert [numbers[id(one)] for one in leftout.evenly(pictures, 4)] == [0, 3, 6, 9]
    assert leftout.evenly(pictures, 0) == leftout.evenly(pictures, 20) == pictures
