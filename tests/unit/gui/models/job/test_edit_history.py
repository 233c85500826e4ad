"""Steps of a question back and forth, and what differs from the job as it was taken over."""

import pytest

from advisor.catalog import preset
from advisor.gui.models.job.question import Question


@pytest.fixture
def question() -> Question:
    """Return the question of a ready-made job."""
    made = Question(presets=(preset("article_cnn"), preset("bert_finetuning")), networks={"bert_base": "sequence"})
    made.choose("article_cnn")
    return made


def test_steps_lead_back_and_forth(question: Question) -> None:
    """Each change is taken back by itself, the last first, and made again in the order it was made."""
    first = question.state
    question.change_workload(epochs=9.0)
    second = question.state
    question.change_circumstances(runs_per_month=30.0)
    third = question.state

    assert question.undo()
    assert question.state.same_as(second)
    assert question.undo()
    assert question.state.same_as(first)
    assert not question.undo()
    assert question.redo()
    assert question.redo()
    assert question.state.same_as(third)
    assert not question.redo()


def test_another_change_forgets_what_was_taken_back(question: Question) -> None:
    """After a new change there is nothing to make again."""
    question.change_workload(epochs=9.0)
    question.undo()
    question.change_workload(epochs=7.0)
    assert not question.redo()


def test_what_changes_nothing_is_no_step(question: Question) -> None:
    """A field that is left as it was leaves nothing to take back."""
    assert question.workload is not None
    question.change_workload(epochs=question.workload.epochs)
    assert not question.undo()


def test_another_job_is_a_step_with_its_own_usual_numbers(question: Question) -> None:
    """After the way back from another job, what counts as changed is told from the first job again."""
    question.change_workload(epochs=9.0)
    question.choose("bert_finetuning")
    assert question.changed == frozenset()
    question.undo()
    assert question.workload is not None
    assert (question.workload.id, question.changed) == ("article_cnn", {"epochs"})


def test_reset_of_one_and_of_all(question: Question) -> None:
    """One fact goes back by itself; then all others; and resetting can be taken back."""
    question.change_workload(epochs=9.0, batch_size=8)
    question.change_circumstances(budget_usd=100.0)
    question.reset("budget_usd")
    assert question.changed == {"epochs", "batch_size"}
    assert question.own == {}
    question.reset()
    assert question.changed == frozenset()
    question.undo()
    assert question.changed == {"epochs", "batch_size"}


def test_settings_are_no_step(question: Question) -> None:
    """Currency, country and price of electricity belong to Settings: no step takes them back."""
    question.change_workload(epochs=9.0)
    question.set_region("EUR", "ES", 1.1)
    question.change_circumstances(electricity_usd_per_kwh=0.5)
    question.undo()
    kept = question.circumstances
    assert (kept.currency, kept.country, kept.electricity_usd_per_kwh) == ("EUR", "ES", 0.5)
    assert question.changed == frozenset()
