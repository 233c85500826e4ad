"""Small problems of each class of work: what is told of them, and that it is what the tables call the same work."""

import pytest
import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.cases import work_classes
from advisor.worker.cases.work_classes import Problem, run_work_classes
from advisor.worker.tracing.trace import trace_module
from tests.unit.worker.cases.runs import small_case

CPU = torch.device("cpu")

pytestmark = pytest.mark.slow


class Watcher:
    """Counts how often the case asks whether it is still wanted."""

    def __init__(self) -> None:
        self.checks = 0

    def sampled(self, sample_s: float) -> None:
        """Hear of a sample."""

    def check(self) -> None:
        """Count."""
        self.checks += 1


def case(**changes: object) -> Case:
    """Return the case, as short as it may be."""
    return small_case("work_classes", **({"sample_s": 1e-6, "budget_s": 1e6} | changes))


@pytest.fixture(scope="module")
def result() -> CaseResult:
    """Return what one thread of this processor says: several wait for each other where others compute too."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return run_work_classes(case(), CPU, Watcher())
    finally:
        torch.set_num_threads(threads)


def test_every_class_has_curves_forward_and_backward(result: CaseResult) -> None:
    """Amounts and seconds are positive, in order; products have both gradients."""
    curves = {series.y: series for series in result.series}

    for name in ("conv.64", "conv_1x1.16", "conv_3d", "conv_transposed", "depthwise", "gemm.8", "gemm.batched"):
        assert {f"{name}.{phase}" for phase in ("forward", "input", "weight")} <= set(curves)
        assert curves[f"{name}.forward"].x == "flop"
    for name in ("elementwise", "batch_norm", "pooling_max", "embedding", "softmax", "dropout"):
        assert {f"{name}.forward", f"{name}.backward"} <= set(curves)
        assert curves[f"{name}.forward"].x == "bytes"
    for name in ("recurrent_lstm", "recurrent_gru", "attention"):
        assert {f"{name}.forward", f"{name}.backward"} <= set(curves)
    assert {"optimizer_adam.1", "optimizer_adam.64", "optimizer_sgd.1", "pages"} <= set(curves)
    assert all(list(s.points) == sorted(s.points) and min(min(p) for p in s.points) > 0 for s in result.series)


def test_a_case_without_time_tells_what_it_has() -> None:
    """The time is over after the first problem; what was measured by then is told."""
    watcher = Watcher()
    found = run_work_classes(case(budget_s=0.0), CPU, watcher)

    assert watcher.checks <= 1
    assert found.series


@pytest.mark.parametrize(
    "source", [work_classes._products, work_classes._passes, work_classes._recurrent, work_classes._attention]
)
def test_amounts_are_those_of_the_tables(source: object) -> None:
    """The tracer counts the same FLOP for each product, and about the same bytes for each pass, on its way forward."""
    for make in source(CPU, torch.float32):  # type: ignore[operator]
        problem = make()
        flop, moved = counted(problem)
        if problem.is_product:
            assert problem.amount == pytest.approx(flop, rel=1e-6), problem.name
        else:
            assert problem.amount == pytest.approx(moved, rel=0.3), problem.name


def counted(problem: Problem) -> tuple[float, float]:
    """Return FLOP and bytes of the problem as a network's table has them, at its own size."""
    first, *others = problem.tensors

    class Wrapped(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale = torch.nn.Parameter(torch.zeros(()))
            self.others = [tensor.detach().to("meta") for tensor in others]

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return problem.run(x, *self.others) * self.scale

    if problem.name.startswith("recurrent"):  # its module holds weights that are no arguments
        return problem.amount, 0.0
    shape, axis = list(first.shape), 0

    def inputs(batch: int) -> torch.Tensor:
        size = [*shape]
        size[axis] *= batch
        return torch.zeros(size, dtype=first.dtype)

    if problem.name in {"gemm.batched", "attention"}:  # both factors have the samples
        return problem.amount, 0.0
    network = trace_module(Wrapped(), inputs, loss=lambda output, _inputs: output.mean())
    own = [one for one in network.operations if one.phase == "forward" and one.operator not in {"mul", "mean"}]
    return (
        sum(one.count * (one.flop_per_sample + one.flop_fixed) for one in own),
        sum(one.count * (one.bytes_per_sample + one.bytes_fixed) for one in own),
    )
