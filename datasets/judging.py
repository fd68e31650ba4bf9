"""From two checkpoints to models with thresholds and a card: exports, looks at all there is to judge, calibrates, and
writes what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from datasets import card, counter, diagram, evaluate, export, kinds, labels, leftout, thresholds, training
from datasets.evaluate import table
from datasets.honesty import honesty
from datasets.labels import Labelled
from datasets.leftout import LeftOut
from datasets.seen import fingerprint, look
from recognizer.model import ClassifierSettings
from recognizer.reader import Reader

WRITTEN = ("detector.onnx", "classifier.onnx", "dice.md", "reliability.svg")
PARTS = 5  # into which rendered pictures are cut where no photographs can judge

Sources = list[tuple[str, list[Labelled]]]


@dataclass(frozen=True)
class Judging:
    """What to judge, and with what. `out` holds detector.pt and classifier.pt; `tests` the test pictures of each kind;
    `leave_out` the sources not trained on, judged on at most `most` pictures each (0: all); `left_out` the files of
    other runs to show on the card."""

    out: Path
    photos: Path | None
    renders: Path
    tests: Path
    leave_out: Sequence[str] = ()
    most: int = 0
    left_out: Sequence[Path] = ()

    def finish(self) -> None:
        """Writes the models, the card and its diagram; with sources left out, also what became of them."""
        reader, cache = self._exported()
        fitting, kept, tests = (look(reader, some, cache) for some in (self.judges, self.kept, kinds.load(self.tests)))
        hard = kept.get(labels.RENDERED, [])
        settings = thresholds.choose(fitting, reader.classifier, hard)
        each = thresholds.apart(fitting, reader.classifier, hard)
        exported = self.out / "exported"
        export.put(self.out / "detector.onnx", reader.detector, exported / "detector.onnx")
        export.put(self.out / "classifier.onnx", settings, exported / "classifier.onnx")
        runs = [leftout.read(file) for file in self.left_out]
        if self.leave_out:
            runs.insert(0, self._leave_out(reader, cache, settings))
        answers = {
            "sources not trained on, each calibrated on the others": honesty(fitting, each),
            **{f"{', '.join(run.scores)}, left out of training": run.honesty for run in runs},
            "pictures kept aside": honesty(kept, settings),
            "test pictures of each kind": honesty(tests, settings),
        }
        verdicts = [evaluate.judge(one, settings) for many in tests.values() for one in many]
        results = card.Results(
            judged=table(fitting, settings),
            apart={name: table({name: fitting[name]}, one)[name] for name, one in each.items()},
            counter=counter.table(self.judges),
            kept=table(kept, settings),
            kinds=table(tests, settings),
            sides=kinds.by_side(verdicts),
            numbers=kinds.by_number(verdicts),
            honesty={name: one for name, one in answers.items() if one.pictures},
            left_out=tuple(runs),
        )
        self._write(results)

    def share(self) -> float:
        """The share of the sources that the networks have looked at."""
        exported = self.out / "exported"
        if not (exported / "classifier.onnx").exists():
            return 0.0
        looked = len([*(self.out / "seen" / fingerprint(exported)).glob("*.npz")])
        dev = len([*(self.photos / "dev").iterdir()]) if self._on_photos and self.photos else PARTS
        kept = len(labels.SOURCES) + 1 if self._on_photos else 0
        return min(1.0, looked / (dev + kept + len([*self.tests.glob("*")])))

    @property
    def judges(self) -> Sources:
        """What thresholds are chosen on: whole sources never trained on where there are some, else the rendered
        pictures kept aside, in parts that can judge each other."""
        if self._on_photos and self.photos:
            return evaluate.sources(sorted(path for path in (self.photos / "dev").iterdir() if path.is_dir()))
        aside = self._rendered
        return [(f"{labels.RENDERED} {part + 1}", aside[part::PARTS]) for part in range(PARTS) if aside[part::PARTS]]

    @property
    def kept(self) -> Sources:
        """The pictures kept aside from training, where they are not what thresholds are chosen on."""
        if not self._on_photos or self.photos is None:
            return []
        folders = [self.photos / "train" / name for name in labels.SOURCES if name not in self.leave_out]
        aside = [(folder.name, labels.load(folder)[:: training.KEPT_ASIDE]) for folder in folders if folder.is_dir()]
        return [*aside, *([(labels.RENDERED, self._rendered)] if self._rendered else [])]

    @property
    def _on_photos(self) -> bool:
        return self.photos is not None and (self.photos / "dev").is_dir()

    @property
    def _rendered(self) -> list[Labelled]:
        shards = [labels.load(shard, labels.RENDERED) for shard in labels.shards(self.renders)]
        return [picture for shard in shards for picture in shard[:: training.KEPT_ASIDE]]

    def _exported(self) -> tuple[Reader, Path]:
        """The networks as they left training, and where to keep what they see."""
        folder, parts = self.out / "exported", ("detector", "classifier")
        files = [(self.out / f"{part}.pt", folder / f"{part}.onnx") for part in parts]
        if not all(onnx.exists() and onnx.stat().st_mtime > trained.stat().st_mtime for trained, onnx in files):
            export.export(files[0][0], files[1][0], folder)
        return Reader(folder), self.out / "seen" / fingerprint(folder)

    def _leave_out(self, reader: Reader, cache: Path, settings: ClassifierSettings) -> LeftOut:
        if self.photos is None:
            raise ValueError("sources can be left out of photographs only")
        seen = look(reader, leftout.sources(self.photos / "train", self.leave_out, self.most), cache)
        without = f"trained without {', '.join(self.leave_out)}"
        result = LeftOut((without, *card.made(self.out)), table(seen, settings), honesty(seen, settings))
        leftout.write(self.out / leftout.FILE, result)
        return result

    def _write(self, results: card.Results) -> None:
        photos = self.photos / "train" if self.photos else None
        pool = training.Pool(photos, self.renders if self.renders.is_dir() else None, self.leave_out)
        note = self.out / "note.md"
        text = card.card(
            self.out,
            pool,
            results,
            on_photos=self._on_photos,
            note=note.read_text("utf-8") if note.exists() else "",
        )
        (self.out / "dice.md").write_text(text, "utf-8")
        (self.out / "reliability.svg").write_text(diagram.reliability(results.diagram), "utf-8")
