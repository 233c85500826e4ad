"""The host's sensors: shares, rates, and what happens when they fail."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.monitor.host import SystemSource
from advisor.monitor.source import LOOK_AGAIN_S, Files
from tests.unit.monitor.fakes import GIB, FakeSystem, times, write


def make(system: FakeSystem, root: Path) -> SystemSource:
    """Return a source over a fake system and an empty tree."""
    return SystemSource(system, Files(root), is_linux=True)


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


def test_temperature_is_that_of_the_hottest_package(tmp_path: Path) -> None:
    """The processor's driver is chosen over others, and the hotter of two packages counts."""
    for chip, name, value in (
        ("hwmon0", "nvme", "99000"),
        ("hwmon1", "coretemp", "51000"),
        ("hwmon2", "coretemp", "58000"),
    ):
        write(tmp_path, f"sys/class/hwmon/{chip}/name", name)
        write(tmp_path, f"sys/class/hwmon/{chip}/temp1_input", value)

    assert make(FakeSystem(), tmp_path).sample(0.0).sample.cpu_temperature_celsius == 58.0


@pytest.mark.parametrize("text", ["250000", "-99000", "abc", ""])
def test_a_sensor_that_talks_nonsense_is_unreadable(tmp_path: Path, text: str) -> None:
    """A temperature no processor can have is no temperature."""
    write(tmp_path, "sys/class/hwmon/hwmon0/name", "k10temp")
    write(tmp_path, "sys/class/hwmon/hwmon0/temp1_input", text)

    reading = make(FakeSystem(), tmp_path).sample(0.0)

    assert reading.sample.cpu_temperature_celsius is None
    assert ("cpu_temperature_celsius", "unreadable") in {(row.field, row.reason) for row in reading.missing}


def test_power_comes_from_the_energy_counter_and_survives_its_wrap(tmp_path: Path) -> None:
    """Energy over time is power; a counter that starts again is continued at its range."""
    zone = "sys/class/powercap/intel-rapl:0"
    write(tmp_path, f"{zone}/name", "package-0")
    write(tmp_path, f"{zone}/energy_uj", "1000000")
    write(tmp_path, f"{zone}/max_energy_range_uj", "50000000")
    write(tmp_path, "sys/class/powercap/intel-rapl-mmio:0/name", "package-0")
    write(tmp_path, "sys/class/powercap/intel-rapl-mmio:0/energy_uj", "1000000")
    source = make(FakeSystem(), tmp_path)
    source.sample(0.0)
    write(tmp_path, f"{zone}/energy_uj", "41000000")
    assert source.sample(2.0).sample.cpu_power_w == 20.0

    write(tmp_path, f"{zone}/energy_uj", "1000000")
    assert source.sample(3.0).sample.cpu_power_w == 10.0


def test_other_systems_say_why_there_is_no_temperature(tmp_path: Path) -> None:
    """Where no kernel file gives it, temperature and power are gaps with a reason."""
    reading = SystemSource(FakeSystem(), Files(tmp_path), is_linux=False).sample(0.0)

    assert {"cpu_temperature_celsius", "cpu_power_w"} <= {row.field for row in reading.missing}


amounts = st.floats(min_value=0, max_value=1e6)


@given(before=st.tuples(amounts, amounts, amounts), growth=st.tuples(amounts, amounts, amounts))
def test_a_share_is_a_share(before: tuple[float, float, float], growth: tuple[float, float, float]) -> None:
    """Whatever the counts, the busy share lies between 0 and 1."""
    system = FakeSystem(cpu_times=[times(*before)])
    source = SystemSource(system, Files(Path("/nonexistent")), is_linux=False)
    source.sample(0.0)
    system.answers["cpu_times"] = [times(*(old + more for old, more in zip(before, growth, strict=True)))]

    assert 0.0 <= source.sample(1.0).sample.cores_ratio[0] <= 1.0


def test_the_clock_is_the_mean_of_the_cores(tmp_path: Path) -> None:
    """Cores at 2 and 4 GHz make 3; what is no core is not counted."""
    for name, khz in (("cpu0", 2_000_000), ("cpu1", 4_000_000), ("cpufreq", 1)):
        folder = tmp_path / "sys/devices/system/cpu" / name / "cpufreq"
        folder.mkdir(parents=True)
        (folder / "scaling_cur_freq").write_text(f"{khz}\n", encoding="ascii")
    reading = SystemSource(FakeSystem(), Files(tmp_path), is_linux=True).sample(0.0)

    assert reading.sample.cpu_clock_hz == 3e9


def test_a_virtual_machine_has_no_clock_to_read(tmp_path: Path) -> None:
    """Without the kernel's file the clock is unknown, with the reason."""
    reading = SystemSource(FakeSystem(), Files(tmp_path), is_linux=True).sample(0.0)

    assert reading.sample.cpu_clock_hz is None
    assert ("cpu_clock_hz", "not_supported") in {(row.field, row.reason) for row in reading.missing}


def test_a_sensor_that_comes_later_is_found_within_half_a_minute(tmp_path: Path) -> None:
    """Which sensors there are is looked for seldom; what they say is read each time."""
    source = make(FakeSystem(), tmp_path)
    assert source.sample(0.0).sample.cpu_temperature_celsius is None
    write(tmp_path, "sys/class/hwmon/hwmon0/name", "coretemp")
    write(tmp_path, "sys/class/hwmon/hwmon0/temp1_input", "51000")

    assert source.sample(LOOK_AGAIN_S - 1.0).sample.cpu_temperature_celsius is None
    assert source.sample(LOOK_AGAIN_S).sample.cpu_temperature_celsius == 51.0
    write(tmp_path, "sys/class/hwmon/hwmon0/temp1_input", "52000")
    assert source.sample(LOOK_AGAIN_S + 1.0).sample.cpu_temperature_celsius == 52.0
