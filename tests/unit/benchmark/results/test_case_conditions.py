"""What spoiled one case: its own card, and never its own helpers."""

import pytest

from advisor.benchmark.results.case_conditions import by_others, slowed_card
from advisor.probe.conditions import check_conditions
from advisor.probe.processor_load import read_counters
from advisor.probe.readers import Readers
from advisor.records.hardware.machine import Framework
from advisor.records.hardware.telemetry import MetricSummary, MonitoredAccelerator, TelemetrySummary
from advisor.records.results.measured.measurement import Condition
from tests.fakes.suite import case
from tests.unit.probe.computers.fakes import FakePsutil, FakeRegistry, RecordedFiles


def seen(reason: str) -> TelemetrySummary:
    """Return a case in which the second card gave a reason."""
    names = {f"accelerators.1.throttle_{reason}": 0.5, "accelerators.1.temperature_celsius": 87.0}
    return TelemetrySummary(
        start_s=0,
        end_s=3,
        count=3,
        metrics={name: MetricSummary(mean=value, peak=value, count=3) for name, value in names.items()},
        accelerators=tuple(MonitoredAccelerator(vendor="nvidia", index=n, name=f"Card {n}") for n in (0, 1)),
        throttle_reasons=(reason,),
    )


@pytest.mark.parametrize(
    ("reason", "device", "is_slowed"),
    [
        ("heat", "cuda:1", True),
        ("hardware_slowdown", "cuda:1", True),
        ("power_brake", "cuda:1", True),
        ("power_limit", "cuda:1", False),
        ("heat", "cuda:0", False),
        ("heat", "cpu", False),
    ],
)
def test_only_the_card_of_the_case_is_slowed(reason: str, device: str, is_slowed: bool) -> None:
    """Heat and a failing supply count, of the card itself; the ordinary power limit does not."""
    found = list(slowed_card(device, seen(reason), Framework()))
    assert found == [Condition(kind="throttled", value=87.0, unit="celsius", when="during")] * is_slowed
    assert list(slowed_card(device, None, Framework())) == []


@pytest.mark.parametrize(("platform", "helpers", "kept"), [
    ("linux", 4, True), ("win32", 0, True), ("win32", 4, False), ("darwin", 4, False)])  # fmt: skip
def test_own_helpers_are_no_other_programs(platform: str, helpers: int, kept: bool) -> None:
    """Windows and macOS forget the time of processes that ended, so that it seems to be that of others."""
    psutil = FakePsutil()
    readers = Readers(
        platform="windows", files=RecordedFiles({}, {}), registry=FakeRegistry({}), psutil=lambda: psutil, process_id=1
    )
    times = iter([0.0, 10.0])
    before = read_counters(readers, clock=lambda: next(times))
    psutil.busy_s += 40.0  # four helpers of ours, which have ended since
    found = check_conditions("during", since=before, readers=readers, clock=lambda: next(times))
    assert "other_load" in {one.kind for one in found}

    left = by_others(case("a", program="input", options={"workers": helpers}), found, platform)
    assert ("other_load" in {one.kind for one in left}) == kept
