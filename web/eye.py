"""`kast read`: the dice in photos, on the command line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from recognizer import pictures
from recognizer.model import ForeignModel
from recognizer.reader import Reader
from scorekeeper.refusal import Refusal, _


def reader(**settings: Any) -> Reader:
    """A reader. Refused in a sentence where its networks are missing or not ours."""
    try:
        return Reader(**settings)
    except ForeignModel as error:
        raise Refusal(_("Dice cannot be read: {reason}."), reason=error) from error


def read(args: argparse.Namespace) -> int:
    """One line a photo, in order; 1 where some could not be read."""
    failed = False
    for line in _readings(args.photos):
        failed = failed or "error" in line
        print(json.dumps(line) if args.json else _say(line), flush=True)
    return 1 if failed else 0


def _readings(photos: Sequence[str]) -> Iterator[dict[str, Any]]:
    eye = reader()
    for photo in photos:
        try:
            picture = pictures.load(Path(photo))
        except pictures.UnreadablePicture as error:
            yield {"photo": photo, "error": str(error)}
            continue
        reading = eye.read(picture.image)
        dice = [
            {
                "value": die.face,
                "box": [round(side, 1) for side in die.pixels(picture.width, picture.height)],
                "confidence": round(die.confidence, 4),
                "alternatives": [[face, round(share, 4)] for face, share in die.alternatives],
            }
            for die in reading.dice
        ]
        yield {"photo": photo, "width": picture.width, "height": picture.height, "dice": dice} | {
            "sure": reading.sure,
            "hints": list(reading.hints),
        }


def _say(line: dict[str, Any]) -> str:
    if "error" in line:
        return f"{line['photo']}: {line['error']}"
    values = " ".join(str(value) for value in sorted(die["value"] for die in line["dice"])) or "no dice"
    remarks = ", ".join([*(() if line["sure"] else ("please check",)), *line["hints"]])
    return f"{line['photo']}: {values}" + (f"  ({remarks})" if remarks else "")
