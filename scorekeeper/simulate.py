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
Draw = Callable[[Sheet], tuple[int, bool] | None]  # a final total of what begins so, and whether it has the bonus


@dataclass(frozen=True)
class Outcomes:
    """Final totals of simulated games, in how many of them the bonus was reached, and how many were not played to their
    end: what was still to come was drawn at random from what is known of it."""

    totals: tuple[int, ...]
    bonuses: int
    drawn: int = 0

    @property
    def bonus(self) -> float:
        """Chance of the bonus, 0 to 1; its standard error is at most 0.5 / √games."""
        return self.bonuses / len(self.totals)

    @property
    def spread(self) -> float:
        """Standard deviation of the final total, points, about 0.7 / √games of it uncertain. At least two games."""
        return statistics.stdev(self.totals)

    def __add__(self, more: Outcomes) -> Outcomes:
        return Outcomes(self.totals + more.totals, self.bonuses + more.bonuses, self.drawn + more.drawn)


def play_out(
    sheet: Sheet, roll: Roll | None, left: int, find: Find, throw: Throw, games: int, draw: Draw | None = None
) -> Outcomes | None:
    """So many games to their end, each from this roll, with so many throws left in the turn.

    Without a roll all dice are thrown first. Where a layer cannot be found after a turn, `draw` ends the game; None
    where that cannot either, or there is no layer for the first turn.
    """
    ends, drawn = list[tuple[int, bool]](), 0
    for _ in range(games):
        end, after, now, throws = sheet, find(sheet), roll, left
        while after:
            end = turn(end, now or Roll.of(*throw(sheet.rules.dice)), throws, after, throw)
            after, now, throws = None if end.finished else find(end), None, end.allowance - 1
        if end is sheet:
            return None
        found = (end.total, end.upper >= end.rules.bonus.at) if end.finished else draw(end) if draw else None
        if found is None:
            return None
        ends.append(found)
        drawn += not end.finished
    return Outcomes(tuple(total for total, _bonus in ends), sum(bonus for _total, bonus in ends), drawn)


def turn(sheet: Sheet, roll: Roll, left: int, after: After, throw: Throw) -> Sheet:
    """The sheet after a turn of best play from this roll on. after: what the sheets that it can lead to are worth."""
    rules = sheet.rules
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
