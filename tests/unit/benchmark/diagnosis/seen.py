"""What several test files here share."""

from typing import Any

import msgspec

from advisor.benchmark.diagnosis import diagnose
from advisor.records.hardware.machine import Machine
from advisor.records.results.diagnosis import Finding, FindingKind
from advisor.records.results.measured.measurement import Benchmark, Condition, Measurement


def found(kind: FindingKind, computer: Machine, run: Benchmark | None = None, **known: Any) -> list[Finding]:
    """Return the findings of a kind."""
    return [one for one in diagnose(computer, run, **known) if one.kind == kind]


def values(one: Finding) -> dict[str, float]:
    """Return the numbers of a finding."""
    return {reading.name: reading.value for reading in one.evidence}


def disturbed_by_others(one: Measurement) -> Measurement:
    """Return it as taken while other programs ran: no evidence against the hardware."""
    return msgspec.structs.replace(one, conditions=(Condition(kind="other_load", value=0.2, unit="ratio"),))
