"""DenseNet-121: 7,978,856 parameters; the network of the study on cats and dogs.

Source: Huang et al., Densely Connected Convolutional Networks, CVPR 2017, table 1; parameter count of the torchvision
model card.
"""

from collections import OrderedDict

import torch
from torch import nn

from advisor.worker.networks.network import TrainingNetwork, random_images

EDGE = 224
CLASSES = 1000
_GROWTH = 32
_NARROW = 4 * _GROWTH
_BLOCKS = (6, 12, 24, 16)
_FIRST = 64


class DenseLayer(nn.Module):
    """Adds 32 channels made from all channels before it."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.BatchNorm2d(channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(channels, _NARROW, 1, bias=False),
            nn.BatchNorm2d(_NARROW),
            nn.ReLU(inplace=True),
            nn.Conv2d(_NARROW, _GROWTH, 3, padding=1, bias=False),
        )

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return 32 new channels."""
        new: torch.Tensor = self.body(features)
        return new


class DenseBlock(nn.Module):
    """Layers that each see what all before them made."""

    def __init__(self, channels: int, layers: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(DenseLayer(channels + _GROWTH * layer) for layer in range(layers))

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return (batch, channels + 32 layers, height, width)."""
        made = [features]
        for layer in self.layers:
            made.append(layer(torch.cat(made, dim=1)))
        return torch.cat(made, dim=1)


def _transition(channels: int) -> nn.Sequential:
    convolution = nn.Conv2d(channels, channels // 2, 1, bias=False)
    return nn.Sequential(nn.BatchNorm2d(channels), nn.ReLU(inplace=True), convolution, nn.AvgPool2d(2))


def build() -> nn.Module:
    """Return the network."""
    parts: OrderedDict[str, nn.Module] = OrderedDict(
        stem=nn.Sequential(
            nn.Conv2d(3, _FIRST, 7, stride=2, padding=3, bias=False),  # (batch, 64, 112, 112)
            nn.BatchNorm2d(_FIRST),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(3, stride=2, padding=1),  # (batch, 64, 56, 56)
        )
    )
    channels = _FIRST
    for number, layers in enumerate(_BLOCKS):
        parts[f"block{number}"] = DenseBlock(channels, layers)
        channels += layers * _GROWTH
        if number < len(_BLOCKS) - 1:
            parts[f"transition{number}"] = _transition(channels)
            channels //= 2
    last = (nn.BatchNorm2d(channels), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten())
    parts["head"] = nn.Sequential(*last, nn.Linear(channels, CLASSES))
    return nn.Sequential(parts)


NETWORK = TrainingNetwork(name="densenet121", build=build, make_batch=random_images(3, EDGE, CLASSES))
