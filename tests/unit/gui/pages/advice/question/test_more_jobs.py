"""The list of all other jobs: under headings, and found by a word."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from advisor.catalog import tuning_jobs
from advisor.gui.base.context import Context
from advisor.gui.models.job.job_cards import Card, model_cards
from advisor.gui.pages.advice.question.more_jobs import MoreJobs
from advisor.gui.pages.advice.question.preset_button import PresetButton
from advisor.locale import language

JOBS = tuple(
    Card(preset_id=name, picture="preset-network", title=name.title(), description="", group=group)
    for name, group in (("owls", "Birds"), ("ducks", "Birds"), ("oaks", "Trees"))
)


@pytest.fixture
def jobs(qapp: QApplication, qtbot: QtBot) -> Iterator[MoreJobs]:
    """Return a list of three jobs of two kinds."""
    context = Context(qapp, language("en"), "light")
    made = MoreJobs(context, lambda name: PresetButton(context, name))
    qtbot.addWidget(made)
    made.show_jobs(JOBS)
    made.show()
    yield made
    made.hide()


def titles(jobs: MoreJobs) -> list[str]:
    """Return the headings that are seen."""
    return [one.text() for one in jobs.findChildren(QLabel) if one in jobs._titles and one.isVisible()]


def test_jobs_of_a_kind_stand_under_its_heading(jobs: MoreJobs) -> None:
    """In their order, a heading above each kind."""
    assert titles(jobs) == ["Birds", "Trees"]
    assert [made.preset_id for made in jobs.shown] == ["owls", "ducks", "oaks"]
    assert jobs.buttons[0].y() == jobs.buttons[1].y() < jobs.buttons[2].y()


def test_a_word_leaves_the_jobs_that_have_it(jobs: MoreJobs) -> None:
    """Without headings; the word of a heading finds all below it, and none says so."""
    jobs.search.setText("oaks")
    assert ([made.preset_id for made in jobs.shown], titles(jobs)) == (["oaks"], [])
    jobs.search.setText("bird")
    assert [made.preset_id for made in jobs.shown] == ["owls", "ducks"]
    assert not jobs.none_found.isVisible()
    jobs.search.setText("fish")
    assert jobs.shown == []
    assert jobs.none_found.isVisible()
    jobs.search.clear()
    assert len(jobs.shown) == 3
    assert titles(jobs) == ["Birds", "Trees"]


def test_a_folded_list_has_nothing_for_the_arrow_keys(jobs: MoreJobs) -> None:
    """They go through the cards that are seen."""
    jobs.hide()
    assert jobs.shown == []


def test_a_language_model_is_there_when_it_is_searched(jobs: MoreJobs) -> None:
    """So the list does not become as long as there are models; its card is made then, and goes with the word."""
    models = model_cards(tuning_jobs(), language("en"))
    jobs.show_jobs((*JOBS, *models))
    assert len(jobs.buttons) == len(jobs.shown) == 3
    for wanted in ("qwen 7b", "Qwen/Qwen2.5-7B-Instruct", "Qwen2.5-7B"):
        jobs.search.setText(wanted)
        assert "qwen2.5_7b" in [made.preset_id for made in jobs.shown]
    jobs.search.setText("a")  # stands in all of them
    assert len(jobs.shown) < 20
    jobs.search.clear()
    assert [made.preset_id for made in jobs.shown] == ["owls", "ducks", "oaks"]
