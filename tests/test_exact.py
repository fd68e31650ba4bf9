"""`kast advise` and `kast solve`, as another program uses them."""

import io
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from web import exact
from web.command import main

Output = pytest.CaptureFixture[str]

SCORES = dict.fromkeys(
    ("ones", "twos", "threes", "fours", "fives", "sixes", "pair", "two-pairs", "three-alike", "four-alike"), 0
) | dict.fromkeys(("small-straight", "large-straight", "full-house", "chance"), 0)
LAST_BOX = {"rules": "yatzy", "scores": SCORES}
ROLL = {"roll": [6, 6, 6, 6, 1], "rerolls_left": 1}


def advise(lines: Sequence[object], folder: Path, monkeypatch: pytest.MonkeyPatch, *flags: str) -> int:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    return main(["advise", "--data", str(folder), *flags])


def test_plays_come_best_first_with_their_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    assert advise([LAST_BOX | ROLL | {"id": "last"}], tmp_path, monkeypatch, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["id"], answer["exact"]) == ("last", True)
    assert answer["plays"][0] == {"keep": [6, 6, 6, 6], "value": pytest.approx(50 / 6, abs=1e-4)}
    assert {"score": "yatzy", "points": 0, "value": 0.0} in answer["plays"]
    values = [play["value"] for play in answer["plays"]]
    assert values == sorted(values, reverse=True)
    keeps = [tuple(play["keep"]) for play in answer["plays"] if "keep" in play]
    assert len(keeps) == len(set(keeps)) == 9, "each choice of dice once, keeping all of them left out"


def test_with_opponents_the_plays_come_by_the_chance_to_end_ahead_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    asked = LAST_BOX | ROLL | {"opponents": [49, {"scores": dict.fromkeys((*SCORES, "yatzy"), 0)}]}
    early = {"rules": "yatzy", "roll": [6, 6, 6, 6, 1], "rerolls_left": 1, "opponents": [250]}
    assert advise([asked, early, asked], tmp_path, monkeypatch, "--json") == 1
    answer, refused, _again = map(json.loads, capsys.readouterr().out.splitlines())
    assert answer["ahead"][0] == {"keep": [6, 6, 6, 6], "chance": pytest.approx(1 / 6, abs=1e-5)}
    assert {"score": "yatzy", "points": 0, "chance": 0.0} in answer["ahead"]
    assert len(answer["ahead"]) == len(answer["plays"])
    assert refused["error"].startswith("The chance to end ahead is worked out once nobody has more than 3 boxes left")
    assert "plays" not in refused
    assert advise([asked], tmp_path, monkeypatch) == 0
    assert capsys.readouterr().out.endswith("To end ahead: keep 6 6 6 6 (16.7%)\n")


def test_answers_come_in_the_order_of_the_questions_whatever_is_wrong_with_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    asked = [
        LAST_BOX | ROLL | {"id": "a"},
        "not json",
        LAST_BOX | ROLL | {"id": "b", "roll": [1, 2]},
        "",
        LAST_BOX | ROLL | {"id": "c", "rerolls_left": 0},
    ]
    assert advise(asked, tmp_path, monkeypatch, "--json") == 1
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [answer.get("id") for answer in answers] == ["a", None, "b", "c"]
    assert "This is not JSON" in answers[1]["error"]
    assert answers[2]["error"] == "This game is played with 5 dice, not 2."
    assert answers[3]["plays"] == [{"score": "yatzy", "points": 0, "value": 0.0}]


def test_a_person_reads_what_each_alternative_costs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    assert advise([LAST_BOX | ROLL], tmp_path, monkeypatch) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].strip() == "8.33  keep 6 6 6 6"
    assert lines[1].strip() == "1.39  keep 6 6 6  (costs 6.94)"


def test_a_solved_game_leaves_a_table(tmp_path: Path, capsys: Output) -> None:
    options = "--option", "order=forced", "--option", "bonus_at=63"
    assert main(["solve", "yatzy", *options, "--data", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["expected"] == pytest.approx(122.558527, abs=1e-4)
    assert Path(found["table"]).is_file()


def test_the_spread_and_the_bonus_are_said_where_they_were_asked_for(tmp_path: Path, capsys: Output) -> None:
    options = "--option", "order=forced", "--option", "bonus_at=63"
    assert main(["solve", "yatzy", *options, "--data", str(tmp_path), "--spread", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["expected"] == pytest.approx(122.558527, abs=1e-4)
    assert found["standard_deviation"] == pytest.approx(28.856966, abs=1e-4)
    assert found["bonus_chance"] == pytest.approx(0.043576, abs=1e-5)
    assert main(["solve", "yatzy", *options, "--data", str(tmp_path), "--spread"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[1] == "The standard deviation is 28.86 points; 4.36% of games bring the bonus."
    assert main(["solve", "yatzy", *options, "--data", str(tmp_path)]) == 0
    assert "deviation" not in capsys.readouterr().out


def test_solving_asks_for_what_must_be_agreed(tmp_path: Path, capsys: Output) -> None:
    assert main(["solve", "stratzy", "--data", str(tmp_path)]) == 1
    assert "stratzy is not played before value is agreed." in capsys.readouterr().err


def test_progress_says_how_long_it_still_takes() -> None:
    times, out = iter([5.0, 5.5, 7.0, 9.0]), io.StringIO()
    progress = exact.Progress("Yatzy", lambda: next(times), out)
    for share in (0.5, 0.55, 0.6, 1.0):  # it goes on from the middle
        progress(share)
    assert out.getvalue() == "\rYatzy:  60%, about 8 s left \n"
