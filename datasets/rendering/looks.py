"""What dice are made of and how their pips are drawn: named looks, each a random draw of its kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from datasets.rendering import faces
from datasets.rendering.colours import Rng, any_colour, any_ink, brightness, distance, grey, hsv, ink_for, mixed
from datasets.rendering.faces import PipStyle
from datasets.rendering.scene import Art, Surface
from datasets.rendering.styles import body_shape, pip_style

RIGHT_HANDED, LEFT_HANDED = (2, 5, 3, 4, 1, 6), (3, 4, 2, 5, 1, 6)


@dataclass(frozen=True)
class Look:
    """One make of die: its stuff, its shape (in half edges) and its pips."""

    surface: Surface
    pips: PipStyle
    rounding: float = 0.2
    cut: float = 99.0
    values: tuple[int, ...] = RIGHT_HANDED

    def art(self, size: int, rng: Rng) -> Art:
        """The six faces drawn at S × S."""
        return faces.art([faces.pips(value, self.pips, size, rng) for value in self.values])


def make(surface: Surface, pips: PipStyle, rng: Rng) -> Look:
    """A look with a shape and a handedness of its own."""
    rounding, cut = body_shape(rng, pips)
    return Look(surface, pips, rounding, cut, RIGHT_HANDED if rng.random() < 0.5 else LEFT_HANDED)


def plastic(rng: Rng) -> Look:
    """Opaque plastic of any colour, glossy or matt."""
    body = any_colour(rng)
    rough = rng.uniform(0.08, 0.35) if rng.random() < 0.7 else rng.uniform(0.35, 0.8)
    surface = Surface(body, rough=rough, coat=rng.uniform(0.03, 0.06), scatter=rng.uniform(0.1, 0.9))
    return make(surface, pip_style(rng, ink_for(body, rng)), rng)


def vivid(rng: Rng) -> Look:
    """Body and pips of two strong colours that may be equally bright: told apart by hue alone."""
    hue = rng.random()
    body = hsv(hue, rng.uniform(0.6, 1), float(np.exp(rng.uniform(np.log(0.06), np.log(0.8)))))
    ink = hsv(hue + rng.uniform(0.2, 0.8), rng.uniform(0.5, 1), rng.uniform(0.1, 0.9))
    surface = Surface(body, rough=rng.uniform(0.08, 0.5), scatter=rng.uniform(0.1, 0.9))
    return make(surface, pip_style(rng, ink), rng)


def white(rng: Rng) -> Look:
    """The ordinary white or ivory die with black pips."""
    body = grey(rng.uniform(0.6, 0.92), rng.uniform(0, 1) ** 2)
    surface = Surface(body, rough=rng.uniform(0.1, 0.5), scatter=rng.uniform(0.3, 1))
    return make(surface, pip_style(rng, grey(rng.uniform(0.005, 0.03))), rng)


def translucent(rng: Rng) -> Look:
    """Clear, coloured plastic with light or dark pips."""
    body = hsv(rng.random(), rng.uniform(0.4, 1), rng.uniform(0.5, 1))
    ink = grey(rng.uniform(0.7, 0.95)) if rng.random() < 0.75 else grey(0.01)
    surface = Surface(body, rough=rng.uniform(0.05, 0.25), clear=rng.uniform(0.75, 1.0), scatter=0.6)
    return make(surface, pip_style(rng, ink), rng)


def smoky(rng: Rng) -> Look:
    """Dark translucent plastic with red or other dark pips, hard to see."""
    body = hsv(rng.random(), rng.uniform(0.1, 0.9), float(np.exp(rng.uniform(np.log(0.02), np.log(0.45)))))
    hue = rng.normal(0, 0.02) if rng.random() < 0.75 else rng.random()
    ink = hsv(hue, rng.uniform(0.6, 1), float(np.exp(rng.uniform(np.log(0.08), np.log(0.7)))))
    surface = Surface(body, rough=rng.uniform(0.05, 0.25), clear=rng.uniform(0.6, 1.0), scatter=0.4)
    if rng.random() < 0.3:
        surface = replace(surface, second=mixed(body, (0.01, 0.01, 0.01), rng.uniform(0.3, 1)), pattern=_swirl(rng))
    return make(surface, pip_style(rng, ink), rng)


def swirled(rng: Rng) -> Look:
    """Two strong colours swirled through opaque or clear plastic, with pips unlike both."""
    body = hsv(rng.random(), rng.uniform(0.4, 1), rng.uniform(0.03, 0.8))
    second = any_colour(rng) if rng.random() < 0.5 else hsv(rng.random(), rng.uniform(0.2, 1), rng.uniform(0.01, 0.3))
    inks = [any_ink(rng) for _ in range(12)]
    apart = [min(distance(ink, body), distance(ink, second)) for ink in inks]
    ink = next((ink for ink, far in zip(inks, apart, strict=True) if far > 0.35), inks[int(np.argmax(apart))])
    surface = Surface(
        body,
        second=second,
        pattern=_swirl(rng),
        rough=rng.uniform(0.05, 0.3),
        clear=rng.uniform(0.4, 1.0) if rng.random() < 0.4 else 0.0,
        scatter=rng.uniform(0.2, 0.8),
    )
    return make(surface, pip_style(rng, ink), rng)


def _swirl(rng: Rng) -> tuple[float, float, float]:
    """Frequency, threshold and softness of the noise of clouds about as large as a face."""
    return rng.uniform(0.08, 0.35), rng.uniform(0.35, 0.65), rng.uniform(0.03, 0.3)


def patterned(rng: Rng) -> Look:
    """Marbled, speckled, two-tone or glittering plastic."""
    body, second = any_colour(rng), any_colour(rng)
    if rng.random() < 0.8:  # makers keep the pattern fainter than the pips
        apart = max(abs(brightness(body) - brightness(second)), 0.01)
        share = min(1.0, rng.uniform(0.08, 0.25) / apart)
        second = mixed(body, second, share)
    kind = int(rng.integers(4))
    pattern = [
        (rng.uniform(0.1, 0.3), rng.uniform(0.35, 0.65), rng.uniform(0.05, 0.4)),
        (rng.uniform(0.2, 0.6), rng.uniform(0.75, 0.93), 0.05),
        (rng.uniform(0.04, 0.09), 0.5, rng.uniform(0.02, 0.2)),
        (rng.uniform(0.15, 0.5), rng.uniform(0.4, 0.7), 0.3),
    ][kind]
    surface = Surface(
        body,
        second=second,
        pattern=pattern,
        rough=rng.uniform(0.08, 0.3),
        scatter=rng.uniform(0.2, 0.8),
        glitter=rng.uniform(0.3, 1.2) if kind == 3 else 0.0,
    )
    return make(surface, pip_style(rng, ink_for(mixed(body, second, 0.5), rng, 0.33)), rng)


def wooden(rng: Rng) -> Look:
    """Wood, with burnt or painted pips."""
    tone = rng.uniform(0.5, 1.5)
    body = (min(0.45 * tone, 0.9), 0.25 * tone, 0.1 * tone)
    surface = Surface(
        body,
        second=(body[0] * 0.7, body[1] * 0.6, body[2] * 0.5),
        rough=rng.uniform(0.3, 0.9),
        pattern=(rng.uniform(0.3, 0.8), 0.5, 0.3),
        scatter=0.2,
    )
    return make(surface, pip_style(rng, ink_for(body, rng)), rng)


def metallic(rng: Rng) -> Look:
    """A metal die with dark or empty pips."""
    body = [(0.75, 0.75, 0.77), (0.8, 0.55, 0.2), (0.65, 0.35, 0.2), (0.2, 0.2, 0.22)][int(rng.integers(4))]
    style = pip_style(rng, grey(0.01) if brightness(body) > 0.6 else grey(0.85))
    surface = Surface(body, rough=rng.uniform(0.15, 0.5), metal=rng.uniform(0.6, 1))
    return make(surface, replace(style, depth=rng.uniform(0.04, 0.12)), rng)


def shiny_pips(rng: Rng) -> Look:
    """Silver or gold pips that mirror the lamp, on a dark or coloured body."""
    body = hsv(rng.random(), rng.uniform(0.3, 1), rng.uniform(0.01, 0.35))
    ink = (0.8, 0.8, 0.82) if rng.random() < 0.5 else (0.85, 0.6, 0.2)
    style = replace(pip_style(rng, ink), metal=rng.uniform(0.6, 1), wear=0.0, depth=rng.uniform(0.02, 0.12))
    return make(Surface(body, rough=rng.uniform(0.08, 0.35)), style, rng)


def unpainted(rng: Rng) -> Look:
    """Pips of the body's own colour, seen by their hollows alone, or by paint of nearly the same colour."""
    body = any_colour(rng)
    shade = rng.uniform(0.4, 0.75) if rng.random() < 0.5 else rng.uniform(1.4, 2.2)
    ink = tuple(float(np.clip(c * shade, 0.004, 0.95)) for c in body)
    style = replace(
        pip_style(rng, (ink[0], ink[1], ink[2])),
        depth=rng.uniform(0.07, 0.16),
        cover=rng.uniform(0, 0.8),
        ring=0.0,
        wear=0.0,
    )
    return make(Surface(body, rough=rng.uniform(0.1, 0.5), scatter=rng.uniform(0, 0.5)), style, rng)


def asian(rng: Rng) -> Look:
    """White with a large red 1 and often a red 4, blue or black the others; round corners."""
    look = white(rng)
    red = hsv(rng.normal(0, 0.012), 0.97, rng.uniform(0.4, 0.8))
    others = grey(0.01) if rng.random() < 0.55 else hsv(0.62, 0.95, rng.uniform(0.1, 0.4))
    inks = {1: red, 4: red} if rng.random() < 0.65 else {1: red}
    style = replace(
        look.pips,
        ink=others,
        ink_of=inks,
        ring=0.0,
        logo=0,
        scale_of={1: rng.uniform(1.3, 2.2) if rng.random() < 0.8 else 1.0},
    )
    return replace(look, pips=style)


def ringed(rng: Rng) -> Look:
    """Pips drawn as rings, with or without a dot."""
    look = plastic(rng)
    style = replace(
        look.pips,
        ring=rng.uniform(0.4, 0.82),
        dot=rng.random() < 0.5,
        radius=rng.uniform(0.17, 0.24),
        spread=rng.uniform(0.48, 0.55),
        shape="round",
    )
    return replace(look, pips=style)


def inlaid(rng: Rng) -> Look:
    """Each face has a round inlay of another colour, or a line round it, or both, in which the pips stand; these may be
    holes that show the body."""
    look = plastic(rng)
    filled = rng.random() < 0.75
    line = rng.uniform(0.8, 0.95) if not filled or rng.random() < 0.4 else 0.0
    plate, radius = rng.uniform(0.55, 0.85), rng.uniform(0.1, 0.19)
    plate_ink = any_colour(rng) if rng.random() < 0.7 else mixed(look.surface.body, any_colour(rng), 0.3)
    under = plate_ink if filled else look.surface.body
    holes = filled and rng.random() < 0.5 and distance(look.surface.body, plate_ink) > 0.2
    style = replace(
        look.pips,
        plate=plate,
        plate_ink=plate_ink,
        line=line,
        line_ink=mixed(under, grey(0.01), rng.uniform(0.3, 1)) if rng.random() < 0.6 else any_colour(rng),
        filled=filled,
        ink=look.surface.body if holes else ink_for(under, rng, 0.4),
        radius=radius,
        spread=min(look.pips.spread, 0.7 * (plate * (line or 1.0) - 1.05 * radius)),
        spread_of={6: max(1.0, 2.03 * radius / (0.7 * (plate - radius)))},
        ring=0.0,
        shape="round",
        logo=0,
    )
    return replace(look, pips=style, cut=99.0)


def merging(rng: Rng) -> Look:
    """Large or tight pips: those of a 6 nearly touch."""
    look = plastic(rng)
    radius = rng.uniform(0.17, 0.23)
    spread = radius * rng.uniform(2.02, 2.2)
    style = replace(
        look.pips,
        radius=radius,
        spread=spread,
        spread_of={},
        shape="round",
        ring=0.0,
        columns=max(rng.uniform(0.55, 1.0), 1.1 * radius / spread),
    )
    return replace(look, pips=style, cut=99.0)


def glossy(rng: Rng) -> Look:
    """Polished dice with hollow, polished pips that catch the lamp."""
    look = plastic(rng) if rng.random() < 0.7 else translucent(rng)
    style = replace(look.pips, depth=rng.uniform(0.06, 0.16), drilled=False, wear=0.0)
    return replace(
        look, surface=replace(look.surface, rough=rng.uniform(0.03, 0.12), coat=rng.uniform(0.05, 0.09)), pips=style
    )


LOOKS: dict[str, tuple[float, Callable[[Rng], Look]]] = {
    "plastic": (0.23, plastic),
    "vivid": (0.04, vivid),
    "white": (0.2, white),
    "translucent": (0.1, translucent),
    "smoky": (0.07, smoky),
    "patterned": (0.07, patterned),
    "swirled": (0.06, swirled),
    "wooden": (0.03, wooden),
    "metallic": (0.02, metallic),
    "shiny_pips": (0.04, shiny_pips),
    "unpainted": (0.03, unpainted),
    "asian": (0.07, asian),
    "ringed": (0.03, ringed),
    "inlaid": (0.05, inlaid),
    "merging": (0.04, merging),
    "glossy": (0.03, glossy),
}


def draw(rng: Rng, name: str = "") -> tuple[str, Look]:
    """A look by name, or one of any kind."""
    if not name:
        weights = np.array([weight for weight, _ in LOOKS.values()])
        name = str(rng.choice(list(LOOKS), p=weights / weights.sum()))
    return name, LOOKS[name][1](rng)
