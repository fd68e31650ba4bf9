"""A table is used for the rules that it was made for, whole, or not at all."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorekeeper import tables
from scorekeeper.reach import State
from scorekeeper.rules import Bonus
from scorekeeper.sheet import Sheet
from scorekeeper.solve import SPREAD, VALUES, Cone, solve
from tests.test_solve import SMALL_GAMES


def cone(turns: int = 9, planes: int = VALUES) -> Cone:
    rules = SMALL_GAMES["saved rerolls in forced order"]
    return solve(rules, State.of(Sheet.empty(rules)), turns, planes=planes)


@pytest.mark.parametrize("planes", [VALUES, SPREAD])
def test_a_table_goes_round_through_a_file(planes: int, tmp_path: Path) -> None:
    made = cone(planes=planes)
    tables.save(made, tmp_path / "a.table")
    read = tables.load(tmp_path / "a.table", made.rules)
    assert (read.start, read.value, read.layers.keys()) == (made.start, made.value, made.layers.keys())
    for filled, layer in made.layers.items():
        assert len(read.layers[filled].planes) == planes
        for plane, again in zip(layer.planes, read.layers[filled].planes, strict=True):
            assert np.array_equal(plane, again)
        for sets in layer.sheets.sets:
            assert np.array_equal(layer.at(sets), read.layers[filled].at(sets), equal_nan=True)
    assert [file.name for file in tmp_path.iterdir()] == ["a.table"], "nothing half-written stays behind"


def test_little_room_keeps_the_opening(tmp_path: Path) -> None:
    opening = cone(turns=2)
    assert sorted(opening.layers) == [0, 1, 2]
    tables.save(opening, tmp_path / "a.table")
    read = tables.load(tmp_path / "a.table", opening.rules)
    assert read.after(opening.start) is not None
    assert read.after(State(filled=0b0111, upper=0, carried=0)) is None, "what was not kept is not there"


def test_a_table_for_other_rules_is_refused(tmp_path: Path) -> None:
    made = cone()
    tables.save(made, tmp_path / "a.table")
    with pytest.raises(tables.ForeignTable, match="is not a table for these rules"):
        tables.load(tmp_path / "a.table", replace(made.rules, bonus=Bonus(at=8, points=20)))
    tables.load(tmp_path / "a.table", replace(made.rules, key="renamed", name="The same game"))


@pytest.mark.parametrize("size", [0, 10, 4095, 4096, 4200])
def test_a_truncated_table_is_refused(size: int, tmp_path: Path) -> None:
    made, file = cone(), tmp_path / "a.table"
    tables.save(made, file)
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(tables.ForeignTable):
        tables.load(file, made.rules)


@pytest.mark.parametrize("place", [0, 100, 200, 300, 4096, 4200, -1])
def test_an_altered_table_is_refused(place: int, tmp_path: Path) -> None:
    made, file = cone(), tmp_path / "a.table"
    tables.save(made, file)
    data = bytearray(file.read_bytes())
    data[place] ^= 0x11
    file.write_bytes(data)
    with pytest.raises(tables.ForeignTable):
        tables.load(file, made.rules)
