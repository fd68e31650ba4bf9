"""How games end, as a small plot shows it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

MOST_BARS = 24
WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500)  # points that a bar may span


@dataclass(frozen=True)
class Bar:
    """So many games, as a share of those of the highest bar; `usual` where it is of the middle half of all."""

    height: float
    usual: bool


class Spread:
    """The final totals of some games, at least one."""

    def __init__(self, totals: tuple[int, ...]) -> None:
        self._totals = sorted(totals)

    def between(self, share: float) -> tuple[int, int]:
        """The totals between which this share of the games ends, the best and the worst left out alike."""
        rest, last = (1 - share) / 2, len(self._totals) - 1
        return self._totals[round(rest * last)], self._totals[round((1 - rest) * last)]

    @cached_property
    def width(self) -> int:
        """Points that a bar spans."""
        least, most = self._totals[0], self._totals[-1]
        return next((width for width in WIDTHS if most // width - least // width < MOST_BARS), most - least)

    @property
    def ends(self) -> tuple[int, int]:
        """Where the first bar begins and the last one ends."""
        return self._totals[0] // self.width * self.width, self._totals[-1] // self.width * self.width + self.width

    @cached_property
    def bars(self) -> list[Bar]:
        """From the lowest totals to the highest."""
        (first, last), (low, high) = self.ends, self.between(0.5)
        begins = range(first, last, self.width)
        counts = [sum(begin <= total < begin + self.width for total in self._totals) for begin in begins]
        usual = [low < begin + self.width and begin <= high for begin in begins]
        return [Bar(n / max(counts), is_usual) for n, is_usual in zip(counts, usual, strict=True)]
