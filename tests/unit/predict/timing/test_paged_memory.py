"""Pages that a step touches for the first time again: of large blocks each time, of small ones a share."""

import pytest

from advisor.predict.measured.measured_classes import class_coefficients
from advisor.predict.timing.paged_memory import paged_bytes
from advisor.records.base import Precision
from advisor.records.job.work import Network, Operation
from tests.unit.predict.examples import workload


def network_of(*operations: Operation, peak_bytes: float = 0.0) -> Network:
    """Return a network of these operations, with a single parameter."""
    return Network(
        name="net",
        family="cnn",
        parameters=1,
        trainable_parameters=1,
        parameter_tensors=1,
        sample="image",
        operations=operations,
        peak_bytes_per_sample=peak_bytes,
    )


def paged(net: Network, batch: int, precision: Precision = "fp32", task: str = "train") -> float:
    """Return the bytes of a step, without the parameter's few."""
    job = workload(net, batch_size=batch, precision=precision, task=task, checkpointing=False)
    return round(paged_bytes(net, job, batch, class_coefficients()), -3)


CONVOLUTION = Operation(kind="depthwise_conv", phase="forward", operator="conv", shape=(64, 128, 3, 3, 48, 48, 64, 1))
GRADIENT = Operation(
    kind="conv", phase="backward", operator="conv_input_gradient", shape=(64, 128, 3, 3, 24, 24, 1, 2), batch_axis=None
)
RELU = Operation(kind="elementwise", phase="forward", operator="relu", shape=(128 * 48 * 48,), batch_axis=0)
WRITTEN = 128 * 48 * 48 * 4


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (CONVOLUTION, 3 * WRITTEN * 32),
        (GRADIENT, 3 * WRITTEN // 2 * 64),
        (RELU, WRITTEN * 32),
        (Operation(kind="gemm", phase="forward", shape=(4, 512, 1024, 8), batch_axis=1), 4 * 512 * 1024 * 4 * 32),
        (Operation(kind="gemm", phase="backward", shape=(1, 4096, 4096, 8), batch_axis=3), 0),
        (
            Operation(kind="attention", phase="forward", shape=(1, 8, 1024, 1024, 64), batch_axis=0),
            8 * 1024 * 64 * 4 * 32,
        ),
        (
            Operation(kind="recurrent", phase="forward", shape=(512, 1, 32, 512, 1, 2, 4), batch_axis=1),
            2 * 512**2 * 4 * 32,
        ),
        (Operation(kind="normalization", phase="forward", shape=(128, 48 * 48), batch_axis=1), WRITTEN * 32),
    ],
)
def test_large_blocks_are_touched_each_time(one: Operation, expected: int) -> None:
    """What an operation puts out; what a convolution has in another order besides; weights' gradients are no output."""
    batch = 64 if one is GRADIENT else 32

    assert paged(network_of(one), batch) == pytest.approx(expected, rel=1e-3)


def test_blocks_below_the_threshold_come_from_the_heap() -> None:
    """At half the batch, or in half the format, the same block is kept: a share of what is alive counts."""
    net = network_of(RELU, peak_bytes=2.0 * WRITTEN)

    assert paged(net, 16) == pytest.approx(0.6 * 2 * WRITTEN * 16, rel=1e-3)
    assert paged(net, 32, "bf16") == pytest.approx(0.6 * WRITTEN * 32, rel=1e-3)
    assert paged(net, 16, task="infer") == 0.0
    assert paged(net, 32, task="infer") == pytest.approx(WRITTEN * 32, rel=1e-3)
