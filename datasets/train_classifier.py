"""Trains the network that reads one die. `python -m datasets.train_classifier --help`"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from datasets import training
from datasets.augment import Image, coarse, glint, photograph
from datasets.labels import Labelled
from datasets.networks import Classifier, Detector, Places
from recognizer import boxes as geometry
from recognizer.finding import decode, prepare

SIZE, MARGIN = 72, 0.15
NONE = 6  # class of what is no die, after the six values
SMALLEST = 13.0  # side in pixels below which a die is not worth learning from
FROM_NOTHING, FROM_DECOYS, FROM_MISTAKES = 0.10, 0.12, 0.20  # shares of the crops that show no die
GLINTS = 0.12  # share of the crops with a lamp mirrored in the die
MINED = 60  # pictures in which to look for mistakes, each time
MINED_DECOYS = 600

SEEN_THROUGH = 0.9  # probability of "no die" above which a mistake needs no more practice
MOST_MISTAKES = 3000

Box = NDArray[np.float32]


class Crops:
    """Dice, and things that are none, to cut out of the pictures of a pool."""

    def __init__(self, pool: training.Pool, detector: Path | None, classifier: Path) -> None:
        self.pool, self.detector, self.classifier = pool, detector, classifier
        self.mistakes: list[tuple[Labelled, Box]] = []
        self._dice: dict[tuple[str, int], list[tuple[Labelled, int]]] = {}

    def index(self) -> None:
        """Sorts all readable dice by source and value."""
        self._dice = {}
        for name, pictures in self.pool.sources.items():
            for picture in pictures:
                large = (picture.boxes[:, 2:] - picture.boxes[:, :2]).max(axis=1, initial=0) > SMALLEST
                for number in np.flatnonzero(~picture.ignored & large):
                    self._dice.setdefault((name, int(picture.faces[number])), []).append((picture, int(number)))

    def draw(self, rng: Generator) -> tuple[Image, int]:
        """A crop of SIZE × SIZE pixels as another camera would have seen it, and its class 0 to 6."""
        kind = rng.random()
        if kind < FROM_NOTHING:
            picture = self.pool.draw(rng)
            box = background(picture, self.pool.image(picture), rng)
            return self._crop(picture, box, rng, True), NONE
        if kind < FROM_NOTHING + FROM_DECOYS and self.pool.decoys:
            picture, number = self.pool.decoys[rng.integers(len(self.pool.decoys))]
            whole = rng.random() < 0.5
            box = picture.decoys[number] if whole else part(picture.decoys[number], picture.boxes, rng)
            return self._crop(picture, box, rng, True), NONE
        if kind < FROM_NOTHING + FROM_DECOYS + FROM_MISTAKES and self.mistakes:
            picture, box = self.mistakes[rng.integers(len(self.mistakes))]
            return self._crop(picture, box, rng, True), NONE
        source = self.pool.names[rng.choice(len(self.pool.names), p=self.pool.weights)]
        face = int(rng.integers(1, 7))
        dice = self._dice.get((source, face))
        if not dice:
            return self.draw(rng)
        picture, number = dice[rng.integers(len(dice))]
        box = geometry.moved(picture.boxes[[number]], picture.tops[[number]])[0]
        return self._crop(picture, box, rng, not picture.tilted), face - 1

    def _crop(self, picture: Labelled, box: Box, rng: Generator, turn: bool) -> Image:
        """`box` cut out inexactly, mirrored, turned (all the way round if `turn`, else a little), stretched and
        photographed anew."""
        side = float(max(box[2] - box[0], box[3] - box[1]))
        x, y = (float(v) + side * rng.normal(0, 0.06) for v in ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
        zoom = SIZE / (side * (1 + 2 * MARGIN) * np.exp(rng.normal(-0.02, 0.13)))
        angle = rng.uniform(0, 2 * np.pi) if turn else rng.normal(0, 0.25)
        cosine, sine = np.cos(angle), np.sin(angle)
        mirror = np.diag([rng.choice([-1.0, 1.0]), 1.0])
        stretch = np.diag(np.exp(rng.normal(0, 0.07) * np.array([1.0, -1.0])))
        turned = zoom * stretch @ np.array([[cosine, -sine], [sine, cosine]]) @ mirror
        matrix = np.column_stack([turned, SIZE / 2 - turned @ (x, y)])
        crop = geometry.sample(self.pool.image(picture), matrix, SIZE)
        if rng.random() < GLINTS:
            crop = glint(crop, (SIZE / 2, SIZE / 2), SIZE / (1 + 2 * MARGIN), rng)
        if rng.random() < 0.3:
            crop = coarse(crop, rng, 17)
        return photograph(crop, rng)

    def mine(self, rng: Generator) -> None:
        """Lets both networks, as they were saved last, look at some pictures; keeps what they wrongly take for dice."""
        if self.detector is None or not self.detector.exists() or not self.classifier.exists():
            return
        places = Places(training.averaged(Detector(), self.detector))
        network = training.averaged(Classifier(), self.classifier)
        for _ in range(MINED):
            picture = self.pool.draw(rng)
            image = self.pool.image(picture)
            tensor, zoom = prepare(image, int(rng.choice([224, 320, 448, 640])), 32, training.MEAN, training.SCALE)
            with torch.no_grad(), training.half(torch.device("cpu")):
                out = places(torch.from_numpy(tensor)).float().numpy()
            found, tops, _ = decode(out, zoom, 0.1, 0.45, 8)
            shared = geometry.intersections(found, picture.boxes).max(axis=1, initial=0)
            self._keep(picture, geometry.moved(found, tops)[shared < 0.15 * geometry.areas(found)], network)
        for index in rng.integers(len(self.pool.decoys), size=MINED_DECOYS if self.pool.decoys else 0):
            picture, number = self.pool.decoys[index]
            box = picture.decoys[number]
            self._keep(picture, np.stack([box, part(box, picture.boxes, rng)]), network)
        self.mistakes = self.mistakes[-MOST_MISTAKES:]

    def _keep(self, picture: Labelled, boxes: Box, network: nn.Module) -> None:
        """Remembers those of the boxes, none of which holds a die, in which the network does not see that."""
        if len(boxes):
            crops = [geometry.cut(self.pool.image(picture), box, SIZE, MARGIN) for box in boxes]
            with torch.no_grad():
                none = torch.softmax(network(training.tensor(crops)), dim=1)[:, NONE].numpy()
            self.mistakes.extend((picture, box.astype(np.float32)) for box in boxes[none < SEEN_THROUGH])


def background(picture: Labelled, image: Image, rng: Generator) -> Box:
    """A square that shows no whole die, or several: anywhere, beside, between and inside dice, or round two of them."""
    height, width = image.shape[:2]
    for _ in range(20):
        if len(picture.boxes) > 1 and rng.random() < 0.2:
            group = _pair(picture.boxes, rng)
            if geometry.overlaps(group[None], picture.boxes).max() < 0.6:
                return group
        if len(picture.boxes) and rng.random() < 0.5:
            box = picture.boxes[rng.integers(len(picture.boxes))]
            body = float(max(box[2] - box[0], box[3] - box[1]))
            side = body * np.exp(rng.uniform(np.log(0.25), np.log(3.0)))
            reach = max(side, body)
            x, y = (
                (box[0] + box[2]) / 2 + reach * rng.normal(0, 0.6),
                (box[1] + box[3]) / 2 + reach * rng.normal(0, 0.6),
            )
        else:
            side = np.exp(rng.uniform(np.log(18), np.log(min(height, width) / 3)))
            x, y = rng.uniform(0, width), rng.uniform(0, height)
        square = np.array([x - side / 2, y - side / 2, x + side / 2, y + side / 2], dtype=np.float32)
        if not len(picture.boxes) or geometry.overlaps(square[None], picture.boxes).max() < 0.25:
            break
    return square


def part(box: Box, dice: Box, rng: Generator) -> Box:
    """A square within a box, about half as long: one half of a domino, one key of a keyboard. Where every one tried
    shows some of the dice, the whole box."""
    low, high = box[:2], box[2:]
    for _ in range(5):
        side = min(float((high - low).max()) * rng.uniform(0.4, 0.75), float((high - low).min()))
        corner = rng.uniform(low, np.maximum(high - side, low))
        square = np.concatenate([corner, corner + side]).astype(np.float32)
        if not len(dice) or geometry.intersections(square[None], dice).max() < 0.05 * side**2:
            return square
    return box


def _pair(boxes: Box, rng: Generator) -> Box:
    """The box round a die and its nearest neighbour."""
    centres = (boxes[:, :2] + boxes[:, 2:]) / 2
    one = int(rng.integers(len(boxes)))
    distance = np.linalg.norm(centres - centres[one], axis=1)
    distance[one] = np.inf
    both = boxes[[one, int(distance.argmin())]]
    return np.concatenate([both[:, :2].min(axis=0), both[:, 2:].max(axis=0)]).astype(np.float32)


def main() -> None:
    options = training.arguments(__doc__)
    device = training.device()
    pool = training.Pool(options.photos, options.renders, options.leave_out, options.cache)
    crops = Crops(pool, options.detector, options.checkpoint)
    batch = options.batch or (64 if device.type == "cpu" else 1024)
    rng = np.random.default_rng((options.seed, 1))
    network = training.begun(Classifier(), options.checkpoint).to(device, memory_format=torch.channels_last)

    def step(network: nn.Module, rng: Generator) -> tuple[Tensor, dict[str, float]]:
        drawn = [crops.draw(rng) for _ in range(batch)]
        kinds = torch.tensor([kind for _, kind in drawn], device=device)
        out = network(training.tensor([image for image, _ in drawn]).to(device)).float()
        value = functional.cross_entropy(out, kinds, label_smoothing=0.03)
        right = (out.argmax(dim=1) == kinds).float()
        return value, {"loss": value.item(), "right": right.mean().item()}

    def refresh() -> None:
        crops.pool.refresh()
        crops.index()
        crops.mine(rng)
        print(f"pictures: {crops.pool}; decoys {len(crops.pool.decoys)}, mistakes {len(crops.mistakes)}")

    refresh()
    training.fit(network, step, options.checkpoint, minutes=options.minutes, seed=options.seed, refresh=refresh)


if __name__ == "__main__":
    main()
