"""Samples shared by the tests of jetson, nvidia, nvidia_card, nvml."""

from advisor.probe import probe_machine
from advisor.records.hardware.machine import Accelerator, Machine
from tests.unit.probe.computers.fakes import FakeNvml, linux


def probed(*cards: dict[str, object], **options: object) -> Machine:
    """Return a machine with these cards."""
    return probe_machine(readers=linux("wsl2", FakeNvml(*cards, **options)))  # type: ignore[arg-type]


def only(machine: Machine) -> Accelerator:
    """Return the one accelerator."""
    (found,) = machine.accelerators
    return found


def gap(machine: Machine, field: str) -> tuple[str, str | None]:
    """Return reason and remedy of a gap of the first accelerator."""
    return next((g.reason, g.remedy) for g in machine.gaps if g.field == f"accelerators.0.{field}")
