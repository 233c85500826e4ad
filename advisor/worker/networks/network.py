"""What a training case needs to know of a network."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional

MakeBatch = Callable[[int, int, torch.device], tuple[torch.Tensor, torch.Tensor]]


@dataclass(frozen=True, kw_only=True)
class TrainingNetwork:
    """A network with data to train it on.

    Attributes:
        name: As in the catalogue.
        build: Makes the module, on the processor, with random weights.
        make_batch: Makes (inputs, targets) from batch size, sample size (image edge, tokens; 0: the usual one) and
            device.
        loss: Compares the module's output with the targets.
    """

    name: str
    build: Callable[[], nn.Module]
    make_batch: MakeBatch
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor] = functional.cross_entropy


def random_images(channels: int, edge: int, classes: int) -> MakeBatch:
    """Return a maker of random images (batch, channels, height, width) with random class numbers."""

    def make_batch(batch_size: int, size: int, device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
        pixels = size or edge
        images = torch.rand((batch_size, channels, pixels, pixels), device=device)
        return images, torch.randint(classes, (batch_size,), device=device)

    return make_batch
