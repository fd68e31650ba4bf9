"""Lines are drawn inside their frame, to scale, and no name covers another."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from web.plot import LEFT, LETTER, MOST_MARKS, TOP, WIDTH, Plot, plot

VALUES = st.lists(st.floats(-300, 900), min_size=1, max_size=21)
NAMES = st.text("abcdefgåäö", min_size=1, max_size=30)


def drawn(found: Plot, line: int) -> list[tuple[float, float]]:
    pairs = (pair.split(",") for pair in found.lines[line].points.split())
    return [(float(x), float(y)) for x, y in pairs]


def test_a_line_goes_through_its_values_at_its_turns() -> None:
    found = plot([("Anna", [0, 50, 100]), ("Bo", [100, 100])], 150, 2)
    assert [mark.text for mark in found.values] == ["0", "20", "40", "60", "80", "100"]
    assert [mark.text for mark in found.turns] == ["0", "1", "2"]
    heights = {mark.text: mark.at for mark in found.values}
    across = {mark.text: mark.at for mark in found.turns}
    first, middle, last = drawn(found, 0)
    assert first == (across["0"], heights["0"])
    assert last == (across["2"], heights["100"]) == found.lines[0].end
    assert middle == (across["1"], (heights["40"] + heights["60"]) / 2)
    assert drawn(found, 1)[-1] == (across["1"], heights["100"]), "whoever had fewer turns ends before"


@given(series=st.lists(st.tuples(NAMES, VALUES), min_size=1, max_size=12))
def test_everything_is_inside_and_names_are_apart(series: list[tuple[str, list[float]]]) -> None:
    turns = max(len(values) for _name, values in series) - 1
    found = plot(series, 220, turns)
    for n in range(len(series)):
        assert all(LEFT <= x <= found.right + 0.1 and TOP <= y <= 220 for x, y in drawn(found, n))
    labels = sorted(line.label for line in found.lines)
    assert all(high - low >= LETTER - 0.11 for low, high in pairwise(labels))
    assert labels[-1] <= 220
    assert len(found.values) <= MOST_MARKS + 2
    assert found.right < WIDTH
    by_end = sorted(found.lines, key=lambda line: line.end[1])
    assert [line.label for line in by_end] == labels
