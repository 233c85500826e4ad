"""What was measured, group by group: each with its chart, its table and what both mean, whatever the suite held."""

from collections.abc import Callable
from typing import Final

from advisor.locale import Language
from advisor.records.results.measured.measurement import Benchmark
from advisor.report.content.blocks import Block, Table, with_origin
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


def measured_groups(benchmark: Benchmark, language: Language, *, beside_tests: bool = False) -> tuple[Block, ...]:
    """Return every group that something was measured of, beside the matrix products.

    Args:
        benchmark: What was measured.
        language: Of the words.
        beside_tests: Every test stands beside it with its result, so that one network alone has been told there.
    """
    run = of_run(benchmark, language)
    groups = [group(benchmark, language) for group in _GROUPS]
    if beside_tests and any(isinstance(block, Table) and len(block.rows) == 1 for block in groups[0]):
        groups = groups[1:]
    return tuple(with_origin(block, run) for group in groups for block in group)
