"""The host's sensors: shares, rates, and what happens when they fail."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.monitor.host import SystemSource
from advisor.monitor.source import Files
from tests.unit.monitor.computers.fakes import GIB, FakeSystem, times
from tests.unit.monitor.computers.sampled_host import make


def test_shares_and_rates_are_against_the_sample_before(tmp_path: Path) -> None:
    """Two samples two seconds apart give the share of busy time and the bytes per second in between."""
    system = FakeSystem()
    source = make(system, tmp_path)
    source.sample(10.0)
    system.answers.update(
        cpu_times=[times(1.5, 0.5), times(0.0, 2.0)],
        disk_io_counters=SimpleNamespace(read_bytes=4000, write_bytes=1000),
        net_io_counters={
            "lo": SimpleNamespace(bytes_recv=9**12, bytes_sent=9**12),
            "eth0": SimpleNamespace(bytes_recv=600, bytes_sent=200),
        },
    )

    sample = source.sample(12.0).sample

    assert sample.cores_ratio == (0.75, 0.0)
    assert sample.cpu_ratio == 0.375
    assert (sample.disk_read_bytes_per_s, sample.disk_written_bytes_per_s) == (2000.0, 500.0)
    assert (sample.network_received_bytes_per_s, sample.network_sent_bytes_per_s) == (300.0, 100.0)
    assert (sample.memory_used_bytes, sample.memory_total_bytes) == (6 * GIB, 16 * GIB)


def test_the_first_sample_knows_no_rates(tmp_path: Path) -> None:
    """Without a sample before there is nothing to compare with, and nothing is invented."""
    sample = make(FakeSystem(), tmp_path).sample(0.0).sample

    assert sample.cpu_ratio is None
    assert sample.cores_ratio == ()
    assert sample.disk_read_bytes_per_s is None


def test_a_counter_set_back_gives_no_rate(tmp_path: Path) -> None:
    """A counter that starts again is no negative rate."""
    system = FakeSystem(disk_io_counters=SimpleNamespace(read_bytes=5000, write_bytes=5000))
    source = make(system, tmp_path)
    source.sample(0.0)
    system.answers["disk_io_counters"] = SimpleNamespace(read_bytes=10, write_bytes=6000)

    sample = source.sample(1.0).sample

    assert sample.disk_read_bytes_per_s is None
    assert sample.disk_written_bytes_per_s == 1000.0


def test_a_core_that_goes_offline_is_survived(tmp_path: Path) -> None:
    """Where the number of cores changes, the next sample starts again."""
    system = FakeSystem()
    source = make(system, tmp_path)
    source.sample(0.0)
    system.answers["cpu_times"] = [times(1, 1)]

    assert source.sample(1.0).sample.cores_ratio == ()

    system.answers["cpu_times"] = [times(2, 1)]
    assert source.sample(2.0).sample.cores_ratio == (1.0,)


@pytest.mark.parametrize("error", [PermissionError(), OSError(), RuntimeError(), AttributeError(), ValueError()])
def test_a_failing_call_is_a_gap(tmp_path: Path, error: Exception) -> None:
    """Whatever psutil raises becomes a reason, and the other values are still there."""
    system = FakeSystem(cpu_times=error, disk_io_counters=error)

    reading = make(system, tmp_path).sample(0.0)

    missing = {row.field: row.reason for row in reading.missing}
    expected = "permission_denied" if isinstance(error, PermissionError) else "unreadable"
    assert missing["cpu_ratio"] == missing["disk_read_bytes_per_s"] == missing["disk_written_bytes_per_s"] == expected
    assert reading.sample.memory_total_bytes == 16 * GIB


def test_a_machine_without_disks_says_so(tmp_path: Path) -> None:
    """A container may have no disks at all, which psutil says with None; that is a gap."""
    reading = make(FakeSystem(disk_io_counters=None), tmp_path).sample(0.0)

    assert {"disk_read_bytes_per_s", "disk_written_bytes_per_s"} <= {row.field for row in reading.missing}


amounts = st.floats(min_value=0, max_value=1e6)


@given(before=st.tuples(amounts, amounts, amounts), growth=st.tuples(amounts, amounts, amounts))
def test_a_share_is_a_share(before: tuple[float, float, float], growth: tuple[float, float, float]) -> None:
    """Whatever the counts, the busy share lies between 0 and 1."""
    system = FakeSystem(cpu_times=[times(*before)])
    source = SystemSource(system, Files(Path("/nonexistent")), is_linux=False)
    source.sample(0.0)
    system.answers["cpu_times"] = [times(*(old + more for old, more in zip(before, growth, strict=True)))]

    assert 0.0 <= source.sample(1.0).sample.cores_ratio[0] <= 1.0
