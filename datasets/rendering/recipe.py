"""What a picture shall show, before anything is placed: a `Recipe`, drawn at random."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from datasets.rendering.colours import Rng
from datasets.rendering.looks import Look

LIGHTS = {"soft": 0.25, "lamp": 0.22, "sun": 0.11, "two": 0.14, "window": 0.16, "tent": 0.07, "ring": 0.05}
"""How often each light: a tent is white all round, a ring hangs round the lens."""


@dataclass(frozen=True)
class Recipe:
    """Wishes for one picture. Lengths in pixels of a 512-pixel picture, angles in degrees."""

    kinds: tuple[str, ...] = ()  # named kinds it was bent towards
    dice: int = 5
    die: float = 60.0  # edge of a die
    tilt: float = 20.0  # of the camera from straight down
    roll: float = 0.0
    view: float = 45.0  # field of view
    lens: float = 1.0  # see scene.Camera
    spread: float = 0.9  # share of the picture the dice lie in
    touching: float = 0.2  # probability that a die is put against another
    looks: tuple[str | Look, ...] = ("",)  # names of looks, "" for any
    mixed_sizes: bool = False
    top: str = ""
    mat: str | None = None
    tray: str | None = None  # "box", "hexagon", "bowl"
    cocked: float = 0.0  # probability that a die leans
    stacked: float = 0.0  # probability that a die lies on another
    cut_off: bool = False
    same_value: int = 0  # every die shows this value
    decoys: tuple[str, ...] = ()
    light: str = "lamp"  # of LIGHTS
    shaded: bool = False  # the shadow of something outside the picture
    tint: float = 0.2  # strength of the light's colour, 0..1
    exposure: float = 1.0
    contrast: float = 1.0
    noise: float = 0.01  # standard deviation at mid grey, share of white
    defocus: float = 0.0  # radius in pixels away from the focus
    blur: float = 0.0  # of the whole picture, standard deviation in pixels
    motion: float = 0.0  # length in pixels
    vignette: float = 0.0
    grey: bool = False
    sharpen: float = 0.0
    jpeg: int = 95
    low: float = 1.0  # resolution lost before the last step


def draw(rng: Rng) -> Recipe:
    """Pictures such as people take, for the most part."""
    dice = int(
        rng.choice(
            [1, 2, 3, 4, 5, 6, 8, 10, 14, 20, 30], p=[0.07, 0.09, 0.1, 0.1, 0.2, 0.15, 0.09, 0.08, 0.06, 0.04, 0.02]
        )
    )
    most = {1: 420, 2: 300, 3: 230, 4: 190, 5: 175, 6: 160, 8: 120, 10: 105, 14: 85, 20: 65, 30: 50}[dice]
    overhead = rng.random() < 0.45
    tilt = rng.uniform(0, 22) if overhead else rng.uniform(10, 62)
    # a camera may be turned about its axis only when it looks down; else "top" and "up" part ways
    roll = rng.uniform(0, 360) if tilt < 25 and rng.random() < 0.5 else rng.normal(0, 7)
    tray = str(rng.choice(["box", "hexagon", "bowl"])) if rng.random() < 0.14 else None
    return Recipe(
        dice=dice,
        die=float(np.exp(rng.uniform(np.log(15), np.log(most)))),
        tilt=tilt,
        roll=roll,
        view=rng.uniform(12, 35) if rng.random() < 0.25 else rng.uniform(35, 72),
        lens=rng.uniform(0.05, 0.6) if rng.random() < 0.05 else rng.uniform(0.85, 1.0),
        spread=rng.uniform(0.4, 1.0),
        touching=rng.uniform(0, 0.9) if rng.random() < 0.35 else 0.0,
        looks=("",) * int(rng.choice([1, 1, 2, 3, dice])),
        mixed_sizes=rng.random() < 0.15,
        mat="" if tray or rng.random() < 0.25 else None,
        tray=tray,
        cocked=0.25 if rng.random() < 0.05 else 0.0,
        stacked=0.2 if rng.random() < 0.03 else 0.0,
        cut_off=rng.random() < 0.15,
        decoys=("",) * int(rng.choice([1, 2, 3, 5, 8])) if rng.random() < 0.4 else (),
        light=str(rng.choice(list(LIGHTS), p=list(LIGHTS.values()))),
        shaded=rng.random() < 0.15,
        tint=rng.uniform(0, 1) ** 2,
        exposure=float(np.exp(rng.normal(0, 0.25))),
        contrast=rng.uniform(0.85, 1.3),
        noise=rng.uniform(0, 0.025) if rng.random() < 0.8 else rng.uniform(0.02, 0.07),
        defocus=rng.uniform(0, 3) if rng.random() < 0.3 else 0.0,
        blur=rng.uniform(0.3, 1.0) if rng.random() < 0.6 else 0.0,
        vignette=rng.uniform(0, 0.6) if rng.random() < 0.3 else 0.0,
        grey=rng.random() < 0.07,
        sharpen=rng.uniform(0.2, 1.5) if rng.random() < 0.35 else 0.0,
        jpeg=int(rng.integers(30, 95)) if rng.random() < 0.4 else 95,
        low=rng.uniform(0.4, 1) if rng.random() < 0.12 else 1.0,
    )
