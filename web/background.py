"""Best play, worked out beside the page by a process of low priority. I/O: processes.

May know: the oracle, positions. What is solved lies in the data folder, where the page finds it at once, now and after
a restart; what is not is asked of the process, the page is told how far the work is, and gets an estimate meanwhile.
"""

from __future__ import annotations

import logging
import multiprocessing
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TypeVar

import numpy as np

from scorekeeper import contest
from scorekeeper.contest import Floats
from scorekeeper.history import History
from scorekeeper.oracle import Oracle
from scorekeeper.position import Position
from scorekeeper.refusal import Refusal
from scorekeeper.sheet import Sheet
from scorekeeper.simulate import Outcomes
from scorekeeper.solve import SPREAD, Layer
from web import answer
from web.adviser import Accounts, Advice, Working
from web.reviews import Reviews, last_written
from web.worker import NOTHING, UNKNOWN, Game, Inquiry, Question, trouble, work

logger = logging.getLogger(__name__)

PATIENCE = 0.05  # seconds that a page waits for what may need no work
MOST_HELD = 256  # sheets of which something is remembered

K = TypeVar("K")
T = TypeVar("T")
Others = tuple[Sheet | int, ...]


class Background:
    """An adviser whose tables are in this folder. The process begins with the first sheet that is not solved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._oracle = Oracle(folder, shipped=folder)  # what came with Kast is unpacked there by the process
        self._waiting: OrderedDict[Sheet, None] = OrderedDict()
        self._refused: OrderedDict[Sheet, Refusal] = OrderedDict()
        self._counted: OrderedDict[Sheet, Outcomes | None] = OrderedDict()  # None while it is
        self._weighed: OrderedDict[tuple[Sheet, Others], Floats | None] = OrderedDict()  # the same
        self._reviews = Reviews(folder / "reviews")
        self._reviewed: OrderedDict[Game, Accounts | Refusal | float] = (
            OrderedDict()
        )  # the share that is done, while it is
        self._changed = threading.Condition()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._shares: list[tuple[float, float]] = []  # of the work in hand: when, and what share was done

    def ask(self, position: Position) -> Advice:
        after = self._after(position.sheet)
        if isinstance(after, Working):
            return answer.estimated(position, after)
        outcomes = self._count(position.sheet)
        with self._changed:
            with_spread = self._oracle.known(position.sheet, SPREAD)
        return answer.exact(position, after, outcomes, with_spread, self._weigh(position.sheet, position.others))

    def prepare(self, sheet: Sheet, others: tuple[Sheet, ...] = ()) -> Working | None:
        after = self._after(sheet)
        if isinstance(after, Working):
            return after
        self._weigh(sheet, others)
        self._count(sheet)
        return None

    def foresee(self, sheet: Sheet) -> None:
        with self._changed:
            if not self._oracle.known(sheet):
                self._begin(sheet)

    def review(self, game: str, history: History) -> Accounts | Working:
        asked = game, last_written(history)
        with self._changed:
            if asked not in self._reviewed:
                kept = self._reviews.read(*asked)
                self._remember(self._reviewed, asked, kept or 0.0)
                if not kept:
                    self._tell(Inquiry.about(asked, history))
            self._changed.wait_for(lambda: not isinstance(self._reviewed.get(asked), float), PATIENCE)
            found = self._reviewed.get(asked, 0.0)
            if isinstance(found, float):
                solved = self._shares[-1][1] / 2 if self._shares else 0.0  # of a game not met before: half of the work
                return Working(found or solved)
            if isinstance(found, Refusal):
                del self._reviewed[asked]
                raise found
            return found

    def close(self) -> None:
        with self._changed:
            process, self._process = self._process, None
        if process:
            process.terminate()
            process.join()

    def _after(self, sheet: Sheet) -> Layer | Working:
        with self._changed:
            if layer := self._oracle.known(sheet):
                return layer
            self._begin(sheet)
            self._changed.wait_for(lambda: sheet not in self._waiting, PATIENCE)
            if sheet in self._waiting:
                return self._progress(sheet)
            if refusal := self._refused.pop(sheet, None):
                raise refusal
            if layer := self._oracle.known(sheet):
                return layer
        raise trouble()

    def _begin(self, sheet: Sheet) -> None:
        if sheet not in self._waiting and sheet not in self._refused:
            self._waiting[sheet] = None
            self._tell(Question(sheet, only_count=False))

    def _count(self, sheet: Sheet) -> Outcomes | None:
        """How games from this sheet end, once the process has counted it."""
        with self._changed:
            if sheet not in self._counted:
                self._remember(self._counted, sheet, None)
                self._tell(Question(sheet, only_count=True))
            return self._counted[sheet]

    def _weigh(self, sheet: Sheet, others: Others) -> Floats | None:
        """The chances to end ahead of the others, once the process has worked them out; UNKNOWN before the last rounds.

        A page waits for them as for what may need no work.
        """
        known, asked = [other for other in others if isinstance(other, Sheet)], (sheet, others)
        if not others or not contest.is_near((sheet, *known)):
            return UNKNOWN
        with self._changed:
            if asked not in self._weighed:
                self._remember(self._weighed, asked, None)
                self._tell(Question(sheet, others=others))
            self._changed.wait_for(lambda: self._weighed.get(asked) is not None, PATIENCE)
            return self._weighed.get(asked)

    def _progress(self, sheet: Sheet) -> Working:
        """How far the work is; that on a sheet which waits for others has not begun."""
        if next(iter(self._waiting)) != sheet or not self._shares:
            return Working(0.0)
        share = self._shares[-1][1]
        if len(self._shares) < 3:  # the first step may wait for the compiler: it says nothing of the others
            return Working(share)
        began, first = self._shares[1]
        return Working(share, (time.monotonic() - began) * (1 - share) / (share - first))

    def _tell(self, question: Question | Inquiry) -> None:
        if not self._process:
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs, self._folder), daemon=True, name="kast adviser")
            self._process.start()
            theirs.close()
            threading.Thread(target=self._listen, args=(self._process, self._pipe), daemon=True).start()
        assert self._pipe
        with suppress(OSError):  # the process is gone, and the listener is about to say so
            self._pipe.send(question)

    def _listen(self, process: BaseProcess, pipe: Connection) -> None:
        while True:
            try:
                told = pipe.recv()
            except (EOFError, OSError):
                return self._lost(process)
            with self._changed:
                if isinstance(told, float):
                    self._progressed(told)
                elif isinstance(told[0], tuple) and isinstance(told[0][0], str):
                    self._look_back(*told)
                elif isinstance(told[1], Outcomes):
                    self._remember(self._counted, *told)
                    self._changed.notify_all()
                elif isinstance(told[1], np.ndarray):
                    self._remember(self._weighed, *told)
                    self._changed.notify_all()
                else:
                    self._finish(*told)

    def _progressed(self, share: float) -> None:
        if self._shares and share < self._shares[-1][1]:  # the next work has begun
            self._shares = []
        self._shares = [*self._shares[:2], (time.monotonic(), share)]

    def _look_back(self, asked: Game, told: Accounts | Refusal | float) -> None:
        self._remember(self._reviewed, asked, told)
        if isinstance(told, tuple):
            self._reviews.keep(*asked, told)
        self._changed.notify_all()

    def _finish(self, sheet: Sheet, refusal: Refusal | None) -> None:
        self._waiting.pop(sheet, None)
        self._shares = []
        if refusal:
            self._remember(self._refused, sheet, refusal)
        self._changed.notify_all()

    @staticmethod
    def _remember(what: OrderedDict[K, T], key: K, value: T) -> None:
        what[key] = value
        while len(what) > MOST_HELD:
            what.popitem(last=False)

    def _lost(self, process: BaseProcess) -> None:
        """The process is gone: what waited for it is answered, and the next question begins another."""
        with self._changed:
            if process is self._process:  # and not because it was closed
                logger.error("the process that works out best play ended with %s", process.exitcode)
                self._process = None
            for sheet in list(self._waiting):
                self._finish(sheet, trouble())
            self._counted.update({sheet: NOTHING for sheet, outcomes in self._counted.items() if outcomes is None})
            self._weighed.update({asked: UNKNOWN for asked, chances in self._weighed.items() if chances is None})
            self._reviewed.update({game: trouble() for game, at in self._reviewed.items() if isinstance(at, float)})
