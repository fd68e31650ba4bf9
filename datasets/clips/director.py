"""Who moves what in a clip, frame by frame: a hand, dice, the camera. Knows nothing of light."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from datasets.clips.rolling import Rolling
from datasets.clips.stage import Stage
from datasets.rendering.colours import Rng
from datasets.rendering.poses import turn_z
from datasets.rendering.scene import Array, Thing

FPS = 10
SHUTTER = 0.25  # share of the time between two frames that the shutter is open
STILL = np.zeros(2)


@dataclass(frozen=True)
class Shot:
    """One frame: the dice (None: in a hand or away), how far those that move go while the shutter is open, in pixels,
    the hand's palm and how far it goes, the exposure, whether the lamp is on, and how the camera was moved."""

    dice: tuple[Thing | None, ...]
    smears: dict[int, Array] = field(default_factory=dict)
    palm: Array | None = None
    smear: Array = field(default_factory=lambda: STILL)
    gain: float = 1.0
    lit: bool = True
    shift: Array = field(default_factory=lambda: STILL)
    jolt: Array = field(default_factory=lambda: STILL)
    stutter: bool = False  # the frame before is stored once more


class Director:
    """Moves hand and dice about on a stage, shot after shot, and writes down what is true."""

    def __init__(self, stage: Stage, rng: Rng) -> None:
        self.stage, self.rng = stage, rng
        self.shots: list[Shot] = []
        self.truth: list[dict[str, Any]] = []
        self.other: list[dict[str, Any]] = []
        self.dice: list[Thing | None] = [None] * len(stage.dice)
        self.shift = STILL
        self.palm: Array | None = None
        camera = stage.scene.camera
        self.size = np.array([camera.width, camera.height])
        self.step = float(rng.uniform(0.05, 0.1) * camera.width)  # pixels that a hand goes from frame to frame

    @property
    def at(self) -> float:
        """Seconds so far."""
        return len(self.shots) / FPS

    @property
    def tables(self) -> list[tuple[Thing, ...]]:
        """Every way in which all dice have lain there at rest."""
        at_rest = [shot.dice for shot in self.shots if not shot.smears]
        lying = [tuple(die for die in dice if die is not None) for dice in at_rest if None not in dice]
        return list({tuple(map(id, dice)): dice for dice in lying}.values())

    def shoot(self, **more: Any) -> None:
        """One frame of things as they are."""
        self.shots.append(Shot(tuple(self.dice), **({"palm": self.palm, "shift": self.shift} | more)))

    def hold(self, seconds: float) -> None:
        """Nothing happens for a while."""
        for _ in range(round(seconds * FPS)):
            self.shoot()

    def value(self, k: int) -> int:
        """What a die shows."""
        die = self.dice[k]
        assert die is not None
        return die.values[die.top]

    # --- the hand

    @property
    def away(self) -> Array:
        """Where the hand is out of sight."""
        return np.asarray(self.size / 2 + self.stage.entry * (np.hypot(*self.size) / 2 + 0.45 * self.size[0]))

    def reach(self, palm: Array, during: Callable[[Array], None] = lambda palm: None) -> None:
        """The hand goes to a pixel, from out of sight if it was not there; `during` moves what it holds."""
        start = self.away if self.palm is None else self.palm
        steps = max(2, int(np.ceil(np.linalg.norm(palm - start) / self.step)))
        before = start
        for k in range(1, steps + 1):
            ease = (1 - np.cos(np.pi * k / steps)) / 2
            self.palm = start + (palm - start) * ease
            during(self.palm)
            if self._in_view(self.palm) or self._in_view(before):
                self.shoot(smear=(self.palm - before) * SHUTTER)
            before = self.palm

    def _in_view(self, palm: Array) -> bool:
        return bool(np.all(np.abs(palm - self.size / 2) < self.size / 2 + 0.3 * self.size[0]))

    def leave(self) -> None:
        """The hand goes out of sight."""
        self.reach(self.away)
        self.palm = None

    # --- what is a throw

    def take(self, which: Sequence[int]) -> None:
        """The hand picks up dice, one after the other, and goes."""
        left = list(which)
        while left:
            here = self.away if self.palm is None else self.palm
            near = min(left, key=lambda k: float(np.linalg.norm(self.pixel(k) - here)))
            left.remove(near)
            self.reach(self.pixel(near))
            self.shoot()
            self.dice[near] = None

    def throw(self, which: Sequence[int], kept: Sequence[int]) -> None:
        """The dice roll out of the hand; the hand goes, or stays for a moment at the edge."""
        spots = None
        middle = tuple(0.5 - 0.12 * self.stage.entry + self.rng.uniform(-0.08, 0.08, 2))
        lying = [die for die in self.dice if die is not None]
        for wide in (0.55, 0.65, 0.75, 0.85, 0.85, 0.85):
            spots = spots or self.stage.spots(len(which), lying, middle, wide)
        if spots is None:
            raise NoRoom
        camera = self.stage.scene.camera
        release = self.size / 2 + self.stage.entry * self.size / 2 * self.rng.uniform(0.75, 1.05)
        self.reach(release)
        from_ = camera.reach(release[None], 1.0)[0]
        rolls = [
            Rolling(self.stage.lay(self.stage.dice[k], spot, int(self.rng.integers(1, 7))), from_, self.rng)
            for k, spot in zip(which, spots, strict=True)
        ]
        begun = self.at
        last = max(roll.begin + roll.lasts for roll in rolls)
        hides = any(np.linalg.norm(self.stage.pixel(roll.rest) - release) < self.stage.reach for roll in rolls)
        palm, goes = release, bool(self.rng.random() < 0.8) or hides  # a die under the hand cannot be told in time
        for frame in range(1, int(np.ceil(last * FPS)) + 1):
            smears = {}
            for k, roll in zip(which, rolls, strict=True):
                self.dice[k] = roll.pose(frame / FPS)
                if frame / FPS < roll.begin + roll.lasts and self.dice[k] is not None:
                    earlier = roll.pose((frame - 0.3) / FPS)
                    smears[k] = (self.pixel(k) - self.stage.pixel(earlier)) * SHUTTER / 0.3 if earlier else STILL
            back = self.away - palm
            new = palm + back * min(1.0, 0.8 * self.step / max(float(np.linalg.norm(back)), 1.0)) if goes else palm
            self.palm = new
            self.shoot(smears=smears, smear=(new - palm) * SHUTTER)
            palm = new
        for k, roll in zip(which, rolls, strict=True):
            self.dice[k] = roll.rest
        self.note(begun + last, kept)
        if not goes:
            self.hold(self.rng.uniform(0.2, 0.8))
        self.leave()

    def note(self, at: float, kept: Sequence[int]) -> None:
        there = [k for k, die in enumerate(self.dice) if die is not None]
        dice = [{"value": self.value(k), "box": self._box(k)} for k in there]
        self.truth.append({"at": round(at, 3), "dice": dice, "kept": [there.index(k) for k in kept]})

    def _box(self, k: int) -> list[float]:
        left, top, wide, high = self.stage.box(self.die(k))
        return [round(left + float(self.shift[0]), 1), round(top + float(self.shift[1]), 1), wide, high]

    def die(self, k: int) -> Thing:
        """A die that lies on the table."""
        die = self.dice[k]
        assert die is not None
        return die

    def pixel(self, k: int) -> Array:
        """Where its middle is seen."""
        return self.stage.pixel(self.die(k))

    def carry(self, k: int, spot: tuple[float, float, float]) -> None:
        """The hand, over a die, carries it under the palm to a spot, the same face up."""
        die = self.die(k)
        self.reach(self.pixel(k))
        self.dice[k] = None
        turned = turn_z(self.rng.normal(0, 0.4)) @ die.rotation
        target = replace(die, centre=np.array([spot[0], spot[1], die.centre[2]]), rotation=turned)
        self.reach(self.stage.pixel(target))
        self.shoot()
        self.dice[k] = target


class NoRoom(Exception):
    """The dice find no place on this table; another seed may have it."""
