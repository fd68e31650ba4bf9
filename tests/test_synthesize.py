"""Rendered pictures: the same seed gives the same picture, and the labels say what it shows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets import examples, synthesize
from datasets.rendering import looks
from datasets.rendering.bends import KINDS
from datasets.rendering.faces import PipStyle
from datasets.rendering.looks import Look
from datasets.rendering.recipe import Recipe
from datasets.rendering.scene import FACES, Surface

SMALL = (128, 128)
CLEAR = Recipe(dice=6, die=70.0, tilt=25.0, looks=("white",), top="felt", light="soft", noise=0.0, tint=0.0)


@pytest.fixture(autouse=True, scope="module")
def _needs_opengl() -> None:
    pytest.importorskip("moderngl", reason="moderngl is not installed: pictures cannot be rendered")
    try:
        synthesize.renderer()
    except RuntimeError as error:
        pytest.skip(f"pictures cannot be rendered here: {error}")


def test_the_same_seed_gives_the_same_picture_and_labels() -> None:
    first, first_labels = synthesize.picture(7, SMALL)
    again, again_labels = synthesize.picture(7, SMALL)
    assert np.array_equal(first, again)
    assert first_labels == again_labels


def test_another_seed_gives_another_picture() -> None:
    assert not np.array_equal(synthesize.picture(7, SMALL)[0], synthesize.picture(8, SMALL)[0])


@pytest.mark.parametrize("size", [(128, 128), (160, 96)])
def test_labels_lie_inside_the_picture(size: tuple[int, int]) -> None:
    found = 0
    for seed in range(8):
        image, labels = synthesize.picture(seed, size, kind="many")
        assert image.shape == (size[1], size[0], 3)
        for label in labels["annotations"] + labels["decoys"]:
            for x, y, w, h in (label["bbox"], label.get("top", label["bbox"])):
                assert 0 <= x < x + w <= size[0]
                assert 0 <= y < y + h <= size[1]
            found += 1
        for die in labels["annotations"]:
            assert die["category_id"] in range(1, 7)
            assert 0 < die["visible"] <= 1
    assert found > 20


def test_opposite_faces_of_every_look_sum_to_seven() -> None:
    rng = np.random.default_rng(1)
    handed = set()
    for name in looks.LOOKS:
        for _ in range(6):
            values = looks.draw(rng, name)[1].values
            handed.add(values)
            assert sorted(values) == [1, 2, 3, 4, 5, 6]
            for face, normal in enumerate(FACES):
                opposite = int(np.argmin(FACES @ normal))
                assert values[face] + values[opposite] == 7
    assert handed == {looks.RIGHT_HANDED, looks.LEFT_HANDED}


def test_every_value_comes_up_about_as_often() -> None:
    values = [
        die["category_id"]
        for seed in range(12)
        for die in synthesize.picture(seed, SMALL, kind="many")[1]["annotations"]
    ]
    counts = np.bincount(values, minlength=7)[1:]
    assert counts.min() > 0.08 * counts.sum()


def test_the_label_is_the_number_of_dark_pips_on_the_top_face() -> None:
    # flat black pips on white, seen from straight above, each die large: counted dully, as dark blobs
    painted = Look(Surface((0.8, 0.8, 0.8), rough=0.9, coat=0.0), PipStyle(depth=0.0))
    recipe = replace(CLEAR, looks=(painted,), top="plain", dice=8, die=90.0, tilt=0.0, view=15.0, spread=1.0)
    counted = 0
    for seed in range(4):
        image, labels = synthesize.picture(seed, recipe=recipe)
        for die in labels["annotations"]:
            x, y, w, h = die["top"]
            grey = cv2.cvtColor(image[y : y + h, x : x + w], cv2.COLOR_BGR2GRAY)
            across, down = np.meshgrid(np.linspace(-1, 1, w), np.linspace(-1, 1, h))
            # within the circle that touches the sides of the face, whichever way it is turned
            dark = (grey < 0.5 * np.percentile(grey, 80)) & (np.hypot(across, down) < 0.74)
            assert cv2.connectedComponents(dark.astype(np.uint8))[0] - 1 == die["category_id"]
            counted += 1
    assert counted > 15


@pytest.mark.parametrize("kind", KINDS)
def test_every_named_kind_renders_on_purpose(kind: str) -> None:
    pictures = [synthesize.picture(seed, SMALL, kind) for seed in (11, 12)]
    for image, labels in pictures:
        assert kind in labels["kinds"]
        assert image.std() > 1
    dice = sum(len(labels["annotations"]) for _, labels in pictures)
    assert dice == 0 if kind == "no_dice" else dice > 0


def test_dice_that_nobody_could_read_say_why() -> None:
    shaken = replace(CLEAR, motion=60.0)
    assert {die.get("ambiguous") for die in synthesize.picture(3, recipe=shaken)[1]["annotations"]} == {"blurred"}
    assert any("ambiguous" not in die for die in synthesize.picture(3, recipe=CLEAR)[1]["annotations"])


def test_an_interrupted_run_goes_on_with_the_shards_that_are_not_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synthesize, "SHARD", 2)
    assert [*synthesize.synthesize(tmp_path, 5, 40, SMALL)] == [0, 2, 4, 5]
    book = json.loads((tmp_path / "shard-0001" / "annotations.json").read_text("utf-8"))
    assert [image["seed"] for image in book["images"]] == [42, 43]
    kept = (tmp_path / "shard-0000" / "annotations.json").stat().st_mtime_ns
    # killed while it wrote the second shard: its pictures are there, its labels are not
    (tmp_path / "shard-0001" / "annotations.json").unlink()
    before = (tmp_path / "shard-0001" / "images" / "000042.jpg").read_bytes()
    assert [*synthesize.synthesize(tmp_path, 5, 40, SMALL)] == [3, 5]
    assert json.loads((tmp_path / "shard-0001" / "annotations.json").read_text("utf-8")) == book
    assert (tmp_path / "shard-0001" / "images" / "000042.jpg").read_bytes() == before
    assert (tmp_path / "shard-0000" / "annotations.json").stat().st_mtime_ns == kept


def test_the_example_rolls_are_shipped_with_their_values() -> None:
    folder = Path(__file__).parent.parent / "web" / "static" / "examples"
    listed = json.loads((folder / "examples.json").read_text("utf-8"))
    assert len(listed) == len(examples.ROLLS)
    for entry, (recipe, _) in zip(listed, examples.ROLLS, strict=True):
        assert len(entry["values"]) == recipe.dice
        assert set(entry["values"]) <= {1, 2, 3, 4, 5, 6}
        stored = (folder / entry["file"]).read_bytes()
        assert len(stored) < 120_000
        image = cv2.imdecode(np.frombuffer(stored, np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        assert image.shape == (720, 960, 3)
