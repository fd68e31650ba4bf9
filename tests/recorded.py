"""Reads the golden text files: tables whose cells stand between bars, and whole games as a family would note them.

A game begins with its rules and its players. Then every line is a turn,

    Anna | 2 3 5 5 6; 5 5 + 1 4 5; ?; 5 5 5 + 5 2 | four-alike 20 | 1

who threw | the throws, in each the dice that were kept + those that were thrown, or ? where nobody saw it, or - where
no dice were thrown, or = where the dice of the last throw still lie | what is written | what then stands beside it;
or something else that happens: undo, redo, reread DICE, join NAME, rename NAME to NAME, amend NAME BOX POINTS (or
open). At the end stands a line for each player, with the boxes marked X last:

    end Anna | upper 63, bonus 50, extra 0, total 263 | place 1 | sixes chance
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Throw:
    kept: tuple[int, ...]
    dice: tuple[int, ...]


@dataclass(frozen=True)
class Turn:
    """`throws` is None where the dice of the last throw still lie; a throw is None where nobody saw it."""

    player: str
    throws: tuple[Throw | None, ...] | None
    box: str
    points: int
    beside: int | None


@dataclass(frozen=True)
class Happening:
    """Anything but a turn: its first word, and the others."""

    what: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class End:
    player: str
    sums: dict[str, int]
    place: int
    crossed: tuple[str, ...]


@dataclass(frozen=True)
class Recorded:
    game: str
    options: dict[str, str]
    players: tuple[str, ...]
    lines: tuple[Turn | Happening, ...]
    ends: tuple[End, ...]


def table(name: str) -> list[list[str]]:
    """The rows of a golden file, cell by cell."""
    return [[cell.strip() for cell in line.split("|")] for line in _lines(GOLDEN / name)]


def rules(text: str) -> tuple[str, dict[str, str]]:
    """Game and options: `yatzy order=forced`."""
    game, *options = text.split()
    return game, dict(option.split("=") for option in options)


def dice(text: str) -> tuple[int, ...]:
    return tuple(int(die) for die in text.split())


def amounts(text: str) -> dict[str, int]:
    """Named numbers: `upper 63, bonus 50`."""
    pairs = [item.split() for item in text.split(",")]
    return {name: int(amount) for name, amount in pairs}


def games() -> list[Path]:
    return sorted((GOLDEN / "games").glob("*.txt"))


def load(path: Path) -> Recorded:
    """The game that stands in this file."""
    first, second, *rest = _lines(path)
    game, options = rules(first.removeprefix("game:"))
    players = tuple(name.strip() for name in second.removeprefix("players:").split(","))
    lines = tuple(_line(line) for line in rest if not line.startswith("end "))
    ends = tuple(_end(line) for line in rest if line.startswith("end "))
    return Recorded(game, options, players, lines, ends)


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line.strip() and not line.startswith("#")]


def _line(line: str) -> Turn | Happening:
    if "|" not in line:
        what, *words = line.split()
        return Happening(what, tuple(words))
    player, throws, written, beside = (cell.strip() for cell in line.split("|"))
    box, points = written.split()
    return Turn(player, _throws(throws), box, int(points), int(beside) if beside else None)


def _throws(text: str) -> tuple[Throw | None, ...] | None:
    if text == "=":
        return None
    if text == "-":
        return ()
    return tuple(_throw(throw.strip()) for throw in text.split(";"))


def _throw(text: str) -> Throw | None:
    if text == "?":
        return None
    kept, _plus, thrown = text.rpartition("+")
    return Throw(dice(kept), dice(kept) + dice(thrown))


def _end(line: str) -> End:
    player, sums, place, crossed = (cell.strip() for cell in line.removeprefix("end ").split("|"))
    return End(player, amounts(sums), int(place.removeprefix("place ")), tuple(crossed.split()))
