"""The shipped networks on rendered pictures, on photographs where there are some, and the steps around them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from datasets import evaluate, labels, seen
from recognizer import boxes as geometry
from recognizer.finding import FEW
from recognizer.model import (
    ClassifierSettings,
    DetectorSettings,
    ForeignModel,
    Network,
    read_settings,
    write_settings,
)
from recognizer.pictures import load
from recognizer.reader import MODELS, Candidates, Die, Reader, Reading, conclude
from web.command import main

PICTURES = Path(__file__).parent / "pictures"
EXAMPLES = Path(__file__).parent.parent / "web" / "static" / "examples"
FRAMES = Path(__file__).parent.parent / "web" / "frames"
PHOTOS = Path(os.environ.get("KAST_PHOTOS", Path(__file__).parent.parent.parent / "shared" / "photos"))
SHIPPED = {roll["file"]: sorted(roll["values"]) for roll in json.loads((EXAMPLES / "examples.json").read_text())}
KNOWN: dict[str, list[int]] = json.loads((PICTURES / "faces.json").read_text())


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_rendered_dice_are_read_from_every_kind_of_file(reader: Reader, name: str) -> None:
    assert list(reader.read(load(PICTURES / name).image).faces) == KNOWN[name]


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_the_example_rolls_of_the_page_are_read_and_need_no_check(reader: Reader, name: str) -> None:
    reading = reader.read(load(EXAMPLES / name).image)
    assert list(reading.faces) == SHIPPED[name]
    assert reading.sure


def looked_at(reader: Reader, image: NDArray[np.uint8]) -> tuple[Reading, list[int]]:
    """What is read, and the longer side in pixels of each look that was taken at the whole picture."""
    looks: list[int] = []
    detector = reader._detector

    class Counting:
        def infer(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
            looks.append(max(batch.shape[2:]))
            return detector.infer(batch)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_detector", Counting())
        return reader.read(image), looks


@pytest.mark.parametrize("path", [*sorted(EXAMPLES.glob("*.jpg")), *sorted(FRAMES.glob("*.jpg"))], ids=lambda p: p.stem)
def test_what_is_left_out_to_be_quick_changes_no_face(reader: Reader, path: Path) -> None:
    image = load(path).image
    thorough, _confidence = conclude(reader.candidates(image), reader.classifier, image.shape[1], image.shape[0])
    reading, looks = looked_at(reader, image)
    assert reading.faces == tuple(sorted(die.face for die in thorough))
    assert (reading.sure and len(reading.dice) <= FEW) or max(looks) == max(reader.detector.sizes)


def test_most_pictures_of_a_throw_need_no_finest_look(reader: Reader) -> None:
    looks = [looked_at(reader, load(path).image)[1] for path in sorted(EXAMPLES.glob("*.jpg"))]
    assert sum(max(sizes) < max(reader.detector.sizes) for sizes in looks) > len(looks) / 2


def test_small_dice_and_an_empty_table_are_looked_at_most_closely(reader: Reader) -> None:
    image = load(EXAMPLES / min(SHIPPED)).image
    height, width = image.shape[:2]
    far = np.full((5 * height, 5 * width, 3), image[0, 0], np.uint8)
    far[2 * height : 3 * height, 2 * width : 3 * width] = image
    for picture in (far, np.full((480, 640, 3), 90, np.uint8)):
        assert max(looked_at(reader, picture)[1]) == max(reader.detector.sizes)


@pytest.mark.parametrize("turns", [1, 2, 3])
@pytest.mark.parametrize("name", sorted(KNOWN))
def test_turning_a_camera_that_looks_down_does_not_change_the_roll(reader: Reader, name: str, turns: int) -> None:
    turned = np.ascontiguousarray(np.rot90(load(PICTURES / name).image, turns))
    assert list(reader.read(turned).faces) == KNOWN[name]


def test_an_empty_table_holds_no_dice_and_is_not_sure(reader: Reader) -> None:
    rng = np.random.default_rng(0)
    for image in (np.full((300, 400, 3), 120, np.uint8), rng.integers(0, 256, (300, 400, 3), dtype=np.uint8)):
        reading = reader.read(image)
        assert reading.dice == ()
        assert not reading.sure


@pytest.mark.parametrize("shape", [(8, 8), (8, 2000), (2000, 8), (33, 65)])
def test_a_picture_of_any_shape_can_be_looked_at(reader: Reader, shape: tuple[int, int]) -> None:
    assert reader.read(np.zeros((*shape, 3), np.uint8)).dice == ()


def test_reading_twice_gives_the_same(reader: Reader) -> None:
    image = load(PICTURES / min(KNOWN)).image
    before = image.copy()
    assert reader.read(image) == reader.read(image)
    np.testing.assert_array_equal(image, before)


def test_every_die_carries_its_place_and_its_runners_up(reader: Reader) -> None:
    for die in reader.read(load(PICTURES / min(KNOWN)).image).dice:
        faces = [die.face, *(face for face, _ in die.alternatives)]
        chances = [chance for _, chance in die.alternatives]
        assert sorted(faces) == [1, 2, 3, 4, 5, 6]
        assert chances == sorted(chances, reverse=True)
        assert all(0 <= fraction <= 1 for fraction in die.box)


def _read(name: str, metadata: dict[str, str]) -> DetectorSettings | ClassifierSettings:
    if name == "detector":
        return read_settings(DetectorSettings, metadata)
    return read_settings(ClassifierSettings, metadata)


def test_all_that_the_networks_need_is_in_their_files(reader: Reader) -> None:
    for settings in (reader.detector, reader.classifier):
        name = "detector" if settings is reader.detector else "classifier"
        metadata = Network(MODELS / f"{name}.onnx", 1).metadata
        assert metadata == write_settings(settings)
        for key in metadata:
            less = {other: value for other, value in metadata.items() if other != key}
            with pytest.raises(ForeignModel, match=key):
                _read(name, less)
    assert reader.classifier.labels == ("1", "2", "3", "4", "5", "6", "none")
    assert sum((MODELS / f"{name}.onnx").stat().st_size for name in ("detector", "classifier")) <= 8_000_000


def test_a_network_of_another_program_or_time_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ForeignModel):
        Reader(tmp_path)
    (tmp_path / "detector.onnx").write_bytes(b"no network")
    with pytest.raises(ForeignModel):
        Reader(tmp_path)
    metadata = Network(MODELS / "detector.onnx", 1).metadata
    with pytest.raises(ForeignModel, match="format"):
        read_settings(DetectorSettings, {**metadata, "format": "0"})
    for key, value in (("calibration", "[1, 2]"), ("labels", "5")):
        with pytest.raises(ForeignModel, match="damaged"):
            read_settings(ClassifierSettings, Network(MODELS / "classifier.onnx", 1).metadata | {key: value})


def test_the_card_names_the_files_that_are_shipped() -> None:
    import hashlib

    card = (MODELS / "dice.md").read_text(encoding="utf-8")
    for name in ("detector", "classifier"):
        assert hashlib.sha256((MODELS / f"{name}.onnx").read_bytes()).hexdigest() in card


def candidates(
    boxes: Sequence[tuple[float, ...]], scores: list[float], face: int = 3, unlike: float = 0.0
) -> Candidates:
    """Of these places and chances; the last lies `unlike` doublings from the size of the others."""
    faces = np.full((len(boxes), 6), 0.002)
    faces[:, face - 1] = 0.99
    chances = np.array(scores)
    odds = np.log(chances / (1 - chances))
    evidence = np.column_stack([odds / 2, odds / 2, 0 * odds, 0 * odds])
    evidence[-1:, 3] = unlike
    return Candidates(np.array(boxes, float).reshape(-1, 4), evidence, faces)


@pytest.fixture
def settings(reader: Reader) -> ClassifierSettings:
    from dataclasses import replace

    return replace(
        reader.classifier, calibration=(1.0, 1.0, 0.0, -4.0, 0.0), temperature=1.0, die=0.5, first=0.5, sure=0.8
    )


def test_a_reading_is_sure_only_if_all_dice_are_and_nothing_left_out_might_be_one(settings: ClassifierSettings) -> None:
    two = [(10.0, 10.0, 30.0, 30.0), (50.0, 50.0, 72.0, 70.0)]
    other = (80.0, 80.0, 98.0, 99.0)
    clear = conclude(candidates(two, [0.97, 0.96]), settings, 100, 100)[1]
    assert clear == pytest.approx(0.97 * 0.96, rel=0.03)
    assert conclude(candidates(two, [0.97, 0.7]), settings, 100, 100)[1] < 0.8 * clear
    assert conclude(candidates([*two, other], [0.97, 0.96, 0.3]), settings, 100, 100)[1] < 0.8 * clear
    assert conclude(candidates([], []), settings, 100, 100) == ((), 0.0)


def test_what_is_much_larger_or_smaller_than_the_other_dice_must_look_more_like_one(
    settings: ClassifierSettings,
) -> None:
    three = [(10.0, 10.0, 30.0, 30.0), (50.0, 50.0, 70.0, 70.0), (80.0, 10.0, 100.0, 30.0)]
    small = (10.0, 60.0, 16.0, 66.0)
    for chance, dice in ((0.9, 3), (0.9999, 4)):
        seen = candidates([*three, small], [0.9, 0.9, 0.9, chance], unlike=1.7)
        assert len(conclude(seen, settings, 100, 100)[0]) == dice


def test_things_like_dice_count_only_beside_one_that_is_beyond_doubt(settings: ClassifierSettings) -> None:
    from dataclasses import replace

    places = [(10.0, 10.0, 30.0, 30.0), (50.0, 50.0, 70.0, 70.0)]
    strict = replace(settings, first=0.9)
    assert conclude(candidates(places, [0.8, 0.7]), strict, 100, 100) == ((), 0.0)
    assert len(conclude(candidates(places, [0.95, 0.7]), strict, 100, 100)[0]) == 2


def test_a_die_that_cannot_be_is_refused() -> None:
    box = (0.1, 0.1, 0.2, 0.2)
    for face, place, confidence in ((0, box, 0.5), (7, box, 0.5), (3, box, 1.5), (3, (0.1, 0.1, 0.0, 0.2), 0.5)):
        with pytest.raises(ValueError):
            Die(face, place, confidence)
    assert Die(3, box, 0.5).pixels(200, 100) == (20, 10, 40, 20)


def test_of_overlapping_boxes_the_best_remains_and_a_die_explains_its_pips() -> None:
    boxes = np.array([[0, 0, 40, 40], [2, 2, 42, 42], [10, 10, 18, 18], [100, 0, 140, 40]], float)
    assert geometry.suppress(boxes, np.array([0.6, 0.9, 0.8, 0.5]), 0.45).tolist() == [1, 2, 3]
    assert geometry.nested(boxes[1:], np.array([0.7, 0.8, 0.5])).tolist() == [0, 2]


def test_a_box_round_two_dice_that_touch_is_told_from_a_die_with_its_pips() -> None:
    pair, left, right = (10, 10, 70, 42), (10, 12, 39, 42), (41, 10, 70, 41)
    die, pips = (100, 0, 140, 40), [(104, 4, 114, 14), (126, 26, 136, 36)]
    boxes = np.array([pair, left, right, die, *pips], float)
    assert geometry.groups(boxes, np.full(6, 0.7)).tolist() == [True, False, False, False, False, False]
    assert not geometry.groups(boxes, np.array([0.9, 0.9, 0.2, 0.9, 0.9, 0.9])).any()
    assert geometry.groups(np.zeros((0, 4)), np.zeros(0)).tolist() == []


def test_a_crop_shows_its_box_in_the_middle_at_any_scale() -> None:
    image = np.zeros((900, 900, 3), np.uint8)
    for side in (20, 100, 400):
        picture: NDArray[np.uint8] = image.copy()
        picture[200 : 200 + side, 300 : 300 + side] = 255
        crop = geometry.cut(picture, np.array([300, 200, 300 + side, 200 + side], float), 48, 0.25)
        assert crop.shape == (48, 48, 3)
        assert (crop[18:30, 18:30] > 250).all()
        assert (crop[:6] < 5).all()
        rows = (crop[:, 24, 0] > 127).sum()
        assert abs(rows - 32) <= 1


def test_a_die_seen_from_the_side_is_read_round_the_middle_of_its_top_face() -> None:
    box, top = np.array([[100.0, 50.0, 140.0, 110.0]]), np.array([[120.0, 65.0]])
    assert geometry.moved(box, top).tolist() == [[100.0, 35.0, 140.0, 95.0]]


def test_the_command_prints_one_line_a_picture_in_order(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    names = sorted(KNOWN)
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff\xe0 this is no picture")
    assert main(["read", "--json", *(str(PICTURES / name) for name in names), str(broken)]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["photo"] for line in lines] == [*(str(PICTURES / name) for name in names), str(broken)]
    assert lines[-1]["error"].endswith(".")
    for line, name in zip(lines, names, strict=False):
        assert sorted(die["value"] for die in line["dice"]) == KNOWN[name]
        assert (line["width"], line["height"]) == (512, 512)
        for die in line["dice"]:
            left, top, wide, high = die["box"]
            assert 0 <= left < left + wide <= 512
            assert 0 <= top < top + high <= 512
            assert 0 <= die["confidence"] <= 1
            assert {die["value"], *(face for face, _ in die["alternatives"])} == set(range(1, 7))


@pytest.mark.skipif(not (PHOTOS / "dev").is_dir(), reason="the real photographs are not here")
@pytest.mark.parametrize(
    ("source", "least"), [("chrisaholt", 1.0), ("piotrowy", 0.9), ("kamil_piechowiak", 0.8), ("wiktoria_keller", 0.85)]
)
def test_real_dice_on_tables_never_trained_on_are_read(reader: Reader, source: str, least: float) -> None:
    looked = seen.look(reader, [(source, labels.load(PHOTOS / "dev" / source))])
    assert evaluate.macro(evaluate.table(looked, reader.classifier)) >= least
