"""Read what others measured, reports as well as shared files, and leave out what cannot be true or tells too little."""

import hashlib
import math
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from advisor import wire
from advisor.catalog import find_device, network, network_names
from advisor.errors import InputError, UnknownNameError
from advisor.given_files import ENDINGS, contents
from advisor.learning.share import NotShared, file_name, shared_of, sold_gib
from advisor.options.prediction import SAME_WORK
from advisor.predict.timing.device_rates import has_rates, peaks
from advisor.records.hardware.device import Device
from advisor.records.job.work import Network
from advisor.records.results.fleet import RefusedFile
from advisor.records.results.report import Report
from advisor.records.results.shared import SHARED_FORMAT, SharedCase, SharedFault, SharedMeasurements

LARGEST_SHARED_BYTES = 256 * 1024
"""Five hundred cases take less than half of it."""
PEAK_MARGIN = 1.2
"""GeForce cards of every generation reach 1.01 to 1.13 of the tensor rate on their data sheet, for they clock higher
(``resources/coefficients``, plateaus of 77 devices); more than this is no measurement."""
WIDEST_SPREAD = 0.25
"""Of the quartiles, over the median: a computer that does something else meanwhile. Source: llmfit, issue 910."""
_SHORT = {"amp", "fp16", "bf16"}


class LeftOut(NamedTuple):
    """A file, or cases of it, that nothing is learned of: its name on this computer, why, and how many cases."""

    name: str
    reason: SharedFault
    cases: int = 0


class Gathered(NamedTuple):
    """What is believed, in the order of its digests, so that names and dates of the files change nothing."""

    shared: tuple[SharedMeasurements, ...]
    digests: tuple[str, ...]
    left_out: tuple[LeftOut, ...]


def gather(path: Path) -> Gathered:
    """Return the measurements in a folder and those below it, in a ``.zip`` or in a ``.jsonl``; equal files count once.

    Raises:
        InputError: The path is neither.
    """
    if not (path.is_dir() or (path.is_file() and path.suffix.lower() in ENDINGS)):
        raise InputError("{file} is not a folder, .zip or .jsonl of measurements.", file=path.name or str(path))
    found: dict[str, tuple[SharedMeasurements, ...]] = {}
    left_out: list[LeftOut] = []
    for name, raw in contents(path):
        if isinstance(raw, RefusedFile):
            left_out.append(LeftOut(name, _as_fault(raw.reason)))
            continue
        content = wire.as_utf8(raw)
        digest = file_name(content).removesuffix(".json")
        if digest in found:
            continue
        read = _read(content)
        if isinstance(read, tuple):
            checked = [_checked(one, name) for one in read]
            found[digest] = tuple(one for one, _ in checked if one is not None)
            left_out += [fault for _, faults in checked for fault in faults]
        else:
            left_out.append(LeftOut(name, read))
    kept = {digest: found[digest] for digest in sorted(found) if found[digest]}
    return Gathered(tuple(one for group in kept.values() for one in group), tuple(kept), tuple(sorted(left_out)))


def _as_fault(reason: str) -> SharedFault:
    return "link" if reason == "link" else "too_large" if reason == "too_large" else "unreadable"


def _read(content: bytes) -> tuple[SharedMeasurements, ...] | SharedFault:
    """Return what a file says; a report is cut down to what may be shared of it before anything else is done."""
    if SHARED_FORMAT.encode() in content[:4096]:
        if len(content) > LARGEST_SHARED_BYTES:
            return "too_large"
        try:
            return (msgspec.json.decode(content, type=SharedMeasurements),)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return "format"
    try:
        report = wire.decode_report(content)
    except InputError:
        return "format"
    found = shared_of(report, _hand(report))
    return _NOT_SHARED[found.reason] if isinstance(found, NotShared) else found


_NOT_SHARED: dict[str, SharedFault] = {
    "simulated": "simulated",
    "not_measured": "not_measured",
    "unknown_device": "device",
    "no_clean_case": "conditions",
}


def _hand(report: Report) -> str:
    """Return whose report it is: the label's, else that of all computers of such parts, which are one hand."""
    host = report.machine.host
    told = report.label.encode() or wire.encode_line(host.cpu) + str(host.memory.total_bytes).encode()
    return hashlib.sha256(told).hexdigest()[:16]


def _checked(shared: SharedMeasurements, name: str) -> tuple[SharedMeasurements | None, list[LeftOut]]:
    """Return what is left of a record after the gates, and why the rest is not believed."""
    device = device_of(shared)
    if device is None:
        return None, [LeftOut(name, "device", len(shared.cases))]
    faults: dict[SharedFault, int] = {}
    kept: list[SharedCase] = []
    for case in shared.cases:
        fault = case_fault(case, device)
        if fault is None:
            kept.append(case)
        else:
            faults[fault] = faults.get(fault, 0) + 1
    left_out = [LeftOut(name, fault, count) for fault, count in faults.items()]
    return (msgspec.structs.replace(shared, cases=tuple(kept)) if kept else None), left_out


def device_of(shared: SharedMeasurements) -> Device | None:
    """Return the catalogue's device; None where it has none by exactly this name, or with other memory.

    No neighbour stands for it.
    """
    try:
        device = find_device(shared.device)
    except UnknownNameError:
        return None
    is_it = device.name == shared.device and shared.memory_gib in (None, sold_gib(device))
    return device if is_it and has_rates(device) else None


def case_fault(case: SharedCase, device: Device) -> SharedFault | None:
    """Return why a case is not believed; None where it may be true."""
    work = shared_network(case.network)
    if work is None:
        return "network"
    if not case.low_s <= case.median_s <= case.high_s:
        return "format"
    if case.high_s - case.low_s > WIDEST_SPREAD * case.median_s:
        return "spread"
    rate = step_flop(work, case) / case.median_s
    return "physics" if rate > PEAK_MARGIN * _peak(device, case) else None


def _peak(device: Device, case: SharedCase) -> float:
    """Return the rate above which nothing can be at a precision; convolutions in fp32 may run in TF32."""
    vector, tf32, half = peaks(device, case.precision)
    return max(vector, tf32, half if case.precision in _SHORT else 0.0)


def step_flop(work: Network, case: SharedCase) -> float:
    """Return the arithmetic of a step."""
    forward = case.task == "infer"
    operations = (one for one in work.operations if not forward or one.phase == "forward")
    return case.batch_size * math.fsum(one.count * one.flop_per_sample for one in operations)


def shared_network(name: str) -> Network | None:
    """Return the work of a network by the name that measurements have for it; None of one the catalogue lacks."""
    same = SAME_WORK.get(name, name)
    return network(same) if same in _names() else None


@cache
def _names() -> frozenset[str]:
    return frozenset(network_names())
