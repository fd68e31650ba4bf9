"""One command makes the models again. Only where the tools for training are installed (dependency group "train")."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recognizer.pictures import load
from recognizer.reader import Reader

pytest.importorskip("torch")
PICTURES = Path(__file__).parent / "pictures"


@pytest.fixture
def renders(tmp_path: Path) -> Path:
    """A folder with one small shard of rendered pictures."""
    shard = tmp_path / "renders" / "shard-0000"
    (shard / "images").mkdir(parents=True)
    images, annotations = [], []
    for number in range(8):
        shutil.copy(PICTURES / "pawns.jpg", shard / "images" / f"{number}.jpg")
        images.append({"id": number, "file_name": f"{number}.jpg", "width": 512, "height": 512})
        annotations += [
            {"image_id": number, "bbox": bbox, "category_id": face}
            for face, bbox in ((1, [110, 256, 122, 126]), (3, [186, 146, 126, 124]), (5, [86, 44, 132, 132]))
        ]
    (shard / "annotations.json").write_text(json.dumps({"images": images, "annotations": annotations}))
    return shard.parent


def make(out: Path, renders: Path, minutes: float) -> str:
    command: list[object] = [sys.executable, "-m", "datasets.make", out, "--renders", renders, "--pictures", 0]
    command += ["--minutes", minutes]
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.timeout(600)  # four processes start up with torch; on a busy machine that takes its time
def test_one_command_trains_exports_judges_and_writes_the_card_and_goes_on_where_it_stopped(
    tmp_path: Path, renders: Path
) -> None:
    out = tmp_path / "models"
    assert "Done" in make(out, renders, 0.03)
    assert Reader(out).read(load(PICTURES / "pawns.jpg").image).hints is not None
    card = (out / "dice.md").read_text(encoding="utf-8")
    assert "No photograph served for training" in card
    assert "how well real photographs are read was not measured" in card
    before = (out / "detector.pt").stat().st_mtime_ns
    make(out, renders, 0.03)
    assert (out / "detector.pt").stat().st_mtime_ns == before, "what was trained already is not trained again"
