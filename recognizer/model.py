"""A network on disk: ONNX, run on the CPU, with everything needed to use it in its own metadata."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import onnxruntime
from numpy.typing import NDArray

Floats = NDArray[np.float32]
FORMAT = 4


class ForeignModel(Exception):
    """The file is not a network of this program, or of another version of it. The message says what is missing."""


@dataclass(frozen=True)
class DetectorSettings:
    """How to use the network that finds dice.

    `sizes`: longer sides in pixels at which a picture is looked at; `multiple`: both sides are padded to one of this; a
    pixel enters as (BGR − `mean`) / `scale`; `stride`: pixels per cell of the answer; `least`: heat below which nothing
    is kept; `overlap`: intersection over union from which two boxes are one die; `trained`: sides of dice in pixels
    (none below, well from, well to, none above) for which the answer is trusted; `large`: sides in pixels of the second
    look from which the coarsest begins to count, and counts in full.
    """

    format: int
    version: str
    sizes: tuple[int, ...]
    multiple: int
    stride: int
    mean: float
    scale: float
    least: float
    overlap: float
    trained: tuple[float, float, float, float]
    large: tuple[float, float]


@dataclass(frozen=True)
class ClassifierSettings:
    """How to use the network that reads one die, and how to judge what both say.

    `labels`: its classes, "1" to "6" and "none"; `size`: side of a crop in pixels; `margin`: border round the die as a
    share of its side; `mean`, `scale` as in the detector; `calibration`: weights of the four pieces of evidence and an
    offset, whose sum is the log-odds of being a die; `temperature`: of the faces' probabilities; `die`: probability
    from which a candidate counts as a die, once one in the picture reaches `first`; `sure`: confidence from which a
    whole reading needs no check.
    """

    format: int
    version: str
    labels: tuple[str, ...]
    size: int
    margin: float
    mean: float
    scale: float
    calibration: tuple[float, ...]
    temperature: float
    die: float
    first: float
    sure: float

    def __post_init__(self) -> None:
        if (len(self.labels), len(self.calibration)) != (7, 5):
            raise ValueError("labels or calibration, which have 7 and 5 values")


Settings = TypeVar("Settings", DetectorSettings, ClassifierSettings)


def read_settings(kind: type[Settings], metadata: dict[str, str]) -> Settings:
    """The settings in the metadata of an ONNX file, one JSON value a field. Raises ForeignModel where one is missing or
    damaged."""
    try:
        values: dict[str, Any] = {field.name: json.loads(metadata[field.name]) for field in fields(kind)}
    except (KeyError, ValueError) as error:
        raise ForeignModel(f"the model's metadata lacks {error}") from error
    if values["format"] != FORMAT:
        raise ForeignModel(f"the model's format is {values['format']}, this program reads {FORMAT}")
    arguments: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values.items()}
    try:
        return kind(**arguments)
    except (TypeError, ValueError) as error:
        raise ForeignModel(f"the model's metadata is damaged: {error}") from error


def write_settings(settings: DetectorSettings | ClassifierSettings) -> dict[str, str]:
    """The metadata from which `read_settings` makes the same settings."""
    return {field.name: json.dumps(getattr(settings, field.name)) for field in fields(settings)}


class Network:
    """One ONNX file: one input, one output."""

    def __init__(self, path: Path, threads: int) -> None:
        """Raises ForeignModel where there is no such file or no such network in it."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.enable_mem_pattern = False  # a plan for every size of picture takes memory and saves no time
        # Leave the cores to others while waiting.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        try:
            self._session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime's errors have no common class of their own
            raise ForeignModel(f"{path.name} cannot be used: {error}") from error
        self._input = self._session.get_inputs()[0].name
        self.metadata: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)

    def infer(self, batch: Floats) -> Floats:
        """The network's answer (n, ...) to a batch (n, 3, H, W)."""
        return np.asarray(self._session.run(None, {self._input: batch})[0], dtype=np.float32)
