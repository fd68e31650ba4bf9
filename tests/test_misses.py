"""Contact sheets show what was read wrongly, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets import misses
from datasets.seen import Seen
from recognizer.model import ClassifierSettings
from recognizer.reader import Reader
from tests.test_evaluate import seen as made_up

PICTURES = Path(__file__).parent / "pictures"
BOX = (100.0, 100.0, 200.0, 200.0)


@pytest.fixture
def settings() -> ClassifierSettings:
    return replace(
        Reader().classifier, calibration=(1.0, 1.0, 0.0, 0.0, 0.0), temperature=1.0, die=0.5, first=0.5, sure=0.8
    )


def seen(true: int, found: int) -> Seen:
    one = made_up([(BOX, true)], [(BOX, found, 5.0)])
    return replace(one, picture=replace(one.picture, path=PICTURES / "pawns.jpg"), width=512, height=512)


def test_only_what_was_read_wrongly_is_shown(settings: ClassifierSettings) -> None:
    drawn = misses.sheet({"table": [seen(3, 3), seen(3, 4), seen(2, 5)]}, settings, columns=2)
    assert drawn is not None
    assert drawn.shape == (misses.SIDE, 2 * misses.SIDE, 3)
    red = (drawn == np.array(misses.WRONG)).all(axis=2)
    assert red[:, : misses.SIDE].any(), "a box in red round what was wrong"
    assert red[:, misses.SIDE :].any()


def test_there_is_no_sheet_where_all_was_read_rightly(settings: ClassifierSettings) -> None:
    assert misses.sheet({"table": [seen(3, 3)]}, settings) is None
