"""`kast bench page` asks a real server as a browser does; how long it takes is no matter here."""

from __future__ import annotations

import json

import pytest

from web import bench_page
from web.command import main

pytestmark = pytest.mark.timeout(300)


def test_a_fresh_server_gives_an_estimate_and_exact_advice_and_answers_others_while_it_solves(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench", "page", "yatzy:order=forced", "--seconds", "1", "--json"]) == 0
    first, busy = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["rules"] == "yatzy:order=forced"
    assert first["estimate"], "nothing of this game came with Kast"
    assert 0 < first["advice_s"] < first["exact_s"]
    assert busy["requests"] > 5
    for when in ("quiet", "solving"):
        assert 0 < busy[f"{when}_median_ms"] <= busy[f"{when}_p95_ms"]
    assert busy["estimate_ms"] > 0


def test_a_game_that_is_solved_too_soon_measures_nothing() -> None:
    with pytest.raises(RuntimeError, match="takes longer"):
        bench_page.while_solving("yatzy", 4)
