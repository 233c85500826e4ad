"""What others took of the processor while it was measured makes an answer less sure, and the report says why."""

import math
import re
from functools import cache

import msgspec
import pytest

from advisor.catalog import find_workload, network_of
from advisor.locale import language
from advisor.records.job.asked_job import JOB_PROGRAM, step_settings
from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.measured.measurement import WAITED_DETAIL, Benchmark, Case, Condition, Measurement
from advisor.records.results.report import Report
from advisor.report.content.answer import answer
from advisor.report.content.document_builder import document
from advisor.report.words.advice.doubt import doubt_sentence
from advisor.report.words.advice.interference import lost_ratio
from advisor.report.words.advice.verdict import may_do
from advisor.session.forecast import conclude
from advisor.units import HOUR_S
from tests.unit.benchmark.diagnosed import CARD, machine

JOB = find_workload("article_cnn").workload
WITHOUT_DEADLINE = Circumstances()


def step(
    device: str, step_s: float, taken_ratio: float, waited_ratio: float = 0.0, earlier_s: float = 0.0
) -> Measurement:
    """Return a measured training step of the job, with others at work beside it, which its threads waited for."""
    case = Case(id=f"train/{device}", program="train", device=device, network="article_cnn", batch_size=32, size=150)
    if earlier_s:  # which only the job itself has
        settings = step_settings(JOB, network_of(JOB))
        case = msgspec.structs.replace(case, program=JOB_PROGRAM, precision=JOB.precision, options=settings)
    others = Condition(kind="other_load", value=taken_ratio, unit="ratio", when="during")
    return Measurement(
        case=case,
        samples_s=(step_s,) * 7,
        median_s=step_s,
        iqr_s=0.0,
        conditions=(others,) if taken_ratio else (),
        details={WAITED_DETAIL: waited_ratio, "earlier_s": earlier_s},
    )


@cache
def report(
    taken_ratio: float,
    *,
    has_card: bool = False,
    step_s: float = 1.0,
    waited_ratio: float = 0.0,
    earlier_s: float = 0.0,
    earlier_taken_ratio: float = 0.0,
    asked: Circumstances = WITHOUT_DEADLINE,
) -> Report:
    """Return the answer for a computer that was measured while others had a share of its processor."""
    own = step("cpu", step_s, taken_ratio, waited_ratio, earlier_s)
    own.details["earlier_taken_ratio"] = earlier_taken_ratio
    steps = [own] + ([step("cuda:0", 0.05, taken_ratio)] if has_card else [])
    benchmark = Benchmark(suite="quick", started_at="2026-11-22T08:00:00Z", wall_s=40.0, measurements=tuple(steps))
    seen = machine(CARD) if has_card else machine()
    return conclude(Observation(machine=seen, benchmark=benchmark), JOB, asked)


def prediction(of: Report, option_id: str) -> Prediction:
    """Return what was predicted for an option of this computer."""
    found = next(one.prediction for one in of.advice.options if one.id == option_id)
    assert found is not None
    return found


def notes(of: Report, code: str = "en") -> str:
    """Return what must be known to read the answer rightly."""
    return " ".join(note.text for note in document(of, language(code)).notes)


def test_a_disturbed_measurement_is_not_called_good() -> None:
    """Two thirds taken by others: the job alone may take a ninth of the time, and the word follows the interval."""
    calm, busy = prediction(report(0.0), "here/cpu"), prediction(report(2 / 3), "here/cpu")
    assert (calm.confidence, busy.confidence) == ("good", "rough")
    assert busy.interval.low == pytest.approx(calm.interval.low / 9)
    assert busy.interval.high == calm.interval.high
    assert busy.time_per_step_s == calm.time_per_step_s


def test_a_little_load_leaves_the_answer_fair() -> None:
    """A tenth taken widens the interval by a tenth."""
    assert prediction(report(0.1), "here/cpu").confidence == "fair"


def test_a_card_is_less_disturbed_than_the_processor() -> None:
    """Only what the processor does for a card can have been held up by others."""
    calm, busy = (prediction(report(share, has_card=True), "here/cuda:0").interval for share in (0.0, 2 / 3))
    assert calm.low / 9 < busy.low < calm.low


def test_the_report_says_why_it_is_less_sure() -> None:
    """Only where it rests on disturbed measurements, in each language."""
    assert "Other programs used 67% of the processor" in notes(report(2 / 3))
    assert "67\N{NO-BREAK SPACE}%" in notes(report(2 / 3), "es")
    assert "Other programs used" not in notes(report(0.0))


def test_nothing_is_taken_where_nothing_was_measured() -> None:
    """Cases of another run say nothing of this one; a processor wholly taken leaves an interval nevertheless."""
    benchmark = report(0.5).benchmark
    assert benchmark is not None
    assert benchmark.taken_ratio(["train/cuda:7"]) == 0.0
    assert msgspec.structs.replace(benchmark, measurements=()).taken_ratio(["train/cpu"]) == 0.0
    assert prediction(report(1.0), "here/cpu").interval.low > 0.0


def test_a_measurement_without_a_processor_of_its_own_is_not_trusted() -> None:
    """A step among nine tenths of others took 80 times as long, and was told as the time of this computer ("instead of
    98 years here"): what is published takes its place, and a note tells it whatever the answer is.
    """
    alone, crowded = report(0.0, step_s=2.5), report(0.91, step_s=200.0)
    found = prediction(crowded, "here/cpu")
    assert found.basis == "modelled"
    assert found.time_per_step_s < 10 * prediction(alone, "here/cpu").time_per_step_s
    assert found.interval.low <= prediction(alone, "here/cpu").interval.low
    assert "the tests do not show how fast it is. Close those programs and check again" in notes(crowded)
    assert "those that its specifications make likely" in notes(crowded)
    assert "no se puede saber a qué velocidad trabaja" in notes(crowded, "es")
    assert "trusted" not in notes(report(0.7))


def test_threads_that_waited_for_each_other_lost_more_than_others_took() -> None:
    """One busy program in a session of its own took a third of two cores, and a step 15 times as long: what the small
    product took just then tells it. Without others its changes are those of the computer.
    """
    calm, alone = prediction(report(0.0), "here/cpu"), prediction(report(0.0, waited_ratio=0.9), "here/cpu")
    assert alone.interval == calm.interval
    published = prediction(report(0.91, step_s=200.0), "here/cpu")
    waited = prediction(report(0.1, waited_ratio=0.9), "here/cpu")
    assert waited.interval.low == pytest.approx(min(0.9**2 * calm.interval.low, published.interval.low))
    crowded = report(0.33, step_s=15.0, waited_ratio=0.98)
    assert prediction(crowded, "here/cpu").basis == "modelled"
    assert prediction(crowded, "here/cpu").time_per_step_s < 5.0
    assert "Other programs used 33% of the processor during the tests" in notes(crowded)
    assert "the tests do not show how fast it is" in notes(crowded)


def test_beside_others_the_time_of_an_undisturbed_earlier_check_is_told() -> None:
    """40 minutes, and "most likely 2 hours" three minutes later beside another program, which had a part of it."""
    calm, known = (report(taken, step_s=step_s, earlier_s=0.3) for taken, step_s in ((0.0, 0.3), (0.33, 1.0)))
    alone, beside = prediction(calm, "here/cpu"), prediction(known, "here/cpu")
    assert beside.time_per_step_s == pytest.approx(alone.time_per_step_s)
    assert beside.interval.low == pytest.approx(alone.interval.low)
    assert beside.interval.high == pytest.approx(math.sqrt(alone.interval.low * alone.interval.high) / 0.3)
    assert "The answer takes the time of an earlier check, made while they used less of the processor." in notes(known)
    assert "a step of your job took 3.3 times as long: it waits for the cores that they keep busy." in notes(known)
    assert re.search(r"Without other programs a run takes about .+, with them running up to .+\.", notes(known))
    assert "Without other programs" not in notes(calm)
    here = next(one for one in known.advice.options if one.id == "here/cpu")
    assert doubt_sentence(here, known, language("en")).startswith("While other programs used 33%")


def test_of_two_disturbed_checks_the_less_disturbed_one_is_told_where_it_was_shorter() -> None:
    """It said "most likely 2½ hours" beside a busy program, after 40 minutes beside a fifth of it; it was 39."""
    for then, is_told in ((0.2, True), (0.6, False)):
        asked = report(0.56, step_s=3.083, earlier_s=0.776, earlier_taken_ratio=then)
        assert (prediction(asked, "here/cpu").time_per_step_s < 1.0) is is_told


def test_an_earlier_check_that_was_slower_tells_nothing_of_others() -> None:
    """They never make a computer faster."""
    now = prediction(report(0.33, earlier_s=2.0), "here/cpu")
    assert now.time_per_step_s == pytest.approx(prediction(report(0.0, earlier_s=1.0), "here/cpu").time_per_step_s)
    assert now.interval.low < 0.7


def test_no_more_is_promised_than_the_range_holds() -> None:
    """Waiting of 99 % promised runs of 1½ minutes, where undisturbed ones took 35: quicker than a card."""
    slow = report(0.3, step_s=0.3, waited_ratio=0.99)
    option = next(one for one in slow.advice.options if one.id == "here/cpu")
    said = prediction(slow, "here/cpu")
    assert said.basis == "measured"
    assert 1.0 - lost_ratio(option, slow) == pytest.approx(said.interval.low / said.time_per_step_s)


def test_a_measurement_beside_others_that_is_shorter_than_what_is_published_counts() -> None:
    """Others never make a computer faster."""
    quick = prediction(report(0.91, step_s=0.02), "here/cpu")
    assert quick.basis == "measured"
    assert quick.time_per_step_s < prediction(report(0.91, step_s=200.0), "here/cpu").time_per_step_s


@pytest.mark.parametrize("code", ["en", "es"])
def test_nothing_is_said_as_sure_where_the_answer_is_elsewhere(code: str) -> None:
    """In its colour stood "Rent …", with "instead of 98 years here", above "cannot be told"."""
    spoken = language(code)
    asked = Circumstances(deadline_s=3 * HOUR_S)
    sure, doubted = answer(report(0.0, step_s=200.0, asked=asked), spoken), report(0.91, step_s=200.0, asked=asked)
    said = answer(doubted, spoken)
    assert sure.tier == doubted.advice.tier != "this_computer"
    assert said.tier is None
    assert {"en": "Check again without other programs", "es": "vuelve a medir sin otros programas"}[
        code
    ] in said.headline.text
    assert {"en": "as far as we can tell", "es": "hasta donde se puede saber"}[code] in said.facts[0].text
    assert not said.twice
    assert doubted.advice.trade is not None
    assert any(one.code.startswith("twice") for one in doubted.advice.trade.reasons)


def test_what_no_measurement_could_change_is_said_as_sure() -> None:
    """What this computer would be too slow for at its best is an answer, whoever had the processor."""
    asked = Circumstances(deadline_s=HOUR_S / 12)
    late = report(0.91, step_s=200.0, asked=asked)
    assert late.advice.tier != "this_computer"
    assert not may_do(late)
    assert answer(late, language("en")).tier == late.advice.tier
