"""What a person would write down about a rendered picture: boxes, values, and which dice nobody could judge."""

from __future__ import annotations

from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from datasets.rendering.recipe import Recipe
from datasets.rendering.render import Raster
from datasets.rendering.scene import Image, Scene, Thing

Mask: TypeAlias = npt.NDArray[np.bool_]


def label(
    scene: Scene, recipe: Recipe, raster: Raster, image: Image
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The dice and the decoys of a picture.

    A die: category_id (value of the top face), bbox and top ([x, y, w, h] in pixels: the visible body, the visible top
    face), visible (share of the whole die that is seen, 0..1), size (mean edge in pixels), lean (degrees), and
    `ambiguous` with a reason where a person could not say. A decoy: bbox, what. Dice not seen at all are left out.
    """
    dice, parts = [], dict[int, list[int]]()
    for index, thing in enumerate(scene.things):
        if thing.values:
            die = label_die(scene, recipe, raster, image, index)
            if die is not None:
                dice.append(die)
        elif thing.group:
            parts.setdefault(thing.group, []).append(index)
    decoys = []
    for group in parts.values():
        box = box_of(np.isin(raster.things, np.array(group) + 1))
        if box is not None and min(box[2:]) > 4:
            decoys.append({"bbox": box, "what": scene.things[group[0]].what})
    return dice, decoys


def label_die(scene: Scene, recipe: Recipe, raster: Raster, image: Image, index: int) -> dict[str, Any] | None:
    """The label of one die, None when none of it is in the picture."""
    thing = scene.things[index]
    seen = raster.things == index + 1
    box = box_of(seen)
    if box is None or seen.sum() < 12:
        return None
    outline = scene.camera.project(thing.outline()).astype(np.float32)
    whole = float(cv2.contourArea(cv2.convexHull(outline)))
    edge = thing.extent[0] + thing.rounding
    size = 2 * edge * scene.camera.focal / float(np.linalg.norm(thing.centre - scene.camera.eye))
    on_top = seen & (raster.faces == thing.top)
    top_share = float(on_top.sum()) / max(top_area(scene, thing), 1.0)
    visible = min(float(seen.sum()) / max(whole, 1.0), 1.0)
    flat = top_area(scene, thing) / size**2
    reason = doubt(thing, recipe, size * 512 / min(image.shape[:2]), top_share, flat) or faint(raster, image, on_top)
    found = {
        "category_id": thing.values[thing.top],
        "bbox": box,
        "top": box_of(on_top) or box,
        "visible": round(visible, 3),
        "size": round(size, 1),
        "lean": round(thing.lean, 1),
    }
    return found | ({"ambiguous": reason} if reason else {})


def top_area(scene: Scene, thing: Thing) -> float:
    """Pixels that the whole top face would cover if nothing hid it."""
    edge = thing.extent[0] + thing.rounding
    flat = min(edge, float(np.sqrt(max(thing.cut**2 - edge**2, 0.0))))
    axis, sign = thing.top // 2, 1 - 2 * (thing.top % 2)
    corners = np.zeros((4, 3))
    corners[:, axis] = sign * edge
    others = [k for k in range(3) if k != axis]
    corners[:, others] = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * flat
    at = scene.camera.project(corners @ thing.rotation.T + thing.centre).astype(np.float32)
    return float(cv2.contourArea(at))


def doubt(thing: Thing, recipe: Recipe, size: float, top_share: float, flat: float) -> str:
    """Why a person could not be sure of the value, or nothing.

    Sizes in pixels of a 512-pixel picture; top_share: how much of the top face is seen; flat: its area as a share of
    the square of the edge, small when it is looked at from the side.
    """
    doubts = {
        "custom symbol": thing.symbol == thing.values[thing.top],
        "cocked": thing.lean > 20,
        "hidden": top_share < 0.6,
        "seen from the side": flat < 0.2,
        "too small": size * recipe.low < 11,
        # a pip's radius is about a tenth of the edge: blur as wide as that drowns it
        "blurred": recipe.blur + 0.6 * recipe.defocus > 0.085 * size or recipe.motion > 0.24 * size,
    }
    return next((reason for reason, true in doubts.items() if true), "")


def faint(raster: Raster, image: Image, on_top: Mask) -> str:
    """Says "no contrast" where any pip of the top face differs from the face round it by less than a few grey levels
    or its grain: burnt out by a lamp, lost in the dark, of the same colour."""
    marks = np.where(on_top, raster.marks, 0)
    if marks.max() < 0.2 or (raster.marks[on_top] < 0.1).sum() < 3:
        return "no contrast"
    pips, places, boxes, _ = cv2.connectedComponentsWithStats((marks > 0.15).astype(np.uint8))
    for pip in range(1, pips):
        x, y, wide, high, area = (int(v) for v in boxes[pip])
        if area >= 4 and not _stands_out(raster, image, on_top, places == pip, (x, y, wide, high)):
            return "no contrast"
    return ""


def _stands_out(raster: Raster, image: Image, on_top: Mask, pip: Mask, box: tuple[int, int, int, int]) -> bool:
    """Whether a pip can be told from the face round it, within half its width."""
    x, y, wide, high = box
    reach = max(2, (wide + high) // 4)
    near = slice(max(y - reach, 0), y + high + reach), slice(max(x - reach, 0), x + wide + reach)
    around = on_top[near] & (raster.marks[near] < 0.1)
    if around.sum() < 3:
        return True  # nothing to compare it with: a pip as wide as its face
    colours = image[near].astype(np.float32)
    body, mark = colours[around], colours[pip[near]]
    weight = raster.marks[near][pip[near]]
    grain = body.std(0)
    step = np.abs((weight[:, None] * (mark - body.mean(0))).sum(0) / (weight**2).sum()).max()
    # hollows without paint show as a bright and a dark side instead
    hollow = float((mark.std(0) - grain).max())
    return bool(max(step, hollow) >= 8 + 0.3 * grain.min())


def box_of(mask: Mask) -> list[float] | None:
    """[x, y, w, h] around the pixels of a mask, None when it is empty."""
    columns, rows = np.flatnonzero(mask.any(0)), np.flatnonzero(mask.any(1))
    if not len(columns):
        return None
    return [int(columns[0]), int(rows[0]), int(columns[-1] - columns[0] + 1), int(rows[-1] - rows[0] + 1)]
