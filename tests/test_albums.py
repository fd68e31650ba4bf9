"""Pictures of rolls move with their games, on the command line; of a file that is not right nothing is taken."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from scorekeeper.events import Begun, Rolled
from scorekeeper.log import SqliteLog
from tests.conftest import FIVE
from tests.test_archive import ID
from tests.test_solve import SMALL
from web.command import main
from web.pictures import Pictures
from web.storage import DATABASE, FILE

GREY = np.full((60, 80, 3), 120, np.uint8)
Output = pytest.CaptureFixture[str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a game in which a picture was taken, and a picture that waits."""
    monkeypatch.delenv(DATABASE, raising=False)
    pictures = Pictures(tmp_path / "home" / "pictures")
    name = pictures.add(GREY, FIVE)
    pictures.accept(name)
    pictures.add(GREY, FIVE)
    with closing(SqliteLog(tmp_path / "home" / FILE)) as log:
        log.append(ID, 0, "r0", Begun(SMALL, ("Anna",)))
        log.append(ID, 1, "r1", Rolled((1, 6), 1, source="photo", picture=name))
    return tmp_path / "home"


def kept(folder: Path) -> dict[str, tuple[bytes, int]]:
    """The pictures that count: what is in each file, and the even second it was written in."""
    files = sorted((folder / "pictures").glob("*.*"))
    return {path.name: (path.read_bytes(), int(path.stat().st_mtime) // 2) for path in files}


def export(home: Path) -> list[str]:
    """Both files of this folder, as arguments."""
    files = [str(home.parent / "games.json"), "--pictures", str(home.parent / "pictures.zip")]
    assert main(["export", *files, "--data", str(home)]) == 0
    return files


def test_the_pictures_of_rolls_come_along_with_their_time_and_what_was_read(home: Path, capsys: Output) -> None:
    files, there = export(home), home.parent / "there"
    assert "1 picture written to" in capsys.readouterr().out
    assert stat.S_IMODE((home.parent / "pictures.zip").stat().st_mode) == 0o600
    assert main(["import", *files, "--data", str(there)]) == 0
    assert "1 picture came into" in capsys.readouterr().out
    assert len(kept(home)) == 2
    assert kept(there) == kept(home)
    (name, _end) = next(iter(kept(there))).split(".")
    assert Pictures(there / "pictures").shot(name).reading == FIVE
    assert main(["import", *files, "--data", str(there)]) == 0
    assert "0 pictures came into" in capsys.readouterr().out


def test_without_the_pictures_the_games_come_alone(home: Path) -> None:
    there = home.parent / "there"
    assert main(["import", export(home)[0], "--data", str(there)]) == 0
    assert not list((there / "pictures").glob("*"))


def jpeg(width: int, height: int) -> bytes:
    return cv2.imencode(".jpg", np.full((height, width, 3), 120, np.uint8))[1].tobytes()


Parts = dict[str, bytes]
CHANGES: dict[str, Callable[[Parts, str], object]] = {
    "another folder": lambda parts, name: parts.update({f"../{name}.jpg": parts[f"{name}.jpg"]}),
    "from the root": lambda parts, name: parts.update({f"/tmp/{name}.json": b"{}"}),
    "a picture that no game names": lambda parts, name: parts.update(
        {f"{'a' * 20}.{end}": parts[f"{name}.{end}"] for end in ("jpg", "json")}
    ),
    "another kind of file": lambda parts, name: parts.update({f"{name}.html": b"<script>"}),
    "no picture": lambda parts, name: parts.update({f"{name}.jpg": b"<script>"}),
    "a picture of another kind": lambda parts, name: parts.update(
        {f"{name}.jpg": cv2.imencode(".png", GREY)[1].tobytes()}
    ),
    "half a picture": lambda parts, name: parts.update({f"{name}.jpg": parts[f"{name}.jpg"][:300]}),
    "a picture of another size": lambda parts, name: parts.update({f"{name}.jpg": jpeg(81, 60)}),
    "a large picture": lambda parts, name: parts.update(
        {f"{name}.jpg": jpeg(1700, 60), f"{name}.json": parts[f"{name}.json"].replace(b": 80,", b": 1700,")}
    ),
    "a large file": lambda parts, name: parts.update({f"{name}.jpg": parts[f"{name}.jpg"] + bytes(5_000_000)}),
    "nothing that was read": lambda parts, name: parts.pop(f"{name}.json"),
    "nonsense that was read": lambda parts, name: parts.update({f"{name}.json": b"[[]]"}),
    "a die that cannot be": lambda parts, name: parts.update(
        {f"{name}.json": parts[f"{name}.json"].replace(b'"face": 2', b'"face": 7')}
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_of_a_file_that_is_not_right_nothing_is_taken_nor_of_its_games(home: Path, change: str, capsys: Output) -> None:
    files, there = export(home), home.parent / "there"
    album = home.parent / "pictures.zip"
    with zipfile.ZipFile(album) as packed:
        parts = {part: packed.read(part) for part in packed.namelist()}
    CHANGES[change](parts, next(iter(parts)).split(".")[0])
    with zipfile.ZipFile(album, "w") as packed:
        for part, data in parts.items():
            packed.writestr(part, data)
    before = sorted(home.parent.rglob("*"))
    assert main(["import", *files, "--data", str(there)]) == 1
    assert "holds other things than pictures of these games, or it is damaged." in capsys.readouterr().err
    assert sorted(home.parent.rglob("*")) == before, "nothing is written anywhere"


@pytest.mark.parametrize(
    "damage", [lambda data: data[:100], lambda _data: b"no ZIP", lambda data: data[:50] + b"xx" + data[52:]]
)
def test_a_damaged_file_is_refused(home: Path, damage: Callable[[bytes], bytes], capsys: Output) -> None:
    files, album = export(home), home.parent / "pictures.zip"
    album.write_bytes(damage(album.read_bytes()))
    assert main(["import", *files, "--data", str(home.parent / "there")]) == 1
    assert "or it is damaged." in capsys.readouterr().err
    assert not (home.parent / "there").exists()


def test_a_file_that_is_not_there_or_cannot_be_written_is_said_in_words(home: Path, capsys: Output) -> None:
    games = export(home)[0]
    nowhere = ["--pictures", str(home / "nowhere" / "pictures.zip"), "--data", str(home)]
    assert main(["export", games, *nowhere]) == 1
    assert "pictures.zip cannot be written" in capsys.readouterr().err
    assert main(["import", games, *nowhere]) == 1
    assert "pictures.zip cannot be read" in capsys.readouterr().err
