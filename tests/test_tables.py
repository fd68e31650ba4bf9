"""A table is used for the rules that it was made for, whole, or not at all."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorekeeper import tables
from scorekeeper.oracle import Oracle
from scorekeeper.rules import Bonus
from scorekeeper.sheet import Sheet
from scorekeeper.solve import Cone, State, solve
from tests.test_solve import SMALL, SMALL_GAMES


def cone(room: int = 2**40) -> Cone:
    rules = SMALL_GAMES["saved rerolls in forced order"]
    return solve(rules, State.of(Sheet.empty(rules)), room)


def test_a_table_goes_round_through_a_file(tmp_path: Path) -> None:
    made = cone()
    tables.save(made, tmp_path / "a.table")
    read = tables.load(tmp_path / "a.table", made.rules)
    assert (read.start, read.value, read.layers.keys()) == (made.start, made.value, made.layers.keys())
    for filled, layer in made.layers.items():
        assert np.array_equal(layer.sets, read.layers[filled].sets)
        assert np.array_equal(layer.values, read.layers[filled].values, equal_nan=True)
    assert [file.name for file in tmp_path.iterdir()] == ["a.table"], "nothing half-written stays behind"


def test_little_room_keeps_the_opening(tmp_path: Path) -> None:
    whole = cone()
    opening = cone(room=sum(layer.values.nbytes for layer in whole.layers.values()) // 2)
    assert 1 < len(opening.layers) < len(whole.layers)
    assert min(opening.layers) == 0
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


@pytest.mark.parametrize("size", [0, 10, 4095, 4096, 5000])
def test_a_truncated_table_is_refused(size: int, tmp_path: Path) -> None:
    made, file = cone(), tmp_path / "a.table"
    tables.save(made, file)
    file.write_bytes(file.read_bytes()[:size])
    with pytest.raises(tables.ForeignTable):
        tables.load(file, made.rules)


@pytest.mark.parametrize("place", [0, 100, 4096, 5000, -1])
def test_an_altered_table_is_refused(place: int, tmp_path: Path) -> None:
    made, file = cone(), tmp_path / "a.table"
    tables.save(made, file)
    data = bytearray(file.read_bytes())
    data[place] ^= 0x11
    file.write_bytes(data)
    with pytest.raises(tables.ForeignTable):
        tables.load(file, made.rules)


def test_a_table_is_found_again_and_a_bad_one_is_not_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file, value = Oracle(tmp_path).make_table(SMALL)
    assert file.parent == tmp_path
    solved: list[float] = []
    empty = Sheet.empty(SMALL)
    from_table = Oracle(tmp_path, solved.append).after(empty)
    assert solved == [], "nothing is solved where there is a table"
    file.write_bytes(file.read_bytes()[:-1])
    solved_anew = Oracle(tmp_path, solved.append).after(empty)
    assert solved
    assert "is damaged" in caplog.text
    assert np.array_equal(from_table.values, solved_anew.values, equal_nan=True)
    assert value == pytest.approx(solve(SMALL, State.of(empty)).value)
