"""Keeps the book of a recorded game dully, beside the second scorer: every line is looked up from the beginning.

Like the second scorer it imports nothing of the scorekeeper. Where a line breaks the printed rules an assertion fails.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests import dull_scorer
from tests.recorded import End, Happening, Recorded, Turn


@dataclass
class Seat:
    name: str
    left: int
    sheet: dict[str, int] = field(default_factory=dict)
    beside: dict[str, int | None] = field(default_factory=dict)


class Book:
    """The players' sheets after the acts that were not undone."""

    def __init__(self, recorded: Recorded) -> None:
        self.game, self.options = recorded.game, recorded.options
        self.names = recorded.players
        self.done: list[tuple[str, list[str], list[int]]] = []
        self.undone: list[tuple[str, list[str], list[int]]] = []
        self.look_up()

    def read(self, line: Turn | Happening) -> None:
        """Take down one line of the record."""
        if isinstance(line, Turn):
            assert self.seats[self.turn].name == line.player, f"it is not the turn of {line.player}"
            for number, throw in enumerate(line.throws or (), start=1):
                if throw is not None:
                    self.act("throw", [], [number, *throw.dice])
            self.act("score", [line.player, line.box], [line.points])
            assert self.named(line.player).beside[line.box] == line.beside, f"beside {line}"
        elif line.what == "undo":
            self.undone.append(self.done.pop())
        elif line.what == "redo":
            self.done.append(self.undone.pop())
        elif line.what == "amend":
            name, box, points = line.words
            self.act("amend", [name, box], [] if points == "open" else [int(points)])
        elif line.what == "reread":
            self.act("reread", [], [int(die) for die in line.words])
        else:
            self.act(line.what, [word for word in line.words if word != "to"], [])
        self.look_up()

    def act(self, what: str, words: list[str], numbers: list[int]) -> None:
        self.done.append((what, words, numbers))
        self.undone = []
        self.look_up()

    def look_up(self) -> None:
        """Go through everything that was done, from the beginning."""
        self.seats = [Seat(name, dull_scorer.starts_with(self.game, self.options)) for name in self.names]
        self.turn, self.throws, self.dice = 0, 0, list[int]()
        for what, words, numbers in self.done:
            if what == "throw":
                assert numbers[0] > self.throws
                self.throws, self.dice = numbers[0], numbers[1:]
            elif what == "reread":
                self.dice = numbers
            elif what == "score":
                self.score(self.seats[self.turn], words[1], numbers[0])
            elif what == "amend":
                self.amend(self.named(words[0]), words[1], numbers)
            elif what == "join":
                self.seats.append(Seat(words[0], dull_scorer.starts_with(self.game, self.options)))
            elif what == "rename":
                self.named(words[0]).name = words[1]
            else:
                raise KeyError(what)

    def score(self, seat: Seat, box: str, points: int) -> None:
        assert box in dull_scorer.legal(self.options, self.game, seat.sheet), f"{box} is not open or not next"
        if self.dice:
            due = dull_scorer.box_points(self.game, self.options, box, self.dice)
            assert points in (due, 0), f"{self.dice} give {due} in {box}"
        else:
            assert self.game == "stratzy", "dice must be thrown"
            assert points == 0, "without dice a box can only be struck"
        throws = max(self.throws, 1)
        assert throws <= dull_scorer.throws_allowed(self.game, seat.left), f"{throws} throws are too many"
        seat.sheet[box] = points
        seat.beside[box] = dull_scorer.left_after(self.game, self.options, seat.left, throws)
        seat.left = seat.beside[box] or 0
        self.throws, self.dice = 0, []
        self.pass_on(self.turn + 1)

    def amend(self, seat: Seat, box: str, points: list[int]) -> None:
        if points:
            seat.sheet[box] = points[0]
        else:
            del seat.sheet[box], seat.beside[box]

    def pass_on(self, to: int) -> None:
        """The turn goes to the next one who still has a box open and, in Stratzy, a throw."""
        for step in range(len(self.seats)):
            seat = (to + step) % len(self.seats)
            if not self.finished(self.seats[seat]):
                self.turn = seat
                return

    def finished(self, seat: Seat) -> bool:
        full = len(seat.sheet) == len(dull_scorer.SHEETS[self.game])
        return full or (self.game == "stratzy" and seat.left == 0)

    def named(self, name: str) -> Seat:
        return next(seat for seat in self.seats if seat.name == name)

    def ends(self) -> tuple[End, ...]:
        """What stands under the sheets."""
        totals = [dull_scorer.total(self.game, self.options, seat.sheet, seat.left) for seat in self.seats]
        ends = []
        for seat, total, place in zip(self.seats, totals, dull_scorer.places(totals), strict=True):
            sums = {
                "upper": dull_scorer.upper_sum(seat.sheet),
                "bonus": dull_scorer.bonus(self.game, self.options, seat.sheet),
                "extra": dull_scorer.extra(self.game, self.options, seat.sheet, seat.left),
                "total": total,
            }
            crossed = [box for box in dull_scorer.SHEETS[self.game] if box not in seat.sheet]
            ends.append(End(seat.name, sums, place, tuple(crossed)))
        return tuple(ends)
