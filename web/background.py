"""Best play, worked out beside the page by a process of low priority. I/O: processes.

May know: the oracle, positions. What is solved lies in the data folder, where the page finds it at once, now and after
a restart; what is not is asked of the process, and the page is told how far the work is.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import random
import signal
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TypeVar

from scorekeeper import advice, outlook
from scorekeeper.oracle import Oracle
from scorekeeper.position import Position
from scorekeeper.refusal import Refusal, _
from scorekeeper.sheet import Sheet
from scorekeeper.simulate import Outcomes, play_out
from scorekeeper.solve import Layer, warm
from web.adviser import Advice, Working

logger = logging.getLogger(__name__)

PATIENCE = 0.05  # seconds that a page waits for what may need no work
MOST_HELD = 256  # sheets of which something is remembered
FEWEST_GAMES, MOST_GAMES = 50, 500  # counted for the chance of the bonus and the spread
COUNTING = 20.0  # seconds

T = TypeVar("T")


class Background:
    """An adviser whose tables are in this folder. The process begins with the first sheet that is not solved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._oracle = Oracle(folder, shipped=folder)  # what came with Kast is unpacked there by the process
        self._waiting: OrderedDict[Sheet, None] = OrderedDict()
        self._refused: OrderedDict[Sheet, Refusal] = OrderedDict()
        self._counted: OrderedDict[Sheet, Outcomes | None] = OrderedDict()  # None while it is, or cannot be
        self._changed = threading.Condition()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._shares: list[tuple[float, float]] = []  # of the work in hand: when, and what share was done

    def ask(self, position: Position) -> Advice | Working:
        after = self._after(position.sheet)
        return after if isinstance(after, Working) else _advise(position, after, self._count(position.sheet))

    def prepare(self, sheet: Sheet) -> Working | None:
        after = self._after(sheet)
        if isinstance(after, Working):
            return after
        self._count(sheet)
        return None

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
            if sheet not in self._waiting and sheet not in self._refused:
                self._waiting[sheet] = None
                self._tell((sheet, False))
            self._changed.wait_for(lambda: sheet not in self._waiting, PATIENCE)
            if sheet in self._waiting:
                return self._progress(sheet)
            if refusal := self._refused.pop(sheet, None):
                raise refusal
            if layer := self._oracle.known(sheet):
                return layer
        raise _trouble()

    def _count(self, sheet: Sheet) -> Outcomes | None:
        """How games from this sheet end, once the process has counted it."""
        with self._changed:
            if sheet not in self._counted:
                self._remember(self._counted, sheet, None)
                self._tell((sheet, True))
            return self._counted[sheet]

    def _progress(self, sheet: Sheet) -> Working:
        """How far the work is; that on a sheet which waits for others has not begun."""
        if next(iter(self._waiting)) != sheet or not self._shares:
            return Working(0.0)
        share = self._shares[-1][1]
        if len(self._shares) < 3:  # the first step may wait for the compiler: it says nothing of the others
            return Working(share)
        began, first = self._shares[1]
        return Working(share, (time.monotonic() - began) * (1 - share) / (share - first))

    def _tell(self, question: tuple[Sheet, bool]) -> None:
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
                    self._shares = [*self._shares[:2], (time.monotonic(), told)]
                elif isinstance(told[1], Outcomes):
                    self._remember(self._counted, *told)
                    self._changed.notify_all()
                else:
                    self._finish(*told)

    def _finish(self, sheet: Sheet, refusal: Refusal | None) -> None:
        self._waiting.pop(sheet, None)
        self._shares = []
        if refusal:
            self._remember(self._refused, sheet, refusal)
        self._changed.notify_all()

    @staticmethod
    def _remember(what: OrderedDict[Sheet, T], sheet: Sheet, value: T) -> None:
        what[sheet] = value
        while len(what) > MOST_HELD:
            what.popitem(last=False)

    def _lost(self, process: BaseProcess) -> None:
        """The process is gone: what waited for it is answered, and the next question begins another."""
        with self._changed:
            if process is self._process:  # and not because it was closed
                logger.error("the process that works out best play ended with %s", process.exitcode)
                self._process = None
            for sheet in list(self._waiting):
                self._finish(sheet, _trouble())


def _advise(position: Position, after: Layer, outcomes: Outcomes | None) -> Advice:
    sheet, roll, left = position.sheet, position.roll, position.left
    plays = advice.plays(sheet, roll, left, after)
    return Advice(
        tuple(plays),
        chances=outlook.chances(sheet, roll, left),
        bonus=outcomes.bonus if outcomes else None,
        spread=outcomes.spread if outcomes else None,
        games=len(outcomes.totals) if outcomes else None,
        marker=outlook.marker(sheet, roll, left, after, plays[0].value),
    )


def _trouble() -> Refusal:
    return Refusal(_("The best play cannot be worked out at the moment."))


def work(pipe: Connection, folder: Path) -> None:
    """Do what comes through the pipe, until it is closed: solve what a sheet asks for, or count how its games end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes the pipe
    if hasattr(os, "nice"):
        os.nice(10)
    os.environ["NUMBA_NUM_THREADS"] = str(max(1, (os.cpu_count() or 1) - 1))  # read when the solver is first needed
    oracle = Oracle(folder, lambda share: pipe.send(float(share)))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            sheet, only_count = pipe.recv()
            if not only_count:
                pipe.send((sheet, _make(oracle, sheet)))
                warm(sheet.rules)  # the next one may have to be solved
            elif outcomes := _play(oracle, sheet, pipe):
                pipe.send((sheet, outcomes))


def _make(oracle: Oracle, sheet: Sheet) -> Refusal | None:
    try:
        oracle.make(sheet)
    except Refusal as refusal:
        return refusal
    except (BrokenPipeError, ConnectionResetError):
        raise
    except Exception:  # one sheet that cannot be solved is no reason to stop
        logger.exception("a sheet could not be solved")
        return _trouble()
    return None


def _play(oracle: Oracle, sheet: Sheet, pipe: Connection) -> Outcomes | None:
    """How games from this sheet end: as many as there is time for, until another question comes. None for too few."""
    outcomes, dice, began = Outcomes((), 0), random.Random(), time.monotonic()  # noqa: S311, dice of a game
    while len(outcomes.totals) < MOST_GAMES and time.monotonic() - began < COUNTING and not pipe.poll():
        more = play_out(sheet, None, sheet.allowance - 1, oracle.known, partial(_throw, dice), 10)
        if more is None:
            return None
        outcomes = Outcomes(outcomes.totals + more.totals, outcomes.bonuses + more.bonuses)
    return outcomes if len(outcomes.totals) >= FEWEST_GAMES else None


def _throw(dice: random.Random, n: int) -> tuple[int, ...]:
    return tuple(dice.randint(1, 6) for _ in range(n))
