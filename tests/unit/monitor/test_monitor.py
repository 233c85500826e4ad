"""The monitor as a whole: order, cost, history and summary."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.monitor.host import SystemSource
from advisor.monitor.monitor import Monitor, make_monitor
from advisor.monitor.nvidia import NvidiaSource
from advisor.monitor.source import Files
from tests.unit.monitor.computers.fakes import FakeNvml, FakeSystem, NVMLError, nvidia_card, nvidia_tree


def ticking(step: float) -> Iterator[float]:
    """Return a clock that advances by a step at each look."""
    return itertools.count(0.0, step)


def make(root: Path, library: FakeNvml, cost_s: float = 0.002) -> Monitor:
    """Return a monitor whose clock ticks half a second at each look, and whose thread works 2 ms a sample."""
    clock, cost = ticking(0.5), ticking(cost_s)
    return Monitor(
        SystemSource(FakeSystem(), Files(root), is_linux=True),
        (NvidiaSource(library, Files(root)),),
        clock=lambda: next(clock),
        cost_clock=lambda: next(cost),
    )


def test_a_sample_names_its_gaps_by_field(tmp_path: Path) -> None:
    """What a source misses is a gap of the whole sample, under its place in the record."""
    nvidia_tree(tmp_path)
    card = nvidia_card(PowerUsage=NVMLError(3))
    sample = make(tmp_path, FakeNvml(card)).sample()

    assert ("accelerators.0.power_w", "not_supported") in {(gap.field, gap.reason) for gap in sample.gaps}
    assert ("host.cpu_temperature_celsius", "not_found") in {(gap.field, gap.reason) for gap in sample.gaps}


def test_the_monitor_knows_what_it_costs(tmp_path: Path) -> None:
    """Its own processor time over the time between samples is its cost."""
    monitor = make(tmp_path, FakeNvml())
    assert monitor.sample().cost_ratio is None

    assert monitor.sample().cost_ratio == pytest.approx(0.002 / 1.0)


def test_a_thousand_samples_of_a_failing_card(tmp_path: Path) -> None:
    """A card that fails at random moments never stops the monitor."""
    nvidia_tree(tmp_path)
    card = nvidia_card()
    monitor = make(tmp_path, FakeNvml(card))
    codes = itertools.cycle([3, 15, 999, 1, 10, 4])

    for turn in range(1000):
        card["UtilizationRates"] = NVMLError(next(codes)) if turn % 3 else nvidia_card()["UtilizationRates"]
        assert len(monitor.sample().accelerators) == 1
    monitor.close()


def test_this_machine_can_be_sampled() -> None:
    """The real sensors of the machine that runs the tests give plausible values or reasons."""
    monitor = make_monitor()
    sample = monitor.sample()
    monitor.close()

    gaps = {gap.field for gap in sample.gaps}
    assert sample.host.memory_total_bytes is not None
    assert sample.host.memory_used_bytes is not None
    assert 0 < sample.host.memory_used_bytes <= sample.host.memory_total_bytes
    assert sample.host.cpu_temperature_celsius is not None or "host.cpu_temperature_celsius" in gaps
