"""An accelerator together with the notes of how it was read, before its place among the others is known."""

from dataclasses import dataclass, field

from advisor.probe.evidence_log import Ledger
from advisor.records.hardware.machine import Accelerator


@dataclass(frozen=True)
class Found:
    """One accelerator and its ledger, whose field names are relative to it."""

    accelerator: Accelerator
    ledger: Ledger = field(default_factory=Ledger)
