"""The command beside a predicted time or memory predicts it once more."""

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.locale import language
from advisor.records.base import Interval
from advisor.records.job.prediction import MemoryEstimate, Prediction
from advisor.records.job.workload import on_samples
from advisor.records.results.measured.measurement import Case, Measurement
from advisor.report.provenance.money import of_cost
from advisor.report.provenance.predictions import of_memory, of_step, of_time, price_day
from advisor.units import GIB
from tests.gui.samples import sample_report
from tests.unit.gui.plain import plain
from tests.unit.report.provenance.answers import JOBS, answer, run

EN = language("en")
MOST_RUN = 12


def test_the_time_of_a_run_follows_from_its_inputs() -> None:
    """Steps times the time of one is the time that is explained, also where a job has steps of its own."""
    job = find_workload("article_cnn").workload
    for asked in (job, msgspec.structs.replace(job, steps_per_epoch=None)):
        report = answer(msgspec.structs.replace(asked, validation_samples=0))
        one = next(one for one in report.advice.options if one.id == "here/cpu")
        assert one.prediction is not None
        steps = dict(of_time(one, report, EN).inputs)["Steps"]
        assert float(steps.replace(",", "")) * one.prediction.time_per_step_s == pytest.approx(one.run_s, rel=0.01)


def test_a_rough_time_says_its_range_once() -> None:
    """It said "30 minutes to 6½ hours, in 80% of cases; rough (30 minutes to 6½ hours)"."""
    report = answer(find_workload("article_cnn").workload)
    one = next(one for one in report.advice.options if one.id == "here/cpu")
    assert one.prediction is not None
    assert one.run_s is not None
    wide = Interval(low=one.run_s / 4, high=one.run_s * 3, coverage_ratio=0.8)
    prediction = msgspec.structs.replace(one.prediction, confidence="rough")
    band = of_time(msgspec.structs.replace(one, prediction=prediction, interval=wide), report, EN).band
    assert "% of cases; rough (may be 7" in band
    assert band.endswith("% shorter or 3 times as long)")
    assert band.count(" to ") == 1


def test_who_adds_the_parts_up_arrives_at_what_is_said() -> None:
    """3,125 steps of 3.19 s are 2 h 47 min, and "3 hours" was said without a word."""
    report = answer(find_workload("article_cnn").workload)
    one = next(one for one in report.advice.options if one.id == "here/cpu")
    told = msgspec.structs.replace(one, run_s=10_013.0)
    assert plain(dict(of_time(told, report, EN).inputs)["In all"]) == "2 h 47 min, rounded to 3 hours"
    for run_s in (10_800.0, 130.0):  # as it is said; the seconds of a short one are nobody's plan
        alike = msgspec.structs.replace(one, run_s=run_s)
        assert "In all" not in dict(of_time(alike, report, EN).inputs)


def test_a_time_has_no_date_of_prices() -> None:
    """A time that was worked out today was of "2025", the year of the price of electricity."""
    report = answer(find_workload("article_cnn").workload)
    one = next(one for one in report.advice.options if one.id == "here/cpu")
    assert of_time(one, report, EN).date == ""
    assert of_cost(one, report, EN).date.startswith("prices of ")


@pytest.mark.parametrize(
    ("day", "said"),
    [
        ("2024-02-02", "precios del 2 de febrero de 2024"),
        ("2024-02", "precios de febrero de 2024"),
        ("2025", "precios de 2025"),
    ],
)
def test_a_day_of_prices_has_its_article(day: str, said: str) -> None:
    """It read «precios de 2 de febrero de 2024»."""
    report = answer(find_workload("article_cnn").workload)
    one = next(one for one in report.advice.options if one.tier == "single_gpu")
    assert price_day(msgspec.structs.replace(one, price_as_of=day), report, language("es")) == said


def test_validation_and_part_batches_are_told() -> None:
    """Twenty photos ten times in batches of 32 are ten steps, as long as 6.25 full ones; with as many to validate."""
    job = find_workload("article_cnn").workload
    asked = msgspec.structs.replace(job, epochs=10.0, **on_samples(job, 20))
    report = answer(asked)
    one = next(one for one in report.advice.options if one.id == "here/cpu")
    assert one.prediction is not None
    assert one.prediction.validation_step_s is not None
    inputs = dict(of_time(one, report, EN).inputs)
    assert inputs["Steps"] == "10, not all of them full: as long as 6.25 full ones"
    assert inputs["Validation"].startswith("20 samples after each epoch: in all 6.25 batches of ")
    whole = 6.25 * (one.prediction.time_per_step_s + one.prediction.validation_step_s)
    assert whole == pytest.approx(one.run_s)


@pytest.mark.parametrize("job", JOBS)
def test_a_prediction_can_be_made_again(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The command beside the time or the memory of an option predicts that time or memory."""
    report = answer(JOBS[job])
    others = [one for one in report.advice.options if one.tier != "this_computer" and one.prediction is not None]
    timed = [(one, text) for one in others if (text := of_time(one, report, EN).check)]
    sized = [(one, text) for one in others if (text := of_memory(one, report, EN).check)]
    assert timed
    assert len(sized) >= len(timed)
    for option, command in timed[:: 1 + len(timed) // MOST_RUN]:
        again = msgspec.json.decode(run(command, capsys), type=Prediction)
        assert option.prediction is not None
        assert again.time_per_step_s == pytest.approx(option.prediction.time_per_step_s, rel=1e-6), command
    for option, command in sized[:: 1 + len(sized) // MOST_RUN]:
        again = msgspec.json.decode(run(command, capsys), type=Prediction)
        assert option.prediction is not None
        assert again.memory_bytes == pytest.approx(option.prediction.memory_bytes, rel=1e-6), command


@pytest.mark.parametrize("code", ["en", "es"])
def test_a_time_names_basis_inputs_band_and_check(code: str) -> None:
    """The time of every option says what it rests on and from what to what it may be."""
    report = sample_report()
    for option in report.advice.options:
        origin = of_time(option, report, language(code))
        if option.prediction is not None:
            assert origin.basis
            assert origin.band
            assert len(origin.inputs) >= 4


def test_the_parts_of_memory_add_up() -> None:
    """The memory of an option names its parts and its band."""
    report = sample_report()
    memory = MemoryEstimate(
        parameters_bytes=1 * GIB,
        gradients_bytes=1 * GIB,
        optimizer_bytes=2 * GIB,
        activations_bytes=3 * GIB,
        temporary_bytes=0.5 * GIB,
        context_bytes=0.5 * GIB,
        total_bytes=8 * GIB,
        available_bytes=24 * GIB,
        fits=True,
        largest_batch=64,
        interval=Interval(low=7 * GIB, high=9 * GIB),
    )
    option = next(one for one in report.advice.options if one.prediction is not None)
    assert option.prediction is not None
    option = msgspec.structs.replace(option, prediction=msgspec.structs.replace(option.prediction, memory=memory))

    origin = of_memory(option, report, language("en"))

    sizes = [text.replace("\N{NO-BREAK SPACE}", " ") for _name, text in origin.inputs]
    assert sizes == ["4 GB", "3 GB", "0.5 GB", "0.5 GB"]
    assert origin.band.replace("\N{NO-BREAK SPACE}", " ") == "7 GB to 9 GB"


def test_a_step_is_as_sure_as_its_own_interval() -> None:
    """Not as the run's, which ends with all its steps."""
    report = sample_report()
    option = next(one for one in report.advice.options if one.prediction is not None)
    assert option.prediction is not None
    origin = of_step(option.prediction, option, report, EN)
    assert (origin.low, origin.high) == (option.prediction.interval.low, option.prediction.interval.high)


def test_of_many_measurements_the_first_are_named_and_the_rest_counted() -> None:
    """Six that a time was scaled from: four by name, and two more."""
    report = sample_report()
    assert report.benchmark is not None
    option = next(one for one in report.advice.options if one.prediction is not None)
    assert option.prediction is not None
    cases = [Case(id=f"matmul/{n}", program="matmul", size=n) for n in range(6)]
    measured = tuple(Measurement(case=case, samples_s=(1.0,), median_s=1.0, iqr_s=0.0) for case in cases)
    prediction = msgspec.structs.replace(
        option.prediction, basis="scaled", basis_detail=tuple(case.id for case in cases)
    )
    option = msgspec.structs.replace(option, prediction=prediction)
    report = msgspec.structs.replace(report, benchmark=msgspec.structs.replace(report.benchmark, measurements=measured))
    assert dict(of_time(option, report, EN).inputs)["And"] == "2 more measurements"
