"""Recipes bent towards the named kinds of pictures: what is known to go wrong, and what is rare if left to chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from datasets.rendering.colours import Rng
from datasets.rendering.recipe import Recipe, draw


def wish(rng: Rng) -> Recipe:
    """A picture to learn from: of any kind, and often of a named one."""
    recipe = draw(rng)
    rare = rng.random()
    if rare < 0.12:
        return replace(without_dice(recipe, rng), kinds=("no_dice",))
    if rare < 0.55:
        name = str(rng.choice([name for name in KINDS if name != "no_dice"]))
        return KINDS[name](recipe, rng)
    return recipe


def without_dice(r: Recipe, rng: Rng) -> Recipe:
    """Tables, print and decoys, but nothing to read."""
    decoys = ("",) * int(rng.choice([0, 1, 2, 4, 7, 12, 20]))
    if rng.random() < 0.3:
        decoys = (str(rng.choice(["coin", "domino", "numeral_die", "lego", "button", "keyboard", "token"])),) * len(
            decoys
        )
    tops = ["", "", "dots", "text", "printed", "tiles", "score_sheet"]
    return replace(r, dice=0, decoys=decoys, top=str(rng.choice(tops)), die=rng.uniform(25, 110))


Bend = Callable[[Recipe, Rng], Recipe]


def lying_dice(*names: str, **fixed: object) -> Bend:
    """Bends a recipe to these looks (one is chosen) and fixed wishes, with a readable size and exposure."""

    def bend(r: Recipe, rng: Rng) -> Recipe:
        chosen = {"looks": (str(rng.choice(names)),)} if names else {}
        return replace(r, **{"dice": max(r.dice, 2), "die": max(r.die, 26.0), **chosen, **fixed})  # type: ignore[arg-type]

    return bend


def asked(name: str, bend: Bend) -> Bend:
    """The bend, remembering its name in the recipe."""
    return lambda r, rng: replace(bend(r, rng), kinds=(name,))


def glare(r: Recipe, rng: Rng) -> Recipe:
    """Glossy dice with hollow pips under hard lamps."""
    return replace(r, looks=("glossy",), light="two", die=max(r.die, 40.0), exposure=rng.uniform(1.0, 1.5))


def twos(r: Recipe, rng: Rng) -> Recipe:
    """Twos side by side, which read as one 4."""
    return replace(r, dice=max(r.dice, 2), same_value=2, touching=1.0, die=max(r.die, 24.0))


def tent(r: Recipe, rng: Rng) -> Recipe:
    """Dark, glossy dice of several makes in a bright white room, or under a ring of light, that they mirror."""
    looks = tuple(
        str(rng.choice(["smoky", "patterned", "swirled", "translucent", "glossy", "plastic"])) for _ in range(4)
    )
    light = "tent" if rng.random() < 0.6 else "ring"
    return replace(r, dice=max(r.dice, 3), light=light, looks=looks, tilt=rng.uniform(0, 30), die=max(r.die, 24.0))


def many(r: Recipe, rng: Rng) -> Recipe:
    """Twelve to thirty dice."""
    return replace(
        r, dice=int(rng.integers(12, 31)), die=rng.uniform(18, 58), spread=rng.uniform(0.8, 1), decoys=r.decoys[:2]
    )


def printed(r: Recipe, rng: Rng) -> Recipe:
    """Print, dominoes and numeral dice among the dice."""
    decoys = tuple(rng.choice(["domino", "numeral_die", "card", "letter_cube", "polyhedron"], int(rng.integers(2, 7))))
    return replace(
        r,
        dice=max(r.dice, 1),
        top=str(rng.choice(["text", "score_sheet", "printed", ""])),
        decoys=decoys,
        die=float(np.clip(r.die, 24, 90)),
    )


def clutter(r: Recipe, rng: Rng) -> Recipe:
    """A few dice among all that lies on a family's table."""
    return replace(
        r,
        dice=int(rng.integers(1, 7)),
        top=str(rng.choice(["", "", "printed", "text", "score_sheet"])),
        decoys=("",) * int(rng.integers(7, 16)),
        die=float(np.clip(r.die, 22, 80)),
        spread=1.0,
    )


def bricks(r: Recipe, rng: Rng) -> Recipe:
    """A heap of studded bricks, sometimes with dice in it."""
    return replace(
        r,
        dice=int(rng.integers(1, 5)) if rng.random() < 0.4 else 0,
        decoys=("lego",) * int(rng.integers(5, 20)),
        die=rng.uniform(24, 85),
        spread=1.0,
    )


def steep(r: Recipe, rng: Rng) -> Recipe:
    """Seen from the side, as by a tablet that stands on the table: side faces nearly as large as the tops."""
    return replace(
        r,
        dice=max(r.dice, 1),
        tilt=rng.uniform(42, 65),
        roll=rng.normal(0, 6),
        die=float(np.clip(r.die, 24, 150)),
        looks=("",) * max(r.dice, 1) if rng.random() < 0.4 else r.looks,
    )


def dim(r: Recipe, rng: Rng) -> Recipe:
    """Little light, much noise."""
    return replace(
        r,
        dice=max(r.dice, 1),
        exposure=rng.uniform(0.06, 0.35),
        noise=rng.uniform(0.02, 0.09),
        die=max(r.die, 28.0),
        tint=rng.uniform(0.2, 1),
    )


def motion(r: Recipe, rng: Rng) -> Recipe:
    """Moved while the shutter was open."""
    return replace(r, dice=max(r.dice, 1), motion=r.die * rng.uniform(0.08, 0.8))


def defocused(r: Recipe, rng: Rng) -> Recipe:
    """Out of focus."""
    return replace(r, dice=max(r.dice, 1), blur=r.die * rng.uniform(0.02, 0.14))


def phone(r: Recipe, rng: Rng) -> Recipe:
    """A phone held at an angle: perspective, sharpening."""
    return replace(
        r,
        dice=max(r.dice, 1),
        tilt=rng.uniform(25, 55),
        view=rng.uniform(55, 75),
        roll=rng.normal(0, 10),
        sharpen=rng.uniform(0.3, 1.2),
    )


def turned(r: Recipe, rng: Rng) -> Recipe:
    """A camera that looks down, turned any way."""
    return replace(
        r, dice=max(r.dice, 1), die=max(r.die, 26.0), tilt=rng.uniform(0, 22), roll=rng.uniform(0, 360), lens=1.0
    )


def any_size(r: Recipe, rng: Rng) -> Recipe:
    """As many dice of 20 to 400 pixels as a throw or the picture holds."""
    die = float(np.exp(rng.uniform(np.log(20), np.log(400))))
    return replace(r, die=die, dice=int(np.clip((512 / die - 0.5) ** 2 / 3, 1, 6)), mixed_sizes=False)


def fisheye(r: Recipe, rng: Rng) -> Recipe:
    """A round grey view from close above."""
    return replace(
        r,
        dice=max(1, min(r.dice, 8)),
        lens=rng.uniform(0.02, 0.5),
        view=rng.uniform(70, 120),
        tilt=rng.uniform(0, 25),
        grey=rng.random() < 0.6,
        vignette=rng.uniform(0.5, 1.0),
        die=float(np.clip(r.die, 35, 150)),
        looks=(str(rng.choice(["", "ringed", "inlaid", "plastic"])),) * 3,
    )


KINDS: dict[str, Bend] = {
    name: asked(name, bend)
    for name, bend in {
        "glare": glare,
        "merging_sixes": lying_dice("merging", same_value=6),
        "neighbouring_twos": twos,
        "touching": lying_dice(touching=1.0),
        "stacked": lying_dice(stacked=0.4, touching=0.5),
        "cocked": lying_dice(cocked=0.6, touching=0.6),
        "side_faces": lying_dice(tilt=58.0, roll=0.0, light="window"),
        "dark_translucent": lying_dice("smoky"),
        "light_tent": tent,
        "translucent": lying_dice("translucent"),
        "white_on_white": lying_dice("white", top="bright", mat=None, exposure=1.5),
        "vivid": lying_dice("vivid"),
        "swirled": lying_dice("swirled"),
        "shiny_pips": lying_dice("shiny_pips", light="lamp"),
        "same_colour": lying_dice("unpainted", light="window"),
        "patterned_dice": lying_dice("patterned"),
        "patterned_cloth": lying_dice(top="dots", mat=None),
        "hand": lying_dice(decoys=("hand",)),
        "print": printed,
        "dominoes": lying_dice(decoys=("domino",) * 4),
        "numeral_dice": lying_dice(decoys=("numeral_die",) * 3 + ("polyhedron",) * 3),
        "asian": lying_dice("asian"),
        "ringed": lying_dice("ringed"),
        "inlaid": lying_dice("inlaid"),
        "cut_off": lying_dice(cut_off=True, spread=1.0),
        "dim": dim,
        "motion_blur": motion,
        "defocus": defocused,
        "overexposed": lying_dice("white", "asian", "plastic", exposure=2.6),
        "sunlight": lying_dice(light="sun"),
        "coloured_light": lying_dice(tint=1.0),
        "many": many,
        "single": lying_dice(dice=1),
        "small": lying_dice(die=20.0, dice=6),
        "large": lying_dice(die=330.0, dice=1, spread=0.5),
        "phone_angle": phone,
        "steep": steep,
        "clutter": clutter,
        "bricks": bricks,
        "mixed_sizes": lying_dice(mixed_sizes=True, looks=("", "", "", ""), tilt=12.0),
        "any_rotation": turned,
        "any_size": any_size,
        "overhead": lying_dice(tilt=3.0),
        "fisheye": fisheye,
        "greyscale": lying_dice(grey=True),
        "tray": lying_dice(tray="hexagon", mat=""),
        "bowl": lying_dice(tray="bowl", mat=""),
        "no_dice": without_dice,
    }.items()
}
"""Every named kind: what makes it of a recipe of any kind."""
