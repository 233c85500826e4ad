"""The job that was asked is measured first, on the processor and on the first card, where the worker can run it."""

from typing import Any

import msgspec
import pytest

from advisor.benchmark.planning.schedule import TooLong, fit, rank
from advisor.benchmark.planning.suite_plan import plan_suite
from advisor.records.channel import WorkerDevice
from advisor.records.job.asked_job import JOB_PROGRAM, AskedJob, OwnSource
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Case
from tests.unit.benchmark.planning.test_suite_plan import machine, ready
from tests.unit.predict.examples import IMAGES

CPU = WorkerDevice(name="cpu", precisions=("fp32",))
CARDS = tuple(WorkerDevice(name=f"cuda:{n}", precisions=("fp32", "tf32", "fp16", "bf16")) for n in range(2))
SOURCE = OwnSource(reference="/home/somebody/model.py:build", input_shape=(3, 32, 32))
JOB = AskedJob(
    workload=Workload(id="own", title="own", network=IMAGES.name, samples=1000, batch_size=16),
    network=IMAGES,
    source=SOURCE,
)


def planned(*devices: WorkerDevice, source: OwnSource | None = SOURCE, **changes: Any) -> list[Case]:
    """Return the job's cases of a quick suite."""
    job = AskedJob(workload=msgspec.structs.replace(JOB.workload, **changes), network=IMAGES, source=source)
    cases = plan_suite("quick", machine(), ready(*devices), job)
    assert [case.program == JOB_PROGRAM for case in cases] == sorted(
        (case.program == JOB_PROGRAM for case in cases), reverse=True
    )
    return [case for case in cases if case.program == JOB_PROGRAM]


def test_the_job_comes_first_on_processor_and_first_card() -> None:
    """One case each, with the job's batch and precision, and no word of where the user's file is."""
    cases = planned(CPU, *CARDS)

    assert [case.device for case in cases] == ["cpu", "cuda:0"]
    assert {(case.batch_size, case.precision) for case in cases} == {(16, "fp32")}
    assert not any("somebody" in text for case in cases for text in (case.id, *map(str, case.options.values())))


@pytest.mark.parametrize(
    "changes",
    [{"compiled": True}, {"checkpointing": True}, {"method": "lora"}],
)
def test_what_the_worker_cannot_run_is_not_planned(changes: dict[str, Any]) -> None:
    """Compiled, checkpointed and adapted networks would be measured as something else."""
    assert planned(CPU, **changes) == []


def test_a_network_known_by_its_operations_runs_adapted_too() -> None:
    """Where there is no module to change, the operations are those of the method."""
    assert len(planned(CPU, source=None)) == len(planned(CPU, source=None, method="lora", checkpointing=True)) == 1
    assert planned(CPU, source=None, compiled=True) == []


def test_formats_of_a_device() -> None:
    """A processor computes every format but tf32; mixed precision takes bf16 there, and on a card what that has."""
    assert [case.device for case in planned(CPU, CARDS[0], precision="tf32")] == ["cuda:0"]
    assert [case.options["autocast"] for case in planned(CPU, CARDS[0], precision="amp")] == ["bf16", "bf16"]


def test_a_format_nobody_asked_for_is_not_emulated() -> None:
    """Where nobody said the format, a processor without instructions for bf16 computes in fp32; a card does not."""
    able = WorkerDevice(name="cpu", precisions=("fp32", "bf16"))
    for processor, expected in ((CPU, ""), (able, "bf16")):
        cases = planned(processor, CARDS[0], precision="amp", precision_is_default=True)
        assert [case.options["autocast"] for case in cases] == [expected, "bf16"]


def test_all_else_waits_for_the_job() -> None:
    """Where time is short the job gets its time, and what comes later shares the rest."""
    job, *others = plan_suite("quick", machine(), ready(CPU), JOB)

    assert rank(job) < min(map(rank, others))
    fitted = fit(job, others, 12.0, ())
    assert not isinstance(fitted, TooLong)
    assert fitted.budget_s == job.budget_s
