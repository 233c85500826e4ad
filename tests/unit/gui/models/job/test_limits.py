"""What limits the answer is said where the form is closed."""

import pytest

from advisor.gui.models.job.limits import limits
from advisor.gui.models.job.question import Question
from advisor.locale import language
from tests.gui.samples import sample_presets

EN = language("en")


@pytest.fixture
def question() -> Question:
    """Return a question with a ready-made job."""
    made = Question(presets=sample_presets())
    made.choose("article_cnn")
    return made


def test_the_usual_has_no_limits(question: Question) -> None:
    """Samples, epochs and deadline stand in the line of the question anyway."""
    question.change_workload(samples=500, epochs=7.0)
    question.change_circumstances(deadline_s=3600.0, runs_per_month=4.0, who="teacher")
    assert limits(question, EN) == ""


def test_limits_are_named_in_a_few_words(question: Question) -> None:
    """The budget as it was written, in the currency of the form."""
    question.set_region("MXN", "MX", 1 / 16.9)
    question.change_circumstances(budget_usd=5230.0 * question.usd_per_shown_unit, data_must_stay=True)
    assert limits(question, EN) == "budget MX$5,230 · no cloud"
    question.change_circumstances(budget_usd=None, horizon_months=12.0)
    assert limits(question, EN) == "no cloud · 1 year of use"


def test_folded_fields_that_differ_are_named(question: Question) -> None:
    """The first two by name."""
    question.change_circumstances(upload_bytes_per_s=1e6)
    assert limits(question, EN) == "Advanced: Upload speed"
    question.change_workload(batch_size=8, compiled=True)
    assert limits(question, EN) == "Advanced: Batch size: 8, Compile the network, …"
    question.reset()
    assert limits(question, EN) == ""


def test_after_a_restart_they_are_named_too(question: Question) -> None:
    """The last question came back with its budget, and nothing said so."""
    question.change_circumstances(budget_usd=300.0, data_must_stay=True, failed_tries=3.0)
    question.change_workload(precision="bf16")
    said = limits(question, EN)
    assert said == "budget $300 · no cloud · Advanced: Precision: bf16, Failed runs"
    anew = Question(presets=sample_presets())
    assert question.workload is not None
    anew.load_asked(question.workload, question.circumstances)
    assert limits(anew, EN) == said
