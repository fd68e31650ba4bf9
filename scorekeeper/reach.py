"""The sheets that can come after one, counted before they are solved. May know: rules, totals.

A sheet matters only through the boxes filled, the upper total up to the limit of the bonus, and the throws carried:
rerolls saved, or the rest of a budget.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scorekeeper.dice import ladders
from scorekeeper.refusal import _, check
from scorekeeper.rules import Order, RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.totals import ABREAST, Ints, Totals, find, reached, upper_boxes

MOST_SETS = 400_000  # sets of filled boxes in a layer; twenty boxes in free order have 184,756
MOST_VALUES = 600_000_000  # values of a layer, held two at a time: 5 GB
STEPS_A_SECOND = 350_000_000  # about what a core does of `Sheets.steps`


@dataclass(frozen=True, slots=True)
class State:
    """A sheet as far as it matters to what is still to come: bits of the filled boxes, upper total, throws carried."""

    filled: int
    upper: int
    carried: int

    @classmethod
    def of(cls, sheet: Sheet) -> State:
        """The state of a sheet before a turn."""
        filled = sum(1 << place for place, points in enumerate(sheet.scores) if points is not None)
        return cls(filled, min(sheet.upper, sheet.rules.bonus.at), sheet.left)

    def reaches(self, other: State, rules: RuleSet) -> bool:
        """Whether the other state can come after this one, or is this one."""
        since = other.filled ^ self.filled
        return (
            other.filled & self.filled == self.filled
            and other.carried <= most_carried(rules, self, since.bit_count())
            and other.upper in reached(rules, self.upper, since)
        )


@dataclass(frozen=True, eq=False)
class Sheets:
    """Sheets with equally many boxes filled.

    sets: (n,) bits of the filled boxes, rising. carried: how many amounts of throws, 0 included, a sheet may carry.
    totals: the upper totals that matter. upper: bits of the upper boxes. par: points that the open boxes bring, about.
    """

    sets: Ints
    carried: int
    totals: Totals
    upper: int
    par: int

    @cached_property
    def parts(self) -> Ints:
        """(n,) the row of the totals for each set."""
        return np.searchsorted(self.totals.parts, self.sets & self.upper)

    @cached_property
    def begins(self) -> Ints:
        """(n + 1,) where the table (carried, totals that matter) of each set begins, and where the last one ends."""
        return np.concatenate([[0], np.cumsum(self.carried * self.totals.counts[self.parts])])

    @property
    def size(self) -> int:
        """How many sheets there are that matter."""
        return int(self.begins[-1])

    def steps(self, rules: RuleSet) -> int:
        """The arithmetic of solving them: keeps, of vectors of totals, of throws left in the turn."""
        vectors = int(np.sum(-(-self.totals.counts[self.parts] // ABREAST)))
        return vectors * (rules.income + self.carried - 1) * len(ladders(rules.dice).keeps)

    def place(self, filled: int) -> int:
        """Where this set of filled boxes is; KeyError where it is not there."""
        place = int(np.searchsorted(self.sets, filled))
        if place == len(self.sets) or self.sets[place] != filled:
            raise KeyError(filled)
        return place


def ahead(rules: RuleSet, start: State) -> list[Sheets]:
    """By turn from `start`, the sheets that can come. BadRules where they are more than a home computer can hold."""
    found = [_sheets(rules, start, turn, sets) for turn, sets in enumerate(_sets(rules, start.filled))]
    _demand_room(rules, max(sheets.size for sheets in found) <= MOST_VALUES)
    return found


def seconds(rules: RuleSet, start: State) -> float:
    """About how long one core works on all that can come after `start`."""
    return sum(sheets.steps(rules) for sheets in ahead(rules, start)[:-1]) / STEPS_A_SECOND  # full sheets take none


def sheets_of(rules: RuleSet, start: State, sets: Ints) -> Sheets:
    """The sheets with one of these sets of boxes filled, all equally many, that can come after `start`."""
    return _sheets(rules, start, int(sets[0]).bit_count() - start.filled.bit_count(), sets)


def _sheets(rules: RuleSet, start: State, turn: int, sets: Ints) -> Sheets:
    upper = upper_boxes(rules)
    totals = find(rules, np.unique(sets & upper), start.filled, start.upper)
    opened = len(rules.boxes) - int(sets[0]).bit_count()
    return Sheets(sets, most_carried(rules, start, turn) + 1, totals, upper, par(rules) * opened)


def par(rules: RuleSet) -> int:
    """About what a box brings under best play. Values are kept relative to it: small numbers have more exact digits."""
    return round(0.8 * sum(max(points) for points in rules.attainable.values()) / len(rules.boxes))


def most_carried(rules: RuleSet, start: State, turns: int) -> int:
    """The most throws that can be carried after so many turns: a turn takes at least one."""
    return max(start.carried + (rules.income - 1) * turns, 0) if rules.carries else 0


def legal(rules: RuleSet, sets: Ints) -> Ints:
    """(n,) bits of the boxes that may be filled next, for bits of filled boxes (n,)."""
    opened = ((1 << len(rules.boxes)) - 1) & ~sets
    match rules.order:
        case Order.FORCED:
            return opened & -opened
        case Order.UPPER_FIRST:
            upper = opened & upper_boxes(rules)
            return np.where(upper != 0, upper, opened)
        case Order.FREE:
            return opened


def _sets(rules: RuleSet, filled: int) -> list[Ints]:
    """By turn from here, the sets of filled boxes that can be reached."""
    sets = [np.array([filled], np.int64)]
    while sets[-1][0] != (1 << len(rules.boxes)) - 1:
        allowed = legal(rules, sets[-1])
        bits = [np.int64(1 << place) for place in range(len(rules.boxes))]
        _demand_room(rules, len(sets[-1]) <= MOST_SETS)
        sets.append(np.unique(np.concatenate([sets[-1][allowed & bit != 0] | bit for bit in bits])))
    return sets


def _demand_room(rules: RuleSet, holds: bool) -> None:
    check(holds, _("{name} has too many sheets to work out the best play."), name=rules.name)
