"""From checkpoints to ONNX files that carry their own settings. `python -m datasets.export DETECTOR.pt CLASSIFIER.pt
FOLDER`"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import onnx
import torch
from torch import nn

from datasets import training
from datasets.networks import STRIDE, Classifier, Detector, Places
from datasets.train_classifier import MARGIN, SIZE
from recognizer.model import FORMAT, ClassifierSettings, DetectorSettings, write_settings

VERSION = "4"
DETECTOR = DetectorSettings(
    format=FORMAT,
    version=VERSION,
    sizes=(128, 256, 448, 768),
    multiple=32,
    stride=STRIDE,
    mean=training.MEAN,
    scale=training.SCALE,
    least=0.25,
    overlap=0.45,
    trained=(9.0, 18.0, 140.0, 260.0),
    large=(100.0, 140.0),
)
CLASSIFIER = ClassifierSettings(
    format=FORMAT,
    version=VERSION,
    labels=("1", "2", "3", "4", "5", "6", "none"),
    size=SIZE,
    margin=MARGIN,
    mean=training.MEAN,
    scale=training.SCALE,
    calibration=(1.0, 1.0, 0.0, 0.0, 0.0),
    temperature=1.0,
    die=0.5,
    first=0.5,
    sure=0.8,
)


def export(detector: Path, classifier: Path, folder: Path) -> None:
    """Writes detector.onnx and classifier.onnx from checkpoints, with thresholds to be replaced by those that
    thresholds.choose finds."""
    folder.mkdir(parents=True, exist_ok=True)
    places = Places(training.averaged(Detector(), detector)).eval()
    _write(places, (1, 3, 64, 64), {0: "batch", 2: "height", 3: "width"}, DETECTOR, folder / "detector.onnx")
    reading = training.averaged(Classifier(), classifier)
    _write(reading, (1, 3, SIZE, SIZE), {0: "batch"}, CLASSIFIER, folder / "classifier.onnx")


def _write(
    network: nn.Module,
    shape: tuple[int, ...],
    axes: dict[int, str],
    settings: DetectorSettings | ClassifierSettings,
    path: Path,
) -> None:
    outputs = {axis: name if axis == 0 else f"{name}_of_cells" for axis, name in axes.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the exporter by tracing, which needs no further package, is deprecated
        torch.onnx.export(
            network,
            (torch.zeros(shape),),
            str(path),
            input_names=["picture"],
            output_names=["answer"],
            dynamic_axes={"picture": axes, "answer": outputs},
            opset_version=17,
            dynamo=False,
        )
    put(path, settings)


def put(path: Path, settings: DetectorSettings | ClassifierSettings, source: Path | None = None) -> None:
    """Replaces the settings in the metadata of an ONNX file, or writes there the one of `source` with these."""
    model = onnx.load(source or path)
    del model.metadata_props[:]
    onnx.helper.set_model_props(model, write_settings(settings))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("detector", type=Path)
    parser.add_argument("classifier", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    export(options.detector, options.classifier, options.folder)


if __name__ == "__main__":
    main()
