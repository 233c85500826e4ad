"""Samples shared by the tests of adapters, linux, recorded_machines."""

from advisor.records.hardware.machine import Accelerator, Machine


def card(machine: Machine, vendor: str) -> Accelerator:
    """Return the first accelerator of a maker."""
    return next(one for one in machine.accelerators if one.vendor == vendor)


def reasons(machine: Machine) -> dict[str, tuple[str, str | None]]:
    """Return reason and remedy of each gap by field."""
    return {gap.field: (gap.reason, gap.remedy) for gap in machine.gaps}
