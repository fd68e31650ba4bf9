"""The openings that come with Kast are what the solver says, to the precision that they state, or are refused."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorekeeper import openings
from scorekeeper.reach import State
from scorekeeper.rules import Bonus
from scorekeeper.sheet import Sheet
from scorekeeper.solve import Cone, solve
from scorekeeper.tables import HEADER, ForeignTable
from tests.test_solve import SMALL_GAMES


def cone() -> Cone:
    rules = SMALL_GAMES["saved rerolls"]
    return solve(rules, State.of(Sheet.empty(rules)))


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    file = tmp_path / "a.opening"
    file.write_bytes(openings.pack(cone())[0])
    return file


def test_an_opening_is_as_precise_as_it_says(packed: Path) -> None:
    made = cone()
    read, head = openings.unpack(packed, made.rules), json.loads(packed.read_bytes()[:HEADER])
    assert read.layers.keys() == made.layers.keys()
    worst = 0.0
    for filled, layer in made.layers.items():
        for sets in layer.sheets.sets:
            there, here = layer.at(sets), read.layers[filled].at(sets)
            assert np.array_equal(np.isnan(there), np.isnan(here))
            worst = max(worst, float(np.nanmax(np.abs(here.astype(float) - there))))
    assert 0 < worst == head["worst"] <= openings.STEP / 2


def test_an_opening_for_other_rules_is_refused(packed: Path) -> None:
    with pytest.raises(ForeignTable, match="is not a table for these rules"):
        openings.unpack(packed, replace(cone().rules, bonus=Bonus(at=8, points=20)))


@pytest.mark.parametrize("size", [0, 100, HEADER, HEADER + 10])
def test_a_truncated_opening_is_refused(size: int, packed: Path) -> None:
    packed.write_bytes(packed.read_bytes()[:size])
    with pytest.raises(ForeignTable):
        openings.unpack(packed, cone().rules)


@pytest.mark.parametrize("place", [0, 100, 200, 300, HEADER, -1])
def test_an_altered_opening_is_refused(place: int, packed: Path) -> None:
    data = bytearray(packed.read_bytes())
    data[place] ^= 0x11
    packed.write_bytes(data)
    with pytest.raises(ForeignTable):
        openings.unpack(packed, cone().rules)
