"""One command makes the models again. Only where the tools for training are installed (dependency group "train")."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recognizer.pictures import load
from recognizer.reader import Reader

pytest.importorskip("torch")
PICTURES = Path(__file__).parent / "pictures"


def source(folder: Path, pictures: int = 8) -> Path:
    """A folder of labelled pictures."""
    (folder / "images").mkdir(parents=True)
    images, annotations = [], []
    for number in range(pictures):
        shutil.copy(PICTURES / "pawns.jpg", folder / "images" / f"{number}.jpg")
        images.append({"id": number, "file_name": f"{number}.jpg", "width": 512, "height": 512})
        annotations += [
            {"image_id": number, "bbox": bbox, "category_id": face}
            for face, bbox in ((1, [110, 256, 122, 126]), (3, [186, 146, 126, 124]), (5, [86, 44, 132, 132]))
        ]
    (folder / "annotations.json").write_text(json.dumps({"images": images, "annotations": annotations}))
    return folder


def make(out: Path, *arguments: object) -> str:
    command = [sys.executable, "-m", "datasets.make", out, "--pictures", 0, "--of-each-kind", 0, *arguments]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.timeout(600)  # several processes start up with torch; on a busy machine that takes its time
def test_one_command_trains_exports_judges_and_writes_the_card_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    out, renders, photos = tmp_path / "models", tmp_path / "renders", tmp_path / "photos"
    source(renders / "shard-0000")
    said = make(out, "--renders", renders, "--minutes", 0.03)
    assert "[1/2] training; about 1 min left in all" in said
    assert "Done" in said
    assert Reader(out).read(load(PICTURES / "pawns.jpg").image).hints is not None
    card = (out / "dice.md").read_text("utf-8")
    assert "No photograph served for training" in card
    assert "how well real photographs are read was not measured" in card
    assert re.search(r"detector: \d+ steps in 0 minutes", card)
    assert (out / "reliability.svg").read_text("utf-8").startswith("<svg")

    before = (out / "detector.pt").stat().st_mtime_ns
    for name in ("train/matteop65", "train/nell_byler", "dev/table", "dev/other"):
        source(photos / name, 3)
    (out / "note.md").write_text("A cat walked over the keyboard twice.")
    without = ["--renders", renders, "--minutes", 0.03, "--photos", photos, "--leave-out", "nell_byler"]
    make(out, *without, "--at-most", 2)
    assert (out / "detector.pt").stat().st_mtime_ns == before, "what was trained already is not trained again"
    result = json.loads((out / "left-out.json").read_text("utf-8"))
    assert [(name, one["pictures"]) for name, one in result["scores"].items()] == [("nell_byler", 2)]
    card = (out / "dice.md").read_text("utf-8")
    assert "A cat walked over the keyboard twice." in card
    assert "trained without nell_byler" in card
    assert "| matteop65 | 2 |" in card, "of three pictures one is kept aside"
    assert "| nell_byler |" not in card

    main = tmp_path / "main"
    main.mkdir()
    for part in ("detector.pt", "classifier.pt"):
        shutil.copy(out / part, main)
    make(main, "--renders", renders, "--minutes", 0, "--photos", photos, "--left-out", out / "left-out.json")
    card = (main / "dice.md").read_text("utf-8")
    assert "| nell_byler | 2 |" in card
    assert "trained without nell_byler" in card


def test_pictures_decoded_once_are_not_held_open_however_many_there_are(tmp_path: Path) -> None:
    from datasets.training import Pool

    source(tmp_path / "renders" / "shard-0000", 30)
    pool = Pool(None, tmp_path / "renders", cache=tmp_path)
    before = len(list(Path("/dev/fd").iterdir()))
    images = [pool.image(picture) for picture in pool.sources["rendered"]]
    assert len({id(image) for image in images}) > 20
    del images
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_a_source_that_is_not_there_cannot_be_left_out(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "datasets.make", str(tmp_path), "--photos", str(tmp_path), "--leave-out", "mars"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "has no source mars" in done.stderr
