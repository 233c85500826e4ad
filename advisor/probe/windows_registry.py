"""What only Windows offers: its registry, the graphics adapters recorded there, and how a drive is attached.

The memory of an adapter is the 64-bit ``qwMemorySize`` its driver writes; the field that WMI shows (``AdapterRAM``) has
32 bits and shows at most 4 GiB. Adapters that were removed stay in the registry, so only those count whose driver lists
them as started.
Check: ``dxdiag``, ``Get-PnpDevice -Class Display -PresentOnly``
"""

import ctypes
import re
import struct
import sys
from collections.abc import Mapping
from typing import Any

from advisor.probe.gpu.pci import PciDevice
from advisor.probe.readers import DiskKind, Registry

_SYSTEM = r"SYSTEM\CurrentControlSet"
_DISPLAY_CLASS = "{4d36e968-e325-11ce-bfc1-08002be10318}"
_PCI_NAME = re.compile(r"ven_([0-9a-f]{4})&dev_([0-9a-f]{4})(?:.*rev_([0-9a-f]{2}))?", re.IGNORECASE)

# Source: Windows SDK, ntddstor.h, STORAGE_BUS_TYPE.
_BUS_NVME, _BUS_VIRTUAL, _BUS_FILE_BACKED, _BUS_ISCSI = 17, 14, 15, 9
_DRIVE_REMOTE = 4


def display_adapters(registry: Registry) -> tuple[PciDevice, ...]:
    """Return the adapters present: those on the PCI bus with their ids, all others without."""
    found = []
    for bus in registry.keys(rf"{_SYSTEM}\Enum"):
        for device in registry.keys(rf"{_SYSTEM}\Enum\{bus}"):
            for instance in registry.keys(rf"{_SYSTEM}\Enum\{bus}\{device}"):
                values = registry.values(rf"{_SYSTEM}\Enum\{bus}\{device}\{instance}")
                if str(values.get("ClassGUID", "")).lower() != _DISPLAY_CLASS:
                    continue
                if _is_started(registry, str(values.get("Service", "")), rf"{bus}\{device}\{instance}"):
                    found.append(_adapter(registry, bus, device, values))
    return tuple(found)


def _is_started(registry: Registry, service: str, instance: str) -> bool:
    """Return whether the driver lists the device as started; without a list there is no reason for doubt."""
    listed = [
        value for value in registry.values(rf"{_SYSTEM}\Services\{service}\Enum").values() if isinstance(value, str)
    ]
    return not listed or instance.lower() in {value.lower() for value in listed}


def _adapter(registry: Registry, bus: str, device: str, values: Mapping[str, Any]) -> PciDevice:
    driver = registry.values(rf"{_SYSTEM}\Control\Class\{values.get('Driver', '')}")
    match = _PCI_NAME.search(device) if bus.upper() == "PCI" else None
    return PciDevice(
        address=rf"{bus}\{device}",
        vendor=match.group(1).lower() if match else "",
        device=match.group(2).lower() if match else "",
        revision=(match.group(3) or "").lower() if match else "",
        driver=str(values.get("Service", "")) or None,
        name=re.sub(r"\((R|TM)\)", "", str(driver.get("DriverDesc", ""))).strip(),
        memory_bytes=memory_bytes(driver.get("HardwareInformation.qwMemorySize")),
        driver_version=str(driver.get("DriverVersion", "")) or None,
    )


def memory_bytes(value: object) -> int | None:
    """Return the number in a registry value; some drivers write it as raw bytes instead of a number."""
    if isinstance(value, int):
        return value or None
    if isinstance(value, bytes) and len(value) in {4, 8}:
        return int.from_bytes(value, "little") or None
    return None


def kind_of_drive(bus_type: int | None, *, seeks: bool | None, is_remote: bool) -> DiskKind | None:
    """Return how a drive is attached, from its bus and from whether it moves a head to seek."""
    if is_remote or bus_type == _BUS_ISCSI:
        return "network"
    if bus_type in {_BUS_VIRTUAL, _BUS_FILE_BACKED}:
        return "virtual"
    if bus_type == _BUS_NVME:
        return "nvme"
    return None if seeks is None else "hdd" if seeks else "ssd"


def bus_type_in(descriptor: bytes) -> int | None:
    """Return BusType of a STORAGE_DEVICE_DESCRIPTOR, which stands after 28 bytes."""
    return int(struct.unpack_from("<I", descriptor, 28)[0]) if len(descriptor) >= 32 else None


def seeks_in(descriptor: bytes) -> bool | None:
    """Return IncursSeekPenalty of a DEVICE_SEEK_PENALTY_DESCRIPTOR, which stands after 8 bytes."""
    return bool(descriptor[8]) if len(descriptor) >= 9 else None


if sys.platform == "win32":  # pragma: no cover - runs on Windows only
    import winreg
    from ctypes import wintypes

    class WindowsRegistry:
        """The registry of this computer below HKEY_LOCAL_MACHINE."""

        def values(self, key: str) -> Mapping[str, Any]:
            """Return the values of a key, none where it does not exist or must not be read."""
            result: dict[str, Any] = {}
            try:
                with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, key) as handle:
                    for index in range(winreg.QueryInfoKey(handle)[1]):
                        name, value, _ = winreg.EnumValue(handle, index)
                        result[name] = value
            except OSError:
                return result
            return result

        def keys(self, key: str) -> tuple[str, ...]:
            """Return the names of the sub-keys."""
            try:
                with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, key) as handle:
                    return tuple(winreg.EnumKey(handle, index) for index in range(winreg.QueryInfoKey(handle)[0]))
            except OSError:
                return ()

    def drive_kind(folder: str) -> DiskKind | None:
        """Return how the drive of a folder is attached; needs no administrator's rights."""
        drive = folder[:2]
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        if folder.startswith("\\\\") or kernel.GetDriveTypeW(f"{drive}\\") == _DRIVE_REMOTE:
            return kind_of_drive(None, seeks=None, is_remote=True)
        bus = bus_type_in(_query_storage(drive, 0))
        return kind_of_drive(bus, seeks=seeks_in(_query_storage(drive, 7)), is_remote=False)

    def _query_storage(drive: str, property_id: int) -> bytes:
        """Return the answer to IOCTL_STORAGE_QUERY_PROPERTY, empty where the drive gives none."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateFileW.restype = wintypes.HANDLE
        handle = kernel.CreateFileW(f"\\\\.\\{drive}", 0, 3, None, 3, 0, None)
        if handle in {None, wintypes.HANDLE(-1).value}:
            return b""
        query = struct.pack("<III", property_id, 0, 0)
        answer = ctypes.create_string_buffer(1024)
        length = wintypes.DWORD(0)
        done = kernel.DeviceIoControl(
            wintypes.HANDLE(handle), 0x2D1400, query, len(query), answer, len(answer), ctypes.byref(length), None
        )
        kernel.CloseHandle(wintypes.HANDLE(handle))
        return answer.raw[: length.value] if done else b""
