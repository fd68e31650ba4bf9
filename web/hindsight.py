"""How a game went, as the page shows it: who was lucky, what choices cost, in words and lines. Pure.

May know: a game as the page shows it, the accounts of it; names only through a Language.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from scorekeeper.advice import Keep
from scorekeeper.refusal import _
from scorekeeper.review import Account, Choice
from web.adviser import Accounts
from web.plot import Plot, plot
from web.present import Table
from web.words import Language

TOGETHER = "\N{NO-BREAK SPACE}"
WORST, LEAST = 3, 0.5  # how many choices are shown that cost most, and points that such a choice costs at least
SEEN = 0.05  # points: a smaller correction is not spoken of


@dataclass(frozen=True)
class Mistake:
    """A choice that cost something: in which turn, the dice, what was done and what had been worth more, in words."""

    turn: int
    dice: tuple[int, ...]
    done: str
    better: str


@dataclass(frozen=True)
class Step:
    """A turn as a table shows it: all in words or figures."""

    turn: int
    box: str
    points: int
    total: int
    expected: str
    luck: str
    cost: str


@dataclass(frozen=True)
class Side:
    """Bars to both sides of a middle: luck and costs, as shares (−1 to 1) of the largest of all players."""

    luck: float
    cost: float


class Person:
    """One player's game."""

    def __init__(self, name: str, account: Account, rules: str, language: Language) -> None:
        self.name, self.account, self._rules, self._language = name, account, rules, language

    @property
    def total(self) -> int:
        return self.account.total

    @property
    def luck(self) -> str:
        """Points that the dice gave."""
        return self._signed(self.account.luck)

    @property
    def cost(self) -> str:
        """Points that the choices cost."""
        return self._signed(-self.account.cost)

    @property
    def corrected(self) -> str:
        """Points by corrections, nothing where there are none."""
        return self._signed(self.account.corrected) if abs(self.account.corrected) >= SEEN else ""

    @property
    def expected(self) -> list[float]:
        """The expected final total, before the first turn and after each."""
        return [self.account.start, *(turn.after for turn in self.account.turns)]

    @cached_property
    def plot(self) -> Plot:
        """Points so far, and what best play expected the final total to be."""
        say = self._language.say
        so_far = [0, *(turn.total for turn in self.account.turns)]
        lines = [(say(_("expected")), self.expected), (say(_("so far")), [float(total) for total in so_far])]
        return plot(lines, 150, len(self.account.turns))

    @property
    def steps(self) -> list[Step]:
        """Every turn."""
        number = self._language.number
        return [
            Step(
                turn.round, self._box(turn.box), turn.points, turn.total, number(turn.after), self._signed(turn.luck),
                self._signed(-turn.cost),
            )
            for turn in self.account.turns
        ]  # fmt: skip

    @property
    def mistakes(self) -> list[Mistake]:
        """The choices that cost most, the dearest first."""
        worst = self.account.worst(WORST, LEAST)
        return [Mistake(turn.round, choice.dice, self._done(choice), self._better(choice)) for turn, choice in worst]

    def _done(self, choice: Choice) -> str:
        say, taken = self._language.say, choice.taken
        if isinstance(taken, Keep):
            template = _("{name} kept {dice}.") if taken.dice else _("{name} threw all dice again.")
            return say(template, name=self.name, dice=TOGETHER.join(map(str, taken.dice)))
        template = _("{name} wrote {points} in {box}.") if taken.points else _("{name} struck {box}.")
        return say(template, name=self.name, points=taken.points, box=self._box(taken.box))

    def _better(self, choice: Choice) -> str:
        points, best = self._language.number(choice.cost), choice.best
        if isinstance(best, Keep):
            template = _("Keeping {dice} would have been worth {points} points more.")
            if not best.dice:
                template = _("Throwing all dice would have been worth {points} points more.")
            return self._language.say(template, dice=TOGETHER.join(map(str, best.dice)), points=points)
        template = _("Writing {score} in {box} would have been worth {points} points more.")
        if not best.points:
            template = _("Striking {box} would have been worth {points} points more.")
        return self._language.say(template, score=best.points, box=self._box(best.box), points=points)

    @property
    def unseen(self) -> int:
        """Turns in which not every throw was shown."""
        return sum(not turn.shown for turn in self.account.turns)

    @property
    def guessed(self) -> bool:
        """Whether it is not known of some choice what was kept, and that matters."""
        choices = [choice for turn in self.account.turns for choice in turn.choices]
        return any(not choice.sure and choice.taken != choice.best for choice in choices)

    def _box(self, key: str) -> str:
        return self._language.box(self._rules, key)

    def _signed(self, points: float) -> str:
        text = self._language.number(abs(points))
        zero = text == self._language.number(0)
        return text if zero else f"{'+' if points > 0 else '−'}{text}"


class Hindsight:
    """The whole game."""

    def __init__(self, table: Table, accounts: Accounts, language: Language) -> None:
        game = table.game
        staying = sorted(game.order, key=lambda player: game.places[player])
        self.people = [Person(game.players[p], accounts[p], table.rules.key, language) for p in staying]
        self.start = language.number(self.people[0].account.start)

    @cached_property
    def plot(self) -> Plot:
        """The expected final total of everybody, turn by turn."""
        lines = [(person.name, person.expected) for person in self.people]
        return plot(lines, 220, max(len(person.account.turns) for person in self.people))

    @property
    def sides(self) -> list[Side]:
        """Luck and costs of everybody, to be compared."""
        accounts = [person.account for person in self.people]
        most = max(1.0, *(max(abs(account.luck), account.cost) for account in accounts))
        return [Side(account.luck / most, -account.cost / most) for account in accounts]

    @property
    def corrected(self) -> bool:
        """Whether somebody corrected something."""
        return any(person.corrected for person in self.people)
