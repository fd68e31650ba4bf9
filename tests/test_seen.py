"""What the networks saw is kept and found again, for these networks and these pictures only."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets import seen
from datasets.labels import Labelled
from datasets.seen import Seen
from recognizer.reader import MODELS, Reader
from tests.test_evaluate import A, B
from tests.test_evaluate import seen as made_up

PICTURES = Path(__file__).parent / "pictures"


@pytest.fixture
def blind(monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    """A reader that must not be asked."""

    def refuse(*_: object) -> None:
        raise AssertionError("looked again")

    reader = Reader()
    with monkeypatch.context() as patched:
        patched.setattr(reader, "candidates", refuse)
        yield reader


def labelled(path: Path) -> Labelled:
    return replace(made_up([(A, 3), (B, 5)], []).picture, path=path)


def same(one: Seen, other: Seen) -> bool:
    parts = ("boxes", "evidence", "faces")
    return (one.picture.path, one.width, one.height) == (other.picture.path, other.width, other.height) and all(
        np.array_equal(getattr(one.candidates, part), getattr(other.candidates, part)) for part in parts
    )


@pytest.fixture
def pictures(tmp_path: Path) -> list[Labelled]:
    for name in ("pawns.jpg", "again.jpg"):
        shutil.copy(PICTURES / "pawns.jpg", tmp_path / name)
    return [labelled(tmp_path / "pawns.jpg"), labelled(tmp_path / "again.jpg")]


def test_what_was_seen_is_kept_and_not_looked_at_again(tmp_path: Path, pictures: list[Labelled], blind: Reader) -> None:
    first = seen.look(Reader(), [("table", pictures), ("nothing", [])], tmp_path / "cache")
    again = seen.look(blind, [("table", pictures), ("nothing", [])], tmp_path / "cache")
    assert len(first["table"][0].candidates.boxes) >= 3
    assert again["nothing"] == []
    assert all(same(one, other) for one, other in zip(first["table"], again["table"], strict=True))


def test_a_picture_that_has_changed_is_looked_at_again(tmp_path: Path, pictures: list[Labelled], blind: Reader) -> None:
    seen.look(Reader(), [("table", pictures)], tmp_path / "cache")
    shutil.copy(PICTURES / "pawns.jpg", pictures[0].path)
    with pytest.raises(AssertionError, match="looked again"):
        seen.look(blind, [("table", pictures)], tmp_path / "cache")


def test_other_networks_have_another_fingerprint(tmp_path: Path) -> None:
    for name in ("detector.onnx", "classifier.onnx"):
        shutil.copy(MODELS / name, tmp_path)
    assert seen.fingerprint(tmp_path) == seen.fingerprint(MODELS)
    with (tmp_path / "classifier.onnx").open("ab") as opened:
        opened.write(b"\0")
    assert seen.fingerprint(tmp_path) != seen.fingerprint(MODELS)
