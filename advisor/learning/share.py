"""What a report may give to others: an allow-list of its measurements, one file a device, named by its content."""

import hashlib
import re
import secrets
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from advisor import wire
from advisor.card_matching import training_cards
from advisor.catalog import known_device
from advisor.errors import OutputError, system_reason
from advisor.options.own_devices import accelerator_device
from advisor.options.prediction import measured_networks
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Accelerator, Machine
from advisor.records.results.measured.measurement import Measurement
from advisor.records.results.report import Report
from advisor.records.results.shared import SharedCase, SharedMeasurements, System
from advisor.report.formats.write import write_bytes
from advisor.resource import make_private_file, make_private_folder
from advisor.units import GIB

_SOLD_GIB = (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096)
"""Sizes in which memory is sold; a system shows a little less."""
_SPOILS = frozenset({"on_battery", "power_saver", "throttled"})
"""Conditions of a whole check that slow all of it."""
_SYSTEMS: dict[str, System] = {"linux": "Linux", "windows": "Windows", "macos": "macOS", "darwin": "macOS"}
_MOST_CASES = 500
_DIGEST_SIGNS = 32


class NotShared(NamedTuple):
    """Why a report has nothing to give: ``simulated``, ``not_measured``, ``unknown_device`` or ``no_clean_case``."""

    reason: str


def shared_of(report: Report, hand: str) -> tuple[SharedMeasurements, ...] | NotShared:
    """Return what may be shared of a report, one record for each device that the catalogue has.

    Args:
        report: Of a check.
        hand: Random number of the computer; see ``hand_of``.
    """
    if report.is_simulated:
        return NotShared("simulated")
    if report.benchmark is None or not report.benchmark.measurements:
        return NotShared("not_measured")
    devices = list(_devices(report.machine))
    if not devices:
        return NotShared("unknown_device")
    if any(one.kind in _SPOILS for one in report.benchmark.conditions):
        return NotShared("no_clean_case")
    found = tuple(one for device in devices if (one := _of_device(report, hand, *device)) is not None)
    return found or NotShared("no_clean_case")


def _devices(machine: Machine) -> Iterator[tuple[str, Device, Accelerator | None]]:
    """Yield torch's name, the catalogue's device and the card of each that the catalogue has by its own name."""
    for name, _, card in training_cards(machine):
        device = None if card.is_overridden else accelerator_device(card, machine)
        if device is not None:
            yield name, device, card
    cpu = machine.host.cpu
    processor = known_device(cpu.name)
    if processor is not None and processor.device_class == "cpu" and cpu.physical_cores == processor.multiprocessors:
        yield "cpu", processor, None


def _of_device(
    report: Report, hand: str, torch_name: str, device: Device, card: Accelerator | None
) -> SharedMeasurements | None:
    assert report.benchmark is not None, "looked at before"
    networks = measured_networks(report.benchmark)
    cases = [
        _case(one)
        for one in report.benchmark.measurements
        if one.case.device == torch_name
        and one.case.program in ("train", "infer")
        and one.case.network in networks
        and not one.conditions
        and len(one.samples_s) >= 2
    ]
    if not cases:
        return None
    host = report.machine.host
    made = SharedMeasurements(
        hand=hand,
        device=device.name,
        memory_gib=sold_gib(device),
        power_limit_w=None if card is None or not card.power_limit_w else max(1, round(card.power_limit_w)),
        cores=max(1, host.cpu.logical_cores),
        ram_gib=min(_SOLD_GIB, key=lambda size: abs(size - host.memory.total_bytes / GIB)),
        system=_SYSTEMS.get(host.os_name.casefold(), ""),
        month=report.benchmark.started_at[:7],
        torch=_minor(report.benchmark.environment.get("torch") or report.machine.framework.version or ""),
        driver="" if card is None else _minor(card.driver_version or ""),
        program_version=report.program_version,
        cases=tuple(cases[:_MOST_CASES]),
    )
    try:  # a report is a file as well: what does not keep to the limits has no place in another one
        return msgspec.convert(msgspec.to_builtins(made), SharedMeasurements)
    except msgspec.ValidationError:
        return None


def sold_gib(device: Device) -> int | None:
    """Return the memory of a device as the catalogue has it; None where it has none."""
    return None if not device.memory_bytes else max(1, round(device.memory_bytes / GIB))


def _case(measurement: Measurement) -> SharedCase:
    low, median, high = statistics.quantiles(measurement.samples_s, n=4, method="inclusive")
    case = measurement.case
    return SharedCase(
        task="train" if case.program == "train" else "infer",
        network=case.network,
        precision=case.precision,
        batch_size=case.batch_size,
        channels_last=case.options.get("channels_last") is True,
        low_s=low,
        median_s=median,
        high_s=high,
        samples=len(measurement.samples_s),
    )


def _minor(version: str) -> str:
    found = re.match(r"([0-9]{1,4}[.][0-9]{1,4})(?![0-9])", version)
    return "" if found is None else found.group(1)


def hand_of(folder: Path) -> str:
    """Return the random number of this computer, kept in a folder; it is made at the first use.

    Raises:
        OutputError: It cannot be kept.
    """
    path = folder / "hand"
    try:
        if path.is_file() and re.fullmatch(r"[0-9a-f]{16}", known := path.read_text("ascii", "replace")):
            return known
        make_private_folder(folder)
        make_private_file(path)
        made = secrets.token_hex(8)
        path.write_text(made, "ascii")
    except OSError as error:
        raise _cannot_write(path, error) from error
    return made


def file_name(content: bytes) -> str:
    """Return what a file of such content is called: equal ones are one file, and merging folders is copying."""
    return f"{hashlib.sha256(content).hexdigest()[:_DIGEST_SIGNS]}.json"


def write_shared(shared: SharedMeasurements, folder: Path) -> Path:
    """Write a record into a folder and return its file.

    Raises:
        OutputError: It cannot be written.
    """
    content = wire.encode(shared) + b"\n"
    path = folder / file_name(content)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _cannot_write(folder, error) from error
    write_bytes(path, content)
    return path


def _cannot_write(path: Path, error: OSError) -> OutputError:
    return OutputError("{path} could not be written: {reason}.", path=path, reason=system_reason(error))
