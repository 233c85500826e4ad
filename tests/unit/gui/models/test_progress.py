"""How far a check is, and how long it still takes."""

import msgspec
import pytest

from advisor.catalog import preset
from advisor.gui.models.measure import MeasureModel
from advisor.gui.models.progress import ProgressModel
from advisor.locale import language
from advisor.records.events import (
    BenchmarkPlanned,
    CaseFailed,
    CaseFinished,
    CaseStarted,
    StepStarted,
    WorkerStartsSlowly,
)
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.measured.measurement import FIRST_TRY_DETAIL, CaseFailure, Condition, FailureReason
from advisor.report.provenance.measurements import of_measurement
from tests.gui.samples import sample_events
from tests.unit.gui.plain import plain

EN, ES = language("en"), language("es")


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


def test_progress_from_beginning_to_end() -> None:
    """Each event changes the sentence; the share grows and ends at 1."""
    clock = Clock()
    model = ProgressModel(clock)
    sentences, shares = [], []
    for event in sample_events():
        model.handle_event(event)
        clock.now_s += 0.5
        sentences.append(model.sentence(EN))
        shares.append(model.fraction or 0.0)

    assert sentences[0] == "Looking at this computer"
    assert "Training a network on the graphics card, 7 s left" in sentences
    assert sentences[-1] == "Comparing the options"
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert (model.finished_count, model.planned_count) == (15, 15)


def test_the_time_left_never_goes_below_nothing() -> None:
    """A case that takes longer than planned is almost done, not minus ten seconds."""
    clock = Clock()
    model = ProgressModel(clock)
    for event in sample_events()[:4]:
        model.handle_event(event)
    clock.now_s = 1000.0

    assert model.remaining_s == 0.0
    assert model.sentence(EN).endswith("almost done")


def test_what_takes_longer_than_planned_sets_nothing_back() -> None:
    """A bar at 64 % stood at 62 % a second later."""
    clock = Clock()
    model = ProgressModel(clock)
    events = sample_events()
    started = next(place for place, event in enumerate(events) if isinstance(event, CaseStarted))
    for event in events[: started + 1]:
        model.handle_event(event)
    clock.now_s += 2.0
    before = model.fraction
    started_again = msgspec.structs.replace(events[started], remaining_s=events[started].remaining_s + 5.0)  # type: ignore[union-attr]
    model.handle_event(started_again)
    assert before is not None
    assert model.fraction == before > 0.0


def test_tests_that_tell_the_same_stand_together() -> None:
    """One heading stood twice: products, the network, products in a shorter format."""
    model = ProgressModel(Clock())
    planned = next(event for event in sample_events() if isinstance(event, BenchmarkPlanned))
    first, *_between, last = planned.cases
    other = msgspec.structs.replace(first, id="other", program="train", network="article_cnn")
    model.handle_event(
        msgspec.structs.replace(planned, cases=(first, other, msgspec.structs.replace(first, id=last.id)))
    )
    purposes = [one.purpose for one in model.tests(EN)]
    assert [bool(purpose) for purpose in purposes] == [True, False, True]
    assert purposes[0] != purposes[2]


def test_a_pause_between_two_tests_is_no_progress() -> None:
    """The share done and the time left stand still while nothing runs, and go on with the next test."""
    clock = Clock()
    model = ProgressModel(clock)
    for event in sample_events()[:5]:
        model.handle_event(event)
    before = (model.remaining_s, model.fraction)
    clock.now_s += 300.0
    assert (model.remaining_s, model.fraction) == before

    model.handle_event(sample_events()[5])
    clock.now_s += 1.0
    assert model.remaining_s < before[0]


@pytest.mark.parametrize("step", ["probe", "benchmark", "predict", "recommend", "report"])
def test_each_step_has_its_sentence(step: str) -> None:
    """No step is silent."""
    model = ProgressModel(Clock())
    model.handle_event(StepStarted(step=step))  # type: ignore[arg-type]  # the test passes known names

    assert model.sentence(EN)


def test_a_slow_start_is_said() -> None:
    """The user learns what is waited for, until the tests are planned."""
    model = ProgressModel(Clock())
    model.handle_event(StepStarted(step="benchmark"))
    model.handle_event(WorkerStartsSlowly())
    assert model.sentence(EN) == "Still starting PyTorch"
    assert model.fraction is None


@pytest.mark.parametrize(("reason", "left_out"), [("cancelled", 0), ("no_time", 14)])
def test_what_was_given_up_or_had_no_time_is_not_done(reason: FailureReason, left_out: int) -> None:
    """Only the tests that came to an end count: six of fourteen stood there as all. What had no time is said so."""
    model = ProgressModel(Clock())
    events = sample_events()
    started = [event for event in events if isinstance(event, CaseStarted)]
    ended = next(event for event in events if isinstance(event, CaseFinished))
    model.handle_event(BenchmarkPlanned(cases=tuple(one.case for one in started), budget_s=700.0))
    model.handle_event(ended)
    for one in started[1:]:
        model.handle_event(CaseFailed(failure=CaseFailure(case=one.case, reason=reason)))

    assert (model.finished_count, model.planned_count) == (1, len(started))
    assert sum(test.state == "without" for test in model.tests(EN)) == left_out
    assert (f"{left_out} tests left out: they would not fit into the time" in model.count_sentence(EN)) == bool(
        left_out
    )


def test_the_tests_are_listed_from_the_beginning() -> None:
    """Nothing but a bar stood there for ten seconds; then "0 of 14 tests done" while the bar was at 18 %."""
    model = ProgressModel(Clock())
    assert [(one.purpose, one.state) for one in model.tests(EN)] == [
        ("How fast this computer calculates", "waiting"),
        ("How fast it trains a network that other computers were measured with too", "waiting"),
    ]
    assert model.count_sentence(EN) == ""

    events = sample_events()
    started = next(place for place, event in enumerate(events) if isinstance(event, CaseStarted))
    for event in events[: started + 1]:
        model.handle_event(event)
    tests = model.tests(EN)
    assert [one.state for one in tests] == ["running", *["waiting"] * 14]
    assert all(one.title for one in tests)
    assert tests[0].purpose == "How fast this computer calculates"
    assert tests[1].purpose == "", "said once of those that follow each other"
    assert plain(model.count_sentence(EN)).startswith(
        "Test 1 of 15: Matrix product 128 × 128, fp32, on the processor ·"
    )

    before = model.version
    model.handle_event(events[started + 1])
    assert plain(model.tests(EN)[0].result) == "20 GFLOP/s"
    assert model.tests(EN)[0].state == "done"
    assert model.version > before
    assert plain(model.count_sentence(EN)).startswith("Test 2 of 15:")
    for event in events[started + 2 :]:
        model.handle_event(event)
    assert plain(model.count_sentence(EN)) == "15 of 15 tests done · nothing leaves this computer."
    assert [one.title for one in model.tests(EN)] == [one.title for one in tests], "none goes when others come"


@pytest.mark.parametrize(("budget_s", "is_long"), [(45.0, False), (700.0, True)])
def test_a_full_check_is_long(budget_s: float, is_long: bool) -> None:
    """A check of some seconds may be given up by a slip, one of minutes may not."""
    model = ProgressModel(Clock())
    model.handle_event(BenchmarkPlanned(cases=(), budget_s=budget_s))
    assert model.is_long == is_long


def test_the_pace_of_the_job_is_said_in_plain_words() -> None:
    """After the job's own network was trained: how many a second, and what one training takes at that."""
    model = ProgressModel(Clock())
    job = preset("article_cnn").workload
    trained = next(
        event.measurement
        for event in sample_events()
        if isinstance(event, CaseFinished) and event.measurement.case.program == "train"
    )
    case = msgspec.structs.replace(trained.case, network=job.network, batch_size=job.batch_size, device="cpu")
    other = msgspec.structs.replace(trained, case=msgspec.structs.replace(case, network="bert_base"))
    model.handle_event(CaseFinished(measurement=other))
    assert model.pace(job, EN) == ""
    assert model.pace(None, EN) == ""

    rate = job.total_samples / 7200
    model.handle_event(CaseFinished(measurement=msgspec.structs.replace(trained, case=case, items_per_s=rate)))
    assert "photos a second on the processor. At this pace one training takes 2 hours;" in plain(model.pace(job, EN))
    assert "fotos por segundo en el procesador" in plain(model.pace(job, ES))

    for share, said in ((0.87, "may be far less"), (0.3, "may be less"), (0.05, "")):
        load = (Condition(kind="other_load", value=share, unit="ratio"),)
        loaded = msgspec.structs.replace(trained, case=case, items_per_s=rate, conditions=load)
        one = ProgressModel(Clock())
        one.handle_event(CaseFinished(measurement=loaded))
        told = plain(one.pace(job, EN))
        assert (f"Other programs take {round(100 * share)}% of the processor meanwhile" in told) == bool(said)
        assert said in told

    own = msgspec.structs.replace(case, program=JOB_PROGRAM, id="own")
    model.handle_event(CaseFinished(measurement=msgspec.structs.replace(trained, case=own, items_per_s=rate / 4)))
    assert "one training takes 8 hours;" in plain(model.pace(job, EN)), "the answer counts with the job's own test"


def test_a_disturbed_test_has_a_sign_of_its_own_and_is_counted() -> None:
    """It had the tick of a quiet one while the check ran."""
    model = ProgressModel(lambda: 0.0)
    for event in sample_events():
        load = Condition(kind="other_load", value=0.5, unit="ratio", when="during")
        if isinstance(event, CaseFinished) and event.measurement.case.size == 512:
            model.handle_event(CaseFinished(measurement=msgspec.structs.replace(event.measurement, conditions=(load,))))
        else:
            model.handle_event(event)
    disturbed = [one for one in model.tests(EN) if one.state == "disturbed"]
    assert len(disturbed) == 1, "of the card's own none is"
    assert disturbed[0].result.startswith("Disturbed · ")
    assert plain(disturbed[0].remark) == "Other programs used 50% of the processor."
    assert all(not one.remark for one in model.tests(EN) if one not in disturbed)
    assert "1 test was disturbed (⚠)" in plain(model.count_sentence(EN))


def test_a_job_that_is_measured_again_counts_once() -> None:
    """Its test runs once more, and what that says takes the place of the first."""
    model, table = ProgressModel(Clock()), MeasureModel()
    events = [event for event in sample_events() if isinstance(event, BenchmarkPlanned | CaseStarted | CaseFinished)]
    for event in events:
        model.handle_event(event)
        table.handle_event(event)
    first = next(event for event in events if isinstance(event, CaseStarted))
    counts = model.finished_count, len(model.tests(EN))
    for one in (model, table):
        one.handle_event(first)
    assert [test.state for test in model.tests(EN)].count("running") == 1
    assert [row.state for row in table.rows(EN)].count("running") == 1

    ended = next(e for e in events if isinstance(e, CaseFinished) and e.measurement.case.id == first.case.id)
    again = msgspec.structs.replace(ended.measurement, details={FIRST_TRY_DETAIL: 3.08})
    for one in (model, table):
        one.handle_event(CaseFinished(measurement=again))
    assert (model.finished_count, len(model.tests(EN))) == counts
    said = "Measured again once other programs had left: beside them it was 3.08 s."
    assert said in [plain(row.remark) for row in table.rows(EN)]
    assert dict(of_measurement(again, "", EN).inputs)["What interfered"] == said
