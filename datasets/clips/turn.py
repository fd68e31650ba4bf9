"""A turn, drawn at random from a seed: throws, dice kept, and in between what is no throw."""

from __future__ import annotations

from collections import Counter

import numpy as np

from datasets.clips.director import Director, NoRoom
from datasets.clips.disturb import NO_THROWS
from datasets.clips.stage import Stage
from datasets.rendering.colours import Rng
from scorekeeper import games
from scorekeeper.rules import RuleSet

GAMES = tuple(games.GAMES)


def rules_of(seed: int) -> RuleSet:
    """The rule sets take turns."""
    return games.GAMES[GAMES[seed % len(GAMES)]].rules


def play(stage: Stage, rules: RuleSet, rng: Rng) -> Director:
    """A whole turn on a stage. Raises NoRoom where the dice find no place."""
    d = Director(stage, rng)
    every = range(rules.dice)
    d.hold(rng.uniform(0.3, 1.0))
    if rng.random() < 0.25:  # the dice of the player before lie there, and are carried off
        _lie_there(d)
        d.hold(rng.uniform(1.0, 1.5))
        d.take(every)
        d.leave()
        d.hold(rng.uniform(0.3, 1.0))
    most = rules.throws + (int(rng.integers(0, 3)) if rules.saves_rerolls else 0)
    kept: list[int] = []
    for throw in range(int(rng.choice([most, most - 1, 1], p=[0.7, 0.2, 0.1])) or 1):
        thrown = [k for k in every if k not in kept]
        if throw:
            _set_aside(d, kept)
            d.take(thrown)
            if rng.random() < 0.75:  # shaken out of sight
                d.leave()
            d.hold(rng.uniform(0.3, 1.2))
        d.throw(thrown, kept)
        d.hold(rng.uniform(0.8, 1.3))
        while rng.random() < 0.4:
            disturb(d, str(rng.choice(list(NO_THROWS))))
        kept = _choose(d, rng)
    d.hold(rng.uniform(0.3, 0.8))
    if rng.random() < 0.4:
        d.take(every)
        d.leave()
        d.hold(rng.uniform(0.5, 1.0))
    return d


def disturb(d: Director, name: str) -> None:
    """Something that is no throw, and a moment's rest after it."""
    begun = d.at
    NO_THROWS[name](d)
    d.other.append({"kind": name, "from": round(begun, 3), "to": round(d.at, 3)})
    d.hold(float(d.rng.uniform(0.6, 1.2)))


def _lie_there(d: Director) -> None:
    spots = d.stage.spots(len(d.dice), [], (0.5, 0.5), 0.8)
    if spots is None:
        raise NoRoom
    d.shots.clear()
    d.dice = [d.stage.lay(die, spot, int(d.rng.integers(1, 7))) for die, spot in zip(d.stage.dice, spots, strict=True)]
    d.note(0.0, [])


def _choose(d: Director, rng: Rng) -> list[int]:
    """Which dice to keep: those of the commonest face, most often; at least one is thrown again."""
    values = [d.value(k) for k in range(len(d.dice))]
    if rng.random() < 0.7:
        face = Counter(values).most_common(1)[0][0]
        kept = [k for k, value in enumerate(values) if value == face]
    else:
        kept = [k for k in range(len(values)) if rng.random() < 0.5]
    return kept[: len(values) - 1]


def _set_aside(d: Director, kept: list[int]) -> None:
    """Those to keep are carried to the side, all or none; now and then they stay where they lie."""
    if not kept or d.rng.random() < 0.55:
        return
    side = np.array([d.stage.entry[1], -d.stage.entry[0]]) * (1 if d.rng.random() < 0.5 else -1)
    middle = tuple(0.5 + 0.33 * side + 0.1 * d.stage.entry)
    for k in kept:
        others = [die for die in d.dice if die is not None]
        spots = d.stage.spots(1, others, (float(middle[0]), float(middle[1])), 0.3)
        if spots:
            d.carry(k, spots[0])
    if d.rng.random() < 0.5:
        d.leave()
        d.hold(float(d.rng.uniform(0.3, 0.8)))
