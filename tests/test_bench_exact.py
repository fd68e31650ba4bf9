"""`kast bench solve` and `kast bench advise` measure what they say; how long it takes is no matter here."""

import json

import pytest

from scorekeeper import games, oracle
from scorekeeper.advice import Keep, Write
from scorekeeper.refusal import BadRules
from web import bench_exact
from web.command import main

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
    bench_exact.bench_solve([FORCED], as_json=True, spread=True)
    found = json.loads(capsys.readouterr().out)
    assert found["standard_deviation"] == pytest.approx(28.856966, abs=1e-4)
    bench_exact.bench_solve([FORCED], as_json=False, spread=True)
    assert capsys.readouterr().out.rstrip().endswith(" points ± 28.86, bonus 4.36%")


def test_whole_games_are_played_as_advised_and_every_request_is_timed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench_exact.bench_advise([FORCED], rounds=2, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert 2 * 15 <= found["requests"] <= 2 * 15 * 3
    assert found["solved"] == 0, "all was solved before"
    assert found["first_s"] > 0
    assert 0 < found["found_median_ms"] <= found["found_p95_ms"]
    assert 0 <= found["estimate_below_1"] <= 1
    assert found["estimate_cost"] >= 0


def test_what_must_be_solved_on_the_way_is_timed_by_itself(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oracle, "LIVE", 1e-5)
    monkeypatch.setattr(oracle, "TABLE_ROOM", 1)
    bench_exact.bench_advise([FORCED], rounds=1, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert found["solved"] >= 1
    assert 0 < found["solved_median_s"] <= found["solved_p95_s"]
    bench_exact.bench_advise([FORCED], rounds=1, as_json=False)
    assert "times solved on" in capsys.readouterr().out


def test_two_plays_are_the_same_whatever_they_are_said_to_be_worth() -> None:
    assert bench_exact.is_same(Keep((6,), 1.0), Keep((6,), 2.0))
    assert not bench_exact.is_same(Keep((6,), 1.0), Keep((5,), 1.0))
    assert not bench_exact.is_same(Keep((6,), 1.0), Write("sixes", 6, 1.0))


@pytest.mark.parametrize("as_json", [True, False])
def test_looking_back_is_timed_for_a_game_of_four(capsys: pytest.CaptureFixture[str], as_json: bool) -> None:
    main(["bench", "review", FORCED, *(["--json"] if as_json else [])])
    out = capsys.readouterr().out
    if as_json:
        found = json.loads(out)
        assert found["entries"] > 4 * 15 * 2
        assert found["again_s"] > 0
        assert found["cpu_seconds"] > 0
    else:
        assert "CPU s, again in" in out
