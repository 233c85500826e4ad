"""Apply a named network to samples that already lie on the device, and tell how the times of single calls spread."""

import pytest

from tests.unit.worker.cases.runs import Listener, run

pytestmark = pytest.mark.torch


def test_application_and_its_percentiles() -> None:
    """Single calls are timed beside the throughput; few calls show no high percentile."""
    listener = Listener()
    result = run("infer", listener, network="simple_cnn", batch_size=4, precision="bf16", budget_s=0.4)

    assert result.items_per_iteration == 4
    assert result.details["calls"] >= 1
    assert result.details["call_p50_s"] > 0
    assert ("call_p99_s" in result.details) == (result.details["calls"] >= 100)


@pytest.mark.parametrize(("calls", "known"), [(1, {50}), (19, {50}), (20, {50, 95}), (100, {50, 95, 99})])
def test_percentiles_need_calls(calls: int, known: set[int]) -> None:
    """A percentile is given where enough calls show it, and it is that of the calls."""
    from advisor.worker.cases.infer import percentiles

    found = percentiles([float(number) for number in range(1, calls + 1)])

    assert {f"call_p{rank}_s" for rank in known} == set(found) - {"calls"}
    assert found["call_p50_s"] == pytest.approx((calls + 1) / 2)
