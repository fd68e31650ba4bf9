"""Games of two in which one plays the last rounds to end ahead, and the other for points. May know: scorekeeper."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from scorekeeper import contest
from scorekeeper.advice import Keep, plays
from scorekeeper.contest import LAST, Floats, finals, first_place
from scorekeeper.dice import Roll
from scorekeeper.reach import State
from scorekeeper.rules import RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.simulate import Throw, turn
from scorekeeper.solve import Cone, Layer, solve

SEED = 1


class Duel(NamedTuple):
    """What share of the first place somebody gets.

    points, ahead: who plays for points, and who plays to end ahead and asks again before every turn, with the same dice
    until the last turn, which is weighed and not played. before, best: the same on average from the first of the last
    rounds on, exactly, for whoever pays no heed to what the other gets meanwhile.
    """

    points: float
    ahead: float
    before: float
    best: float


def duels(
    rules: RuleSet, games: int, rounds: int = LAST, progress: Callable[[float], None] = lambda _share: None
) -> dict[str, Any]:
    """How often one is ahead in the end who plays so many last rounds for that, and not for points; and how often else.

    Both play for points until then; it is by turns the one and the other who begins.
    """
    found = list(_duels(rules, games, rounds, progress))
    gains = [duel.ahead - duel.points for duel in found]
    exact = [duel.best - duel.before for duel in found]
    named = {field: round(statistics.mean(getattr(duel, field) for duel in found), 5) for field in Duel._fields}
    return named | {
        "gain": round(statistics.mean(gains), 5),
        "gain_error": round(statistics.stdev(gains) / games**0.5, 5),
        "exact_gain": round(statistics.mean(exact), 5),
        "exact_gain_error": round(statistics.stdev(exact) / games**0.5, 5),
        "most_exact_gain": round(max(exact), 5),
        "rounds": rounds,
        "games": games,
        "seed": SEED,
    }


def _duels(rules: RuleSet, games: int, rounds: int, progress: Callable[[float], None]) -> Iterator[Duel]:
    empty = Sheet.empty(rules)
    whole = solve(rules, State.of(empty))
    for game in range(games):
        sheets = [_turns(empty, whole, len(rules.boxes) - rounds, partial(_dice, game, player)) for player in (0, 1)]
        cones = [solve(rules, State.of(sheet)) for sheet in sheets]
        yield _duel(sheets, cones, game)
        progress((game + 1) / games)


def _duel(sheets: list[Sheet], cones: list[Cone], game: int) -> Duel:
    """How the last rounds end for the first of two, who has the first turn in every second game."""
    first, turns = game % 2 == 0, max(len(sheet.open) for sheet in sheets)
    dice = partial(_dice, game)
    theirs = [_turns(sheets[1], cones[1], n, partial(dice, 1)) for n in range(turns + 1)]
    mine = sheets[0]
    for played in range(turns - 1):
        if not mine.finished:
            mine = _ahead(mine, cones[0], theirs[played + (not first)], dice(0, mine))
    then, last = (theirs[n + (not first)] for n in (0, turns - 1))
    plain = _turns(sheets[0], cones[0], turns - 1, partial(dice, 0))
    return Duel(
        _for_points(plain, last), _for_lead(mine, last), _for_points(sheets[0], then), _for_lead(sheets[0], then)
    )


def _for_points(sheet: Sheet, other: Sheet) -> float:
    """The share of whoever plays for points from this sheet on."""
    own = finals(sheet)
    totals = own.first + np.arange(len(own.chances))
    return float((own.chances * first_place([finals(other)], totals)).sum())


def _for_lead(sheet: Sheet, other: Sheet) -> float:
    """The share of whoever plays to end ahead."""
    return _for_points(sheet, other) if sheet.finished else contest.before(sheet, _chances(sheet, other))


@lru_cache(maxsize=2)
def _chances(sheet: Sheet, other: Sheet) -> Floats:
    return contest.chances(sheet, [finals(other)])


def _turns(sheet: Sheet, cone: Cone, turns: int, dice: partial[Throw]) -> Sheet:
    """The sheet after so many turns for points, or at its end."""
    for _ in range(turns):
        if not sheet.finished:
            throw, after = dice(sheet), _after(cone, sheet)
            assert after
            sheet = turn(sheet, Roll.of(*throw(sheet.rules.dice)), sheet.allowance - 1, after, throw)
    return sheet


def _after(cone: Cone, sheet: Sheet) -> Layer | None:
    return cone.after(State.of(sheet))


def _ahead(sheet: Sheet, cone: Cone, other: Sheet, throw: Throw) -> Sheet:
    """The sheet after a turn as Kast advises whoever wants to end ahead."""
    after, boxes = _after(cone, sheet), _chances(sheet, other)
    assert after
    roll, left = Roll.of(*throw(sheet.rules.dice)), sheet.allowance - 1
    while True:
        play = contest.lead(plays(sheet, roll, left, after), sheet, roll, left, boxes).play
        if not isinstance(play, Keep):
            return sheet.write(play.box, play.points, sheet.allowance - left)
        roll, left = Roll.of(*play.dice, *throw(sheet.rules.dice - len(play.dice))), left - 1


def _dice(game: int, player: int, sheet: Sheet) -> Throw:
    """The throws of a turn, which are the same however the player plays."""
    source = random.Random(f"{SEED} {game} {player} {len(sheet.open)}")
    return lambda n: tuple(source.choices(range(1, 7), k=n))
