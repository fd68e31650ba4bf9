"""`kast bench read`: what it counts, and what it prints. How long things take is no matter of these tests."""

import io
import json
from collections.abc import Callable

import numpy as np
import pytest

from recognizer.pictures import load
from recognizer.reader import STAGES, Lap, Reader
from web import bench
from web.bench import FRAMES, Image
from web.command import main

Output = pytest.CaptureFixture[str]
FRAME = np.zeros((8, 8, 3), np.uint8)


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def slow(clock: Clock, seconds: Callable[[int], float]) -> bench.Read:
    """A reading whose detector takes as long as is said of the how manieth it is, and whose decoding takes a tenth in
    two steps."""
    readings = iter(range(1000))

    def read(image: Image, lap: Lap) -> None:
        clock.now += seconds(next(readings))
        lap("detect")
        for _ in range(2):
            clock.now += 0.05
            lap("decode")

    return read


def test_stages_are_added_up_and_the_median_reading_is_told() -> None:
    clock = Clock()
    found = bench.measure(slow(clock, [9.0, 9.0, 0.3, 0.5, 0.1].__getitem__), [FRAME], 3, clock)
    assert found["ms"] == 400
    assert (found["stages"]["detect"]["ms"], found["stages"]["decode"]["ms"], found["stages"]["crop"]["ms"]) == (
        300,
        100,
        0,
    )
    shares = {stage: entry["share"] for stage, entry in found["stages"].items()}
    assert shares == dict.fromkeys(STAGES, 0.0) | {"detect": 0.75, "decode": 0.25}


def test_every_round_reads_every_frame_and_the_first_rounds_do_not_count() -> None:
    seen: list[int] = []
    done: list[tuple[int, int]] = []
    frames = [np.full((8, 8, 3), number, np.uint8) for number in range(3)]

    def read(image: Image, lap: Lap) -> None:
        seen.append(int(image[0, 0, 0]))
        lap("detect")

    ticks = iter(range(1000))
    bench.measure(read, frames, 4, lambda: float(next(ticks)), lambda now, of: done.append((now, of)))
    assert seen == [0, 1, 2] * (4 + bench.WARM_UP)
    assert done[-1] == (6, 6)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_only() -> None:
    for out, expected in ((Terminal(), "\r2 threads: round 1 of 2\r2 threads: round 2 of 2\n"), (io.StringIO(), "")):
        progress = bench.Progress("2 threads", out)
        progress(1, 2)
        progress(2, 2)
        assert out.getvalue() == expected


def test_the_frames_that_come_with_kast_are_those_of_a_camera_and_are_read_right() -> None:
    listed = json.loads((FRAMES / "stills.json").read_text("utf-8"))
    assert sorted(path.name for path in FRAMES.glob("*.jpg")) == [entry["file"] for entry in listed]
    assert 5 <= len(listed) <= 8
    assert sum((FRAMES / entry["file"]).stat().st_size for entry in listed) < 700_000
    reader = Reader()
    for entry in listed:
        image = load(FRAMES / entry["file"]).image
        assert image.shape == (720, 1280, 3)
        assert list(reader.read(image).faces) == entry["values"], entry["file"]


def test_a_reading_tells_of_every_stage_in_order() -> None:
    told: list[str] = []
    Reader().read(load(FRAMES / "frame-1.jpg").image, told.append)
    assert list(dict.fromkeys(told)) == list(STAGES)


def test_it_says_for_programs_and_for_people_what_was_measured(capsys: Output) -> None:
    assert main(["bench", "read", "--rounds", "1", "--threads", "1", "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    found = json.loads(said.out)
    assert (found["width"], found["height"], found["rounds"], found["model"]) == (1280, 720, 1, Reader().version)
    (run,) = found["runs"]
    assert run["threads"] == 1
    assert sum(stage["share"] for stage in run["stages"].values()) == pytest.approx(1, abs=0.001)
    assert 0 < found["models_mb"] <= 8
    assert found["memory_mb"] > found["models_mb"]
    text = bench.say(found)
    for word in (*STAGES, "threads: 1", "whole", "models", "memory", found["model"]):
        assert word in text


@pytest.mark.parametrize("arguments", [["--threads", "0"], ["--threads", "many"], ["--rounds", "-1"], ["write"]])
def test_what_cannot_be_measured_is_wrong_usage(arguments: list[str], capsys: Output) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["bench", "read", *arguments])
    assert stop.value.code == 2
    assert "usage: kast" in capsys.readouterr().err
