"""Temperature and power of the processor, from the kernel's files (Linux)."""

from advisor.monitor.source import HIGHEST_CELSIUS, HIGHEST_W, LOWEST_CELSIUS, Files, Missings, Seldom

# hwmon drivers of processors, in order of trust.
# Source: Linux kernel, Documentation/hwmon/{coretemp,k10temp}.rst; zenpower is an outside module for the same chips.
_PROCESSOR_DRIVERS = ("coretemp", "k10temp", "zenpower", "cpu_thermal", "soc_thermal")
_HWMON = "sys/class/hwmon"
_CORES = "sys/devices/system/cpu"
_MOST_CORES = 16
"""So many files are read at most: each costs time, and may wake its core."""
_LOWEST_HZ, _HIGHEST_HZ = 1e6, 2e10
_POWERCAP = "sys/class/powercap"


class PackageTemperature:
    """Temperature of the hottest processor package.

    Check: ``sensors``
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self._paths = Seldom(self._find)

    def sample(self, now_s: float, missings: Missings) -> float | None:
        """Return it now."""
        paths = self._paths.at(now_s)
        if not paths:
            missings.add("cpu_temperature_celsius", "not_found", _HWMON)
            return None
        celsius = _all(self._files, paths, "cpu_temperature_celsius", 1e-3, missings)
        hottest = max(celsius, default=None)
        return missings.plausible("cpu_temperature_celsius", hottest, LOWEST_CELSIUS, HIGHEST_CELSIUS)

    def _find(self) -> list[str]:
        """Return the first sensor of each processor chip: that of the whole package."""
        found: dict[str, list[str]] = {}
        for chip in self._files.names(_HWMON):
            driver = self._files.text(f"{_HWMON}/{chip}/name")
            if driver in _PROCESSOR_DRIVERS:
                found.setdefault(driver, []).append(f"{_HWMON}/{chip}/temp1_input")
        return next((found[driver] for driver in _PROCESSOR_DRIVERS if driver in found), [])


class MeanClock:
    """Mean clock of the cores, of a few of them where there are many.

    Source: Linux kernel, Documentation/admin-guide/pm/cpufreq.rst: ``scaling_cur_freq``, in kHz. Virtual machines have
    none; what ``/proc/cpuinfo`` says there never changes.

    Check: ``grep . /sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq``
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self._paths = Seldom(self._find)

    def sample(self, now_s: float, missings: Missings) -> float | None:
        """Return it now."""
        paths = self._paths.at(now_s)
        if not paths:
            missings.add("cpu_clock_hz", "not_supported", f"{_CORES}/cpu0/cpufreq")
            return None
        clocks = _all(self._files, paths, "cpu_clock_hz", 1e3, missings)
        mean = sum(clocks) / len(clocks) if clocks else None
        return missings.plausible("cpu_clock_hz", mean, _LOWEST_HZ, _HIGHEST_HZ)

    def _find(self) -> list[str]:
        cores = [name for name in self._files.names(_CORES) if name.startswith("cpu") and name[3:].isdigit()]
        chosen = sorted(cores, key=lambda name: int(name[3:]))[:: max(1, len(cores) // _MOST_CORES)]
        paths = [f"{_CORES}/{name}/cpufreq/scaling_cur_freq" for name in chosen]
        return paths if paths and self._files.exists(paths[0]) else []


def _all(files: Files, paths: list[str], name: str, factor: float, missings: Missings) -> list[float]:
    """Return the numbers in files; where none can be read, none and the first reason."""
    read = Missings()
    values = [files.number(path, name, read) for path in paths]
    known = [factor * value for value in values if value is not None]
    if not known:
        missings.found.extend(read.found[:1])
    return known


class PackagePower:
    """Power of the processor packages, from their energy counters (RAPL).

    Source: Linux kernel, Documentation/power/powercap/powercap.rst: ``energy_uj`` counts microjoules up to
    ``max_energy_range_uj`` and starts again; ``intel-rapl-mmio`` shows the same package a second time. Since 2020 only
    root may read it (CVE-2020-8694).

    Check: ``sudo turbostat --show PkgWatt``
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self._zones = Seldom(self._find)
        self._last: dict[str, float] = {}
        self._last_s: float | None = None

    def sample(self, now_s: float, missings: Missings) -> float | None:
        """Return the mean power since the call before."""
        zones = self._zones.at(now_s)
        if not zones:
            missings.add("cpu_power_w", "not_found", _POWERCAP)
            return None
        read = Missings()
        now = {zone: self._files.number(f"{_POWERCAP}/{zone}/energy_uj", "cpu_power_w", read) for zone in zones}
        if read.found:
            missings.found.append(read.found[0])
            return None
        counted = {zone: value for zone, value in now.items() if value is not None}
        before, before_s = self._last, self._last_s
        self._last, self._last_s = counted, now_s
        if before_s is None or before.keys() != counted.keys() or now_s <= before_s:
            return None
        energy_j = sum(self._growth(zone, before[zone], counted[zone]) for zone in zones) * 1e-6
        return missings.plausible("cpu_power_w", energy_j / (now_s - before_s), 0.0, HIGHEST_W)

    def _find(self) -> list[str]:
        return [
            zone
            for zone in self._files.names(_POWERCAP)
            if zone.startswith("intel-rapl:")
            and (self._files.text(f"{_POWERCAP}/{zone}/name") or "").startswith("package")
        ]

    def _growth(self, zone: str, before: float, now: float) -> float:
        if now >= before:
            return now - before
        wrap = self._files.number(f"{_POWERCAP}/{zone}/max_energy_range_uj", "cpu_power_w", Missings()) or 0.0
        return now - before + wrap
