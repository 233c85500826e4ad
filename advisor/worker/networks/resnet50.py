"""ResNet-50, the variant that halves in the 3x3 convolution (v1.5): 25,557,032 parameters.

Source: He et al., Deep Residual Learning for Image Recognition, CVPR 2016, table 1; parameter count of the torchvision
model card.
"""

import torch
from torch import nn

from advisor.worker.networks.network import TrainingNetwork, random_images

EDGE = 224
CLASSES = 1000
_WIDENING = 4
_STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))
"""Width and number of blocks of each stage."""


class Bottleneck(nn.Module):
    """Three convolutions beside a shortcut: narrow, 3x3, wide."""

    def __init__(self, channels: int, width: int, stride: int) -> None:
        super().__init__()
        out = width * _WIDENING
        self.body = nn.Sequential(
            nn.Conv2d(channels, width, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, stride=stride, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, out, 1, bias=False),
            nn.BatchNorm2d(out),
        )
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or channels != out:
            convolution = nn.Conv2d(channels, out, 1, stride=stride, bias=False)
            self.shortcut = nn.Sequential(convolution, nn.BatchNorm2d(out))
        self.relu = nn.ReLU(inplace=True)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return (batch, 4 width, height / stride, width / stride)."""
        shortcut = self.shortcut(features)
        result: torch.Tensor = self.relu(self.body(features).add_(shortcut))
        return result


def build() -> nn.Module:
    """Return the network."""
    layers: list[nn.Module] = [
        nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False),  # (batch, 64, 112, 112)
        nn.BatchNorm2d(64),
        nn.ReLU(inplace=True),
        nn.MaxPool2d(3, stride=2, padding=1),  # (batch, 64, 56, 56)
    ]
    channels = 64
    for stage, (width, blocks) in enumerate(_STAGES):
        for block in range(blocks):
            layers.append(Bottleneck(channels, width, stride=2 if stage > 0 and block == 0 else 1))
            channels = width * _WIDENING
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, CLASSES)]
    return nn.Sequential(*layers)


NETWORK = TrainingNetwork(name="resnet50", build=build, make_batch=random_images(3, EDGE, CLASSES))
