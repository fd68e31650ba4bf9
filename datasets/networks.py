"""The two networks: a detector that finds dice and a classifier that reads one.

Plain 3 × 3 convolutions throughout: depthwise ones have fewer operations but run and train slower on a CPU. The
detector's head follows CenterNet (Zhou et al. 2019, "Objects as Points"); its boxes are four distances as in FCOS (Tian
et al. 2019).
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

STRIDE = 8  # picture pixels per cell of the detector's output
REACH = (-4.0, 5.0)  # limits of the logarithm of a distance, in strides


def _convolution(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two convolutions beside a shortcut (He et al. 2015)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = _convolution(channels, channels)
        self.second = nn.Sequential(nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)), inplace=True)


class Detector(nn.Module):
    """Finds dice: (n, 3, H, W), H and W multiples of 32 → (n, 5 + 6, H / 8, W / 8).

    Channel 0 is the logit that a cell holds the centre of a top face; 1 to 4 the logarithms of the distances, in
    strides, from the cell's centre to the left, top, right and bottom of the die's box; 5 to 10 the logits of the
    values 1 to 6, which only help to train the features and are not exported.
    """

    def __init__(self, channels: tuple[int, int, int, int, int] = (16, 32, 64, 96, 128), fused: int = 64) -> None:
        super().__init__()
        a, b, c, d, e = channels
        self.stem = nn.Sequential(_convolution(3, a, 2), _convolution(a, b, 2), Residual(b))
        self.eighth = nn.Sequential(_convolution(b, c, 2), Residual(c), Residual(c))
        self.sixteenth = nn.Sequential(_convolution(c, d, 2), Residual(d), Residual(d))
        self.thirtysecond = nn.Sequential(_convolution(d, e, 2), Residual(e))
        self.lateral = nn.ModuleList([nn.Conv2d(width, fused, 1) for width in (c, d, e)])
        self.fuse = _convolution(fused, fused)
        self.place = nn.Sequential(_convolution(fused, fused), nn.Conv2d(fused, 5, 1))
        self.value = nn.Sequential(_convolution(fused, fused), nn.Conv2d(fused, 6, 1))
        cast(Tensor, self.place[1].bias).data[0] = -4.0  # dice are rare: begin by expecting none

    def forward(self, x: Tensor) -> Tensor:
        features = self.features(x)
        return torch.cat([self.place(features), self.value(features)], dim=1)

    def features(self, x: Tensor) -> Tensor:
        fine = self.eighth(self.stem(x))
        middle = self.sixteenth(fine)
        coarse = self.thirtysecond(middle)
        both = self.lateral[1](middle) + functional.interpolate(
            self.lateral[2](coarse), scale_factor=2.0, mode="nearest"
        )
        return cast(
            Tensor, self.fuse(self.lateral[0](fine) + functional.interpolate(both, scale_factor=2.0, mode="nearest"))
        )


class Places(nn.Module):
    """The part of the detector that is exported: (n, 3, H, W) → (n, 5, H / 8, W / 8), channel 0 already a
    probability."""

    def __init__(self, detector: Detector) -> None:
        super().__init__()
        self.detector = detector

    def forward(self, x: Tensor) -> Tensor:
        out = self.detector.place(self.detector.features(x))
        heat, distances = out[:, :1], out[:, 1:]
        return torch.cat([torch.sigmoid(heat), torch.exp(distances.clamp(*REACH)) * STRIDE], dim=1)


class Classifier(nn.Module):
    """Reads one die: (n, 3, S, S) → (n, 7) logits of the values 1 to 6 and of "no die"."""

    def __init__(self, channels: tuple[int, int, int] = (32, 64, 128)) -> None:
        super().__init__()
        a, b, c = channels
        self.layers = nn.Sequential(
            _convolution(3, a, 2, 5),
            Residual(a),
            _convolution(a, b, 2),
            Residual(b),
            _convolution(b, c, 2),
            Residual(c),
        )
        self.dropout = nn.Dropout(0.1)
        self.out = nn.Linear(c, 7)

    def forward(self, x: Tensor) -> Tensor:
        return cast(Tensor, self.out(self.dropout(self.layers(x).mean((2, 3)))))
