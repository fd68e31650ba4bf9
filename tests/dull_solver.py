"""Best play worked out dully, for small games: every ordered throw of every choice of dice, by plain recursion.

Shares nothing with the solver but the points of a box for a roll, which the second scorer checks.
"""

from functools import cache
from itertools import product

from scorekeeper.dice import Roll
from scorekeeper.rules import Order, RuleSet


class DullSolver:
    """Expected final totals; a sheet is a tuple of points, None where a box is open."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.turn = cache(self._turn)
        self.roll = cache(self._roll)

    def _turn(self, scores: tuple[int | None, ...], carried: int) -> float:
        """Before the first throw of a turn."""
        budget = self.rules.budget
        opened = sum(points is None for points in scores)
        throws = carried if budget else self.rules.throws + carried
        if opened == 0 or throws == 0:
            upper = sum(points or 0 for points, box in zip(scores, self.rules.boxes, strict=True) if box.upper)
            bonus = self.rules.bonus.points if upper >= self.rules.bonus.at else 0
            extra = budget.value * (carried - opened) if budget else 0
            return sum(points or 0 for points in scores) + bonus + extra
        return self.throw(scores, (), throws - 1)

    def throw(self, scores: tuple[int | None, ...], kept: tuple[int, ...], left: int) -> float:
        """Before the dice that are not kept fall, after which so many throws are left."""
        outcomes = list(product(range(1, 7), repeat=self.rules.dice - len(kept)))
        return sum(self.roll(scores, tuple(sorted((*kept, *fallen))), left) for fallen in outcomes) / len(outcomes)

    def _roll(self, scores: tuple[int | None, ...], dice: tuple[int, ...], left: int) -> float:
        return max(self.plays(scores, dice, left).values())

    def plays(self, scores: tuple[int | None, ...], dice: tuple[int, ...], left: int) -> dict[object, float]:
        """By box key, or dice kept: what each play is worth."""
        found: dict[object, float] = {}
        carries = self.rules.saves_rerolls or self.rules.budget is not None
        for place, box in enumerate(self.rules.boxes):
            if self._may(scores, place):
                points = box.score(Roll.of(*dice))
                written = (*scores[:place], points, *scores[place + 1 :])
                found[box.key] = self.turn(written, left if carries else 0)
        if left:
            for chosen in product((False, True), repeat=len(dice)):
                kept = tuple(die for die, keep in zip(dice, chosen, strict=True) if keep)
                if len(kept) < len(dice):
                    found[kept] = self.throw(scores, kept, left - 1)
        return found

    def _may(self, scores: tuple[int | None, ...], place: int) -> bool:
        opened = [n for n, points in enumerate(scores) if points is None]
        if self.rules.order == Order.FORCED:
            return place == opened[0]
        upper = [n for n in opened if self.rules.boxes[n].upper]
        return place in (upper if self.rules.order == Order.UPPER_FIRST and upper else opened)
