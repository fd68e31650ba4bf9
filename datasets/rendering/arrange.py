"""Places dice, decoys, lamps and a camera as a recipe wishes: a pure function of recipe and random numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.rendering import decoys, looks
from datasets.rendering.colours import Rng
from datasets.rendering.furnish import lay_ground, place_tray, shades
from datasets.rendering.looks import Look
from datasets.rendering.place import Placer
from datasets.rendering.poses import carry, resting, tip, turn_z
from datasets.rendering.recipe import Recipe
from datasets.rendering.scene import BOX, FACES, MOST_THINGS, Art, Scene, Thing
from datasets.rendering.studio import light, place_camera


def arrange(recipe: Recipe, rng: Rng, width: int, height: int) -> Scene:
    """The scene of a recipe in a picture of width × height pixels; the camera moves away until a die finds room."""
    for _ in range(5):
        scene = attempt(recipe, rng, width, height)
        if not recipe.dice or sum(bool(t.values) for t in scene.things) > recipe.dice // 3:
            break
        recipe = replace(recipe, die=recipe.die * 0.8, spread=min(1.0, recipe.spread * 1.2))
    return scene


def attempt(recipe: Recipe, rng: Rng, width: int, height: int) -> Scene:
    """One try at a scene: dice that find no room are left out."""
    scale = min(width, height) / 512
    camera = place_camera(recipe, rng, width, height, scale)
    tray, walls = place_tray(recipe, rng, camera)
    ground, tags = lay_ground(recipe, rng, tray, camera)
    art_size = int(2 ** np.clip(np.ceil(np.log2(recipe.die * scale * 0.7)), 5, 9))
    placer = Placer(camera, rng, recipe, tray)
    things = [*walls]
    things += throw_dice(recipe, rng, placer, art_size)
    for name in recipe.decoys:
        parts = decoys.draw(rng, art_size, name)
        move = placer.find_for(parts)
        if move is not None and len(things) + len(parts) < MOST_THINGS:
            group = 1 + max((t.group for t in things), default=0)
            things += [replace(p, centre=p.centre + move, group=group) for p in parts]
    lamps, zenith, horizon = light(recipe, rng)
    things += shades(recipe, rng, camera, lamps[0])
    mean = (ground.textures.reshape(2, -1, 3)[:, ::97].astype(float).mean(1) / 255) ** 2
    floor = mean[1 if tray or ground.shape >= 0 else 0]
    bounce = floor * (np.array(zenith) * 0.6 + sum(np.array(lamp.colour) for lamp in lamps if lamp.key) * 0.2)
    return Scene(tuple(things), lamps, ground, camera, zenith, horizon, tuple(bounce), int(rng.integers(1 << 30)), tags)


def throw_dice(recipe: Recipe, rng: Rng, placer: Placer, art_size: int) -> list[Thing]:
    """The dice, each resting on the table, leaning, or on another die."""
    makes: list[tuple[Look, Art, float]] = []
    for name in recipe.looks[: max(recipe.dice, 1)]:
        look = name if isinstance(name, Look) else looks.draw(rng, name)[1]
        if makes and not isinstance(name, Look) and rng.random() < 0.6:  # dice of a set differ in colour only
            first = makes[0][0]
            ink = look.pips.ink
            look = replace(
                look,
                rounding=first.rounding,
                cut=first.cut,
                values=first.values,
                pips=replace(first.pips, ink=ink, ink_of={}, metal=look.pips.metal),
            )
        size = rng.uniform(0.6, 1.4) if recipe.mixed_sizes else 1.0
        makes.append((look, look.art(art_size, rng), size))
    dice: list[Thing] = []
    for _ in range(recipe.dice):
        look, art, size = makes[int(rng.integers(len(makes)))]
        spot = placer.find(size, beside=rng.random() < recipe.touching)
        if spot is None:
            continue
        up = look.values.index(recipe.same_value) if recipe.same_value else int(rng.integers(6))
        turned = turn_z(spot[2]) @ turn_z(int(rng.integers(4)) * np.pi / 2) @ carry(FACES[up])
        if rng.random() < recipe.cocked:
            around = spot[2] + int(rng.integers(4)) * np.pi / 2
            axis = turn_z(around)
            turned = axis @ tip(np.radians(rng.uniform(3, 42))) @ axis.T @ turned
        half, rounding = size, look.rounding * size
        die = Thing(
            "die",
            np.array([spot[0], spot[1], 0.0]),
            turned,
            (half - rounding,) * 3,
            look.surface,
            BOX,
            rounding,
            look.cut * size,
            art,
            look.values,
            rng.uniform(0, 50),
            symbol=look.pips.logo,
        )
        die = resting(die)
        if dice and rng.random() < recipe.stacked:
            under = dice[int(rng.integers(len(dice)))]
            if under.lean < 0.1 and under.centre[2] < 1.5:
                offset = rng.uniform(-0.6, 0.6, 2)
                die = replace(die, centre=np.array([*(under.centre[:2] + offset), 2 * under.centre[2] + die.lift]))
        dice.append(die)
    return dice
