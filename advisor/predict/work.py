"""The work of one step at a given batch and precision, as arrays over the operations of a network.

Knows nothing of devices.
"""

from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from advisor.records.base import Precision
from advisor.records.work import Network, OperationKind
from advisor.records.workload import Method, Workload

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

KINDS: tuple[str, ...] = get_args(OperationKind)
KIND_INDEX = {kind: index for index, kind in enumerate(KINDS)}
MATRIX_KINDS = frozenset({"gemm", "conv", "depthwise_conv", "attention", "recurrent"})
REDUCED: frozenset[Precision] = frozenset({"fp16", "bf16", "amp"})


@dataclass(frozen=True)
class WorkTable:
    """Operations of one step, all counts multiplied out.

    Attributes:
        kind: Index into ``KINDS``.
        flop: Arithmetic of the whole group.
        traffic_bytes: Bytes it reads and writes at the precision asked for.
        kernels: Device kernels it launches.
    """

    kind: Indices
    flop: Floats
    traffic_bytes: Floats
    kernels: Floats


def element_ratio(precision: Precision) -> float:
    """Return the size of an element of an activation relative to fp32."""
    if precision == "fp64":
        return 2.0
    return 0.5 if precision in REDUCED else 1.0


def work_table(network: Network, workload: Workload, batch_size: float) -> WorkTable:
    """Return the work of one step on one device at ``batch_size`` samples."""
    phases = ("forward",) if workload.task == "infer" else ("forward", "backward")
    operations = [operation for operation in network.operations if operation.phase in phases]
    count = np.array([operation.count for operation in operations], dtype=float)
    per_sample = np.array([(o.flop_per_sample, o.bytes_per_sample) for o in operations], dtype=float).reshape(-1, 2)
    fixed = np.array([(o.flop_fixed, o.bytes_fixed) for o in operations], dtype=float).reshape(-1, 2)
    share = np.array([phase_ratio(o.phase, o.kind, workload) for o in operations])
    totals = (per_sample * batch_size + fixed) * (count * share)[:, None]
    return WorkTable(
        kind=np.array([KIND_INDEX[o.kind] for o in operations], dtype=np.intp),
        flop=totals[:, 0],
        traffic_bytes=totals[:, 1] * element_ratio(workload.precision),
        kernels=count * np.array([o.kernels for o in operations], dtype=float),
    )


def phase_ratio(phase: str, kind: str, workload: Workload) -> float:
    """Return how often an operation runs, relative to one plain training step.

    With checkpointing the forward pass runs twice; with frozen weights (LoRA) half of the backward products fall away:
    the gradients of the weights.
    """
    if phase == "forward" and workload.checkpointing and workload.task == "train":
        return 2.0
    if phase == "backward" and workload.method in ("lora", "qlora") and kind in MATRIX_KINDS:
        return 0.5
    return 1.0


def trained_parameters(network: Network, method: Method) -> float:
    """Return how many parameters get gradients.

    LoRA and QLoRA train about 0.6 % of the parameters (rank 16 on all linear layers of a 7B model: 40 million).
    Source: Hu et al. 2021, LoRA; Dettmers et al. 2023, QLoRA, section 4 (adapters on all linear layers).
    """
    return network.parameters * 0.006 if method in ("lora", "qlora") else float(network.trainable_parameters)
