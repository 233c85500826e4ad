"""The answer: the sentence first, its evidence below."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from advisor.gui.context import Context
from advisor.gui.models.verdict import chips, headline
from advisor.gui.widgets.basic import GRID, Card, button, clear, label

if TYPE_CHECKING:
    from advisor.records.report import Report


class VerdictPanel(QWidget):
    """The answer to the question.

    Signals:
        again_wanted: Back to the question.
        options_wanted: Every option.
    """

    again_wanted = Signal()
    options_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._report: Report | None = None
        self.headline = label("display", selectable=True)
        self.again = button("link", self.again_wanted.emit)
        self._chips = QHBoxLayout()
        card = Card()
        card.body.addWidget(self.headline)
        card.body.addLayout(self._chips)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * GRID)
        column.addWidget(self.again)
        column.addWidget(card)
        column.addStretch(1)
        context.language_changed.connect(self.retranslate)

    def show_report(self, report: "Report") -> None:
        """Show a report's answer."""
        self._report = report
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.again.setText(_("Ask something else"))
        if self._report is None:
            return
        self.headline.setText(headline(self._report, self._context.language))
        clear(self._chips)
        for chip in chips(self._report, self._context.language):
            text = label("body")
            text.setText(f"{chip.title}\n{chip.time} · {chip.cost}")
            self._chips.addWidget(text)
