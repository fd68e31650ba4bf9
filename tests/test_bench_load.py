"""`kast bench load` plays at several tables of a real server at once; how long an answer takes is no matter here."""

from __future__ import annotations

import json

import pytest

from web import bench_load
from web.command import main

Output = pytest.CaptureFixture[str]


def test_tables_play_and_their_other_screens_follow_without_an_error(capsys: Output) -> None:
    arguments = ["--games", "4", "--screens", "2", "--minutes", "0.15", "--pace", "0.4", "--json"]
    assert main(["bench", "load", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["errors"] == 0
    kinds = found["requests"]
    assert kinds["begin"]["n"] == 4, "none of the four rule sets stops a player"
    for kind in ("roll", "score", "seq", "page", "all"):
        assert kinds[kind]["n"] >= 4, kind
        times = [kinds[kind][figure] for figure in ("median_ms", "p95_ms", "p99_ms", "max_ms")]
        assert times == sorted(times), kind
    assert kinds["page"]["n"] > kinds["roll"]["n"] + kinds["score"]["n"] + 4, "screens follow"
    assert found["samples"][0]["s"] < found["samples"][-1]["s"]
    assert all(sample["memory_mb"] > 20 for sample in found["samples"])
    assert found["cores"] > 0


def test_what_was_measured_is_told_for_people() -> None:
    entries = [
        {"name": "seq", "num_failures": 1, "response_times": {"2": 97, "30": 2, "400": 1}},
        {"name": "page", "num_failures": 2, "response_times": {"20": 100}},
    ]
    samples = [
        {"s": s, "memory_mb": memory, "solver_mb": solver, "cpu_s": s / 2}
        for s, memory, solver in ((0.0, 100.0, 0.0), (40.0, 120.0, 7.0), (120.0, 125.0, 0.0))
    ]
    found = bench_load.summary(entries, samples, 100.0) | {"games": 2, "screens": 3, "pace_s": 5.0}
    assert found["requests"]["seq"] == {"n": 100, "median_ms": 2, "p95_ms": 2, "p99_ms": 400, "max_ms": 400}
    assert found["requests"]["all"]["median_ms"] == 20
    assert (found["errors"], found["per_second"], found["cores"]) == (3, 2, 0.5)
    assert (found["grown_mb"], found["flat"]) == (5, True)
    assert bench_load.say(found).splitlines() == [
        "2 games, 3 screens each, an act every 5 s a game, 1.7 minutes",
        "         requests   median     95 %     99 %  longest   milliseconds",
        "seq           100        2        2      400      400",
        "page          100       20       20       20       20",
        "all           200       20       20       30      400",
        "2.0 requests a second, 3 errors",
        "after      0 s the server weighs 100.0 MB",
        "after     40 s the server weighs 120.0 MB, solving 7 MB",
        "after    120 s the server weighs 125.0 MB",
        "The server used 0.5 cores. Memory after the first third: +5.0 MB, flat.",
    ]
    samples[-1]["memory_mb"] = 127
    assert not bench_load.summary(entries, samples, 100.0)["flat"]


def test_without_the_load_tool_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, capsys: Output) -> None:
    monkeypatch.setattr(bench_load, "find_spec", lambda _name: None)
    assert main(["bench", "load"]) == 1
    assert capsys.readouterr().err == ("kast: Install what plays many games at once: pip install 'kast[load]'.\n")
