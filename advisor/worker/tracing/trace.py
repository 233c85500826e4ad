"""Traces a network on tensors without data and writes down the work of one training step.

The module runs on the ``meta`` device: shapes only, no memory, no arithmetic, so a network of any size traces in
seconds on any computer. A dispatch mode sees every operator of forward, loss and backward; ``operators`` counts each.

How the work is counted (all for a batch; two batch sizes give the amount per sample and the fixed amount):

FLOP
    A multiply-accumulate counts as two.

    - ``gemm`` (batch, m, n, k): 2 · batch · m · n · k. A bias added by the same kernel (addmm) is not counted.
    - ``conv``: 2 · samples · c_in / groups · c_out · kernel_h · kernel_w · h · w, where (h, w) is the output of an
      ordinary and the input of a transposed convolution. Each of its two gradients costs the same; the first layer of a
      network has no gradient of its input. ``depthwise_conv`` is the same with groups = c_in.
    - ``attention`` (samples, heads, queries, keys, size): 4 · product forward (two products), 10 · product backward
      (five: the scores are computed again). A causal mask is not deducted; the operator's name ends in ``_causal``.
    - ``recurrent``: the products of all steps; backward twice as many.
    - ``pooling``: window times elements of the smaller side. All others: one for each element of the larger side. Their
      time is that of their bytes.

Bytes
    Each operand is read once and each result written once, at 4 bytes for a floating-point number (a prediction for
    another precision scales them), integers and masks at their own size; expanded dimensions count once. What a kernel
    reads again because caches are finite is not in it. Look-ups read the rows they need, not the table.

Kernels
    One for each operator that is no view, more where ``operators`` says so. A convolution's bias is a kernel of its
    own, as cuDNN runs it. Attention, recurrent layers and dropout are the fused kernels a GPU has (``substitutes``).

Kept for backward
    What autograd saves, through its own hooks: each storage once, parameters and buffers not.

Alive
    Every storage from its making to its end, as reference counts in a real step have it. Parameters and their gradients
    are taken out; the input batch is in.

Values
    What the network's own code asks of masks, positions and drawn numbers is answered (``known_values``); what it asks
    of its samples ends the trace.

Checked in the tests against torch.utils.flop_counter (FLOP), published counts of multiply-accumulates, and a third
batch size (everything is linear in the batch, or the trace says so).
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Literal

import torch
from torch import nn

from advisor.errors import InputError
from advisor.records.job.work import Network
from advisor.worker.tracing.kernel_stand_ins import FusedKernels
from advisor.worker.tracing.known_values import Following
from advisor.worker.tracing.operators import tensors_in
from advisor.worker.tracing.per_sample import fit, fit_operations, group_equal, moments_of, peak_of, storages_of
from advisor.worker.tracing.recorder import Recorder, Trace, own_storages

Inputs = Callable[[int], Any]
"""From a batch size to the arguments of the module: a tensor, a tuple of them, or a dict of keyword arguments."""
Loss = Callable[[Any, Any], torch.Tensor]
"""From the module's output and its inputs to a scalar."""


class UntraceableError(InputError):
    """The network does not run on tensors without data.

    Attributes:
        detail: What it said.
    """

    def __init__(self, error: Exception) -> None:
        self.detail = first_line(error)
        super().__init__("The network cannot be traced without data: {detail}", detail=self.detail)


class VaryingError(InputError):
    """The network does other operations at another batch size, so it has no work per sample."""


def trace_module(
    module: nn.Module,
    example_inputs: Inputs,
    *,
    name: str = "own_network",
    family: str = "cnn",
    sample: Literal["image", "sequence", "row"] = "image",
    loss: Loss | None = None,
    batches: tuple[int, int] = (2, 4),
    strict: bool = False,
    grouped: bool = True,
) -> Network:
    """Return the network's work in one training step.

    Args:
        module: Moved to the ``meta`` device; its values are lost.
        example_inputs: Makes the arguments for a batch size; called while ``meta`` is the default device.
        name: For the record, as are family and sample; sizes, layers and sources are the caller's to add.
        family: See ``records.work.Network``.
        sample: What one sample is.
        loss: None: cross-entropy over the second dimension of an output of two or more dimensions.
        batches: The two batch sizes that are run.
        strict: Refuse operators that no table knows instead of counting them as elementwise.
        grouped: Equal operations once, with their count; else one by one in the order they run.

    Raises:
        UntraceableError: The network cannot run without values.
        VaryingError: It does other operations at another batch size.
    """
    move_to_meta(module)
    _keep_whole(module)
    module.train()
    with suppress(UntraceableError):  # of training it will be said
        _run_inference(module, example_inputs, batches[0])  # what is made on the first pass only is no work of a step
    runs = _settled(lambda batch: _run_training(module, example_inputs, loss or default_loss, batch), batches)
    if strict and runs[0].unknown:
        raise InputError(f"The network has operators no table knows: {dict(runs[0].unknown)}.")
    parameters = list(module.parameters())
    operations = tuple(fit_operations(runs, batches))
    operations = group_equal(operations) if grouped else operations
    saved, saved_fixed = fit([run.saved_bytes for run in runs], batches)
    peak, peak_fixed = peak_of(runs, batches)
    alone, alone_fixed = _inference_bytes(module, example_inputs, batches)
    return Network(
        name=name,
        family=family,
        parameters=sum(map(_numbers, parameters)),
        trainable_parameters=sum(_numbers(parameter) for parameter in parameters if parameter.requires_grad),
        buffer_bytes=sum(buffer.nbytes for buffer in module.buffers() if buffer.layout is torch.strided),
        parameter_tensors=len(parameters),
        sample=sample,
        operations=operations,
        saved_bytes_per_sample=saved,
        saved_bytes_fixed=saved_fixed,
        saved_integer_bytes_per_sample=fit([run.saved_integer_bytes for run in runs], batches)[0],
        largest_bytes_per_sample=max(size for size, _ in storages_of(runs, batches)),
        peak_bytes_per_sample=peak,
        peak_bytes_fixed=peak_fixed,
        inference_bytes_per_sample=alone,
        inference_bytes_fixed=alone_fixed,
        moments=moments_of(runs, batches),
        largest_parameter=max((_numbers(one) for one in parameters if one.requires_grad), default=0),
        attention="fused" if any(operation.kind == "attention" for operation in operations) else None,
        traced_with=f"torch {torch.__version__.split('+')[0]}",
    )


def _numbers(parameter: torch.Tensor) -> int:
    return parameter.numel() * (2 if parameter.is_complex() else 1)


def _inference_bytes(module: nn.Module, example_inputs: Inputs, batches: tuple[int, int]) -> tuple[float, float]:
    """Return bytes per sample and fixed bytes of a pass that keeps nothing; 0 where the network makes none unseen.

    Some ask their samples when to stop, or for gradients on the way, only when they do not learn, or cannot then.
    """
    try:
        return peak_of(_settled(lambda batch: _run_inference(module, example_inputs, batch), batches), batches)
    except (UntraceableError, VaryingError):
        return 0.0, 0.0


def _settled(run: Callable[[int], Trace], batches: tuple[int, int]) -> list[Trace]:
    """Return a trace at each batch size, all with the same operations.

    Some networks keep what they make for a size until another comes, such as the anchors of a detector: that is no work
    of a step, so each size is run once before it counts.

    Raises:
        VaryingError: They do other operations all the same.
    """
    runs = [run(batch) for batch in batches]
    if not _are_alike(runs):
        runs = [(run(batch), run(batch))[1] for batch in batches]
    if not _are_alike(runs):
        raise VaryingError("The network does other operations at another batch size, so it has no work per sample.")
    return runs


def _are_alike(runs: Sequence[Trace]) -> bool:
    """Return whether traces at two batch sizes have the same operations, and as many storages."""
    small, large = ([(phase, work.operator) for phase, work in run.work] for run in runs)
    return small == large and len(runs[0].sizes) == len(runs[1].sizes)


def _keep_whole(module: nn.Module) -> None:
    """Have torch compute padded places too, and whole gradients of tables: how much it left out depends on values."""
    for part in module.modules():
        if isinstance(part, nn.TransformerEncoder):
            part.use_nested_tensor = False
        if isinstance(part, (nn.Embedding, nn.EmbeddingBag)):
            part.sparse = False


def move_to_meta(module: nn.Module) -> None:
    """Replace the values of parameters and buffers by shapes, in place; what was shared stays shared."""
    moved: dict[int, torch.Tensor] = {}
    for part in module.modules():
        for name, parameter in part._parameters.items():
            if parameter is not None and not parameter.is_meta:
                fresh = nn.Parameter(parameter.detach().to("meta"), requires_grad=parameter.requires_grad)
                part._parameters[name] = moved.setdefault(id(parameter), fresh)  # type: ignore[assignment]
        for name, buffer in part._buffers.items():
            if buffer is not None and not buffer.is_meta:
                part._buffers[name] = moved.setdefault(id(buffer), buffer.detach().to("meta"))


def default_loss(output: Any, _inputs: Any) -> torch.Tensor:
    """Return a loss for the first floating-point tensor of an output: cross-entropy where it has classes.

    Of an output with a loss of its own, that one; of a dictionary, as detectors put out, all its tensors count.
    """
    own = getattr(output, "loss", None)
    if isinstance(own, torch.Tensor) and own.requires_grad and own.numel() == 1:
        return own.reshape(())
    if getattr(output, "logits", None) is not None:
        output = output.logits
    found = [tensor for tensor in tensors_in(output) if tensor.is_floating_point()]
    if not found:
        raise TypeError("the network puts out no tensor of floating-point numbers to train on")
    if type(output) is dict:
        return torch.stack([_loss_of(scores) for scores in found if scores.requires_grad]).sum()
    return _loss_of(found[0])


def _loss_of(scores: torch.Tensor) -> torch.Tensor:
    if scores.dim() < 2:
        return scores.mean()
    if scores.dim() == 3:  # a sequence of predictions: (batch, steps, classes)
        scores = scores.flatten(0, 1)
    targets = torch.empty((scores.shape[0], *scores.shape[2:]), dtype=torch.int64, device="meta")
    return nn.functional.cross_entropy(scores, targets)


def _run_training(module: nn.Module, example_inputs: Inputs, loss: Loss, batch: int) -> Trace:
    module.zero_grad(set_to_none=True)
    recorder = Recorder(own_storages(module))
    try:
        with _drawing_alike(), torch.device("meta"), FusedKernels(recorder.known):
            with Following(recorder.known):
                inputs = example_inputs(batch)
            with recorder, recorder.keeping():
                recorder.watch(tensors_in(inputs))
                output = call(module, inputs)
                recorder.is_loss = True
                value = loss(output, inputs)
                recorder.is_loss = False
                del output
                recorder.count_kept()
                recorder.phase = "backward"
                _backward(value)
    # A user's module may raise whatever it likes; it becomes one sentence.
    except Exception as error:
        raise UntraceableError(error) from error
    return recorder.finish(parameter.grad for parameter in module.parameters())


@contextmanager
def _drawing_alike() -> Iterator[None]:
    """Let Python's own chance fall alike in each run: one that feeds a decoder its own words now and then."""
    before = random.getstate()
    random.seed(0)
    try:
        yield
    finally:
        random.setstate(before)


def _backward(value: torch.Tensor) -> None:
    """Run the backward pass as ``value.backward()`` does, with ``FusedKernels`` active in it.

    The method itself is a function that modes see, so they are off inside: what is computed again from a checkpoint
    would be other operators than in the forward pass.
    """
    engine = torch.autograd.Variable._execution_engine
    engine.run_backward((value,), (torch.ones_like(value),), False, False, (), True, True)


def _run_inference(module: nn.Module, example_inputs: Inputs, batch: int) -> Trace:
    module.zero_grad(set_to_none=True)
    recorder = Recorder(own_storages(module))
    module.eval()
    try:
        with _drawing_alike(), torch.device("meta"), FusedKernels(recorder.known), torch.no_grad():
            with Following(recorder.known):
                inputs = example_inputs(batch)
            with recorder:
                recorder.watch(tensors_in(inputs))
                call(module, inputs)
    # A user's module may raise whatever it likes; it becomes one sentence.
    except Exception as error:
        raise UntraceableError(error) from error
    finally:
        module.train()
    return recorder.finish(())


def first_line(error: BaseException) -> str:
    """Return the kind of an error and the first line of what it says."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:200]}" if lines else type(error).__name__


def call(module: nn.Module, inputs: Any) -> Any:
    """Return what a module puts out for a tensor, a tuple, or arguments by name."""
    if isinstance(inputs, dict):
        return module(**inputs)
    return module(*inputs) if isinstance(inputs, tuple) else module(inputs)
