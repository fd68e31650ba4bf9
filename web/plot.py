"""Lines over the turns of a game, laid out for a drawing. Pure.

Lengths are units of the drawing, which is WIDTH wide; letters are LETTER high, about half as wide.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, LETTER = 360, 11
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)  # points, or turns, between two marks
MOST_MARKS = 6
LONGEST_NAME = 12  # letters that are written beside a line
TOP, BOTTOM, LEFT = 8, 22, 30


@dataclass(frozen=True)
class Mark:
    """A line of the grid: where, and what it says."""

    at: float
    text: str


@dataclass(frozen=True)
class Line:
    """A line: what it is called, which style it is drawn in, its points as SVG has them, where it ends, and at what
    height its name stands beside that."""

    name: str
    style: int
    points: str
    end: tuple[float, float]
    label: float


@dataclass(frozen=True)
class Plot:
    """A drawing; `right` is where its lines end and their names begin."""

    height: int
    right: float
    lines: tuple[Line, ...]
    values: tuple[Mark, ...]
    turns: tuple[Mark, ...]


def plot(series: Sequence[tuple[str, Sequence[float]]], height: int, turns: int) -> Plot:
    """The drawing of these lines, named, each with one value for every turn from 0 on, and at least one."""
    every = [value for _name, values in series for value in values]
    step = _step(max(every) - min(every))
    low, high = step * math.floor(min(every) / step), step * math.ceil(max(every) / step)
    if low == high:
        high += step
    right = WIDTH - 8 - 0.66 * LETTER * max(len(_short(name)) for name, _values in series)

    def across(turn: float) -> float:
        return round(LEFT + (right - LEFT) * turn / max(turns, 1), 1)

    def down(value: float) -> float:
        return round(TOP + (height - TOP - BOTTOM) * (high - value) / (high - low), 1)

    ends = [(across(len(values) - 1), down(values[-1])) for _name, values in series]
    labels = _apart([y for _x, y in ends], height - BOTTOM)
    lines = [
        Line(_short(name), n, " ".join(f"{across(k)},{down(value)}" for k, value in enumerate(values)), end, label)
        for n, ((name, values), end, label) in enumerate(zip(series, ends, labels, strict=True))
    ]
    grid = tuple(Mark(down(value), str(value)) for value in range(low, high + 1, step))
    counted = tuple(Mark(across(turn), str(turn)) for turn in range(0, turns + 1, _step(turns)))
    return Plot(height, right, tuple(lines), grid, counted)


def _step(span: float) -> int:
    return next((step for step in STEPS if span / step <= MOST_MARKS), max(1, math.ceil(span / MOST_MARKS)))


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _apart(heights: list[float], bottom: float) -> list[float]:
    """The heights, moved as little as keeps names from covering each other, in the same order from top to bottom."""
    order = sorted(range(len(heights)), key=lambda n: heights[n])
    found, least = list(heights), float(TOP)
    for n in order:
        found[n] = max(heights[n], least)
        least = found[n] + LETTER
    most = float(bottom)
    for n in reversed(order):
        found[n] = min(found[n], most)
        most = found[n] - LETTER
    return [round(height, 1) for height in found]
