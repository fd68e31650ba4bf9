"""What a person, or a program, gets from the command line."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from recognizer.reader import Reader
from scorekeeper import games, houserules
from web.command import main

ROOT = Path(__file__).parent.parent
Output = pytest.CaptureFixture[str]


def test_score_says_what_every_box_pays(capsys: Output) -> None:
    assert main(["score", "yatzy", "6", "6", "6", "5", "5", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["rules"] == "yatzy"
    assert answer["roll"] == [5, 5, 6, 6, 6]
    assert list(answer["boxes"]) == [box.key for box in games.find("yatzy").boxes]
    assert (answer["boxes"]["full-house"], answer["boxes"]["sixes"], answer["boxes"]["yatzy"]) == (28, 18, 0)


def test_score_plays_by_the_options_given(capsys: Output) -> None:
    assert main(["score", "yatzy", "--option", "two_pairs=four-alike", "15555", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["boxes"]["two-pairs"] == 20


def test_score_reads_dice_however_they_are_written(capsys: Output) -> None:
    answers = []
    for dice in (["1", "2", "3", "4", "5"], ["12345"], ["1-2-3-4-5"], ["1,2,3", "4,5"]):
        assert main(["score", "yatzy", *dice]) == 0
        answers.append(capsys.readouterr().out)
    assert len(set(answers)) == 1
    assert "small-straight     15" in answers[0]


@pytest.mark.parametrize("key", games.GAMES)
def test_every_game_scores_without_further_questions(key: str, capsys: Output) -> None:
    dice = "1" * games.printed(key).rules.dice
    assert main(["score", key, dice, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["boxes"]["ones"] == len(dice)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["score", "poker", "12345"], "There is no game “poker”; there are: yatzy, maxi-yatzy, superyatzy, stratzy."),
        (["score", "yatzy", "1234"], "This game is played with 5 dice, not 4."),
        (["score", "yatzy", "12347"], "A die shows 1 to 6, not “7”."),
        (["score", "yatzy", "1234x"], "A die shows 1 to 6, not “x”."),
        (["score", "yatzy", "--option", "order", "12345"], "An option is written KEY=VALUE, not “order”."),
        (
            ["score", "yatzy", "--option", "order=backwards", "12345"],
            "order cannot be “backwards”; it is one of: free, forced, upper-first.",
        ),
        (
            ["score", "yatzy", "--option", "cameron=six-alike", "12345"],
            "yatzy has no option “cameron”; it has: bonus_at, full_house, order, two_pairs.",
        ),
        (["score", "yatzy", "--option", "order=", "12345"], "order cannot be “”; it is one of: free, forced"),
        (["score", "yatzy", "--option", "bonus_at=0", "12345"], "bonus_at cannot be “0”; it is one of: usual, 1–105."),
        (["rules", "missing.toml"], "missing.toml cannot be read: No such file or directory."),
        (["rules", "--option", "order=forced"], "Options go with a game: kast rules RULES --option KEY=VALUE."),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(arguments: list[str], sentence: str, capsys: Output) -> None:
    assert main(arguments) == 1
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.out == ""
    assert main([*arguments, "--json"]) == 1
    assert sentence in json.loads(capsys.readouterr().out)["error"]


ODD_NAMES = [b"g\xc3\xb6teborg \xf0\x9f\x8e\xb2.jpg", b"two\nlines.jpg", b"no \xff letter.jpg", b"-dash.jpg"]


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_every_photo_has_its_line_whatever_it_is_called_and_whatever_a_terminal_can_write(
    tmp_path: Path, encoding: str
) -> None:
    photos = [os.fsdecode(name) for name in ODD_NAMES]
    for photo in photos:
        (tmp_path / photo).touch()
    command = [sys.executable, "-m", "web.command", "read", "--json", "--", *photos]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": f"{encoding}:strict"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    lines = [json.loads(line.decode("ascii")) for line in done.stdout.splitlines()]
    assert lines == [{"photo": photo, "error": "The file is empty."} for photo in photos]
    command.remove("--json")
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.count(b": The file is empty.") == len(photos)


def test_positions_are_read_and_answered_on_any_terminal() -> None:
    asked = ['{"id": "göteborg", "rules": "poker"}'.encode(), b'{"id": "\xff", "rules": 5}', b"\xff"]
    done = subprocess.run(
        [sys.executable, "-m", "web.command", "advise", "--json"],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "ascii:strict"},
        input=b"\n".join(asked),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, b"")
    answers = [json.loads(line.decode("ascii")) for line in done.stdout.splitlines()]
    assert [answer.get("id") for answer in answers] == ["göteborg", "\ufffd", None]
    assert all(answer["error"] for answer in answers)


def test_a_table_that_cannot_be_kept_is_said_in_words(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "file").touch()
    assert main(["solve", "yatzy", "--data", str(tmp_path / "file")]) == 1
    assert capsys.readouterr().err == f"kast: Nothing can be kept in {tmp_path}/file/tables: Not a directory.\n"


def test_a_model_that_is_missing_is_said_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    monkeypatch.setattr(Reader.__init__, "__defaults__", (tmp_path, 1))
    assert main(["read", "photo.jpg"]) == 1
    assert capsys.readouterr().err.startswith("kast: Dice cannot be read: ")


def test_rules_lists_every_game_and_option(capsys: Output) -> None:
    assert main(["rules"]) == 0
    text = capsys.readouterr().out
    assert main(["rules", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [game["key"] for game in listed] == list(games.GAMES)
    for game in listed:
        assert game["key"] in text
        for option in game["options"]:
            assert option["key"] in text
    value = next(o for game in listed if game["key"] == "stratzy" for o in game["options"] if o["key"] == "value")
    assert value["default"] is None, "what a throw is worth is asked for, never assumed"


def test_a_house_rule_copied_and_changed_as_toml_is_played(tmp_path: Path, capsys: Output) -> None:
    assert main(["rules", "yatzy"]) == 0
    text = capsys.readouterr().out
    assert houserules.from_dict(tomllib.loads(text)) == games.find("yatzy")
    house = tmp_path / "ours.toml"
    house.write_text(
        text.replace('key = "yatzy"\nname = "Yatzy"', 'key = "ours"\nname = "Ours"').replace("= 50", "= 60")
    )
    assert main(["score", str(house), "66666", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["rules"], answer["boxes"]["yatzy"]) == ("ours", 60)


def test_a_broken_house_rule_is_refused_with_the_reason(tmp_path: Path, capsys: Output) -> None:
    house = tmp_path / "ours.toml"
    house.write_text(houserules.to_toml(games.find("yatzy")).replace("dice = 5", "dice = 50"))
    assert main(["score", str(house), "12345"]) == 1
    assert "A game has 1 to 8 dice." in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["serve"],
        ["read"],
        ["score"],
        ["rules"],
        ["advise"],
        ["solve"],
        ["bench"],
        ["bench", "read"],
        ["bench", "solve"],
        ["bench", "advise"],
    ],
)
def test_help_explains_every_command_on_any_terminal(command: list[str], capsys: Output) -> None:
    with pytest.raises(SystemExit) as stop:
        main([*command, "--help"])
    assert stop.value.code == 0
    said = capsys.readouterr().out
    assert "usage: kast" in said
    assert re.search(r"^[A-Z][a-z].+\.$", said, re.M), "it begins with a sentence"
    assert said.isascii()
