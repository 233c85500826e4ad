"""Time of one pass over a batch with its optimizer step, on many devices at once, and what it is made of."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import msgspec
import numpy as np

from advisor.predict.coefficients import TimeCoefficients, time_coefficients
from advisor.predict.timing.device_rates import allowed_modes, host_age, host_kind, machines
from advisor.predict.timing.families import family_of
from advisor.predict.timing.kernels import (
    CONV,
    DEPTHWISE,
    GROUPED,
    Allowed,
    Flags,
    Floats,
    Indices,
    KernelConstants,
    KernelWork,
    Machines,
    is_of,
    operation_seconds,
)
from advisor.predict.timing.network_factors import usual_factor
from advisor.predict.timing.optimizer_work import FUSED_BYTES, clearing_kernels, optimizer_bytes, optimizer_kernels
from advisor.predict.timing.step_work import REDUCED, LaunchWeights, kernel_work, launches, trained_parameters
from advisor.records.hardware.device import Device
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload

DEVICE_PARTS = ("compute", "memory_bandwidth", "launch")
"""Parts of the time that every micro-batch takes; the optimizer comes once a step."""
_PORTION = 8192
"""Numbers in an array of one portion."""
HIDING = 5.0
"""Exponent that joins the device's time and the processor's: the shorter hides behind the longer."""


@dataclass(frozen=True)
class StepTimes:
    """Seconds by device.

    Attributes:
        arithmetic, traffic, launch, optimizer: Parts; together they are the whole.
        convolution_ratio: Share of the time in convolutions.
    """

    arithmetic: Floats
    traffic: Floats
    launch: Floats
    optimizer: Floats
    convolution_ratio: Floats

    def of(self, row: int) -> dict[str, float]:
        """Return the parts of one device by name, and ``convolution``, the share in convolutions."""
        return {
            "compute": float(self.arithmetic[row]),
            "memory_bandwidth": float(self.traffic[row]),
            "launch": float(self.launch[row]),
            "optimizer": float(self.optimizer[row]),
            "convolution": float(self.convolution_ratio[row]),
        }

    @property
    def total(self) -> Floats:
        """All parts together."""
        return self.arithmetic + self.traffic + self.launch + self.optimizer


_Known = dict[tuple[int, bytes], tuple[Network, StepTimes]]
_REMEMBERED: ContextVar[_Known | None] = ContextVar("steps of single devices", default=None)


@contextmanager
def remembering_steps() -> Iterator[None]:
    """Work out the same step on the same device once: in a room, equal computers measured the same cases.

    The constants of the model must not change meanwhile.
    """
    before = _REMEMBERED.set({})
    try:
        yield
    finally:
        _REMEMBERED.reset(before)


def step_times(
    network: Network,
    workload: Workload,
    devices: Sequence[Device],
    batch_size: float,
    host_years: Sequence[int | None] | None = None,
) -> StepTimes:
    """Return the time of one step of ``batch_size`` samples on each device alone.

    Args:
        network: What is trained, or asked.
        workload: How.
        devices: The devices.
        batch_size: Samples.
        host_years: Of the processor beside each device; None: as old as the device.
    """
    years = host_years or [None] * len(devices)
    known = _REMEMBERED.get()
    if known is None or len(devices) != 1:
        return _step_times(network, workload, devices, batch_size, years)
    device = msgspec.structs.replace(
        devices[0], memory_bytes=None
    )  # no part of the time, and a little different in each
    # A network is a large table and one object for all who ask for it; held here, it keeps its id.
    key = (id(network), msgspec.msgpack.encode((workload, device, batch_size, years)))
    if key not in known:
        known[key] = (network, _step_times(network, workload, devices, batch_size, years))
    return known[key][1]


def _step_times(
    network: Network,
    workload: Workload,
    devices: Sequence[Device],
    batch_size: float,
    host_years: Sequence[int | None],
) -> StepTimes:
    coefficients = time_coefficients()
    is_processor = np.array([family_of(device) == "cpu" for device in devices])
    columns = machines(devices, coefficients, workload.precision)
    slower = np.array([device_factor(coefficients, device, workload) for device in devices])[:, None]
    hosts = np.array([host_ratio(coefficients, *each) for each in zip(devices, host_years, strict=True)])
    parts = np.zeros((4, len(devices)))
    for processor in sorted(set(is_processor.tolist())):
        # Programs on processors were measured compiled, and their factor has it in it.
        job = msgspec.structs.replace(workload, compiled=False) if processor else workload
        work = kernel_work(network, job, batch_size)
        allowed = allowed_modes(work, workload.precision)
        software = _software_of(coefficients, network, workload, processor=processor)
        kernels = (coefficients.processor_kernels if processor else coefficients.kernels).constants()
        for some in _portions(np.flatnonzero(is_processor == processor), len(work.group)):
            parts[:, some] = _parts(
                work,
                workload,
                _rows(columns, some),
                coefficients,
                slower=slower[some],
                hosts=hosts[some],
                kernels=kernels,
                allowed=allowed,
                software=software,
            )
    optimizer = _optimizer_s(network, workload, columns, coefficients, is_processor)
    return StepTimes(parts[0], parts[1], parts[2], optimizer, parts[3])


def _portions(rows: Indices, columns: int) -> Iterator[Indices]:
    """Yield the rows in portions whose arrays stay in the processor's cache, which makes them three times as fast."""
    size = max(1, _PORTION // max(1, columns))
    yield from (rows[start : start + size] for start in range(0, len(rows), size))


def host_ratio(coefficients: TimeCoefficients, device: Device, year: int | None = None) -> float:
    """Return what a launch costs in the computer around a device, relative to a desktop computer of 2020.

    Args:
        coefficients: Those of time.
        device: The device.
        year: Of the processor beside it; None: as old as the device.
    """
    kind = coefficients.hosts[host_kind(device)] * (coefficients.hosts["rocm"] if device.vendor == "amd" else 1.0)
    return kind * math.exp(coefficients.dispatch_fall * host_age(device, year))


def device_factor(coefficients: TimeCoefficients, device: Device, workload: Workload) -> float:
    """Return the time of jobs on this very device over what its figures say; 1 where nothing is known of it."""
    full, half = coefficients.devices.get(device.name, (1.0, 1.0))
    known = half if workload.precision in REDUCED else full
    year = workload.framework_year
    is_first = device.device_class == "apple" and year is not None and year <= _FIRST_METAL_UNTIL
    return known * _FIRST_METAL if is_first else known


_FIRST_METAL_UNTIL, _FIRST_METAL = 2022, 1.6
"""Time of PyTorch's first programs for Metal, over what they take since.

An M1 Max took 1.8 times as long as it should with BERT (lucadiliello/pytorch-apple-silicon-benchmarks, 2022) and with
ResNet-50 (karimamunaff/apple-silicon-pytorch, 2022), an M1 Ultra 1.2 times. With PyTorch 2.1 an M1 Pro, an M3 and an M3
Pro train ResNet-50 within 15 % of what is said (mrdbourke/mac-ml-speed-test, 2023).
"""


def plain_step_s(network: Network, workload: Workload, device: Device) -> float:
    """Return the time of one step on one device without input pipeline and corrections."""
    return float(step_times(network, workload, [device], workload.batch_size).total[0])


@dataclass(frozen=True)
class _Software:
    """How a program differs from its kernels.

    Attributes:
        ratio: Its time on the device over that of the kernels alone.
        dispatch_s: What the processor needs to launch a kernel of the forward pass; ``dispatch_backward``: the same for
            the backward pass, relative to it.
        weights: Which launches take longer than others.
        updates: Kernels of an optimizer that takes one tensor after the other.
        cleared: Kernels that set gradients to zero and add the new ones.
    """

    ratio: float
    dispatch_s: float
    dispatch_backward: float
    weights: LaunchWeights
    updates: float = 0.0
    cleared: float = 0.0


def _software_of(coefficients: TimeCoefficients, network: Network, workload: Workload, *, processor: bool) -> _Software:
    if processor:  # which computes by itself what it launches
        return _Software(coefficients.software[f"processor_{workload.task}"], 0.0, 1.0, LaunchWeights(1.0, 1.0, 1.0))
    year = workload.framework_year
    of = coefficients if year is None else coefficients.generation(year)
    key = f"{workload.task}_half" if workload.precision in REDUCED else workload.task
    ratio = of.software.get(f"{key}_{network.family}", of.software[key])
    ratio *= usual_factor(coefficients, network, workload)
    launched = coefficients.compiled if workload.compiled else 1.0
    return _Software(
        ratio,
        of.dispatch_s * launched,
        of.dispatch_backward,
        coefficients.launch_weights.weights(),
        updates=optimizer_kernels(network, workload),
        cleared=clearing_kernels(network, workload),
    )


def _parts(
    work: KernelWork,
    workload: Workload,
    rows: Machines,
    coefficients: TimeCoefficients,
    *,
    slower: Floats,
    hosts: Floats,
    kernels: KernelConstants,
    allowed: Allowed,
    software: _Software,
) -> Floats:
    """Return arithmetic, traffic, launch, and the share of convolutions; a row each, a column a device."""
    seconds, arithmetic, traffic = operation_seconds(work, allowed, rows, kernels)
    ratio = software.ratio * slower[:, 0]
    busy = seconds - work.kernels * rows.gap_s
    gaps = work.kernels.sum() * rows.gap_s[:, 0] * ratio
    busy_s = busy.sum(axis=1) * ratio
    device_s = busy_s + gaps
    arithmetic_s = (busy * (arithmetic >= traffic)).sum(axis=1) * ratio
    share = (busy @ is_of(work.group, (CONV, GROUPED, DEPTHWISE))) * ratio / device_s
    forward, backward = (found.sum() for found in launches(work, software.weights))
    backward += software.cleared * software.weights.backward
    dispatch_s = software.dispatch_s * hosts * (forward + software.dispatch_backward * backward + software.updates)
    whole = joined_s(device_s, dispatch_s)
    return np.stack([arithmetic_s, busy_s - arithmetic_s, gaps + whole - device_s, share])


def _optimizer_s(
    network: Network, workload: Workload, columns: Machines, coefficients: TimeCoefficients, is_processor: Flags
) -> Floats:
    """Return the time to update the parameters; a processor's passes over a tensor stay in its cache."""
    if workload.task == "infer":
        return np.zeros(len(columns.bytes_per_s))
    each = np.where(is_processor, FUSED_BYTES[workload.optimizer], optimizer_bytes(workload))
    moved = each * trained_parameters(network, workload.method)
    return np.asarray(moved * coefficients.optimizer_passes / columns.bytes_per_s[:, 0])


def joined_s(device_s: Floats, launch_s: Floats | float) -> Floats:
    """Return the time of kernels that are launched while others run: about the longer of both."""
    longest = np.maximum(np.maximum(device_s, launch_s), 1e-30)
    together = (device_s / longest) ** HIDING + (launch_s / longest) ** HIDING
    return np.asarray(longest * together ** (1.0 / HIDING))


def _rows(columns: Machines, some: Sequence[int] | np.ndarray) -> Machines:
    """Return the rows of some devices."""
    return Machines(
        plateau_flop_per_s=columns.plateau_flop_per_s[:, some],
        units=columns.units[some],
        limiting_units=columns.limiting_units[some],
        bytes_per_s=columns.bytes_per_s[some],
        cache_bytes=columns.cache_bytes[some],
        gap_s=columns.gap_s[some],
        batched_height=columns.batched_height[some],
        batched_width=columns.batched_width[some],
        reread=columns.reread[some],
        has_half=columns.has_half[some],
        is_early=columns.is_early[some],
    )
