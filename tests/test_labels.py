"""What the labels of real and of rendered pictures mean for training."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from datasets import labels

PHOTOS = Path(__file__).parent.parent.parent / "shared" / "photos"


def folder(tmp_path: Path, name: str, annotations: list[dict[str, object]], **more: object) -> Path:
    source = tmp_path / name
    source.mkdir()
    images = [{"id": 7, "file_name": "b.jpg"}, {"id": 8, "file_name": "a.jpg"}]
    (source / "annotations.json").write_text(json.dumps({"images": images, "annotations": annotations, **more}))
    return source


def die(**more: object) -> dict[str, object]:
    return {"image_id": 7, "bbox": [10, 20, 30, 40], "category_id": 5, **more}


def test_pictures_come_in_the_order_of_their_names_each_with_its_own_dice(tmp_path: Path) -> None:
    empty, one = labels.load(folder(tmp_path, "plain", [die()]))
    assert empty.path.name == "a.jpg"
    assert empty.boxes.shape == (0, 4)
    np.testing.assert_array_equal(one.boxes, [[10, 20, 40, 60]])
    np.testing.assert_array_equal(one.tops, [[25, 40]])
    assert one.faces.tolist() == [5]
    assert not one.ignored.any()


@pytest.mark.parametrize("mark", [{"ambiguous": "worn"}, {"custom_symbol": True}, {"visible": 0.5}])
def test_a_die_that_nobody_can_read_asks_for_no_answer(tmp_path: Path, mark: dict[str, object]) -> None:
    assert labels.load(folder(tmp_path, "plain", [die(**mark)]))[1].ignored.all()


def test_a_rendered_die_brings_its_top_face_and_the_picture_its_decoys(tmp_path: Path) -> None:
    decoys = [{"image_id": 7, "bbox": [1, 2, 3, 4], "what": "domino"}]
    picture = labels.load(
        folder(tmp_path, "shard-0001", [die(top=[10, 20, 30, 10], visible=1.0)], decoys=decoys), labels.RENDERED
    )[1]
    np.testing.assert_array_equal(picture.tops, [[25, 25]])
    np.testing.assert_array_equal(picture.decoys, [[1, 2, 4, 6]])
    assert picture.tilted


def test_a_die_seen_from_straight_above_may_be_turned_any_way(tmp_path: Path) -> None:
    assert not labels.load(
        folder(
            tmp_path,
            "shard-0001",
            [die(top=[12, 23, 26, 34])],
        ),
        labels.RENDERED,
    )[1].tilted


def test_boxes_round_pips_become_boxes_round_dice_of_one_size() -> None:
    one, six = np.array([[100, 100, 112, 112], [200, 100, 236, 140]], np.float32)
    bodies = labels.bodies(np.stack([one, six]), np.array([1, 6]))
    sides = bodies[:, 2:] - bodies[:, :2]
    np.testing.assert_allclose(sides, sides[0, 0], rtol=1e-5)
    assert sides[0, 0] > 40
    for pips, body in zip((one, six), bodies, strict=True):
        assert (body[:2] < pips[:2]).all()
        assert (body[2:] > pips[2:]).all()


def test_a_shard_without_labels_is_not_finished(tmp_path: Path) -> None:
    (tmp_path / "shard-0001").mkdir()
    done = tmp_path / "shard-0000"
    done.mkdir()
    (done / "annotations.json").write_text("{}")
    assert list(labels.shards(tmp_path)) == [done]


@pytest.mark.skipif(not (PHOTOS / "train").is_dir(), reason="the real photographs are not here")
@pytest.mark.parametrize("name", sorted(labels.SOURCES))
def test_every_known_source_of_photographs_loads(name: str) -> None:
    pictures = labels.load(PHOTOS / "train" / name)
    assert all(picture.path.is_file() for picture in pictures)
    assert sum(len(picture.faces) for picture in pictures) > 1000
    assert set(np.concatenate([picture.faces for picture in pictures])) == set(range(1, 7))
