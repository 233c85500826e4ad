"""The order of a run: what is announced, measured, skipped, and with what beside it."""

import threading
from collections.abc import Callable

import msgspec
import pytest

from advisor.benchmark.running import runner
from advisor.benchmark.running.control import Control
from advisor.benchmark.running.runner import run_suite
from advisor.benchmark.running.worker_process import WorkerProcess
from advisor.records.channel import Ready
from advisor.records.events import (
    BenchmarkFinished,
    BenchmarkPlanned,
    CaseFailed,
    CaseFinished,
    CaseStarted,
    Event,
    SampleTaken,
)
from advisor.records.hardware.machine import Framework
from advisor.records.hardware.telemetry import MetricSummary, MonitoredAccelerator, TelemetrySummary
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.measured.measurement import FIRST_TRY_DETAIL, Case, Condition, Series
from tests.fakes.suite import FAKE_WORKER, IMPATIENT, case, run_cases

pytestmark = pytest.mark.slow


def test_events_come_in_order() -> None:
    """Planned, then for each case started, samples, finished; at the end the benchmark that is returned."""
    outcome = run_cases([case("a", min_samples=2), case("b", program="unknown")])

    assert [type(event) for event in outcome.events] == [
        BenchmarkPlanned,
        CaseStarted,
        SampleTaken,
        SampleTaken,
        CaseFinished,
        CaseStarted,
        CaseFailed,
        BenchmarkFinished,
    ]
    assert outcome.events[-1] == BenchmarkFinished(benchmark=outcome.benchmark)


def test_every_case_ends_as_result_or_reason() -> None:
    """No case is lost, and none appears twice."""
    cases = [case("a"), case("b", "run_out_of_memory"), case("c")]
    outcome = run_cases(cases)

    assert (outcome.measured, outcome.reasons) == (["a", "c"], {"b": "does_not_fit"})


def test_remaining_time_counts_down() -> None:
    """Each start tells how much time this and the later cases are given."""
    outcome = run_cases([case("a", budget_s=3.0), case("b", budget_s=2.0)])
    started = [event for event in outcome.events if isinstance(event, CaseStarted)]

    assert [(e.index, e.count, e.remaining_s) for e in started] == [(0, 2, 5.0), (1, 2, 2.0)]


def test_samples_announced_are_the_samples_kept() -> None:
    """The live numbers and the result are the same numbers."""
    outcome = run_cases([case("a", min_samples=5)])
    live = [event.sample_s for event in outcome.events if isinstance(event, SampleTaken)]

    assert tuple(live) == outcome.benchmark.measurements[0].samples_s


def test_the_plan_is_made_from_what_the_worker_says() -> None:
    """The plan sees torch's version and devices before anything is measured."""
    seen: list[Ready] = []

    def plan_for(ready: Ready) -> list[Case]:
        seen.append(ready)
        return []

    run_suite(plan_for, command=FAKE_WORKER, limits=IMPATIENT)

    assert [device.name for device in seen[0].devices] == ["cpu"]


def test_environment_is_the_workers() -> None:
    """Versions beside the numbers are those of the process that measured."""
    assert run_cases([]).benchmark.environment["torch"] == "0.0.fake"


def test_what_kept_the_worker_from_a_device_is_kept() -> None:
    """The worker's own complaint stands beside its versions."""
    environment = run_cases([case("a")], start="missing_torch").benchmark.environment

    assert environment == {"problem": "ModuleNotFoundError: No module named 'torch'"}


def test_suite_is_named() -> None:
    """The result says which suite it is."""
    assert run_cases([], suite="full").benchmark.suite == "full"


def test_conditions_stand_beside_the_number() -> None:
    """Conditions seen before and during a case belong to its measurement, those of the start to the whole."""
    asked: list[tuple[str, bool]] = []

    def check(when: str, worker_pid: int | None) -> tuple[Condition, ...]:
        asked.append((when, worker_pid is not None))
        return (Condition(kind="other_load", value=len(asked), when=when),)  # type: ignore[arg-type]

    benchmark = run_cases([case("a")], check_conditions=check).benchmark

    assert asked == [("before", False), ("before", True), ("during", True)]
    assert [c.value for c in benchmark.conditions] == [1]
    assert [c.value for c in benchmark.measurements[0].conditions] == [2, 3]


class HotCard:
    """Sensors that always see a card slowed down by heat."""

    def begin(self) -> None:
        """Do nothing."""

    def end(self) -> TelemetrySummary:
        """Return a hot card."""
        metric = MetricSummary(mean=1.0, peak=1.0, count=1)
        card = MonitoredAccelerator(vendor="nvidia", index=0, name="Card")
        return TelemetrySummary(
            start_s=0, end_s=1, count=1, metrics={"accelerators.0.throttle_heat": metric}, accelerators=(card,)
        )

    def series(self, device: str, framework: Framework) -> tuple[Series, ...]:
        """Return nothing."""
        return ()


def test_a_slowed_card_is_said_of_its_own_cases_only() -> None:
    """What its sensors say belongs to the cases that ran on it."""
    cases = [case("a"), case("b", device="cuda:0")]
    benchmark = run_cases(cases, sensors=HotCard()).benchmark

    assert [[one.kind for one in m.conditions] for m in benchmark.measurements] == [[], ["throttled"]]


def test_theoretical_peak_gives_a_share() -> None:
    """A known peak of the device in that format gives the share reached."""
    cases = [case("a", flop_per_iteration=1e6, precision="fp32"), case("b", flop_per_iteration=1e6, precision="bf16")]
    first, second = run_cases(cases, peaks_flop_per_s={("cpu", "fp32"): 1e10}).benchmark.measurements

    assert first.peak_ratio == pytest.approx(first.flop_per_s / 1e10)  # type: ignore[operator]
    assert second.peak_ratio is None


def test_product_that_would_take_too_long_is_left_out() -> None:
    """The rate of a small product spares the user a large one, and the result says how long it would take."""
    small = case("small", flop_per_iteration=1e6)
    large = case("large", flop_per_iteration=1e12)
    outcome = run_cases([small, large])

    assert outcome.reasons == {"large": "no_time"}
    [failure] = outcome.benchmark.failures
    assert failure.needed_s is not None
    assert failure.left_s == pytest.approx(2 * large.budget_s)
    assert failure.needed_s is not None
    assert failure.left_s is not None
    assert failure.needed_s > failure.left_s


def test_a_suite_ends_when_it_was_promised_to() -> None:
    """Cases that no longer fit are left out with their reason; none is lost."""
    cases = [case(f"slow{i}", min_samples=300, budget_s=0.3) for i in range(60)]
    outcome = run_cases(cases, limit_for=lambda ready: 4.0)

    assert outcome.benchmark.limit_s == 4.0
    assert set(outcome.reasons.values()) == {"no_time"}
    assert {*outcome.measured, *outcome.reasons} == {one.id for one in cases}


def test_a_case_that_hangs_at_the_end_does_not_outlast_the_suite() -> None:
    """Its own time would be longer than what is left; then the lack of time is the reason."""
    outcome = run_cases([case("b", "hang", budget_s=0.1, timeout_s=600.0)], limit_for=lambda ready: 2.0)

    assert outcome.reasons == {"b": "no_time"}
    assert not outcome.left


def test_a_hang_in_the_midst_leaves_time_for_the_rest() -> None:
    """While others wait, a case that says nothing is given up long before its own time is over."""
    cases = [case("a", "hang", budget_s=0.1, timeout_s=600.0), *(case(f"b{i}", budget_s=5.0) for i in range(9))]
    outcome = run_cases(cases, limit_for=lambda ready: 60.0)

    assert outcome.reasons == {"a": "hung"}
    assert outcome.details["a"].startswith("No result within")
    assert len(outcome.measured) == 9


def test_a_pause_is_not_counted() -> None:
    """Time in which the user made the suite wait is added to its end."""
    control = Control()
    control.pause()
    threading.Timer(4.0, control.resume).start()
    outcome = run_cases([case("a", budget_s=0.1)], control=control, limit_for=lambda ready: 3.0)

    assert outcome.measured == ["a"]


def test_skip_gives_up_the_running_case_only() -> None:
    """A case that is skipped in its midst costs nothing else."""
    control = Control()

    def skip_the_slow(event: Event) -> None:
        if isinstance(event, CaseStarted) and event.case.id == "slow":
            control.skip()

    outcome = run_cases([case("slow", "be_slow"), case("b")], control=control, on_event=skip_the_slow)

    assert (outcome.measured, outcome.reasons) == (["b"], {"slow": "skipped"})


def test_skip_of_a_deaf_worker_takes_effect_all_the_same() -> None:
    """A worker that does not listen is ended, and the next case gets a new one."""
    control = Control()

    def skip_the_deaf(event: Event) -> None:
        if isinstance(event, CaseStarted) and event.case.id == "deaf":
            control.skip()

    outcome = run_cases([case("deaf", "be_deaf"), case("b")], control=control, on_event=skip_the_deaf)

    assert (outcome.measured, outcome.reasons) == (["b"], {"deaf": "skipped"})


def test_skip_between_cases_gives_up_the_next_one() -> None:
    """A skip asked for before anything runs is not lost."""
    control = Control()
    control.skip()
    outcome = run_cases([case("a"), case("b")], control=control)

    assert (outcome.measured, outcome.reasons) == (["b"], {"a": "skipped"})


def test_a_worker_that_cannot_be_ended_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that not even killing ends may still hold the device, and the result says so."""

    class Lingering(WorkerProcess):
        def stop(self) -> bool:
            super().stop()
            return False

    monkeypatch.setattr(runner, "WorkerProcess", Lingering)

    assert run_cases([case("a")]).benchmark.worker_lingers


def test_pause_holds_the_next_case_until_resumed() -> None:
    """While paused nothing starts; afterwards everything is measured."""
    control = Control()
    seen: list[bool] = []

    def pause_after_the_first(event: Event) -> None:
        if isinstance(event, CaseFinished) and event.measurement.case.id == "a":
            control.pause()
            threading.Timer(0.3, control.resume).start()
        if isinstance(event, CaseStarted):
            seen.append(control.is_paused)

    outcome = run_cases([case("a"), case("b")], control=control, on_event=pause_after_the_first)

    assert (outcome.measured, seen) == (["a", "b"], [False, False])


def test_cancel_keeps_what_was_measured() -> None:
    """After a cancel the earlier results are there and every later case is said to be cancelled."""
    control = Control()

    def cancel_in_the_second(event: Event) -> None:
        if isinstance(event, CaseStarted) and event.case.id == "b":
            control.cancel()

    cases = [case("a"), case("b", "be_slow"), case("c")]
    outcome = run_cases(cases, control=control, on_event=cancel_in_the_second)

    assert outcome.measured == ["a"]
    assert outcome.reasons == {"b": "cancelled", "c": "cancelled"}


def test_an_error_of_the_listener_ends_the_worker() -> None:
    """When announcing fails the error is passed on, and no process is left."""

    def fail(event: Event) -> None:
        raise ValueError("the listener is broken")

    with pytest.raises(ValueError, match="listener"):
        run_cases([case("a", "be_slow")], on_event=fail)

    assert run_cases([]).left == []


def test_result_survives_the_wire() -> None:
    """A benchmark with results and failures is the same after writing and reading."""
    benchmark = run_cases([case("a"), case("b", "run_out_of_memory")]).benchmark

    assert msgspec.json.decode(msgspec.json.encode(benchmark), type=type(benchmark)) == benchmark


def _loads(*ratios: float) -> Callable[[str, int | None], tuple[Condition, ...]]:
    """Return a check of conditions in which others have a share of the processor during each case in turn."""
    during = iter(ratios)

    def check(when: str, worker_pid: int | None) -> tuple[Condition, ...]:
        return (Condition(kind="other_load", value=next(during), when="during"),) if when == "during" else ()

    return check


@pytest.mark.parametrize(
    ("loads", "kept", "count"),
    [
        ((0.5, 0.0, 0.01), 0.01, 2),  # others left after the job's own test
        ((0.5, 0.0, 0.7), 0.5, 1),  # and came back: the first try says more, and there is no third
        ((0.5, 0.4), 0.5, 1),  # they are still there
        ((0.02, 0.0), 0.02, 1),  # nothing to mend
    ],
)
def test_a_job_that_others_slowed_is_measured_again_once_they_have_left(
    loads: tuple[float, ...], kept: float, count: int
) -> None:
    """One measurement of it remains, the less disturbed; it is announced, with what the first try took."""
    outcome = run_cases([case("job", program=JOB_PROGRAM), case("a")], check_conditions=_loads(*loads))
    jobs = [one for one in outcome.benchmark.measurements if one.case.id == "job"]
    told = [e for e in outcome.events if isinstance(e, CaseFinished) and e.measurement.case.id == "job"]

    assert [one.conditions[0].value for one in jobs] == [kept]
    assert len(told) == count
    assert (FIRST_TRY_DETAIL in jobs[0].details) is (count == 2)
    assert outcome.benchmark.failures == ()
