"""A computer for the tests of this folder."""

from advisor.records.hardware.machine import Cpu, Disk, Framework, Host, Machine, Memory


def bare_machine() -> Machine:
    """Return a computer without any card."""
    return Machine(
        host=Host(
            os_name="Linux",
            os_version="6",
            form_factor="desktop",
            isolation="none",
            cpu=Cpu(name="c", vendor="v", architecture="x86_64", physical_cores=2, logical_cores=2, usable_cores=2.0),
            memory=Memory(total_bytes=8, available_bytes=8, limit_bytes=8),
            disk=Disk(kind=None, free_bytes=None),
        ),
        framework=Framework(),
    )
