"""What can be done with a roll, and what each play is worth. May know: sheet, reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from scorekeeper.dice import Roll, ladders
from scorekeeper.reach import State
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet


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


class After(Protocol):
    """What the sheets with one box more are worth: a layer that was solved, or an estimate of it."""

    def at(self, filled: int) -> NDArray[np.float64]:
        """(carried, limit + 1) points still to come for one set of filled boxes (bits)."""


def plays(sheet: Sheet, roll: Roll, left: int, after: After) -> list[Play]:
    """Every play, best first; of equals, writing before keeping.

    left: throws that may still be made in this turn, those paid with saved rerolls included.
    """
    return ranked(sheet, roll, left, writes(sheet, left, after), sum(points or 0 for points in sheet.scores))


def ranked(sheet: Sheet, roll: Roll, left: int, boxes: NDArray[np.float64], had: int = 0) -> list[Play]:
    """The same, from what `writes` says the boxes are worth, and what the sheet has already."""
    steps, rules = ladders(sheet.rules.dice), sheet.rules
    here = steps.place[roll]
    found: list[Play] = [
        Write(key, int(points_of(rules)[rules.index(key), here]), had + float(worth[-1, here]))
        for key, worth in zip(sheet.legal, boxes, strict=True)
    ]
    if left:
        best = keeps(boxes, left, rules)[-1]
        found += [Keep(part.dice, had + float(best[steps.place[part]])) for part in parts(roll)]
    return sorted(found, key=lambda play: -play.value)


@lru_cache(maxsize=32)
def points_of(rules: RuleSet) -> NDArray[np.int64]:
    """(boxes, rolls) what each box pays for each roll, in the order of `ladders`."""
    steps = ladders(rules.dice)
    return np.array([[box.score(roll) for roll in steps.keeps[: steps.rolls]] for box in rules.boxes])


def writes(sheet: Sheet, left: int, after: After) -> NDArray[np.float64]:
    """(boxes, throws, rolls) points still to come if each legal box is written with 0 … left throws left.

    One amount of throws stands for all where those that are left do not stay with the player.
    """
    amounts = left + 1 if sheet.rules.carries else 1
    return np.array([after.at(filled)[:amounts, upper] + points for filled, upper, points in written(sheet)])


def written(sheet: Sheet) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """For each legal box: the boxes filled (bits) once it is, and for each roll the upper total and what it pays."""
    rules, state = sheet.rules, State.of(sheet)
    for place in map(rules.index, sheet.legal):
        points = points_of(rules)[place]
        upper = np.minimum(state.upper + points * rules.boxes[place].upper, rules.bonus.at)
        yield state.filled | 1 << place, upper, points


def keeps(boxes: NDArray[np.float64], left: int, rules: RuleSet) -> list[NDArray[np.floating]]:
    """By throws that are left, 1 … left: (K,) points still to come if some dice are kept and the others thrown.

    boxes: what `writes` says.
    """
    steps, write = ladders(rules.dice), boxes.max(axis=0)
    found = [np.asarray(steps.mean(write[0]))]
    for throws in range(1, left):
        worth = np.maximum(write[throws if rules.carries else 0], steps.best(found[-1]))
        found.append(np.asarray(steps.mean(worth)))
    return found


@lru_cache(maxsize=4096)
def parts(roll: Roll) -> frozenset[Roll]:
    """Everything that can be kept of a roll, but for all of it."""
    found = {roll}
    for die in roll.dice:
        found |= {Roll.of(*_less(part.dice, die)) for part in found if die in part.dice}
    return frozenset(found - {roll})


def _less(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]
