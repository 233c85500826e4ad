"""What spoils a measurement: each condition with its number, and silence on a computer at rest."""

from typing import Any

import pytest

from advisor.probe.conditions import check_conditions
from advisor.probe.processor_load import Snapshot, other_busy_cores, take_snapshot
from advisor.probe.readers import CommandError, Readers
from advisor.records.results.measurement import Condition
from tests.unit.probe.fakes import (
    GIB,
    FakePsutil,
    FakeRegistry,
    RecordedFiles,
    linux,
    no_command,
)

CORES = 8
CPUINFO = "\n".join(f"processor : {i}\nvendor_id : AuthenticAMD\nmodel name : X\n" for i in range(CORES))
PLAN = r"SYSTEM\CurrentControlSet\Control\Power\User\PowerSchemes"


class Computer:
    """A Linux computer whose counters the test turns; waiting moves time and the counters on."""

    def __init__(self, others: float = 0.0, own: float = 0.0, stolen: float = 0.0, **files: str) -> None:
        self.others, self.own, self.stolen, self.now_s = others, own, stolen, 1000.0
        self.files = {
            "/proc/cpuinfo": CPUINFO,
            "/proc/meminfo": "MemTotal: 33554432 kB\nMemAvailable: 25165824 kB",
            "/proc/self/status": "Cpus_allowed_list: 0-7",
        } | {"/" + name.replace("__", "/"): text for name, text in files.items()}
        self.recorded = RecordedFiles(self.files, {})
        self._own_s = self._other_s = self._stolen_s = 0.0
        self.sleep(0.0)

    def sleep(self, seconds: float) -> None:
        """Let time pass: the programs use their share of it."""
        self.now_s += seconds
        self._own_s += self.own * seconds
        self._other_s += self.others * seconds
        self._stolen_s += self.stolen * seconds
        busy = round((self._own_s + self._other_s) * 100)
        self.recorded.files["/proc/stat"] = f"cpu  {busy} 0 0 999999 5 0 0 {round(self._stolen_s * 100)} 0 0"
        half = round(self._own_s * 50)
        fields = "S 1 0 0 0 0 0 0 0 0 0"
        self.recorded.files["/proc/1234/stat"] = f"1234 (python (x)) {fields} {half} 0 0 0"
        self.recorded.files["/proc/1300/stat"] = f"1300 (worker) {fields.replace('S 1 ', 'S 1234 ')} 0 {half} 0 0"

    def readers(self, nvml: Any = None) -> Readers:
        """Return readers of this computer."""
        return Readers(platform="linux", architecture="x86_64", files=self.recorded, process_id=1234, run=no_command,
                       nvml=lambda: nvml)  # fmt: skip

    def check(self, **options: Any) -> dict[str, Condition]:
        """Return the conditions by kind."""
        when = options.pop("when", "before")
        nvml = options.pop("nvml", None)
        found = check_conditions(
            when, readers=self.readers(nvml), sleep=self.sleep, clock=lambda: self.now_s, **options
        )
        return {condition.kind: condition for condition in found}


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


def test_load_since_a_snapshot_needs_no_wait() -> None:
    """During a measurement the time since its start counts, and nothing is waited for."""
    computer = Computer(others=4.0)
    start = take_snapshot(computer.readers(), clock=lambda: computer.now_s)
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


@pytest.mark.parametrize(
    ("files", "saves"),
    [
        ({"sys__firmware__acpi__platform_profile": "low-power"}, True),
        ({"sys__firmware__acpi__platform_profile": "balanced"}, False),
        ({"scaling_driver": "acpi-cpufreq", "scaling_governor": "powersave"}, True),
        ({"scaling_driver": "acpi-cpufreq", "scaling_governor": "schedutil"}, False),
        ({"scaling_driver": "intel_pstate", "scaling_governor": "powersave"}, False),
        ({"scaling_driver": "intel_pstate", "energy_performance_preference": "power"}, True),
        ({"scaling_driver": "amd-pstate-epp", "energy_performance_preference": "balance_power"}, False),
    ],
)
def test_power_saving_on_linux(files: dict[str, str], saves: bool) -> None:
    """Profile, governor and energy preference are judged by the driver they belong to."""
    folder = "sys__devices__system__cpu__cpu0__cpufreq__"
    placed = {name if name.startswith("sys") else folder + name: text for name, text in files.items()}
    assert ("power_saver" in Computer(**placed).check()) == saves


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
    files = {f"{folder}base_frequency": "3400000", f"{folder}scaling_cur_freq": str(khz)}
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
    start = take_snapshot(computer.readers(), clock=lambda: computer.now_s)
    computer.recorded.files[f"{folder}/core_throttle_count"] = "13"
    assert "throttled" in computer.check(since=start)


def windows(power: dict[str, str], battery: Any = None) -> Readers:
    """Return a Windows computer with these power settings."""
    return Readers(platform="windows", files=RecordedFiles({}, {}), registry=FakeRegistry({PLAN: power}),
                   psutil=lambda: FakePsutil(battery=battery), process_id=1)  # fmt: skip


@pytest.mark.parametrize(
    ("power", "plugged", "saves"),
    [
        ({"ActivePowerScheme": "a1841308-3541-4fab-bc81-f71556f20b4a"}, True, True),
        ({"ActivePowerScheme": "381b4222-f694-41f0-9685-ff5bb260df2e"}, True, False),
        ({"ActiveOverlayDcPowerScheme": "961CC777-2547-4F9D-8174-7D86181B8A7A"}, False, True),
        ({"ActiveOverlayDcPowerScheme": "961cc777-2547-4f9d-8174-7d86181b8a7a"}, True, False),
        ({}, True, False),
    ],
)
def test_power_saving_on_windows(power: dict[str, str], plugged: bool, saves: bool) -> None:
    """The plan counts always, the mode of the slider for the source in use."""
    battery = type("Battery", (), {"percent": 80, "power_plugged": plugged})()
    found = {c.kind for c in check_conditions("before", readers=windows(power, battery), sleep=lambda _: None)}
    assert ("power_saver" in found) == saves
    assert ("on_battery" in found) == (not plugged)


@pytest.mark.parametrize(("printed", "saves"), [(" lowpowermode         1\n", True), (" lowpowermode 0\n", False),
                                                (None, False)])  # fmt: skip
def test_power_saving_on_macos(printed: str | None, saves: bool) -> None:
    """Pmset tells the low power mode; without it nothing is claimed."""

    def run(_: object) -> str:
        if printed is None:
            raise CommandError("pmset")
        return printed

    readers = Readers(platform="macos", files=RecordedFiles({}, {}), run=run, psutil=FakePsutil, process_id=1)
    found = {c.kind for c in check_conditions("before", readers=readers, sleep=lambda _: None)}
    assert ("power_saver" in found) == saves


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
    assert take_snapshot(readers).own_s == 0.0


def test_conditions_of_this_computer() -> None:
    """The real counters give conditions of known kinds and possible numbers."""
    for condition in check_conditions("before"):
        if condition.unit == "ratio":
            assert condition.value is not None
            assert 0 <= condition.value <= 1


def test_own_children_are_ours_on_this_computer() -> None:
    """On the real computer the counters only grow, and ours are no more than all."""
    first = take_snapshot()
    second = take_snapshot()
    assert second.busy_s >= first.busy_s
    assert 0 <= first.own_s <= second.own_s
