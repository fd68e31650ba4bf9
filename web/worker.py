"""The process beside the page: solves what a sheet asks for, and counts how its games end. I/O: a pipe, the clock.

May know: the oracle, simulated games.
"""

from __future__ import annotations

import logging
import os
import random
import signal
import time
import zlib
from collections.abc import Generator
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import numpy as np

from scorekeeper import contest, notation
from scorekeeper.advice import After
from scorekeeper.history import History, replay
from scorekeeper.oracle import Oracle
from scorekeeper.reach import State, seconds
from scorekeeper.refusal import Refusal, _
from scorekeeper.review import review
from scorekeeper.sheet import Sheet
from scorekeeper.simulate import Draw, Outcomes, play_out
from scorekeeper.solve import SPREAD, VALUES, warm
from web import journal
from web.adviser import Accounts

logger = logging.getLogger(__name__)

FEWEST_GAMES, MOST_GAMES, AT_ONCE = 50, 500, 10
COUNTING = 20.0  # seconds of work on the games of one sheet
AHEAD = 6.0  # seconds that one core may take to solve a game to its end, only so that its end can be told
SPREAD_COSTS = 2  # times the work
NOTHING = Outcomes((), 0)
UNKNOWN = np.empty(0)  # what `contest.chances` says where it cannot say anything
GONE = (EOFError, BrokenPipeError, ConnectionResetError)  # the page is not there any more


Game = tuple[str, int]  # its id, and the number of its last entry that matters


class Inquiry(NamedTuple):
    """A game that is over is to be looked back on.

    entries: of the game, packed: nobody reads the pipe while something is compiled, and it does not hold much.
    The answers: the game with shares of that; then with the accounts, or a refusal.
    """

    game: Game
    entries: bytes

    @classmethod
    def about(cls, game: Game, history: History) -> Inquiry:
        """The question that the worker is sent."""
        return cls(game, zlib.compress("\n".join(map(notation.write, history.entries)).encode()))

    @property
    def history(self) -> History:
        """The game."""
        return replay(map(notation.read, zlib.decompress(self.entries).decode().split("\n")))


class Question(NamedTuple):
    """What follows a sheet is to be solved; or only, once it is, games from there are to be counted; or only the chance
    to end ahead of others is to be worked out, where these are named.

    The answers: shares of what is being solved; the sheet, with a refusal or None, once it is; the sheet and its games;
    the sheet with the others, and what `contest.chances` says of them.
    """

    sheet: Sheet
    only_count: bool = False
    others: tuple[Sheet | int, ...] = ()


def trouble() -> Refusal:
    """What is said when something fails that should not."""
    return Refusal(_("The best play cannot be worked out at the moment."))


def work(pipe: Connection, folder: Path) -> None:
    """Answer what comes through the pipe, until it is closed."""
    journal.set_up()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which closes the pipe
    if hasattr(os, "nice"):
        os.nice(10)  # every core solves, and the page comes first
    with suppress(*GONE):
        Worker(pipe, folder).run()


class Worker:
    """What is quick to solve goes first, even in the middle of what takes long; then what takes long; then games that
    are over; then games to be simulated."""

    def __init__(self, pipe: Connection, folder: Path) -> None:
        self._pipe, self._oracle = pipe, Oracle(folder, self._progress)
        self._long: list[Sheet] = []
        self._counts: dict[Sheet, Count] = {}
        self._reviews: dict[Game, Generator[float, None, Accounts]] = {}

    def run(self) -> None:
        """Go on until the pipe is closed, which raises one of GONE."""
        while True:
            if self._pipe.poll() or not (self._long or self._reviews or self._counts):
                self._take(self._pipe.recv())
            elif self._long:
                self._solve(self._long.pop(0))
            elif self._reviews:
                self._look_back(*self._reviews.popitem())
            else:
                self._count(*self._counts.popitem())  # the latest

    def _take(self, question: Question | Inquiry) -> None:
        if isinstance(question, Inquiry):
            self._reviews[question.game] = review(question.history, self._find)
        elif question.others:
            self._weigh(question.sheet, question.others)
        elif question.only_count:
            self._counts[question.sheet] = Count(self._oracle, question.sheet)
        elif self._is_quick(question.sheet):
            self._solve(question.sheet)
        else:
            self._long.append(question.sheet)

    def _is_quick(self, sheet: Sheet) -> bool:
        try:
            return self._oracle.is_quick(sheet)
        except Refusal:
            return True  # that it cannot be is said at once

    def _progress(self, share: float) -> None:
        self._pipe.send(float(share))
        while self._pipe.poll():
            self._take(self._pipe.recv())

    def _solve(self, sheet: Sheet) -> None:
        refusal: Refusal | None = None
        try:
            self._oracle.make(sheet)
        except Refusal as error:
            refusal = error
        except GONE:
            raise
        except Exception:  # one sheet that cannot be solved is no reason to stop
            logger.exception("a sheet could not be solved")
            refusal = trouble()
        self._pipe.send((sheet, refusal))
        warm(sheet.rules)  # the next one may have to be solved

    def _weigh(self, sheet: Sheet, others: tuple[Sheet | int, ...]) -> None:
        chances = UNKNOWN
        try:
            chances = contest.chances(sheet, [contest.finals(other) for other in others])
        except Refusal:
            pass  # too large: the advice goes without
        except Exception:  # and so it does here
            logger.exception("a chance to end ahead could not be worked out")
        self._pipe.send(((sheet, others), chances))

    def _find(self, sheet: Sheet) -> After:
        self._oracle.make(sheet)
        return self._oracle.after(sheet)

    def _look_back(self, game: Game, steps: Generator[float, None, Accounts]) -> None:
        told: float | Accounts | Refusal
        try:
            told = next(steps)
            self._reviews[game] = steps
        except StopIteration as end:
            told = end.value
        except Refusal as error:
            told = error
        except GONE:
            raise
        except Exception:  # the game itself is whole
            logger.exception("a game could not be looked back on")
            told = trouble()
        self._pipe.send((game, told))

    def _count(self, sheet: Sheet, count: Count) -> None:
        goes_on = False
        try:
            goes_on = count.go_on()
        except GONE:
            raise
        except Exception:  # a disk that is full, for instance: advice needs no games
            logger.exception("games could not be counted")
        if goes_on:
            self._counts[sheet] = count
        else:
            self._pipe.send((sheet, count.outcomes))


class Count:
    """How games from a sheet end, a few at a time."""

    def __init__(self, oracle: Oracle, sheet: Sheet) -> None:
        self._oracle, self._sheet, self._dice = oracle, sheet, random.Random()  # noqa: S311, dice of a game
        self._played, self._spent, self._is_ready = NOTHING, 0.0, False

    @property
    def outcomes(self) -> Outcomes:
        """The games so far, none where they are too few to tell anything."""
        return self._played if len(self._played.totals) >= FEWEST_GAMES else NOTHING

    def go_on(self) -> bool:
        """Play some more games; False once there are enough, time is up, or they cannot be played."""
        if not self._is_ready:
            self._is_ready = True
            self._solve_ahead()
            return True
        began, more = time.process_time(), self._play(AT_ONCE, self._draw)
        if more is None:
            return False
        self._spent += time.process_time() - began
        self._played += more
        return len(self._played.totals) < MOST_GAMES and self._spent < COUNTING

    def _play(self, games: int, draw: Draw | None = None) -> Outcomes | None:
        sheet, throw = self._sheet, partial(_throw, self._dice)
        return play_out(sheet, None, sheet.allowance - 1, self._oracle.known, throw, games, draw)

    def _draw(self, sheet: Sheet) -> tuple[int, bool] | None:
        ends = self._oracle.ends(sheet)
        return ends.draw(sheet.rules.bonus.points, self._dice.random(), self._dice.gauss()) if ends else None

    def _solve_ahead(self) -> None:
        """Solve the game to its end where that is quick, and with how far from the mean it ends where that is, too."""
        work = seconds(self._sheet.rules, State.of(self._sheet))
        planes = SPREAD if work * SPREAD_COSTS <= AHEAD else VALUES
        if work <= AHEAD and not (self._oracle.known(self._sheet, planes) and self._play(1)):
            self._oracle.make_cone(self._sheet, planes)


def _throw(dice: random.Random, n: int) -> tuple[int, ...]:
    return tuple(dice.randint(1, 6) for _ in range(n))
