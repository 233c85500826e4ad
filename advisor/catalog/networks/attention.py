"""Attention without a fused kernel: products and softmax, with every score stored.

So it ran before fused kernels came into PyTorch (2.0, March 2023), and so programs written for older versions still run
it. Counted as ``transformers`` does it with ``attn_implementation="eager"``: copies that bring heads together, scores,
scaling, mask, softmax, dropout, product with the values; a test compares with a trace of it.
"""

import msgspec

from advisor.records.base import Record
from advisor.records.job.work import Network, Operation, OperationKind, Phase


def decompose(network: Network) -> Network:
    """Return the network with each fused attention taken apart."""
    operations: list[Operation] = []
    saved = masks = scores_of_one = inference = 0.0
    for operation in network.operations:
        if operation.kind != "attention":
            operations.append(operation)
            continue
        operations += _parts(operation)
        _, heads, queries, keys, size = operation.shape
        scores = heads * queries * keys
        if operation.phase == "forward":
            has_dropout = operation.operator.endswith("_dropout")
            saved += operation.count * (4 * scores * (2 if has_dropout else 1) - 4 * heads * queries)
            masks += operation.count * (scores if has_dropout else 0)
            scores_of_one = max(scores_of_one, 4.0 * scores)
            inner = 4.0 * heads * queries * size
            # Scores before and after softmax beside five tensors, or the returned scores through the rest of the block.
            inference = max(inference, 8.0 * scores + 5 * inner, network.inference_bytes_per_sample + 4.0 * scores)
    more = 1.0 + (saved + masks) / network.peak_bytes_per_sample if network.peak_bytes_per_sample else 1.0
    return msgspec.structs.replace(
        network,
        operations=tuple(operations),
        moments=tuple((slope * more, fixed) for slope, fixed in network.moments),
        attention="decomposed",
        saved_bytes_per_sample=network.saved_bytes_per_sample + saved + masks,
        saved_integer_bytes_per_sample=network.saved_integer_bytes_per_sample + masks,
        peak_bytes_per_sample=network.peak_bytes_per_sample + saved + masks,
        inference_bytes_per_sample=max(network.inference_bytes_per_sample, inference),
        largest_bytes_per_sample=max(network.largest_bytes_per_sample, scores_of_one),
    )


class _Step(Record, frozen=True, kw_only=True):
    """One kernel on the scores of all heads of a sample: how often it reads or writes them, and a mask."""

    kind: OperationKind
    operator: str
    passes: int
    mask_bytes: float = 0.0


def _parts(fused: Operation) -> list[Operation]:
    samples, heads, queries, keys, size = fused.shape
    heads *= samples
    scores = heads * queries * keys
    backward = fused.phase == "backward"
    steps = [_Step(kind="elementwise", operator="mul", passes=2)]
    if "_causal" in fused.operator and not backward:
        steps.append(_Step(kind="elementwise", operator="add", passes=2, mask_bytes=4.0 * queries * keys))
    ending = "_backward_data" if backward else ""
    steps.append(_Step(kind="softmax", operator=f"_softmax{ending}", passes=3 if backward else 2))
    if fused.operator.endswith("_dropout"):
        name = "native_dropout_backward" if backward else "native_dropout"
        steps.append(_Step(kind="elementwise", operator=name, passes=2, mask_bytes=float(scores)))
    shapes = [(queries, keys, size), (queries, size, keys)]
    if backward:
        shapes = [(keys, size, queries), (queries, keys, size), (queries, size, keys), (size, keys, queries)]
    products = [_product(fused, (heads, *shape)) for shape in shapes]
    copies = _operation(fused, "copy", "clone", (heads * queries * size,), moved=8.0 * heads * queries * size)
    return [
        msgspec.structs.replace(copies, count=4 * fused.count),
        *products,
        *(_on_scores(fused, step, heads * queries, keys) for step in steps),
    ]


def _product(fused: Operation, shape: tuple[int, int, int, int]) -> Operation:
    batch, m, n, k = shape
    moved = 4.0 * batch * (m * k + k * n + m * n)
    return _operation(fused, "gemm", "bmm", shape, moved=moved, flop=2.0 * batch * m * n * k)


def _on_scores(fused: Operation, step: _Step, rows: int, width: int) -> Operation:
    shape = (rows, width) if step.kind == "softmax" else (rows * width,)
    moved = 4.0 * step.passes * rows * width + step.mask_bytes
    return _operation(fused, step.kind, step.operator, shape, moved=moved, flop=float(rows * width))


def _operation(
    fused: Operation, kind: OperationKind, operator: str, shape: tuple[int, ...], *, moved: float, flop: float = 0.0
) -> Operation:
    phase: Phase = fused.phase
    return Operation(
        kind=kind,
        phase=phase,
        operator=operator,
        shape=shape,
        batch_axis=fused.batch_axis,
        count=fused.count,
        flop_per_sample=flop,
        bytes_per_sample=moved,
    )
