"""Best play worked out dully, for small games: every ordered throw of every choice of dice, by plain recursion.

Shares nothing with the solver but the points of a box for a roll, which the second scorer checks.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import NamedTuple

from scorekeeper.dice import Roll
from scorekeeper.rules import Order, RuleSet

Scores = tuple[int | None, ...]  # points by box, None where it is open
Dice = tuple[int, ...]
EQUAL = 1e-5  # points; of plays no further apart rounding may prefer either


class DullSolver:
    """Expected final totals."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.turn = cache(self._turn)
        self.roll = cache(self._roll)

    def _turn(self, scores: Scores, carried: int) -> float:
        """Before the first throw of a turn."""
        if over := self.over(scores, carried):
            return over[0]
        return self.throw(scores, (), self.throws(carried) - 1)

    def throws(self, carried: int) -> int:
        """How many there are for the next turn."""
        return carried if self.rules.budget else self.rules.throws + carried

    def over(self, scores: Scores, carried: int) -> tuple[float, bool] | None:
        """The final total, and whether the bonus was earned; None where the game goes on."""
        budget = self.rules.budget
        opened = sum(points is None for points in scores)
        if opened and self.throws(carried):
            return None
        upper = sum(points or 0 for points, box in zip(scores, self.rules.boxes, strict=True) if box.upper)
        earned = upper >= self.rules.bonus.at
        extra = budget.value * (carried - opened) if budget else 0
        return sum(points or 0 for points in scores) + self.rules.bonus.points * earned + extra, earned

    def throw(self, scores: Scores, kept: Dice, left: int) -> float:
        """Before the dice that are not kept fall, after which so many throws are left."""
        fallen = self.fallen(kept)
        return sum(self.roll(scores, dice, left) for dice in fallen) / len(fallen)

    def fallen(self, kept: Dice) -> list[Dice]:
        """What may lie on the table once the other dice have fallen, every way as likely."""
        outcomes = product(range(1, 7), repeat=self.rules.dice - len(kept))
        return [tuple(sorted((*kept, *fallen))) for fallen in outcomes]

    def _roll(self, scores: Scores, dice: Dice, left: int) -> float:
        return max(self.plays(scores, dice, left).values())

    def plays(self, scores: Scores, dice: Dice, left: int) -> dict[object, float]:
        """By box key, or dice kept: what each play is worth."""
        found: dict[object, float] = {}
        for place, box in enumerate(self.rules.boxes):
            if self._may(scores, place):
                found[box.key] = self.turn(*self.written(scores, dice, left, place))
        if left:
            for chosen in product((False, True), repeat=len(dice)):
                kept = tuple(die for die, keep in zip(dice, chosen, strict=True) if keep)
                if len(kept) < len(dice):
                    found[kept] = self.throw(scores, kept, left - 1)
        return found

    def written(self, scores: Scores, dice: Dice, left: int, place: int) -> tuple[Scores, int]:
        """The sheet once the box at this place is filled, and the throws carried."""
        carries = self.rules.saves_rerolls or self.rules.budget is not None
        points = self.rules.boxes[place].score(Roll.of(*dice))
        return (*scores[:place], points, *scores[place + 1 :]), left if carries else 0

    def _may(self, scores: Scores, place: int) -> bool:
        opened = [n for n, points in enumerate(scores) if points is None]
        if self.rules.order == Order.FORCED:
            return place == opened[0]
        upper = [n for n in opened if self.rules.boxes[n].upper]
        return place in (upper if self.rules.order == Order.UPPER_FIRST and upper else opened)


class Bounds(NamedTuple):
    """Between what the mean square of the final total lies, and the chance of the bonus."""

    least_square: float
    most_square: float
    least_bonus: float
    most_bonus: float


class DullProspects:
    """How games end under best play, whichever of equally good plays are chosen."""

    def __init__(self, rules: RuleSet) -> None:
        self.best = DullSolver(rules)
        self.turn = cache(self._turn)
        self.roll = cache(self._roll)

    def _turn(self, scores: Scores, carried: int) -> Bounds:
        if over := self.best.over(scores, carried):
            total, earned = over
            return Bounds(total**2, total**2, earned, earned)
        return self.throw(scores, (), self.best.throws(carried) - 1)

    def throw(self, scores: Scores, kept: Dice, left: int) -> Bounds:
        fallen = self.best.fallen(kept)
        every = zip(*(self.roll(scores, dice, left) for dice in fallen), strict=True)
        return Bounds(*(sum(bound) / len(fallen) for bound in every))

    def _roll(self, scores: Scores, dice: Dice, left: int) -> Bounds:
        plays = self.best.plays(scores, dice, left)
        best = [what for what, value in plays.items() if value > max(plays.values()) - EQUAL]
        least, most, rarest, surest = zip(*(self._after(scores, dice, left, what) for what in best), strict=True)
        return Bounds(min(least), max(most), min(rarest), max(surest))

    def _after(self, scores: Scores, dice: Dice, left: int, what: object) -> Bounds:
        if isinstance(what, tuple):
            return self.throw(scores, what, left - 1)
        return self.turn(*self.best.written(scores, dice, left, self.best.rules.index(str(what))))


class DullContest(DullSolver):
    """The mean of what a final total is worth, where every play is made for that and not for points."""

    def __init__(self, rules: RuleSet, worth: Callable[[int], float]) -> None:
        super().__init__(rules)
        self.worth = worth

    def over(self, scores: Scores, carried: int) -> tuple[float, bool] | None:
        over = super().over(scores, carried)
        return over and (self.worth(int(over[0])), over[1])


class DullFinals:
    """Between which chances the final total is at least so much, whichever plays that are best for points are made."""

    def __init__(self, best: DullSolver, total: int) -> None:
        self.best, self.total = best, total
        self.turn = cache(self._turn)
        self.roll = cache(self._roll)

    def _turn(self, scores: Scores, carried: int) -> tuple[float, float]:
        if over := self.best.over(scores, carried):
            return (float(over[0] >= self.total),) * 2
        return self.throw(scores, (), self.best.throws(carried) - 1)

    def throw(self, scores: Scores, kept: Dice, left: int) -> tuple[float, float]:
        least, most = zip(*(self.roll(scores, dice, left) for dice in self.best.fallen(kept)), strict=True)
        return sum(least) / len(least), sum(most) / len(most)

    def _roll(self, scores: Scores, dice: Dice, left: int) -> tuple[float, float]:
        plays = self.best.plays(scores, dice, left)
        best = [what for what, value in plays.items() if value > max(plays.values()) - EQUAL]
        least, most = zip(*(self._after(scores, dice, left, what) for what in best), strict=True)
        return min(least), max(most)

    def _after(self, scores: Scores, dice: Dice, left: int, what: object) -> tuple[float, float]:
        if isinstance(what, tuple):
            return self.throw(scores, what, left - 1)
        return self.turn(*self.best.written(scores, dice, left, self.best.rules.index(str(what))))
