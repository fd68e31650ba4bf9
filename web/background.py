"""Best play, worked out beside the page: one process of low priority that answers questions in turn. I/O: processes.

May know: the oracle, positions. The page asks and is answered at once, if only with how far the work is.
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

from scorekeeper import advice
from scorekeeper.dice import Roll
from scorekeeper.oracle import Oracle
from scorekeeper.position import Position
from scorekeeper.refusal import Refusal, _
from scorekeeper.sheet import Sheet
from web.adviser import Advice, Working

logger = logging.getLogger(__name__)

PATIENCE = 0.05  # seconds that a page waits for an answer that may need no work
MOST_HELD = 256  # answers

Question = tuple[Sheet, Roll | None, int]
Answer = Advice | Refusal | None


class Background:
    """An adviser whose tables are in this folder. The process begins with the first question."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._answers: OrderedDict[Question, Answer] = OrderedDict()
        self._waiting: OrderedDict[Question, None] = OrderedDict()
        self._changed = threading.Condition()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._began, self._share = 0.0, 0.0

    def ask(self, position: Position) -> Advice | Working:
        answer = self._find((position.sheet, position.roll, position.left))
        assert answer
        return answer

    def prepare(self, sheet: Sheet) -> Working | None:
        answer = self._find((sheet, None, 0))
        return answer if isinstance(answer, Working) else None

    def close(self) -> None:
        with self._changed:
            process, self._process = self._process, None
        if process:
            process.terminate()
            process.join()

    def _find(self, question: Question) -> Advice | Working | None:
        with self._changed:
            if question not in self._answers and question not in self._waiting:
                self._send(question)
            self._changed.wait_for(lambda: question in self._answers, PATIENCE)
            if question not in self._answers:
                return self._progress(question)
            answer = self._answers[question]
            self._answers.move_to_end(question)
        if isinstance(answer, Refusal):
            raise answer
        return answer

    def _progress(self, question: Question) -> Working:
        """How far the work is; that on a question which waits for others has not begun."""
        if next(iter(self._waiting)) != question or not self._share:
            return Working(0.0)
        return Working(self._share, (time.monotonic() - self._began) * (1 - self._share) / self._share)

    def _send(self, question: Question) -> None:
        if not self._process:
            context = multiprocessing.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=work, args=(theirs, self._folder), daemon=True, name="kast adviser")
            self._process.start()
            theirs.close()
            threading.Thread(target=self._listen, args=(self._process, self._pipe), daemon=True).start()
        assert self._pipe
        if not self._waiting:
            self._began, self._share = time.monotonic(), 0.0
        self._waiting[question] = None
        with suppress(OSError):  # the process is gone, and the listener is about to say so
            self._pipe.send(question)

    def _listen(self, process: BaseProcess, pipe: Connection) -> None:
        while True:
            try:
                told = pipe.recv()
            except (EOFError, OSError):
                told = None
            with self._changed:
                if told is None:
                    return self._lost(process)
                if isinstance(told, float):
                    self._share = told
                else:
                    self._keep(*told)

    def _keep(self, question: Question, answer: Answer) -> None:
        self._waiting.pop(question, None)
        self._answers[question] = answer
        while len(self._answers) > MOST_HELD:
            self._answers.popitem(last=False)
        self._began, self._share = time.monotonic(), 0.0
        self._changed.notify_all()

    def _lost(self, process: BaseProcess) -> None:
        """The process is gone: what waited for it is answered, and the next question begins another."""
        if process is self._process:  # and not because it was closed
            logger.error("the process that works out best play ended with %s", process.exitcode)
            self._process = None
        for question in list(self._waiting):
            self._keep(question, Refusal(_("The best play cannot be worked out at the moment.")))


def work(pipe: Connection, folder: Path) -> None:
    """Answer what comes through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes the pipe
    if hasattr(os, "nice"):
        os.nice(10)
    oracle = Oracle(folder, lambda share: pipe.send(float(share)))
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            question = pipe.recv()
            pipe.send((question, _answer(oracle, *question)))


def _answer(oracle: Oracle, sheet: Sheet, roll: Roll | None, left: int) -> Answer:
    try:
        after = oracle.after(sheet)
        return Advice(tuple(advice.plays(sheet, roll, left, after))) if roll else None
    except Refusal as refusal:
        return refusal
    except OSError:
        raise
    except Exception:  # one position that cannot be solved is no reason to stop
        logger.exception("a position could not be solved")
        return Refusal(_("The best play cannot be worked out at the moment."))
