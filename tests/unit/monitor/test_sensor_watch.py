"""The sensors beside a running case: their window, their silence, and what they cost."""

import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import cast

import pytest

from advisor.monitor import sensor_watch
from advisor.monitor.monitor import Monitor
from advisor.monitor.sensor_watch import SensorWatch
from advisor.records.base import Gap
from advisor.records.hardware.telemetry import AcceleratorSample, HostSample, TelemetrySample


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a case wait for its samples as long as a busy computer needs."""
    monkeypatch.setattr(sensor_watch, "PATIENCE_S", 60.0)


class ScriptedMonitor:
    """Gives one temperature after another, by the real clock, and knows no power."""

    def __init__(self, temperatures: Iterator[float]) -> None:
        self.may_rest = True
        self.is_closed = False
        self.count = 0
        self._temperatures = temperatures

    def sample(self) -> TelemetrySample:
        """Return the next sample."""
        self.count += 1
        card = AcceleratorSample(vendor="nvidia", index=0, name="Card", temperature_celsius=next(self._temperatures))
        gap = Gap(field="accelerators.0.power_w", reason="not_supported")
        return TelemetrySample(
            time_s=time.monotonic(), host=HostSample(), accelerators=(card,), gaps=(gap,), cost_ratio=0.002
        )

    def close(self) -> None:
        """Note it."""
        self.is_closed = True


def test_without_a_thread_there_are_no_sensors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system has none left to give, a case is measured all the same."""

    def no_thread(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", no_thread)
    monkeypatch.setattr(sensor_watch, "PATIENCE_S", 0.01)
    with SensorWatch(lambda: cast("Monitor", ScriptedMonitor(iter(())))) as watch:
        watch.begin()
        found = watch.end()
    assert found.count == 0
    assert [gap.detail for gap in found.gaps] == ["can't start new thread"]


@pytest.mark.usefixtures("patience")
def test_each_case_has_its_own_window() -> None:
    """The sample a case begins with is about what came before and does not count."""
    monitor = ScriptedMonitor(iter(range(20, 1000)))
    with SensorWatch(lambda: cast("Monitor", monitor), interval_s=60.0) as watch:
        watch.begin()
        first = watch.end()
        watch.begin()
        second = watch.end()

    one, other = (found.metrics["accelerators.0.temperature_celsius"] for found in (first, second))
    assert one is not None
    assert other is not None
    assert one.count >= 1
    assert other.count >= 1
    lowest = 2 * other.mean - other.peak  # each sample is a degree warmer than the one before
    assert lowest >= one.peak + 2  # between them is the one the second case begins with
    assert first.end_s <= second.start_s
    assert first.metrics["accelerators.0.power_w"] is None
    assert [gap.reason for gap in first.gaps] == ["not_supported"]
    assert [card.name for card in first.accelerators] == ["Card"]
    assert first.cost_ratio == pytest.approx(0.002)


@pytest.mark.usefixtures("patience")
def test_a_long_run_is_followed_over_time() -> None:
    """Temperature and power of the device of a case, from its beginning on; of another device nothing."""
    monitor = ScriptedMonitor(iter(range(20, 1000)))
    with SensorWatch(lambda: cast("Monitor", monitor), interval_s=0.05) as watch:
        watch.begin()
        until_s = time.monotonic() + 60.0
        while monitor.count < 6 and time.monotonic() < until_s:
            time.sleep(0.01)
        watch.end()
        [heat] = watch.series("cuda:0")
        elsewhere = watch.series("cuda:1")

    assert (heat.x, heat.y) == ("time_s", "temperature_celsius")
    assert len(heat.points) >= 3
    assert all(0 < sooner[0] < later[0] for sooner, later in pairwise(heat.points))
    assert elsewhere == ()


@pytest.mark.usefixtures("patience")
def test_the_sensors_are_closed_and_cards_kept_awake() -> None:
    """The thread ends with the suite, gives the driver back, and never leaves a card alone meanwhile."""
    monitor = ScriptedMonitor(iter(range(1000)))
    with SensorWatch(lambda: cast("Monitor", monitor)) as watch:
        watch.begin()
        assert monitor.may_rest is False

    assert monitor.is_closed
    assert "sensors" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.usefixtures("patience")
def test_a_broken_sensor_costs_no_measurement() -> None:
    """What goes wrong in the thread is the reason given with each case."""

    def broken() -> Monitor:
        raise OSError("the driver is gone")

    with SensorWatch(broken) as watch:
        watch.begin()
        found = watch.end()

    assert (found.count, found.metrics) == (0, {})
    assert [(gap.field, gap.reason, gap.detail) for gap in found.gaps] == [("telemetry", "unreadable", "OSError")]


def test_a_hanging_driver_holds_nothing_up() -> None:
    """A sample that never comes is waited for a moment and then given as the reason."""
    release = threading.Event()
    stuck = SimpleNamespace(may_rest=True, sample=lambda: release.wait(30), close=lambda: None)
    with SensorWatch(lambda: cast("Monitor", stuck)) as watch:
        watch.begin()
        found = watch.end()
        release.set()

    assert [gap.reason for gap in found.gaps] == ["timeout"]


@pytest.mark.usefixtures("patience")
def test_this_computer_can_be_watched() -> None:
    """The real sensors give the processor's use and the memory of a moment."""
    with SensorWatch() as watch:
        watch.begin()
        until_s = time.monotonic() + 0.3
        while time.monotonic() < until_s:
            sum(range(1000))
        found = watch.end()

    used, memory = found.metrics["host.cpu_ratio"], found.metrics["host.memory_used_bytes"]
    assert used is not None
    assert memory is not None
    assert 0 < used.mean <= used.peak <= 1
    assert memory.mean > 0
    assert found.cost_ratio is not None
