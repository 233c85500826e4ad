"""What was measured, group by group: each with its chart, its table and what both mean, whatever the suite held."""

from collections.abc import Callable
from typing import Final

from advisor.locale import Language
from advisor.records.results.measured.measurement import Benchmark
from advisor.report.content.blocks import Block, with_origin
from advisor.report.content.measured.networks import formats, inference, training
from advisor.report.content.measured.parts import parts, threads
from advisor.report.content.measured.pipeline import pipeline
from advisor.report.content.measured.profile import profiles
from advisor.report.content.measured.sensors import sensors
from advisor.report.content.measured.sustained import sustained
from advisor.report.content.measured.sweep import sweeps
from advisor.report.provenance.measurements import of_run

_GROUPS: Final[tuple[Callable[[Benchmark, Language], tuple[Block, ...]], ...]] = (
    training,
    sweeps,
    formats,
    inference,
    pipeline,
    profiles,
    sustained,
    sensors,
    parts,
    threads,
)


def measured_groups(benchmark: Benchmark, language: Language) -> tuple[Block, ...]:
    """Return every group that something was measured of, beside the matrix products."""
    run = of_run(benchmark, language)
    return tuple(with_origin(block, run) for group in _GROUPS for block in group(benchmark, language))
