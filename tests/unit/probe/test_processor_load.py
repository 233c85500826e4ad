"""How busy is the processor, with this program and without it? Two snapshots and the time between them answer that."""

from typing import Any

import pytest

from advisor.probe.conditions import check_conditions
from advisor.probe.processor_load import Snapshot, other_busy_cores, read_counters
from advisor.probe.readers import Readers
from tests.unit.probe.computers.fakes import FakePsutil, RecordedFiles, no_command
from tests.unit.probe.computers.loads import Computer


def test_load_since_a_snapshot_needs_no_wait() -> None:
    """During a measurement the time since its start counts, and nothing is waited for."""
    computer = Computer(others=4.0)
    start = read_counters(computer.readers(), clock=lambda: computer.now_s)
    computer.sleep(5.0)
    waited: list[float] = []
    found = check_conditions("during", since=start, readers=computer.readers(), sleep=waited.append,
                             clock=lambda: computer.now_s)  # fmt: skip
    assert waited == []
    load = next(condition for condition in found if condition.kind == "other_load")
    assert load.value == pytest.approx(0.5, abs=0.01)
    assert load.when == "during"


def test_no_time_no_statement() -> None:
    """Two snapshots of the same moment say nothing about load."""
    same = Snapshot(taken_s=1.0, busy_s=1.0, own_s=0.0)
    assert other_busy_cores(same, same) is None


def test_load_through_psutil() -> None:
    """Elsewhere than on Linux psutil's counters tell the same."""
    psutil = FakePsutil(logical=8)
    readers = Readers(
        platform="macos", files=RecordedFiles({}, {}), run=no_command, psutil=lambda: psutil, process_id=1
    )
    times = iter([100.0, 110.0])

    def pass_time(_: float) -> None:
        psutil.busy_s += 60.0
        psutil.own_s += 20.0

    found = check_conditions("before", readers=readers, sleep=pass_time, clock=lambda: next(times))
    load = next(condition for condition in found if condition.kind == "other_load")
    assert load.value == pytest.approx(4.0 / 8)


def test_process_that_ended_is_passed_over() -> None:
    """A worker that is gone when the counters are read costs nothing."""
    psutil = FakePsutil()

    def gone(pid: int = 1) -> Any:
        raise psutil.Error

    psutil.Process = gone  # type: ignore[method-assign]
    readers = Readers(platform="macos", files=RecordedFiles({}, {}), psutil=lambda: psutil, process_id=1)
    assert read_counters(readers).own_s == 0.0


def test_own_children_are_ours_on_this_computer() -> None:
    """On the real computer the counters only grow, and ours are no more than all."""
    first = read_counters()
    second = read_counters()
    assert second.busy_s >= first.busy_s
    assert 0 <= first.own_s <= second.own_s
