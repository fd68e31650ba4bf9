"""Random rule sets and random games for the property tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from scorekeeper import games
from scorekeeper.events import (
    HELP,
    Amended,
    Begun,
    Concealed,
    Event,
    Helped,
    Joined,
    Renamed,
    Reread,
    Rolled,
    RolledOff,
    Scored,
    Seated,
    Turned,
)
from scorekeeper.game import Game
from scorekeeper.history import History, start
from scorekeeper.options import ASK
from scorekeeper.refusal import IllegalEvent
from scorekeeper.rules import Budget, RuleSet

NAMES = ("Anna", "Bo", "Cilla", "Dora", "Einar", "Päivi", "Øyvind", "Åsa Britta")


def every_choice() -> list[RuleSet]:
    """Each rule set as printed, and with each choice of each option; a few limits stand for all."""
    rule_sets = []
    for printed in games.GAMES.values():
        agreed = {option.key: option.choices[0] for option in printed.options if option.default == ASK}
        for option in printed.options:
            few = option.choices[:4] + option.choices[-2:] if len(option.choices) > 10 else option.choices
            rule_sets += [printed.with_options({**agreed, option.key: choice}) for choice in few]
    return list(dict.fromkeys(rule_sets))


EVERY_CHOICE = every_choice()


@st.composite
def short_rules(draw: st.DrawFn) -> RuleSet:
    """A game of a few rows, in any of the ways to play, so that a random one comes to its end."""
    rules = draw(st.sampled_from(EVERY_CHOICE))
    rows = draw(st.sets(st.integers(0, len(rules.boxes) - 1), min_size=2, max_size=4))
    bonus = replace(rules.bonus, at=draw(st.integers(0, 12)))
    budget = rules.budget and Budget(draw(st.integers(1, 9)), rules.budget.value)
    return replace(rules, boxes=tuple(rules.boxes[row] for row in sorted(rows)), bonus=bonus, budget=budget)


def dice(rules: RuleSet) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(1, 6), min_size=rules.dice, max_size=rules.dice).map(tuple)


@st.composite
def rolled(draw: st.DrawFn, game: Game) -> Event | None:
    """One more throw of this turn, some of the dice kept; now and then the one before it was not seen."""
    if not game.throws_left:
        return None
    throw = draw(st.integers(game.throws + 1, min(game.throws + 2, game.throws + game.throws_left)))
    lying = game.roll.dice if game.roll else ()
    kept = tuple(die for die in lying if draw(st.booleans()))
    thrown = draw(dice(game.rules))[len(kept) :]
    return Rolled(kept + thrown, throw, kept, draw(st.sampled_from(["hand", "photo", "camera"])))


@st.composite
def reread(draw: st.DrawFn, game: Game) -> Event | None:
    return Reread(draw(dice(game.rules)), game.throws) if game.roll else None


@st.composite
def scored(draw: st.DrawFn, game: Game) -> Event | None:
    if not game.strikes:
        return None
    box = draw(st.sampled_from(game.strikes))
    return Scored(box, draw(st.sampled_from([game.choices.get(box, 0), 0])))


@st.composite
def amended(draw: st.DrawFn, game: Game) -> Event | None:
    box = draw(st.sampled_from(game.rules.boxes)).key
    points = draw(st.none() | st.sampled_from(sorted(game.rules.attainable[box])))
    return Amended(draw(st.integers(0, len(game.players) - 1)), box, points)


@st.composite
def joined(draw: st.DrawFn, game: Game) -> Event | None:
    return Joined(draw(st.sampled_from(NAMES)))


@st.composite
def renamed(draw: st.DrawFn, game: Game) -> Event | None:
    return Renamed(draw(st.integers(0, len(game.players) - 1)), draw(st.sampled_from(NAMES)))


@st.composite
def helped(draw: st.DrawFn, game: Game) -> Event | None:
    return Helped(draw(st.integers(0, len(game.players) - 1)), draw(st.sampled_from(HELP)))


@st.composite
def seated(draw: st.DrawFn, game: Game) -> Event | None:
    """Another order; now and then somebody leaves, or comes back."""
    order = draw(st.permutations(range(len(game.players))))
    return Seated(tuple(order[: draw(st.integers(max(1, len(order) - 1), len(order)))]))


@st.composite
def turned(draw: st.DrawFn, game: Game) -> Event | None:
    return Turned(draw(st.integers(0, len(game.players) - 1)))


@st.composite
def concealed(draw: st.DrawFn, _game: Game) -> Event | None:
    return Concealed(draw(st.booleans()))


@st.composite
def rolled_off(draw: st.DrawFn, game: Game) -> Event | None:
    return RolledOff(tuple(draw(st.integers(1, 6)) for _ in game.first)) if game.finished else None


TURNS = (rolled, scored, scored)
PEOPLE = (joined, renamed, helped, seated, turned, concealed, rolled_off)
ANYTHING = (*TURNS, *TURNS, *TURNS, reread, amended, *PEOPLE)


@st.composite
def histories(
    draw: st.DrawFn,
    kinds: tuple[Callable[..., st.SearchStrategy[Event | None]], ...] = ANYTHING,
    rewinds: bool = True,
    most: int = 40,
) -> History:
    """A game that began, and what happened in it so far. What the rules refuse did not happen."""
    players = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))
    history = start(Begun(draw(short_rules()), tuple(players), tuple(draw(st.sampled_from(HELP)) for _ in players)))
    for _ in range(draw(st.integers(0, most))):
        if rewinds and draw(st.integers(0, 5)) == 0:
            back = draw(st.sampled_from([history.undo, history.redo]))
            history = history.add(back) if back else history
            continue
        event = draw(draw(st.sampled_from(kinds))(history.game))
        if event:
            try:
                history = history.add(event)
            except IllegalEvent:
                continue
    return history
