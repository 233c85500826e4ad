"""Virtual machines, containers and the kind of computer."""

import pytest

from advisor.probe.host.virtualisation import form_factor, linux_isolation, virtual_maker
from tests.unit.probe.computers.fakes import RecordedFiles


@pytest.mark.parametrize(
    ("names", "maker"),
    [
        (("QEMU", "Standard PC (Q35 + ICH9, 2009)"), "QEMU"),
        (("VMware, Inc.", "VMware20,1"), "VMware"),
        (("innotek GmbH", "VirtualBox"), "VirtualBox"),
        (("Microsoft Corporation", "Virtual Machine"), "Hyper-V"),
        (("Microsoft Corporation", "Surface Laptop 5"), None),
        (("Amazon EC2", "g5.xlarge"), "Amazon EC2"),
        (("Amazon EC2", "c5.metal"), None),
        (("Google", "Google Compute Engine"), "Google Compute Engine"),
        (("LENOVO", "21CB"), None),
        ((None, None), None),
    ],
)
def test_makers_of_virtual_machines(names: tuple[str | None, ...], maker: str | None) -> None:
    """Firmware names tell virtual machines from real computers, and whole cloud computers from slices."""
    assert virtual_maker(*names) == maker


@pytest.mark.parametrize(
    ("files", "kind", "detail", "hides"),
    [
        ({"/run/.containerenv": ""}, "container", "Podman", "container"),
        ({"/run/systemd/container": "lxc"}, "container", "lxc", "container"),
        ({"/proc/self/cgroup": "0::/kubepods/besteffort/pod1"}, "container", "Kubernetes", "container"),
        ({"/.singularity.d/runscript": ""}, "container", "Apptainer", "container"),
        (
            {"/.dockerenv": "", "/proc/cpuinfo": "flags : fpu hypervisor"},
            "container",
            "Docker, hypervisor",
            "virtual_machine",
        ),
        ({"/sys/hypervisor/type": "xen"}, "virtual_machine", "Xen", "virtual_machine"),
        ({"/proc/version": "Linux version 4.4.0-19041-Microsoft"}, "wsl", "WSL 1", "virtual_machine"),
        ({}, "none", "", "not_found"),
    ],
)
def test_surroundings(files: dict[str, str], kind: str, detail: str, hides: str) -> None:
    """Each sign is recognised, and a container inside a virtual machine names both."""
    around = linux_isolation(RecordedFiles(files, {}))
    assert (around.kind, around.detail, around.hides) == (kind, detail, hides)


@pytest.mark.parametrize(
    ("chassis", "battery", "form"),
    [(10, False, "laptop"), (3, False, "desktop"), (35, False, "desktop"), (17, False, "server"),
     (1, False, "unknown"), (None, True, "laptop"), (3, True, "laptop"), (None, False, "unknown")],
)  # fmt: skip
def test_form_factor(chassis: int | None, battery: bool, form: str) -> None:
    """A battery makes a laptop whatever the chassis says, since many say "other"."""
    assert form_factor(chassis, has_battery=battery) == form
