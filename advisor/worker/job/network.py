"""The network of the job that was asked, ready to run: its module, its data, its loss."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from advisor.records.job.asked_job import AskedJob
from advisor.worker.failure import NotSupportedError
from advisor.worker.networks.described import build_described, sample_of
from advisor.worker.tracing.operators import tensors_in
from advisor.worker.tracing.trace import Inputs, Loss

_PICTURE_CHANNELS = 4
"""An output of images with at most so many channels is a picture, not the scores of classes."""


@dataclass(frozen=True)
class JobNetwork:
    """A network with what goes into it.

    Attributes:
        module: With its values, on the processor.
        inputs: Makes the arguments for a batch size, on torch's default device; the values mean nothing.
        loss: From output and inputs to a scalar.
    """

    module: nn.Module
    inputs: Inputs
    loss: Loss

    def batch(self, size: int, device: torch.device, arrange: Callable[[torch.Tensor], torch.Tensor]) -> Any:
        """Return a batch of random data on the device, floating-point tensors as ``arrange`` makes them."""
        tables = [part.num_embeddings for part in self.module.modules() if isinstance(part, nn.Embedding)]
        with torch.device(device):
            return _filled(self.inputs(size), tables, arrange)

    def run(self, inputs: Any) -> Any:
        """Return the module's output."""
        if isinstance(inputs, dict):
            return self.module(**inputs)
        return self.module(*inputs) if isinstance(inputs, tuple) else self.module(inputs)


def job_network(job: AskedJob) -> JobNetwork:
    """Return the job's network: the user's own program's, or the one that layers describe.

    Raises:
        NotSupportedError: It is neither.
        TraceError: The user's program has no such network.
    """
    if job.source is not None:
        from advisor.worker.tracing.trace_file import load_module

        source = job.source
        module, inputs, loss = load_module(
            source.reference, input_shape=source.input_shape, input_kind=source.input_kind
        )
        return JobNetwork(module, inputs, loss or UsualLoss())
    if job.workload.layers:
        return JobNetwork(build_described(job.workload), lambda batch: sample_of(job.workload, batch), UsualLoss())
    raise NotSupportedError(f"This worker has no network '{job.network.name}'.")


class UsualLoss:
    """What a program would usually compare an output with, on targets made once.

    A picture or a sequence like the input is compared with it by its squares, scores of classes by cross-entropy.
    """

    def __init__(self) -> None:
        self._targets: torch.Tensor | None = None

    def __call__(self, output: Any, inputs: Any) -> torch.Tensor:
        """Return the mean loss of a batch."""
        if getattr(output, "logits", None) is not None:
            output = output.logits
        made = next((tensor for tensor in tensors_in(output) if tensor.is_floating_point()), None)
        if made is None:
            raise TypeError("the network puts out no tensor of floating-point numbers to train on")
        given = next(tensors_in(inputs), None)
        is_like_input = given is not None and given.shape == made.shape and given.is_floating_point()
        if is_like_input or made.dim() < 2 or made.shape[1] == 1 or _is_picture(made):
            return functional.mse_loss(made, self._of(made, lambda: torch.rand_like(made)))
        scores = made.flatten(0, 1) if made.dim() == 3 else made
        shape = (scores.shape[0], *scores.shape[2:])
        return functional.cross_entropy(
            scores, self._of(scores, lambda: torch.randint(scores.shape[1], shape, device=scores.device))
        )

    def _of(self, made: torch.Tensor, make: Callable[[], torch.Tensor]) -> torch.Tensor:
        if self._targets is None or self._targets.shape[0] != made.shape[0]:
            self._targets = make()
        return self._targets


def _is_picture(tensor: torch.Tensor) -> bool:
    return tensor.dim() >= 4 and tensor.shape[1] <= _PICTURE_CHANNELS


def _filled(values: Any, tables: list[int], arrange: Callable[[torch.Tensor], torch.Tensor]) -> Any:
    """Return the arguments, with random values where theirs mean nothing; whole numbers find a row in every table."""
    if isinstance(values, torch.Tensor):
        return _random(values, tables, arrange)
    if isinstance(values, (tuple, list)):
        return type(values)(_filled(value, tables, arrange) for value in values)
    if isinstance(values, dict):
        return {name: _filled(value, tables, arrange) for name, value in values.items()}
    return values


def _random(tensor: torch.Tensor, tables: list[int], arrange: Callable[[torch.Tensor], torch.Tensor]) -> torch.Tensor:
    if tensor.is_floating_point():
        # Not what an empty tensor holds by chance: numbers near zero are slow, others lead to infinity.
        spread = float(tensor.float().std()) if tensor.numel() > 1 else 0.0
        return arrange(tensor if _LEAST_SPREAD < spread < 1 / _LEAST_SPREAD else torch.rand_like(tensor))
    if tensor.dtype is torch.int64 and tensor.numel():
        # Zeros are what an empty tensor holds by chance, unless there is one for each sample: their class.
        least = 0 if tensor.dim() == 1 else 1
        means_something = int(tensor.min()) >= 0 and least <= int(tensor.max()) < max(tables, default=_MOST)
        return tensor if means_something else torch.randint_like(tensor, min(tables, default=2))
    return tensor


_LEAST_SPREAD, _MOST = 1e-3, 2**31
