"""Upper totals that matter. May know: rules.

Of two sheets with the same boxes filled it does not matter which total is higher if the bonus takes the same from both:
that is, if the least that the open upper boxes must still bring, and can, is the same. Such totals share one place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorekeeper.rules import RuleSet

Ints = NDArray[np.int64]

NOWHERE = -1
ABREAST = 16  # places come in sixteens, as many as a vector has lanes


@dataclass(frozen=True, eq=False)
class Totals:
    """The upper totals of sheets that can come after one, by the upper boxes filled.

    parts: (P,) bits of the filled upper boxes, rising. places: (P, limit + 1) where each total, capped at the limit of
    the bonus, stands among those that matter, NOWHERE for one that is not reached. totals: (P, most) one of the totals
    that stand at each place, rising, the last one repeated. counts: (P,) how many places there are.
    """

    parts: Ints
    places: NDArray[np.int32]
    totals: NDArray[np.uint32]
    counts: Ints


def upper_boxes(rules: RuleSet) -> int:
    """Bits of the upper boxes."""
    return sum(1 << place for place, box in enumerate(rules.boxes) if box.upper)


def reached(rules: RuleSet, upper: int, boxes: int) -> Ints:
    """The upper totals, capped and rising, that filling these boxes (bits) makes of a total."""
    return np.unique(np.minimum(sums(rules, upper).of(boxes & upper_boxes(rules)), rules.bonus.at))


def find(rules: RuleSet, parts: Ints, filled: int, upper: int) -> Totals:
    """The totals for these upper boxes filled (P,), from a sheet with these boxes filled and this upper total."""
    limit, every = rules.bonus.at, upper_boxes(rules)
    behind, ahead = sums(rules, min(upper, limit)), sums(rules, 0)
    places = np.full((len(parts), limit + 1), NOWHERE, np.int32)
    standing = []
    for row, part in enumerate(map(int, parts)):
        there = np.unique(np.minimum(behind.of(part & ~filled), limit))
        must_come = np.searchsorted(ahead.of(every & ~part), limit - there)
        kinds, first, which = np.unique(must_come, return_index=True, return_inverse=True)
        places[row, there] = len(kinds) - 1 - which  # the higher the total, the less must come
        standing.append(there[first[::-1]])
    return laid_side_by_side(parts, places, standing)


def laid_side_by_side(parts: Ints, places: NDArray[np.int32], standing: list[Ints]) -> Totals:
    """With the totals that stand at the places of each part, as many for every part."""
    counts = np.array([len(totals) for totals in standing], np.int64)
    most = -(-int(counts.max()) // ABREAST) * ABREAST
    padded = [np.pad(totals, (0, most - len(totals)), mode="edge") for totals in standing]
    return Totals(parts, places, np.array(padded, np.uint32), counts)


def sums(rules: RuleSet, first: int) -> Sums:
    """The sums of points that filling boxes can make of `first`."""
    return Sums([sorted(rules.attainable[box.key]) for box in rules.boxes], 1 << first)


class Sums:
    """The sums that filling some boxes can make of some numbers."""

    def __init__(self, amounts: Sequence[Iterable[int]], first: int) -> None:
        """amounts: what each box can add. first: the numbers, as bits."""
        self._known = {0: first}  # a sum s is the bit s
        self._amounts = amounts

    def of(self, boxes: int) -> Ints:
        """Rising; boxes are bits."""
        bits = self._bits(boxes)
        data = np.frombuffer(bits.to_bytes(bits.bit_length() // 8 + 1, "little"), np.uint8)
        return np.flatnonzero(np.unpackbits(data, bitorder="little"))

    def _bits(self, boxes: int) -> int:
        if boxes not in self._known:
            one = boxes & -boxes
            others, bits = self._bits(boxes ^ one), 0
            for amount in self._amounts[one.bit_length() - 1]:
                bits |= others << amount
            self._known[boxes] = bits
        return self._known[boxes]
