"""The work of one training step: operations with their FLOP and bytes, as traced from the real network.

All amounts are for one sample (``*_per_sample``) plus an amount independent of the batch (``*_fixed``), so that any
batch size follows without tracing again. Multiply-accumulate counts as two FLOP.
"""

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


class Operation(Record, frozen=True, kw_only=True):
    """One group of equal operations of a step.

    Attributes:
        kind: Class of kernel that does it.
        phase: Part of the step.
        shape: Problem size for one sample; ``gemm``: (batch, m, n, k) with the sample's share in ``m`` or ``batch``;
            ``conv``: (c_in, c_out, kernel_h, kernel_w, h_out, w_out, groups, stride); others: (elements,).
        batch_axis: Index in ``shape`` of the size that is multiplied by the batch size; None where the operation does
            not depend on it. For ``conv`` the batch is a further size of its own (-1).
        count: How many equal operations a step has.
        flop_per_sample, flop_fixed: Of one of them.
        bytes_per_sample, bytes_fixed: Bytes read and written by one of them, at 4 bytes an element.
        kernels: Device kernels one of them launches.
    """

    kind: OperationKind
    phase: Phase
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
        parameters: All parameters; ``trainable_parameters`` those that get gradients.
        sample: What one sample is: ``image``, ``sequence`` or ``row``.
        image_size, sequence_length: Size the table was traced at.
        operations: One training step without optimizer (forward and backward); inference uses the forward phase.
        saved_bytes_per_sample, saved_bytes_fixed: Tensors kept from forward for backward, at 4 bytes an element.
        largest_bytes_per_sample: The largest single temporary tensor.
        layers: Repeated blocks (for checkpointing and sharding); None where there is no such structure.
        traced_with: Library versions that made the table.
        parameter_source: Where the parameter count is published.
    """

    name: str
    family: str
    parameters: int
    trainable_parameters: int
    sample: Literal["image", "sequence", "row"]
    image_size: int | None = None
    sequence_length: int | None = None
    operations: tuple[Operation, ...] = ()
    saved_bytes_per_sample: float = 0.0
    saved_bytes_fixed: float = 0.0
    largest_bytes_per_sample: float = 0.0
    layers: int | None = None
    traced_with: str = ""
    parameter_source: str = ""
