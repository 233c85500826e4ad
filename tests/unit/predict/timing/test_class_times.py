"""Seconds of a step by curves of the classes of its work: more of it never takes less time."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import network, network_names
from advisor.predict.measured.measured_classes import class_coefficients
from advisor.predict.timing.class_times import class_times, curve_of, seconds_of
from tests.unit.predict.examples import workload
from tests.unit.predict.measured.work_classes import calibration

TRAINED = workload(input_kind="memory", batch_size=8, precision="fp32")


def seconds(name: str, batch: int, **changes: Any) -> float:
    """Return the sum for a network of the catalogue."""
    job = msgspec.structs.replace(TRAINED, network=name, batch_size=batch, **changes)
    times = class_times(network(name), job, calibration().classes[0].curves, batch, class_coefficients())
    assert times is not None
    return times.total


@pytest.mark.parametrize("name", [name for name in network_names() if network(name).operations])
def test_every_network_of_the_catalogue_is_summed_up(name: str) -> None:
    """All of its operations have a class; learning takes longer than applying, and two samples longer than one."""
    applied = seconds(name, 1, task="infer", optimizer="none")

    assert 0 < applied < seconds(name, 1) < seconds(name, 64)


def test_checkpointing_goes_forward_twice() -> None:
    """Training adds what applying the network takes; applying it keeps nothing, and adds nothing."""
    trained = seconds("resnet50", 8, checkpointing=True) - seconds("resnet50", 8)
    applied = seconds("resnet50", 8, task="infer", optimizer="none")

    assert trained == pytest.approx(applied, rel=0.05)
    assert seconds("resnet50", 8, task="infer", optimizer="none", checkpointing=True) == applied


@given(st.lists(st.tuples(st.floats(1, 1e12), st.floats(1e-9, 10)), min_size=1, max_size=6), st.floats(0, 1e13))
def test_more_work_never_takes_less_time(points: Sequence[tuple[float, float]], amount: float) -> None:
    """Whatever was measured, disturbed points among it."""
    curve = curve_of(points)

    assert 0 < seconds_of(curve, amount) <= seconds_of(curve, amount * 1.5 + 1) * (1 + 1e-9)


@given(
    st.sampled_from(["resnet50", "densenet121", "bert_base", "mobilenet_v2"]).filter(lambda n: n in network_names()),
    st.integers(1, 500),
)
def test_larger_batches_never_take_less_time(name: str, batch: int) -> None:
    """Narrow products become wide ones with the batch, and faster for it, but never fast enough to gain time."""
    assert seconds(name, batch) <= seconds(name, batch + 1) * (1 + 1e-9)
