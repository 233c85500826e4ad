"""Read the fitted constants shipped with the program; every file names its sources, rows and error.

Written by ``tools/fit``; nothing here knows how they were fitted.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import TypeVar

import msgspec
import numpy as np

from advisor.errors import CatalogError
from advisor.predict.timing.kernels import CLASSES, KernelConstants
from advisor.predict.timing.step_work import KINDS, LaunchWeights
from advisor.resource import resource_path


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the files' records: strict when decoded."""


class DataSet(Record, frozen=True, kw_only=True):
    """Measurements that constants were fitted on, and how well the fitted model reproduces them.

    Attributes:
        name, source: The data set and where it is published.
        rows: Measurements used.
        error_ratio: Mean absolute error of the model on them.
    """

    name: str
    source: str
    rows: int
    error_ratio: float


class Kernels(Record, frozen=True, kw_only=True):
    """Constants of kernels, as ``kernels.KernelConstants`` describes them, by name."""

    efficiency: dict[str, tuple[float, float, float]]
    backward: dict[str, tuple[float, float, float]]
    prologue: dict[str, float]
    tile_s: dict[str, float]
    fill: dict[str, float]
    passes: dict[str, float]
    unaligned: tuple[float, float, float]
    channels_last: dict[str, float]
    grouped_uneven: float
    grouped_uneven_backward: float
    grouped_width: float
    winograd: float
    winograd_traffic: float
    tile_64: float
    tile_32: float
    last_wave: float
    split_length: float
    split_most: float
    depthwise_backward: float
    depthwise_half: float
    half_without_units: float
    cache_gain: float
    reread: float
    reread_batched: float
    reread_cache: float
    overlap: float
    unit_bytes_per_s: float
    unit_half_flop_per_s: float

    def constants(self) -> KernelConstants:
        """Return them as arrays."""
        one = (1.0, 1.0, 1.0)
        return KernelConstants(
            efficiency=np.array([self.efficiency.get(name, one) for name in CLASSES]),
            backward=np.array([self.backward.get(name, one) for name in CLASSES]),
            prologue=np.array([self.prologue.get(name, 0.0) for name in CLASSES]),
            tile_s=np.array([self.tile_s.get(name, 0.0) for name in CLASSES]),
            fill=np.array([self.fill.get(name, 1.0) for name in CLASSES]),
            passes=np.array([self.passes.get(kind, 1.0) for kind in KINDS]),
            unaligned=np.array(self.unaligned),
            channels_last=np.array([self.channels_last.get(name, 1.0) for name in CLASSES]),
            grouped_uneven=self.grouped_uneven,
            grouped_uneven_backward=self.grouped_uneven_backward,
            grouped_width=self.grouped_width,
            winograd=self.winograd,
            winograd_traffic=self.winograd_traffic,
            tile_64=self.tile_64,
            tile_32=self.tile_32,
            last_wave=self.last_wave,
            split_length=self.split_length,
            split_most=self.split_most,
            depthwise_backward=self.depthwise_backward,
            depthwise_half=self.depthwise_half,
            half_without_units=self.half_without_units,
            cache_gain=self.cache_gain,
            reread=self.reread,
            reread_batched=self.reread_batched,
            reread_cache=self.reread_cache,
            overlap=self.overlap,
            unit_bytes_per_s=self.unit_bytes_per_s,
            unit_half_flop_per_s=self.unit_half_flop_per_s,
        )


class Family(Record, frozen=True, kw_only=True):
    """Constants of one family of devices.

    Attributes:
        rate: Share of the peak that products reach, by mode (vector, tf32, half), relative to all families.
        flop_per_j: Arithmetic the power limit allows, by mode.
        bandwidth: Share of the data sheet's bandwidth.
        batched_tile: Height and width of the library's only tile for batched fp32 products; 0: it has several.
        reread: How much more tiles of fp32 products read from memory again than on other families.
        matrix_fp32: Rate of matrix units for fp32 over the vector rate that data sheets name.
        rows: Measurements of devices of this family behind the constants; 0: taken over from relatives.
    """

    rate: tuple[float, float, float]
    flop_per_j: tuple[float, float, float]
    bandwidth: float
    batched_tile: tuple[int, int] = (0, 0)
    reread: float = 1.0
    matrix_fp32: float = 1.0
    rows: int = 0


class Spread(Record, frozen=True, kw_only=True):
    """Standard deviation of the logarithm of measured over predicted time, by what it comes from; they add in squares.

    Attributes:
        base: Always.
        device: No whole job was measured on this very device; ``consumer``: the same, for cards made for consumers,
            whose clocks, cooling and computers differ more. Besides: ``laptop``, whose makers set its power;
            ``radeon``, ``instinct``: AMD's for consumers and servers, whose libraries are tuned for some cards only.
        launch: Times the share of time that kernels wait to be launched.
        convolution: Times the share of time in convolutions; ``traffic``: in what moves more than it computes;
            ``measured``: times both shares, in place of them where this network was measured.
        training: In training, whose programs differ more than those of inference.
        half: In reduced precision, where the layout of memory is not known.
        half_without_units: In reduced precision on a device that has no units for it.
        unmeasured: No device of the family was measured.
        unrated: Times the share of time in arithmetic, where nobody measured jobs nor products on the device.
        processor: On a processor; ``processor_train``: besides, in training, where programs differ most.
        scaling: With several devices.
        operation: A single kind of operation.
        software: On an accelerator, where the year of the framework is not known; ``software_training``: in training.
    """

    base: float
    device: float
    consumer: float
    laptop: float
    radeon: float
    instinct: float
    launch: float
    convolution: float
    measured: float
    traffic: float
    training: float
    half: float
    half_without_units: float
    unmeasured: float
    unrated: float
    processor: float
    processor_train: float
    scaling: float
    operation: float
    software: float
    software_training: float


class Launching(Record, frozen=True, kw_only=True):
    """What it costs to launch an operation, as ``step_work.LaunchWeights`` describes it."""

    product: float
    normalization: float
    backward: float

    def weights(self) -> LaunchWeights:
        """Return them."""
        return LaunchWeights(self.product, self.normalization, self.backward)


class Generation(Record, frozen=True, kw_only=True):
    """What programs of some years have in common on accelerators.

    Attributes:
        until: Last year; None: until today.
        programs: Published ones it is the middle of.
        software: As in ``TimeCoefficients``, without processors.
        dispatch_s, dispatch_backward: As in ``TimeCoefficients``.
    """

    until: int | None
    programs: tuple[str, ...]
    software: dict[str, float]
    dispatch_s: float
    dispatch_backward: float


class TimeCoefficients(Record, frozen=True, kw_only=True):
    """Constants of the time of a step.

    Attributes:
        kernels, processor_kernels: Of accelerators; of processors.
        families: By name, see ``families``.
        devices: By name of those on which whole jobs were measured: their time over what their figures say, in 32 bit,
            and in shorter formats.
        classes: Share of the peak that large products reach, by class of device (see ``families.class_of``) and mode.
        laptop_power: What chips of laptops may draw over what is published as their power, which makers set higher.
        plateaus: The same share by name of device and mode, where somebody measured it; 0: not in this mode. It has the
            power limit in it.
        limit: Exponent that joins peak rate and power limit.
        wide_units: Share that multiprocessors of 128 lanes reach in fp32, relative to those of 64.
        static_w: Power a device draws before it computes.
        gap_s, processor_gap_s: From one kernel to the next on an accelerator; on a processor.
        copy_bytes_per_s: At which samples are copied from the computer's memory to the device, over PCIe 3.0;
            ``copy_gain``: how much faster over later links (see ``device_rates.has_fast_link``).
        dispatch_s: What the processor needs to launch a kernel of the forward pass, beside a device of 2020;
            ``dispatch_fall``: by how much less each year that the device is younger, for so are the processors.
        hosts: What a launch costs by kind of computer, relative to a desktop; ``rocm``: besides, on a device of AMD.
        dispatch_backward: The same for the backward pass, relative to forward.
        launch_weights: Which kernels take longer to launch than others.
        compiled: Launches that remain when the framework compiles the network.
        optimizer_passes: Traffic of the optimizer relative to reading and writing each of its tensors once.
        software: Time of a program as people write it, relative to the sum of its kernels: by task and precision, and
            for a processor.
        networks: Time of a network on accelerators over what its kernels take, as far as it was measured: in full, in
            reduced precision, None where it was not; ``+decomposed`` after the name: with attention taken apart.
        cells: The same in reduced precision by task and layout (see ``network_factors.cell_of``), which counts more.
        family_cells: The same of networks whose names begin alike, for one of them that was not measured.
        generations: The same for programs of some years, oldest first, where the user knows the year.
    """

    fitted: str
    data: tuple[DataSet, ...]
    kernels: Kernels
    processor_kernels: Kernels
    families: dict[str, Family]
    devices: dict[str, tuple[float, float]]
    classes: dict[str, tuple[float, float, float]]
    laptop_power: float
    plateaus: dict[str, tuple[float, float, float]]
    limit: float
    wide_units: float
    static_w: float
    gap_s: float
    processor_gap_s: float
    copy_bytes_per_s: float
    copy_gain: float
    dispatch_s: float
    dispatch_fall: float
    hosts: dict[str, float]
    dispatch_backward: float
    launch_weights: Launching
    compiled: float
    optimizer_passes: float
    software: dict[str, float]
    networks: dict[str, tuple[float | None, float | None]]
    cells: dict[str, dict[str, float]] = {}
    family_cells: dict[str, dict[str, float]] = {}
    generations: tuple[Generation, ...]
    spread: Spread

    def generation(self, year: int) -> Generation:
        """Return what programs of a year have in common."""
        return next(one for one in self.generations if one.until is None or year <= one.until)


class MemoryCoefficients(Record, frozen=True, kw_only=True):
    """Constants of the memory of a step.

    Attributes:
        context_bytes: What driver and framework take on an accelerator before the first tensor.
        convolution_bytes: What the library of convolutions takes besides.
        processor_bytes: What the framework takes on a processor.
        peak: Memory the allocator holds, relative to the tensors alive at the peak.
        parameter_slack: Copies of the parameters that live for a moment, relative to them.
        workspace, grouped_workspace: Relative to the largest unfolded input of a plain, of a grouped convolution.
        largest: Freed blocks that cannot be used again, relative to the largest tensor; networks of convolutions.
        checkpoint_ratio: Share of what is kept for backward that checkpointing keeps.
        low, high: Ends of the 80 % interval, relative to the estimate.
        safety: What is compared with the memory there is, relative to the estimate; fewer than 2 % of the measured
            jobs need more than 5 % beyond it.
    """

    fitted: str
    data: tuple[DataSet, ...]
    context_bytes: float
    convolution_bytes: float
    processor_bytes: float
    peak: float
    parameter_slack: float
    workspace: float
    grouped_workspace: float
    largest: float
    checkpoint_ratio: float
    low: float
    high: float
    safety: float


class LinkCoefficients(Record, frozen=True, kw_only=True):
    """Constants of exchanging data between devices.

    Attributes:
        nvlink_ratio: Share of the data sheet's rate of a server's links that an all-reduce reaches.
        workstation_bytes_per_s, consumer_bytes_per_s: Between two cards over PCIe, by for whom they are made.
        workstation_fall, consumer_fall: Exponent with which the rate falls when more cards share it.
        network_ratio: Share of the rate of a node's network cards that an all-reduce between nodes reaches, by kind:
            ``infiniband``, ``rdma_ethernet`` (RoCE, EFA), ``ethernet`` (through the operating system).
        server_network_bytes_per_s: Of the network cards of the makers' own servers, by the link between their devices.
        ethernet_bytes_per_s: Of a node of which nothing is published.
        latency_s: For each device in a ring.
        hidden_ratio: Share of a step behind which an exchange can hide.
        sync_ratio: Share of a step lost to waiting for the slowest, for each doubling of the devices.
        devices_per_node: In the largest usual computer.
        devices_per_pod: TPUs that their own links join, however many computers they are in.
    """

    fitted: str
    data: tuple[DataSet, ...]
    nvlink_ratio: float
    workstation_bytes_per_s: float
    workstation_fall: float
    consumer_bytes_per_s: float
    consumer_fall: float
    network_ratio: dict[str, float]
    server_network_bytes_per_s: dict[str, float]
    ethernet_bytes_per_s: float
    latency_s: float
    hidden_ratio: float
    sync_ratio: float
    devices_per_node: int
    devices_per_pod: int


class InputCoefficients(Record, frozen=True, kw_only=True):
    """Constants of the input pipeline: images a hardware thread prepares in a second, and the range around it."""

    fitted: str
    data: tuple[DataSet, ...]
    plain_images_per_s: float
    augmented_images_per_s: float
    slower: float
    faster: float


class ClassCoefficients(Record, frozen=True, kw_only=True):
    """Constants of a step summed up from measured classes of work; see ``timing.class_times``.

    Attributes:
        fitted: Day.
        data: The networks that were trained beside, each held out of its own constants.
        ratio: Time of a step over the sum of its operations.
        sigma: Standard deviation of the logarithm of measured over predicted time, over networks held out;
            ``sigma_short``: the same in short formats.
        paged_activations, paged_gradients: Share of the bytes alive at the fullest moment, and of the gradients, whose
            memory the C library had given back, so that a step touches it for the first time again.
        paged_large: The same of tensors that always come from the system, beside their gradients: the optimizer's.
        paged_convolutions: What a convolution touches of blocks that come from the system, over what it puts out: its
            input and its output in the order of oneDNN's kernels, and the output as torch keeps it.
    """

    fitted: str
    data: tuple[DataSet, ...]
    ratio: float
    sigma: float
    sigma_short: float
    paged_activations: float
    paged_gradients: float
    paged_large: float
    paged_convolutions: float


S = TypeVar("S")


def read_coefficients(name: str, kind: type[S]) -> S:
    """Return the constants in ``resources/catalog/calibration/<name>.json``.

    Raises:
        CatalogError: The file is missing or has other fields than expected.
    """
    path = resource_path("catalog", "calibration", f"{name}.json")
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise CatalogError(f"The fitted constants in {path.name} cannot be read: {error}.") from error


_INSTEAD: ContextVar[TimeCoefficients | None] = ContextVar("constants taken instead of those shipped", default=None)


def time_coefficients() -> TimeCoefficients:
    """Return the constants of the time of a step."""
    return _INSTEAD.get() or _shipped_time_coefficients()


@cache
def _shipped_time_coefficients() -> TimeCoefficients:
    return read_coefficients("time", TimeCoefficients)


@contextmanager
def predicting_with(constants: TimeCoefficients) -> Iterator[None]:
    """Predict with other constants of time than those shipped: how checks leave a device out."""
    before = _INSTEAD.set(constants)
    try:
        yield
    finally:
        _INSTEAD.reset(before)


@cache
def memory_coefficients() -> MemoryCoefficients:
    """Return the constants of the memory of a step."""
    return read_coefficients("memory", MemoryCoefficients)


@cache
def link_coefficients() -> LinkCoefficients:
    """Return the constants of exchanging data between devices."""
    return read_coefficients("links", LinkCoefficients)


@cache
def input_coefficients() -> InputCoefficients:
    """Return the constants of the input pipeline."""
    return read_coefficients("input", InputCoefficients)
