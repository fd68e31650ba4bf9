"""Clips of turns: the truth beside them is true, and the models that ship with Kast follow one."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.clips import __main__ as clips
from datasets.clips.camera import is_legible
from datasets.clips.director import FPS, Director
from datasets.clips.disturb import NO_THROWS
from datasets.clips.stage import Stage
from datasets.clips.turn import rules_of
from recognizer.frames import play
from recognizer.reader import Reader
from web.watch import follow

SIZE = (640, 360)


@pytest.fixture(scope="module")
def director() -> Director:
    """Two throws on a legible table: five dice, then three of them again."""
    for attempt in range(20):
        rng = np.random.default_rng([5, attempt])
        stage = Stage.of(rng, 5, SIZE)
        if is_legible(stage, stage.dice, clips.studio(), np.random.default_rng(1)):
            break
    d = Director(stage, rng)
    d.hold(0.3)
    d.throw(range(5), [])
    d.hold(0.4)
    d.take([2, 3, 4])
    d.leave()
    d.throw([2, 3, 4], [0, 1])
    d.hold(0.4)
    return d


def test_the_dice_of_a_throw_lie_in_the_picture_and_the_kept_ones_have_not_changed(director: Director) -> None:
    first, second = director.truth
    assert [len(throw["dice"]) for throw in director.truth] == [5, 5]
    assert (first["kept"], second["kept"]) == ([], [0, 1])
    assert [second["dice"][k] for k in (0, 1)] == [first["dice"][k] for k in (0, 1)]
    assert 0 < first["at"] < second["at"] < len(director.shots) / FPS
    for die in first["dice"]:
        x, y, wide, high = die["box"]
        assert die["value"] in range(1, 7)
        assert 0 < x < x + wide < SIZE[0]
        assert 0 < y < y + high < SIZE[1]


def test_the_models_that_ship_with_kast_follow_the_clip_of_a_turn(director: Director, tmp_path: Path) -> None:
    path = tmp_path / "turn.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, SIZE)
    for frame in clips.frames(director, director.stage, 5):
        video.write(frame)
    video.release()
    rolls = [line for line in follow(play(path), 5, Reader()) if line["event"] == "settled"]
    assert len(rolls) == 2
    for roll, throw in zip(rolls, director.truth, strict=True):
        assert -0.15 < roll["t"] - throw["at"] <= 0.4
        assert sorted(die["value"] for die in roll["dice"]) == sorted(die["value"] for die in throw["dice"])
        assert len(roll["kept"]) == len(throw["kept"])


def test_every_table_of_a_clip_is_one_that_a_person_could_read(director: Director) -> None:
    stage = director.stage
    assert [[die.values[die.top] for die in dice] for dice in director.tables] == [
        [die["value"] for die in throw["dice"]] for throw in director.truth
    ]
    hidden = (stage.dice[0], *stage.dice[:-1])  # two in one place
    assert not is_legible(stage, hidden, clips.studio(), np.random.default_rng(1))


def test_what_lies_as_far_from_the_palm_as_a_hand_reaches_is_not_under_it(director: Director) -> None:
    stage = director.stage
    palm, _forearm, *fingers, _arm = stage.hand
    middle = stage.pixel(palm)
    tips = [np.linalg.norm(stage.scene.camera.project(part.outline()) - middle, axis=1).max() for part in fingers]
    assert 0.05 * SIZE[0] < max(tips) < stage.reach < 0.6 * SIZE[0]


@pytest.mark.parametrize("name", list(NO_THROWS))
def test_what_is_no_throw_leaves_every_die_with_its_face(name: str) -> None:
    rng = np.random.default_rng(3)
    d = Director(Stage.of(rng, 5, SIZE), rng)
    d.throw(range(5), [])
    before, shots = [d.value(k) for k in range(5)], len(d.shots)
    NO_THROWS[name](d)
    assert [d.value(k) for k in range(5)] == before
    assert len(d.shots) > shots
    assert len(d.truth) == 1


def test_the_seeds_of_the_measured_turns_are_listed_for_all_games() -> None:
    listed = (Path(clips.__file__).parent / "measured.txt").read_text("utf-8").splitlines()
    seeds = [int(line) for line in listed if not line.startswith("#")]
    assert len(set(seeds)) == len(seeds) >= 300
    assert {rules_of(seed).key for seed in seeds} == {"yatzy", "maxi-yatzy", "superyatzy", "stratzy"}
