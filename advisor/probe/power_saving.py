"""Does the computer save energy? Governor, firmware profile and battery saver of Linux, Windows and macOS."""

import re

from advisor.probe.host.cpu_linux import CPU_FOLDER
from advisor.probe.readers import CommandError, Readers
from advisor.records.hardware.machine import Battery

# Source: Windows SDK, winnt.h GUID_MAX_POWER_SAVINGS; Microsoft, "Customize the Windows performance power slider".
_WINDOWS_SAVER_PLAN = "a1841308-3541-4fab-bc81-f71556f20b4a"
_WINDOWS_SAVER_MODE = "961cc777-2547-4f9d-8174-7d86181b8a7a"
_WINDOWS_POWER = r"SYSTEM\CurrentControlSet\Control\Power\User\PowerSchemes"


def saves_power(readers: Readers, battery: Battery | None) -> bool:
    """Return whether the computer is set to save energy, which slows the processor down."""
    checks = {"linux": _saves_linux, "windows": _saves_windows, "macos": _saves_macos}
    return checks[readers.platform](readers, battery)


def _saves_linux(readers: Readers, _battery: Battery | None) -> bool:
    """Return whether firmware profile, governor or energy preference slow the processor down.

    The governor ``powersave`` is the ordinary one of intel_pstate and amd_pstate in active mode, where the energy
    preference decides; of every other driver it means the lowest clock.
    Source: kernel documentation, admin-guide/pm/intel_pstate and admin-guide/pm/amd-pstate.
    """
    files = readers.files
    folder = f"{CPU_FOLDER}/cpu0/cpufreq"
    driver, governor = files.text(f"{folder}/scaling_driver") or "", files.text(f"{folder}/scaling_governor")
    if files.text("/sys/firmware/acpi/platform_profile") in {"low-power", "quiet"}:
        return True
    if driver in {"intel_pstate", "amd-pstate-epp"}:
        return files.text(f"{folder}/energy_performance_preference") == "power"
    return governor == "powersave"


def _saves_windows(readers: Readers, battery: Battery | None) -> bool:
    values = {key.lower(): str(value).lower() for key, value in readers.registry.values(_WINDOWS_POWER).items()}
    on_battery = battery is not None and battery.is_plugged_in is False
    mode = values.get("activeoverlaydcpowerscheme" if on_battery else "activeoverlayacpowerscheme")
    return values.get("activepowerscheme") == _WINDOWS_SAVER_PLAN or mode == _WINDOWS_SAVER_MODE


def _saves_macos(readers: Readers, _battery: Battery | None) -> bool:
    try:
        return bool(re.search(r"\blowpowermode\s+1\b", readers.run(("pmset", "-g"))))
    except CommandError:  # without pmset there is nothing to ask
        return False
