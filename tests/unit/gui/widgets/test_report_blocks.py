"""Parts of a report as widgets."""

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.gui.base.context import Context
from advisor.gui.widgets.report_blocks import ReportBlocks
from advisor.locale import language
from advisor.report.content.blocks import Paragraph


def test_what_was_shown_may_go_without_another(qapp: QApplication, qtbot: QtBot) -> None:
    """A second check whose tests had no time left had nothing to show there, and the window told of a fault."""
    shown = ReportBlocks(Context(qapp, language("en"), "light"))
    qtbot.addWidget(shown)
    shown.show_blocks((Paragraph("Something"),))
    shown.show_blocks(())
    column = shown.layout()
    assert column is not None
    assert column.count() == 0
