"""Computers of a room, made up: equal ones with a little noise."""

import random
from collections.abc import Sequence

from advisor.records.hardware.machine import Accelerator, Cpu, Disk, Framework, Host, Machine, Memory
from advisor.records.results.diagnosis import FindingKind
from advisor.records.results.fleet import FleetMember
from advisor.records.results.measured.measurement import Benchmark, Case, Measurement
from advisor.units import GIB

CASES = 8


def machine(
    cpu: str = "Intel(R) Core(TM) i5-8400 CPU @ 2.80GHz", gib: float = 15.6, card: str | None = None
) -> Machine:
    """Return a desktop computer."""
    cards = () if card is None else (_card(card),)
    return Machine(
        host=Host(
            os_name="Linux",
            os_version="6.1",
            form_factor="desktop",
            isolation="none",
            cpu=Cpu(
                name=cpu,
                vendor="Intel",
                architecture="x86_64",
                physical_cores=6,
                logical_cores=6,
                usable_cores=6.0,
                base_frequency_hz=2.8e9,
                max_frequency_hz=4.0e9,
                instruction_sets=("AVX2",),
            ),
            memory=Memory(total_bytes=int(gib * GIB), available_bytes=int(gib * GIB), limit_bytes=int(gib * GIB)),
            disk=Disk(kind="ssd", free_bytes=100 * GIB),
        ),
        accelerators=cards,
        framework=Framework(version="2.13.0", built_for="cpu"),
    )


def _card(name: str) -> Accelerator:
    return Accelerator(vendor="nvidia", index=0, name=name, kind="discrete", trains=True, memory_bytes=12 * GIB)


def measured(scale: float, source: random.Random, noise: float = 0.03) -> Benchmark:
    """Return measurements of which each takes so many times as long as usual, give or take some noise."""
    return Benchmark(
        suite="quick",
        started_at="2026-11-22T10:00:00+00:00",
        wall_s=40.0,
        measurements=tuple(_measurement(number, scale * source.gauss(1.0, noise)) for number in range(CASES)),
    )


def _measurement(number: int, scale: float) -> Measurement:
    time_s = 0.01 * (number + 1) * scale
    case = Case(id=f"gemm/cpu/{number}", program="gemm", device="cpu", precision="fp32", size=512 + number)
    return Measurement(case=case, samples_s=(time_s,) * 3, median_s=time_s, iqr_s=0.01 * time_s)


def member(
    number: int,
    *,
    benchmark: Benchmark | None = None,
    of: Machine | None = None,
    label: str | None = None,
    findings: Sequence[FindingKind] = (),
    created_at: str = "2026-11-22T10:00:00+00:00",
) -> FleetMember:
    """Return a computer of the room."""
    return FleetMember(
        digest=f"{number:012x}",
        label=f"pc-{number:02}" if label is None else label,
        created_at=created_at,
        machine=machine() if of is None else of,
        benchmark=benchmark,
        findings=tuple(findings),
    )


def equals(count: int, *, slow: int | None = None, by: float = 0.12, seed: int = 0) -> list[FleetMember]:
    """Return equal computers with 3 % noise; one may be slower."""
    source = random.Random(seed)
    return [member(n, benchmark=measured(1.0 + by * (n == slow), source)) for n in range(count)]
