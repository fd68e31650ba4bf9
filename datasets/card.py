"""The card of the models: how they were made, from what, with what result. Written by the command that makes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from datasets import evaluate, kinds, labels, training
from datasets.evaluate import Score, total
from datasets.honesty import BINS, SINGLE, Answers, Honesty
from datasets.leftout import LeftOut
from recognizer.model import ClassifierSettings
from recognizer.reader import Reader

TEMPLATE = Path(__file__).with_name("card.md")
CROWD = 15  # dice a picture, on average, from which a source is told apart: no game throws so many

REAL = """The photographs show real dice on real tables. They are not part of this project; the weights were trained on
them under the licences above, which ask for the credit given above."""
NO_REAL = "No photograph served for training: these networks have seen rendered pictures only."
ON_PHOTOS = "Judged on photographs of whole sources that were never trained on:"
ON_RENDERS = "Judged on rendered pictures kept aside only; how well real photographs are read was not measured:"
LEFT_OUT = """### Whole sources left out of training

Other networks, made in the same way but without these sources, judged on them with thresholds that they had no part in:
tables, lamps and dice never seen.

"""
KINDS = """Rendered pictures, {count} of each kind, with seeds that training never uses. Dice that a person could not
judge are neither asked for nor counted. `sure` is the share of the right readings that the reader was sure of."""
NO_KINDS = "No test pictures were rendered, so nothing was measured by kind."


@dataclass(frozen=True)
class Results:
    """Everything measured. Scores by source: `judged` with the settings chosen on them, `apart` with those chosen on
    the other sources, `counter` of the classical counter, `kept` of pictures kept aside from training. Scores of test
    pictures by kind (`kinds`), by the size of a die (`sides`) and by how many there are (`numbers`). `honesty` by what
    it was measured on, the chief first."""

    judged: dict[str, Score]
    apart: dict[str, Score]
    counter: dict[str, Score]
    kept: dict[str, Score]
    kinds: dict[str, Score]
    sides: dict[str, Score]
    numbers: dict[str, Score]
    honesty: dict[str, Honesty]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def diagram(self) -> dict[str, Answers]:
        """What the reliability diagram shows."""
        name, first = next(iter(self.honesty.items()))
        shown = {f"dice, {name}": first.dice, f"readings, {name}": first.readings}
        if self.left_out:
            shown["dice, sources left out of training"] = pooled([run.honesty.dice for run in self.left_out])
        return shown


def pooled(many: Sequence[Answers]) -> Answers:
    return Answers.of(pair for one in many for pair in zip(one.confidence.tolist(), one.right.tolist(), strict=True))


def card(folder: Path, pool: training.Pool, results: Results, *, on_photos: bool, note: str = "") -> str:
    """The text of dice.md for the models and checkpoints in `folder`, trained on `pool`, with these results.
    `note`: what else there is to tell of this run."""
    settings: ClassifierSettings = Reader(folder).classifier
    real = any(name != labels.RENDERED for name in pool.sources)
    return TEMPLATE.read_text("utf-8").format(
        files="\n".join(_file(folder / f"{part}.onnx") for part in ("detector", "classifier")),
        made="\n".join(f"- {line}" for line in made(folder)),
        note=f"{note.strip()}\n\n" if note.strip() else "",
        sources="\n".join(_source(name, pool) for name in pool.sources),
        real=REAL if real else NO_REAL,
        aside=training.KEPT_ASIDE,
        judged=ON_PHOTOS if on_photos else ON_RENDERS,
        result=table(results.judged),
        die=settings.die,
        first=settings.first,
        sure=settings.sure,
        apart=table(results.apart),
        left_out="".join(_left_out(results.left_out)),
        kept=table(results.kept),
        counter=table(results.counter),
        bins=BINS,
        honesty=_honesty(results.honesty),
        reliability=_reliability(results.diagram),
        kinds_text=KINDS.format(count=_counts(results.kinds)) if results.kinds else NO_KINDS,
        kinds="\n\n".join([_kinds(results.kinds), _sides(results.sides), _numbers(results.numbers)]).strip(),
    )


def table(scores: Mapping[str, Score]) -> str:
    """A row a source, one for all, and the mean of `exact` over sources, with and without crowded ones."""
    crowded = [name for name, one in scores.items() if one.dice > CROWD * one.pictures]
    plain = {name: one for name, one in scores.items() if name not in crowded}
    lines = [evaluate.HEADER, *(f"{name:24} {one.row()}" for name, one in scores.items())]
    lines += [f"{'all':24} {total(scores.values()).row()}", f"macro exact {evaluate.macro(scores):.4f}"]
    if crowded and plain:
        lines.append(f"macro exact without {', '.join(crowded)} {evaluate.macro(plain):.4f}")
    return "\n".join(lines)


def made(folder: Path) -> list[str]:
    """How long each network of a folder was trained, from its checkpoint."""
    lines = []
    for part in ("detector", "classifier"):
        state = torch.load(folder / f"{part}.pt", weights_only=True, map_location="cpu")
        lines.append(f"{part}: {state['step']} steps in {state['used'] / 60:.0f} minutes")
    return lines


def _file(path: Path) -> str:
    data = path.read_bytes()
    return f"| {path.name} | {len(data) / 1e6:.1f} MB | `{hashlib.sha256(data).hexdigest()}` |"


def _source(name: str, pool: training.Pool) -> str:
    pictures = pool.sources[name]
    dice = sum(len(picture.faces) for picture in pictures)
    source = labels.SOURCES.get(name)
    licence, credit = (source.licence, source.credit) if source else ("MIT", "rendered by `datasets.synthesize`")
    return f"| {name} | {len(pictures)} | {dice} | {licence} | {credit} |"


def _left_out(runs: Sequence[LeftOut]) -> Iterable[str]:
    if runs:
        yield LEFT_OUT
    for run in runs:
        yield f"{'; '.join(run.made)}:\n\n```\n{table(run.scores)}\n```\n\n"


def _honesty(rows: Mapping[str, Honesty]) -> str:
    head = [
        *("measured on", "dice", "ECE of dice", "ECE of readings", "right face first or second"),
        *(f"dice of {SINGLE:g} pixels and more: found", "of those right", "sure of the right readings"),
        *("the same, with pictures of no dice", "sure and wrong"),
    ]
    return _markdown(head, [[name, *_figures(one)] for name, one in rows.items()])


def _figures(one: Honesty) -> list[str]:
    return [
        str(one.found),
        f"{one.dice.error:.4f}",
        f"{one.readings.error:.3f}",
        _share(one.second, one.found, 4),
        _share(one.large_found, one.large, 4),
        _share(one.large_right, one.large_found, 4),
        _share(one.sure, one.right),
        _share(one.sure, one.exact),
        f"{_share(one.silent, one.pictures, 4)} ({one.silent} of {one.pictures})",
    ]


def _reliability(diagram: Mapping[str, Answers]) -> str:
    rows = [
        [name, f"{one.low:.1f}–{one.high:.1f}", str(one.answers), f"{one.said:.3f}", f"{one.right:.3f}"]
        for name, answers in diagram.items()
        for one in answers.bins
    ]
    return _markdown(["", "confidence", "answers", "mean confidence", "share right"], rows)


def _kinds(scores: Mapping[str, Score]) -> str:
    if not scores:
        return ""
    head = ["kind", "", "dice", "found", "false a picture", "value", "exact", "sure", "silent"]
    return _markdown(head, [[name, kinds.TESTED[name], *_kind(one)] for name, one in scores.items()])


def _sides(scores: Mapping[str, Score]) -> str:
    rows = [
        [name, str(one.dice), _share(one.found, one.dice), _share(one.right, one.found)] for name, one in scores.items()
    ]
    return _markdown(["longer side of a die in pixels", "dice", "found", "value"], rows) if rows else ""


def _numbers(scores: Mapping[str, Score]) -> str:
    head = ["dice in the picture", "pictures", "dice", "found", "false a picture", "value", "exact", "sure", "silent"]
    return _markdown(head, [[name, str(one.pictures), *_kind(one)] for name, one in scores.items()]) if scores else ""


def _kind(one: Score) -> list[str]:
    return [
        str(one.dice),
        _share(one.found, one.dice),
        f"{one.false / one.pictures:.2f}",
        _share(one.right, one.found),
        _share(one.exact, one.pictures),
        _share(one.sure - one.silent, one.exact if one.dice else 0),  # never sure of an empty table
        _share(one.silent, one.pictures),
    ]


def _counts(scores: Mapping[str, Score]) -> str:
    counts = sorted({one.pictures for one in scores.values()})
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def _share(part: int, whole: int, digits: int = 3) -> str:
    return f"{part / whole:.{digits}f}" if whole else "–"


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
