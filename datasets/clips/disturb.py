"""What people and cameras do that is no throw, by name. Each leaves the dice with the faces they had."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from datasets.clips.director import FPS, SHUTTER, Director


def pass_over(d: Director) -> None:
    """A hand passes over the dice and goes on."""
    target = d.size * d.rng.uniform(0.2, 0.8, 2)
    d.reach(target)
    d.reach(d.size * d.rng.uniform(0.2, 0.8, 2))
    d.leave()


def rest_in_view(d: Director) -> None:
    """A hand rests on the table, on dice perhaps."""
    d.reach(d.size * d.rng.uniform(0.15, 0.85, 2))
    d.hold(d.rng.uniform(0.8, 2.0))
    d.leave()


def push(d: Director) -> None:
    """A die is pushed aside."""
    k = int(d.rng.integers(len(d.dice)))
    die = d.die(k)
    others = [one for one in d.dice if one is not None and one is not die]
    spots = d.stage.spots(1, others, tuple(d.rng.uniform(0.3, 0.7, 2)), 0.4)
    if spots is None:
        return
    behind = d.stage.entry * 0.055 * d.size[0] * (1 if d.rng.random() < 0.5 else 0)  # only the fingertips, or all of it
    d.reach(d.pixel(k) + behind)
    start, end = die.centre[:2], np.array(spots[0][:2])
    steps = max(3, round(float(d.rng.uniform(0.3, 0.9)) * FPS))
    before = d.palm
    for n in range(1, steps + 1):
        at = start + (end - start) * (1 - np.cos(np.pi * n / steps)) / 2
        d.dice[k] = replace(die, centre=np.array([*at, die.centre[2]]))
        d.palm = d.pixel(k) + behind
        assert before is not None
        d.shoot(smear=(d.palm - before) * SHUTTER, smears={k: (d.palm - before) * SHUTTER})
        before = d.palm
    d.leave()


def one_by_one(d: Director) -> None:
    """Dice are picked up, looked at, and put down with the same face."""
    for k in d.rng.choice(len(d.dice), int(d.rng.integers(1, 4)), replace=False).tolist():
        die = d.die(k)
        d.take([k])
        if d.rng.random() < 0.5:
            d.leave()
            d.hold(d.rng.uniform(0.3, 1.0))
        others = [one for one in d.dice if one is not None]
        spots = d.stage.spots(1, others, tuple(d.rng.uniform(0.3, 0.7, 2)), 0.5)
        x, y, _ = spots[0] if spots else (*die.centre[:2], 0.0)
        target = replace(die, centre=np.array([x, y, die.centre[2]]))
        d.reach(d.stage.pixel(target))
        d.shoot()
        d.dice[k] = target
        d.shoot()
    d.leave()


def lamp(d: Director) -> None:
    """The lamp goes off and on; the camera makes up for it, not at once."""
    dark = float(d.rng.uniform(0.5, 1.0))
    frames = round(d.rng.uniform(1.0, 2.5) * FPS)
    best = float(d.rng.uniform(1.2, 2.5))
    for n in range(frames):
        d.shoot(lit=False, gain=dark * (1 + (best - 1) * min(1.0, n / 5)))
    for n in range(5):
        d.shoot(gain=1 + (best - 1) * (1 - n / 5))


def pump(d: Director) -> None:
    """Automatic exposure goes up and down."""
    deep, period = d.rng.uniform(0.15, 0.45), d.rng.uniform(4, 12)
    for n in range(round(d.rng.uniform(1.0, 2.5) * FPS)):
        d.shoot(gain=float(np.exp(deep * np.sin(2 * np.pi * n / period))))


def bump(d: Director) -> None:
    """Somebody bumps into the camera: it shakes, and looks a little elsewhere from now on."""
    goal = d.shift + d.rng.normal(0, 0.02 * d.size[0], 2)
    if np.abs(goal).max() > 0.03 * d.size[0]:
        goal = d.rng.normal(0, 0.008 * d.size[0], 2)
    for _ in range(int(d.rng.integers(1, 4))):
        d.shoot(shift=goal + d.rng.normal(0, 8, 2), jolt=d.rng.normal(0, 10, 2))
    d.shift = goal


def drop(d: Director) -> None:
    """Frames are lost: the one before stays."""
    for _ in range(int(d.rng.integers(1, 4))):
        d.shoot(stutter=True)


NO_THROWS: dict[str, Callable[[Director], None]] = {
    "hand passes over": pass_over,
    "hand rests": rest_in_view,
    "die pushed": push,
    "one by one": one_by_one,
    "lamp": lamp,
    "exposure": pump,
    "bump": bump,
    "frames dropped": drop,
}
