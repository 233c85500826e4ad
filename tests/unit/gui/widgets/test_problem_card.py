"""What went wrong is seen."""

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from advisor.gui.base.context import Context
from advisor.gui.base.tasks import Problem
from advisor.gui.widgets.basic import Page
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.locale import language
from tests.gui.conftest import settle


def test_a_problem_is_seen_wherever_the_page_stands(qapp: QApplication, qtbot: QtBot) -> None:
    """The card stands at the head of its page; a page scrolled to its end goes back there."""
    page, filling = Page(), QWidget()
    card = ProblemCard(Context(qapp, language("en"), "light"))
    filling.setFixedHeight(3_000)
    page.column.addWidget(card)
    page.column.addWidget(filling)
    qtbot.addWidget(page)
    page.resize(800, 600)
    page.show()
    qtbot.waitExposed(page)
    bar = page.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert bar.value() > 1_000

    card.show_problem(Problem(error=None, details=""), "The file was not taken.")
    settle()

    assert bar.value() < card.height()
