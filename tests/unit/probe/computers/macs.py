"""Recorded Macs: Apple's own chips, Intel Macs, virtual machines, and commands that fail."""

import json
import plistlib
from collections.abc import Sequence
from typing import Any

from advisor.probe.readers import CommandError, Readers
from tests.unit.probe.computers.fakes import GIB, FakePsutil, RecordedFiles

M2_MAX = """hw.model: Mac14,5
hw.physicalcpu: 12
hw.logicalcpu: 12
hw.l1dcachesize: 65536
hw.l1icachesize: 131072
hw.l2cachesize: 4194304
hw.perflevel0.l2cachesize: 16777216
hw.perflevel0.physicalcpu: 8
hw.perflevel0.cpusperl2: 4
hw.perflevel1.l2cachesize: 4194304
hw.perflevel1.physicalcpu: 4
hw.perflevel1.cpusperl2: 4
machdep.cpu.brand_string: Apple M2 Max
kern.hv_vmm_present: 0
kern.osproductversion: 15.1
hw.optional.neon: 1
hw.optional.AdvSIMD: 1
hw.optional.arm.FEAT_BF16: 1
hw.optional.arm.FEAT_SME: 0"""
INTEL = """hw.model: MacBookPro16,1
hw.physicalcpu: 8
hw.logicalcpu: 16
hw.cpufrequency: 2300000000
hw.cpufrequency_max: 2300000000
hw.l2cachesize: 262144
hw.l3cachesize: 16777216
machdep.cpu.brand_string: Intel(R) Core(TM) i9-9880H CPU @ 2.30GHz
kern.osproductversion: 14.7
hw.optional.avx2_0: 1"""
M2_DISPLAYS = [
    {
        "_name": "kHW_AppleM2MaxItem",
        "sppci_model": "Apple M2 Max",
        "sppci_cores": "30",
        "sppci_bus": "spdisplays_builtin",
    }
]
INTEL_DISPLAYS = [
    {"sppci_model": "Intel UHD Graphics 630", "sppci_bus": "spdisplays_builtin", "spdisplays_vram_shared": "1536 MB"},
    {"sppci_model": "AMD Radeon Pro 5500M", "sppci_bus": "spdisplays_pcie_device", "spdisplays_vram": "8 GB"},
]


def mac(sysctl: str, displays: Any, *, disk: Any = None, battery: Any = None) -> Readers:
    """Return a Mac that prints these answers."""

    def run(arguments: Sequence[str]) -> str:
        if arguments[0] == "sysctl":
            return sysctl
        if arguments[0] == "system_profiler":
            return displays if isinstance(displays, str) else json.dumps({"SPDisplaysDataType": displays})
        if arguments[0] == "diskutil" and disk is not None:
            return plistlib.dumps(disk).decode()
        raise CommandError(f"{arguments[0]}: not found")

    return Readers(
        platform="macos",
        architecture="arm64",
        files=RecordedFiles({}, {}),
        run=run,
        psutil=lambda: FakePsutil(logical=12, total=32 * GIB, battery=battery),
        free_bytes=lambda _: 100 * GIB,
        working_folder="/Users/ana/work",
        torch_folder=lambda: None,
    )
