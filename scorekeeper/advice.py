"""What can be done with a roll, and what each play is worth. May know: sheet, solve."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorekeeper.dice import Roll, ladders
from scorekeeper.sheet import Sheet
from scorekeeper.solve import Layer, State


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these dice and throw the others; `value` is the expected final total of the sheet."""

    dice: tuple[int, ...]
    value: float


@dataclass(frozen=True, slots=True)
class Write:
    """Write these points in this box (a strike where they are 0); `value` is the expected final total of the sheet."""

    box: str
    points: int
    value: float


Play = Keep | Write


def plays(sheet: Sheet, roll: Roll, left: int, after: Layer) -> list[Play]:
    """Every play, best first; of equals, writing before keeping.

    left: throws that may still be made in this turn, those paid with saved rerolls included. after: the layer of the
    sheets with one box more.
    """
    turn = _Turn(sheet, after)
    steps = ladders(sheet.rules.dice)
    here = steps.place[roll]
    found: list[Play] = [
        Write(key, int(points[here]), turn.written + float(worth[here])) for key, points, worth in turn.boxes(left)
    ]
    if left:
        worth = turn.write(0)
        keeps = steps.mean(worth)
        for throws in range(1, left):
            worth = np.maximum(turn.write(throws), steps.best(keeps))
            keeps = steps.mean(worth)
        found += [Keep(part.dice, turn.written + float(keeps[steps.place[part]])) for part in _parts(roll)]
    return sorted(found, key=lambda play: -play.value)


class _Turn:
    """A turn on this sheet: what writing is worth, for each roll."""

    def __init__(self, sheet: Sheet, after: Layer) -> None:
        rules, state = sheet.rules, State.of(sheet)
        self.carries = rules.carries
        self.written = sum(points or 0 for points in sheet.scores)
        steps = ladders(rules.dice)
        self.choices = []
        for key in sheet.legal:
            place = rules.index(key)
            box = rules.boxes[place]
            points = np.array([box.score(roll) for roll in steps.keeps[: steps.rolls]])
            upper = np.minimum(state.upper + points * box.upper, rules.bonus.at)
            self.choices.append((key, points, upper, after.at(state.filled | 1 << place)))

    def boxes(self, left: int) -> Iterator[tuple[str, NDArray[np.int64], NDArray[np.float64]]]:
        """For each box that may be filled: its key, its points for each roll, and what writing them is worth."""
        for key, points, upper, worth in self.choices:
            yield key, points, worth[left if self.carries else 0, upper].astype(np.float64) + points

    def write(self, left: int) -> NDArray[np.float64]:
        """(R,) what each roll is worth when it is written at once, with so many throws left."""
        return np.asarray(np.max([values for _key, _points, values in self.boxes(left)], axis=0))


def _parts(roll: Roll) -> set[Roll]:
    """Everything that can be kept of a roll, but for all of it."""
    parts = {roll}
    for die in roll.dice:
        parts |= {Roll.of(*_less(part.dice, die)) for part in parts if die in part.dice}
    return parts - {roll}


def _less(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]
