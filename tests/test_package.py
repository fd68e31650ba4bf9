"""`pip install .` alone gives a working kast."""

import json
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "web" / "static" / "examples"


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.timeout(900)
def test_the_wheel_reads_a_picture_in_an_empty_environment(tmp_path: Path) -> None:
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, ROOT, cwd=tmp_path)  # by way of an sdist
    (wheel,) = tmp_path.glob("kast-*.whl")
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)

    example = json.loads((EXAMPLES / "examples.json").read_text())[0]
    photo = EXAMPLES / example["file"]
    line = json.loads(run(python.with_name("kast"), "read", photo, "--json", cwd=tmp_path))
    assert sorted(die["value"] for die in line["dice"]) == sorted(example["values"])

    measured = json.loads(run(python.with_name("kast"), "bench", "read", "--rounds", "1", "--json", cwd=tmp_path))
    assert [each["threads"] for each in measured["runs"]] == [1, 2]

    modules = "torch", "onnx", "moderngl", "pytest", "hypothesis", "playwright", "datasets", "tests"
    found = run(
        python,
        "-c",
        f"import importlib.util as u; print([m for m in {modules} if u.find_spec(m)])",
        cwd=tmp_path,
    )
    assert found.strip() == "[]", "a player needs no tools for testing or training"
