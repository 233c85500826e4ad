"""Which graphics processors are on the PCI bus, without touching (and so waking) any of them.

Only ``vendor``, ``device``, ``revision``, ``class`` and ``power/runtime_status`` are read: the kernel keeps them in
memory. ``current_link_speed``, hwmon sensors and ``/proc/driver/nvidia/gpus`` can wake a sleeping card (nv-procfs.c of
NVIDIA's kernel module and amdgpu_pm.c take a power reference before they answer), so only awake cards are asked.
"""

import re
from dataclasses import dataclass
from functools import cache

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.readers import Files, number
from advisor.records.hardware.machine import PcieLink
from advisor.resource import resource_path

PCI_DEVICES = "/sys/bus/pci/devices"
NVIDIA, AMD, INTEL, GOOGLE, HABANA = "10de", "1002", "8086", "1ae0", "1da3"
_DISPLAY_CLASSES = ("0x0300", "0x0302", "0x0380", "0x1200")  # VGA, 3D, other display, processing accelerator

# Adapters that only draw a screen, of virtual machines and of servers' remote consoles. Source: pci.ids, 2026-08-22.
VIRTUAL_ADAPTERS = {
    "1af4": "Virtio GPU",
    "1b36": "QXL paravirtual graphics",
    "1234": "QEMU standard VGA",
    "15ad": "VMware SVGA",
    "80ee": "VirtualBox Graphics Adapter",
    "1414": "Hyper-V virtual VGA",
    "1013": "Cirrus Logic (emulated)",
    "5853": "Xen virtual VGA",
    "1ab8": "Parallels Display Adapter",
    "1a03": "ASPEED remote console",
    "102b": "Matrox remote console",
    "19e5": "Huawei remote console",
}

# Source: jax/_src/hardware_utils.py, read 2026-11-21.
TPU_NAMES = {"0027": "TPU v2/v3", "005e": "TPU v4", "0062": "TPU v5p", "0063": "TPU v5e", "006f": "TPU v6e",
             "0076": "TPU7x"}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class PciDevice:
    """One display or accelerator function on the bus.

    Attributes:
        address: Such as ``0000:01:00.0``.
        vendor: Four hexadecimal digits, such as ``10de``.
        device: Likewise.
        revision: Two hexadecimal digits; tells AMD's models of one chip apart.
        driver: Kernel driver in charge, such as ``nvidia`` or ``nouveau``; None without.
        is_asleep: Powered down by the kernel's runtime power management.
        name: As the driver calls it, where the system keeps that (Windows); else empty.
        memory_bytes: As the driver told the system (Windows); else None.
        driver_version: Likewise.
    """

    address: str
    vendor: str
    device: str
    revision: str
    driver: str | None
    is_asleep: bool = False
    name: str = ""
    memory_bytes: int | None = None
    driver_version: str | None = None

    @property
    def pci_id(self) -> str:
        """Return vendor and device such as ``10de:28e0``."""
        return f"{self.vendor}:{self.device}"

    @property
    def folder(self) -> str:
        """Return its folder in sysfs."""
        return f"{PCI_DEVICES}/{self.address}"


def display_devices(files: Files) -> tuple[PciDevice, ...]:
    """Return all display and processing accelerator functions, in the order of their addresses."""
    found = []
    for address in files.names(PCI_DEVICES):
        folder = f"{PCI_DEVICES}/{address}"
        kind = files.text(f"{folder}/class") or ""
        vendor = _hex(files.text(f"{folder}/vendor"))
        if not (kind.startswith(_DISPLAY_CLASSES) or vendor == GOOGLE):
            continue
        device = _hex(files.text(f"{folder}/device"))
        driver = files.target(f"{folder}/driver")
        found.append(
            PciDevice(
                address=address,
                vendor=vendor,
                device=device,
                revision=_hex(files.text(f"{folder}/revision"))[-2:],
                driver=driver.rpartition("/")[2] if driver else None,
                is_asleep=files.text(f"{folder}/power/runtime_status") in {"suspended", "suspending"},
            )
        )
    return tuple(found)


def _hex(text: str | None) -> str:
    return (text or "").lower().removeprefix("0x")


def pci_name(files: Files, device: PciDevice) -> str | None:
    """Return the vendor's name of a device, from the computer's own lists or from ours; None if nobody knows it."""
    if device.name:
        return device.name
    if device.vendor == AMD:
        name = _amdgpu_name(files, device)
        if name:
            return name
    ours = _table().get((device.pci_id, device.revision)) or _table().get((device.pci_id, "-"))
    return ours or _pci_ids_name(files, device)


def is_ambiguous(name: str) -> bool:
    """Return whether a name stands for several models that share a device id, such as "RX 7900 XT/7900 XTX"."""
    return "/" in name


def driver_version(
    files: Files, card: PciDevice, log: EvidenceLog, module: str | None, *, on_linux: bool
) -> str | None:
    """Return the version of a card's driver: on Linux its module's, or the kernel's where it is a part of that."""
    if not on_linux:
        log.either("driver_version", card.driver_version, "registry DriverVersion", "dxdiag")
        return card.driver_version
    version = files.text(f"/sys/module/{module}/version") if module else None
    if version:
        log.found("driver_version", f"/sys/module/{module}/version", f"modinfo -F version {module}")
    elif card.driver:
        kernel = files.text("/proc/sys/kernel/osrelease")
        version = f"{card.driver}, kernel {kernel}" if kernel else card.driver
        log.found("driver_version", f"{card.folder}/driver", f"ls -l {card.folder}/driver; uname -r")
    else:
        remedy = f"install_{'amd' if card.vendor == AMD else 'intel'}_driver"
        log.missing("driver_version", "no_driver", "no kernel driver in charge", remedy)
    return version


@cache
def _table() -> dict[tuple[str, str], str]:
    rows = {}
    for line in resource_path("pci", "gpus.tsv").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            pci_id, revision, name = line.split("\t")
            rows[pci_id, revision] = name
    return rows


def _amdgpu_name(files: Files, device: PciDevice) -> str | None:
    """Return the name in libdrm's list, which tells models of one chip apart by revision."""
    wanted = (device.device.upper(), device.revision.upper())
    for line in (files.text("/usr/share/libdrm/amdgpu.ids") or "").splitlines():
        parts = [part.strip() for part in line.split(",", 2)]
        if len(parts) == 3 and (parts[0], parts[1]) == wanted:
            return parts[2].replace("(TM)", "")
    return None


def _pci_ids_name(files: Files, device: PciDevice) -> str | None:
    """Return the name in the system's pci.ids: the product in brackets if there is one."""
    for path in ("/usr/share/hwdata/pci.ids", "/usr/share/misc/pci.ids", "/usr/share/pci.ids"):
        text = files.text(path)
        if not text:
            continue
        vendor = re.search(rf"^{re.escape(device.vendor)}\s.*\n((?:[\t#].*\n|\n)*)", text, re.MULTILINE)
        row = vendor and re.search(rf"^\t{re.escape(device.device)}\s+(.+)$", vendor.group(1), re.MULTILINE)
        if row:
            product = re.search(r"\[([^\]]+)\]", row.group(1))
            return product.group(1) if product else row.group(1)
    return None


def read_link(files: Files, device: PciDevice) -> PcieLink | None:
    """Return the PCI Express link of an awake device to the computer; None where the kernel shows none."""
    folder = _link_folder(files, device)
    speeds = [_generation(files.text(f"{folder}/{name}")) for name in ("current_link_speed", "max_link_speed")]
    widths = [number(files.text(f"{folder}/{name}")) for name in ("current_link_width", "max_link_width")]
    if not any((*speeds, *widths)):
        return None
    return PcieLink(generation=speeds[0], width=widths[0], max_generation=speeds[1], max_width=widths[1])


def _link_folder(files: Files, device: PciDevice) -> str:
    """Return the folder of the card's own outermost port.

    Radeon and Arc cards hide the chip behind a switch on the card, and the chip's own link is a dummy (an Arc A770
    shows 2.5 GT/s x1). The first bridge below ``pci0000:00`` is the computer's port and belongs to no card.
    """
    parts = (files.target(device.folder) or device.folder).split("/")
    outermost = device.folder
    for depth in range(len(parts) - 1, 0, -1):
        if not re.fullmatch(r"[0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]", parts[depth - 2]):
            break
        bridge = f"{PCI_DEVICES}/{parts[depth - 1]}"
        if _hex(files.text(f"{bridge}/vendor")) != device.vendor:
            break
        outermost = bridge
    return outermost


def _generation(text: str | None) -> int | None:
    """Return the PCI Express generation of a speed such as "16.0 GT/s PCIe". Source: PCI-SIG base specifications."""
    rates = {"2.5": 1, "5": 2, "5.0": 2, "8": 3, "8.0": 3, "16.0": 4, "32.0": 5, "64.0": 6}
    return rates.get((text or "").split(" ")[0])
