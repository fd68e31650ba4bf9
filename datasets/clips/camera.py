"""From light on the sensor to the frames that a camera stores: one exposure for the whole clip, fresh noise a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt

from datasets.clips.director import Shot
from datasets.clips.film import Film, Light, Studio
from datasets.clips.stage import Stage
from datasets.rendering.colours import Rng
from datasets.rendering.label import label
from datasets.rendering.photograph import blurred, move, vignette
from datasets.rendering.recipe import Recipe
from datasets.rendering.scene import Image, Thing

STEPS = 4096  # of the tone curve
WORN = 0.8  # of the paint in a pip


def is_legible(stage: Stage, dice: Sequence[Thing], studio: Studio, rng: Rng) -> bool:
    """Whether a person could read every die of a table at a glance: nothing is hidden, faint or seen from too far
    aside, no pip is worn away, and all would still stand out at a third of the contrast."""
    scene = replace(stage.scene, things=(*stage.scene.things, *dice))
    raster = studio.draw(scene, 1.0)
    light = np.asarray(raster.light, np.float32)
    faded = np.asarray(Camera(stage.recipe, rng, light).develop(light) / 3, np.uint8)
    seen, _decoys = label(scene, stage.recipe, raster, faded)
    if len(seen) < len(dice) or any("ambiguous" in die for die in seen):
        return False
    tops = (
        raster.marks[(raster.things == number) & (raster.faces == thing.top)]
        for number, thing in enumerate(scene.things, 1)
        if thing.values
    )
    return all(np.median(marks[marks > 0.15]) > WORN for marks in tops)


class Camera:
    """A camera that has adjusted itself to `light`, red green blue."""

    def __init__(self, recipe: Recipe, rng: Rng, light: Light) -> None:
        self.recipe, self.rng = recipe, rng
        coarse = light[::4, ::4].reshape(-1, 3)
        bright = float(np.percentile(coarse.mean(-1), rng.uniform(50, 97)))
        mean = coarse.mean(0)
        balance = (mean.mean() / (mean + 1e-3)) ** rng.uniform(0.2, 0.7) * np.exp(rng.normal(0, 0.04, 3))
        exposure = np.clip(rng.uniform(0.35, 0.8) / (bright + 0.01), 0.2, 6) * recipe.exposure
        self.gain: npt.NDArray[np.float32] = (balance * exposure).astype(np.float32)
        height, width = light.shape[:2]
        if recipe.vignette:
            self.gain = self.gain * vignette(width, height, recipe.vignette, False)[..., None].astype(np.float32)
        self.blur = recipe.blur * min(width, height) / 512
        self.fields = [self._grain(light.shape) for _ in range(6)]
        level = np.arange(STEPS, dtype=np.float32) / STEPS * 1.5
        if rng.random() < 0.6:  # a soft shoulder
            level = level * (1 + level / 6) / (1 + level * 0.6) * np.float32(1.35)
        tone = (np.clip(level, 0, 1) ** (1 / 2.2) - 0.5) * recipe.contrast + 0.5
        self.curve = (np.clip(tone, 0, 1) * 255 + 0.5).astype(np.uint8)
        self.before: Image | None = None
        self.sharp = self.soft = np.zeros((0, 0, 3), np.float32)

    def _grain(self, shape: tuple[int, ...]) -> Light:
        grain = self.rng.standard_normal(shape, np.float32)
        if self.recipe.grey:
            grain[...] = grain[..., :1]
        return np.asarray(0.5 * grain + 1.2 * blurred(grain, 1.2), np.float32)

    def take(self, shot: Shot, film: Film) -> Image:
        """The frame (H, W, 3), blue green red, of a shot."""
        if shot.stutter and self.before is not None:
            return self.before
        light = film.with_moving(shot.dice, shot.smears) if shot.smears else film.at_rest(shot.dice, shot.lit)
        if shot.palm is not None:
            light = film.hand.over(light, shot.palm, shot.smear)
        if shot.shift.any():
            matrix = np.array([[1.0, 0, shot.shift[0]], [0, 1.0, shot.shift[1]]])
            light = np.asarray(
                cv2.warpAffine(light, matrix, light.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.float32
            )
        if shot.jolt.any():
            light = np.asarray(
                move(light, float(np.hypot(*shot.jolt)), float(np.arctan2(shot.jolt[1], shot.jolt[0]))), np.float32
            )
        self.before = self.develop(light, shot.gain)
        return self.before

    def develop(self, light: Light, gain: float = 1.0) -> Image:
        """The picture of this light, at this many times the exposure."""
        if light is not self.sharp:  # a still table is blurred once
            self.sharp, self.soft = light, np.asarray(blurred(light, self.blur) if self.blur > 0.2 else light)
            if self.recipe.grey:
                self.soft = np.repeat(self.soft @ np.array([[0.3], [0.59], [0.11]], np.float32), 3, axis=2)
        exposed = self.soft * self.gain * np.float32(gain)
        if self.recipe.noise:
            field = self.fields[int(self.rng.integers(len(self.fields)))]
            shift = int(self.rng.integers(1, field.shape[0]))
            rolled = np.concatenate([field[shift:], field[:shift]])
            exposed += np.float32(0.7 * self.recipe.noise) * (cv2.sqrt(exposed) + np.float32(0.3)) * rolled
        image: Image = self.curve[(exposed * np.float32(STEPS / 1.5)).clip(0, STEPS - 1).astype(np.uint16)]
        if self.recipe.sharpen:
            soft = cv2.GaussianBlur(image, (0, 0), 0.9)
            image = np.asarray(cv2.addWeighted(image, 1 + self.recipe.sharpen, soft, -self.recipe.sharpen, 0), np.uint8)
        return np.ascontiguousarray(image[..., ::-1])
