"""`kast bench live` shows a real server pictures as the page does; how long it takes is no matter here."""

from __future__ import annotations

import json

import pytest

from web import bench_live
from web.command import main


def test_pictures_of_dice_on_the_move_and_at_rest_are_answered(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "live", "--frames", "3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["width"], found["height"], found["frames"]) == (1280, 720, 3)
    for what in ("moving", "still"):
        assert 0 < found[f"{what}_median_ms"] <= found[f"{what}_p95_ms"]


def test_pictures_in_which_not_all_dice_are_seen_measure_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_live, "NAME", "frame-6.jpg")
    with pytest.raises(RuntimeError, match="0 dice were seen, not 5"):
        bench_live.measure(1)
