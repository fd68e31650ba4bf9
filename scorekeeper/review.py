"""A game looked back on: what the dice gave each player, and what the choices cost. Pure. May know: throws, advice.

Of every moment best play tells the expected final total. A throw changes it: that is luck. A choice can only lower it,
by what the best one was worth more: that is its cost. So, for each player and exactly,

    final total = expectation at the start + luck − costs + what was corrected by hand.

Only what is known is held against anybody. Which dice were kept is often known only by what lay there afterwards: of
all keeps that fit, the best one is taken to be meant. What happened before a throw that nobody showed is luck.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass

from scorekeeper.advice import After, Keep, Play, Write, keeps, parts, writes
from scorekeeper.dice import Roll, ladders
from scorekeeper.history import History
from scorekeeper.reach import State
from scorekeeper.sheet import Sheet
from scorekeeper.throws import Throw, Turn, turns

Find = Callable[[Sheet], After]  # what the sheets that a turn on a sheet can lead to are worth
_NOTHING = Throw(0, 0, 0, (), "")  # before the first throw of a turn


@dataclass(frozen=True, slots=True)
class Choice:
    """What was done after a throw of a turn (0: before the first), and what would have been best; values are expected
    final totals. sure: whether it is known what was done; else it is the best that fits."""

    throw: int
    dice: tuple[int, ...]
    taken: Play
    best: Play
    sure: bool = True

    @property
    def cost(self) -> float:
        """Points, 0 for what was as good as the best."""
        return max(self.best.value - self.taken.value, 0.0)


@dataclass(frozen=True, slots=True)
class Played:
    """A turn: the box that was filled, and the points.

    total: of the sheet after it. before, after: expected final totals. luck: points that its throws gave.
    shown: whether every throw was shown to Kast; what nobody saw counts as luck. corrected: points that corrections by
    hand, made since the player's turn before, have changed the expectation by.
    """

    round: int
    box: str
    points: int
    total: int
    before: float
    after: float
    luck: float
    choices: tuple[Choice, ...]
    shown: bool = True
    corrected: float = 0.0

    @property
    def cost(self) -> float:
        """Points that the choices of the turn cost."""
        return sum(choice.cost for choice in self.choices)


@dataclass(frozen=True)
class Account:
    """How one player's sheet came to its total.

    start: the total that best play expects of an empty sheet. corrected_last: points by corrections after the last
    turn.
    """

    start: float
    turns: tuple[Played, ...]
    total: int
    corrected_last: float = 0.0

    @property
    def luck(self) -> float:
        """Points that the dice gave, more than was to be expected, or fewer."""
        return sum(turn.luck for turn in self.turns)

    @property
    def cost(self) -> float:
        """Points that the choices cost, at least."""
        return sum(turn.cost for turn in self.turns)

    @property
    def corrected(self) -> float:
        """Points that corrections by hand brought."""
        return sum(turn.corrected for turn in self.turns) + self.corrected_last

    def worst(self, most: int, least: float) -> list[tuple[Played, Choice]]:
        """The choices that cost most, `least` points or more, with their turns; the dearest first."""
        found = [(turn, choice) for turn in self.turns for choice in turn.choices if choice.cost >= least]
        return sorted(found, key=lambda each: -each[1].cost)[:most]


def review(history: History, find: Find) -> Generator[float, None, tuple[Account, ...]]:
    """An account for each player, in their order; meanwhile the share that is done, 0 to 1."""
    ended = [turn for turn in turns(history) if turn.box]
    empty = Sheet.empty(history.game.rules)
    start, accounts, done = TurnWorth(empty, find(empty)).before, [], 0
    for player, sheet in enumerate(history.game.sheets):
        played, left, expected = list[Played](), empty, start
        for turn in ended:
            if turn.player == player:
                before, after = history.games[turn.seq - 1].sheets[player], history.games[turn.seq].sheets[player]
                worth = TurnWorth(before, find(before))
                corrected = worth.before - expected if before != left else 0.0
                played.append(worth.played(turn, after, expected + corrected, corrected))
                left, expected, done = after, played[-1].after, done + 1
                yield done / len(ended)
        last = sheet.total - expected if sheet.finished and sheet != left else 0.0
        accounts.append(Account(start, tuple(played), sheet.total, last))
    return tuple(accounts)


class TurnWorth:
    """What everything in a turn on a sheet is worth, as expected final totals."""

    def __init__(self, sheet: Sheet, after: After) -> None:
        self._sheet, self._after, self._steps = sheet, after, ladders(sheet.rules.dice)
        self._had = sum(points or 0 for points in sheet.scores)
        self._boxes = writes(sheet, sheet.allowance - 1, after)
        self._keeps = keeps(self._boxes, sheet.allowance, sheet.rules)

    @property
    def before(self) -> float:
        """Before the first throw."""
        return self._keep(Roll.of(), self._sheet.allowance).value

    def best(self, roll: Roll, left: int) -> Play:
        """The best play with so many throws left; of equals, writing before keeping."""
        here, carried = self._steps.place[roll], left if self._sheet.rules.carries else 0
        row = int(self._boxes[:, carried, here].argmax())
        box = self._sheet.rules.boxes[self._sheet.rules.index(self._sheet.legal[row])]
        write = Write(box.key, box.score(roll), self._had + float(self._boxes[row, carried, here]))
        if not left:
            return write
        keep = self._best_keep(parts(roll), left)
        return keep if keep.value > write.value else write

    def _best_keep(self, some: Iterable[Roll], left: int) -> Keep:
        return max((self._keep(part, left) for part in some), key=lambda keep: keep.value)

    def _keep(self, part: Roll, left: int) -> Keep:
        return Keep(part.dice, self._had + float(self._keeps[left - 1][self._steps.place[part]]))

    def kept(self, roll: Roll, next_throw: Throw, left: int) -> tuple[Keep, bool]:
        """What was kept of a roll before the next throw, with so many throws left, and whether that is known."""
        fallen, kept = Roll.of(*next_throw.dice), next_throw.kept
        if kept and kept in roll and kept in fallen and len(kept) < len(roll):
            return self._keep(Roll.of(*kept), left), True
        shared = Roll(tuple(map(min, roll.counts, fallen.counts)))  # type: ignore[arg-type]
        fitting = parts(roll) & {shared, *parts(shared)}
        return self._best_keep(fitting, left), len(fitting) == 1

    def written(self, box: str, points: int, after: Sheet) -> Write:
        """What the sheet is worth on which this was written."""
        state = State.of(after)
        value = float(self._after.at(state.filled)[state.carried, state.upper])
        return Write(box, points, sum(points or 0 for points in after.scores) + value)

    def played(self, turn: Turn, after: Sheet, value: float, corrected: float) -> Played:
        """The turn, as it led to the sheet `after`. value: what was expected before it."""
        before, luck, choices = value, 0.0, list[Choice]()
        last, left, shown, best = _NOTHING, 0, True, _to_throw(value)
        for throw in turn.throws:
            follows = throw.number == last.number + 1
            if last.number and follows:
                keep, sure = self.kept(Roll.of(*last.dice), throw, left)
                choices.append(Choice(last.number, last.dice, keep, best, sure))
                value = keep.value
            left, shown, last = self._sheet.allowance - throw.number, shown and follows, throw
            best = self.best(Roll.of(*throw.dice), left)
            if isinstance(best, Keep) and self._is_all_that_was_shown(turn):
                best, shown = self.best(Roll.of(*throw.dice), 0), False
            luck, value = luck + best.value - value, best.value
        written = self.written(turn.box, turn.points or 0, after)
        choices.append(Choice(last.number, last.dice, written, best))
        done, worth = (turn.round, turn.box, written.points, after.total), written.value
        return Played(*done, before, worth, luck, tuple(choices), shown, corrected)

    def _is_all_that_was_shown(self, turn: Turn) -> bool:
        """Whether the only throw of the turn may be its last: people who note down what they write show no other.

        Where throws are saved it counts which throw it was, and it is what was said.
        """
        return len(turn.throws) == 1 and turn.throws[0].source != "camera" and not self._sheet.rules.carries


def _to_throw(value: float) -> Play:
    """To throw all dice, before the first throw of a turn."""
    return Keep((), value)
