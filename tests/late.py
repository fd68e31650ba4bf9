"""A game near its end, where best play has a closed form: only the sixes are open, and no bonus can be reached."""

from __future__ import annotations

from scorekeeper import games
from scorekeeper.events import Amended, Begun
from scorekeeper.history import Entry


def entries(level: str) -> list[Entry]:
    """Anna's game: every box but the sixes is struck."""
    rules = games.find("yatzy")
    struck = [Amended(0, box.key, 0) for box in rules.boxes if box.key != "sixes"]
    return [Begun(rules, ("Anna",), (level,)), *struck]


def keeping_sixes(sixes: int, throws: int) -> float:
    """Expected sixes when those that lie are kept: each other die shows one with 1 − (5/6)^throws."""
    return 6 * (sixes + (5 - sixes) * (1 - (5 / 6) ** throws))
