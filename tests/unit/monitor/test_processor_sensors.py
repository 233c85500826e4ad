"""Temperature and power of the processor, from the kernel's files (Linux)."""

from pathlib import Path

import pytest

from advisor.monitor.host import SystemSource
from advisor.monitor.source import LOOK_AGAIN_S, Files
from tests.unit.monitor.computers.fakes import FakeSystem, write
from tests.unit.monitor.computers.sampled_host import make


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
