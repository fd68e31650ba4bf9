"""Trains the network that finds dice. `python -m datasets.train_detector --help`"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from datasets import training
from datasets.augment import Image, glint, photograph
from datasets.labels import Labelled
from datasets.networks import REACH, STRIDE, Detector

SIZE = 256  # side of a training picture in pixels
CELLS = SIZE // STRIDE
DICE = (8.0, 190.0)  # side of the median die in a training picture, log-uniform
IN_MOSAIC = (9.0, 70.0)
GLINTS = 0.12  # share of the training pictures with lamps mirrored in dice
SMALLEST = 9.0  # sides in pixels below which a die is background: another look is for it, and a heap is no die
LOST = 0.25  # share of a die beyond the edge of the picture above which it is neither asked for nor background


@dataclass(frozen=True)
class Scene:
    """Dice in a training picture: boxes (n, 4), close (n,), tops (n, 2), faces (n,), ignored (n,) as in `Labelled`."""

    boxes: NDArray[np.float32]
    close: NDArray[np.bool_]
    tops: NDArray[np.float32]
    faces: NDArray[np.int64]
    ignored: NDArray[np.bool_]


def tile(
    pool: training.Pool, picture: Labelled, window: tuple[int, int], dice: tuple[float, float], rng: Generator
) -> tuple[Image, Scene]:
    """A window of (width, height) pixels on one picture, scaled so that its dice measure about what `dice` (least,
    most) says."""
    image = pool.image(picture)
    side = (
        float(np.median((picture.boxes[:, 2:] - picture.boxes[:, :2]).max(axis=1)))
        if len(picture.boxes)
        else image.shape[0] / 8
    )
    scale = float(np.clip(np.exp(rng.uniform(*np.log(dice))) / side, 0.15, 1.8))
    stretch = np.exp(rng.normal(0, 0.06))
    scales = np.array([scale * stretch, scale / stretch])
    size = np.maximum(np.rint(scales * image.shape[1::-1]), 1).astype(int)
    scales = size / image.shape[1::-1]
    focus = scales * (
        picture.tops[rng.integers(len(picture.tops))]
        if len(picture.tops) and rng.random() < 0.8
        else rng.random(2) * image.shape[1::-1]
    )
    area = np.array(window)
    room = area - size
    place = np.where(
        room >= 0, rng.random(2) * np.maximum(room, 0), np.clip(area * rng.uniform(0.1, 0.9, 2) - focus, room, 0)
    )
    place = np.rint(place).astype(int)
    canvas = np.empty((window[1], window[0], 3), np.uint8)
    canvas[:] = rng.integers(0, 256, 3) if rng.random() < 0.7 else int(training.MEAN)
    low, high = np.maximum(place, 0), np.minimum(place + size, area)
    # Only what the window shows is resized: a large photograph seen at its own scale would cost too much.
    first = np.floor((low - place) / scales).astype(int)
    last = np.minimum(np.ceil((high - place) / scales).astype(int), image.shape[1::-1])
    shrink = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    canvas[low[1] : high[1], low[0] : high[0]] = cv2.resize(
        image[first[1] : last[1], first[0] : last[0]], tuple(int(v) for v in high - low), interpolation=shrink
    )
    boxes = picture.boxes * np.tile(scales, 2) + np.tile(place, 2)
    shown = np.clip(boxes, 0, np.tile(area, 2))
    small = (boxes[:, 2:] - boxes[:, :2]).min(axis=1) < SMALLEST
    kept = (_area(shown) > 0.03 * _area(boxes)) & ~small
    lost = 1 - _area(shown) / np.maximum(_area(boxes), 1e-6)
    tops = picture.tops * scales + place
    outside = ((tops < 0) | (tops >= area)).any(axis=1)
    ignored = picture.ignored | (lost > LOST) | outside
    return canvas, Scene(
        shown[kept].astype(np.float32),
        picture.close[kept],
        tops[kept].astype(np.float32),
        picture.faces[kept],
        ignored[kept],
    )


def _area(boxes: NDArray[np.floating]) -> NDArray[np.floating]:
    return np.asarray((boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1]))


def compose(pool: training.Pool, rng: Generator) -> tuple[Image, Scene]:
    """One training picture: a window on one picture, or on four side by side, mirrored, turned and photographed
    anew."""
    picture = pool.draw(rng)
    if rng.random() < 0.35:
        image, scene = _mosaic(pool, picture, rng)
        turn = False
    else:
        image, scene = tile(pool, picture, (SIZE, SIZE), DICE, rng)
        turn = not picture.tilted
    image, scene = _mirror(image, scene, turn, rng)
    if rng.random() < GLINTS:
        for (left, top, right, bottom), centre in zip(scene.boxes, scene.tops, strict=True):
            if rng.random() < 0.5:
                image = glint(image, (centre[0], centre[1]), float(max(right - left, bottom - top)), rng)
    return photograph(np.ascontiguousarray(image), rng), scene


def _mosaic(pool: training.Pool, first: Labelled, rng: Generator) -> tuple[Image, Scene]:
    x, y = (int(v) for v in rng.uniform(0.3, 0.7, 2) * SIZE)
    canvas = np.empty((SIZE, SIZE, 3), np.uint8)
    scenes = []
    for index, (left, top, right, bottom) in enumerate(
        ((0, 0, x, y), (x, 0, SIZE, y), (0, y, x, SIZE), (x, y, SIZE, SIZE))
    ):
        picture = first if index == 0 else pool.draw(rng)
        canvas[top:bottom, left:right], scene = tile(pool, picture, (right - left, bottom - top), IN_MOSAIC, rng)
        offset = np.array([left, top], dtype=np.float32)
        scenes.append(
            Scene(scene.boxes + np.tile(offset, 2), scene.close, scene.tops + offset, scene.faces, scene.ignored)
        )
    joined = {name: np.concatenate([getattr(scene, name) for scene in scenes]) for name in Scene.__dataclass_fields__}
    return canvas, Scene(**joined)


def _mirror(image: Image, scene: Scene, turn: bool, rng: Generator) -> tuple[Image, Scene]:
    """Left to right always allowed; upside down and on its side only where "up" does not matter."""
    boxes, tops = scene.boxes.copy(), scene.tops.copy()
    if rng.random() < 0.5:
        image = image[:, ::-1]
        boxes[:, [0, 2]], tops[:, 0] = SIZE - boxes[:, [2, 0]], SIZE - tops[:, 0]
    if turn and rng.random() < 0.5:
        image = image[::-1]
        boxes[:, [1, 3]], tops[:, 1] = SIZE - boxes[:, [3, 1]], SIZE - tops[:, 1]
    if turn and rng.random() < 0.5:
        image = image.transpose(1, 0, 2)
        boxes, tops = boxes[:, [1, 0, 3, 2]], tops[:, ::-1]
    return image, Scene(boxes, scene.close, tops, scene.faces, scene.ignored)


_CENTRES = (np.arange(CELLS, dtype=np.float32) + 0.5) * STRIDE


def targets(scene: Scene) -> dict[str, NDArray[np.float32]]:
    """What the detector should say, per cell (CELLS × CELLS).

    `heat` 0 to 1, a Gaussian hill on each top face; `counts` 0 where nothing is asked; `box` (4, ...) logarithms of the
    distances and `boxed` their weight; `value` 0 to 5 and `valued` its weight.
    """
    x, y = _CENTRES[None, :], _CENTRES[:, None]
    heat, boxed, valued, value = (np.zeros((CELLS, CELLS), np.float32) for _ in range(4))
    counts = np.ones((CELLS, CELLS), np.float32)
    box = np.zeros((4, CELLS, CELLS), np.float32)
    for (left, top, right, bottom), ignored in zip(scene.boxes, scene.ignored, strict=True):
        if ignored:
            counts[(x > left) & (x < right) & (y > top) & (y < bottom)] = 0
    for index in np.flatnonzero(~scene.ignored):
        left, top, right, bottom = scene.boxes[index]
        centre = scene.tops[index]
        spread_x, spread_y = 0.13 * (right - left) + 1.2, 0.13 * (bottom - top) + 1.2
        hill = np.exp(-((x - centre[0]) ** 2 / (2 * spread_x**2) + (y - centre[1]) ** 2 / (2 * spread_y**2)))
        column, row = (int(np.clip(v // STRIDE, 0, CELLS - 1)) for v in centre)
        hill[row, column] = 1
        mine = (hill > 0.35) & (hill > heat)
        mine[row, column] = True
        counts[mine] = 1
        heat = np.maximum(heat, hill)
        distances = np.stack(np.broadcast_arrays(x - left, y - top, right - x, bottom - y))
        box[:, mine] = np.log(np.maximum(distances[:, mine], 0.8) / STRIDE)
        boxed[mine] = hill[mine] * (1.0 if scene.close[index] else 0.1)
        valued[mine], value[mine] = hill[mine], scene.faces[index] - 1
    return {"heat": heat, "counts": counts, "box": box, "boxed": boxed, "value": value, "valued": valued}


def loss(out: Tensor, target: dict[str, Tensor]) -> tuple[Tensor, dict[str, float]]:
    """Focal loss on the hills (CenterNet), generalised IoU on the boxes (Rezatofighi et al. 2019), cross-entropy on the
    values."""
    heat, counts = target["heat"], target["counts"]
    found = torch.sigmoid(out[:, 0]).clamp(1e-5, 1 - 1e-5)
    peak = (heat > 0.999).float() * counts
    hit = peak * (1 - found) ** 2 * torch.log(found)
    miss = (1 - peak) * counts * (1 - heat) ** 4 * found**2 * torch.log(1 - found)
    heat_loss = -(hit + miss).sum() / peak.sum().clamp(min=1)

    mine = target["boxed"] > 0
    weight = target["boxed"][mine]
    said = out[:, 1:5].permute(0, 2, 3, 1)[mine].clamp(*REACH).exp()
    true = target["box"].permute(0, 2, 3, 1)[mine].exp()
    low, high = torch.minimum(said, true), torch.maximum(said, true)
    shared = (low[:, 0] + low[:, 2]) * (low[:, 1] + low[:, 3])
    hull = (high[:, 0] + high[:, 2]) * (high[:, 1] + high[:, 3])
    union = (
        (said[:, 0] + said[:, 2]) * (said[:, 1] + said[:, 3])
        + (true[:, 0] + true[:, 2]) * (true[:, 1] + true[:, 3])
        - shared
    )
    giou = shared / union - (hull - union) / hull
    box_loss = ((1 - giou) * weight).sum() / weight.sum().clamp(min=1)

    logits, value = out[:, 5:].permute(0, 2, 3, 1)[mine], target["value"][mine].long()
    sure = target["valued"][mine]
    value_loss = (
        functional.cross_entropy(logits, value, reduction="none", label_smoothing=0.05) * sure
    ).sum() / sure.sum().clamp(min=1)
    figures = {"heat": heat_loss.item(), "box": box_loss.item(), "value": value_loss.item()}
    return heat_loss + box_loss + 0.5 * value_loss, figures


def main() -> None:
    options = training.arguments(__doc__)
    device = training.device()
    pool = training.Pool(options.photos, options.renders, options.leave_out, options.cache)
    batch = options.batch or (8 if device.type == "cpu" else 128)
    network = training.begun(Detector(), options.checkpoint).to(device, memory_format=torch.channels_last)

    def step(network: nn.Module, rng: Generator) -> tuple[Tensor, dict[str, float]]:
        scenes = [compose(pool, rng) for _ in range(batch)]
        wanted = [targets(scene) for _, scene in scenes]
        target = {key: torch.from_numpy(np.stack([want[key] for want in wanted])).to(device) for key in wanted[0]}
        return loss(network(training.tensor([image for image, _ in scenes]).to(device)).float(), target)

    def refresh() -> None:
        pool.refresh()
        print(f"pictures: {pool}")

    refresh()
    training.fit(network, step, options.checkpoint, minutes=options.minutes, seed=options.seed, refresh=refresh)


if __name__ == "__main__":
    main()
