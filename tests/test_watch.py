"""`kast watch`: an event a line, and plain words where there is nothing to watch."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from tests.painted import HEIGHT, SIDE, WIDTH, PaintedEye, table
from web import watch
from web.command import main

ROLL = ((6, 100, 60), (6, 180, 80), (4, 260, 200), (2, 340, 120), (1, 420, 180))
AGAIN = (*ROLL[:2], (3, 250, 60), (5, 330, 220), (2, 420, 100))


@pytest.fixture(autouse=True)
def _eye(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "reader", PaintedEye)


@pytest.fixture
def clip(tmp_path: Path) -> str:
    """Two throws: five dice, then three of them again."""
    path = tmp_path / "turn.avi"
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (WIDTH, HEIGHT))
    for part in (ROLL, ROLL[:2], AGAIN):
        for k in range(8):
            video.write(table(*part, seed=k))
    video.release()
    return str(path)


def test_each_throw_that_came_to_rest_is_one_settled_line(clip: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", clip, "--rules", "yatzy", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    settled = [line for line in lines if line["event"] == "settled"]
    assert [line["t"] for line in settled] == [0.2, 1.8]
    assert sorted(die["value"] for die in settled[1]["dice"]) == [2, 3, 5, 6, 6]
    assert [settled[1]["dice"][k]["value"] for k in settled[1]["kept"]] == [6, 6]
    assert all(line["sure"] for line in settled)
    x, y, wide, high = next(die["box"] for die in settled[0]["dice"] if die["value"] == 4)
    assert (x, y, wide, high) == pytest.approx((260, 200, SIDE, SIDE), abs=2)


def test_any_number_of_dice_is_followed_when_none_is_named(clip: str, capsys: pytest.CaptureFixture[str]) -> None:
    for wish in ([], ["--dice", "any"]):
        assert main(["watch", clip, *wish, "--json"]) == 0
        events = [json.loads(line)["event"] for line in capsys.readouterr().out.splitlines()]
        assert [event for event in events if event != "rolling"] == ["settled", "taken", "settled"]


def test_for_people_each_event_is_a_sentence(clip: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", clip, "--dice", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "     0.2 s  settled: 1 2 4 6 6"
    assert "settled: 2 3 5 6 6  (kept 6 6)" in lines[-1]


@pytest.mark.parametrize(
    ("wish", "says"),
    [
        (["nowhere.avi"], "There is no such file or camera: nowhere.avi."),
        ([__file__], "is not a video that can be read"),
        (["{clip}", "--dice", "none"], "Say how many dice are thrown"),
        (["{clip}", "--dice", "0"], "Say how many dice are thrown"),
        (["{clip}", "--rules", "poker"], "poker"),
    ],
)
def test_what_cannot_be_watched_is_told_in_a_sentence_and_by_the_exit_status(
    clip: str, wish: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["watch", *(word.format(clip=clip) for word in wish)]) == 1
    out, err = capsys.readouterr()
    assert says in err
    assert not out
    assert "Traceback" not in err
