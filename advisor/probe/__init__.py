"""What is this machine? Reads the computer and its accelerators; measures nothing, judges nothing, wakes nothing."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.found_accelerator import FoundAccelerator
from advisor.probe.framework import merge_framework, probe_framework
from advisor.probe.gpu.adapters import probe_adapters
from advisor.probe.gpu.amd import probe_amd
from advisor.probe.gpu.apple import probe_apple
from advisor.probe.gpu.intel import probe_intel
from advisor.probe.gpu.nvidia import probe_nvidia
from advisor.probe.gpu.pci import display_devices
from advisor.probe.guarded_readers import guarded
from advisor.probe.host.detect import probe_host
from advisor.probe.override import Override, apply_overrides
from advisor.probe.readers import Readers, RealFiles
from advisor.probe.windows_registry import display_adapters
from advisor.records.hardware.machine import Host, Machine

T = TypeVar("T")


def probe_machine(
    *, overrides: Sequence[Override] = (), root: Path = Path("/"), readers: Readers | None = None
) -> Machine:
    """Return everything that can be read of this computer without measuring, with its evidence and gaps.

    Args:
        overrides: Accelerators the user set by hand.
        root: Where the probed file system is mounted.
        readers: Replaces everything the probe reads through, to probe a recorded machine.
    """
    readers = guarded(readers or Readers(files=RealFiles(root)))
    log = EvidenceLog()
    host_notes = EvidenceLog()
    host = probe_host(readers, host_notes)
    log.absorb(host_notes, "host")
    found = apply_overrides(_accelerators(readers, host, log), overrides)
    for index, one in enumerate(found):
        log.absorb(one.log, f"accelerators.{index}")
    if not any(one.accelerator.trains for one in found) and not any(gap.field == "accelerators" for gap in log.gaps):
        log.missing("accelerators", "not_found", "no card to train on")
    framework = probe_framework(readers.torch_folder(), log)
    machine = Machine(
        host=host,
        accelerators=tuple(one.accelerator for one in found),
        framework=framework,
        evidence=tuple(log.evidence),
        gaps=tuple(log.gaps),
    )
    return merge_framework(machine, framework)


def _accelerators(readers: Readers, host: Host, log: EvidenceLog) -> list[FoundAccelerator]:
    """Return the accelerators of all vendors, those to train on first."""
    on_windows = readers.platform == "windows"
    devices = _each(
        log, lambda: list(display_adapters(readers.registry) if on_windows else display_devices(readers.files))
    )
    memory_bytes = host.memory.total_bytes
    found = [
        *(_each(log, lambda: probe_nvidia(readers, devices, host, log)) if readers.platform != "macos" else ()),
        *_each(log, lambda: probe_amd(readers, devices)),
        *_each(log, lambda: probe_intel(readers, devices)),
        *_each(log, lambda: probe_apple(readers, memory_bytes, log)),
        *_each(log, lambda: probe_adapters(devices)),
    ]
    return sorted(found, key=lambda one: not one.accelerator.trains)


def _each(log: EvidenceLog, search: Callable[[], list[T]]) -> list[T]:
    """Return what one search finds; what goes wrong in it costs no other's."""
    try:
        return search()
    except Exception as error:  # noqa: BLE001 - the gap says so
        log.missing("accelerators", "unreadable", f"{type(error).__name__}: {error}"[:200])
        return []
