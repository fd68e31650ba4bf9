"""From light on the sensor to the picture a camera stores: blur, exposure, tone, noise, sharpening, JPEG."""

from __future__ import annotations

from typing import Any, TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

from datasets.rendering.colours import Rng
from datasets.rendering.recipe import Recipe
from datasets.rendering.render import Raster
from datasets.rendering.scene import Image

Light: TypeAlias = npt.NDArray[np.floating[Any]]


def photograph(raster: Raster, recipe: Recipe, rng: Rng) -> Image:
    """The picture, H × W × 3 uint8, blue green red as OpenCV stores it."""
    light = through_lens(raster, recipe, rng)
    light = expose(light, recipe, rng)
    if recipe.grey:
        light = np.repeat(light @ np.array([[0.11], [0.59], [0.3]], np.float32), 3, axis=2)
    light = light + noise(light, recipe, rng)
    return store(light, recipe)


def through_lens(raster: Raster, recipe: Recipe, rng: Rng) -> Light:
    """The light on the sensor, blue green red: out of focus, shaken, darker towards the corners."""
    light: Light = np.minimum(raster.light[..., ::-1], np.float32(12))
    height, width = light.shape[:2]
    scale = min(width, height) / 512
    if recipe.defocus > 0.2:
        light = defocus(light, raster, recipe.defocus * scale, rng)
    if recipe.blur > 0.2:
        light = blurred(light, recipe.blur * scale)
    if recipe.motion > 1:
        light = move(light, recipe.motion * scale, rng.uniform(0, np.pi))
    if recipe.vignette:
        light = light * vignette(width, height, recipe.vignette, recipe.lens < 0.7)[..., None]
    return light


def blurred(light: Light, deviation: float) -> Light:
    """Gaussian blur, deviation in pixels."""
    return np.asarray(cv2.GaussianBlur(np.ascontiguousarray(light, np.float32), (0, 0), deviation), np.float32)


def noise(light: Light, recipe: Recipe, rng: Rng) -> Light:
    """Shot noise, which grows with the root of the light, over a floor of read noise."""
    grain: Light = rng.standard_normal(light.shape, np.float32)
    if recipe.grey:
        grain[...] = grain[..., :1]
    elif recipe.noise > 0.02 and rng.random() < 0.5:  # cameras smooth colour noise into blotches
        grain = 0.5 * grain + 1.2 * blurred(grain, 1.2)
    return 0.7 * recipe.noise * (0.3 + np.sqrt(np.maximum(light, 0))) * grain


def store(light: Light, recipe: Recipe) -> Image:
    """Gamma, contrast, sharpening, lost resolution, JPEG."""
    height, width = light.shape[:2]
    picture: Light = np.clip(light, 0, 1).astype(np.float32) ** np.float32(1 / 2.2)
    picture = np.clip((picture - 0.5) * recipe.contrast + 0.5, 0, 1)
    if recipe.sharpen:
        picture = picture + recipe.sharpen * (picture - blurred(picture, 1.2 * min(width, height) / 512))
    image: Image = (np.clip(picture, 0, 1) * 255 + 0.5).astype(np.uint8)
    if recipe.low < 1:
        small = (max(16, int(width * recipe.low)), max(16, int(height * recipe.low)))
        coarse = cv2.resize(image, small, interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    if recipe.jpeg < 95:
        stored = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, recipe.jpeg])[1]
        image = np.asarray(cv2.imdecode(stored, cv2.IMREAD_COLOR), np.uint8)
    return image


def expose(light: Light, recipe: Recipe, rng: Rng) -> Light:
    """Automatic exposure on a bright part of the picture, white balance that is never quite right, a soft shoulder."""
    bright = float(np.percentile(light[::4, ::4].mean(-1), rng.uniform(50, 97)))
    light = light * np.float32(np.clip(rng.uniform(0.35, 0.8) / (bright + 0.01), 0.2, 6) * recipe.exposure)
    mean = light[::4, ::4].reshape(-1, 3).mean(0)
    balance = (mean.mean() / (mean + 1e-3)) ** rng.uniform(0, 0.6)
    light = light * (balance * np.exp(rng.normal(0, 0.04, 3))).astype(np.float32)
    if rng.random() < 0.6:
        light = light * (1 + light / 6) / (1 + light * 0.6) * np.float32(1.35)
    return light


def defocus(light: Light, raster: Raster, radius: float, rng: Rng) -> Light:
    """Blurs what lies before and behind the plane of focus; the focus is on some part of the picture."""
    far = np.minimum(raster.depth, 1e3)
    focus = float(np.percentile(far[::8, ::8], rng.uniform(10, 90)))
    share = blurred(np.clip(np.abs(far - focus) / focus * rng.uniform(3, 12), 0, 1), 2)[..., None]
    return light * (1 - share) + blurred(light, max(radius, 0.3)) * share


def move(light: Light, length: float, angle: float) -> Light:
    """Smears the picture along a straight line of `length` pixels."""
    size = int(np.ceil(length)) | 1
    kernel = np.zeros((size, size), np.float32)
    middle, reach = size // 2, length / 2
    along = np.linspace(-reach, reach, size * 4)
    x = np.clip(np.rint(middle + along * np.cos(angle)), 0, size - 1).astype(int)
    y = np.clip(np.rint(middle + along * np.sin(angle)), 0, size - 1).astype(int)
    np.add.at(kernel, (y, x), 1)
    return np.asarray(cv2.filter2D(np.asarray(light, np.float32), -1, kernel / kernel.sum()), np.float32)


def vignette(width: int, height: int, strength: float, round_: bool) -> npt.NDArray[np.floating[Any]]:
    """Less light towards the corners; a black surround for a fisheye."""
    x = (np.arange(width, dtype=np.float32) - width / 2) / (max(width, height) / 2)
    y = (np.arange(height, dtype=np.float32) - height / 2) / (max(width, height) / 2)
    far = np.hypot(x[None], y[:, None])
    if round_ and strength > 0.75:
        return np.asarray(np.clip((1.02 - far) * 30, 0.01, 1) * (1 - 0.4 * far**2), np.float32)
    return np.asarray(1 - strength * np.clip(far / 1.42, 0, 1) ** 2.5, np.float32)
