"""What must be known of a network to trace it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import torch
from torch import nn

from advisor.worker.tracing.trace import Loss

IMAGE_SIZES = (97, 127, 150, 169, 189, 199, 224, 245, 281, 305, 348, 384)
"""Edges with many different remainders of 32, so that the offset of each extent shows."""


@dataclass(frozen=True, kw_only=True)
class Traced:
    """A network of the catalogue.

    Attributes:
        build: Makes the module for a size; called while ``meta`` is the default device.
        inputs: From size and batch size to the module's arguments.
        size: The usual image edge or sequence length; None where the size is fixed by the network.
        sizes: Sizes to trace, the usual one among them.
        parameters: The published count; the tool stops where the built module has another. None: not checked.
        source: Where it is published.
        before: A part of the network that takes a step of its own in each step, such as a discriminator, while nothing
            more is kept than in the step of the whole.
        sizes_asked: Each step asks the card for the size of every gradient, one after the other, as to print their sum.
        written: Tokens that a language model writes itself for each sample before it learns from it: so many passes
            over one token, whose keys and values are left out.
    """

    name: str
    family: str
    build: Callable[[int], nn.Module]
    inputs: Callable[[int, int], Any]
    parameters: int | None
    source: str
    sample: Literal["image", "sequence", "row"] = "image"
    size: int = 224
    sizes: tuple[int, ...] = IMAGE_SIZES
    step: int = 1
    smallest: int = 32
    largest: int | None = 2048
    layers: int | None = None
    loss: Loss | None = None
    aliases: tuple[str, ...] = ()
    validation_only: bool = False
    is_language_model: bool = False
    before: "Traced | None" = None
    sizes_asked: bool = False
    written: int = 0
    libraries: tuple[str, ...] = ()
    settings: dict[str, Any] = field(default_factory=dict)


def images(size: int, batch: int) -> torch.Tensor:
    """Return a batch of colour images."""
    return torch.empty(batch, 3, size, size)


def tokens(size: int, batch: int) -> torch.Tensor:
    """Return a batch of token numbers."""
    return torch.empty(batch, size, dtype=torch.int64)
