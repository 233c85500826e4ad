"""The question: what stays when a job, a currency or a time of use changes, and its choices."""

from functools import partial

import msgspec
import pytest

from advisor.catalog import presets
from advisor.gui.models.job.how_soon_how_often import frequency_choices
from advisor.gui.models.job.question import Question
from advisor.locale import language
from advisor.records.job.workload import Circumstances
from tests.gui.samples import sample_presets, sample_report

EN, ES = language("en"), language("es")


@pytest.fixture
def question() -> Question:
    """Return a question with a ready-made job."""
    made = Question(presets=sample_presets())
    made.choose("article_cnn")
    return made


def _chosen(preset_id: str) -> Question:
    made = Question(presets=sample_presets())
    made.choose(preset_id)
    return made


def test_an_article_with_fewer_epochs_than_usual_is_asked_with_the_fewest_that_are() -> None:
    """Its five epochs were the answer of whoever changed nothing; recipes of those who made a network stay."""
    question = Question(presets=presets())
    for job, epochs in (("article_cnn", 10.0), ("densenet121_cats_dogs", 20.0), ("vit_finetuning", 5.0)):
        question.choose(job)
        assert question.workload is not None
        assert question.workload.epochs == epochs
        assert question.changed == frozenset()


def test_what_the_person_said_of_themselves_stays_with_every_job(question: Question) -> None:
    """Electricity, budget, time of use, place of the data and who asks are no matter of the job."""
    said = {
        "electricity_usd_per_kwh": 0.31,
        "data_must_stay": True,
        "budget_usd": 900.0,
        "horizon_months": 36.0,
        "who": "freelancer",
    }
    question.change_circumstances(**said)
    question.choose("bert_finetuning")

    assert {name: getattr(question.circumstances, name) for name in said} == said
    assert question.circumstances.runs_per_month == 1.0


def test_how_often_and_how_soon_stay_once_they_were_said(question: Question) -> None:
    """Seven runs a month became one with another tile, without a word; the job's own stand behind the dots."""
    assert question.circumstances.runs_per_month == 2.0
    question.change_circumstances(runs_per_month=7.0, deadline_s=3600.0)
    question.choose("bert_finetuning")

    assert (question.circumstances.runs_per_month, question.circumstances.deadline_s) == (7.0, 3600.0)
    assert {"runs_per_month", "deadline_s"} <= question.changed
    question.reset("runs_per_month", "deadline_s")
    assert (question.circumstances.runs_per_month, question.circumstances.deadline_s) == (1.0, None)
    question.choose("article_cnn")
    assert question.circumstances.runs_per_month == 2.0, "a default may change"


def test_what_nobody_said_is_the_jobs(question: Question) -> None:
    """Without a word of the user each job brings its usual circumstances."""
    usual = msgspec.structs.replace(sample_presets()[0], circumstances=Circumstances(who="researcher", budget_usd=5.0))
    question.load_preset(usual)

    assert (question.circumstances.who, question.circumstances.budget_usd) == ("researcher", 5.0)
    question.choose("article_cnn")
    assert (question.circumstances.who, question.circumstances.budget_usd) == ("student", None)


def test_a_file_of_ones_own_counts_before_the_form(question: Question) -> None:
    """What a file states is meant for its job; what it does not mention is as the user set it."""
    question.change_circumstances(budget_usd=900.0, data_must_stay=True)
    question.load_file(msgspec.structs.replace(sample_presets()[0], circumstances=Circumstances(budget_usd=50.0)))

    assert question.circumstances.budget_usd == 50.0
    assert question.circumstances.data_must_stay


def test_an_earlier_check_is_asked_again_at_ones_own_price_of_electricity(question: Question) -> None:
    """The settings show one price; it counts for every answer that is worked out."""
    question.change_circumstances(electricity_usd_per_kwh=0.31)
    question.load_report(sample_report())

    assert question.circumstances.electricity_usd_per_kwh == 0.31


def test_an_answer_opened_again_keeps_what_was_changed_in_it(question: Question) -> None:
    """A number of photos that is not the job's own is told from it, as it was when it was asked; "Reset" goes there."""
    question.change_workload(samples=20_000)
    question.change_circumstances(deadline_s=3600.0, budget_usd=900.0)
    asked = msgspec.structs.replace(sample_report(), workload=question.workload, circumstances=question.circumstances)
    again = Question(presets=sample_presets())
    again.load_report(asked)
    assert again.changed == question.changed - {"budget_usd"} >= {"samples", "deadline_s"}
    again.reset()
    usual = _chosen("article_cnn")
    assert again.workload == usual.workload
    assert again.circumstances == msgspec.structs.replace(usual.circumstances, budget_usd=900.0)


def test_once_stays_once(question: Question) -> None:
    """Over however many months the hardware is used."""
    question.change_circumstances(runs_per_month=1 / 24)
    for months in (36.0, 12.0):
        question.change_circumstances(horizon_months=months)
        chosen = [choice.text for choice in frequency_choices(1 / months, months, language("en"))]
        assert question.circumstances.runs_per_month == pytest.approx(1 / months)
        assert "just once" in chosen
        assert not any("times a month" in text for text in chosen)
    question.change_circumstances(runs_per_month=2.0)
    question.change_circumstances(horizon_months=48.0)
    assert question.circumstances.runs_per_month == 2.0


def test_a_rate_of_exchange_belongs_to_its_currency(question: Question) -> None:
    """A report or file with a rate of its own keeps it in its currency, and loses it in another one."""
    in_euro = Circumstances(currency="EUR", units_per_usd=0.5)
    report = msgspec.structs.replace(sample_report(), circumstances=in_euro)
    question.load_report(report)
    assert (question.circumstances.currency, question.circumstances.units_per_usd) == ("USD", None)

    question.set_region("EUR", "ES", 1.25)
    preset = msgspec.structs.replace(sample_presets()[0], circumstances=in_euro)
    for load in (partial(question.load_report, report), partial(question.load_preset, preset)):
        load()
        assert question.circumstances.units_per_usd == 0.5
        assert question.usd_per_shown_unit == 2.0
        question.set_region("USD", "US", 1.0)
        assert question.circumstances.units_per_usd is None
        assert question.usd_per_shown_unit == 1.0
        question.set_region("EUR", "ES", 1.25)


def test_a_report_without_any_time_of_use_is_no_fault() -> None:
    """A file from elsewhere may say zero months."""
    assert frequency_choices(1.0, 0.0, language("en"))


def test_the_region_stays_when_another_job_is_chosen() -> None:
    """Currency and country belong to the user, not to the job."""
    question = Question(presets=sample_presets())
    question.set_region("EUR", "ES", 1.1)
    question.choose("article_cnn")

    assert (question.circumstances.currency, question.circumstances.country) == ("EUR", "ES")
    assert question.circumstances.runs_per_month == 2.0


def test_few_samples_limit_those_looked_at() -> None:
    """No more photos are looked at without learning than are learned from, until there are enough again."""
    question = Question(presets=presets())
    question.choose("article_cnn")
    assert question.workload is not None
    usual = question.workload.validation_samples
    for samples, looked_at in ((20, 20), (20_000, usual), (20, 20)):
        question.change_workload(samples=samples)
        assert (question.workload.validation_samples, question.workload.steps_per_epoch) == (looked_at, None)
    question.reset("samples")
    assert question.workload.validation_samples == usual


def test_an_unknown_job_changes_nothing() -> None:
    """Choosing what is not there is no error while the catalogue is not read yet."""
    question = Question()
    question.choose("article_cnn")
    question.change_workload(samples=3)

    assert question.workload is None


def test_the_same_numbers_are_the_same_job(question: Question) -> None:
    """A ready-made job answers as it does once its own number of photos is typed: no step is hidden behind it."""
    question.choose("article_cnn")
    chosen = question.workload
    question.change_workload(samples=20_000)
    question.change_workload(samples=18_687)

    assert chosen is not None
    assert (chosen.samples, chosen.steps_per_epoch) == (18_687, None)
    assert question.workload == chosen
    assert not question.changed


def test_a_job_left_keeps_its_numbers(question: Question) -> None:
    """What was typed is there again, told from what the job comes with; clicking the job again changes nothing."""
    question.choose("article_cnn")
    question.change_workload(samples=20_000)
    question.choose("bert_finetuning")
    question.choose("article_cnn")

    assert question.workload is not None
    assert question.workload.samples == 20_000
    assert "samples" in question.changed
    question.choose("article_cnn")
    assert question.workload.samples == 20_000
    question.reset()
    question.choose("bert_finetuning")
    question.choose("article_cnn")
    assert question.workload.samples == 18_687
