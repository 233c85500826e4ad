"""A network of layers that the user described, as torch modules.

``advisor.catalog.networks.layers`` counts the same as work.
"""

from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional

from advisor.records.job.workload import Layer, LayerKind, Workload

_INNER = 4


def build_described(workload: Workload) -> nn.Module:
    """Return the modules of a workload's layers, each as wide as what comes before it."""
    modules: list[nn.Module] = []
    with torch.device("meta"):
        tensor = sample_of(workload, 2)
    for layer in (one for one in workload.layers for _ in range(one.repeat)):
        made = _BUILDERS[layer.kind](layer, tuple(tensor.shape[1:]))
        # Shapes follow from a copy without data; the module itself gets its values once, where it will compute.
        with torch.device("meta"):
            tensor = _BUILDERS[layer.kind](layer, tuple(tensor.shape[1:]))(tensor)
        modules.append(made)
    return nn.Sequential(*modules)


def sample_of(workload: Workload, batch: int) -> torch.Tensor:
    """Return a batch of what goes in, on torch's default device; its values mean nothing."""
    if workload.image_size is not None:
        return torch.empty(batch, workload.channels, workload.image_size, workload.image_size)
    length = workload.sequence_length or 1
    if workload.layers[0].kind == "embedding":
        return torch.empty(batch, length, dtype=torch.int64)
    return torch.empty(batch, length, workload.channels)


class Block(nn.Module):
    """A transformer block: attention, then two dense layers, each with a norm before and a shortcut around it."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.inside, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.feed = nn.Sequential(nn.Linear(width, _INNER * width), nn.GELU(), nn.Linear(_INNER * width, width))

    def forward(self, sequence: torch.Tensor) -> torch.Tensor:
        """Return (batch, steps, width)."""
        batch, steps, width = sequence.shape
        parts = self.inside(self.norm1(sequence)).view(batch, steps, 3, self.heads, width // self.heads)
        mixed = functional.scaled_dot_product_attention(*parts.permute(2, 0, 3, 1, 4).unbind(0))
        sequence = sequence + self.out(mixed.transpose(1, 2).flatten(2))
        made: torch.Tensor = sequence + self.feed(self.norm2(sequence))
        return made


class Recurrent(nn.Module):
    """A recurrent layer that puts out its whole sequence."""

    def __init__(self, layer: nn.RNNBase) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, sequence: torch.Tensor) -> torch.Tensor:
        """Return (batch, steps, units)."""
        made: torch.Tensor = self.layer(sequence)[0]
        return made


class GlobalPool(nn.Module):
    """The mean over all but channels: of an image (batch, channels, ...), of a sequence (batch, steps, width)."""

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Return (batch, channels)."""
        return features.mean((2, 3)) if features.dim() == 4 else features.mean(1)


def _convolution(layer: Layer, shape: tuple[int, ...]) -> nn.Module:
    kernel = layer.kernel or 3
    padding = kernel // 2 if layer.padding == "same" else 0
    return nn.Conv2d(shape[0], layer.size or 1, kernel, stride=layer.stride or 1, padding=padding)


def _transformer(layer: Layer, shape: tuple[int, ...]) -> nn.Module:
    return Block(shape[-1], layer.heads or max(1, shape[-1] // 64))


def _window(layer: Layer) -> tuple[int, int]:
    kernel = layer.kernel or 2
    return kernel, layer.stride or kernel


_BUILDERS: dict[LayerKind, Callable[[Layer, tuple[int, ...]], nn.Module]] = {
    "conv": _convolution,
    "dense": lambda layer, shape: nn.Linear(shape[-1], layer.size or 1),
    "max_pool": lambda layer, _shape: nn.MaxPool2d(*_window(layer)),
    "avg_pool": lambda layer, _shape: nn.AvgPool2d(*_window(layer)),
    "global_pool": lambda _layer, _shape: GlobalPool(),
    "batch_norm": lambda _layer, shape: nn.BatchNorm2d(shape[0]),
    "layer_norm": lambda _layer, shape: nn.LayerNorm(shape[-1]),
    "activation": lambda _layer, _shape: nn.ReLU(),
    "dropout": lambda _layer, _shape: nn.Dropout(),
    "flatten": lambda _layer, _shape: nn.Flatten(),
    "embedding": lambda layer, _shape: nn.Embedding(layer.vocabulary or 1, layer.size or 1),
    "lstm": lambda layer, shape: Recurrent(nn.LSTM(shape[-1], layer.size or 1, batch_first=True)),
    "gru": lambda layer, shape: Recurrent(nn.GRU(shape[-1], layer.size or 1, batch_first=True)),
    "transformer": _transformer,
}
