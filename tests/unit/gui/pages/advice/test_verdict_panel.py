"""The answer's parts: what is long leaves room."""

import dataclasses

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.gui.base.context import Context
from advisor.gui.models.job.question import Question
from advisor.gui.models.verdict import verdict_view
from advisor.gui.pages.advice.verdict_panel import VerdictPanel
from advisor.locale import language
from tests.unit.report import samples


def test_a_long_price_goes_on_in_further_lines(qapp: QApplication, qtbot: QtBot) -> None:
    """An option in short asks for no more width where its price has many words, so that three stand side by side."""
    panel = VerdictPanel(Context(qapp, language("en"), "light"), Question())
    qtbot.addWidget(panel)
    chip = verdict_view(samples.rent(), language("en")).chips[0]
    short, long = (
        panel._chip(dataclasses.replace(chip, title="A", cost=cost))
        for cost in ("$3", "$1,130 once, with a new PC of 12 threads and a power supply")
    )
    for made in (short, long):
        qtbot.addWidget(made)
        made.ensurePolished()
    assert long.minimumSizeHint().width() <= short.minimumSizeHint().width() + 60
    assert long.sizeHint().height() > short.sizeHint().height()
