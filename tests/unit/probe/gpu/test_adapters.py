"""What else looks like a graphics card: adapters of virtual machines and remote consoles, and Google's TPUs."""

from advisor.probe import probe_machine
from tests.unit.probe.computers.fakes import linux
from tests.unit.probe.computers.recorded import reasons


def test_virtual_adapters_are_shown_but_never_used() -> None:
    """Virtio, QXL and a server's console are named as what they are."""
    machine = probe_machine(readers=linux("vm_virtio"))
    assert {one.kind for one in machine.accelerators} == {"virtual"}
    assert not any(one.trains for one in machine.accelerators)
    assert reasons(machine)["accelerators"] == ("not_found", None)
    assert (machine.host.isolation, machine.host.isolation_detail) == ("virtual_machine", "QEMU")
    assert machine.host.cpu.name == "ARM Neoverse-V1"
    assert machine.host.cpu.instruction_sets == ("NEON", "SVE", "BF16")
    assert machine.host.memory.available_bytes == (1028000 + 100000 + 900000) * 1024


def test_tpu_trains_though_torch_cannot_use_it() -> None:
    """A TPU on the bus is an accelerator to train on, of unknown memory."""
    address = "sys__bus__pci__devices__0000:00:04.0"
    changes = {f"{address}__class": "0xff0000", f"{address}__vendor": "0x1ae0", f"{address}__device": "0x0063"}
    machine = probe_machine(readers=linux("vm_virtio", **changes))
    found = machine.accelerators[0]
    assert (found.vendor, found.kind, found.name, found.trains) == ("google", "tpu", "TPU v5e", True)
