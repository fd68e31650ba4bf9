"""What both trainings share: the pool of pictures, and a loop that keeps time, averages weights and can be
interrupted."""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn

from datasets import labels
from datasets.augment import Image
from datasets.labels import Labelled
from datasets.networks import Classifier, Detector

MEAN, SCALE = 114.0, 64.0  # a picture enters the networks as (BGR - MEAN) / SCALE
SAVE_EVERY = 120.0  # seconds
LOOK_EVERY = 300.0  # seconds between looks for new shards
RENDERED_SHARE = 0.55  # of what is drawn where there are photographs too, once there are
MANY_RENDERED = 1000  # rendered pictures; before that their share is smaller
KEPT_ASIDE = 25  # one picture in so many is never trained on


class Pool:
    """All pictures to train on, decoded once. Rendered shards may arrive while training runs."""

    def __init__(
        self, photos: Path | None, renders: Path | None, leave_out: Iterable[str] = (), cache: Path | None = None
    ) -> None:
        """`photos` holds one folder per source of labels.SOURCES, `renders` holds shards; `leave_out` names sources not
        to use. Decoded pictures lie in files in `cache`, which several processes may share, or in memory."""
        self.renders, self.cache = renders, cache
        self.sources: dict[str, list[Labelled]] = {}
        self.decoys: list[tuple[Labelled, int]] = []
        self._seen: set[Path] = set()
        self._images: dict[Path, Image] = {}
        for name in labels.SOURCES:
            if photos is not None and name not in leave_out and (photos / name).is_dir():
                self.add(name, labels.load(photos / name))
        self.refresh()
        if not self.sources:
            raise ValueError("there is nothing to train on: no photographs and no finished shard of rendered pictures")

    def refresh(self) -> None:
        """Takes in the shards that have been finished since the last look."""
        for shard in labels.shards(self.renders) if self.renders is not None else ():
            if shard not in self._seen:
                self._seen.add(shard)
                self.add(labels.RENDERED, labels.load(shard, labels.RENDERED))

    def add(self, name: str, pictures: list[Labelled]) -> None:
        mine = [picture for index, picture in enumerate(pictures) if index % KEPT_ASIDE]
        self.sources.setdefault(name, []).extend(mine)
        self.decoys.extend((picture, index) for picture in mine for index in range(len(picture.decoys)))

    @property
    def names(self) -> list[str]:
        return list(self.sources)

    @property
    def weights(self) -> list[float]:
        """The chance of each source, in the order of `names`."""
        real = {name: labels.SOURCES[name].share for name in self.sources if name != labels.RENDERED}
        rendered = RENDERED_SHARE * min(1.0, len(self.sources.get(labels.RENDERED, ())) / MANY_RENDERED)
        total = sum(real.values())
        if not total:
            return [1.0]
        return [rendered if name == labels.RENDERED else (1 - rendered) * real[name] / total for name in self.sources]

    def draw(self, rng: Generator) -> Labelled:
        pictures = self.sources[self.names[rng.choice(len(self.sources), p=self.weights)]]
        return pictures[rng.integers(len(pictures))]

    def image(self, picture: Labelled) -> Image:
        if self.cache is not None:
            return self._kept(self.cache, picture.path)  # not held: every file that is would stay open
        if picture.path not in self._images:
            self._images[picture.path] = _decoded(picture.path)
        return self._images[picture.path]

    def _kept(self, cache: Path, path: Path) -> Image:
        file = cache / f"{hashlib.sha256(str(path.resolve()).encode()).hexdigest()}.npy"
        if not file.exists():
            part = file.with_suffix(f".{os.getpid()}")
            with part.open("wb") as opened:
                np.save(opened, _decoded(path))
            part.replace(file)
        return np.asarray(np.load(file, mmap_mode="r"))

    def __str__(self) -> str:
        return ", ".join(f"{name} {len(pictures)}" for name, pictures in self.sources.items())


def _decoded(path: Path) -> Image:
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), dtype=np.uint8)


def tensor(images: list[Image]) -> Tensor:
    """Pictures of one size as a batch (n, 3, H, W), channels last in memory."""
    batch = (np.stack(images).astype(np.float32) - MEAN) / SCALE
    return torch.from_numpy(batch).permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)


def fit(
    network: nn.Module,
    loss: Callable[[nn.Module, Generator], tuple[Tensor, dict[str, float]]],
    checkpoint: Path,
    *,
    minutes: float,
    seed: int,
    refresh: Callable[[], None],
    rate: float = 1e-3,
) -> None:
    """Trains `network` for `minutes` of wall-clock time, in all, over as many runs as it takes.

    `loss` draws a batch with the generator it is given and returns its loss and figures to print. Every two minutes
    `checkpoint` receives weights, averaged weights ("average": what is exported), optimiser and time used. The learning
    rate follows a cosine of the time used.
    """
    average = {key: value.clone() for key, value in network.state_dict().items()}
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=2e-3)
    used, step = 0.0, 0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        network.load_state_dict(state["weights"])
        optimiser.load_state_dict(state["optimiser"])
        average, used, step = state["average"], state["used"], state["step"]
    rng = np.random.default_rng((seed, step))
    torch.manual_seed(seed + step)
    means: dict[str, float] = {}
    on = next(network.parameters()).device
    before = saved = looked = printed = time.monotonic()
    network.train()
    while used < 60 * minutes:
        progress = used / (60 * minutes)
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / 100) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * progress)))
        with half(on):
            value, figures = loss(network, rng)
        optimiser.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimiser.step()
        step += 1
        _blend(average, network.state_dict(), min(0.998, (1 + step) / (20 + step)))
        means = {key: 0.98 * means.get(key, figure) + 0.02 * figure for key, figure in figures.items()}
        now = time.monotonic()
        used, before = used + now - before, now
        if now - printed > 30:
            printed = now
            shown = " ".join(f"{key} {figure:.3f}" for key, figure in means.items())
            print(
                f"step {step}, {used / 60:.1f} of {minutes:g} min, {minutes - used / 60:.1f} min left: {shown}",
                flush=True,
            )
        if now - looked > LOOK_EVERY:
            looked = now
            refresh()
        if now - saved > SAVE_EVERY or used >= 60 * minutes:
            saved = now
            _save(
                checkpoint,
                {
                    "weights": network.state_dict(),
                    "average": average,
                    "optimiser": optimiser.state_dict(),
                    "used": used,
                    "step": step,
                },
            )


def _blend(average: dict[str, Tensor], weights: dict[str, Tensor], keep: float) -> None:
    with torch.no_grad():
        for key, value in weights.items():
            if value.dtype.is_floating_point:
                average[key].mul_(keep).add_(value, alpha=1 - keep)
            else:
                average[key].copy_(value)


def _save(path: Path, state: dict[str, object]) -> None:
    """Whole or not at all, so that an interruption leaves the last checkpoint."""
    part = path.with_suffix(".part")
    torch.save(state, part)
    part.replace(path)


def half(on: torch.device) -> torch.autocast:
    """Convolutions in 16 bits within this context, where that is faster than 32: on a CPU it is not."""
    return torch.autocast(on.type, torch.bfloat16, enabled=on.type == "cuda")


def device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def begun(network: Detector | Classifier, checkpoint: Path) -> nn.Module:
    """The network ready to train: where there is no checkpoint to go on from, it begins with what its trunk knows."""
    if not checkpoint.exists():
        network.trunk.begin()
    return network


def averaged(network: nn.Module, checkpoint: Path) -> nn.Module:
    """The network with the averaged weights of a checkpoint, ready to judge or export, on the CPU."""
    network.load_state_dict(torch.load(checkpoint, weights_only=True, map_location="cpu")["average"])
    return network.eval()


def arguments(description: str | None) -> argparse.Namespace:
    """The command line that both trainings understand."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint", type=Path, help="file to write; where it exists, training goes on from it")
    parser.add_argument("--photos", type=Path, help="folder with one folder per source of real photographs")
    parser.add_argument(
        "--renders", type=Path, help="folder with shards of rendered pictures; new ones are taken in as they come"
    )
    parser.add_argument("--leave-out", nargs="*", default=[], help="sources not to train on, so that they can judge")
    parser.add_argument("--cache", type=Path, help="folder for decoded pictures, shared by both trainings")
    parser.add_argument("--minutes", type=float, default=60, help="wall-clock time to train (default: 60)")
    parser.add_argument(
        "--batch", type=int, default=0, help="pictures or dice a step (default: 16 or 64; more on a GPU)"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1, help="threads of the network (default: 1)")
    parser.add_argument(
        "--detector", type=Path, help="checkpoint of the detector, whose mistakes the classifier learns from"
    )
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    if options.cache:
        options.cache.mkdir(parents=True, exist_ok=True)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    return options
