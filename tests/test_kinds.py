"""Test pictures of each kind: rendered with seeds of their own, counted by size and number."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from datasets import evaluate, kinds, synthesize
from datasets.rendering.bends import KINDS
from recognizer.reader import Reader
from tests.test_evaluate import A, B, Box, seen


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("moderngl", reason="moderngl is not installed: pictures cannot be rendered")
    try:
        synthesize.renderer()
    except RuntimeError as error:
        pytest.skip(f"pictures cannot be rendered here: {error}")
    monkeypatch.setattr(kinds, "SIZE", (96, 96))
    monkeypatch.setattr(kinds, "TESTED", {kinds.ANY: "", "glare": ""})


def test_every_kind_that_is_tested_can_be_rendered() -> None:
    assert set(kinds.TESTED) - {kinds.ANY} <= set(KINDS)


@pytest.mark.usefixtures("_small")
def test_each_kind_is_rendered_once_with_seeds_that_training_never_uses(tmp_path: Path) -> None:
    assert kinds.ready(tmp_path, 2) == 0
    assert [*kinds.render(tmp_path, 2)] == ["any", "glare"]
    assert kinds.ready(tmp_path, 2) == 1
    book = tmp_path / "glare" / "shard-0000" / "annotations.json"
    images = json.loads(book.read_text("utf-8"))["images"]
    assert [image["seed"] for image in images] == [kinds.FIRST_SEED, kinds.FIRST_SEED + 1]
    assert all("glare" in image["kinds"] for image in images)
    before = book.stat().st_mtime_ns
    assert [*kinds.render(tmp_path, 2)] == ["any", "glare"]
    assert book.stat().st_mtime_ns == before
    assert [(name, len(pictures)) for name, pictures in kinds.load(tmp_path)] == [("any", 2), ("glare", 2)]


@pytest.mark.usefixtures("_small")
def test_another_number_of_pictures_is_rendered_again(tmp_path: Path) -> None:
    assert [*kinds.render(tmp_path, 1), *kinds.render(tmp_path, 2)] == ["any", "glare"] * 2
    assert [len(pictures) for _, pictures in kinds.load(tmp_path)] == [2, 2]


def test_dice_are_counted_by_their_size_and_pictures_by_their_dice() -> None:
    large: Box = (0.0, 0.0, 60.0, 60.0)
    settings = replace(
        Reader().classifier, calibration=(1.0, 1.0, 0.0, 0.0, 0.0), temperature=1.0, die=0.5, first=0.5, sure=0.8
    )
    looked = [
        seen([(A, 3), (large, 5)], [(A, 4, 5.0), (large, 5, 5.0)]),
        seen([(B, 2)], []),
        seen([], []),
    ]
    verdicts = [evaluate.judge(one, settings) for one in looked]
    sides = kinds.by_side(verdicts)
    assert {name: (one.dice, one.found, one.right) for name, one in sides.items()} == {
        "20 to 30": (2, 1, 0),
        "45 to 70": (1, 1, 1),
    }
    numbers = kinds.by_number(verdicts)
    assert {name: (one.pictures, one.exact) for name, one in numbers.items()} == {"1": (1, 0), "2": (1, 0)}
