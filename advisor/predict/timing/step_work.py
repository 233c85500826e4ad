"""The work of one step at a given batch, precision and method, as arrays over the operations of a network.

Knows nothing of devices.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, get_args

import numpy as np

from advisor.predict.timing.kernels import (
    ATTENTION,
    CONV,
    DEPTHWISE,
    GEMM,
    GROUPED,
    OTHER,
    RECURRENT,
    Flags,
    Floats,
    KernelWork,
)
from advisor.records.base import Precision
from advisor.records.job.work import Network, Operation, OperationKind
from advisor.records.job.workload import Method, Workload

APPLIED = "applied_normalization"
"""Normalization in inference, which reads its input once; training reads it again, for statistics and gradients."""
KINDS: tuple[str, ...] = (*get_args(OperationKind), APPLIED)
KIND_INDEX = {kind: index for index, kind in enumerate(KINDS)}
REDUCED: frozenset[Precision] = frozenset({"fp16", "bf16", "amp"})
_CONVERTED_RATIO = 2.2
"""Bytes of what autocast runs in fp32 between two conversions, relative to fp32: a tensor of 16 bit is read, written in
32 bit, read and written by the operation, read again and written in 16 bit.

Source: PyTorch documentation, "Autocast Op Reference", 2025 (softmax, losses, layer and group norms run in fp32).
"""

LORA_RATIO = 0.006
"""Share of parameters that LoRA trains: rank 16 on all linear layers of a 7B model, 40 million.

Source: Hu et al. 2021, LoRA; Dettmers et al. 2023, QLoRA, section 4 (adapters on all linear layers).
"""
CAUSAL_RATIO = 0.55
"""Share of the products that fused half-precision attention computes under a causal mask: half, and the diagonal.

Source: Dao 2023, FlashAttention-2, section 3.1 (blocks above the diagonal are skipped, 1.7 to 1.8 times faster).
"""
QLORA_BYTES = 0.5625
"""Bytes of a frozen weight in 4 bit with one scale for each block of 64. Source: Dettmers et al. 2023, section 3."""
_UNPACKING = 3.5
"""Time to unpack weights of 4 bit over that of moving their bytes.

Source: Lightning-AI/litgpt, tutorials/resource-tables.md, 2023-10-20: an iteration of LoRA on an A100, two passes over
the weights, takes 79 ms longer with nf4 for Llama 2 7B, 191 ms for 13B.
"""
_ADAPTER_PASSES = 6.0
"""How often what goes into and comes out of a layer is moved again, forward or backward, for its adapter: dropout, both
narrow products, scaling, sum.

Source: modelscope/ms-swift, docs/source_en/LLM/Benchmark.md, 2024: Qwen-7B on an A100 with adapters on all linear
layers 3.22 samples/s, on the first of each block alone 4.31, all of it trained 3.30.
"""
_ADAPTER_KERNELS = 5.0


@dataclass(frozen=True)
class LaunchWeights:
    """What it costs to launch an operation, relative to a simple one of the same pass.

    Attributes:
        product: Products of matrices and convolutions.
        normalization: Normalization.
        backward: Of the backward pass, what is neither; the kernels of a recurrent layer in both.
    """

    product: float
    normalization: float
    backward: float


OperationRow = tuple[
    int, int, bool, bool, bool, bool, bool, bool, bool, bool, float, float, float, float, float, float, float, float
]


def element_ratio(precision: Precision, kind: str = "elementwise", operator: str = "") -> float:
    """Return what an operation moves relative to fp32."""
    if precision == "fp64":
        return 2.0
    if precision == "amp" and kind == "loss":
        return 1.0
    if precision == "amp" and (kind == "softmax" or operator.startswith(("native_layer_norm", "native_group_norm"))):
        return _CONVERTED_RATIO
    return 0.5 if precision in REDUCED else 1.0


@lru_cache(maxsize=256)
def product_network(m: int, n: int, k: int, *, batch: int = 1, name: str = "product") -> Network:
    """Return a product of (m, k) by (k, n) in fp32, or a batch of them, as a network of one operation."""
    operation = Operation(
        kind="gemm",
        phase="forward",
        operator="bmm" if batch > 1 else "mm",
        shape=(batch, m, n, k),
        flop_fixed=2.0 * batch * m * n * k,
        bytes_fixed=4.0 * batch * (m * k + k * n + m * n),
    )
    return Network(
        name=name, family="kernel", parameters=0, trainable_parameters=0, sample="row", operations=(operation,)
    )


def trained_parameters(network: Network, method: Method) -> float:
    """Return how many parameters get gradients."""
    return network.parameters * LORA_RATIO if method in ("lora", "qlora") else float(network.trainable_parameters)


def launches(work: KernelWork, weights: LaunchWeights) -> tuple[Floats, Floats]:
    """Return how many launches of a simple operation those of the forward, and of the backward pass cost alike.

    What a framework does before a kernel starts differs by kind: a product looks for an algorithm and for memory to
    work in, a normalization handles its statistics, while adding two gradients is one call of compiled code, and so are
    all steps of a recurrent layer.
    """
    weight = np.where(work.is_backward, weights.backward, 1.0)
    weight = np.where(work.group != OTHER, weights.product, weight)
    weight = np.where(work.group == RECURRENT, weights.backward, weight)
    weight = np.where(_is_normalization(work), weights.normalization, weight)
    cost = work.kernels * weight
    return cost * ~work.is_backward, cost * work.is_backward


_NORMALIZATIONS = [KIND_INDEX["normalization"], KIND_INDEX[APPLIED]]


def _is_normalization(work: KernelWork) -> Flags:
    return np.asarray(np.isin(work.kind, _NORMALIZATIONS))


def kernel_work(network: Network, workload: Workload, batch_size: float) -> KernelWork:
    """Return the work of one pass over ``batch_size`` samples on one device, optimizer not included."""
    rows = [row(operation, workload, batch_size) for operation in network.operations if runs(operation, workload)]
    rows.extend(weight_conversions(network, workload))
    rows.extend(adapters(network, workload, batch_size))
    return as_arrays(rows)


def adapters(network: Network, workload: Workload, batch_size: float) -> list[OperationRow]:
    """Return the passes over memory of LoRA's adapters on all layers that are products with a weight."""
    if workload.task == "infer" or workload.method not in ("lora", "qlora"):
        return []
    moved = kernels = 0.0
    for one in network.operations:
        if one.kind != "gemm" or one.batch_axis != 1 or not runs(one, workload):
            continue
        _, m, n, k = one.shape
        count = one.count * (2.0 if workload.checkpointing and one.phase == "forward" else 1.0)
        moved += count * 4.0 * m * batch_size * (n + k)
        kernels += count * _ADAPTER_KERNELS
    return [_conversion(moved * _ADAPTER_PASSES * element_ratio(workload.precision), kernels)]


def as_arrays(rows: Sequence[OperationRow]) -> KernelWork:
    """Return rows as arrays."""
    if not rows:
        rows = [_conversion(0.0, 0.0)]
    columns = list(zip(*rows, strict=True))
    names = [column.name for column in fields(KernelWork) if column.init]
    types = [np.intp] * 2 + [np.bool_] * 8 + [np.float64] * (len(names) - 10)
    arrays: dict[str, Any] = {
        name: np.array(column, dtype=kind) for name, column, kind in zip(names, columns, types, strict=True)
    }
    return KernelWork(**arrays)


def runs(operation: Operation, workload: Workload) -> bool:
    """Return whether the operation runs on this device for this task and method."""
    if workload.task == "infer":
        is_training_only = operation.kind == "loss" or operation.operator == "native_dropout"
        return operation.phase == "forward" and not is_training_only
    frozen = workload.method in ("lora", "qlora")
    return operation.phase != "optimizer" and not (frozen and is_weight_gradient(operation))


def is_weight_gradient(operation: Operation) -> bool:
    """Return whether the operation computes the gradient of a weight: what frozen weights do not need."""
    if operation.phase != "backward":
        return False
    if operation.kind == "gemm":
        return operation.batch_axis == 3
    return operation.operator.endswith(("weight_gradient", "bias_gradient"))


def row(operation: Operation, workload: Workload, batch_size: float) -> OperationRow:
    """Return one group of operations at a batch."""
    group = _group(operation)
    repeats = 2.0 if workload.checkpointing and operation.phase == "forward" and workload.task == "train" else 1.0
    flop = operation.flop_per_sample * batch_size + operation.flop_fixed
    moved = operation.bytes_per_sample * batch_size + operation.bytes_fixed
    if operation.operator.endswith("_causal") and workload.precision in REDUCED:
        flop *= CAUSAL_RATIO
    count = operation.count * repeats
    batch, m, n, k, parts = _product_size(operation, group, batch_size, flop)
    is_applied = operation.kind == "normalization" and workload.task == "infer"
    fused = _fused_ratio(operation, workload)
    return (
        KIND_INDEX[APPLIED if is_applied else operation.kind],
        group,
        operation.phase == "backward",
        group == GEMM and operation.shape[0] * (batch_size if operation.batch_axis == 0 else 1) > 1,
        _is_winograd(operation, group),
        workload.precision in REDUCED,
        workload.channels_last or workload.compiled,
        group == GEMM and not workload.compiled and _is_unaligned(operation),
        _lacks_unaligned(workload),
        _lacks_uneven(workload),
        batch,
        m,
        n,
        k,
        flop / parts,
        moved / parts * _element_ratio(operation, workload) * fused,
        count * parts,
        operation.kernels * count * fused,
    )


_FUSED = frozenset({"elementwise", "copy"})
_FUSED_RATIO = 0.15
"""Share of what operations on single elements move, and of their kernels, that is left where a compiler joins each
chain of them to what comes before: only results that are needed elsewhere are written.

Source: huggingface/pytorch-image-models, results of inference on an RTX 5090 and an RTX PRO 6000 with PyTorch 2.9, not
compiled and compiled, 160 models: 0.15 leaves them 7 % too long in the middle, 0.25 20 %, 1 72 %.
"""


def _fused_ratio(operation: Operation, workload: Workload) -> float:
    """Return what compiling leaves of an operation's traffic and kernels."""
    return _FUSED_RATIO if workload.compiled and operation.kind in _FUSED else 1.0


def _element_ratio(operation: Operation, workload: Workload) -> float:
    """Return what an operation moves relative to fp32; a compiled one converts between formats while it computes."""
    if workload.compiled and workload.precision in REDUCED:
        return 0.5
    return element_ratio(workload.precision, operation.kind, operation.operator)


def _is_unaligned(operation: Operation) -> bool:
    """Return whether an extent other than the samples' is odd, as in 50,257 words, so that rows begin at odd places.

    Matrix units read eight numbers of 16 bit at once; of four they take hardly longer (baidu-research/DeepBench: on
    a T4, 5,124 x 9,124). A compiler pads what is odd (PyTorch 2.9, ``torch._inductor.config.shape_padding``).
    Source: NVIDIA, "Matrix Multiplication Background User's Guide", tensor core requirements, 2023.
    """
    return any(edge % 2 for axis, edge in enumerate(operation.shape) if axis and axis != operation.batch_axis)


def _lacks_unaligned(workload: Workload) -> bool:
    """Return whether the matrix units of Volta and Turing are left out where an extent is odd.

    Source: NVIDIA, the same guide: cuBLAS before 11.0. Lambda's Transformer-XL base (267,735 words) in fp16 on an RTX
    8000 runs at 9,290 tokens/s in a container of 2020 and 18,223 in one of 2022; on an RTX A6000 at 25,231 and 26,030.
    """
    return workload.framework_year is not None and workload.framework_year <= _ALIGNED_UNTIL


_ALIGNED_UNTIL = 2020


def _lacks_uneven(workload: Workload) -> bool:
    """Return whether the library has kernels for groups of few widths only, where channels are stored last.

    Source: huggingface/pytorch-image-models, results of inference on an RTX 3090: RegNetX-12GF takes 1.56 ms an image
    in 2022, 2.21 in 2023, 0.71 in 2024; with channels first 0.75, 0.76 and 0.74.
    """
    return workload.framework_year is not None and workload.framework_year < _EVEN_SINCE


_EVEN_SINCE = 2024


def _group(operation: Operation) -> int:
    if operation.kind == "conv":
        return GROUPED if operation.shape[6] > 1 else CONV
    simple = {"gemm": GEMM, "attention": ATTENTION, "recurrent": RECURRENT, "depthwise_conv": DEPTHWISE}
    return simple.get(operation.kind, OTHER)


def _is_winograd(operation: Operation, group: int) -> bool:
    """Return whether a fast algorithm exists: 3x3, stride 1, enough channels. Source: Lavin and Gray 2016."""
    if group != CONV or operation.operator == "conv_weight_gradient" or "3d" in operation.operator:
        return False
    c_in, _, height, width, _, _, _, stride = operation.shape
    return height == 3 and width == 3 and stride == 1 and c_in >= 16


def _product_size(
    operation: Operation, group: int, batch_size: float, flop: float
) -> tuple[float, float, float, float, float]:
    """Return (batch, m, n, k, sequential parts) of the operation as a matrix product."""
    if group in (CONV, GROUPED):
        return *_convolution_size(operation, batch_size), 1.0
    if group == GEMM:
        size = [float(edge) for edge in operation.shape]
        if operation.batch_axis is not None:
            size[operation.batch_axis] *= batch_size
        return size[0], size[1], size[2], size[3], 1.0
    if group == ATTENTION:
        samples, heads, queries, _, width = operation.shape
        batch = float(samples * heads) * batch_size
        return batch, float(queries), float(width), flop / (2.0 * batch * queries * width), 1.0
    if group == RECURRENT:
        steps, samples, _, hidden, layers, directions, gates = operation.shape
        rows, parts = samples * batch_size, float(steps * layers)
        outputs = float(gates * hidden * directions)
        return 1.0, rows, outputs, flop / (2.0 * rows * outputs * parts), parts
    return 1.0, 1.0, 1.0, 1.0, 1.0


def _convolution_size(operation: Operation, batch_size: float) -> tuple[float, float, float, float]:
    """Return a convolution, or one of its gradients, as a product of matrices (implicit GEMM)."""
    c_in, c_out, kernel_h, kernel_w, height, width, groups, stride = operation.shape
    pixels, taps = batch_size * height * width, kernel_h * kernel_w
    channels_in, channels_out = c_in / groups, c_out / groups
    if operation.operator.endswith("input_gradient"):
        return float(groups), pixels * stride**2, channels_in, channels_out * taps / stride**2
    if operation.operator.endswith("weight_gradient"):
        return float(groups), channels_out, channels_in * taps, pixels
    return float(groups), pixels, channels_out, channels_in * taps


def weight_conversions(network: Network, workload: Workload) -> list[OperationRow]:
    """Weights that are converted in each step: to 16 bit under autocast, from 4 bit under QLoRA."""
    trains = workload.task == "train"
    if trains and workload.method == "qlora":
        passes = 3.0 if workload.checkpointing else 2.0
        moved = network.parameters * (QLORA_BYTES + 2.0) * _UNPACKING
        return [_conversion(moved * passes, network.parameter_tensors * passes)]
    if trains and workload.precision == "amp" and workload.method != "lora":
        return [_conversion(network.trainable_parameters * 12.0, network.parameter_tensors * 2.0)]
    return []


def _conversion(moved_bytes: float, kernels: float) -> OperationRow:
    return (
        KIND_INDEX["copy"],
        OTHER,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        False,
        1.0,
        1.0,
        1.0,
        1.0,
        0.0,
        moved_bytes,
        1.0,
        kernels,
    )
