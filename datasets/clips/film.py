"""Light on the sensor, frame by frame, cheaply: the table once, dice where they move, hands as one cut-out.

Light is H × W × 3, linear, red green blue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from datasets.clips.stage import Stage
from datasets.rendering.photograph import move
from datasets.rendering.render import Renderer, _pack_things
from datasets.rendering.scene import Array, Scene, Thing

Light = npt.NDArray[np.float32]
Window = tuple[int, int, int, int]  # left, top, right, bottom in pixels

GRID = 4  # pixels: windows begin and end at whole samples, five to every four pixels


class Studio(Renderer):
    """A renderer that sets a scene up once and then draws parts of it again with other dice."""

    def open(self, scene: Scene, dice: Sequence[Thing], zoom: float = 1.25) -> None:
        """Sets up a scene in which these dice will lie."""
        self.close()
        self.scene, self.zoom = scene, zoom
        camera = scene.camera
        self.size = (round(camera.width * zoom), round(camera.height * zoom))
        whole = replace(scene, things=(*scene.things, *dice))
        self.program = self._program(whole)
        self.held = self._upload(self.program, whole, self.size, zoom)
        self.arts = list({id(t.art): t.art for t in whole.things if t.art is not None}.values())
        self.targets = [self.gl.texture(self.size, 4, dtype="f4"), self.gl.texture(self.size, 2, dtype="f4")]
        self.frame = self.gl.framebuffer(self.targets)
        self.array = self.gl.vertex_array(self.program, [(self.corners, "2f", "corner")])

    def close(self) -> None:
        """Lets go of what `open` made."""
        for item in getattr(self, "held", []) + getattr(self, "targets", []):
            item.release()
        if hasattr(self, "frame"):
            self.frame.release()
            self.array.release()
        self.held, self.targets = [], []

    def shoot(self, dice: Sequence[Thing], window: Window | None = None) -> tuple[Light, npt.NDArray[np.int32]]:
        """The light in a window (the whole picture without one) with dice as they lie now, and which thing each pixel
        shows: 0 the table, from 1 on the things of the scene and then the dice."""
        width, height = self.scene.camera.width, self.scene.camera.height
        left, top, right, bottom = window or (0, 0, width, height)
        packed = _pack_things((*self.scene.things, *dice), self.arts).tobytes()
        self.held[-2].write(packed)
        self.held[-2].bind_to_uniform_block(0)
        self.held[-1].bind_to_uniform_block(1)
        self.program["thingCount"].value = len(self.scene.things) + len(dice)
        low = round(left * self.zoom), round((height - bottom) * self.zoom)
        span = (
            min(max(1, round((right - left) * self.zoom)), self.size[0] - low[0]),
            min(max(1, round((bottom - top) * self.zoom)), self.size[1] - low[1]),
        )
        for slot, name in enumerate(("inks", "reliefs", "grounds", "noise")):
            if name in self.program:
                self.held[slot].use(slot)
        self.frame.use()
        self.frame.scissor = (*low, *span)
        self.array.render()
        data: Any = self.frame.read(viewport=(*low, *span), components=4, dtype="f4")
        seen = np.frombuffer(data, "f4").reshape(span[1], span[0], 4)[::-1]
        small = (right - left, bottom - top)
        light = cv2.resize(np.ascontiguousarray(seen[..., :3]), small, interpolation=cv2.INTER_AREA)
        things = cv2.resize(np.ascontiguousarray(seen[..., 3]), small, interpolation=cv2.INTER_NEAREST)
        return np.minimum(light, 12).astype(np.float32), things.astype(np.int32) % 100


@dataclass(frozen=True)
class Cutout:
    """A hand, its palm in the middle, at half the picture's resolution, on a canvas of twice its extent: light × cover,
    and cover 0..1. A hand is never in focus for long."""

    light: Light
    cover: Light

    @classmethod
    def of(cls, stage: Stage, studio: Studio) -> Cutout:
        """The hand of a stage."""
        camera = stage.scene.camera
        scene = replace(stage.scene, camera=replace(camera, focal=camera.focal / 2))
        studio.open(scene, stage.hand, 1.0)
        light, things = studio.shoot(stage.hand)
        cover = cv2.GaussianBlur((things > len(scene.things)).astype(np.float32), (0, 0), 0.6)
        palm = scene.camera.project(stage.hand[0].centre[None])[0]
        shift = np.array([camera.width / 2, camera.height / 2]) - palm
        matrix = np.array([[1.0, 0, shift[0]], [0, 1.0, shift[1]]])
        size = (camera.width, camera.height)
        return cls(
            np.asarray(cv2.warpAffine(light * cover[..., None], matrix, size), np.float32),
            np.asarray(cv2.warpAffine(cover, matrix, size), np.float32),
        )

    def over(self, light: Light, palm: Array, smear: Array) -> Light:
        """The light with the hand above it, its palm at a pixel, moving by `smear` pixels while the shutter is open."""
        height, width = light.shape[:2]
        half = (width // 2, height // 2)
        shift = palm / 2 - half
        hand, cover = (self._at(layer, shift, half) for layer in (self.light, self.cover))
        if not cover.any():
            return light
        length = float(np.hypot(*smear)) / 2
        if length > 1.5:
            angle = float(np.arctan2(smear[1], smear[0]))
            hand, cover = move(hand, length, angle), move(cover, length, angle)
        shadow = cv2.resize(self._at(cover, np.array([8.0, 6.0]), half), (width // 8, height // 8))
        shadow = cv2.resize(cv2.GaussianBlur(shadow, (0, 0), 1.5), half)
        through = cv2.resize((1 - 0.45 * shadow) * (1 - cover), (width, height))
        return np.asarray(light * through[..., None] + cv2.resize(hand, (width, height)), np.float32)

    @staticmethod
    def _at(layer: Light, shift: Array, size: tuple[int, int]) -> Light:
        matrix = np.array([[1.0, 0, shift[0]], [0, 1.0, shift[1]]])
        return np.asarray(cv2.warpAffine(layer, matrix, size), np.float32)


class Film:
    """The light of one stage, whatever its dice do. Remembers the last picture at rest, and mends only windows."""

    def __init__(self, stage: Stage, studio: Studio) -> None:
        self.stage, self.studio = stage, studio
        self.hand = Cutout.of(stage, studio)
        studio.open(stage.scene, stage.dice)
        self._lit = True
        self._lying: dict[int, Thing] = {}
        self._base = studio.shoot([])[0]

    def at_rest(self, dice: Sequence[Thing | None], lit: bool = True) -> Light:
        """The table with dice at rest; drawn whole when the lamp was switched, else where something has changed."""
        lying = {k: die for k, die in enumerate(dice) if die is not None}
        if lit != self._lit:
            scene = self.stage.scene
            if not lit:
                scene = replace(scene, lamps=tuple(replace(lamp, key=False) for lamp in scene.lamps))
            self.studio.open(scene, self.stage.dice)
            self._base, self._lit, self._lying = self.studio.shoot(list(lying.values()))[0], lit, lying
        gone = [die for k, die in self._lying.items() if lying.get(k) is not die]
        new = [die for k, die in lying.items() if self._lying.get(k) is not die]
        if gone or new:
            base = self._base.copy()
            for die in (*gone, *new):
                left, top, right, bottom = window = self.window(die)
                if right <= left or bottom <= top:
                    continue
                base[top:bottom, left:right] = self.studio.shoot(list(lying.values()), window)[0]
            self._base, self._lying = base, lying
        return self._base

    def with_moving(self, dice: Sequence[Thing | None], smears: dict[int, Array]) -> Light:
        """The table with some dice moving by so many pixels while the shutter is open."""
        resting = [None if k in smears else die for k, die in enumerate(dice)]
        light = self.at_rest(resting).copy()
        there = [die for die in dice if die is not None]
        count = len(self.stage.scene.things)
        for k, smear in smears.items():
            die = dice[k]
            if die is None:
                continue
            left, top, right, bottom = window = self.window(die)
            if right <= left or bottom <= top:
                continue
            drawn, things = self.studio.shoot(there, window)
            length = float(np.hypot(*smear))
            if length > 1.5:
                mask = (things == 1 + count + [id(t) for t in there].index(id(die))).astype(np.float32)[..., None]
                angle = float(np.arctan2(smear[1], smear[0]))
                under = light[top:bottom, left:right]
                cover = np.atleast_3d(move(mask, length, angle))
                drawn = np.asarray(
                    move(drawn * mask, length, angle) + (1 - cover) * np.where(mask > 0, under, drawn), np.float32
                )
            light[top:bottom, left:right] = drawn
        return light

    def window(self, die: Thing) -> Window:
        """The pixels that a die and its shadows may change, in whole steps of GRID."""
        points = die.outline(120)
        for lamp in self.stage.scene.lamps:
            if lamp.key:
                way = (lamp.place - die.centre) / max(lamp.place[2] - die.centre[2], 1.0)
                points = np.vstack([points, points[:120] - points[:120, 2:] * np.clip(way, -4, 4)])
        at = self.stage.scene.camera.project(points)
        camera = self.stage.scene.camera
        low = np.floor((at.min(0) - 6) / GRID).astype(int) * GRID
        high = np.ceil((at.max(0) + 6) / GRID).astype(int) * GRID
        x0, y0 = np.clip(low, 0, (camera.width, camera.height))
        x1, y1 = np.clip(high, 0, (camera.width, camera.height))
        return int(x0), int(y0), int(x1), int(y1)
