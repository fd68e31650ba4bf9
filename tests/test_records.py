"""All finished games together: people by their names, games by their rules, and nothing counted twice."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from tests.test_solve import SMALL, SMALL_GAMES
from web.records import Duel, Entrant, Finished, average, duels, kinds, total

AT = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)
OTHER = SMALL_GAMES["forced order"]


def sheet(ones: int, chance: int, rules: RuleSet = SMALL) -> Sheet:
    return Sheet(rules, (ones, 0, 0, chance), (None,) * 4, 0)


def game(*who: tuple[str, int, int], rules: RuleSet = SMALL, days: int = 0) -> Finished:
    """People with their place and what they have in chance."""
    entrants = tuple(Entrant(name, place, sheet(1, chance, rules)) for name, place, chance in who)
    return Finished(f"game-{days}", AT - timedelta(days=days), rules, entrants)


def test_people_are_the_same_whatever_is_capital_and_are_called_as_in_their_latest_game() -> None:
    games = [game(("Anna", 1, 9), ("BO", 2, 3)), game((" anna ", 2, 5), ("Bo", 1, 8), days=1)]
    (kind,) = kinds(games)
    assert [(name, len(sheets)) for name, sheets in kind.people] == [("Anna", 2), ("BO", 2)]
    assert duels(games) == [Duel(("Anna", "BO"), (1, 1), 0)]


def test_games_are_the_same_where_their_rules_are() -> None:
    games = [game(("Anna", 1, 9), rules=OTHER), game(("Anna", 1, 7), days=1), game(("Bo", 1, 8), days=2)]
    assert [(kind.rules, len(kind.games)) for kind in kinds(games)] == [(SMALL, 2), (OTHER, 1)]


def test_the_best_sheets_come_first_and_of_equal_ones_the_earlier() -> None:
    games = [game(("Anna", 1, 9), ("Bo", 2, 5)), game(("Cilla", 1, 9), days=3)]
    (kind,) = kinds(games)
    assert [(entrant.name, entrant.sheet.total, found.id) for entrant, found in kind.best] == [
        ("Cilla", 10, "game-3"), ("Anna", 10, "game-0"), ("Bo", 6, "game-0"),
    ]  # fmt: skip


def test_a_box_that_stayed_open_counts_as_nothing() -> None:
    sheets = [sheet(1, 9), Sheet(SMALL, (1, None, None, None), (None,) * 4, 0)]
    assert average(sheets, "chance") == 4.5
    assert total(sheets) == pytest.approx(5.5)


def test_a_shared_place_is_no_victory() -> None:
    assert duels([game(("Anna", 1, 9), ("Bo", 1, 9), ("Cilla", 3, 2))]) == [
        Duel(("Anna", "Bo"), (0, 0), 1), Duel(("Anna", "Cilla"), (1, 0), 0), Duel(("Bo", "Cilla"), (1, 0), 0),
    ]  # fmt: skip


PEOPLE = st.lists(
    st.tuples(st.sampled_from("ABCDE"), st.integers(1, 5)), min_size=1, max_size=5, unique_by=lambda p: p[0]
)


@given(st.lists(PEOPLE, max_size=6))
def test_every_two_who_met_are_counted_once_for_each_game(played: list[list[tuple[str, int]]]) -> None:
    games = [game(*((name, place, 5) for name, place in people)) for people in played]
    found = duels(games)
    assert sum(duel.games for duel in found) == sum(len(people) * (len(people) - 1) // 2 for people in played)
    assert len({duel.names for duel in found}) == len(found)
    for duel in found:
        one, other = duel.names
        met = [dict(people) for people in played if {one, other} <= dict(people).keys()]
        assert duel.wins == (sum(p[one] < p[other] for p in met), sum(p[other] < p[one] for p in met))
