"""What is made of one level's samples."""

import pytest

from advisor.records.group import GroupResult, GroupTiming
from advisor.scaling.levels import StepNetwork, least_s, level_of, step_networks, step_of


def _level(rate: float = 125e6) -> GroupResult:
    sizes = (4096, 2**20, 2**24)
    return GroupResult(
        timings=tuple(
            GroupTiming(operation="all_reduce", size_bytes=size, samples_s=(size / rate,) * 3) for size in sizes
        )
    )


def test_the_rate_is_that_of_the_link() -> None:
    """Of two workers each sends the message once; of four one and a half times."""
    assert level_of(_level(), 2, 2).timings[-1].bus_bytes_per_s == pytest.approx(125e6)
    assert level_of(_level(), 4, 4).timings[-1].bus_bytes_per_s == pytest.approx(1.5 * 125e6)


def test_a_step_says_what_it_hides_and_gains() -> None:
    """One second of computing and one of exchange in a step of one and a half: half of it is hidden."""
    level = level_of(_level(), 2, 2)
    result = GroupResult(
        timings=(
            GroupTiming(operation="alone", size_bytes=125_000_000, samples_s=(1.0,)),
            GroupTiming(operation="together", size_bytes=125_000_000, samples_s=(1.5,)),
        )
    )
    network = StepNetwork(name="resnet50", batch_size=2, gradient_bytes=125_000_000)
    step = step_of(result, level, network)
    assert (step.exchange_s, step.hidden_ratio, step.speedup) == pytest.approx((1.0, 0.5, 4 / 3))
    assert least_s(level, network) == pytest.approx(5.0)


def test_what_disturbs_half_of_the_time_is_no_part_of_a_step() -> None:
    """Other programs only ever add; the undisturbed share of the samples tells what the computers reach."""
    level = level_of(_level(), 2, 2)
    timings = [
        GroupTiming(operation=name, size_bytes=125_000_000, samples_s=(2.0, 2.0, 9.0, 7.0, 8.0)) for name in "ab"
    ]
    step = step_of(GroupResult(timings=tuple(timings)), level, StepNetwork(name="resnet50", batch_size=2))
    assert (step.alone_s, step.together_s) == (2.0, 2.0)


def test_a_network_that_is_asked_for_is_measured_once() -> None:
    """One of the usual ones is not repeated."""
    usual = step_networks("", is_processor=True)
    assert step_networks("resnet50", is_processor=True) == usual
    assert step_networks("densenet121", is_processor=True)[-1].name == "densenet121"
