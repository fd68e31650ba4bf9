"""The openings that come with Kast are what the solver says, to the precision that they state, or are refused."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from datasets.openings import Opening, card, make, named, shipped
from scorekeeper import games, openings
from scorekeeper.advice import plays
from scorekeeper.dice import Roll
from scorekeeper.options import Value
from scorekeeper.oracle import SHIPPED, Oracle
from scorekeeper.reach import State
from scorekeeper.rules import Bonus
from scorekeeper.sheet import Sheet
from scorekeeper.solve import SPREAD, Cone, solve
from scorekeeper.tables import HEADER, ForeignTable
from tests.test_solve import EXACT, SMALL, SMALL_GAMES, golden

GOLDEN = Path(__file__).parent / "golden" / "openings.txt"


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


def test_an_opening_also_says_how_far_games_end_from_their_mean_as_precisely_as_it_is_shown(tmp_path: Path) -> None:
    rules, file = SMALL_GAMES["saved rerolls"], tmp_path / "a.opening"
    made = solve(rules, State.of(Sheet.empty(rules)), planes=SPREAD)
    file.write_bytes(openings.pack(made)[0])
    read = openings.unpack(file, rules)
    for filled, layer in made.layers.items():
        for sets in layer.sheets.sets:
            there, here = layer.moments_at(sets), read.layers[filled].moments_at(sets)
            assert here[..., 0] == pytest.approx(there[..., 0], abs=openings.STEP / 2, nan_ok=True)
            assert here[..., 1] ** 0.5 == pytest.approx(there[..., 1] ** 0.5, abs=1 / 32, nan_ok=True)
            assert here[..., 2] == pytest.approx(there[..., 2], abs=0.001, nan_ok=True)


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


MADE = pytest.mark.skipif(not list(SHIPPED.glob("*.opening")), reason="the openings are not made here")


@MADE
@pytest.mark.parametrize(("key", "options", "expected"), golden(GOLDEN))
def test_the_openings_that_come_with_kast_are_worth_what_an_independent_program_says(
    key: str, options: dict[str, Value], expected: float
) -> None:
    rules = games.find(key, **options)
    assert openings.unpack(openings.path(SHIPPED, rules), rules).value == pytest.approx(expected, abs=EXACT)


@MADE
def test_every_game_with_its_usual_options_has_an_opening_and_all_fit_forty_megabytes(tmp_path: Path) -> None:
    for opening in shipped():
        sheet = Sheet.empty(opening.rules)
        assert openings.path(SHIPPED, opening.rules).is_file()
        oracle = Oracle(tmp_path / "nothing")
        layer = oracle.known(sheet, SPREAD)
        assert layer, "with the spread of final totals"
        roll = Roll.of(*(1,) * opening.rules.dice)
        assert plays(sheet, roll, sheet.allowance - 1, layer)
    assert sum(file.stat().st_size for file in SHIPPED.glob("*.opening")) <= 40_000_000


@MADE
def test_the_card_lists_every_opening() -> None:
    card = (SHIPPED / "openings.md").read_text(encoding="utf-8")
    for opening in shipped():
        size = openings.path(SHIPPED, opening.rules).stat().st_size
        assert f"| {named(opening)} |" in card
        assert f"| {size:,} |" in card


def test_a_game_is_made_once_and_its_card_says_how(tmp_path: Path) -> None:
    small = Opening(SMALL, {}, 0.0)
    made = make(small, tmp_path / "data", tmp_path)
    assert made["turns"] == len(SMALL.boxes)
    assert made["expected"] == pytest.approx(solve(SMALL, State.of(Sheet.empty(SMALL))).value, abs=1e-4)
    first = openings.path(tmp_path, SMALL).read_bytes()
    again = make(small, tmp_path / "data", tmp_path)
    assert again["expected"] == made["expected"], "from its table"
    assert openings.path(tmp_path, SMALL).read_bytes()[HEADER:] == first[HEADER:]
    text = card([made], (7, 0.00004))
    assert f"| small | 4 | {made['values']:,} | {len(first):,} |" in text
    assert "in 7 positions" in text
