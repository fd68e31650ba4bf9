"""Whatever is typed after `kast`, the answer is a plain sentence and a status of 0, 1 or 2, never a traceback.

The lines are drawn from the declarations of the commands themselves, so that a new command or option is met, too.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recognizer.frames import CameraLost
from recognizer.reader import Reading
from scorekeeper import archive, games, houserules
from tests.test_desk import picture
from web.command import _parser, main
from web.security import write_private

HOSTILE = (
    *("", " ", "-", "--", "-1", "0", "1", "7", "1e9", "NaN", "999999999999999999999999", "٣", "²", "any", "=", "a=b"),
    *(
        "order=forced",
        "order=",
        "=forced",
        "order=" + "x" * 5000,
        "yatzy",
        "maxi-yatzy",
        "YATZY",
        "maxi-yatzy:bonus=no",
    ),
    *("66655", "6", "1 2 3", "{0}", "{path}", "%s", "%(default)s", "\n", "\t", "é", "\U0001f3b2", "\udcff", "Ж" * 300),
    *(
        "../../etc/passwd",
        "/dev/null",
        "/proc/self/mem",
        "/",
        "a" * 5000,
        "C:\\con",
        "file:x",
        "rtsp://",
        "http://[::1",
    ),
)
Commands = list[tuple[tuple[str, ...], argparse.ArgumentParser]]


def commands(
    parser: argparse.ArgumentParser, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Every command, and what it takes."""
    below = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    if not below:
        yield path, parser
    for action in below:
        for name, command in action.choices.items():
            yield from commands(command, (*path, name))


COMMANDS: Commands = list(commands(_parser()))


def words(action: argparse.Action, value: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    """What may stand on the line for this argument: it, too little of it, or too much."""
    name = list(action.option_strings[:1])
    if action.nargs == 0:
        return st.just(name)
    few = st.lists(value, min_size=1, max_size=6 if action.nargs in ("+", "*") else 1)
    return few.map(lambda values: [*name, *values])


@st.composite
def lines(draw: st.DrawFn, files: list[str]) -> list[str]:
    """A line that somebody may type."""
    path, parser = draw(st.sampled_from(COMMANDS))
    value = st.one_of(
        st.sampled_from(files), st.sampled_from(HOSTILE), st.text(st.characters(exclude_characters="\0"), max_size=20)
    )
    line = list(path)
    for action in parser._actions:
        usual = not action.option_strings or draw(st.booleans())
        if usual and not isinstance(action, argparse._HelpAction) and draw(st.integers(0, 9)):
            line += draw(words(action, value))
    return line + draw(st.lists(value, max_size=1))


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files and folders of every kind that a command takes, whole and damaged, and some that are not there."""
    monkeypatch.chdir(tmp_path)
    contents = {
        "whole.png": picture(),
        "cut.png": picture()[:60],
        "none.jpg": b"",
        "rules.toml": houserules.to_toml(games.find("yatzy")).encode(),
        "bad.toml": b"[[boxes]]\nkey = 1",
        "noise": bytes(range(256)) * 40,
        "games.json": archive.pack({}).encode(),
        "bad.json": b'{"format": "Kast games", "version": 1, "sha256": 3, "games": [[]]}',
        "deep.json": b"[" * 100_000,
        "data/kast.sqlite3": b"noise" * 2000,
        "a video.mp4": b"\0\0\0\x18ftypmp42" + bytes(200),
    }
    for name, content in contents.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    return [*(str(tmp_path / name) for name in contents), str(tmp_path), str(tmp_path / "data"), str(tmp_path / "new")]


class NoDice:
    """A reader that sees none, without the time that networks take."""

    version = 0

    def read(self, _image: object) -> Reading:
        return Reading((), True, ())


LONG = (
    *("web.serve.serve", "web.exact.solve", "web.doctor.run", "web.bench.run"),
    *(f"web.bench_{what}.run" for what in ("exact", "page", "live", "load", "review")),
)


def no_camera(name: str) -> Iterator[object]:
    if name:
        raise CameraLost("There is no camera {name}.", name=name)
    yield name


def answer(line: list[str], typed: bytes = b"") -> tuple[int, str, str]:
    """The status of a command, and what it printed on both streams. What takes long, once it is understood, is left
    out: to serve, to solve, to measure, and to wait for a camera."""
    said, wrong = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    wrong.reconfigure(errors="backslashreplace")
    with ExitStack() as instead, redirect_stdout(said), redirect_stderr(wrong):
        for name in LONG:
            instead.enter_context(mock.patch(name, return_value=0))
        instead.enter_context(mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(typed))))
        instead.enter_context(mock.patch("web.eye.Reader", NoDice))
        instead.enter_context(mock.patch("web.watch._live", no_camera))
        try:
            status = main(line)
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 99
    for stream in (said, wrong):
        stream.flush()
    printed = [stream.buffer.getvalue().decode("utf-8", "surrogateescape") for stream in (said, wrong)]
    return status, printed[0], printed[1]


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data(), st.one_of(st.binary(max_size=60), st.sampled_from([b"{}", b'{"rules": "yatzy"}', b"[" * 9999])))
def test_any_line_is_answered_in_words(files: list[str], data: st.DataObject, typed: bytes) -> None:
    line = data.draw(lines(files))
    status, said, wrong = answer(line, typed)
    assert status in (0, 1, 2)
    assert "Traceback" not in said + wrong
    if status:
        assert (said + wrong).strip(), "it says why"


def test_a_file_that_cannot_be_put_in_its_place_leaves_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "inside").touch()
    with pytest.raises(OSError):
        write_private(tmp_path / "taken", b"games")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]


def test_every_command_is_among_the_lines() -> None:
    assert {path[0] for path, _parser in COMMANDS} >= {"serve", "doctor", "read", "watch", "score", "rules", "solve"}
    assert len(COMMANDS) > 12


def test_a_real_process_answers_bytes_that_are_no_letters_in_words(tmp_path: Path) -> None:
    command: list[str | bytes] = [
        sys.executable,
        "-m",
        "web.command",
        "score",
        b"yatzy\xff\xfe",
        "6",
        "--option",
        b"\xff=\xfe",
    ]
    done = subprocess.run(command, capture_output=True, cwd=Path(__file__).parents[1], check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(b"kast: ")
    assert done.stderr.count(b"\n") == 1
