"""Best play, worked out beside the page by a process of low priority. I/O: processes.

May know: the oracle, positions. What is solved lies in the data folder, where the page finds it at once, now and after
a restart; what is not is asked of the process, and the page is told how far the work is.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
import time
from collections import OrderedDict
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from scorekeeper import advice, outlook
from scorekeeper.oracle import Oracle
from scorekeeper.position import Position
from scorekeeper.refusal import Refusal, _
from scorekeeper.sheet import Sheet
from scorekeeper.solve import Layer
from web.adviser import Advice, Working

logger = logging.getLogger(__name__)

PATIENCE = 0.05  # seconds that a page waits for what may need no work
MOST_REFUSED = 256


class Background:
    """An adviser whose tables are in this folder. The process begins with the first sheet that is not solved."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._oracle = Oracle(folder, shipped=folder)  # what came with Kast is unpacked there by the process
        self._waiting: OrderedDict[Sheet, None] = OrderedDict()
        self._refused: OrderedDict[Sheet, Refusal] = OrderedDict()
        self._changed = threading.Condition()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._shares: list[tuple[float, float]] = []  # of the work in hand: when, and what share was done

    def ask(self, position: Position) -> Advice | Working:
        after = self._after(position.sheet)
        return after if isinstance(after, Working) else _advise(position, after)

    def prepare(self, sheet: Sheet) -> Working | None:
        after = self._after(sheet)
        return after if isinstance(after, Working) else None

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
                self._send(sheet)
            self._changed.wait_for(lambda: sheet not in self._waiting, PATIENCE)
            if sheet in self._waiting:
                return self._progress(sheet)
            if refusal := self._refused.pop(sheet, None):
                raise refusal
            if layer := self._oracle.known(sheet):
                return layer
        raise _trouble()

    def _progress(self, sheet: Sheet) -> Working:
        """How far the work is; that on a sheet which waits for others has not begun."""
        if next(iter(self._waiting)) != sheet or not self._shares:
            return Working(0.0)
        (began, first), (_now, share) = self._shares[0], self._shares[-1]
        if share == first:
            return Working(share)
        return Working(share, (time.monotonic() - began) * (1 - share) / (share - first))

    def _send(self, sheet: Sheet) -> None:
        if not self._process:
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs, self._folder), daemon=True, name="kast adviser")
            self._process.start()
            theirs.close()
            threading.Thread(target=self._listen, args=(self._process, self._pipe), daemon=True).start()
        assert self._pipe
        self._waiting[sheet] = None
        with suppress(OSError):  # the process is gone, and the listener is about to say so
            self._pipe.send(sheet)

    def _listen(self, process: BaseProcess, pipe: Connection) -> None:
        while True:
            try:
                told = pipe.recv()
            except (EOFError, OSError):
                return self._lost(process)
            with self._changed:
                if isinstance(told, float):
                    self._shares = [*self._shares[:1], (time.monotonic(), told)]
                else:
                    self._finish(*told)

    def _finish(self, sheet: Sheet, refusal: Refusal | None) -> None:
        self._waiting.pop(sheet, None)
        self._shares = []
        if refusal:
            self._refused[sheet] = refusal
            while len(self._refused) > MOST_REFUSED:
                self._refused.popitem(last=False)
        self._changed.notify_all()

    def _lost(self, process: BaseProcess) -> None:
        """The process is gone: what waited for it is answered, and the next question begins another."""
        with self._changed:
            if process is self._process:  # and not because it was closed
                logger.error("the process that works out best play ended with %s", process.exitcode)
                self._process = None
            for sheet in list(self._waiting):
                self._finish(sheet, _trouble())


def _advise(position: Position, after: Layer) -> Advice:
    sheet, roll, left = position.sheet, position.roll, position.left
    return Advice(
        tuple(advice.plays(sheet, roll, left, after)),
        chances=outlook.chances(sheet, roll, left),
        marker=outlook.marker(sheet, roll, left, after),
    )


def _trouble() -> Refusal:
    return Refusal(_("The best play cannot be worked out at the moment."))


def work(pipe: Connection, folder: Path) -> None:
    """Solve what the sheets that come through the pipe ask for, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes the pipe
    if hasattr(os, "nice"):
        os.nice(10)
    os.environ["NUMBA_NUM_THREADS"] = str(max(1, (os.cpu_count() or 1) - 1))  # read when the solver is first needed
    oracle = Oracle(folder, lambda share: pipe.send(float(share)))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            sheet = pipe.recv()
            pipe.send((sheet, _make(oracle, sheet)))


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
