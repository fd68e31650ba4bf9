"""What a rendered picture shows: things on a table, lamps and a camera, as plain values. Knows nothing of OpenGL.

Units: a standard die is 2 wide, the table is the plane z = 0, z points up. Colours are linear light, 0..1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.floating[Any]]
Image: TypeAlias = npt.NDArray[np.uint8]
Colour: TypeAlias = tuple[float, float, float]

MOST_THINGS = 64  # in one scene
BOX, CYLINDER, OCTAHEDRON, ICOSAHEDRON, HOLLOW = range(5)
FACES = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]], float)
"""Outward normals of the faces 0..5 of a box."""


@dataclass(frozen=True)
class Art:
    """What is printed on the six faces of a thing, in the order of `FACES`.

    inks: 6 × S × S × 4, the square root of linear red, green, blue, and how much of the body they cover.
    reliefs: 6 × S × S × 4: slope across and up ((value − 128) / 255 × 4), cavity (255 = open), metal.
    """

    inks: Image
    reliefs: Image


@dataclass(frozen=True)
class Surface:
    """The stuff a thing is made of."""

    body: Colour
    rough: float = 0.3
    second: Colour = (0.0, 0.0, 0.0)
    pattern: tuple[float, float, float] = (1.0, 9.0, 0.1)  # frequency of the noise, threshold, softness
    clear: float = 0.0
    metal: float = 0.0
    coat: float = 0.04
    scatter: float = 0.3
    glitter: float = 0.0


@dataclass(frozen=True)
class Thing:
    """A solid on the table. `values` are the pips on the faces 0..5 of a die, empty for everything else."""

    what: str
    centre: Array
    rotation: Array  # 3 × 3, local -> world
    extent: tuple[float, float, float]
    surface: Surface
    kind: int = BOX
    rounding: float = 0.05
    cut: float = 99.0
    art: Art | None = None
    values: tuple[int, ...] = ()
    seed: float = 0.0
    group: int = 0  # parts of one decoy share a number
    symbol: int = 0  # the value that a sign stands for instead of pips

    @property
    def reach(self) -> float:
        """Radius of the sphere around the centre that holds the whole thing."""
        x, y, z = self.extent
        whole = {OCTAHEDRON: 1.7321 * x, ICOSAHEDRON: 1.26 * x}.get(
            self.kind, float(np.hypot(x, z)) if self.kind in (CYLINDER, HOLLOW) else float(np.hypot(np.hypot(x, y), z))
        )
        return min(whole + self.rounding, self.cut)

    @property
    def lift(self) -> float:
        """How high the centre lies above the table when the thing touches it."""
        up = np.abs(self.rotation[2])
        x, y, z = self.extent
        if self.kind == OCTAHEDRON:
            height = x * np.sqrt(3) * up.max()
        elif self.kind == ICOSAHEDRON:
            height = x
        elif self.kind == BOX:
            height = up @ (x, y, z)
        else:
            height = np.hypot(up[0], up[1]) * x + up[2] * z
        return float(min(height + self.rounding, self.cut))

    @property
    def top(self) -> int:
        """The face whose outward normal points most upward."""
        return int(np.argmax(FACES @ self.rotation[2]))

    @property
    def lean(self) -> float:
        """Angle between the top face and the table, in degrees."""
        return float(np.degrees(np.arccos(np.clip(np.abs(self.rotation[2]).max(), -1, 1))))

    def outline(self, count: int = 400) -> Array:
        """Points of the surface of a box, count × 3, enough to draw its outline."""
        k = np.arange(count) + 0.5
        z, angle = 1 - 2 * k / count, k * np.pi * (3 - np.sqrt(5))
        ring = np.sqrt(1 - z * z)
        ball = np.stack([ring * np.cos(angle), ring * np.sin(angle), z], 1)
        corner = np.sign(ball) * self.extent + self.rounding * ball
        # a sphere-cut box: nothing lies further out than the sphere
        far = np.linalg.norm(corner, axis=1, keepdims=True)
        local = np.where(far > self.cut, ball_on_box(ball, self), corner)
        return np.asarray(local @ self.rotation.T + self.centre)


def ball_on_box(ball: Array, thing: Thing) -> Array:
    """Points of a sphere-cut box in the directions `ball`: on the sphere or on a face, whichever comes first."""
    whole = np.asarray(thing.extent) + thing.rounding
    to_face = np.min(whole / np.maximum(np.abs(ball), 1e-9), axis=1, keepdims=True)
    return np.asarray(ball * np.minimum(to_face, thing.cut))


@dataclass(frozen=True)
class Lamp:
    """A lamp: irradiance at the origin, tangent of its angular radius; only a `key` casts light.

    A `ring` is mirrored as one.
    """

    place: Array
    colour: Colour
    size: float
    key: bool = True
    ring: bool = False


@dataclass(frozen=True)
class Ground:
    """The table and a mat on it. textures: 2 × S × S × 3, square roots of linear colours."""

    textures: Image
    scale: tuple[float, float]  # turns of the texture per unit
    angle: tuple[float, float]
    offset: tuple[float, float]
    finish: tuple[tuple[float, float, float], tuple[float, float, float]]  # roughness, reflectance, grain
    shape: int = -1  # of the mat: 0 rectangle, 1 ellipse, 2 hexagon, -1 none
    mat: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)  # centre and half size
    mat_angle: float = 0.0
    stretched: bool = False  # the second texture covers the mat exactly once


@dataclass(frozen=True)
class Camera:
    """A lens r = f tan(k θ) / k: k = 1 a pinhole, k → 0 an equidistant fisheye. Pixels, y down."""

    eye: Array
    view: Array  # 3 × 3, columns right, up, back
    focal: float
    lens: float
    width: int
    height: int

    def project(self, points: Array) -> Array:
        """Where world points (n × 3) fall in the picture: n × 2 pixels."""
        q = (points - self.eye) @ self.view
        flat = np.hypot(q[:, 0], q[:, 1])
        theta = np.minimum(np.arctan2(flat, -q[:, 2]), 1.55 / self.lens)
        r = self.focal * np.tan(self.lens * theta) / self.lens / np.maximum(flat, 1e-9)
        return np.stack([self.width / 2 + r * q[:, 0], self.height / 2 - r * q[:, 1]], 1)

    def reach(self, pixels: Array, height: float) -> Array:
        """Where the rays of pixels (n × 2) meet the level z = height: n × 3; far away for those that never do."""
        at = (pixels - (self.width / 2, self.height / 2)) * (1, -1) / self.focal
        r = np.maximum(np.hypot(at[:, 0], at[:, 1]), 1e-9)[:, None]
        theta = np.arctan(self.lens * r) / self.lens
        way = np.hstack([at / r * np.sin(theta), -np.cos(theta)]) @ self.view.T
        down = np.minimum(way[:, 2:], -0.02)
        return np.asarray(self.eye + way * (height - self.eye[2]) / down)


@dataclass(frozen=True)
class Scene:
    """Everything the renderer needs. Radiance comes from above, from the sides and back from the table."""

    things: tuple[Thing, ...]
    lamps: tuple[Lamp, ...]
    ground: Ground
    camera: Camera
    zenith: Colour
    horizon: Colour
    bounce: Colour
    noise_seed: int = 0
    tags: tuple[str, ...] = field(default=())
