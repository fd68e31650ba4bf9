"""What the README promises is so."""

import json
import re
import shlex
from pathlib import Path

import pytest

from scorekeeper import games, houserules, options, position
from web.command import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_rule_set_that_it_adds_can_be_played() -> None:
    (declaration,) = blocks("python")
    names = dict(vars(games))
    exec(declaration, names)
    added: options.Printed = names["MINI_YATZY"]
    playing = added.with_options({"order": "forced"})
    assert (playing.bonus.at, len(playing.boxes)) == (42, 9)
    assert houserules.from_toml(houserules.to_toml(playing)) == playing


def test_its_command_lines_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [line.split("#")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    tried = 0
    for line in lines:
        command, _, target = line.partition(" > ")
        words = shlex.split(command)
        if words[:1] == ["kast"] and words[1] in ("score", "rules"):
            assert main(words[1:]) == 0, line
            said = capsys.readouterr().out
            if target:
                Path(target).write_text(said, encoding="utf-8")
            tried += 1
    assert tried >= 6


def test_its_position_can_be_advised_on() -> None:
    (text,) = blocks("json")
    there = position.read(json.loads(text))
    assert (there.sheet.points("pair"), there.left) == (12, 2)


def test_what_it_links_to_is_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]
    assert links
    for link in links:
        assert (ROOT / link).exists(), link
