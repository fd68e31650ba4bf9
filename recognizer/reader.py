"""A picture in, the dice on it out.

Knows pictures and networks; knows nothing of games. One network finds dice on the picture at several sizes, another
reads each of them from a crop at the picture's own resolution. What takes long is done where it can change anything:
the finest look at a picture, and more than two at a die.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recognizer import boxes as geometry
from recognizer import hints
from recognizer.finding import FAINT, Found, Look, decode, is_plain, prepare, together
from recognizer.model import ClassifierSettings, DetectorSettings, Floats, Network, read_settings

Image = NDArray[np.uint8]
Chances = NDArray[np.floating]
MODELS = Path(__file__).parent.parent / "models"
Lap = Callable[[str], None]  # told the name of each stage of a reading as it ends
STAGES = ("prepare", "detect", "decode", "crop", "classify", "conclude", "hints")
UNCLEAR = (0.1, 0.9)  # from this probability on there may be a die; below that confidence its face is not clear
CLOSER = 0.87  # width of the closer looks at a die, against the others
CLEAR = 0.95  # mean probability of one face, or of none, in two looks, from which no further ones are taken
MOST_DICE = 80  # candidates read in one picture, best first: a bound on time, twice what any game throws


def unheard(stage: str) -> None:
    """A lap that nobody times."""


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

    def read(self, image: Image, lap: Lap = unheard) -> Reading:
        """The dice on an upright picture (H, W, 3), BGR, 0 to 255. `lap` hears of STAGES as each of them ends.

        The finest look is what finds small dice, and takes most of the time. It is not taken where the others are sure
        of all they see, nothing small or faint among it.
        """
        *coarse, finest = self.detector.sizes
        looks = [self._look(image, size, lap) for size in coarse]
        found = self._together(looks, lap)
        seen = self._judge(image, found, lap) if is_plain(looks, found, self.detector) else None
        if seen is None or seen[-1] < self.classifier.sure:
            looks.append(self._look(image, finest, lap))
            seen = self._judge(image, self._together(looks, lap), lap)
        candidates, dice, confidence = seen
        height, width = image.shape[:2]
        told = hints.of(image, [die.pixels(width, height) for die in dice], unclear(candidates, self.classifier))
        lap("hints")
        return Reading(dice, confidence >= self.classifier.sure, told)

    def candidates(self, image: Image) -> Candidates:
        """Everything that may be a die, found at all sizes, with what the two networks say of it."""
        return self._candidates(image, self._together([self._look(image, size) for size in self.detector.sizes]))

    def _look(self, image: Image, size: int, lap: Lap = unheard) -> Look:
        """What the detector finds in a picture of which the longer side is made so many pixels."""
        s = self.detector
        batch, zoom = prepare(image, size, s.multiple, s.mean, s.scale)
        lap("prepare")
        out = self._detector.infer(batch)
        lap("detect")
        found = decode(out, zoom, min(FAINT, s.least), s.overlap, s.stride)
        lap("decode")
        return Look(found, zoom)

    def _together(self, looks: Sequence[Look], lap: Lap = unheard) -> Found:
        found = together(looks, self.detector)
        lap("decode")
        return Found(*(part[:MOST_DICE] for part in found))

    def _judge(self, image: Image, found: Found, lap: Lap) -> tuple[Candidates, tuple[Die, ...], float]:
        """What was found, the dice among it, and how likely the whole is right."""
        candidates = self._candidates(image, found, lap)
        dice, confidence = conclude(candidates, self.classifier, image.shape[1], image.shape[0])
        lap("conclude")
        return candidates, dice, confidence

    def _candidates(self, image: Image, found: Found, lap: Lap = unheard) -> Candidates:
        boxes, tops, heat = found
        if not len(boxes):
            return Candidates(boxes, np.zeros((0, 4)), np.zeros((0, 6)))
        classes = self._classes(image, geometry.moved(boxes, tops), lap)
        real = 1 - classes[:, 6]
        # "No die" lowers a score; as a gate it would be too eager on coarse pictures.
        best = geometry.nested(boxes, np.sqrt(heat * real))
        faces = classes[best, :6] / real[best, None]
        chances = np.clip(np.column_stack([heat[best], real[best], faces.max(axis=1)]), 1e-4, 1 - 1e-4)
        odds = np.log(chances / (1 - chances))
        return Candidates(boxes[best], np.column_stack([odds, _unlike(boxes[best], odds[:, :2].sum(axis=1))]), faces)

    def _classes(self, image: Image, boxes: Floats, lap: Lap) -> Floats:
        """(n, 7) probabilities of what is in the boxes, each the mean over its looks.

        Of each a crop and, in the mirror, a closer one. Where these two do not see the same clearly, both are looked at
        again, turned by a quarter: what a die shows does not depend on any of that. The boxes have the top faces in
        their middle, so that no side face is taken for one.
        """
        s = self.classifier
        nearer = (CLOSER * (1 + 2 * s.margin) - 1) / 2
        cuts = [[geometry.cut(image, box, s.size, margin) for box in boxes] for margin in (s.margin, nearer)]
        first, closer = ((np.stack(crops).astype(np.float32) - s.mean) / s.scale for crops in cuts)
        lap("crop")
        mirror = np.s_[:, :, ::-1]
        classes = [self._classify(look) for look in (first, closer[mirror])]
        mean = (classes[0] + classes[1]) / 2
        again = np.flatnonzero(mean.max(axis=1) < CLEAR)
        if len(again):
            turned = (np.rot90(crops[again], axes=(2, 1)) for crops in (closer, first[mirror]))
            mean[again] = (2 * mean[again] + sum(map(self._classify, turned))) / 4
        lap("classify")
        return np.asarray(np.clip(mean, 1e-6, 1 - 1e-6))

    def _classify(self, crops: Floats) -> Floats:
        """(n, 7) probabilities of what (n, size, size, 3) crops show."""
        logits = self._classifier.infer(np.ascontiguousarray(crops.transpose(0, 3, 1, 2)))
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


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
