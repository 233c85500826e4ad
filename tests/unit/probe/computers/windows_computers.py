"""Samples shared by the tests of windows, windows_registry."""

from typing import Any

from advisor.probe.readers import ProcessorFacts, Readers
from tests.unit.probe.computers.fakes import GIB, FakePsutil, FakeRegistry, no_command, no_library

SYSTEM = r"SYSTEM\CurrentControlSet"
DISPLAY = "{4d36e968-e325-11ce-bfc1-08002be10318}"
RADEON = r"VEN_1002&DEV_744C&SUBSYS_0E3B1002&REV_C8"
APU = r"VEN_1002&DEV_164E&SUBSYS_D0001458&REV_C1"

HOST = {
    r"HARDWARE\DESCRIPTION\System\CentralProcessor\0": {
        "ProcessorNameString": "AMD Ryzen 7 7700X 8-Core Processor             ",
        "VendorIdentifier": "AuthenticAMD",
        "~MHz": 4491,
    },
    r"HARDWARE\DESCRIPTION\System\BIOS": {"SystemManufacturer": "Gigabyte", "SystemProductName": "B650"},
    r"SYSTEM\HardwareConfig\Current": {"EnclosureType": 3},
    r"SOFTWARE\Microsoft\Windows NT\CurrentVersion": {
        "ProductName": "Windows 10 Pro",
        "DisplayVersion": "24H2",
        "CurrentBuildNumber": "26100",
        "RegisteredOwner": "ana@example.com",
    },
}


def adapter(
    device: str, number: str, service: str, *, started: bool = True, bus: str = "PCI", **values: Any
) -> dict[str, Any]:
    """Return the registry keys of one adapter."""
    instance = "4&2283f625&0&0019"
    listed = {"0": rf"{bus}\{device}\{instance}", "Count": 1} if started else {"0": r"PCI\OTHER\1", "Count": 1}
    return {
        rf"{SYSTEM}\Enum\{bus}\{device}\{instance}": {
            "ClassGUID": DISPLAY,
            "Driver": rf"{DISPLAY}\{number}",
            "Service": service,
        },
        rf"{SYSTEM}\Services\{service}\Enum": listed,
        rf"{SYSTEM}\Control\Class\{DISPLAY}\{number}": values,
    }


def hardware(**values: Any) -> dict[str, Any]:
    """Return what a display driver writes of its card, by the names it uses."""
    return {f"HardwareInformation.{name}": value for name, value in values.items()}


def readers(*adapters: dict[str, Any], nvml: Any = None, psutil: Any = None, **host: Any) -> Readers:
    """Return a Windows computer with these adapters."""
    content: dict[str, Any] = dict(HOST)
    for one in adapters:
        content |= one
    return Readers(
        platform="windows",
        architecture="AMD64",
        files=_NoFiles(),
        registry=FakeRegistry(content | host),
        run=no_command,
        nvml=lambda: nvml or no_library(),
        psutil=lambda: psutil or FakePsutil(),
        processor=lambda: ProcessorFacts(instruction_sets=("AVX2", "AVX512F"), caches_bytes={"L3": 33554432}),
        free_bytes=lambda _: 80 * GIB,
        drive_kind=lambda _: "nvme",
        working_folder=r"C:\Users\ana\work",
        process_id=1234,
        torch_folder=lambda: None,
    )


class _NoFiles:
    """Windows has neither /proc nor /sys."""

    def text(self, path: str) -> str | None:
        return None

    def names(self, path: str) -> tuple[str, ...]:
        return ()

    def exists(self, path: str) -> bool:
        return False

    def target(self, path: str) -> str | None:
        return None


RADEON_ADAPTER = adapter(
    RADEON, "0001", "amdwddmg", DriverDesc="AMD Radeon RX 7900 XTX", DriverVersion="32.0.12033.1030",
    **hardware(qwMemorySize=24 * GIB, MemorySize=-1048576),
)  # fmt: skip
APU_ADAPTER = adapter(
    APU, "0000", "amdwddmg2", DriverDesc="AMD Radeon(TM) Graphics",
    **hardware(qwMemorySize=512 * 1024**2),
)  # fmt: skip
