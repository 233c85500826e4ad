"""What would make the job fit, in sentences and as a table."""

import msgspec

from advisor.catalog import find_workload
from advisor.locale import language
from advisor.records.hardware.machine import Accelerator
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.content.blocks import Paragraph, Table
from advisor.report.content.job_changes import job_changes
from advisor.session.forecast import conclude
from advisor.units import GIB
from tests.unit.benchmark.diagnosed import machine

EN = language("en")


def _report(name: str, card: str, memory_gib: int) -> Report:
    found = Accelerator(
        vendor="nvidia", index=0, name=card, kind="discrete", trains=True, memory_bytes=memory_gib * GIB
    )
    job = msgspec.structs.replace(find_workload(name).workload, batch_size=8)
    return conclude(Observation(machine=machine(found)), job, Circumstances())


def test_the_least_is_said_with_what_it_takes() -> None:
    """First with the same result, then with another, then spread over cards."""
    said, table = job_changes(_report("llm_7b_full", "GeForce RTX 4090", 24), EN).blocks
    assert isinstance(said, Paragraph)
    assert isinstance(table, Table)
    parts = ["As it is, it takes ", "The least for the same result is ", "Trained another way (", "Spread over 6"]
    assert sorted(parts, key=said.text.index) == parts
    assert "QLoRA" in said.text


def test_without_any_change_there_is_no_empty_table() -> None:
    """A network of 70 billion parameters, whose activations are computed again already, on a processor."""
    found = machine()
    job = find_workload("llm_70b_scratch").workload
    section = job_changes(conclude(Observation(machine=found), job, Circumstances()), EN)
    assert not [block for block in section.blocks if isinstance(block, Table) and not block.rows]
    assert "The least" in "".join(block.text for block in section.blocks if isinstance(block, Paragraph))
