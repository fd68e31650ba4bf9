"""Frames of files, folders, cameras and streams. Time is handed in, and nothing sleeps: threads wait for events."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import cv2
import numpy as np
import pytest

from recognizer import frames
from recognizer.frames import Camera, CameraLost, Film, Frame

WAIT = 30.0  # seconds until a test gives up


def grey(level: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.full((48, 64, 3), level, np.uint8)


def write_video(path: Path, levels: list[int], fps: float = 10.0) -> Path:
    video = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (64, 48))
    for level in levels:
        video.write(grey(level))
    video.release()
    return path


def levels(played: Iterator[Frame]) -> list[tuple[float, int]]:
    """When, and how bright to the nearest ten."""
    return [(round(frame.at, 3), 10 * round(float(frame.image.mean()) / 10)) for frame in played]


def test_every_frame_of_a_video_comes_in_order_with_the_times_of_the_file(tmp_path: Path) -> None:
    path = write_video(tmp_path / "clip.avi", [10, 50, 90, 200], fps=8)
    assert levels(frames.play(path)) == [(0.0, 10), (0.125, 50), (0.25, 90), (0.375, 200)]


def test_the_pictures_of_a_folder_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name, level in (("b.png", 90), ("a.jpg", 50), ("notes.txt", 0), ("c.jpg", 200)):
        if name.endswith(".txt"):
            (tmp_path / name).write_text("no picture")
        else:
            cv2.imwrite(str(tmp_path / name), grey(level))
    assert levels(frames.play(tmp_path)) == [(0.0, 50), (0.1, 90), (0.2, 200)]


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: None, "There is no such file or camera"),
        (lambda path: path.write_text("not a video"), "is not a video that can be read"),
        (lambda path: path.write_bytes(b""), "is not a video that can be read"),
        (lambda path: path.mkdir(), "There is no picture in"),
    ],
)
def test_what_is_no_video_is_told_in_words(tmp_path: Path, make: object, says: str) -> None:
    path = tmp_path / "clip.avi"
    make(path)  # type: ignore[operator]
    with pytest.raises(CameraLost, match=says):
        list(frames.play(path))


@pytest.mark.parametrize(
    ("source", "live"),
    [("0", True), ("http://10.0.0.7/video", True), ("RTSP://cam/1", True), ("clip.avi", False), ("concat:a|b", False)],
)
def test_numbers_and_addresses_are_cameras_and_everything_else_is_a_file(source: str, live: bool) -> None:
    assert frames.is_live(source) is live


def test_a_camera_is_found_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for node, name in (("video0", "Desk Cam"), ("video1", "Desk Cam"), ("video2", "Hall Cam")):
        (tmp_path / node).mkdir()
        (tmp_path / node / "name").write_text(f"{name}\n")
    monkeypatch.setattr(frames, "DEVICES", tmp_path)
    assert frames.devices() == {"Hall Cam": 2, "Desk Cam": 0}
    assert frames.is_live("Hall Cam")


class Asked:
    """In place of OpenCV's: remembers how it was opened and what was set."""

    opened: ClassVar[list[tuple[object, ...]]] = []
    was_set: ClassVar[dict[int, float]] = {}

    def __init__(self, *arguments: object) -> None:
        self.opened.append(arguments)

    def set(self, what: int, value: float) -> None:
        self.was_set[what] = value


def test_a_stream_is_opened_with_a_time_out_and_a_webcam_asked_for_720_lines_and_no_old_pictures(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Asked)
    monkeypatch.setattr(frames, "DEVICES", tmp_path)
    monkeypatch.setattr(Asked, "opened", [])
    monkeypatch.setattr(Asked, "was_set", {})
    frames.connect("rtsp://10.0.0.7/table")
    limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, frames.OPENING, cv2.CAP_PROP_READ_TIMEOUT_MSEC, frames.READING]
    assert Asked.opened == [("rtsp://10.0.0.7/table", cv2.CAP_FFMPEG, limits)]
    assert Asked.was_set == {}
    (tmp_path / "video3").mkdir()
    (tmp_path / "video3" / "name").write_text("Desk Cam\n")
    frames.connect("0")
    frames.connect("Desk Cam")
    assert Asked.opened[1:] == [(0,), (3,)]
    assert Asked.was_set[cv2.CAP_PROP_FRAME_HEIGHT] == 720
    assert Asked.was_set[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG")
    assert Asked.was_set[cv2.CAP_PROP_BUFFERSIZE] == 1


class Tape:
    """A camera that shows these levels, waits for `go` before each, and is then gone."""

    def __init__(self, *shown: int) -> None:
        self.shown = list(shown)
        self.go = threading.Semaphore(0)
        self.released = threading.Event()

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def read(self) -> tuple[bool, np.ndarray[tuple[int, ...], np.dtype[np.uint8]]]:
        self.go.acquire(timeout=WAIT)
        return (True, grey(self.shown.pop(0))) if self.shown else (False, grey(0))

    def release(self) -> None:
        self.released.set()


def test_only_the_newest_frame_of_a_camera_is_handed_out_and_only_once() -> None:
    tape, connected, pausing = Tape(10, 50, 90), [], threading.Event()

    def pause(seconds: float) -> bool:
        pausing.set()
        return True

    camera = Camera("0", lambda source: connected.append(source) or tape, lambda: 7.0, pause)  # type: ignore[func-returns-value]
    assert camera.newest(0) is None
    for _ in range(4):
        tape.go.release()
    assert pausing.wait(WAIT)
    frame = camera.newest()
    assert frame is not None
    assert (float(frame.image.mean()), frame.at) == (90.0, 7.0)
    assert camera.newest(0) is None
    assert connected == ["0"]
    assert tape.released.is_set()


def test_a_camera_that_sends_nothing_for_long_is_lost_by_the_clock_that_is_handed_in() -> None:
    now, tape = [0.0], Tape()
    with Camera("http://me:secret@cam/video", lambda source: tape, lambda: now[0]) as camera:
        assert camera.newest(0) is None
        now[0] = frames.LOST
        with pytest.raises(CameraLost, match="http://cam/video") as lost:
            camera.newest(0)
        assert "secret" not in str(lost.value)
    tape.go.release()


def test_a_camera_that_takes_for_ever_to_open_holds_up_nobody_and_is_said_to_be_lost() -> None:
    now, opens = [0.0], threading.Event()

    def hang(source: str) -> Tape:
        assert opens.wait(WAIT)
        return Tape()

    with Camera("0", hang, lambda: now[0]) as camera:
        assert camera.newest(0) is None
        now[0] = frames.LOST
        with pytest.raises(CameraLost, match="The camera 0 sends no pictures"):
            camera.newest(0)
        opens.set()


def test_a_lost_camera_is_tried_again_and_again_ever_less_often_until_it_is_closed() -> None:
    pauses: list[float] = []
    ended = threading.Event()

    def pause(seconds: float) -> bool:
        pauses.append(seconds)
        if len(pauses) == 6:
            ended.set()
        return len(pauses) == 6

    def gone(source: str) -> Tape:
        if len(pauses) == 2:
            raise cv2.error("the driver failed")
        tape = Tape()
        tape.go.release()
        return tape

    Camera("3", gone, lambda: 0.0, pause).newest(0)
    assert ended.wait(WAIT)
    assert pauses == [0.5, 1.0, 2.0, 5.0, 5.0, 5.0]


def test_a_camera_is_open_only_while_somebody_looks_and_shows_nothing_that_is_old() -> None:
    now, tapes = [0.0], [Tape(10, 50), Tape(90)]
    coming = list(tapes)

    with Camera("0", lambda source: coming.pop(0), lambda: now[0]) as camera:
        assert len(coming) == 2, "nobody has looked yet"
        camera.newest(0)
        tapes[0].go.release()
        assert brightness(camera.newest(WAIT)) == 10
        now[0] = frames.UNSEEN
        tapes[0].go.release()
        assert tapes[0].released.wait(WAIT)
        now[0] = 10 * frames.UNSEEN
        tapes[1].go.release()
        assert brightness(camera.newest(WAIT)) == 90, "not the 50 of long ago, and it is not lost either"


def brightness(frame: Frame | None) -> int:
    assert frame is not None
    return 10 * round(float(frame.image.mean()) / 10)


class Clock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waited: list[float] = []

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waited.append(round(seconds, 3))
        self.now += seconds


def test_a_video_is_a_camera_that_shows_each_picture_when_it_is_due_and_then_its_last(tmp_path: Path) -> None:
    clock = Clock()
    film = Film(write_video(tmp_path / "clip.avi", [10, 50, 90], fps=8), clock, clock.wait)
    assert film.isOpened()
    shown = [10 * round(float(film.read()[1].mean()) / 10) for _ in range(5)]
    assert shown == [10, 50, 90, 90, 90]
    assert clock.waited == [0.125, 0.125, 0.1, 0.1]
    film.release()


def test_a_video_whose_pictures_come_late_is_not_slowed_down_further(tmp_path: Path) -> None:
    clock = Clock()
    film = Film(write_video(tmp_path / "clip.avi", [10, 50, 90, 130], fps=8), clock, clock.wait)
    film.read()
    clock.now += 0.3  # the computer had something else to do
    film.read(), film.read(), film.read()
    assert clock.waited == [0.075]
    film.release()


def test_a_folder_of_pictures_is_a_camera_that_stops_at_a_damaged_one(tmp_path: Path) -> None:
    for name, level in (("a.png", 50), ("b.png", 90)):
        cv2.imwrite(str(tmp_path / name), grey(level))
    (tmp_path / "c.png").write_bytes(b"no picture")
    clock = Clock()
    film = Film(tmp_path, clock, clock.wait)
    assert [round(float(film.read()[1].mean())) for _ in range(4)] == [50, 90, 90, 90]
    film.release()


@pytest.mark.parametrize("name", ["clip.avi", "no such camera"])
def test_a_path_is_connected_to_as_a_camera_and_one_that_is_not_there_is_tried_again(tmp_path: Path, name: str) -> None:
    pausing, there = threading.Event(), threading.Event()

    def pause(seconds: float) -> bool:
        pausing.set()
        assert there.wait(WAIT)
        return False

    path = tmp_path / name
    with Camera(str(path), pause=pause) as camera:
        camera.newest(0)
        assert pausing.wait(WAIT), "it is not there"
        write_video(tmp_path / "made.avi", [10, 50, 90], fps=100).rename(path)
        there.set()
        first(camera, 90)


class Stream(BaseHTTPRequestHandler):
    """Sends the frames of its server as MJPEG, then stays silent until the server is told to hang up."""

    server: StreamServer

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for _ in range(6):  # a stream is recognized by its first frames
            data = cv2.imencode(".jpg", grey(self.server.level))[1].tobytes()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n".encode()
            self.wfile.write(head + data + b"\r\n")
        self.server.hang_up.wait(WAIT)

    def log_message(self, *args: object) -> None:
        """Says nothing."""


class StreamServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, level: int) -> None:
        super().__init__(("127.0.0.1", port), Stream)
        self.level, self.hang_up = level, threading.Event()


@contextmanager
def serving(port: int, level: int) -> Iterator[StreamServer]:
    server = StreamServer(port, level)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.hang_up.set()
        server.shutdown()
        server.server_close()
        thread.join(WAIT)


def first(camera: Camera, level: int) -> Frame:
    """The first frame of this level."""
    for _ in range(100):
        frame = camera.newest(WAIT)
        if frame is not None and abs(float(frame.image.mean()) - level) < 5:
            return frame
    raise AssertionError("no such frame came")


def test_a_stream_that_dies_and_returns_is_followed_again_without_anybody_doing_anything() -> None:
    died, back = threading.Event(), threading.Event()

    def pause(seconds: float) -> bool:
        died.set()
        assert back.wait(WAIT)
        return False

    with serving(0, 40) as server:
        port = server.server_address[1]
        camera = Camera(f"http://127.0.0.1:{port}/video", pause=pause)
        assert first(camera, 40).image.shape == (48, 64, 3)
    assert died.wait(WAIT)  # the server is gone, and the camera has noticed
    with serving(int(port), 200):
        back.set()
        first(camera, 200)
        camera.close()
