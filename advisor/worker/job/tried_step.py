"""The work of an own network that no trace foresees: one that chooses by its values. One real step of it is run."""

from typing import Any, Literal

import msgspec
import torch

from advisor.errors import TraceError
from advisor.records.job.work import Network
from advisor.watch.injected.recorder import recorder
from advisor.worker.job.network import JobNetwork, UsualLoss
from advisor.worker.memory_guard import free_bytes
from advisor.worker.tracing.operators import tensors_in
from advisor.worker.tracing.recorded_calls import network_of_step
from advisor.worker.tracing.trace_file import load_module, of_file, trace_file

_TRIED = ("chooses", "cannot_trace", "varies")
_BATCH = 32
_MOST_PARAMETERS = 500_000_000
"""A step of more takes minutes on a small processor."""
_ROOM = 4.0
"""Times its parameters that a step needs of memory, at least."""

Kind = Literal["numbers", "tokens"]


def traced_or_tried(reference: str, *, input_shape: tuple[int, ...] | None = None, input_kind: Kind) -> Network:
    """Return the work of the network that a function in a file builds, as ``trace_file`` does.

    Where the network asks its samples how much to compute, a step on drawn ones is run here and written down instead.

    Raises:
        TraceError: As of ``trace_file``: what the trace said, where the step cannot be run either.
    """
    try:
        return trace_file(reference, input_shape=input_shape, input_kind=input_kind)
    except TraceError as error:
        if error.code not in _TRIED:
            raise
        unseen = error
    try:
        return _tried(reference, input_shape, input_kind)
    # A user's module may raise whatever it likes; that it is not traced has been found out before.
    except Exception as error:
        raise unseen from error


def _tried(reference: str, input_shape: tuple[int, ...] | None, input_kind: Kind) -> Network:
    module, inputs, loss = load_module(reference, input_shape=input_shape, input_kind=input_kind)
    network = JobNetwork(module, inputs, loss or UsualLoss())
    parameters = list(module.parameters())
    size = sum(parameter.numel() for parameter in parameters)
    free = free_bytes(torch.device("cpu"))
    if size > _MOST_PARAMETERS or (free is not None and 4.0 * size * _ROOM > free):
        raise MemoryError("too large to be tried")
    batch = _samples(network)
    given = network.batch(batch or 1, torch.device("cpu"), lambda tensor: tensor)
    module.train()
    _step(network, given)  # what is made on the first pass only is no work of a step
    module.zero_grad(set_to_none=True)
    places = {parameter.data_ptr() for parameter in parameters if parameter.requires_grad}
    with recorder(torch, places) as found:
        _step(network, given)
    tried = network_of_step(found.calls, batch=batch, name=reference)
    tried = msgspec.structs.replace(tried, parameters=size, trainable_parameters=_learning(parameters))
    return of_file(tried, reference, next(iter(tensors_in(given)), None))


def _samples(network: JobNetwork) -> int:
    """Return the samples of a batch; 0 where what goes in is always the same: a graph, learned as a whole."""
    with torch.device("meta"):
        shapes = [[tensor.shape for tensor in tensors_in(network.inputs(size))] for size in (_BATCH, 2 * _BATCH)]
    return 0 if shapes[0] == shapes[1] else _BATCH


def _step(network: JobNetwork, given: Any) -> None:
    torch.autograd.backward(network.loss(network.run(given), given))


def _learning(parameters: list[torch.nn.Parameter]) -> int:
    return sum(parameter.numel() for parameter in parameters if parameter.requires_grad)
