"""Time of each operation on each device: tiles of arithmetic over multiprocessors, or traffic, whichever lasts longer.

All functions broadcast: work is an array over operations, machines are a column over devices (or also an array over
operations, which is how the constants are fitted). Nothing here knows records, files or catalogues.

The model. A product of (m, k) by (k, n) is cut into tiles of the result; a multiprocessor works on one tile at a time,
so a grid of tiles that does not fill the multiprocessors, or a last wave that is partly empty, costs as much as a full
one. The plateau is the peak rate times an efficiency, bounded by what the power limit allows. Everything else moves
bytes. Source of the idea: Williams et al. 2009 (roofline); Lee et al. 2025, NeuSight, section 4 (tiles and waves).
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]

Allowed = tuple[Flags, Flags, Flags]
"""For each mode, the operations that may use it."""

VECTOR, TF32, HALF = 0, 1, 2
MODES = ("vector", "tf32", "half")
GEMM, CONV, GROUPED, ATTENTION, RECURRENT, DEPTHWISE, OTHER = range(7)
CLASSES = ("gemm", "conv", "grouped", "attention", "recurrent", "depthwise", "other")
_PRODUCTS = (GEMM, CONV, GROUPED, ATTENTION, RECURRENT)
_CONVOLUTIONS = (CONV, GROUPED)
_USUAL_GROUP_WIDTH = 16.0
_TILE_FLOP_PER_BYTE = 16.0
_NO_UNITS_FLOP_PER_S = 1.0e6
"""A rate below which a device has no units of this kind."""
_TILES = ((128, 128), (128, 64), (64, 128), (64, 64), (128, 32), (32, 128), (32, 32))


@dataclass(frozen=True)
class KernelConstants:
    """Fitted constants of the time of kernels.

    Attributes:
        efficiency: (class, mode) share of the plateau that a large product reaches; of classes that are no products,
            what their vector arithmetic reaches.
        backward: (class, mode) the same for gradients, relative to forward.
        winograd: Gain of a fast algorithm for 3x3 convolutions in plain fp32 arithmetic; ``winograd_traffic``: what it
            moves to transform input and output, relative to the traffic of the convolution.
        tile_64, tile_32: Relative rate of small tiles.
        prologue: By class: steps of the reduction that a tile's start and end cost.
        tile_s: By class: what they cost besides, however fast the units are: waits for memory.
        fill: By class: tiles a multiprocessor needs at once to reach its rate.
        last_wave: Share of a partly filled wave's idle time that is really lost.
        split_length: Least reduction a part may have when a reduction is split over multiprocessors.
        split_most: Most parts.
        passes: By kind of operation: real traffic relative to counted bytes.
        unaligned: By mode: rate of a multiprocessor in products whose rows do not begin at whole vectors, FLOP/s.
        depthwise_backward, depthwise_half: Further factors of the traffic of depthwise convolutions.
        channels_last: By class: time with channels stored last, relative to first; products in half precision only.
        grouped_uneven: Time of grouped convolutions, channels last, whose groups are not a power of two wide, for which
            no kernel is made; ``grouped_uneven_backward``: the same of their gradients, also where the number of groups
            is none; ``grouped_width``: exponent with which they get slower with wider groups.
        half_without_units: Time of half-precision convolutions on devices without units for them, relative to fp32.
        cache_gain: How much faster traffic is that stays in the second-level cache.
        reread, reread_batched: Share of what the tiles of a product in plain fp32 read again that comes from memory and
            not from the cache, where nothing fits the cache.
        reread_cache: How many times as large as the cache a product is of which half of that comes from memory.
        overlap: Exponent that joins arithmetic and traffic; large means perfect overlap.
        unit_bytes_per_s: What a multiprocessor fetches of numbers of 16 bit at most, however wide the memory is;
            of those of 32 bit twice as much.
        unit_half_flop_per_s: Most that a multiprocessor's units get to compute in half-precision convolutions.
    """

    efficiency: Floats
    backward: Floats
    winograd: float
    winograd_traffic: float
    tile_64: float
    tile_32: float
    prologue: Floats
    tile_s: Floats
    fill: Floats
    last_wave: float
    split_length: float
    split_most: float
    passes: Floats
    unaligned: Floats
    depthwise_backward: float
    depthwise_half: float
    channels_last: Floats
    grouped_uneven: float
    grouped_uneven_backward: float
    grouped_width: float
    half_without_units: float
    cache_gain: float
    reread: float
    reread_batched: float
    reread_cache: float
    overlap: float
    unit_bytes_per_s: float
    unit_half_flop_per_s: float


@dataclass(frozen=True)
class KernelWork:
    """Operations of a step at a batch and precision; arrays of one length.

    Attributes:
        kind: Index into the kinds of operations (for ``passes``).
        group: GEMM … OTHER.
        is_backward, is_batched, is_winograd: What it is.
        is_half, is_channels_last: How it is run.
        is_unaligned: Whether an extent of a product is odd, its rows begin at odd places; ``lacks_unaligned``:
            whether the library of its year leaves matrix units of the first kinds out then.
        lacks_uneven: Whether the library of its year lacks kernels for groups that are not a power of two wide.
        batch, m, n, k: Size as a product.
        flop, traffic_bytes: Of one.
        count: Equal ones.
        kernels: Launches of all of them.
        products: Indices of the operations that are products of matrices.
    """

    kind: Indices
    group: Indices
    is_backward: Flags
    is_batched: Flags
    is_winograd: Flags
    is_half: Flags
    is_channels_last: Flags
    is_unaligned: Flags
    lacks_unaligned: Flags
    lacks_uneven: Flags
    batch: Floats
    m: Floats
    n: Floats
    k: Floats
    flop: Floats
    traffic_bytes: Floats
    count: Floats
    kernels: Floats
    products: Indices = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "products", np.flatnonzero(is_of(self.group, _PRODUCTS)))


@dataclass(frozen=True)
class Machines:
    """Attainable rates; columns over devices.

    Attributes:
        plateau_flop_per_s: (mode, devices, 1) of large products, power limit included.
        units: Multiprocessors; ``limiting_units``: the same where each of them is known to limit, else infinite.
        bytes_per_s: Attainable bandwidth.
        cache_bytes: Second-level cache.
        gap_s: From one kernel to the next on the device.
        batched_height, batched_width: The tile the library takes for batched products in plain fp32; 0: it chooses.
        reread: How much more a tile reads again than on other families.
        has_half: Whether there are units for half precision; ``is_early``: 1 where they are Volta's or Turing's.
    """

    plateau_flop_per_s: Floats
    units: Floats
    limiting_units: Floats
    bytes_per_s: Floats
    cache_bytes: Floats
    gap_s: Floats
    batched_height: Floats
    batched_width: Floats
    reread: Floats
    has_half: Flags
    is_early: Floats


def is_of(group: Indices, classes: tuple[int, ...]) -> Flags:
    """Tell which operations are of some classes; by a table, ten times as fast as a search."""
    table = np.zeros(len(CLASSES), dtype=bool)
    table[list(classes)] = True
    return np.asarray(table[group])


def limited_rate(peak: Floats, allowed_by_power: Floats, exponent: float) -> Floats:
    """Return the rate under both limits; near their crossing below either."""
    largest = np.maximum(peak, allowed_by_power)
    ratio = np.minimum(peak, allowed_by_power) / largest
    return np.asarray(largest * ratio / (1.0 + ratio**exponent) ** (1.0 / exponent))


def operation_seconds(
    work: KernelWork, allowed: Allowed, machines: Machines, constants: KernelConstants
) -> tuple[Floats, Floats, Floats]:
    """Return for each group of operations on each device: time, the part of the arithmetic, that of the traffic.

    The time joins both and adds the gap between kernels, but not the wait for the processor to launch them.

    Args:
        work: The operations.
        allowed: By mode: which operations may use that arithmetic; the library takes the fastest.
        machines: The devices.
        constants: Fitted constants.
    """
    traffic = traffic_seconds(work, machines, constants)
    arithmetic = work.flop / (machines.plateau_flop_per_s[VECTOR] * constants.efficiency[work.group, VECTOR])
    if len(work.products):
        arithmetic[..., work.products], is_vector = product_seconds(work, allowed, machines, constants)
        plain = work.group[work.products] == GEMM
        some = work.products[plain]
        traffic[..., some] += np.where(is_vector[..., plain], _reread_seconds(work, some, machines, constants), 0.0)
    p = constants.overlap
    longest = np.maximum(np.maximum(arithmetic, traffic), 1e-30)
    together = longest * ((arithmetic / longest) ** p + (traffic / longest) ** p) ** (1 / p)
    factor = work.count * _manner(work, machines, constants)
    return together * factor + work.kernels * machines.gap_s, arithmetic * factor, traffic * factor


def traffic_seconds(work: KernelWork, machines: Machines, constants: KernelConstants) -> Floats:
    """Return the time to move each operation's bytes; of what is larger than the cache, a part is still found there.

    To keep a wide memory busy, many bytes must be under way to each multiprocessor, whose loads are limited in number;
    those of shorter numbers are of fewer bytes, but in products, which load whole vectors ahead.
    Source: Volkov 2010, "Better Performance at Lower Occupancy".
    """
    fits = 1.0 / (1.0 + work.traffic_bytes / machines.cache_bytes)
    each = np.where(is_of(work.group, _PRODUCTS), np.inf, constants.unit_bytes_per_s * np.where(work.is_half, 1.0, 2.0))
    most = each * machines.limiting_units
    rate = machines.bytes_per_s / (1.0 + machines.bytes_per_s / most) * (1.0 + constants.cache_gain * fits)
    return np.asarray(work.traffic_bytes * constants.passes[work.kind] / rate)


def _reread_seconds(work: KernelWork, some: Indices, machines: Machines, constants: KernelConstants) -> Floats:
    """Return the time to fetch from memory what several tiles of some products in plain fp32 read, and no cache kept.

    Tiles of 64 x 64, the usual ones for such products, do 16 floating-point operations for each byte they read.
    """
    count = len(work.group)
    share = np.where(work.is_batched[some], constants.reread_batched, constants.reread)
    share = share * _of(machines.reread, some, count)
    too_large = work.traffic_bytes[some] / (constants.reread_cache * _of(machines.cache_bytes, some, count))
    missed = share / (1.0 + 1.0 / np.sqrt(np.maximum(too_large, 1e-9)))
    return np.asarray(missed * work.flop[some] / _TILE_FLOP_PER_BYTE / _of(machines.bytes_per_s, some, count))


def _manner(work: KernelWork, machines: Machines, constants: KernelConstants) -> Floats:
    """Return what the storage order, and depthwise or half-precision convolutions, do to the time."""
    depthwise, convolution = work.group == DEPTHWISE, is_of(work.group, _CONVOLUTIONS)
    applies = work.is_channels_last & (~convolution | (work.is_half & machines.has_half))
    last = constants.channels_last[work.group]
    width = np.minimum(work.m, work.n) / _USUAL_GROUP_WIDTH
    uneven = np.where(work.is_backward, constants.grouped_uneven_backward, constants.grouped_uneven)
    is_uneven = ~_is_power_of_two(width) | (work.is_backward & ~_is_power_of_two(work.batch))
    is_slow = (work.group == GROUPED) & is_uneven & work.lacks_uneven
    last = np.where(is_slow, last * uneven * width**constants.grouped_width, last)
    factor = np.where(applies, last, 1.0)
    factor = factor * np.where(depthwise & work.is_backward, constants.depthwise_backward, 1.0)
    factor = factor * np.where(depthwise & work.is_half, constants.depthwise_half, 1.0)
    slow = work.is_half & convolution & ~machines.has_half
    return np.asarray(factor * np.where(slow, constants.half_without_units, 1.0))


def _is_power_of_two(number: Floats) -> Flags:
    return np.asarray(np.log2(np.maximum(number, 1e-3)) % 1.0 == 0.0)


def product_seconds(
    work: KernelWork, allowed: Allowed, machines: Machines, constants: KernelConstants
) -> tuple[Floats, Flags]:
    """Return the time of the arithmetic of the products among the operations, and which are in plain fp32."""
    some, count = work.products, len(work.group)
    group, backward = work.group[some], work.is_backward[some]
    units = _of(machines.units, some, count)
    fed = constants.unit_half_flop_per_s * _of(machines.limiting_units, some, count)
    rate: Floats = np.zeros(1)
    is_vector = np.asarray(True)
    for mode in (VECTOR, TF32, HALF):
        factor = constants.efficiency[group, mode] * np.where(backward, constants.backward[group, mode], 1.0)
        reached = _of(machines.plateau_flop_per_s[mode], some, count) * factor
        if mode == VECTOR:
            rate = _with_winograd(work, reached, machines, constants)
        else:
            lacks = work.lacks_unaligned[some] & (_of(machines.is_early, some, count) > 0.0)
            most = np.where(lacks, _NO_UNITS_FLOP_PER_S, constants.unaligned[mode] * units)
            reached = np.where(work.is_unaligned[some], reached / (1.0 + reached / most), reached)
            if mode == HALF:
                reached = np.where(is_of(group, _CONVOLUTIONS), reached / (1.0 + reached / fed), reached)
            may = allowed[mode][..., some] & (reached > _NO_UNITS_FLOP_PER_S)
            rate, is_vector = np.where(may, np.maximum(rate, reached), rate), is_vector & ~may
    height, width = (_of(edge, some, count) for edge in (machines.batched_height, machines.batched_width))
    only = (np.where(work.is_batched[some] & is_vector, height, 0.0), width)
    return _tiled_seconds(work, rate, units, only, constants), is_vector


def _with_winograd(work: KernelWork, rate: Floats, machines: Machines, constants: KernelConstants) -> Floats:
    """Return the rates in plain fp32, where the library takes the fast algorithm if it pays.

    Its arithmetic is less, but it transforms input and output, which is traffic, so that large maps of few channels
    gain little. Where there are units for TF32 it takes those instead: a VGG-16 on an RTX 3090 runs at their rate, not
    beyond it.
    """
    some, count = work.products, len(work.group)
    has_units = _of(machines.plateau_flop_per_s[TF32], some, count) > _NO_UNITS_FLOP_PER_S
    flop = np.maximum(work.flop[some], 1.0)
    moved_s = constants.winograd_traffic * work.traffic_bytes[some] / _of(machines.bytes_per_s, some, count)
    fast = flop / (flop / (rate * constants.winograd) + moved_s)
    return np.where(work.is_winograd[some] & ~has_units, np.maximum(rate, fast), rate)


def _of(array: Floats, some: Indices, count: int) -> Floats:
    """Return the columns of some operations; an array that is the same for all operations stays as it is."""
    return array[..., some] if array.shape[-1] == count and count > 1 else array


def _tiled_seconds(
    work: KernelWork, rate: Floats, units: Floats, only: tuple[Floats, Floats], constants: KernelConstants
) -> Floats:
    """Return the time with the best tile; where the height in ``only`` is set, with tiles of that height and width."""
    some = work.products
    batch, m, n, k = work.batch[some], work.m[some], work.n[some], work.k[some]
    best = np.full(np.broadcast_shapes(rate.shape, only[0].shape), np.inf)
    parts_most = np.where(work.is_batched[some], 1.0, np.clip(k / constants.split_length, 1.0, constants.split_most))
    speeds = {128: 1.0, 64: constants.tile_64, 32: constants.tile_32}
    prologue, places = constants.prologue[work.group[some]], units * constants.fill[work.group[some]]
    tile_s, place_s = constants.tile_s[work.group[some]], places / rate
    for height, width in _TILES:
        waves = batch * np.ceil(m / height) * np.ceil(n / width) / places
        parts = np.clip(1.0 / np.maximum(waves, 1e-9), 1.0, parts_most)
        filled = waves * parts
        passes = np.maximum(1.0, filled + constants.last_wave * (np.ceil(filled) - filled))
        step_flop = 2.0 * height * width / np.sqrt(speeds[height] * speeds[width])
        time_s = passes * (step_flop * (k / parts + prologue) * place_s + tile_s)
        allowed = (only[0] == 0.0) | ((only[0] == height) & (only[1] == width))
        best = np.where(allowed, np.minimum(best, time_s), best)
    return best
