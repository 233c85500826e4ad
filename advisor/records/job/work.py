"""The work of one training step: operations with their FLOP and bytes, as traced from the real network.

All amounts are for one sample (``*_per_sample``) plus an amount independent of the batch (``*_fixed``), so that any
batch size follows without tracing again. Multiply-accumulate counts as two FLOP.
"""

from collections.abc import Collection
from typing import Literal

from advisor.records.base import Record

OperationKind = Literal[
    "gemm",
    "conv",
    "depthwise_conv",
    "attention",
    "elementwise",
    "normalization",
    "softmax",
    "pooling",
    "embedding",
    "reduction",
    "copy",
    "recurrent",
    "loss",
    "optimizer",
]
Phase = Literal["forward", "backward", "optimizer"]
Attention = Literal["fused", "decomposed"]


class Operation(Record, frozen=True, kw_only=True):
    """One group of equal operations of a step.

    ``shape`` is the problem size for one sample, by kind:

    ========================= ==========================================================================================
    ``gemm``                  (batch, m, n, k). The samples are in ``m`` or ``batch``; in a weight's gradient, in ``k``
    ``conv, depthwise_conv``  (c_in, c_out, kernel_h, kernel_w, h_out, w_out, groups, stride), the same for the
                              convolution and for both its gradients (see ``operator``). Where a sample is several
                              images (boxes of a detector) they are stacked in ``h_out``
    ``attention``             (samples, heads, queries, keys, head size)
    ``recurrent``             (steps, samples, input size, hidden size, layers, directions, gates)
    ``normalization``         (rows, width): each row is normalized by itself; batch norm has the samples in ``width``
    ``softmax, reduction``    (rows, width)
    ``loss``                  (rows, width)
    ``pooling``               (elements written, window)
    ``embedding``             (rows looked up, width)
    ``elementwise, copy``     (elements,)
    ========================= ==========================================================================================

    Attributes:
        kind: Class of kernel that does it.
        phase: Part of the step.
        operator: torch's name, such as ``addmm``, ``relu``, ``add``; for convolutions ``conv``, ``conv_bias``,
            ``conv_input_gradient``, ``conv_weight_gradient``, ``conv_bias_gradient``; transposed ones begin with
            ``conv_transposed``, those of volumes with ``conv3d`` and ``conv_transposed3d``.
        shape: See above.
        batch_axis: Index in ``shape`` of the size that is multiplied by the batch size; None where the operation does
            not depend on it. For convolutions the batch is a further size of its own (-1).
        count: How many equal operations a step has.
        flop_per_sample, flop_fixed: Of one of them.
        bytes_per_sample, bytes_fixed: Bytes read and written by one of them, at 4 bytes an element (integers and masks
            at their own size).
        kernels: Device kernels one of them launches.
    """

    kind: OperationKind
    phase: Phase
    operator: str = ""
    shape: tuple[int, ...]
    batch_axis: int | None = None
    count: int = 1
    flop_per_sample: float = 0.0
    flop_fixed: float = 0.0
    bytes_per_sample: float = 0.0
    bytes_fixed: float = 0.0
    kernels: int = 1


class Network(Record, frozen=True, kw_only=True):
    """A network with the work of one training step.

    Attributes:
        name: On the command line.
        family: ``cnn``, ``transformer``, ``recurrent``, ``unet``, ``detector`` or ``classical``.
        parameters: Numbers in all parameters, shared ones once, complex ones as two; ``trainable_parameters`` in those
            that get gradients.
        unmet_parameters: Of experts that a token does not meet: no operation has them, memory does.
        buffer_bytes: Of what it holds besides, such as a bank of samples; 0: not known, or next to nothing.
        parameter_tensors: Number of tensors they are in; an optimizer without fusion launches kernels for each.
        sample: What one sample is: ``image``, ``sequence`` or ``row``.
        image_size, sequence_length: Size the table holds for.
        operations: One training step without optimizer (forward, loss and backward). Inference uses the forward phase
            without kind ``loss`` and without operator ``native_dropout``.
        saved_bytes_per_sample, saved_bytes_fixed: Tensors kept from forward for backward (the input among them,
            parameters not), at 4 bytes an element; integers and masks at their own size.
        saved_integer_bytes_per_sample: The share of integers and masks in them, which does not shrink with precision.
        largest_bytes_per_sample: The largest single temporary tensor.
        peak_bytes_per_sample, peak_bytes_fixed: Most bytes alive at once in a training step, without parameters,
            their gradients and optimizer state; every tensor freed as soon as torch would free it.
        inference_bytes_per_sample, inference_bytes_fixed: The same for a forward pass that keeps nothing.
        moments: The fullest moments of a training step with gradients of parameters in it, each (bytes for each sample,
            fixed bytes): at a batch the largest sum counts. As programs do it, no gradient lives before the backward
            pass. Empty: not known.
        largest_parameter: Numbers of the largest tensor of parameters that is trained; 0: not known.
        attention: ``fused`` (one kernel that stores no scores), ``decomposed`` (products and softmax), None (has none).
        layers: Repeated blocks (for checkpointing and sharding); None where there is no such structure.
        is_language_model: It writes text, so it is usually tuned by adapters.
        traced_with: Library versions that made the table.
        parameter_source: Where the parameter count is published.
        validation_only: Kept to check predictions against published measurements; not offered to people.
    """

    name: str
    family: str
    parameters: int
    trainable_parameters: int
    unmet_parameters: int = 0
    buffer_bytes: int = 0
    parameter_tensors: int = 0
    sample: Literal["image", "sequence", "row"]
    image_size: int | None = None
    sequence_length: int | None = None
    operations: tuple[Operation, ...] = ()
    saved_bytes_per_sample: float = 0.0
    saved_bytes_fixed: float = 0.0
    saved_integer_bytes_per_sample: float = 0.0
    largest_bytes_per_sample: float = 0.0
    peak_bytes_per_sample: float = 0.0
    peak_bytes_fixed: float = 0.0
    inference_bytes_per_sample: float = 0.0
    inference_bytes_fixed: float = 0.0
    moments: tuple[tuple[float, float], ...] = ()
    largest_parameter: int = 0
    attention: Attention | None = None
    layers: int | None = None
    is_language_model: bool = False
    traced_with: str = ""
    parameter_source: str = ""
    validation_only: bool = False


def highest_lines(lines: Collection[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return those of the lines (slope, value at 0) that are the highest somewhere from 1 on, the flattest first."""
    highest = max(lines, key=lambda line: (line[0] + line[1], line[0]))
    found = [highest]
    while steeper := [line for line in lines if line[0] > highest[0]]:
        slope, fixed = highest
        highest = min(steeper, key=lambda line: ((fixed - line[1]) / (line[0] - slope), -line[0]))
        found.append(highest)
    return tuple(found)
