"""Makes the models again: renders, trains, chooses thresholds, judges and writes the card.

`python -m datasets.make OUT --photos FOLDER` leaves detector.onnx, classifier.onnx and dice.md in OUT. Whatever is
there already is not done again: stop it whenever you like and start the same command to go on. FOLDER holds `train`
(sources to learn from) and, to choose thresholds and to judge, `dev` (sources that are never trained on). Without it
everything comes from rendered pictures alone.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from datasets import card, evaluate, export, labels, training
from datasets.labels import Labelled
from recognizer.reader import Reader


def main() -> None:
    options = _arguments()
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    renders: Path = options.renders or out / "renders"
    photos: Path | None = options.photos / "train" if options.photos else None
    if options.pictures:
        _run("datasets.synthesize", str(renders), "--count", str(options.pictures), "--seed", str(options.seed))
    detector, classifier = out / "detector.pt", out / "classifier.pt"
    train(detector, classifier, photos, renders, options)
    finish(out, options.photos, renders)
    print(f"Done: {out / 'detector.onnx'}, {out / 'classifier.onnx'}, {out / 'dice.md'}")


def finish(out: Path, photos: Path | None, renders: Path) -> None:
    """Exports the checkpoints in `out`, chooses thresholds, judges and writes the card."""
    export.export(out / "detector.pt", out / "classifier.pt", out)
    seen = evaluate.look(Reader(out), judges(photos, renders))
    settings = evaluate.choose(seen, Reader(out).classifier)
    export.put(out / "classifier.onnx", settings)
    pool = training.Pool(photos / "train" if photos else None, renders if renders.is_dir() else None)
    text = card.card(out, pool, evaluate.table(seen, settings), judged_on_photos=photos is not None)
    (out / "dice.md").write_text(text, encoding="utf-8")


def train(detector: Path, classifier: Path, photos: Path | None, renders: Path, options: argparse.Namespace) -> None:
    """Both trainings side by side, each with its share of the processor; each goes on from its checkpoint."""
    common = ["--renders", str(renders), "--minutes", str(options.minutes), "--seed", str(options.seed)]
    common += [
        "--cache",
        str(options.out / "decoded"),
        "--threads",
        str(options.threads),
        *(["--photos", str(photos)] if photos else []),
    ]
    running = [
        _start("datasets.train_detector", str(detector), *common),
        _start("datasets.train_classifier", str(classifier), "--detector", str(detector), *common),
    ]
    try:
        codes = [process.wait() for process in running]
    except BaseException:
        for process in running:
            process.terminate()
        raise
    if any(codes):
        sys.exit("A training stopped with an error; see above. The same command goes on from its last checkpoint.")


def judges(photos: Path | None, renders: Path) -> list[tuple[str, list[Labelled]]]:
    """What thresholds are chosen on: whole sources never trained on where there are some, else the rendered pictures
    kept aside."""
    if photos is not None and (photos / "dev").is_dir():
        return evaluate.sources(sorted(path for path in (photos / "dev").iterdir() if path.is_dir()))
    aside = [
        picture
        for shard in labels.shards(renders)
        for picture in labels.load(shard, labels.RENDERED)[:: training.KEPT_ASIDE]
    ]
    return [(labels.RENDERED, aside)]


def _run(module: str, *arguments: str) -> None:
    if _start(module, *arguments).wait():
        sys.exit(f"{module} stopped with an error; see above.")


def _start(module: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A module of this project as a process of its own, its idle threads asleep."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments], env={**os.environ, "OMP_WAIT_POLICY": "PASSIVE"}
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder for the models and everything on the way to them")
    parser.add_argument("--photos", type=Path, help="folder with train/ and dev/")
    parser.add_argument("--renders", type=Path, help="folder with rendered shards (default: OUT/renders)")
    parser.add_argument(
        "--pictures", type=int, default=6000, help="pictures to render; 0: those that are there will do"
    )
    parser.add_argument("--minutes", type=float, default=240, help="time to train (default: 240)")
    parser.add_argument("--threads", type=int, default=1, help="threads of each of the two trainings (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
