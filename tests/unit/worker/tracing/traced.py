"""Samples shared by the tests of operators, resnet50, trace."""

from collections.abc import Callable

import torch

from advisor.records.job.work import Network, Operation

PRODUCTS = {"gemm", "conv", "depthwise_conv", "attention", "recurrent"}


def images(size: int, channels: int = 3) -> Callable[[int], torch.Tensor]:
    """Return a maker of image batches."""
    return lambda batch: torch.empty(batch, channels, size, size)


def rows(width: int) -> Callable[[int], torch.Tensor]:
    """Return a maker of batches of rows."""
    return lambda batch: torch.empty(batch, width)


def product_flop(network: Network, batch: int = 1, phase: str | None = None) -> float:
    """Return the FLOP of all products at a batch size."""
    return sum(
        operation.count * (operation.flop_per_sample * batch + operation.flop_fixed)
        for operation in network.operations
        if operation.kind in PRODUCTS and phase in (None, operation.phase)
    )


def of_kind(network: Network, kind: str, phase: str = "forward") -> list[Operation]:
    """Return the operations of a kind and phase."""
    return [operation for operation in network.operations if operation.kind == kind and operation.phase == phase]
