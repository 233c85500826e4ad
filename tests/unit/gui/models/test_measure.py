"""Measurements as a table and a chart."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.gui.models.measure import (
    CaseRow,
    MeasureModel,
    disturbed_rates_sentence,
    rate_table,
    rate_ticks,
    with_notes,
)
from advisor.gui.models.progress import ProgressModel
from advisor.locale import language
from advisor.records.events import BenchmarkPlanned, CaseFinished, ProgramsNamed
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.measured.measurement import Benchmark, Case, Condition, Measurement
from advisor.report.provenance.measurements import of_measurement
from advisor.report.words.advice.interference import is_worked_out
from tests.gui.samples import sample_events, sample_report
from tests.unit.gui.plain import plain
from tests.unit.report import samples

EN, ES = language("en"), language("es")


def test_an_older_check_is_not_slowed_by_the_programs_of_today() -> None:
    """Opened from the history, it said "Mostly python", which ran beside the newest check."""
    newest, older = samples.benchmark(), samples.benchmark()
    model = MeasureModel()
    model.handle_event(ProgramsNamed(programs=("python",)))
    model.show(newest)
    model.stop()
    assert model.programs_of(newest) == ("python",)
    model.show(older)
    assert model.programs_of(older) == ()
    model.show(newest)
    assert model.programs_of(newest) == ("python",)
    model.clear()
    model.handle_event(ProgramsNamed(programs=("python",)))
    model.stop()
    model.show(older)
    assert model.programs_of(older) == (), "the check that was cancelled had them"


def test_measurements_fill_table_and_chart() -> None:
    """A finished run has a row for each case and a line for each device."""
    model = MeasureModel()
    for event in sample_events():
        model.handle_event(event)
    lines = model.lines(EN)

    assert [line.name for line in lines] == ["Graphics card, fp32", "Processor, fp32"]
    assert [row.state for row in model.rows(EN)].count("done") == 14
    header, rows = rate_table(lines, EN)
    assert header == ("Matrix size", "Graphics card, fp32", "Processor, fp32")
    assert plain(rows[-1][1]) == "6 TFLOP/s"


def test_many_tests_without_a_result_are_told_in_few_words() -> None:
    """Three that failed alike are named, of ten the first three."""
    rows = tuple(
        CaseRow(title=f"T{n}", state="failed", result="no result", spread="", remark="", reason="no_time")
        for n in range(10)
    )
    few, many = (with_notes(some, EN)[0][1][0] for some in (rows[:3], rows))

    assert few == "There was no time left. They were: T0; T1; T2."
    assert many == "There was no time left. Among them: T0; T1; T2."
    done = CaseRow(title="D", state="done", result="1 s", spread="", remark="", reason="")
    assert with_notes(rows, EN)[0][0][0] == "10 tests", "more than what? Nothing stands above it"
    assert with_notes((done, *rows), EN)[0][1][0] == "10 more tests"


def test_a_new_run_starts_with_an_empty_table() -> None:
    """What was measured before does not mix with what is measured now."""
    model = MeasureModel()
    report = sample_report()
    assert report.benchmark is not None
    model.show(report.benchmark)
    version = model.version
    model.clear()

    assert model.is_empty
    assert model.version > version


@given(st.lists(st.floats(min_value=1e6, max_value=1e17), min_size=1, max_size=6))
def test_the_rate_axis_always_has_marks(rates: list[float]) -> None:
    """Whatever was measured, the axis shows at least one round value inside or beside it."""
    from advisor.gui.models.measure import RateLine

    lines = (
        RateLine(name="x", device="cpu", precision="fp32", points=tuple((2**i, rate) for i, rate in enumerate(rates))),
    )
    positions = [position for position, _text in rate_ticks(lines, EN)]

    assert positions
    assert positions == sorted(positions)
    assert min(positions) <= math.log10(min(rates)) + 1e-9


def test_what_was_in_the_way_of_most_tests_is_said_once() -> None:
    """At its worst, and not again beside each test; what only one test met stays there."""
    report = sample_report()
    assert report.benchmark is not None
    loads = [Condition(kind="other_load", value=0.5 + 0.01 * n, unit="ratio") for n in range(20)]
    unstable = Condition(kind="unstable", value=0.3, unit="ratio")
    measurements = tuple(
        msgspec.structs.replace(one, conditions=(load, unstable) if place == 1 else (load,))
        for place, (one, load) in enumerate(zip(report.benchmark.measurements, loads, strict=False))
    )
    model = MeasureModel()
    model.show(msgspec.structs.replace(report.benchmark, measurements=measurements))

    shares = [float(one.conditions[0].value or 0) for one in measurements]
    said = f"Other programs used {sum(shares) / len(shares):.0%} of the processor on average during the check."
    assert plain(model.disturbance((), EN)).startswith(f"{said} 7 tests were disturbed")
    named = plain(model.disturbance(("pip",), EN))
    assert named.startswith(f"Other programs (mainly “pip”) used {sum(shares) / len(shares):.0%} of the processor on")
    assert named.casefold().count("other programs") == 1, "one thing is said once"
    remarks = [plain(row.remark) for row in model.rows(EN) if row.state == "done" and row.remark]
    assert remarks == [], "how much repeats varied stands beside the result"


def test_the_step_of_the_job_is_told_from_the_test_of_its_network() -> None:
    """33.6 and 37.4 images a second stood beside two names that looked like one test."""
    benchmark = sample_report().benchmark
    assert benchmark is not None
    twin = next(one for one in benchmark.measurements if one.case.program == "train")
    job = msgspec.structs.replace(twin, case=msgspec.structs.replace(twin.case, id="job", program=JOB_PROGRAM))
    model = MeasureModel()
    model.show(msgspec.structs.replace(benchmark, measurements=(job, twin), failures=()))
    said = [row.remark for row in model.rows(EN)]
    assert said[0].startswith("Uses your settings; “Training” of the same network uses fixed ones")
    assert said[1] == ""
    model.show(msgspec.structs.replace(benchmark, measurements=(job,), failures=()))
    assert model.rows(EN)[0].remark == ""


@pytest.mark.parametrize(
    ("share", "device", "said"),
    [
        (0.9, "cpu", "does not use these measurements, because other programs had the processor"),
        (0.9, "cuda:0", "page uses these measurements. Close other programs"),
        (0.4, "cpu", "page uses these measurements; there is nothing more"),
    ],
)
def test_measurements_that_the_answer_leaves_aside_are_not_said_to_be_used(
    share: float, device: str, said: str
) -> None:
    """It said that the Advice page uses them, and that page said that its times do without them."""
    report = samples.slowed(share, share)
    assert report.benchmark is not None
    [own] = [one for one in report.advice.options if one.id == "here/cpu"]
    assert is_worked_out(own, report) is (share > 0.75)
    measurements = tuple(
        msgspec.structs.replace(one, case=msgspec.structs.replace(one.case, device=device))
        for one in report.benchmark.measurements
    )
    model = MeasureModel()
    model.show(msgspec.structs.replace(report.benchmark, measurements=measurements))
    assert said in model.use_sentence(report.workload, EN)
    sentence, _origin = model.job_sentence(report.workload, EN)
    assert ("on the processor" in sentence) is (device == "cpu")
    assert sentence.startswith("With other programs") is (device == "cpu" and share > 0.05)


@pytest.mark.parametrize(("iqr_s", "said", "dicho"), [(1150.0, "very uneven", "muy irregular"), (0.5, "±25%", "±25")])
def test_a_scatter_beyond_what_was_measured_has_no_number(iqr_s: float, said: str, dicho: str) -> None:
    """It said "±57,677.9 %"."""
    benchmark = samples.benchmark()
    uneven = msgspec.structs.replace(benchmark.measurements[0], median_s=1.0, iqr_s=iqr_s, samples_s=(0.9, 1.0, 1151.0))
    model = MeasureModel()
    model.show(msgspec.structs.replace(benchmark, measurements=(uneven,), failures=()))
    [row], [fila] = model.rows(EN), model.rows(ES)
    assert plain(row.spread) == said
    assert fila.spread.startswith(dicho)
    band = plain(of_measurement(uneven, "", EN).band)
    assert band == (said if iqr_s > 2 else f"half of the samples lie within {said}")


@pytest.mark.parametrize("share", [0.76, 0.4])
def test_measurements_that_the_answer_does_not_trust_are_no_end(share: float) -> None:
    """There was nothing more to do here, and on the page of the answer the check was to be repeated."""
    report = sample_report()
    assert report.benchmark is not None
    load = Condition(kind="other_load", value=share, unit="ratio")
    measurements = tuple(msgspec.structs.replace(one, conditions=(load,)) for one in report.benchmark.measurements)
    model = MeasureModel()
    model.show(msgspec.structs.replace(report.benchmark, measurements=measurements))
    assert ("measure again" in model.use_sentence(report.workload, EN)) is (share > 0.5)
    assert ("nothing more to do" in model.use_sentence(report.workload, EN)) is (share < 0.5)


def test_it_is_said_that_the_answer_goes_by_an_earlier_check() -> None:
    """Others slowed the job, and what a quiet check measured before is the better guess."""
    benchmark = samples.benchmark(card=False)
    first = benchmark.measurements[0]
    case = msgspec.structs.replace(first.case, program=JOB_PROGRAM, device="cpu")
    load = Condition(kind="other_load", value=0.33, unit="ratio")
    quiet_s = first.median_s / 3
    job = msgspec.structs.replace(first, case=case, conditions=(load,), details={"earlier_s": quiet_s})
    model = MeasureModel()
    model.show(msgspec.structs.replace(benchmark, measurements=(job,)))
    assert model.use_sentence(None, EN).endswith("goes by an earlier check.")


def test_what_interfered_stays_beside_its_result_while_a_check_runs() -> None:
    """It vanished some tests later, when it was in the way of most, and was said nowhere until the end."""
    report = sample_report()
    assert report.benchmark is not None
    load = Condition(kind="other_load", value=0.77, unit="ratio")
    model = MeasureModel()
    for one in report.benchmark.measurements:
        model.handle_event(CaseFinished(measurement=msgspec.structs.replace(one, conditions=(load,))))
        assert all("77%" in plain(row.remark) for row in model.rows(EN))


def test_tests_stand_in_one_order_wherever_they_are_listed() -> None:
    """The check's list had the training of a network last, Measure in the middle."""
    cases = tuple(
        Case(id=name, program=program)
        for name, program in (("a", "matmul"), ("b", "train"), ("c", "matmul"), ("d", "train"))
    )
    model, progress = MeasureModel(), ProgressModel(lambda: 0.0)
    ends = [Measurement(case=case, samples_s=(1.0,), median_s=1.0, iqr_s=0.0) for case in cases]
    planned = BenchmarkPlanned(cases=cases, budget_s=60.0)
    model.handle_event(planned)
    progress.handle_event(planned)
    listed = [case.id for case in model._cases]
    assert listed == ["a", "c", "b", "d"]
    assert [one.title for one in progress.tests(EN)] == [row.title for row in model.rows(EN)]
    model.show(Benchmark(suite="quick", started_at="2026-11-21T00:00:00+00:00", wall_s=1.0, measurements=tuple(ends)))
    assert [case.id for case in model._cases] == listed
    again = MeasureModel()
    again.show(Benchmark(suite="quick", started_at="2026-11-21T00:00:00+00:00", wall_s=1.0, measurements=tuple(ends)))
    assert [case.id for case in again._cases] == listed


@pytest.mark.parametrize(
    ("job_ratio", "others_ratio", "said"),
    [
        (0.0, 0.0, ""),
        (0.0, 0.02, ""),
        (0.02, 0.0, ""),
        (0.0, 0.2, "Other programs (mainly “yes”) used "),
        (0.33, 0.0, "Other programs used 33% of the processor while your job itself was tested, and 3% on average"),
    ],
)
def test_others_are_told_from_the_share_on_from_which_the_answer_tells_them(
    job_ratio: float, others_ratio: float, said: str
) -> None:
    """After a quiet check it warned of programs that had used 0 % of the processor; the answer did not."""
    benchmark = samples.benchmark()
    one = benchmark.measurements[0]
    cases = [msgspec.structs.replace(one.case, id=str(place), device="cpu") for place in range(11)]
    cases[0] = msgspec.structs.replace(cases[0], program=JOB_PROGRAM)
    shares = [job_ratio, *(others_ratio for _case in cases[1:])]
    measurements = tuple(
        msgspec.structs.replace(
            one,
            case=case,
            conditions=(Condition(kind="other_load", value=share, unit="ratio", when="during"),) if share else (),
        )
        for case, share in zip(cases, shares, strict=True)
    )
    model = MeasureModel()
    model.show(msgspec.structs.replace(benchmark, measurements=measurements, failures=()))
    told = plain(model.disturbance(("yes",), EN))
    assert told.startswith(said)
    assert bool(told) == bool(said)
    assert ("yes" in told) == bool(said)


def test_every_disturbed_test_is_marked_even_where_all_were() -> None:
    """Beside another program "2.18 GFLOP/s ±0.1 %" stood unmarked: its remark was told once of all tests."""
    report = sample_report()
    assert report.benchmark is not None
    load = Condition(kind="other_load", value=0.5, unit="ratio", when="during")
    measured = tuple(msgspec.structs.replace(one, conditions=(load,)) for one in report.benchmark.measurements)
    model = MeasureModel()
    model.show(msgspec.structs.replace(report.benchmark, measurements=measured, failures=()))
    rows = model.rows(EN)
    on_processor = [case.device == "cpu" for case in model._cases]
    assert {True, False} == set(on_processor)
    assert ["⚠ Disturbed" in row.result for row in rows] == on_processor, "a card computes on beside other programs"
    assert not any(row.remark for row in rows), "what holds of all is told once, above"
    assert f"{sum(on_processor)} tests were disturbed" in plain(model.disturbance((), EN))
    card, processor = model.lines(EN)
    assert not card.disturbed
    assert processor.disturbed == {size for size, _rate in processor.points}
    _header, table = rate_table((card, processor), EN)
    assert plain(table[-1][1]) == "6 TFLOP/s"
    assert plain(table[0][2]).startswith("⚠ ")
    assert "Empty marks" in disturbed_rates_sentence((card, processor), EN)
    model.show(report.benchmark)
    assert "⚠" not in "".join(row.result for row in model.rows(EN))
    assert disturbed_rates_sentence(model.lines(EN), EN) == ""


def test_what_others_took_of_the_jobs_own_test_is_said_before_their_average() -> None:
    """It said "8% on average" of a check in which they had had 56 % while the job itself was tested."""
    report = samples.with_job_tried(0.56, others_ratio=0.1)
    assert report.benchmark is not None
    model = MeasureModel()
    model.show(report.benchmark)
    assert "56% of the processor while your job itself was tested" in model.disturbance((), EN)
