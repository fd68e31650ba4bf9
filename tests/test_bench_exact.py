"""`kast bench solve` and `kast bench advise` measure what they say; how long it takes is no matter here."""

import json

import pytest

from scorekeeper import games
from scorekeeper.refusal import BadRules
from web import bench_exact

FORCED = "yatzy:order=forced,bonus_at=63"


def test_a_game_is_named_with_its_options() -> None:
    assert bench_exact.chosen(FORCED) == games.find("yatzy", order="forced", bonus_at="63")
    assert all(map(bench_exact.chosen, (*bench_exact.SOLVED, *bench_exact.ADVISED)))
    with pytest.raises(BadRules):
        bench_exact.chosen("yatzy:bonus=alga")


def test_solving_is_measured_and_right(capsys: pytest.CaptureFixture[str]) -> None:
    bench_exact.bench_solve([FORCED], as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert found["rules"] == FORCED
    assert found["expected"] == pytest.approx(122.558527, abs=1e-4)
    assert found["cpu_seconds"] > 0
    bench_exact.bench_solve([FORCED], as_json=False)
    assert capsys.readouterr().out.startswith(f"{FORCED} ")


def test_whole_games_are_played_as_advised_and_every_request_is_timed(capsys: pytest.CaptureFixture[str]) -> None:
    bench_exact.bench_advise([FORCED], rounds=2, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert 2 * 15 - 2 <= found["requests"] < 2 * 15 * 3
    assert found["solved"] == 2, "once a game"
    assert 0 < found["median_ms"] <= found["p95_ms"]
