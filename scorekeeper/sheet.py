"""One player's sheet: what is written, what may be written, totals. May know: rules."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from scorekeeper.refusal import _, demand
from scorekeeper.rules import Order, RuleSet

T = TypeVar("T")


@dataclass(frozen=True)
class Sheet:
    """Points by box, in the order of the rules; None where a box is open and 0 where it is struck.

    left: throws that the player carries to the next turn, which are saved rerolls or the rest of a budget.
    beside: what was left after each box was filled, as the sheet shows it beside the points.
    """

    rules: RuleSet
    scores: tuple[int | None, ...]
    beside: tuple[int | None, ...]
    left: int

    @classmethod
    def empty(cls, rules: RuleSet) -> Sheet:
        """The sheet before the first turn."""
        nothing = (None,) * len(rules.boxes)
        return cls(rules, nothing, nothing, rules.budget.throws if rules.budget else 0)

    @cached_property
    def open(self) -> tuple[str, ...]:
        """Keys of the boxes in which nothing is written."""
        return tuple(box.key for box, points in zip(self.rules.boxes, self.scores, strict=True) if points is None)

    @property
    def legal(self) -> tuple[str, ...]:
        """Keys of the open boxes that the order of the game lets one fill now."""
        match self.rules.order:
            case Order.FORCED:
                return self.open[:1]
            case Order.UPPER_FIRST:
                upper = {box.key for box in self.rules.boxes if box.upper}
                return tuple(key for key in self.open if key in upper) or self.open
            case Order.FREE:
                return self.open

    @property
    def allowance(self) -> int:
        """Throws that the next turn may use."""
        return self.rules.income + self.left

    @property
    def finished(self) -> bool:
        """Whether there is no further turn: every box filled, or no throw left for those that are open."""
        return not self.open or self.allowance == 0

    @property
    def crossed(self) -> tuple[str, ...]:
        """Keys of the boxes marked X: still open when the budget is gone."""
        return self.open if self.finished else ()

    @property
    def upper(self) -> int:
        """Sum of the upper boxes, without the bonus."""
        return sum(points or 0 for box, points in zip(self.rules.boxes, self.scores, strict=True) if box.upper)

    @property
    def bonus(self) -> int:
        """Points of the bonus: 0 below its limit."""
        return self.rules.bonus.points if self.upper >= self.rules.bonus.at else 0

    @property
    def extra(self) -> int:
        """What the budget pays or costs at the end: its value for each throw left, less that for each X."""
        if not self.rules.budget or not self.finished:
            return 0
        return self.rules.budget.value * (self.left - len(self.crossed))

    @property
    def total(self) -> int:
        """All points so far."""
        return sum(points or 0 for points in self.scores) + self.bonus + self.extra

    def points(self, key: str) -> int | None:
        """What is written in this box."""
        return self.scores[self.rules.index(key)]

    def write(self, key: str, points: int, throws: int) -> Sheet:
        """The sheet after a turn of so many throws; IllegalEvent where the rules do not allow it."""
        place = self.rules.index(key)
        demand(self.scores[place] is None, _("{box} is filled already."), box=key)
        demand(key in self.legal, _("{box} is not next: this game is played in order."), box=key)
        self._demand_attainable(key, points)
        demand(1 <= throws <= self.allowance, _("There are only {most} throws."), most=self.allowance)
        left = self.allowance - throws if self.rules.carries else 0
        return replace(self, scores=put(self.scores, place, points), beside=put(self.beside, place, left), left=left)

    def amend(self, key: str, points: int | None) -> Sheet:
        """The sheet with this box corrected by hand, None to open it again; IllegalEvent where that cannot be."""
        place = self.rules.index(key)
        if points is not None:
            self._demand_attainable(key, points)
        beside = self.beside if points is not None else put(self.beside, place, None)
        amended = replace(self, scores=put(self.scores, place, points), beside=beside)
        demand(amended._in_order(), _("This game is played in order: {box} cannot be changed like that."), box=key)
        return amended

    def _demand_attainable(self, key: str, points: int) -> None:
        demand(
            points in self.rules.attainable[key],
            _("{points} points cannot be in {box}."),
            points=points,
            box=key,
        )

    def _in_order(self) -> bool:
        """Whether the filled boxes could have been filled in the order of the game."""
        again = Sheet.empty(self.rules)
        for key, points in zip((box.key for box in self.rules.boxes), self.scores, strict=True):
            if points is not None:
                if key not in again.legal:
                    return False
                again = replace(again, scores=put(again.scores, self.rules.index(key), points))
        return True


def put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """The values with this one at this place."""
    return (*values[:place], value, *values[place + 1 :])
