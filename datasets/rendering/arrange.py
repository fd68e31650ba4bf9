"""Places dice, decoys, lamps and a camera as a recipe wishes: a pure function of recipe and random numbers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.rendering import decoys, looks, tables
from datasets.rendering.colours import Rng, any_colour
from datasets.rendering.looks import Look
from datasets.rendering.place import Placer
from datasets.rendering.poses import carry, resting, tip, turn_z
from datasets.rendering.recipe import Recipe
from datasets.rendering.scene import (
    BOX,
    FACES,
    HOLLOW,
    Art,
    Camera,
    Ground,
    Scene,
    Surface,
    Thing,
)
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
        spot = placer.find(max(float(np.hypot(*p.centre[:2])) + p.reach for p in parts), round_=True)
        if spot is not None and len(things) + len(parts) <= 60:
            group = 1 + max((t.group for t in things), default=0)
            move = np.array([spot[0], spot[1], 0.0])
            things += [replace(p, centre=p.centre + move, group=group) for p in parts]
    lamps, zenith, horizon = light(recipe, rng)
    mean = (ground.textures.reshape(2, -1, 3)[:, ::97].astype(float).mean(1) / 255) ** 2
    floor = mean[1 if tray or ground.shape >= 0 else 0]
    bounce = floor * (np.array(zenith) * 0.6 + sum(np.array(lamp.colour) for lamp in lamps if lamp.key) * 0.2)
    return Scene(tuple(things), lamps, ground, camera, zenith, horizon, tuple(bounce), int(rng.integers(1 << 30)), tags)


def place_tray(recipe: Recipe, rng: Rng, camera: Camera) -> tuple[tuple[float, float] | None, list[Thing]]:
    """The half size of the tray, as wide as the view, and its walls."""
    if recipe.tray is None:
        return None, []
    middle = np.array([[camera.width * f, camera.height * 0.5] for f in (0.02, 0.98)])
    reach = max(float(np.linalg.norm(np.diff(camera.reach(middle, 0.0), axis=0))) / 2 * rng.uniform(0.65, 1.0), 4.0)
    surface = Surface(any_colour(rng) if rng.random() < 0.5 else (0.3, 0.15, 0.06), rough=rng.uniform(0.2, 0.9))
    high = min(rng.uniform(0.8, 3.0), reach * (0.35 - 0.004 * recipe.tilt))
    thick = rng.uniform(0.15, 0.6)
    if recipe.tray == "bowl":
        wall = Thing(
            "", np.array([0, 0, high - 2 * thick]), np.eye(3), (reach + thick, thick, high), surface, HOLLOW, 0.1
        )
        return (reach, reach), [wall]
    sides = 4 if recipe.tray == "box" else 6
    ratio = rng.uniform(0.7, 1.0) if sides == 4 else 1.0
    walls = []
    for k in range(sides):
        turn = turn_z(k * 2 * np.pi / sides + (np.pi / 6 if sides == 6 else 0.0))
        off = (reach if k % 2 == 0 or sides == 6 else reach * ratio) * (1.0 if sides == 4 else np.cos(np.pi / 6))
        long = (reach * ratio if k % 2 == 0 else reach) if sides == 4 else reach / 2
        walls.append(
            Thing(
                "",
                turn @ np.array([off + thick, 0, high - 0.1]),
                turn,
                (thick, long + 2 * thick, high),
                surface,
                BOX,
                0.08,
            )
        )
    return (reach, reach * ratio), walls


def lay_ground(
    recipe: Recipe, rng: Rng, tray: tuple[float, float] | None, camera: Camera
) -> tuple[Ground, tuple[str, ...]]:
    """The table and, on it, the floor of the tray or a mat."""
    size = 512 if max(camera.width, camera.height) <= 640 else 1024
    name, top = tables.draw(rng, size, recipe.top)
    tags: tuple[str, ...] = (name,)
    shape, second, mat, angle = -1, top, (0.0, 0.0, 1.0, 1.0), 0.0
    if recipe.mat is not None:
        mat_name, second = tables.draw(rng, size, recipe.mat)
        tags = (name, mat_name)
    if recipe.tray is not None and tray is not None:
        shape = {"box": 0, "hexagon": 2, "bowl": 1}[recipe.tray]
        mat = (0.0, 0.0, *tray)
    elif recipe.mat is not None:
        corners = camera.reach(np.array([[0, 0], [camera.width, camera.height]], float), 0.0)
        wide = float(np.linalg.norm(corners[1] - corners[0])) * rng.uniform(0.15, 0.5)
        shape, angle = int(rng.choice([0, 0, 0, 1, 2])), rng.uniform(0, 2 * np.pi)
        mat = (*rng.normal(0, wide * 0.4, 2), wide, wide * rng.uniform(0.5, 1.0))
    stack = np.stack([np.sqrt(np.clip(t.texture, 0, 1)) * 255 for t in (top, second)]).astype(np.uint8)
    scale = (0.5 / top.edges, 0.5 / second.edges)
    finish = ((top.rough, top.coat, top.grain), (second.rough, second.coat, second.grain))
    a, b, c, d = rng.uniform(0, 6.28, 4)
    return Ground(
        stack, scale, (a, b), (c, d), finish, shape, mat, angle, recipe.tray is None and rng.random() < 0.5
    ), tags


def throw_dice(recipe: Recipe, rng: Rng, placer: Placer, art_size: int) -> list[Thing]:
    """The dice, each resting on the table, leaning, or on another die."""
    makes: list[tuple[Look, Art, float]] = []
    for name in recipe.looks[: max(recipe.dice, 1)]:
        _, look = looks.draw(rng, name)
        if makes and rng.random() < 0.6:  # dice of a set differ in colour only
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
