"""Cameras that follow games: who is followed, and what becomes of a throw that came to rest.

May know: the desk, the eye's followers, the game's events. Knows nothing of requests or languages; time is handed in.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from recognizer import events, frames
from recognizer.pipeline import Box, Follower
from recognizer.reader import Reading
from scorekeeper.dice import Roll
from scorekeeper.events import Reread, Rolled
from scorekeeper.game import Game
from scorekeeper.history import History
from scorekeeper.refusal import StaleEntry
from scorekeeper.throws import last_throw
from web.desk import Desk
from web.security import new_id

Image = NDArray[np.uint8]

MOST = 8  # games that are followed at once: each holds a few pictures
IDLE = 600.0  # seconds without a picture after which a camera is forgotten
WAIT = 0.5  # seconds that a page waits for a picture of the camera at the computer
SHOWN = 960  # pixels across of such a picture as pages show it
TRIES = 3  # writing a throw, where other screens write at the same moment


@dataclass(frozen=True)
class Throw:
    """Dice that came to rest: their faces, those of them that were kept, and the name of the picture."""

    faces: tuple[int, ...]
    kept: tuple[int, ...]
    picture: str


@dataclass
class Watch:
    """One camera that follows one game.

    waiting: a throw that came to rest while no throw was left; it counts once a box is written.
    written: the number of the entry for the throw that this camera saw last, −1 where there is none.
    learned: the number of the last correction by hand that the follower was told.
    best: for which number of entries the best play was asked last, and the faces of the dice that it keeps.
    """

    camera: str
    follower: Follower
    waiting: Throw | None = None
    written: int = -1
    learned: int = -1
    best: tuple[int, list[int]] = (-1, [])
    lock: threading.Lock = field(default_factory=threading.Lock)
    seen: float = 0.0

    def see(self, desk: Desk, game: str, image: Image, at: float, *, declared: bool = False) -> None:
        """Follow the next picture (H, W, 3), BGR, and write down what was thrown. `declared`: somebody says that what
        lies there was thrown. Refusal, in words, where the rules say no or nothing can be read."""
        self._learn(desk.history(game))
        happened = self.follower.see(image, at)
        if declared and (event := self.follower.declare(at)):
            happened.append(event)
        for event in happened:
            if event.what == events.SETTLED:
                faces = tuple(die.face for die in event.dice)
                kept = tuple(faces[place] for place in event.kept)
                reading = Reading(event.dice, event.sure, self.follower.hints)
                self.waiting = Throw(faces, kept, desk.pictures.add(image, reading))
        if self.waiting:
            self._write(desk, game, self.waiting)

    def _learn(self, history: History) -> None:
        """Whoever corrects the roll by hand knows better."""
        last, roll = history.entries[history.path[-1]], self.follower.roll
        if isinstance(last, Reread) and history.path[-1] != self.learned and last_throw(history) == self.written:
            self.learned = history.path[-1]
            if roll and len(last.dice) == len(roll.dice):
                self.follower.correct(last.dice)

    def _write(self, desk: Desk, game: str, throw: Throw) -> None:
        for _try in range(TRIES):
            history = desk.history(game)
            if is_known(history, throw, self.written):
                self.waiting, self.written = None, last_throw(history)
                return
            if (rolled := next_throw(history.game, throw)) is None:
                return
            self.waiting = None
            try:
                desk.act(game, len(history.entries), new_id(), rolled)
            except StaleEntry:
                self.waiting = throw
                continue
            desk.pictures.accept(throw.picture)
            self.written = len(history.entries)
            return


def is_known(history: History, throw: Throw, written: int) -> bool:
    """Whether this throw is the last one of the game, which somebody entered otherwise after what the camera wrote."""
    last = last_throw(history)
    entry = history.entries[last]
    if last <= written or not isinstance(entry, Rolled):
        return False
    return (history.game.roll or Roll.of(*entry.dice)) == Roll.of(*throw.faces)


def next_throw(game: Game, throw: Throw) -> Rolled | None:
    """The event for these dice; None while nobody has a throw left to which they could belong."""
    if game.finished or game.throws >= game.sheet.allowance:
        return None
    before, now = game.roll or Roll.of(), Roll.of(*throw.faces)
    kept = throw.kept if throw.kept in before and throw.kept in now else ()
    return Rolled(throw.faces, game.throws + 1, kept, source="camera", picture=throw.picture)


class OwnCamera:
    """The camera at the computer, for the pages that look through it."""

    def __init__(self, camera: frames.Camera) -> None:
        self._camera = camera
        self._last: Image | None = None

    def newest(self) -> Image | None:
        """The newest picture (H, W, 3), BGR, each once; None where none came for a moment, CameraLost where none comes
        any more."""
        frame = self._camera.newest(wait=WAIT)
        if frame:
            self._last = frame.image
        return frame.image if frame else None

    def jpeg(self) -> bytes:
        """The last picture as a JPEG file, small; nothing before the first."""
        if self._last is None:
            return b""
        height, width = self._last.shape[:2]
        size = (SHOWN, max(1, round(height * SHOWN / width)))
        small = cv2.resize(self._last, size, interpolation=cv2.INTER_AREA) if width > SHOWN else self._last
        return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


class Cameras:
    """Which camera follows which game. A game is followed by one camera, the last that asked to."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._watches: OrderedDict[str, Watch] = OrderedDict()
        self._lock = threading.Lock()

    def watch(
        self, game: str, camera: str, dice: int, area: Box | None, at: float, *, take: bool = False
    ) -> Watch | None:
        """What this camera follows; None where another camera follows the game, and this one does not ask to.

        Those that have sent nothing for long are forgotten; of too many, the one that has sent nothing for longest.
        """
        with self._lock:
            for old in [key for key, watch in self._watches.items() if at - watch.seen > IDLE]:
                del self._watches[old]
            watch = self._watches.get(game)
            if watch and watch.camera != camera and not take:
                return None
            if watch is None or watch.camera != camera or watch.follower.area != area:
                watch = Watch(camera, Follower(self._desk, dice, area))
            watch.seen = at
            self._watches[game] = watch
            self._watches.move_to_end(game)
            while len(self._watches) > MOST:
                self._watches.popitem(last=False)
            return watch
