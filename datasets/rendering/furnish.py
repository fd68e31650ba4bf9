"""What stands and lies around: the table, a mat on it, a tray, and what throws shadows from outside the picture."""

from __future__ import annotations

import numpy as np

from datasets.rendering import tables
from datasets.rendering.colours import Rng, any_colour
from datasets.rendering.poses import turn_z
from datasets.rendering.recipe import Recipe
from datasets.rendering.scene import HOLLOW, Camera, Ground, Lamp, Surface, Thing


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
        centre = turn @ np.array([off + thick, 0, high - 0.1])
        walls.append(Thing("", centre, turn, (thick, long + 2 * thick, high), surface, rounding=0.08))
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


def shades(recipe: Recipe, rng: Rng, camera: Camera, lamp: Lamp) -> list[Thing]:
    """A board between the lamp and the table, out of the picture, whose shadow's edge crosses the dice."""
    if not recipe.shaded:
        return []
    view = np.array([[x * camera.width, y * camera.height] for x in (0, 1) for y in (0, 1)], float)
    wide = float(np.abs(camera.reach(view, 0.0)[:, :2]).max())
    for _ in range(10):
        board = np.array([wide * rng.uniform(0.5, 2), wide * rng.uniform(0.3, 2), 0.1])
        turn = turn_z(rng.uniform(0, 2 * np.pi))
        centre = lamp.place * rng.uniform(0.3, 0.7) + turn @ np.array([board[0] + wide * rng.uniform(-0.6, 0.4), 0, 0])
        corners = centre + (np.array([[x, y, 0] for x in (-1, 0, 1) for y in (-1, 0, 1)]) * board) @ turn.T
        at = camera.project(corners) / (camera.width, camera.height)
        ahead = (camera.eye - corners) @ camera.view[:, 2]
        aside = (at < -0.05).all(0).any() or (at > 1.05).all(0).any()
        if (ahead < 0).all() or ((ahead > 0.1).all() and aside):
            return [Thing("", centre, turn, (board[0], board[1], board[2]), Surface((0.3, 0.3, 0.3)))]
    return []
