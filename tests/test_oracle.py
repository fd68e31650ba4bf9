"""What is known is found again, what is not is solved, and what was begun is gone on with."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from scorekeeper import openings, oracle, tables
from scorekeeper.oracle import NoRoom, Oracle
from scorekeeper.reach import State
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.solve import SPREAD, VALUES, Cone, Layer, solve
from tests.test_solve import SMALL, SMALL_GAMES

EMPTY = Sheet.empty(SMALL)


def same(one: Layer | None, other: Layer | None) -> bool:
    assert one
    assert other
    assert len(one.planes) == len(other.planes)
    return all(np.array_equal(plane, there) for plane, there in zip(one.planes, other.planes, strict=True))


def test_a_table_is_found_again_and_a_bad_one_is_not_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    made, file = Oracle(tmp_path).make_table(SMALL), tables.path(tmp_path, SMALL)
    assert [there.name for there in tmp_path.iterdir()] == [file.name], "nothing unfinished stays behind"
    solved: list[float] = []
    from_table = Oracle(tmp_path, solved.append).after(EMPTY)
    assert solved == [], "nothing is solved where there is a table"
    file.write_bytes(file.read_bytes()[:-1])
    damaged = Oracle(tmp_path, solved.append)
    assert same(damaged.after(EMPTY), from_table)
    assert solved
    assert damaged.known(EMPTY), "what was solved is held"
    assert caplog.text.count("is damaged") == 1, "it is said once"
    assert not file.exists(), "it is put aside"
    assert made.value == pytest.approx(solve(SMALL, State.of(EMPTY)).value)


def test_an_opening_that_came_with_kast_is_used(tmp_path: Path) -> None:
    shipped, nothing = tmp_path / "models", tmp_path / "tables"
    shipped.mkdir()
    made = solve(SMALL, State.of(EMPTY), turns=2)
    openings.path(shipped, SMALL).write_bytes(openings.pack(made)[0])
    there = Oracle(nothing, shipped=shipped).known(EMPTY)
    assert there
    for sets in there.sheets.sets:
        assert there.at(sets) == pytest.approx(made.layers[1].at(sets), abs=openings.STEP, nan_ok=True)
    assert Oracle(nothing, shipped=nothing).known(EMPTY) is None


def test_an_opening_that_came_with_kast_is_put_where_others_find_it_also_beside_a_table_that_tells_less(
    tmp_path: Path,
) -> None:
    shipped = tmp_path / "models"
    shipped.mkdir()
    made = solve(SMALL, State.of(EMPTY), turns=1, planes=SPREAD)
    openings.path(shipped, SMALL).write_bytes(openings.pack(made)[0])
    for folder in (tmp_path / "fresh", tmp_path / "solved"):
        if folder.name == "solved":
            Oracle(folder, shipped=folder).make_table(SMALL)
        Oracle(folder, shipped=shipped).make(EMPTY)
        page = Oracle(folder, shipped=folder)
        assert page.known(EMPTY)
        assert page.known(EMPTY, SPREAD), "how games end, too"


def test_what_follows_a_sheet_is_kept_on_disk_and_serves_all_that_comes_after(tmp_path: Path) -> None:
    rules = SMALL_GAMES["saved rerolls in forced order"]
    sheet = Sheet.empty(rules).write("ones", 2, 1)
    Oracle(tmp_path, shipped=tmp_path).make(sheet)
    again = Oracle(tmp_path, shipped=tmp_path)
    later = sheet.write("sixes", 6, 2)
    whole = solve(rules, State.of(Sheet.empty(rules)))
    for known in (sheet, later):
        state = State.of(known)
        here, there = again.known(known), whole.after(state)
        assert here
        assert there
        for sets in here.sheets.sets:
            table, wider = here.at(sets)[: there.sheets.carried], there.at(sets)
            inside = ~np.isnan(table)
            assert inside.any()
            assert wider[: len(table)][inside] == pytest.approx(table[inside])
    assert again.known(Sheet.empty(rules)) is None, "what came before is not in it"
    assert again.known(later.amend("ones", 0)) is None, "nor what cannot come after it"


def test_the_spread_is_worked_out_where_only_the_values_were_known(tmp_path: Path) -> None:
    sheet = EMPTY.write("ones", 2, 1)
    known, making = Oracle(tmp_path, shipped=tmp_path), Oracle(tmp_path, shipped=tmp_path)
    making.make(sheet)
    assert known.known(sheet)
    assert known.known(sheet, SPREAD) is None
    making.make(sheet, SPREAD)
    layer = known.known(sheet, SPREAD)
    assert layer, "the new table is seen, though the old one was at the same place"
    state = State.of(sheet)
    assert same(layer, solve(SMALL, state, planes=SPREAD).after(state))
    assert known.known(sheet) is layer, "it serves for the values, too"
    making.make(sheet)
    assert known.known(sheet, SPREAD) is layer, "and is not made again for them"


def test_how_a_game_ends_from_a_sheet_on_is_known_where_the_spread_is(tmp_path: Path) -> None:
    sheet = EMPTY.write("ones", 2, 1)
    oracle = Oracle(tmp_path, shipped=tmp_path)
    oracle.make(EMPTY)
    assert oracle.ends(sheet) is None, "only the values are"
    oracle.make(EMPTY, SPREAD)
    found, exact = oracle.ends(sheet), solve(SMALL, State.of(sheet), planes=SPREAD).prospect
    assert found
    assert (found.mean, found.spread) == pytest.approx((exact.mean + 2, exact.spread), abs=1e-4)
    assert found.bonus == pytest.approx(exact.bonus, abs=1e-6)


def test_an_interrupted_solve_for_the_values_does_not_disturb_one_for_the_spread(tmp_path: Path) -> None:
    for planes in (SPREAD, VALUES):
        with pytest.raises(Killed):
            Oracle(tmp_path, kill_at(0.9)).make_table(SMALL, planes)
    said: list[float] = []
    made = Oracle(tmp_path, said.append).make_table(SMALL, SPREAD)
    assert said[0] > 0
    assert made.prospect == solve(SMALL, State.of(EMPTY), planes=SPREAD).prospect


def test_a_long_game_is_solved_whole_and_a_short_one_from_the_sheet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Oracle(tmp_path, shipped=tmp_path).make(EMPTY)
    assert not tables.path(tmp_path, SMALL).exists()
    monkeypatch.setattr(oracle, "LIVE", 0.0)
    Oracle(tmp_path / "long", shipped=tmp_path).make(EMPTY)
    assert tables.path(tmp_path / "long", SMALL).exists()


def test_what_follows_an_opening_is_quick_to_solve_and_so_is_a_short_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Oracle(tmp_path, shipped=tmp_path)
    assert known.is_quick(EMPTY)
    monkeypatch.setattr(oracle, "LIVE", 0.0)
    assert not known.is_quick(EMPTY)
    openings.path(tmp_path, SMALL).write_bytes(openings.pack(solve(SMALL, State.of(EMPTY), turns=1))[0])
    assert known.is_quick(EMPTY), "it came with Kast"
    openings.path(tmp_path, SMALL).unlink()
    known.make_table(SMALL)
    assert known.is_quick(EMPTY.write("ones", 2, 1))


def test_an_opening_ends_where_what_follows_is_quick_to_solve() -> None:
    assert oracle.opening_turns(SMALL, live=1.0) == 0
    assert oracle.opening_turns(SMALL, live=0.0) == len(SMALL.boxes)


class Killed(Exception):
    pass


def kill_at(share: float) -> Callable[[float], None]:
    def progress(done: float) -> None:
        if done > share:
            raise Killed

    return progress


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("game", [SMALL, SMALL_GAMES["saved rerolls"], SMALL_GAMES["a budget"]])
@pytest.mark.parametrize("planes", [VALUES, SPREAD])
def test_a_killed_solve_goes_on_with_the_layer_it_was_in(
    planes: int, game: RuleSet, share: float, tmp_path: Path
) -> None:
    with pytest.raises(Killed):
        Oracle(tmp_path, kill_at(share)).make_table(game, planes)
    assert not tables.path(tmp_path, game).exists()
    said: list[float] = []
    made = Oracle(tmp_path, said.append).make_table(game, planes)
    fresh = solve(game, State.of(Sheet.empty(game)), planes=planes)
    assert made.layers.keys() == fresh.layers.keys()
    assert all(same(made.layers[filled], fresh.layers[filled]) for filled in fresh.layers)
    layers = [1.0]
    solve(game, State.of(Sheet.empty(game)), progress=layers.append)
    assert said[0] in layers, "it begins where a layer begins"
    assert said[0] >= max((done for done in layers[1:] if done <= share), default=0.0)


def test_what_an_interrupted_solve_left_is_not_used_if_it_is_damaged(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        Oracle(tmp_path, kill_at(0.9)).make_table(SMALL)
    (unfinished,) = tmp_path.glob("*.unfinished")
    unfinished.write_bytes(unfinished.read_bytes()[:-5])
    said: list[float] = []
    made = Oracle(tmp_path, said.append).make_table(SMALL)
    assert said[0] == 0
    assert made.value == pytest.approx(solve(SMALL, State.of(EMPTY)).value)


def test_a_full_disk_is_said_before_the_work_and_not_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "TABLE_ROOM", 10**18)
    said: list[float] = []
    with pytest.raises(NoRoom, match=r"1000000000\.0 GB are needed on the disk; .* GB are free"):
        Oracle(tmp_path, said.append).make_table(SMALL)
    assert said == []


def test_the_oldest_of_what_was_solved_live_makes_room(tmp_path: Path) -> None:
    cone: Cone = solve(SMALL, State.of(EMPTY))
    files = [tables.path(tmp_path, SMALL, replace(State.of(EMPTY), carried=n)) for n in range(3)]
    for age, file in enumerate([*files, tables.path(tmp_path, SMALL)]):
        tables.save(cone, file)
        os.utime(file, (1000 - age, 1000 - age))
    left, written = tmp_path / "a.1.part", tmp_path / "a.2.part"
    left.touch()
    written.touch()
    os.utime(left, (1000, 1000))
    tables.make_room(tmp_path, 2 * files[0].stat().st_size)
    assert (left.exists(), written.exists()) == (False, True), "what is being written is left alone"
    assert [file.exists() for file in files] == [True, True, False]
    assert tables.path(tmp_path, SMALL).exists(), "that of a whole game is kept"
