"""What a job becomes with the user's data, and what of them is measured."""

import msgspec
import pytest

from advisor.catalog import preset
from advisor.errors import InputError
from advisor.records.hardware.machine import Disk
from advisor.records.job.workload import Circumstances, InputKind
from advisor.records.request import Observation, Request
from advisor.records.results.measured.measurement import Benchmark, Case, Measurement, Series
from advisor.records.results.measured.own_data import DataKind, FileFormat, FoundData, OwnData
from advisor.session.forecast import conclude
from advisor.session.given.data import BATCH, job_with, with_data
from tests.unit.benchmark.diagnosed import machine

JOB = preset("article_cnn").workload


def own(kind: DataKind = "image", samples: int | None = 2000) -> OwnData:
    """Return what was found."""
    return OwnData(
        kind=kind,
        formats=(FileFormat(name="jpeg", files=2000),),
        files=2000,
        samples=samples,
        size_bytes=60_000_000,
        disk=Disk(kind="ssd", free_bytes=10**11),
    )


def test_the_jobs_samples_are_those_found_unless_told() -> None:
    """The article's steps give way to the count; what was said on the command line stays."""
    found = job_with(own(), JOB, has_samples=False, has_input=False)
    assert (found.samples, found.steps_per_epoch, found.input_kind) == (2000, None, "jpeg")
    told = job_with(own(), msgspec.structs.replace(JOB, samples=5), has_samples=True, has_input=False)
    assert told.samples == 5
    kept = msgspec.structs.replace(JOB, input_kind="memory")
    assert job_with(own(), kept, has_samples=False, has_input=True).input_kind == "memory"


def test_the_jobs_classes_are_those_found() -> None:
    """Where the job has classes, and the folders say how many."""
    assert job_with(own(), JOB, has_samples=False, has_input=False).classes == JOB.classes
    told = msgspec.structs.replace(own(), classes=2)
    assert job_with(told, JOB, has_samples=False, has_input=False).classes == 2
    without = msgspec.structs.replace(JOB, classes=None)
    assert job_with(told, without, has_samples=False, has_input=False).classes is None


def test_tables_are_kept_in_memory_and_unknown_counts_change_nothing() -> None:
    """A table's rows are not loaded one by one."""
    found = job_with(own("table", None), JOB, has_samples=False, has_input=False)
    assert (found.samples, found.input_kind) == (JOB.samples, JOB.input_kind)


@pytest.mark.parametrize("kind", ["text", "table"])
def test_images_do_not_go_into_what_takes_none(kind: InputKind) -> None:
    """One sentence says so, for a language model and for rows of a table."""
    with pytest.raises(InputError, match="these files are images"):
        job_with(own(), msgspec.structs.replace(JOB, input_kind=kind), has_samples=False, has_input=False)


def test_the_case_comes_right_after_the_job_and_names_no_file() -> None:
    """Its options are kinds and numbers."""
    request = Request(workload=JOB, found=FoundData(data=own(), files=(b"/secret/photo.jpg",)))
    cases = (Case(id="job/cpu", program="job"), Case(id="matmul", program="matmul"))
    planned = with_data(cases, request, machine())
    assert [case.program for case in planned] == ["job", "data", "fed", "matmul"]
    assert planned[1].batch_size == min(BATCH, JOB.batch_size)
    few = msgspec.structs.replace(request, workload=msgspec.structs.replace(JOB, batch_size=2))
    assert with_data(cases, few, machine())[1].batch_size == 2
    assert "secret" not in str(planned)
    assert with_data(cases, Request(workload=JOB), machine()) == cases
    assert with_data((), request, machine()) == ()


@pytest.mark.parametrize(("cores", "loaders", "numbers"), [(2, None, "0,2,1"), (2, 1, "1,0,2"), (16, 4, "4,0,8")])
def test_the_jobs_steps_are_fed_with_none_the_asked_and_many(cores: int, loaders: int | None, numbers: str) -> None:
    """On the device that is measured last, which is the card where there is one."""
    job = job_with(own(), msgspec.structs.replace(JOB, loaders=loaders), has_samples=False, has_input=False)
    request = Request(workload=job, found=FoundData(data=own(), files=()))
    steps = tuple(Case(id=f"job/{name}", program="job", device=name, network="n") for name in ("cpu", "cuda:0"))
    computer = machine()
    cpu = msgspec.structs.replace(computer.host.cpu, usable_cores=cores)
    computer = msgspec.structs.replace(computer, host=msgspec.structs.replace(computer.host, cpu=cpu))
    fed = with_data(steps, request, computer)[-1]
    assert (fed.program, fed.device, fed.network, fed.options["loaders"]) == ("fed", "cuda:0", "n", numbers)


def test_nothing_is_fed_that_the_job_does_not_load() -> None:
    """Tables are kept in memory, and so is what the user says is."""
    request = Request(workload=JOB, found=FoundData(data=own("table"), files=()))
    assert [case.program for case in with_data((Case(id="job", program="job"),), request, machine())] == ["job", "data"]


def test_what_was_measured_of_the_data_makes_the_interval_narrow() -> None:
    """The same job with and without: the guess reaches over a factor of twenty, the measurement does not."""
    job = msgspec.structs.replace(job_with(own(), JOB, has_samples=False, has_input=False), epochs=10.0)
    points = ((0.0, 50.0), (1.0, 55.0), (2.0, 100.0), (4.0, 190.0))
    one = Measurement(
        case=Case(id="data/cpu", program="data"),
        samples_s=(0.02,),
        median_s=0.02,
        iqr_s=0.0,
        series=(Series(x="loaders", y="items_per_s", points=points),),
    )
    benchmark = Benchmark(suite="quick", started_at="2026-11-22T00:00:00+00:00", wall_s=1.0, measurements=(one,))
    observation = Observation(machine=machine(), benchmark=benchmark, data=own())
    with_loading = conclude(observation, job, Circumstances())
    without = conclude(Observation(machine=machine()), job, Circumstances())
    assert with_loading.data == own()

    def width(report) -> float:  # type: ignore[no-untyped-def]
        fastest = min(
            (option.prediction for option in report.advice.options if option.prediction is not None),
            key=lambda prediction: prediction.time_per_step_s,
        )
        return float(fastest.interval.high / fastest.interval.low)

    assert width(with_loading) < width(without)
