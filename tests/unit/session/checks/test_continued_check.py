"""One more job, or what a check left out, is measured for a computer that was checked before."""

from typing import Any

import msgspec
import pytest

from advisor.benchmark.running import runner
from advisor.errors import InputError
from advisor.records.channel import Ready, WorkerDevice
from advisor.records.hardware.machine import Framework
from advisor.records.request import Observation, Request
from advisor.records.results.measured.measurement import Benchmark, Case, CaseFailure, Measurement
from advisor.session import run
from advisor.session.checks.continued_check import is_unfinished, measure_rest, measure_too
from tests.unit.benchmark.diagnosed import machine
from tests.unit.predict.examples import IMAGES, workload

REQUEST = Request(workload=workload(layers=("linear 10 2",)))


def measurement(case: Case, seconds: float) -> Measurement:
    """Return a result of a case."""
    return Measurement(case=case, samples_s=(seconds,), median_s=seconds, iqr_s=0.0)


def benchmark(**changes: Any) -> Benchmark:
    """Return a run."""
    known: dict[str, Any] = {"suite": "quick", "started_at": "2026-11-22T12:00:00+00:00", "wall_s": 40.0}
    return Benchmark(**(known | changes))


@pytest.fixture
def planned(monkeypatch: pytest.MonkeyPatch) -> list[Case]:
    """Return where the cases of the further run are written; each of them takes 0.5 s."""
    cases: list[Case] = []

    def run_suite(plan_for: Any, **_: Any) -> Benchmark:
        cases[:] = plan_for(Ready(framework=Framework(name="torch"), devices=(WorkerDevice(name="cpu"),)))
        return benchmark(wall_s=8.0, measurements=tuple(measurement(case, 0.5) for case in cases))

    monkeypatch.setattr(runner, "run_suite", run_suite)
    monkeypatch.setattr(run, "network_of", lambda _workload: IMAGES)
    return cases


def ask(known: Benchmark) -> Benchmark:
    """Return the benchmark with the job measured too."""
    found = measure_too(Observation(machine=machine(), benchmark=known), REQUEST, lambda _event: None).benchmark
    assert found is not None
    return found


def test_only_the_job_is_measured_and_everything_else_stays(planned: list[Case]) -> None:
    """Its case joins those of the check, whose other results and failures are kept."""
    product = Case(id="matmul", program="matmul", device="cpu")
    failed = CaseFailure(case=Case(id="disk", program="disk", device="cpu"), reason="no_time")
    found = ask(benchmark(measurements=(measurement(product, 1.0),), failures=(failed,)))

    assert [case.program for case in planned] == ["job"]
    assert [one.case.id for one in found.measurements] == ["matmul", planned[0].id]
    assert found.failures == (failed,)
    assert found.wall_s == 48.0


def test_the_same_job_is_there_once(planned: list[Case]) -> None:
    """The later measurement takes the place of the earlier one, and of its failure."""
    first = ask(benchmark())
    failure = CaseFailure(case=planned[0], reason="no_time")
    again = ask(msgspec.structs.replace(first, failures=(failure,)))

    assert len(again.measurements) == 1
    assert again.failures == ()


def test_another_computer_is_not_measured(planned: list[Case]) -> None:
    """A recorded one is not here, and without a check there is nothing to add to."""
    for changes in ({"is_simulated": True, "benchmark": benchmark()}, {"benchmark": None}):
        with pytest.raises(InputError, match="after a check"):
            measure_too(Observation(machine=machine(), **changes), REQUEST, lambda _event: None)
    assert planned == []


def test_a_check_goes_on_where_it_was(planned: list[Case]) -> None:
    """What was measured, what does not fit and what was skipped is not tried again; the rest joins what there is."""
    cancelled = CaseFailure(case=Case(id="none", program="disk", device="cpu"), reason="cancelled")
    nothing = Observation(machine=machine(), benchmark=benchmark(failures=(cancelled,)))
    measure_rest(nothing, REQUEST, lambda _event: None)
    whole = list(planned)
    first, second, third = whole[:3]
    known = benchmark(
        measurements=(measurement(first, 1.0),),
        failures=(
            CaseFailure(case=second, reason="does_not_fit"),
            CaseFailure(case=third, reason="cancelled"),
        ),
    )
    seen = Observation(machine=machine(), benchmark=known)
    found = measure_rest(seen, REQUEST, lambda _event: None).benchmark
    assert found is not None
    assert not {first.id, second.id} & {case.id for case in planned}
    assert third.id in {case.id for case in planned}
    assert {one.case.id for one in found.measurements} == {case.id for case in whole} - {second.id}
    assert [failure.case.id for failure in found.failures] == [second.id]
    assert not is_unfinished(found)


def test_a_whole_check_has_no_rest(planned: list[Case]) -> None:
    """Nor has that of another computer."""
    done = benchmark(failures=(CaseFailure(case=Case(id="disk", program="disk", device="cpu"), reason="no_time"),))
    with pytest.raises(InputError, match="before its time"):
        measure_rest(Observation(machine=machine(), benchmark=done), REQUEST, lambda _event: None)
    assert planned == []
