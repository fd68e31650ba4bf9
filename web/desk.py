"""The desk: the one object that changes. It holds the log, what was read from it, pictures, reader and adviser.

May know: the game's log and history, the eye, the adviser. Knows nothing of requests, languages or pages.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import reduce
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recognizer import pictures as photographs
from recognizer.reader import Reading
from scorekeeper import archive
from scorekeeper.events import Begun
from scorekeeper.game import Game
from scorekeeper.history import Entry, History, replay, start
from scorekeeper.log import Log, Saved
from scorekeeper.position import Position
from scorekeeper.refusal import Refusal, Unsaved, UnusableLog, _
from web.adviser import Accounts, Advice, Adviser, Nobody, Working
from web.pictures import Pictures
from web.records import Finished

logger = logging.getLogger(__name__)

MOST_HELD = 256  # games held in memory; any other is read again from the log
PATIENCE = 20.0  # seconds that a picture waits for those before it
BUSY = _("Many pictures are being read just now. Try again in a moment.")


class Reader(Protocol):
    """Whoever reads dice in a picture."""

    def read(self, image: NDArray[np.uint8]) -> Reading:
        """The dice on an upright picture (H, W, 3), BGR."""


class UnknownGame(LookupError):
    """No game has this id."""


class Desk:
    """Games and pictures, for any number of threads."""

    def __init__(
        self, log: Log, pictures: Pictures, make_reader: Callable[[], Reader], adviser: Adviser | None = None
    ) -> None:
        """`make_reader` is called when the first picture comes: a broken model never takes the sheet with it."""
        self.pictures = pictures
        self._log = log
        self._adviser = adviser or Nobody()
        self._histories: OrderedDict[str, History] = OrderedDict()
        self._histories_lock = threading.Lock()
        self._tables: dict[str, str] = {}  # of a game; it never changes
        self._records: dict[str, tuple[int, Finished | None]] = {}  # of a game with so many entries
        self._records_lock = threading.Lock()
        self._make_reader = make_reader
        self._reader: Reader | None = None
        self._reading_lock = threading.Lock()

    def games(self) -> list[Saved]:
        """All games, the latest first."""
        return self._log.games()

    def history(self, game: str) -> History:
        """The game with its past, as the log has it now.

        UnknownGame where it has none, UnusableLog where it cannot be read.
        """
        with self._histories_lock:
            held = self._histories.get(game)
        history = self._read(game, held)
        with self._histories_lock:  # not while the log is read, for nobody waits for another game
            held = self._histories.get(game)
            if not held or len(held.entries) < len(history.entries):
                self._histories[game] = history
            self._histories.move_to_end(game)
            while len(self._histories) > MOST_HELD:
                self._histories.popitem(last=False)
        return history

    def count(self, game: str) -> int:
        """How many entries the game has, by which a screen knows whether it shows the latest; nothing is read for that.

        UnknownGame where it has none, UnusableLog where they cannot be counted.
        """
        number = self._log.count(game)
        if not number:
            raise UnknownGame(game)
        return number

    def table_of(self, game: str) -> str:
        """The table at which the game is played. UnknownGame where there is none, UnusableLog where that cannot be
        told."""
        known = self._tables.get(game)
        return self._read(game, None).table if known is None else known

    def tables(self) -> set[str]:
        """All tables with a game that can be read."""
        found = set[str]()
        for saved in self.games():
            with suppress(UnusableLog):
                found.add(self.table_of(saved.game))
        return found

    def record(self, saved: Saved) -> Finished | None:
        """What there is to say of a game once it is over, None before; UnusableLog where it cannot be read."""
        with self._records_lock:
            known = self._records.get(saved.game)
            if not known or known[0] != saved.entries:
                game = self._read(saved.game, None).game
                found = Finished.of(saved.game, saved.at, game) if game.finished else None
                known = self._records[saved.game] = saved.entries, found
            return known[1]

    def recall(self) -> None:
        """Have the records of all games there before somebody asks for them; it takes some milliseconds a game."""
        with suppress(Refusal):
            for saved in self.games():
                with suppress(UnusableLog):
                    self.record(saved)

    def _read(self, game: str, held: History | None) -> History:
        """What is held of the game, and what the log has since."""
        entries = self._log.read(game, len(held.entries) if held else 0)
        if not held and not entries:
            raise UnknownGame(game)
        try:
            history = reduce(History.add, entries, held) if held else replay(entries)
            self._tables[game] = history.table
            return history
        except Refusal as error:
            raise UnusableLog(
                _("Game {game} cannot be read: {reason}."), game=game, reason=str(error).rstrip(".")
            ) from error

    def pack(self, games: list[str]) -> str:
        """These games as a text that can be brought in elsewhere; UnusableLog where one cannot be read."""
        return archive.pack({game: self._log.dump(game) for game in games})

    def bring(self, data: bytes, seat: Callable[[str], str]) -> archive.Brought:
        """Take the games of such a text, all or none; Damaged, UnusableLog, Unsaved. `seat` says at which table a game
        is played from now on that was played at this one."""
        return archive.bring(self._log, data.decode("utf-8", "replace"), seat)

    def begin(self, game: str, request: str, event: Begun) -> None:
        """Begin a game under this id; a repeated request begins nothing more.

        IllegalEvent where it cannot be, Unsaved where the disk fails.
        """
        start(event)
        self._log.append(game, 0, request, event)

    def act(self, game: str, seq: int, request: str, entry: Entry) -> None:
        """Write an entry that was meant to be number `seq`; when this returns it is on the disk.

        A repeated request does nothing. IllegalEvent where the rules say no, StaleEntry where another screen wrote
        first, Unsaved where the disk fails, UnknownGame where there is none: nothing is written then.
        """
        history = self.history(game)
        if seq == len(history.entries):
            history.add(entry)
        # For any other number the log tells a repeated request from a stale one.
        self._log.append(game, seq, request, entry)

    def look(self, data: bytes) -> str:
        """Read the dice in a picture file and keep the picture; the name it is kept under.

        UnreadablePicture where it is none, Unsaved where it cannot be kept. One picture at a time is held and read,
        which bounds memory and time.
        """
        if not self._reading_lock.acquire(timeout=PATIENCE):
            raise Refusal(BUSY)
        try:
            image = photographs.load(data).image
            return self.pictures.add(image, self._read_dice(image))
        except OSError as error:
            raise Unsaved(_("The picture cannot be kept: {reason}."), reason=error.strerror) from error
        finally:
            self._reading_lock.release()

    def read(self, image: NDArray[np.uint8], /) -> Reading:
        """The dice on an upright picture (H, W, 3), BGR, which is not kept; Refusal where it cannot be read now."""
        if not self._reading_lock.acquire(timeout=PATIENCE):
            raise Refusal(BUSY)
        try:
            return self._read_dice(image)
        finally:
            self._reading_lock.release()

    def _read_dice(self, image: NDArray[np.uint8]) -> Reading:
        try:
            self._reader = self._reader or self._make_reader()
            return self._reader.read(image)
        except Exception as error:  # whatever fails in the model or its runtime, the sheet goes on
            logger.exception("the reader failed")
            raise Refusal(_("The dice cannot be read at the moment. Enter them by hand.")) from error

    def advise(self, game: Game) -> Advice | Working | Refusal | None:
        """What the player whose turn it is can do, at once; None where nothing is asked or to be waited for.

        Before the first throw of a turn, what it will ask for begins to be worked out; then that for the next player.
        """
        if game.finished:
            return None
        try:
            answer = self._ask(game)
            if not (isinstance(answer, Working) or (answer and answer.working)):
                self._foresee(game)
            return answer
        except Refusal as refusal:
            return refusal
        except Exception:  # whatever fails in the solver, the sheet goes on
            logger.exception("the adviser failed")
            return Refusal(_("The best play cannot be worked out at the moment."))

    def _ask(self, game: Game) -> Advice | Working | None:
        others = (*game.sheets[: game.turn], *game.sheets[game.turn + 1 :])
        if game.roll is None:
            return self._adviser.prepare(game.sheet, others)
        return self._adviser.ask(Position(game.sheet, game.roll, game.throws_left, others))

    def _foresee(self, game: Game) -> None:
        """Have the next player's advice there in time."""
        others = (*range(game.turn + 1, len(game.players)), *range(game.turn))
        for player in [player for player in others if game.is_advised(player)][:1]:
            self._adviser.foresee(game.sheets[player])

    def review(self, game: str) -> Accounts | Working | Refusal:
        """What dice and choices brought in a game that is over, at once or once it is worked out."""
        try:
            return self._adviser.review(game, self.history(game))
        except Refusal as refusal:
            return refusal

    def close(self) -> None:
        """Nothing is read, written or worked out after this."""
        self._adviser.close()
        self._log.close()
