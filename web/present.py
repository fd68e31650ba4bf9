"""A game as the page shows it: rows and cells, tokens, places. Pure.

May know: the game; names only through a Language.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from scorekeeper.events import Amended, Reread, Rolled
from scorekeeper.game import Game
from scorekeeper.history import History
from scorekeeper.refusal import _
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.throws import last_throw
from web.words import Language


@dataclass(frozen=True)
class Cell:
    """One player's cell of a row.

    kind: open, choice (the roll gives `points` here), strike (it gives none), written, struck, crossed or sum.
    An open cell with 0 `points` may be filled, but shows nothing: the dice are not thrown, or no help is wanted. A sum
    without points is hidden until the end.
    beside: what was left of saved rerolls or throws after this box, None where they are not counted.
    corrected: whether somebody wrote here by hand.
    """

    kind: str
    points: int | None
    beside: int | None = None
    corrected: bool = False


@dataclass(frozen=True)
class Row:
    """One row of the sheet. kind: box, upper, bonus, extra or total."""

    kind: str
    key: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """A game and everything that its page asks about it."""

    id: str
    history: History

    @property
    def game(self) -> Game:
        return self.history.game

    @property
    def rules(self) -> RuleSet:
        return self.game.rules

    @property
    def seq(self) -> int:
        """The number that the next entry will have."""
        return len(self.history.entries)

    @property
    def active(self) -> int | None:
        """The player whose turn it is, None after the end."""
        return None if self.game.finished else self.game.turn

    @property
    def columns(self) -> tuple[int, ...]:
        """The players in the order of their turns, and after them those who have left."""
        order = self.game.order
        return (*order, *(player for player in range(len(self.game.players)) if player not in order))

    @property
    def has_begun(self) -> bool:
        """Whether somebody has thrown, or written."""
        return self.game.roll is not None or any(len(s.open) < len(self.rules.boxes) for s in self.game.sheets)

    @property
    def conceals(self) -> bool:
        """Whether nobody is shown a total for now."""
        return self.game.concealed and not self.game.finished

    @property
    def player(self) -> str:
        """The name of the player whose turn it is."""
        return self.game.players[self.game.turn]

    @property
    def is_advised(self) -> bool:
        """Whether the player whose turn it is wants to know what is best."""
        return self.game.is_advised(self.game.turn)

    @property
    def round(self) -> int:
        """Which turn this is for the player, from 1."""
        return min(len(self.rules.boxes), len(self.rules.boxes) - len(self.game.sheet.open) + 1)

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice on the table, as they were entered."""
        last = self.last_roll
        return last.dice if last and self.game.roll else ()

    @property
    def picture(self) -> str:
        """The name of the picture of the roll on the table."""
        return self.game.picture if self.game.roll else ""

    @property
    def roll_seq(self) -> int:
        """The number of the entry of the last throw, −1 before the first."""
        return last_throw(self.history)

    @property
    def last_roll(self) -> Rolled | Reread | None:
        """The dice that were entered last, or how they were corrected."""
        for seq in reversed(self.history.path):
            entry = self.history.entries[seq]
            if isinstance(entry, Rolled | Reread):
                return entry
        return None

    @property
    def last_was_throw(self) -> bool:
        """Whether the last thing done was a throw, or its correction."""
        return isinstance(self.history.entries[self.history.path[-1]], Rolled | Reread)

    @property
    def next_throws(self) -> range:
        """Which throw of the turn the next roll may be."""
        return range(self.game.throws + 1, self.game.sheet.allowance + 1)

    @property
    def all_throws(self) -> range:
        """Which throw of the turn the roll on the table may have been."""
        return range(1, self.game.sheet.allowance + 1)

    def tokens(self, player: int) -> int:
        """Saved rerolls, or throws of the budget, that the player has left now."""
        left = self.game.sheets[player].left
        return min(left, self.game.throws_left) if player == self.active else left

    @property
    def short_of_throws(self) -> tuple[int, int] | None:
        """Throws and open boxes that one more throw would leave, where those are too few for these."""
        if self.rules.budget is None or self.game.finished:
            return None
        throws, boxes = self.game.throws_left - 1, len(self.game.sheet.open) - 1
        return (max(throws, 0), boxes) if throws < boxes else None

    @property
    def undone(self) -> bool:
        """Whether there is something to do again."""
        return self.history.redo is not None

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The sheet from top to bottom."""
        rows = [Row("box", box.key, tuple(self._cell(p, box.key) for p in range(len(self.game.players))))
                for box in self.rules.boxes]  # fmt: skip
        upper = [place for place, box in enumerate(self.rules.boxes, start=1) if box.upper]
        if upper:
            sums = [self._sums("upper", lambda sheet: sheet.upper), self._sums("bonus", lambda sheet: sheet.bonus)]
            rows[upper[-1] : upper[-1]] = sums if self.rules.bonus.points else sums[:1]
        if self.rules.budget:
            rows.append(self._sums("extra", lambda sheet: sheet.extra))
        return (*rows, self._sums("total", lambda sheet: None if self.conceals else sheet.total))

    @cached_property
    def _corrected(self) -> set[tuple[int, str]]:
        entries = (self.history.entries[seq] for seq in self.history.path)
        return {(entry.player, entry.box) for entry in entries if isinstance(entry, Amended)}

    def _sums(self, kind: str, of: Callable[[Sheet], int | None]) -> Row:
        return Row(kind, "", tuple(Cell("sum", of(sheet)) for sheet in self.game.sheets))

    def _cell(self, player: int, key: str) -> Cell:
        sheet: Sheet = self.game.sheets[player]
        points = sheet.points(key)
        if points is not None:
            beside = sheet.beside[self.rules.index(key)] if self.rules.carries else None
            return Cell("written" if points else "struck", points, beside, (player, key) in self._corrected)
        if key in sheet.crossed:
            return Cell("crossed", None)
        if player == self.active and key in self.game.strikes:
            if not self.game.roll or self.game.help[player] == "none":
                return Cell("open", 0)
            due = self.game.choices[key]
            return Cell("choice" if due else "strike", due)
        return Cell("open", None)

    @property
    def ranking(self) -> list[tuple[int, str, int]]:
        """(place, name, total), first place first."""
        players = zip(self.game.places, self.game.players, self.game.sheets, strict=True)
        return sorted(((place, name, sheet.total) for place, name, sheet in players), key=lambda row: row[0])

    @property
    def roll_offs(self) -> list[list[tuple[str, int]]]:
        """The throws for the first place: in each, (name, die) of those who shared it still."""
        game, found = self.game, []
        for n, dice in enumerate(game.roll_offs):
            throwing = replace(game, roll_offs=game.roll_offs[:n]).first
            found.append([(game.players[player], die) for player, die in zip(throwing, dice, strict=True)])
        return found

    @property
    def winners(self) -> list[str]:
        """Who is first, or who share it."""
        return [name for place, name, _total in self.ranking if place == 1]


def together(names: list[str], language: Language) -> str:
    """“Anna, Bo and Cecilia”."""
    if len(names) < 2:
        return "".join(names)
    return language.say(_("{some} and {last}"), some=", ".join(names[:-1]), last=names[-1])
