"""What spoils a measurement: each condition with its number, and silence on a computer at rest."""

from typing import Any

import pytest

from advisor.probe.conditions import check_conditions
from advisor.probe.processor_load import read_counters
from advisor.probe.readers import Readers
from advisor.records.results.measured.measurement import Condition
from tests.unit.probe.computers.fakes import GIB, FakePsutil, FakeRegistry, RecordedFiles, linux
from tests.unit.probe.computers.loads import Computer

PLAN = r"SYSTEM\CurrentControlSet\Control\Power\User\PowerSchemes"


def test_computer_at_rest_spoils_nothing() -> None:
    """Nothing to report on an idle desktop."""
    assert Computer().check() == {}


def test_load_of_others_counts() -> None:
    """Two of eight cores used by others are a quarter."""
    found = Computer(others=2.0).check()
    assert found["other_load"].value == pytest.approx(0.25, abs=0.01)
    assert found["other_load"].unit == "ratio"
    assert "few_free_cores" not in found


def test_time_the_host_takes_is_no_load_of_others() -> None:
    """A host that keeps 0.8 of eight cores is named with a tenth; nobody here could close that program."""
    found = Computer(stolen=0.8).check()
    assert found["stolen_time"].value == pytest.approx(0.1, abs=0.005)
    assert "other_load" not in found
    assert "stolen_time" not in Computer(stolen=0.1).check()


def test_our_own_load_does_not_count() -> None:
    """What this program and its child processes use is no load of others."""
    assert Computer(own=7.5).check() == {}


def test_few_free_cores() -> None:
    """Where others leave only one core, the number of free ones is told."""
    found = Computer(others=7.0).check()
    assert found["few_free_cores"].value == pytest.approx(1.0)
    assert found["few_free_cores"].unit == "cores"


def test_limit_to_one_core_is_few() -> None:
    """A container with one core has few cores although the computer has many."""
    limited = Computer(proc__self__status="Cpus_allowed_list: 3")
    assert limited.check()["few_free_cores"].value == pytest.approx(1.0)


def test_battery_and_power_saver_of_a_laptop() -> None:
    """A laptop on battery is reported with its charge; the ordinary powersave governor of amd-pstate is not."""
    found = {c.kind: c for c in check_conditions("before", readers=linux("laptop_amd_igpu_nvidia_asleep"),
                                                 sleep=lambda _: None)}  # fmt: skip
    assert found["on_battery"].value == pytest.approx(0.57)
    assert "power_saver" not in found


def test_little_memory() -> None:
    """Less than a tenth free is little, and the number is what is free."""
    found = Computer(proc__meminfo="MemTotal: 33554432 kB\nMemAvailable: 1048576 kB").check()
    assert found["memory_pressure"].value == pytest.approx(GIB)
    assert found["memory_pressure"].unit == "bytes"


def test_waiting_for_memory() -> None:
    """Programs that wait for memory are told even where some is free."""
    stalls = "some avg10=35.20 avg60=1.00 avg300=0.10 total=1\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0"
    assert "memory_pressure" in Computer(proc__pressure__memory=stalls).check()
    assert "memory_pressure" not in Computer(proc__pressure__memory=stalls.replace("35.20", "0.20")).check()


def clock(khz: int, own: float = 1.0, when: str = "during") -> dict[str, Condition]:
    """Return the conditions of a computer with a nominal clock of 3.4 GHz."""
    folder = "sys__devices__system__cpu__cpu0__cpufreq__"
    files: dict[str, Any] = {f"{folder}base_frequency": "3400000", f"{folder}scaling_cur_freq": str(khz)}
    return Computer(own=own, **files).check(when=when)


def test_slow_clock_under_own_load_is_throttling() -> None:
    """A clock below the nominal one although a core is kept busy means heat or a power limit."""
    assert clock(2800000)["throttled"].value == pytest.approx(2.8e9)
    assert clock(2800000)["throttled"].unit == "hz"
    assert "throttled" not in clock(3400000)
    assert "throttled" not in clock(800000, own=0.0)
    assert "throttled" not in clock(800000, when="before")


def test_heat_counter_that_moved() -> None:
    """Counts of heat from before do not matter, new ones do."""
    folder = "/sys/devices/system/cpu/cpu0/thermal_throttle"
    computer = Computer()
    computer.recorded.files |= {f"{folder}/core_throttle_count": "12", f"{folder}/package_throttle_count": "30"}
    assert computer.check() == {}
    start = read_counters(computer.readers(), clock=lambda: computer.now_s)
    computer.recorded.files[f"{folder}/core_throttle_count"] = "13"
    assert "throttled" in computer.check(since=start)


def windows(power: dict[str, str], battery: Any = None) -> Readers:
    """Return a Windows computer with these power settings."""
    return Readers(platform="windows", files=RecordedFiles({}, {}), registry=FakeRegistry({PLAN: power}),
                   psutil=lambda: FakePsutil(battery=battery), process_id=1)  # fmt: skip


def test_conditions_of_this_computer() -> None:
    """The real counters give conditions of known kinds and possible numbers."""
    for condition in check_conditions("before"):
        if condition.unit == "ratio":
            assert condition.value is not None
            assert 0 <= condition.value <= 1
