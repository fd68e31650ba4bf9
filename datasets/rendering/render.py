"""Draws a `Scene` with one fragment shader, geometry.glsl and shading.glsl. Needs OpenGL 4.0 through EGL."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import moderngl
import numpy as np
import numpy.typing as npt

from datasets.rendering.scene import HOLLOW, ICOSAHEDRON, MOST_THINGS, OCTAHEDRON, Array, Art, Image, Scene, Thing

Whole: TypeAlias = npt.NDArray[np.int32]
MOST_LAMPS = 8


@dataclass(frozen=True)
class Raster:
    """What the renderer saw, at the scene's size.

    light: H × W × 3 linear light (red, green, blue). things: H × W, 1 + index of the thing in the pixel's middle, 0 for
    the table. faces: H × W, the face seen, 0..5. depth: H × W, distance from the eye. marks: H × W, how far a pip or
    another mark covers the place, 0..1.
    """

    light: Array
    things: Whole
    faces: Whole
    depth: Array
    marks: Array


class Renderer:
    """Holds the OpenGL context and the compiled shaders; `draw` is a pure function of the scene on a given driver.

    Raises RuntimeError where no context can be made.
    """

    def __init__(self) -> None:
        try:
            settings: Any = {"backend": "egl"}
            self.gl = moderngl.create_context(standalone=True, require=400, **settings)
        except Exception as error:
            message = "no OpenGL 4.0 context (install libegl1 and libgl1-mesa-dri)"
            raise RuntimeError(message) from error
        here = Path(__file__).parent
        self.source = "".join((here / name).read_text("utf-8") for name in ("geometry.glsl", "shading.glsl"))
        self.programs: dict[tuple[str, ...], Any] = {}
        self.corners = self.gl.buffer(np.array([-1, -1, 3, -1, -1, 3], "f4").tobytes())

    def draw(self, scene: Scene, samples: float = 2.0) -> Raster:
        """Renders with `samples` rays a pixel; the light is averaged, the labels are taken at the pixel's middle."""
        camera = scene.camera
        zoom = float(np.sqrt(samples))
        size = (round(camera.width * zoom), round(camera.height * zoom))
        program = self._program(scene)
        held = [*self._upload(program, scene, size, zoom)]
        targets = [self.gl.texture(size, 4, dtype="f4"), self.gl.texture(size, 2, dtype="f4")]
        frame = self.gl.framebuffer(targets)
        frame.use()
        array = self.gl.vertex_array(program, [(self.corners, "2f", "corner")])
        array.render(moderngl.TRIANGLES)
        seen, extra = (np.frombuffer(t.read(), "f4").reshape(size[1], size[0], t.components)[::-1] for t in targets)
        for item in (array, frame, *targets, *held):
            item.release()
        small = (camera.width, camera.height)
        label = _shrink(seen[..., 3], small, cv2.INTER_NEAREST).astype(np.int32)
        return Raster(
            light=_shrink(seen[..., :3], small, cv2.INTER_AREA),
            things=label % 100,
            faces=label // 100 - 1,
            depth=_shrink(extra[..., 0], small, cv2.INTER_NEAREST),
            marks=_shrink(extra[..., 1], small, cv2.INTER_AREA),
        )

    def _program(self, scene: Scene) -> Any:
        kinds = {thing.kind for thing in scene.things}
        wanted = {
            "CLEAR": any(thing.surface.clear > 0 for thing in scene.things),
            "POLYHEDRA": bool(kinds & {OCTAHEDRON, ICOSAHEDRON}),
            "HOLLOW": HOLLOW in kinds,
            "POLISHED": min(rough for rough, _, _ in scene.ground.finish) < 0.3,
        }
        defines = tuple(name for name, on in wanted.items() if on)
        if defines not in self.programs:
            _, body = self.source.split("#version 400\n")
            self.programs[defines] = self.gl.program(
                vertex_shader="#version 400\nin vec2 corner;\nvoid main() { gl_Position = vec4(corner, 0., 1.); }",
                fragment_shader="#version 400\n" + "".join(f"#define {name}\n" for name in defines) + body,
            )
        return self.programs[defines]

    def _upload(self, program: Any, scene: Scene, size: tuple[int, int], zoom: float) -> list[Any]:
        arts = list({id(t.art): t.art for t in scene.things if t.art is not None}.values())
        inks, reliefs = self._layers([a.inks for a in arts]), self._layers([a.reliefs for a in arts])
        grounds = self._layers([scene.ground.textures[:, ::-1]])
        noise = self.gl.texture3d((32, 32, 32), 4, _noise(scene.noise_seed).tobytes())
        buffers = [self.gl.buffer(_pack_things(scene.things, arts).tobytes()), self.gl.buffer(_pack_lamps(scene))]
        for slot, (name, texture) in enumerate(
            {"inks": inks, "reliefs": reliefs, "grounds": grounds, "noise": noise}.items()
        ):
            if name in program:
                texture.use(slot)
                program[name].value = slot
        for slot, (name, buffer) in enumerate(zip(("Things", "Lamps"), buffers, strict=True)):
            buffer.bind_to_uniform_block(slot)
            program[name].binding = slot
        camera, ground = scene.camera, scene.ground
        values = {
            "thingCount": len(scene.things),
            "lampCount": len(scene.lamps),
            "keyCount": sum(lamp.key for lamp in scene.lamps),
            "pixels": size,
            "eye": tuple(camera.eye),
            "view": tuple(camera.view.T.ravel()),
            "lens": (camera.focal * zoom, camera.lens),
            "zenith": scene.zenith,
            "horizon": scene.horizon,
            "bounce": scene.bounce,
            "groundMap": [
                (s * np.cos(a), s * np.sin(a), o, o * 0.7)
                for s, a, o in zip(ground.scale, ground.angle, ground.offset, strict=True)
            ],
            "groundFinish": [(*f, 0.0) for f in ground.finish],
            "mat_": ground.mat,
            "matShape": (np.cos(ground.mat_angle), np.sin(ground.mat_angle), ground.shape, float(ground.stretched)),
        }
        for name, value in values.items():
            if name in program:
                program[name].value = value
        return [inks, reliefs, grounds, noise, *buffers]

    def _layers(self, stacks: list[Image]) -> Any:
        """An array texture with mip maps of n × S × S × c pictures; one blank layer when there are none."""
        data = np.concatenate(stacks) if stacks else np.zeros((6, 4, 4, 4), np.uint8)
        count, height, width, channels = data.shape
        texture = self.gl.texture_array((width, height, count), channels, data.tobytes(), alignment=1)
        texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        texture.build_mipmaps()
        return texture


def _shrink(image: Array, size: tuple[int, int], how: int) -> npt.NDArray[np.float32]:
    return np.asarray(cv2.resize(np.ascontiguousarray(image, np.float32), size, interpolation=how), np.float32)


def _noise(seed: int) -> npt.NDArray[np.uint8]:
    """Smooth noise that repeats, 32³ × 4, each channel spread evenly over 0..255."""
    rng = np.random.default_rng(seed)
    total = np.zeros((32, 32, 32, 4), np.float32)
    for cells in (4, 8, 16, 32):
        grid: Array = rng.standard_normal((cells, cells, cells, 4)).astype(np.float32)
        for axis in range(3):
            at = np.arange(32) * cells / 32
            low, part = at.astype(int), (at % 1).reshape([-1 if k == axis else 1 for k in range(4)])
            grid = np.take(grid, low, axis) * (1 - part) + np.take(grid, (low + 1) % cells, axis) * part
        total += grid * (4 / cells) ** 0.7
    order = np.argsort(np.argsort(total.reshape(-1, 4), axis=0), axis=0)
    return (order * (255.99 / len(order))).astype(np.uint8)


def _pack_things(things: tuple[Thing, ...], arts: list[Art]) -> Array:
    if len(things) > MOST_THINGS:
        message = f"a scene holds at most {MOST_THINGS} things, not {len(things)}"
        raise ValueError(message)
    first = {id(art): 6 * k for k, art in enumerate(arts)}
    packed = np.zeros((MOST_THINGS, 9, 4), "f4")
    for row, thing in zip(packed, things, strict=False):
        surface, turned = thing.surface, thing.rotation.T
        row[0] = *thing.centre, thing.reach
        row[1] = *turned[0], thing.kind
        row[2] = *turned[1], thing.rounding
        row[3] = *turned[2], thing.cut
        row[4] = *thing.extent, first.get(id(thing.art), -1)
        row[5] = *surface.body, surface.rough
        row[6] = *surface.second, surface.clear
        row[7] = *surface.pattern, thing.seed
        row[8] = surface.metal, surface.coat, surface.scatter, surface.glitter
    return packed


def _pack_lamps(scene: Scene) -> bytes:
    packed = np.zeros((MOST_LAMPS, 2, 4), "f4")
    for row, lamp in zip(packed, sorted(scene.lamps, key=lambda lamp: not lamp.key)[:MOST_LAMPS], strict=False):
        row[0] = *lamp.place, lamp.size
        # radiance of a disc that gives the irradiance: E / (π tan² a); that of a ring, half of the disc, with a minus
        row[1] = *lamp.colour, (-2 if lamp.ring else 1) / (np.pi * lamp.size**2)
    return packed.tobytes()
