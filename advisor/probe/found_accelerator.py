"""An accelerator together with the notes of how it was read, before its place among the others is known."""

from dataclasses import dataclass, field

from advisor.probe.evidence_log import EvidenceLog
from advisor.records.hardware.machine import Accelerator


@dataclass(frozen=True)
class FoundAccelerator:
    """One accelerator and its log, whose field names are relative to it."""

    accelerator: Accelerator
    log: EvidenceLog = field(default_factory=EvidenceLog)
