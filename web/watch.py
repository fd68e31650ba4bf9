"""`kast watch`: what happens to the dice in a video, or before a camera, an event a line."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from recognizer import events, frames
from recognizer.frames import CameraLost, Frame
from recognizer.pictures import UnreadablePicture
from recognizer.pipeline import Eye, Follower
from scorekeeper.refusal import Refusal
from web.eye import reader

WORDS = {
    events.SETTLED: "settled",
    events.ROLLING: "rolling",
    events.MOVED: "moved, no throw",
    events.TAKEN: "taken away, left",
    events.PLACED: "changed without a throw",
    events.CONTRADICTION: "one reads differently",
    events.COUNT: "not the dice expected",
}


def watch(args: argparse.Namespace, dice: int | None) -> int:
    """Prints what happens until the video ends, or for as long as the camera is watched."""
    try:
        for line in follow(source(args.source), dice, reader()):
            print(json.dumps(line) if args.json else _say(line), flush=True)
    except (CameraLost, UnreadablePicture) as error:
        raise Refusal(error.template, **error.values) from error
    return 0


def source(name: str) -> Iterator[Frame]:
    """The frames of a video file, of a folder of pictures, of a camera by number or name, or of an address."""
    return _live(name) if frames.is_live(name) else frames.play(name)


def _live(name: str) -> Iterator[Frame]:
    with frames.Camera(name) as camera:
        begun: float | None = None
        while True:
            frame = camera.newest()
            if frame is not None:
                begun = frame.at if begun is None else begun
                yield Frame(frame.image, frame.at - begun)


def follow(pictures: Iterator[Frame], dice: int | None, eye: Eye) -> Iterator[dict[str, Any]]:
    """The events of these frames as they are printed: {"t": seconds, "event", "dice": [{"value", "box": [x, y, width,
    height] in pixels}], "kept": [indices into dice], "sure"}, and "which", the indices that the event is about."""
    follower = Follower(eye, dice)
    for frame in pictures:
        height, width = frame.image.shape[:2]
        for event in follower.see(frame.image, frame.at):
            yield _plain(event, width, height)


def _plain(event: events.Event, width: int, height: int) -> dict[str, Any]:
    dice = [{"value": die.face, "box": [round(side, 1) for side in die.pixels(width, height)]} for die in event.dice]
    about = {"t": round(event.at, 3), "event": event.what, "dice": dice, "kept": list(event.kept), "sure": event.sure}
    return about | ({"which": list(event.which)} if event.which else {})


def _say(line: dict[str, Any]) -> str:
    values = " ".join(str(value) for value in sorted(die["value"] for die in line["dice"])) or "none"
    kept = " ".join(str(value) for value in sorted(line["dice"][k]["value"] for k in line["kept"]))
    remarks = [f"kept {kept}"] * bool(kept) + ["please check"] * (not line["sure"])
    return f"{line['t']:8.1f} s  {WORDS[line['event']]}: {values}" + (f"  ({', '.join(remarks)})" if remarks else "")
