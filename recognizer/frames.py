"""Pictures of a table, one after the other, from wherever they come: a camera, a stream, a video, a folder.

A video or a folder is finite: `play` hands out every frame, in order, with the file's own times. A camera is not: a
thread of its own waits for it, keeps only the newest frame, and connects again by itself when it is lost. `Film` makes
a camera of a video.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from recognizer import pictures
from recognizer.pictures import UnreadablePicture

Image = NDArray[np.uint8]

SCHEMES = ("http://", "https://", "rtsp://", "rtsps://")
PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".bmp"}
PACE = 10.0  # pictures a second that the pictures in a folder are taken for
OPENING, READING = 8000, 5000  # milliseconds that a stream may take to open, and to send a frame
PAUSES = (0.5, 1.0, 2.0, 5.0)  # seconds before each further try to connect, the last again and again
LOST = 10.0  # seconds without a frame after which a camera counts as lost
UNSEEN = 60.0  # seconds without anybody looking after which a camera is let go of
STILL = 0.1  # seconds between two times that a film which is over shows its last picture
DEVICES = Path("/sys/class/video4linux")
# Compressed, because few webcams send 720 lines quickly otherwise; and no old frames from the driver's queue.
DEVICE = {
    cv2.CAP_PROP_FOURCC: cv2.VideoWriter.fourcc(*"MJPG"),
    cv2.CAP_PROP_FRAME_WIDTH: 1280,
    cv2.CAP_PROP_FRAME_HEIGHT: 720,
    cv2.CAP_PROP_BUFFERSIZE: 1,
}


class CameraLost(Exception):
    """There are no frames to be had, or no more. `template` is an English sentence with fields in braces, `values`
    fills them."""

    def __init__(self, template: str, **values: object) -> None:
        super().__init__(template.format(**values))
        self.template, self.values = template, values


@dataclass(frozen=True)
class Frame:
    """`image` (H, W, 3), BGR, upright, and when it was taken: seconds, from the beginning of a file or of any clock."""

    image: Image
    at: float


class Capture(Protocol):
    """What yields frames: cv2.VideoCapture, or a stand-in for tests."""

    def isOpened(self) -> bool: ...  # noqa: N802
    def read(self) -> tuple[bool, NDArray[np.generic]]: ...
    def release(self) -> None: ...


def is_live(source: str) -> bool:
    """Whether a source is a camera: a number, an address, or the name of one that is plugged in."""
    return source.isdigit() or source.lower().startswith(SCHEMES) or (not Path(source).exists() and source in devices())


def devices() -> dict[str, int]:
    """The cameras plugged in, name → index, where the system tells their names."""
    found: dict[str, int] = {}
    for folder in sorted(DEVICES.glob("video*"), reverse=True):  # the first node of a camera is the one with pictures
        try:
            found[(folder / "name").read_text("utf-8").strip()] = int(folder.name.removeprefix("video"))
        except (OSError, ValueError):
            continue
    return found


def play(source: str | Path) -> Generator[Frame]:
    """Every frame of a video, or every picture of a folder in the order of their names. Raises CameraLost where there
    is no such thing, or nothing in it; UnreadablePicture for a damaged picture."""
    path = Path(source)
    if not path.exists():
        raise CameraLost("There is no such file or camera: {source}.", source=source)
    count = 0
    for frame in _folder(path) if path.is_dir() else _video(path):
        count += 1
        yield frame
    if not count:
        raise CameraLost("There is no picture in {source}.", source=source)


def _folder(path: Path) -> Iterator[Frame]:
    names = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURES)
    for number, file in enumerate(names):
        yield Frame(pictures.load(file).image, number / PACE)


def _video(path: Path) -> Iterator[Frame]:
    capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    try:
        if not capture.isOpened():
            raise CameraLost("{source} is not a video that can be read.", source=path)
        step = 1 / (capture.get(cv2.CAP_PROP_FPS) or 25.0)
        at = -step
        while True:
            there, image = capture.read()
            if not there:
                return
            told = capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            at = told if told > at else at + step  # a file whose times stand still, or go back, is taken at its pace
            yield Frame(np.asarray(image, np.uint8), at)
    finally:
        capture.release()


class Film:
    """A video, or a folder of pictures, as a camera: each frame when it is due, and the last one for ever after.

    `clock` tells seconds and `wait` lets so many pass; both are for tests.
    """

    def __init__(
        self,
        path: str | Path,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        """CameraLost where there is no such thing, UnreadablePicture where the first picture is damaged."""
        self._frames = play(path)
        self._clock, self._wait = clock, wait
        self._next = next(self._frames)
        self._begun = clock()

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def read(self) -> tuple[bool, Image]:
        """True, and the next frame (H, W, 3), BGR, at its time."""
        early = self._begun + self._next.at - self._clock()
        if early > 0:
            self._wait(early)
        image, self._next = self._next.image, replace(self._next, at=self._next.at + STILL)
        with contextlib.suppress(UnreadablePicture):  # it is over there
            self._next = next(self._frames, self._next)
        return True, image

    def release(self) -> None:
        self._frames.close()


def connect(source: str) -> Capture:
    """A camera by number or name, a stream by its address, or a video or folder of pictures by its path. It may turn
    out not to be open."""
    if source.lower().startswith(SCHEMES):
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, OPENING, cv2.CAP_PROP_READ_TIMEOUT_MSEC, READING]
        return cv2.VideoCapture(source, cv2.CAP_FFMPEG, limits)
    if not is_live(source):
        return Film(source)
    capture = cv2.VideoCapture(int(source) if source.isdigit() else devices().get(source, -1))
    for what, value in DEVICE.items():
        capture.set(what, value)
    return capture


class Camera:
    """A camera, opened and read in a thread of its own while somebody looks. Use it in a `with` block, or `close` it.

    `source`: a number, a name, an address (http, https, rtsp), or the path of a video or of a folder of pictures. It is
    opened when `newest` is asked for, and let go of once nobody has asked for UNSEEN seconds: a webcam does not film
    a room in which nobody plays, and a film begins when somebody looks.

    `open_`, `clock` and `pause` are for tests; `pause` waits so many seconds before the next try to connect, or until
    the camera is closed, and says which.
    """

    def __init__(
        self,
        source: str,
        open_: Callable[[str], Capture] = connect,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], bool] | None = None,
    ) -> None:
        self.source = source
        self._open, self._clock = open_, clock
        self._closed = threading.Event()
        self._pause = pause or self._closed.wait
        self._news = threading.Condition()
        self._frame: Frame | None = None
        self._wanted = False
        self._looked = self._heard = clock()  # when somebody looked, and when there was a frame last
        self._tries = 0
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def __enter__(self) -> Camera:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def newest(self, wait: float = 1.0) -> Frame | None:
        """The newest frame, each at most once; None where none came within `wait` seconds. Raises CameraLost where none
        has come for LOST seconds: it goes on trying to connect, and the next call may succeed."""
        with self._news:
            self._looked = self._clock()
            if not self._wanted:
                self._wanted, self._heard, self._frame = True, self._looked, None
                self._news.notify_all()
            self._news.wait_for(lambda: self._frame is not None, wait)
            frame, self._frame = self._frame, None
        if frame is None and self._clock() - self._heard >= LOST:
            raise CameraLost("The camera {source} sends no pictures.", source=hidden(self.source))
        return frame

    def close(self) -> None:
        """Lets go of the camera; its thread ends with the frame it is waiting for."""
        self._closed.set()
        with self._news:
            self._news.notify_all()

    def _run(self) -> None:
        while self._is_wanted(wait=True):
            with contextlib.suppress(cv2.error, CameraLost, UnreadablePicture):  # it is gone in the middle of a frame
                self._listen()
            if self._is_wanted():
                if self._pause(PAUSES[min(self._tries, len(PAUSES) - 1)]):
                    return
                self._tries += 1

    def _is_wanted(self, wait: bool = False) -> bool:
        """Whether somebody looks, or if need be once somebody does; never where the camera is closed."""
        with self._news:
            self._wanted = self._wanted and self._clock() - self._looked < UNSEEN
            if wait:
                self._news.wait_for(lambda: self._wanted or self._closed.is_set())
            return self._wanted and not self._closed.is_set()

    def _listen(self) -> None:
        """Reads frames until there are no more, or nobody looks."""
        capture = self._open(self.source)
        try:
            while self._is_wanted() and capture.isOpened():
                there, image = capture.read()
                if not there:
                    return
                self._tell(Frame(np.asarray(image, np.uint8), self._clock()))
        finally:
            capture.release()

    def _tell(self, frame: Frame) -> None:
        with self._news:
            self._frame, self._heard, self._tries = frame, frame.at, 0
            self._news.notify_all()


def hidden(source: str) -> str:
    """An address without the name and password that it may carry."""
    scheme, mark, rest = source.partition("://")
    return f"{scheme}{mark}{rest.rpartition('@')[2]}" if mark else source
