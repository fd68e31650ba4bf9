"""The table of a clip: a scene drawn from a seed, where dice can lie on it, where a hand comes in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from datasets.rendering import decoys
from datasets.rendering.arrange import arrange
from datasets.rendering.colours import Rng
from datasets.rendering.place import Placer, footprint
from datasets.rendering.poses import carry, resting, turn_z
from datasets.rendering.recipe import Recipe, draw
from datasets.rendering.scene import FACES, Array, Scene, Thing

Spot = tuple[float, float, float]  # x, y, angle
# What families play with; how dice are read that are harder to make out is measured on pictures (datasets.kinds).
TOPS = ("plain", "dark", "bright", "wood", "wood", "wood", "felt", "felt", "carpet", "weave", "stone", "dots")
LOOKS = ("plastic", "plastic", "white", "white", "translucent", "wooden", "shiny_pips", "asian", "inlaid", "glossy")


def wish(rng: Rng, dice: int) -> Recipe:
    """A table as a camera that stands there would see it: dice large enough to read, lying flat, within the picture."""
    recipe = draw(rng)
    return replace(
        recipe,
        dice=dice,
        die=float(np.exp(rng.uniform(np.log(54), np.log(84)))),
        tilt=min(recipe.tilt, 45.0),
        lens=max(recipe.lens, 0.85),
        spread=0.85,
        touching=0.1 if rng.random() < 0.3 else 0.0,
        looks=tuple(str(rng.choice(LOOKS)) for _ in range(int(rng.choice([1, 1, 1, 2, dice])))),
        mixed_sizes=False,
        top=str(rng.choice(TOPS)),
        mat=None,
        tray=None,
        tint=min(recipe.tint, 0.4),
        cocked=0.0,
        stacked=0.0,
        cut_off=False,
        decoys=("",) * int(rng.integers(1, 3)) if rng.random() < 0.2 else (),
        exposure=float(np.clip(recipe.exposure, 0.7, 1.4)),
        noise=min(recipe.noise, 0.03),
        defocus=0.0,
        blur=min(recipe.blur, 0.8),
        motion=0.0,
        low=1.0,
    )


@dataclass
class Stage:
    """`scene` without dice; `dice` as makes to be put down, at their first places; `hand`: its parts, palm at the
    origin; `entry`: unit vector in the picture from the palm towards where it comes from."""

    recipe: Recipe
    scene: Scene
    dice: list[Thing]
    hand: list[Thing]
    entry: Array
    rng: Rng

    @classmethod
    def of(cls, rng: Rng, dice: int, size: tuple[int, int]) -> Stage:
        """A stage with room for so many dice; `size` (width, height) in pixels."""
        while True:
            recipe = wish(rng, dice)
            scene = arrange(recipe, rng, *size)
            lying = [thing for thing in scene.things if thing.values]
            if len(lying) == dice and not any(die.symbol for die in lying):
                break
        rest = tuple(thing for thing in scene.things if not thing.values and thing.what != "hand")
        hand, entry = _hand(scene, rng)
        return cls(recipe, replace(scene, things=rest), lying, hand, entry, rng)

    @cached_property
    def reach(self) -> float:
        """Pixels from the middle of the palm within which a die may lie under the hand."""
        palm, _forearm, *fingers, _arm = self.hand
        tips = np.vstack([self.scene.camera.project(part.outline()) for part in (palm, *fingers)])
        side = max(self.box(self.dice[0])[2:])
        return float(np.linalg.norm(tips - self.pixel(palm), axis=1).max() + side)

    def spots(self, count: int, taken: list[Thing], middle: tuple[float, float], wide: float) -> list[Spot] | None:
        """Free places for dice round a point of the picture (fractions), within `wide` of its sides; None without."""
        placer = Placer(self.scene.camera, self.rng, self.recipe, None)
        placer.low = np.array(middle) - wide / 2
        placer.high = np.array(middle) + wide / 2
        edge = self.dice[0].extent[0] + self.dice[0].rounding
        placer.taken = [square for thing in (*taken, *self.scene.things) for square in footprint(thing)]
        placer.taken = [(x, y, half * 1.15, angle) for x, y, half, angle in placer.taken]
        found = [placer.find(edge * 1.1, beside=self.rng.random() < self.recipe.touching) for _ in range(count)]
        return [spot for spot in found if spot] if all(found) else None

    def lay(self, die: Thing, spot: Spot, value: int) -> Thing:
        """The die at rest at a spot, this value on top."""
        up = die.values.index(value)
        turned = turn_z(spot[2]) @ turn_z(int(self.rng.integers(4)) * np.pi / 2) @ carry(FACES[up])
        return resting(replace(die, centre=np.array([spot[0], spot[1], 0.0]), rotation=turned))

    def pixel(self, thing: Thing) -> Array:
        """Where the middle of a thing is seen."""
        return np.asarray(self.scene.camera.project(thing.centre[None])[0])

    def box(self, die: Thing) -> list[float]:
        """[left, top, width, height] in pixels round the outline of a die."""
        at = self.scene.camera.project(die.outline())
        low, high = at.min(0), at.max(0)
        return [round(float(side), 1) for side in (*low, *(high - low))]


def _hand(scene: Scene, rng: Rng) -> tuple[list[Thing], Array]:
    """A hand over the middle of the table, its forearm towards the person who sits at a side of the picture."""
    parts = decoys.hand(rng, 32)
    elbow = 2 * parts[1].centre - parts[0].centre + np.array([2.0, 0, 0])  # the forearm begins 2 behind the palm
    arm = elbow + 3 * (elbow - parts[0].centre) * (1, 1, 0)
    parts.append(decoys.rod("hand", elbow, arm, 2.2, parts[0].surface))
    camera = scene.camera
    side = rng.choice([0, 1, 2, 3], p=[0.55, 0.2, 0.2, 0.05])  # below, left, right, above
    aim = np.array([(0.0, 1.0), (-1.0, 0.0), (1.0, 0.0), (0.0, -1.0)][int(side)])
    middle = np.array([[camera.width / 2, camera.height / 2]])
    here = camera.reach(middle, parts[0].centre[2])[0]
    there = camera.reach(middle + 40 * aim + rng.normal(0, 8, 2), parts[0].centre[2])[0]
    angle = float(np.arctan2(*(there - here)[1::-1])) + np.pi
    turn = turn_z(angle)
    move = np.array([here[0], here[1], 0.0])
    placed = [replace(p, centre=turn @ p.centre + move, rotation=turn @ p.rotation) for p in parts]
    at = camera.project(np.stack([placed[0].centre, placed[1].centre]))
    towards = at[1] - at[0]
    return placed, np.asarray(towards / np.linalg.norm(towards))
