"""What an earlier check of the same job measured stands beside what is measured now."""

from typing import Any

import msgspec
import pytest

from advisor.predict.measured.measured_classes import measured_classes
from advisor.records.base import Interval
from advisor.records.hardware.machine import Framework
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.diagnosis import Finding, Reading
from advisor.records.results.measured.measurement import (
    CLASSES_PROGRAM,
    UNTRUSTED_RATIO,
    WAITED_DETAIL,
    Benchmark,
    Case,
    Condition,
    Measurement,
    Series,
    undisturbed_s,
)
from advisor.records.results.report import Report
from advisor.session.checks.earlier_check import with_earlier
from tests.gui.samples import sample_report

JOB = Case(id="job/a/fp32/16/cpu", program=JOB_PROGRAM, network="a", precision="fp32", batch_size=16, device="cpu")


def step(seconds: float, case: Case = JOB, **changes: Any) -> Measurement:
    """Return a measured step."""
    return Measurement(case=case, samples_s=(seconds,), median_s=seconds, iqr_s=0.0, **changes)


def run_of(*measured: Measurement) -> Benchmark:
    """Return a check."""
    return Benchmark(suite="quick", started_at="2026-11-22T12:00:00+00:00", wall_s=40.0, measurements=measured)


def earlier(*measured: Measurement, **changes: Any) -> Report:
    """Return the report of an earlier check of the sample computer."""
    known = {"benchmark": run_of(*measured), "created_at": "2026-11-20T08:00:00+00:00"}
    return msgspec.structs.replace(sample_report(), **(known | changes))


def details_now(then: Report | None, now: Measurement) -> dict[str, float]:
    """Return what a step tells once the earlier check is known."""
    [found] = with_earlier(sample_report().machine, run_of(now), then).measurements
    return dict(found.details)


def test_the_step_of_then_stands_beside_the_step_of_now() -> None:
    """With when it was, what others took meanwhile, and how much of it was measured."""
    busy = (Condition(kind="other_load", value=0.25, when="during"),)
    found = details_now(earlier(step(0.2, conditions=busy, details={"measured_ratio": 0.5})), step(0.3))
    assert found["earlier_s"] == 0.2
    assert found["earlier_at"] == 1_795_161_600.0
    assert (found["earlier_taken_ratio"], found["earlier_measured_ratio"]) == (0.25, 0.5)
    assert found["earlier_other_torch"] == 0.0


@pytest.mark.parametrize("what", ["nothing", "unmeasured", "other job", "other settings", "other computer", "no day"])
def test_what_is_not_the_same_is_not_put_beside_it(what: str) -> None:
    """Another optimizer has the same id; another computer has the same job."""
    machine = sample_report().machine
    other_cpu = msgspec.structs.replace(machine.host.cpu, name="Another processor")
    other = msgspec.structs.replace(machine, host=msgspec.structs.replace(machine.host, cpu=other_cpu))
    then = {
        "nothing": None,
        "unmeasured": earlier(benchmark=None),
        "other job": earlier(step(0.2, msgspec.structs.replace(JOB, id="job/b/fp32/16/cpu"))),
        "other settings": earlier(step(0.2, msgspec.structs.replace(JOB, options={"optimizer": "sgd"}))),
        "other computer": earlier(step(0.2), machine=other),
        "no day": earlier(step(0.2), created_at="yesterday"),
    }
    assert "earlier_s" not in details_now(then[what], step(0.3))


def test_another_torch_is_told() -> None:
    """A step may well take another time with it."""
    machine = msgspec.structs.replace(sample_report().machine, framework=Framework(name="torch", version="2.0.0"))
    assert details_now(earlier(step(0.2), machine=machine), step(0.3))["earlier_other_torch"] == 1.0


@pytest.mark.parametrize("network", ["a", "another"])
def test_what_keeping_memory_gains_is_handed_on(network: str) -> None:
    """With what it was concluded from; of another network it says nothing."""
    readings = {"batch": 32.0, "usual_page_faults": 355_782.0, "usual_system_ratio": 0.44}
    found = Finding(
        kind="page_faults", form="counted", device="cpu", network=network, severity="moderate",
        evidence=tuple(Reading(name=name, value=value, source="train") for name, value in readings.items()),
        gain=Interval(low=1.0, high=1.8), remedies=("keep_freed_memory",),
    )  # fmt: skip
    details = details_now(earlier(step(0.2), findings=(found,)), step(0.3))
    expected = {"earlier_kept_low": 1.0, "earlier_kept_high": 1.8, "earlier_batch": 32.0,
                "earlier_page_faults": 355_782.0, "earlier_system_ratio": 0.44}  # fmt: skip
    assert {name: details[name] for name in expected if name in details} == (expected if network == "a" else {})


CLASSES = Case(id="work_classes/bf16/cpu", program=CLASSES_PROGRAM, precision="bf16", device="cpu")
QUIET, SLOWED = ((Series(x="amount", y="gemm", points=((1e6, seconds),)),) for seconds in (3e-5, 16e-3))
BUSY = Condition(kind="other_load", value=0.5, unit="ratio", when="during")


@pytest.mark.parametrize("what", ["slowed", "quiet now", "slowed then too", "another torch", "told before"])
def test_classes_of_work_that_others_slowed_get_the_curves_of_then(what: str) -> None:
    """A product of 30 µs took 16 ms beside a busy program, and every other job was told by that."""
    before = step(1.0, CLASSES, series=QUIET)
    now = step(1.0, CLASSES, series=SLOWED, conditions=(BUSY,))
    machine = {}
    if what == "quiet now":
        now = msgspec.structs.replace(now, conditions=())
    elif what == "slowed then too":
        before = msgspec.structs.replace(before, conditions=(BUSY,))
    elif what == "another torch":
        framework = Framework(name="torch", version="2.0.0")
        machine = {"machine": msgspec.structs.replace(sample_report().machine, framework=framework)}
    elif what == "told before":
        before = msgspec.structs.replace(before, series=SLOWED, earlier_series=QUIET, conditions=(BUSY,))
    found = with_earlier(sample_report().machine, run_of(now), earlier(before, **machine))
    is_told = what in ("slowed", "told before")
    assert found.measurements[0].earlier_series == (QUIET if is_told else ())
    assert found.measurements[0].series == now.series, "what was measured is kept"
    [classes] = measured_classes(found.measurements)
    assert classes.curves["gemm"] == (QUIET if is_told else now.series)[0].points
    assert found.taken_ratio({CLASSES.id}) == (0.5 if what in ("slowed then too", "another torch") else 0.0)
    assert not found.leaves_too_little({CLASSES.id})


def test_a_product_that_others_slowed_is_told_by_the_earlier_check() -> None:
    """A product of 67 µs took 16 ms beside a busy program: 130 years of training were told of seven months."""
    product = Case(id="matmul/fp32/128/cpu", program="matmul", size=128, precision="fp32", device="cpu")
    quiet, slowed = step(67e-6, product), step(16e-3, product, conditions=(BUSY,))
    found = with_earlier(sample_report().machine, run_of(slowed), earlier(quiet))
    [told] = found.measurements
    assert undisturbed_s(told) == 67e-6
    assert told.median_s == 16e-3, "what was measured is kept"
    assert found.taken_ratio({product.id}) == 0.0
    other = msgspec.structs.replace(quiet, case=msgspec.structs.replace(product, options={"threads": 1}))
    [unlike] = with_earlier(sample_report().machine, run_of(slowed), earlier(other)).measurements
    assert "earlier_s" not in unlike.details
    again = with_earlier(sample_report().machine, run_of(slowed), earlier(told)).measurements[0]
    assert undisturbed_s(again) == 67e-6, "two disturbed checks later as well"


def test_what_the_threads_of_the_job_waited_counts_for_other_tests_of_the_check() -> None:
    """A quarter was taken of a small product, which took 240 times as long: its time says nothing."""
    waited = step(3.6, conditions=(BUSY,), details={WAITED_DETAIL: 0.97})
    load = Condition(kind="other_load", value=0.23, when="during")
    product = step(16e-3, Case(id="matmul", program="matmul", device="cpu"), conditions=(load,))
    assert run_of(product).disturbed_ratio({"matmul"}) == 0.23
    both = run_of(waited, product)
    assert both.disturbed_ratio({"matmul"}) > UNTRUSTED_RATIO
    assert both.leaves_too_little({"matmul"})
