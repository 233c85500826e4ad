"""What spoils a measurement: battery, power saving, other programs, the host, heat, few cores, little memory.

What holds a card back its own sensors say, beside each case.

The thresholds are this program's own choice; each condition carries its number, so that others can judge otherwise.
"""

import re
import time
from collections.abc import Callable, Collection, Iterator
from typing import Literal

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.host.cgroup import read_limits
from advisor.probe.host.common import memory_from_psutil, read_psutil_battery
from advisor.probe.host.cpu_linux import CPU_FOLDER, probe_cpu
from advisor.probe.host.linux import read_battery, read_memory
from advisor.probe.host.slurm import within_allocation
from advisor.probe.power_saving import saves_power
from advisor.probe.processor_load import Snapshot, other_busy_cores, own_busy_cores, read_counters, stolen_cores
from advisor.probe.readers import Files, Readers, number
from advisor.records.hardware.interference import OTHER_LOAD_RATIO
from advisor.records.hardware.machine import Battery, Memory
from advisor.records.results.measured.measurement import Condition
from advisor.units import GIB

When = Literal["before", "during"]

STOLEN_RATIO = 0.02
"""Of this much no program can be told to leave it; it is named as soon as it is most of what runs may differ by."""
FEW_FREE_CORES = 1.5
LITTLE_MEMORY_RATIO = 0.10
LITTLE_MEMORY_BYTES = GIB
MEMORY_STALL_RATIO = 0.10
SLOW_CLOCK_RATIO = 0.90
BUSY_CORES = 0.8
_SAMPLE_S = 0.3


def check_conditions(
    when: When,
    *,
    since: Snapshot | None = None,
    own_pids: Collection[int] = (),
    readers: Readers | None = None,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> tuple[Condition, ...]:
    """Return what now spoils a measurement, each with its number.

    Args:
        when: Whether the measurement is still to come or running.
        since: Start of the time that counts for other load and heat; without it, 0.3 s are waited and looked at.
        own_pids: Processes whose load is ours, beside this program and its children.
        readers: Replaces what is read through.
        sleep: Waits so many seconds.
        clock: Seconds from an arbitrary start.
    """
    readers = readers or Readers()
    if since is None:
        since = read_counters(readers, own_pids=own_pids, clock=clock)
        sleep(_SAMPLE_S)
    now = read_counters(readers, own_pids=own_pids, clock=clock)
    battery, memory, usable, logical, base_hz = _state(readers)
    found = [
        *_battery_conditions(battery, when),
        *_power_saver(readers, battery, when),
        *_load_conditions(other_busy_cores(since, now), usable, logical, when),
        *_stolen_time(stolen_cores(since, now), logical, when),
        *_memory_conditions(memory, readers.files, when),
        *_processor_throttling(readers.files, since, now, base_hz=base_hz, when=when),
    ]
    return tuple(found)


def _state(readers: Readers) -> tuple[Battery | None, Memory, float, int, float | None]:
    """Return battery, memory, usable cores, logical cores and nominal clock."""
    log = EvidenceLog()
    if readers.platform == "linux":
        limits = within_allocation(read_limits(readers.files), readers.environment)
        cpu = probe_cpu(readers.files, readers.architecture, "not_found", limits, log)
        memory = read_memory(readers.files, limits, log)
        return read_battery(readers.files)[0], memory, cpu.usable_cores, cpu.logical_cores, cpu.base_frequency_hz
    psutil = readers.psutil()
    logical = int(psutil.cpu_count(logical=True) or 1)
    memory = memory_from_psutil(psutil, log, "")
    return read_psutil_battery(psutil, log), memory, float(logical), logical, None


def _battery_conditions(battery: Battery | None, when: When) -> Iterator[Condition]:
    if battery is not None and battery.is_plugged_in is False:
        unit = "ratio" if battery.charge_ratio is not None else ""
        yield Condition(kind="on_battery", value=battery.charge_ratio, unit=unit, when=when)


def _power_saver(readers: Readers, battery: Battery | None, when: When) -> Iterator[Condition]:
    if saves_power(readers, battery):
        yield Condition(kind="power_saver", when=when)


def _load_conditions(others: float | None, usable: float, logical: int, when: When) -> Iterator[Condition]:
    if others is None:
        return
    share = others / logical
    if share >= OTHER_LOAD_RATIO:
        yield Condition(kind="other_load", value=min(share, 1.0), unit="ratio", when=when)
    free = max(min(usable, logical - others), 0.0)
    if free < FEW_FREE_CORES:
        yield Condition(kind="few_free_cores", value=round(free, 1), unit="cores", when=when)


def _stolen_time(stolen: float | None, logical: int, when: When) -> Iterator[Condition]:
    """Yield a host that lets other virtual machines have the cores this one had work for."""
    share = (stolen or 0.0) / logical
    if share >= STOLEN_RATIO:
        yield Condition(kind="stolen_time", value=min(share, 1.0), unit="ratio", when=when)


def _memory_conditions(memory: Memory, files: Files, when: When) -> Iterator[Condition]:
    """Yield little free memory, or programs that wait for memory (pressure stall information)."""
    little = max(LITTLE_MEMORY_RATIO * memory.limit_bytes, LITTLE_MEMORY_BYTES)
    if memory.available_bytes < little or _memory_stall(files) >= MEMORY_STALL_RATIO:
        yield Condition(kind="memory_pressure", value=float(memory.available_bytes), unit="bytes", when=when)


def _memory_stall(files: Files) -> float:
    """Return the share of the last ten seconds in which some program waited for memory."""
    match = re.search(r"some avg10=([\d.]+)", files.text("/proc/pressure/memory") or "")
    return float(match.group(1)) / 100 if match else 0.0


def _processor_throttling(
    files: Files, since: Snapshot, now: Snapshot, *, base_hz: float | None, when: When
) -> Iterator[Condition]:
    """Yield a clock well below the nominal one although this program kept a core busy, or heat counted meanwhile."""
    hottest = max((number(files.text(f"{CPU_FOLDER}/{name}/cpufreq/scaling_cur_freq")) or 0
                   for name in files.names(CPU_FOLDER) if re.fullmatch(r"cpu\d+", name)), default=0) * 1e3  # fmt: skip
    is_busy = (own_busy_cores(since, now) or 0.0) >= BUSY_CORES
    if when == "during" and base_hz is not None and is_busy and 0 < hottest < SLOW_CLOCK_RATIO * base_hz:
        yield Condition(kind="throttled", value=hottest, unit="hz", when=when)
    elif None not in {since.throttle_count, now.throttle_count} and now.throttle_count != since.throttle_count:
        yield Condition(kind="throttled", when=when)
