"""How a game can end: played out many times as best play has it. May know: advice.

What is expected is exact without this; how far from it a game ends, and whether it brings the bonus, is counted here.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scorekeeper.advice import After, keeps, parts, points_of, writes
from scorekeeper.dice import Roll, ladders
from scorekeeper.sheet import Sheet

Throw = Callable[[int], tuple[int, ...]]  # so many dice
Find = Callable[[Sheet], After | None]  # what the sheets that a turn on a sheet can lead to are worth


@dataclass(frozen=True)
class Outcomes:
    """Final totals of simulated games, and in how many of them the bonus was reached."""

    totals: tuple[int, ...]
    bonuses: int

    @property
    def bonus(self) -> float:
        """Chance of the bonus, 0 to 1; its standard error is at most 0.5 / √games."""
        return self.bonuses / len(self.totals)

    @property
    def spread(self) -> float:
        """Standard deviation of the final total, points, about 0.7 / √games of it uncertain. At least two games."""
        return statistics.stdev(self.totals)


def play_out(sheet: Sheet, roll: Roll | None, left: int, find: Find, throw: Throw, games: int) -> Outcomes | None:
    """So many games to their end, each from this roll, with so many throws left in the turn.

    Without a roll all dice are thrown first. None where a layer cannot be found.
    """
    ends = []
    for _ in range(games):
        end = turn(sheet, roll or Roll.of(*throw(sheet.rules.dice)), left, find, throw)
        while end and not end.finished:
            end = turn(end, Roll.of(*throw(end.rules.dice)), end.allowance - 1, find, throw)
        if end is None:
            return None
        ends.append(end)
    return Outcomes(tuple(end.total for end in ends), sum(end.upper >= end.rules.bonus.at for end in ends))


def turn(sheet: Sheet, roll: Roll, left: int, find: Find, throw: Throw) -> Sheet | None:
    """The sheet after a turn of best play from this roll on."""
    after, rules = find(sheet), sheet.rules
    if after is None:
        return None
    steps, boxes = ladders(rules.dice), writes(sheet, left, after)
    kept = keeps(boxes, left, rules) if left else []
    while True:
        here = steps.place[roll]
        write = boxes[:, left if rules.carries else 0, here]
        if left:
            worth = kept[left - 1]
            best = max(parts(roll), key=lambda part: worth[steps.place[part]])
            if worth[steps.place[best]] > write.max():
                roll = Roll.of(*best.dice, *throw(rules.dice - len(best)))
                left -= 1
                continue
        key = sheet.legal[int(np.argmax(write))]
        return sheet.write(key, int(points_of(rules)[rules.index(key), here]), sheet.allowance - left)
