"""What is measured: how games end under best play and otherwise, what a marker is worth. May know: scorekeeper.

Every measure gives its figures in plain types, as they are recorded.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any

import numpy as np

from datasets.results import duels, players
from scorekeeper import games
from scorekeeper.options import ASK, Printed, say
from scorekeeper.reach import State
from scorekeeper.rules import Order, RuleSet
from scorekeeper.sheet import Sheet
from scorekeeper.simulate import Outcomes, Throw, play_out
from scorekeeper.solve import SPREAD, Layer, solve
from scorekeeper.tables import SOLVER
from web.bench_exact import chosen
from web.exact import Progress

Figures = dict[str, Any]
Measure = Callable[[str, RuleSet], Figures]

SEED = 1
GAMES = {"greedy": 1_000, "simple": 10_000}  # that are simulated
WATCHED = 400  # games of best play in which the worth of a marker is looked up
MARKERS = 12  # of which it is said what each is worth when one box is open
COMPARED = ("yatzy", "superyatzy", "stratzy:value=5", "maxi-yatzy:saved_rerolls=false", "maxi-yatzy")
DUELS = {"yatzy": 4_000, "superyatzy": 2_000, "stratzy:value=5": 2_000, "maxi-yatzy": 1_000}  # ends of games of two
SAVING = ("maxi-yatzy", "maxi-yatzy:bonus=tactic")
ALSO = (  # options that families combine
    "yatzy:two_pairs=four-alike,full_house=five-alike",
    "yatzy:order=forced,bonus_at=63",
    *(f"maxi-yatzy:order={order},saved_rerolls=false" for order in ("forced", "upper-first")),
    *(f"maxi-yatzy:bonus=tactic,order={order}" for order in ("forced", "upper-first")),
    "maxi-yatzy:bonus=tactic,saved_rerolls=false",
    *(f"maxi-yatzy:bonus=tactic,order={order},saved_rerolls=false" for order in ("forced", "upper-first")),
    *(f"superyatzy:cameron={cameron},pairs=distinct" for cameron in ("straight-30", "straight-21")),
    *(f"stratzy:value=5,throws={throws}" for throws in (30, 60)),
)


def rows() -> dict[str, RuleSet]:
    """By name, as in `maxi-yatzy:bonus=tactic`: every game as printed, each choice of its options alone, and ALSO."""
    names = [name for printed in games.GAMES.values() for name in _names(printed)]
    return {
        name: chosen(name) for name in sorted((*names, *ALSO), key=lambda name: list(games.GAMES).index(_key(name)))
    }


def _names(printed: Printed) -> Iterator[str]:
    """What must be agreed in every way; with the middle one of these, each choice of another option on its own."""
    asked = [option for option in printed.options if option.default == ASK]
    agreed = [dict(zip(asked, choice, strict=True)) for choice in product(*(option.choices for option in asked))]
    alone = [
        agreed[(len(agreed) - 1) // 2] | {option: choice}
        for option in printed.options
        for choice in option.choices
        if option not in asked and choice != option.default and not option.is_long
    ]
    for options in (*agreed, *alone):
        words = ",".join(f"{option.key}={say(choice)}" for option, choice in options.items())
        yield f"{printed.rules.key}:{words}".rstrip(":")


def _key(name: str) -> str:
    return name.partition(":")[0]


def best(name: str, rules: RuleSet) -> Figures:
    """How games end under best play, exactly."""
    cone = solve(rules, State.of(Sheet.empty(rules)), turns=0, progress=Progress(name), planes=SPREAD)
    end = cone.prospect
    return {"expected": round(cone.value, 6), "deviation": round(end.spread, 4), "bonus": round(end.bonus, 6)}


def hunter(name: str, rules: RuleSet) -> Figures:
    """How games of a bonus hunter end, exactly: with what he believes that the bonus pays beyond what it does."""
    believed = players.hunted(rules)
    end = solve(
        believed, State.of(Sheet.empty(rules)), turns=0, progress=Progress(f"{name}, bonus"), planes=SPREAD
    ).prospect
    dreamt = (believed.bonus.points - rules.bonus.points) * end.bonus
    return {"expected": round(end.mean - dreamt, 4), "bonus": round(end.bonus, 6)}


def greedy(_name: str, rules: RuleSet) -> Figures:
    """How simulated games of a greedy player end."""
    return _counted(players.greedy(rules, dice(SEED), GAMES["greedy"]))


def simple(_name: str, rules: RuleSet) -> Figures:
    """How simulated games of a player with a simple rule end."""
    return _counted(players.simple(rules, dice(SEED), GAMES["simple"]))


def _counted(found: Outcomes) -> Figures:
    count, spread, bonus = len(found.totals), found.spread, found.bonus
    return {"expected": round(statistics.mean(found.totals), 4), "error": round(spread / count**0.5, 4)} | {
        "deviation": round(spread, 4),
        "bonus": round(bonus, 6),
        "bonus_error": round((bonus * (1 - bonus) / count) ** 0.5, 6),
        "games": count,
        "seed": SEED,
    }


def markers(name: str, rules: RuleSet, watched: int = WATCHED) -> Figures:
    """What one marker more is worth before each turn, on average over simulated games of best play; how many are held.

    The worth on each of the sheets is exact. last: what each of the first MARKERS is worth, one after the other, if
    only the last box is open and the bonus is out of reach.
    """
    empty = Sheet.empty(rules)
    cone = solve(rules, State(0, 0, empty.left + 1), progress=Progress(f"{name}, markers"))
    worths, held = list[list[float]](), list[list[int]]()

    def find(sheet: Sheet) -> Layer | None:
        """What a turn on this sheet can lead to; the sheet is looked at on the way."""
        state, turn = State.of(sheet), len(rules.boxes) - len(sheet.open)
        if turn == 0:
            worths.append([])
            held.append([])
        values = cone.layers[turn].at(state.filled)[:, state.upper]
        worths[-1].append(float(values[sheet.left + 1] - values[sheet.left]))
        held[-1].append(sheet.left)
        return cone.after(state)

    found = play_out(empty, None, empty.allowance - 1, find, dice(SEED), watched)
    assert found
    by_turn, error = np.array(worths), np.std(worths, axis=0, ddof=1) / watched**0.5
    return {
        "worth": by_turn.mean(axis=0).round(4).tolist(),
        "error": error.round(4).tolist(),
        "held": np.mean(held, axis=0).round(3).tolist(),
        "last": last_markers(rules),
        "games": watched,
        "seed": SEED,
        "mean": round(statistics.mean(found.totals), 4),
    }


def duel(name: str, rules: RuleSet) -> Figures:
    """How often one is ahead in the end who plays the last rounds for that."""
    return duels.duels(rules, DUELS[name], progress=Progress(f"{name}, duels"))


def last_markers(rules: RuleSet) -> list[float]:
    """Points that each of the first MARKERS adds to the one before it, if only the last box is open and no bonus."""
    state = State((1 << (len(rules.boxes) - 1)) - 1, 0, MARKERS)
    values = solve(rules, state).layers[len(rules.boxes) - 1].at(state.filled)[:, 0]
    return [round(float(more - less), 4) for less, more in pairwise(values)]


def dice(seed: int) -> Throw:
    """Throws of so many dice."""
    source = random.Random(seed)
    return lambda n: tuple(source.choices(range(1, 7), k=n))


def tasks() -> dict[str, tuple[Measure, str, RuleSet]]:
    """All that is measured, by what it is recorded as; last what takes minutes."""
    found: list[tuple[str, Measure, str, RuleSet]] = [("best", best, name, rules) for name, rules in rows().items()]
    for name in COMPARED:
        found += [(player.__name__, player, name, chosen(name)) for player in (hunter, greedy, simple)]
    found += [("duels", duel, name, chosen(name)) for name in DUELS]
    found += [("markers", markers, name, chosen(name)) for name in SAVING]
    found.sort(key=lambda task: (task[3].saves_rerolls, task[3].order == Order.FREE))
    return {f"{what} {name}": (measure, name, rules) for what, measure, name, rules in found}


def is_current(figures: Figures | None, rules: RuleSet) -> bool:
    """Whether these figures were measured for these rules, by the solver that there is now."""
    return figures is not None and (figures["rules"], figures["solver"]) == (rules.fingerprint, SOLVER)


def stamped(figures: Figures, rules: RuleSet) -> Figures:
    """The figures, with that."""
    return figures | {"rules": rules.fingerprint, "solver": SOLVER}
