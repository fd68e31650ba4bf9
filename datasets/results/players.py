"""Players to compare best play with, tiny ones. May know: scorekeeper.

A player who weighs plays is what he believes the sheets after a turn to be worth, or the rules that he believes in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scorekeeper.advice import points_of
from scorekeeper.dice import FACES, Roll, ladders
from scorekeeper.reach import State, most_carried
from scorekeeper.rules import MOST_POINTS, RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.simulate import Outcomes, Throw, play_out


@dataclass(frozen=True)
class LastTurn:
    """What a greedy player believes the sheets after a turn to be worth: what is paid if the game ends with it."""

    rules: RuleSet
    carried: int

    @classmethod
    def after(cls, sheet: Sheet) -> LastTurn:
        """The sheets that a turn on this sheet can lead to."""
        return cls(sheet.rules, most_carried(sheet.rules, State.of(sheet), 1) + 1)

    def at(self, _filled: int) -> NDArray[np.float64]:
        """(carried, limit + 1) the bonus where it is reached, and the value of throws that are left of a budget."""
        throws = np.arange(self.carried) * (self.rules.budget.value if self.rules.budget else 0)
        bonus = np.where(np.arange(self.rules.bonus.at + 1) == self.rules.bonus.at, self.rules.bonus.points, 0)
        return np.add.outer(throws, bonus).astype(np.float64)


def greedy(rules: RuleSet, throw: Throw, games: int) -> Outcomes:
    """Games in which every turn is played, as well as can be, as though it were the last one."""
    sheet = Sheet.empty(rules)
    found = play_out(sheet, None, sheet.allowance - 1, LastTurn.after, throw, games)
    assert found
    return found


def simple(rules: RuleSet, throw: Throw, games: int) -> Outcomes:
    """Games of a player who keeps what shows most often and then writes where it pays most."""
    ends = []
    for _ in range(games):
        sheet = Sheet.empty(rules)
        while not sheet.finished:
            sheet = _turn(sheet, throw)
        ends.append(sheet)
    return Outcomes(tuple(end.total for end in ends), sum(end.upper >= rules.bonus.at for end in ends))


def _turn(sheet: Sheet, throw: Throw) -> Sheet:
    """Keep the dice of the face seen most often, the higher of equals, throw the others; then write what pays most."""
    rules, used = sheet.rules, 1
    roll = Roll.of(*throw(rules.dice))
    while used < min(rules.throws, sheet.allowance) and max(roll.counts) < rules.dice:
        face = max(FACES, key=lambda face: (roll.counts[face - 1], face))
        kept = roll.counts[face - 1]
        roll, used = Roll.of(*(face,) * kept, *throw(rules.dice - kept)), used + 1
    points = points_of(rules)[:, ladders(rules.dice).place[roll]]
    key = max(sheet.legal, key=lambda key: points[rules.index(key)])
    return sheet.write(key, int(points[rules.index(key)]), used)


def hunted(rules: RuleSet) -> RuleSet:
    """The rules that a bonus hunter believes in: the bonus pays more than all boxes together."""
    return replace(rules, bonus=replace(rules.bonus, points=MOST_POINTS))
