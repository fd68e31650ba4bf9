"""A picture in, the dice on it out.

Knows pictures and networks; knows nothing of games. One network finds dice on the picture at several sizes, another
reads each of them from a crop at the picture's own resolution. Three steps: `prepare` and `decode` are pure,
`Network.infer` lies between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from recognizer import boxes as geometry
from recognizer import hints
from recognizer.model import ClassifierSettings, DetectorSettings, Floats, Network, read_settings

Image = NDArray[np.uint8]
Chances = NDArray[np.floating]
MODELS = Path(__file__).parent.parent / "models"
LARGEST_ENLARGEMENT = 2.0
Lap = Callable[[str], None]  # told the name of each stage of a reading as it ends
STAGES = ("prepare", "detect", "decode", "crop", "classify", "conclude", "hints")
UNCLEAR = (0.1, 0.9)  # from this probability on there may be a die; below that confidence its face is not clear
LOOKS = 4  # at each die
CLOSER = 0.87  # width of the closer looks at a die, against the others
MOST_DICE = 80  # candidates read in one picture, best first: a bound on time, twice what any game throws


@dataclass(frozen=True)
class Die:
    """One die: `face` 1 to 6, `box` (left, top, width, height) in fractions of the picture, `confidence` 0 to 1 that
    there is a die with this face, `alternatives` the other faces with their probabilities, likeliest first."""

    face: int
    box: tuple[float, float, float, float]
    confidence: float
    alternatives: tuple[tuple[int, float], ...] = ()

    def __post_init__(self) -> None:
        if self.face not in range(1, 7):
            raise ValueError(f"a die has no face {self.face}")
        if not 0 <= self.confidence <= 1:
            raise ValueError(f"a confidence lies between 0 and 1, not at {self.confidence}")
        if min(self.box[2:]) <= 0:
            raise ValueError(f"a box has a width and a height, unlike {self.box}")

    def pixels(self, width: int, height: int) -> tuple[float, float, float, float]:
        """The box (left, top, width, height) in pixels of a picture of this size."""
        left, top, wide, high = self.box
        return left * width, top * height, wide * width, high * height


@dataclass(frozen=True)
class Reading:
    """What was seen in one picture. `sure`: likely enough right as a whole to need no check. `hints`: codes of module
    hints."""

    dice: tuple[Die, ...]
    sure: bool
    hints: tuple[str, ...]

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(sorted(die.face for die in self.dice))


@dataclass(frozen=True)
class Candidates:
    """What may be dice: boxes (n, 4) in pixels, `evidence` (n, 4) for being a die, `faces` (n, 6) probabilities of the
    faces if it is one.

    The evidence is three log-odds: that there is a die according to the detector, according to the classifier, and of
    its likeliest face, because what shows no clear face is seldom a die; and how many times its side is doubled or
    halved against the others', because the dice of a throw are about equally large.
    """

    boxes: NDArray[np.floating]
    evidence: NDArray[np.floating]
    faces: NDArray[np.floating]


def prepare(image: Image, size: int, multiple: int, mean: float, scale: float) -> tuple[Floats, float]:
    """The picture as a batch of one (1, 3, H, W), its longer side `size` pixels, padded to multiples; and input pixels
    per pixel."""
    height, width = image.shape[:2]
    zoom = min(size / max(height, width), LARGEST_ENLARGEMENT)
    shape = max(1, round(width * zoom)), max(1, round(height * zoom))
    small = cv2.resize(image, shape, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_LINEAR)
    padded = np.zeros((1, 3, -(-shape[1] // multiple) * multiple, -(-shape[0] // multiple) * multiple), np.float32)
    for colour, plane in zip(cv2.split(small), padded[0, :, : shape[1], : shape[0]], strict=True):
        cv2.addWeighted(colour, 1 / scale, colour, 0, -mean / scale, dst=plane, dtype=cv2.CV_32F)
    return padded, zoom


def decode(out: Floats, zoom: float, least: float, overlap: float, stride: int) -> tuple[Floats, Floats, Floats]:
    """From the detector's answer (1, 5, H, W), best first: boxes (n, 4) in pixels of the picture, the centres (n, 2) of
    the top faces, and the heat (n,)."""
    heat, distances = out[0, 0], out[0, 1:]
    rows, columns = np.nonzero(heat > least)
    left, top, right, bottom = distances[:, rows, columns]
    x, y = (columns + 0.5) * stride, (rows + 0.5) * stride
    boxes = np.stack([x - left, y - top, x + right, y + bottom], axis=1) / zoom
    scores = heat[rows, columns]
    best = geometry.suppress(boxes, scores, overlap)
    tops = (summits(heat, rows[best], columns[best]) + 0.5) * (stride / zoom)
    return boxes[best].astype(np.float32), tops.astype(np.float32), scores[best]


def summits(heat: Floats, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> NDArray[np.floating]:
    """(n, 2): column and row, between cells, where the Gaussian hills peak whose highest cells are these: the vertex of
    the parabola through three logarithms, at most half a cell away."""
    hills = np.log(np.pad(heat, 1, mode="edge").clip(1e-5))
    rows, columns = rows + 1, columns + 1
    middle = hills[rows, columns]
    moved = []
    for before, after in (
        (hills[rows, columns - 1], hills[rows, columns + 1]),
        (hills[rows - 1, columns], hills[rows + 1, columns]),
    ):
        bend = np.maximum(2 * middle - before - after, 1e-3)
        moved.append(np.clip((after - before) / (2 * bend), -0.5, 0.5))
    return np.stack([columns - 1 + moved[0], rows - 1 + moved[1]], axis=1)


def trust(sides: NDArray[np.floating], between: tuple[float, ...]) -> NDArray[np.floating]:
    """0 to 1: how far an answer counts for dice of these sides (in input pixels). It begins to at the first of these
    sides, does in full from the second and, if there are four, to the third, and no more from the fourth."""
    return np.asarray(np.interp(np.log(np.maximum(sides, 1e-3)), np.log(between), [0.0, 1.0, 1.0, 0.0][: len(between)]))


def weighed(
    looks: list[tuple[Floats, Floats, Floats, float]],
    trained: tuple[float, float, float, float],
    large: tuple[float, float],
) -> list[tuple[Floats, Floats, Floats]]:
    """Looks at a picture, coarsest first, as boxes, tops, heat and zoom: the same with the heat that can be trusted.

    The coarsest look is there for dice too large for the next: smaller ones it takes for one where they touch.
    """
    found = []
    for index, (boxes, tops, heat, zoom) in enumerate(looks):
        sides = (boxes[:, 2:] - boxes[:, :2]).max(axis=1, initial=0)
        trusted = trust(sides * zoom, trained)
        if index == 0 < len(looks) - 1:
            trusted = trusted * trust(sides * looks[1][3], large)
        found.append((boxes, tops, (heat * trusted).astype(np.float32)))
    return found


class Reader:
    """Holds the two networks. Reading changes nothing in it, so threads may share one."""

    def __init__(self, models: Path = MODELS, threads: int = 2) -> None:
        """`models` holds detector.onnx and classifier.onnx. Raises ForeignModel where they are missing or not ours."""
        self._detector = Network(models / "detector.onnx", threads)
        self._classifier = Network(models / "classifier.onnx", threads)
        self.detector = read_settings(DetectorSettings, self._detector.metadata)
        self.classifier = read_settings(ClassifierSettings, self._classifier.metadata)

    @property
    def version(self) -> str:
        return f"{self.detector.version}/{self.classifier.version}"

    def read(self, image: Image, lap: Lap = lambda stage: None) -> Reading:
        """The dice on an upright picture (H, W, 3), BGR, 0 to 255. `lap` hears of STAGES, of the first three for each
        size that is looked at."""
        height, width = image.shape[:2]
        candidates = self.candidates(image, lap)
        dice, confidence = conclude(candidates, self.classifier, width, height)
        lap("conclude")
        told = hints.of(image, [die.pixels(width, height) for die in dice], unclear(candidates, self.classifier))
        lap("hints")
        return Reading(dice, confidence >= self.classifier.sure, told)

    def candidates(self, image: Image, lap: Lap = lambda stage: None) -> Candidates:
        """Everything that may be a die, with what the two networks say of it."""
        boxes, tops, heat = (found[:MOST_DICE] for found in self._find(image, lap))
        if not len(boxes):
            return Candidates(boxes, np.zeros((0, 4)), np.zeros((0, 6)))
        crops = self._crop(image, geometry.moved(boxes, tops))
        lap("crop")
        classes = self._classify(crops)
        lap("classify")
        real = 1 - classes[:, 6]
        # "No die" lowers a score; as a gate it would be too eager on coarse pictures.
        best = geometry.nested(boxes, np.sqrt(heat * real))
        faces = classes[best, :6] / real[best, None]
        chances = np.clip(np.column_stack([heat[best], real[best], faces.max(axis=1)]), 1e-4, 1 - 1e-4)
        odds = np.log(chances / (1 - chances))
        return Candidates(boxes[best], np.column_stack([odds, _unlike(boxes[best], odds[:, :2].sum(axis=1))]), faces)

    def _find(self, image: Image, lap: Lap) -> tuple[Floats, Floats, Floats]:
        """Boxes, centres of top faces and heat from all sizes together: where two sizes see the same die, the one
        better trained for it counts."""
        s = self.detector
        looks = []
        for size in s.sizes:
            batch, zoom = prepare(image, size, s.multiple, s.mean, s.scale)
            lap("prepare")
            out = self._detector.infer(batch)
            lap("detect")
            looks.append((*decode(out, zoom, s.least, s.overlap, s.stride), zoom))
            lap("decode")
        boxes, tops, heat = (np.concatenate(kind) for kind in zip(*weighed(looks, s.trained, s.large), strict=True))
        single = np.flatnonzero(~geometry.groups(boxes, heat))  # a coarse look may take two dice that touch for one
        best = single[geometry.suppress(boxes[single], heat[single], s.overlap)]
        best = best[heat[best] > s.least]
        lap("decode")
        return boxes[best], tops[best], heat[best]

    def _crop(self, image: Image, boxes: Floats) -> Floats:
        """The classifier's batch (LOOKS * n, 3, size, size): of each a crop; of each a closer one in the mirror; then
        both a quarter turned, and the first in the mirror: what a die shows does not depend on any of that.

        The boxes have the top faces in their middle, so that no side face is taken for one.
        """
        s = self.classifier
        nearer = (CLOSER * (1 + 2 * s.margin) - 1) / 2
        cuts = [[geometry.cut(image, box, s.size, margin) for box in boxes] for margin in (s.margin, nearer)]
        first, closer = ((np.stack(crops).astype(np.float32) - s.mean) / s.scale for crops in cuts)
        mirror = np.s_[:, :, ::-1]
        turned = (np.rot90(crops, axes=(2, 1)) for crops in (closer, first[mirror]))
        return np.ascontiguousarray(np.concatenate([first, closer[mirror], *turned]).transpose(0, 3, 1, 2))

    def _classify(self, batch: Floats) -> Floats:
        """(n, 7) probabilities, the mean over the looks: one after the other, which needs less memory."""
        logits = np.concatenate([self._classifier.infer(look) for look in np.split(batch, LOOKS)])
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        classes = (odds / odds.sum(axis=1, keepdims=True)).reshape(LOOKS, -1, logits.shape[1])
        return np.asarray(np.clip(classes.mean(axis=0), 1e-6, 1 - 1e-6))


def _unlike(boxes: NDArray[np.floating], odds: NDArray[np.floating]) -> NDArray[np.floating]:
    """(n,) distance of each side from the median side of the likely dice, in doublings; 0 where none is likely."""
    sides = np.log2((boxes[:, 2:] - boxes[:, :2]).max(axis=1))
    likely = odds > 0
    return np.asarray(np.abs(sides - np.median(sides[likely]))) if likely.any() else np.zeros(len(boxes))


def calibrated(candidates: Candidates, settings: ClassifierSettings) -> tuple[Chances, Chances]:
    """Probabilities (n,) that the candidates are dice and (n, 6) of their faces, from what the networks said.

    The first by a logistic function of the evidence (Platt 1999), the second by a temperature (Guo et al.
    2017).
    """
    real = 1 / (1 + np.exp(-(candidates.evidence @ settings.calibration[:-1] + settings.calibration[-1])))
    faces = candidates.faces ** (1 / settings.temperature)
    return np.asarray(real), np.asarray(faces / faces.sum(axis=1, keepdims=True))


def unclear(candidates: Candidates, settings: ClassifierSettings) -> list[hints.Box]:
    """Boxes (left, top, width, height) in pixels of what may be a die but shows no clear face."""
    real, faces = calibrated(candidates, settings)
    chosen = (real > UNCLEAR[0]) & (real * faces.max(axis=1, initial=0) < UNCLEAR[1])
    return [(left, top, right - left, bottom - top) for left, top, right, bottom in candidates.boxes[chosen].tolist()]


def conclude(
    candidates: Candidates, settings: ClassifierSettings, width: int, height: int
) -> tuple[tuple[Die, ...], float]:
    """The dice among the candidates, and how likely the reading as a whole is right; 0 where there is no die.

    Where there is a throw some die of it is beyond doubt; a table on which nothing is holds things that resemble dice.
    The whole reading is right when every die is one with this face and nothing left out was one, so its confidence is
    the product of these.
    """
    real, faces = calibrated(candidates, settings)
    kept = (real > settings.die) & (real.max(initial=0) > settings.first)
    boxes = candidates.boxes
    dice = tuple(_die(boxes[i], float(real[i]), faces[i], width, height) for i in np.flatnonzero(kept))
    whole = np.prod([die.confidence for die in dice]) * np.prod(1 - real[~kept])
    return dice, float(whole) if dice else 0.0


def _die(box: NDArray[np.floating], real: float, faces: NDArray[np.floating], width: int, height: int) -> Die:
    order = np.argsort(-faces, kind="stable")
    best, others = int(order[0]), order[1:]
    left, top = max(float(box[0]), 0.0), max(float(box[1]), 0.0)
    right, bottom = min(float(box[2]), width), min(float(box[3]), height)
    fractions = (left / width, top / height, max(right - left, 1.0) / width, max(bottom - top, 1.0) / height)
    alternatives = tuple((int(face) + 1, round(float(faces[face]), 6)) for face in others)
    return Die(best + 1, fractions, min(1.0, real * float(faces[best])), alternatives)
