"""`kast bench live`: how long it takes from sending a picture of the live camera to having what is drawn over it.

Starts the real server, as a process of its own with a data folder of its own, and shows it pictures of 1280 × 720, each
once the one before is answered: dice on the move, where every picture is read, and dice at rest.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time

import cv2
import numpy as np
from numpy.typing import NDArray

from recognizer import pictures
from web.bench import FRAMES
from web.bench_page import HIDDEN, Browser, begin, serving

Image = NDArray[np.uint8]
NAME, DICE = "frame-1.jpg", 5
STEP = 24  # pixels that all dice move from one picture to the next
NOISE = 1.0  # standard deviation of a camera's noise, in levels of 255
WARM_UP = 5  # pictures before the clock counts: the networks are loaded with the first
BOUNDARY = "a-line-that-is-in-no-picture"
QUALITY = 80  # of the JPEG, as the page sends it
SAID = """{width} × {height}, {cores} cores, {frames} pictures each. From picture to overlay: while dice move \
{moving_median_ms} ms, 95 % within {moving_p95_ms} ms; at rest {still_median_ms} ms and {still_p95_ms} ms"""


def films(still: Image, frames: int) -> dict[str, list[bytes]]:
    """What is measured, by name: so many pictures as JPEG files."""
    chance = np.random.default_rng(1)

    def jpeg(step: int) -> bytes:
        moved = np.roll(still, STEP * step, axis=1) + chance.normal(0, NOISE, still.shape)
        written, data = cv2.imencode(".jpg", moved.clip(0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        assert written
        return data.tobytes()

    return {"moving": [jpeg(n) for n in range(frames)], "still": [jpeg(0) for _ in range(frames)]}


def measure(frames: int) -> dict[str, object]:
    """{"moving_median_ms": …, "moving_p95_ms": …, "still_median_ms": …, "still_p95_ms": …} and what was measured."""
    still = pictures.load(FRAMES / NAME).image
    height, width = still.shape[:2]
    found: dict[str, object] = {"width": width, "height": height, "cores": os.cpu_count(), "frames": frames}
    shown = films(still, WARM_UP + frames)
    with serving(fresh=False) as browser:
        begin(browser, "yatzy", "boxes")
        for name, film in shown.items():
            times = sorted(_times(browser, film)[WARM_UP:])
            found[f"{name}_median_ms"] = round(1e3 * statistics.median(times), 1)
            found[f"{name}_p95_ms"] = round(1e3 * times[int(0.95 * len(times))], 1)
    return found


def _times(browser: Browser, film: list[bytes]) -> list[float]:
    """Seconds from sending each picture to having read its answer."""
    game, token = browser.path, dict(HIDDEN.findall(browser.page))["token"]
    times = []
    for jpeg in film:
        began = time.perf_counter()
        answer = json.loads(browser.show(f"{game}/camera/bench-live", _form(token, jpeg)))
        times.append(time.perf_counter() - began)
    if len(answer["dice"]) != DICE:
        raise RuntimeError(f"{len(answer['dice'])} dice were seen, not {DICE}")
    return times


def _form(token: str, jpeg: bytes) -> tuple[str, bytes]:
    """The type and the body of what the page sends."""
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="token"\r\n\r\n{token}\r\n--{BOUNDARY}\r\n'
    head += 'Content-Disposition: form-data; name="frame"; filename="frame.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
    return f"multipart/form-data; boundary={BOUNDARY}", head.encode() + jpeg + f"\r\n--{BOUNDARY}--\r\n".encode()


def run(args: argparse.Namespace) -> int:
    """Measure and print what was found."""
    found = measure(args.frames)
    print(json.dumps(found) if args.json else SAID.format(**found))
    return 0
