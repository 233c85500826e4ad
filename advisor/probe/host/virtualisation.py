"""Is this a virtual machine, a container or Windows' Linux (WSL)? And is it a laptop, a desktop or a server?"""

import re
from dataclasses import dataclass

from advisor.probe.readers import Files
from advisor.records.base import GapReason
from advisor.records.hardware.machine import FormFactor, Isolation

# Maker or product names that firmware of virtual machines shows. Source: systemd, src/basic/virt.c, dmi_vendor_table.
_VIRTUAL_MAKERS = {
    "qemu": "QEMU",
    "kvm": "KVM",
    "amazon ec2": "Amazon EC2",
    "google compute engine": "Google Compute Engine",
    "vmware": "VMware",
    "virtualbox": "VirtualBox",
    "innotek": "VirtualBox",
    "xen": "Xen",
    "parallels": "Parallels",
    "bochs": "Bochs",
    "bhyve": "bhyve",
    "apple virtualization": "Apple Virtualization",
    "openstack": "OpenStack",
    "droplet": "DigitalOcean",
    "hetzner": "Hetzner",
    "virtual machine": "Hyper-V",
    "firecracker": "Firecracker",
}
_BARE_METAL = ("metal",)  # EC2 instance types that are whole computers end so
_CONTAINER_WORDS = {"docker": "Docker", "kubepods": "Kubernetes", "containerd": "containerd", "lxc": "LXC",
                    "libpod": "Podman", "garden": "Garden", "buildkit": "BuildKit"}  # fmt: skip

# Source: DMTF DSP0134 System Management BIOS reference, 7.4.1 chassis types.
_LAPTOP = {8, 9, 10, 11, 12, 14, 30, 31, 32}
_DESKTOP = {3, 4, 5, 6, 7, 13, 15, 16, 24, 34, 35, 36}
_SERVER = {17, 23, 25, 28, 29}


def form_factor(chassis_type: int | None, *, has_battery: bool) -> FormFactor:
    """Return what kind of computer a chassis type and a battery speak for."""
    if chassis_type in _LAPTOP or has_battery:
        return "laptop"
    if chassis_type in _SERVER:
        return "server"
    return "desktop" if chassis_type in _DESKTOP else "unknown"


def virtual_maker(*names: str | None) -> str | None:
    """Return the virtual machine that firmware names (maker, product, version) speak of, or None."""
    text = " ".join(name for name in names if name).lower()
    if any(word in text.split(".") for word in _BARE_METAL) or text.endswith("metal"):
        return None
    return next((label for word, label in _VIRTUAL_MAKERS.items() if re.search(rf"\b{word}", text)), None)


@dataclass(frozen=True, kw_only=True)
class Virtualisation:
    """What lies between this program and the hardware.

    Attributes:
        kind: A container inside a virtual machine is a container.
        detail: Names of what was recognised, the innermost first.
        sign: What showed it.
        hides: Why facts of the hardware that are not to be seen are hidden.
    """

    kind: Isolation
    detail: str
    sign: str
    hides: GapReason


def linux_isolation(files: Files) -> Virtualisation:
    """Return what lies between this program and the hardware."""
    machine, machine_sign = _linux_virtual_machine(files)
    container, container_sign = _linux_container(files)
    wsl = _wsl(files)
    if container:
        inner = wsl or machine
        detail = f"{container}, {inner}" if inner else container
        hides: GapReason = "virtual_machine" if inner else "container"
        return Virtualisation(kind="container", detail=detail, sign=container_sign, hides=hides)
    if wsl:
        return Virtualisation(kind="wsl", detail=wsl, sign="/proc/version", hides="virtual_machine")
    if machine:
        return Virtualisation(kind="virtual_machine", detail=machine, sign=machine_sign, hides="virtual_machine")
    sign = "/proc/cpuinfo, /sys/class/dmi/id, /proc/self/cgroup"
    return Virtualisation(kind="none", detail="", sign=sign, hides="not_found")


def _wsl(files: Files) -> str:
    version = (files.text("/proc/version") or "").lower()
    if "microsoft" not in version:
        return ""
    return "WSL 2" if "wsl2" in version or files.exists("/dev/dxg") else "WSL 1"


def _linux_virtual_machine(files: Files) -> tuple[str, str]:
    dmi = "/sys/class/dmi/id"
    maker = virtual_maker(*(files.text(f"{dmi}/{name}") for name in ("sys_vendor", "product_name", "bios_vendor")))
    if maker:
        return maker, dmi
    kind = files.text("/sys/hypervisor/type")
    if kind:
        return kind.capitalize(), "/sys/hypervisor/type"
    device_tree = files.text("/proc/device-tree/hypervisor/compatible")
    if device_tree:
        return device_tree.replace("\0", " "), "/proc/device-tree/hypervisor/compatible"
    for line in (files.text("/proc/cpuinfo") or "").splitlines():
        if line.startswith("flags") and " hypervisor" in line:
            return "hypervisor", "/proc/cpuinfo flag hypervisor"
    return "", ""


def _linux_container(files: Files) -> tuple[str, str]:
    marks = {"/.dockerenv": "Docker", "/run/.containerenv": "Podman"}
    for path, label in marks.items():
        if files.exists(path):
            return label, path
    named = files.text("/run/systemd/container")
    if named:
        return named, "/run/systemd/container"
    for path in ("/proc/self/cgroup", "/proc/1/cgroup"):
        group = files.text(path) or ""
        for word, label in _CONTAINER_WORDS.items():
            if word in group:
                return label, path
    if files.exists("/singularity.d") or files.exists("/.singularity.d"):
        return "Apptainer", "/.singularity.d"
    return "", ""
