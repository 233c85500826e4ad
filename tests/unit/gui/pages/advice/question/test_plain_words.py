"""What the fields say, read by somebody who knows neither PyTorch's words nor the articles."""

import re

import pytest
from PySide6.QtWidgets import QWidget

from advisor.catalog import presets
from advisor.gui.app.main_window import MainWindow
from advisor.locale import language
from tests.gui.conftest import settle

pytestmark = pytest.mark.slow


def test_no_field_speaks_of_articles_that_nobody_has_read(window: MainWindow) -> None:
    """The first that a user heard of articles was "Decides which of the articles' rules are for you"."""
    form = window.advice.question_panel.form
    window.advice.question_panel.job.open_form(is_open=True)
    settle()
    assert (
        form.who.accessibleDescription()
        == "A company is advised machines of its own or the cloud rather than a single card"
    )
    said = [one.accessibleDescription() for one in form.findChildren(QWidget)]
    assert not [one for one in said if re.search(r"articles|saves starting|pictures lie|as many count", one)]


def test_a_connection_is_no_current_in_spanish() -> None:
    """«0 significa una corriente» stood beside the speed of a line, and sounds like electricity."""
    spanish = language("es").gettext
    for text in (
        "Of your connection; 0 means an ordinary one",
        "Of your connection, for weights and results; 0 means an ordinary one",
    ):
        assert spanish(text).endswith("0: una conexión normal")
    assert spanish("One-page summary (PDF)") == "Una página para mostrar (PDF)"


def test_the_numbers_of_an_article_are_said_to_be_its_and_for_how_long_costs_count(window: MainWindow) -> None:
    """18,687 photos were a riddle beside "Example numbers", and for how long a purchase counts was told nowhere."""
    job = window.advice.question_panel.job
    job._question.presets = presets()
    job._question.choose("article_cnn")
    job.show_question()
    assert job.hint.text() == "Example numbers: put in yours"
    assert job.summary.text().endswith("costs counted over 2 years")
    job._question.choose("bert_finetuning")
    job.show_question()
    assert job.hint.text() == "Example numbers: put in yours"
