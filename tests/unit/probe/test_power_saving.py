"""Power saving as Linux, Windows and macOS show it."""

from typing import Any

import pytest

from advisor.probe.conditions import check_conditions
from advisor.probe.readers import CommandError, Readers
from tests.unit.probe.computers.fakes import FakePsutil, RecordedFiles
from tests.unit.probe.computers.loads import Computer
from tests.unit.probe.test_conditions import windows


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
    placed: dict[str, Any] = {name if name.startswith("sys") else folder + name: text for name, text in files.items()}
    assert ("power_saver" in Computer(**placed).check()) == saves


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
