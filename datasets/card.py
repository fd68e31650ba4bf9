"""The card of the models: how they were made, from what, with what result. Written by the command that makes them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import torch

from datasets import evaluate, labels, training
from datasets.evaluate import Score
from recognizer.reader import Reader

TEXT = """# The eye of Kast

Two networks that find six-sided dice with pips in a photograph and read their top faces, made by
`python -m datasets.make` (module `datasets.networks` shows how they are built). `detector.onnx` says where dice are,
`classifier.onnx` what one shows, or that it is no die. What is needed to use them (labels, sizes, normalisation,
thresholds, version) is in their own metadata.

| file | size | SHA-256 |
|---|---|---|
{files}

## Made from

{made}

| pictures of | pictures | dice | licence | credit |
|---|---|---|---|---|
{sources}

{real} One picture in {aside} of each source was kept aside.

## Result

{judged}

```
{table}
macro exact {macro:.4f}
```

Thresholds were chosen on the same pictures: a candidate counts as a die from a score of {die:g}, a reading is sure from
a confidence of {sure:g}. A picture counts as read (`exact`) when all its dice and nothing else were found with the
right faces; `silent` are the pictures that the reader was sure of and got wrong; `false` are things taken for dice, a
picture.

## Not for

Dice with digits, symbols or letters; dice that lie on each other; faces smaller than about 15 pixels. A reading that is
not sure asks to be checked by a person.
"""

REAL = """The photographs show real dice on real tables. They are not part of this project; the weights were trained on
them under the licences above, which ask for the credit given above."""
NO_REAL = "No photograph served for training: these networks have seen rendered pictures only."


def card(folder: Path, pool: training.Pool, scores: dict[str, Score], judged_on_photos: bool) -> str:
    """The text of dice.md for the models and checkpoints in `folder`, trained on `pool`, with these results."""
    settings = Reader(folder).classifier
    names = [f"{part}.onnx" for part in ("detector", "classifier")]
    real = any(name != labels.RENDERED for name in pool.sources)
    rows = {**scores, "all": sum(scores.values(), Score())}
    return TEXT.format(
        files="\n".join(_file(folder / name) for name in names),
        made="\n".join(_training(folder / f"{part}.pt") for part in ("detector", "classifier")),
        sources="\n".join(_source(name, pool) for name in pool.sources),
        real=REAL if real else NO_REAL,
        aside=training.KEPT_ASIDE,
        judged="Judged on photographs of whole sources that were never trained on:"
        if judged_on_photos
        else "Judged on rendered pictures kept aside only; how well real photographs are read was not measured:",
        table="\n".join([evaluate.HEADER, *(f"{name:24} {score.row()}" for name, score in rows.items())]),
        macro=evaluate.macro(scores),
        die=settings.die,
        sure=settings.sure,
    )


def _file(path: Path) -> str:
    data = path.read_bytes()
    return f"| {path.name} | {len(data) / 1e6:.1f} MB | `{hashlib.sha256(data).hexdigest()}` |"


def _training(checkpoint: Path) -> str:
    state = torch.load(checkpoint, weights_only=True, map_location="cpu")
    return f"- {checkpoint.stem}: {state['step']} steps in {state['used'] / 60:.0f} minutes"


def _source(name: str, pool: training.Pool) -> str:
    pictures = pool.sources[name]
    dice = sum(len(picture.faces) for picture in pictures)
    source = labels.SOURCES.get(name)
    licence, credit = (source.licence, source.credit) if source else ("MIT", "rendered by `datasets.synthesize`")
    return f"| {name} | {len(pictures)} | {dice} | {licence} | {credit} |"
