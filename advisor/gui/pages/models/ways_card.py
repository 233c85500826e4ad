"""The ways to run one language model: which is advised, what it costs, and the others beside it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, Card, button, clear, label
from advisor.gui.widgets.report_blocks import ReportBlocks
from advisor.records.job.serving_advice import ServingAdvice

_LEFT_OUT = "here"  # the page itself lists what runs on this computer


class WaysCard(QWidget):
    """An answer in words and a table; hidden while there is none.

    Signals:
        closed: The user has put it away.

    Attributes:
        answer: The sentences, above the table.
    """

    closed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._advice: ServingAdvice | None = None
        self.verdict = label("title", selectable=True)
        self.asked = label("muted")
        self.lead = QGridLayout()
        self.lead.setSpacing(GRID // 2)
        self.lead.setColumnStretch(1, 1)
        self.close_button = button("link", self.dismiss)
        self.blocks = ReportBlocks(context)
        head = QHBoxLayout()
        head.addWidget(self.verdict, 1)
        head.addWidget(self.close_button)
        self.answer = Card()
        self.answer.body.addLayout(head)
        self.answer.body.addWidget(self.asked)
        self.answer.body.addLayout(self.lead)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * GRID)
        column.addWidget(self.answer)
        column.addWidget(self.blocks)
        self.hide()

    def show_advice(self, advice: ServingAdvice) -> None:
        """Show which way to run a model is advised."""
        self._advice = advice
        self.retranslate()
        self.show()

    def keep_for(self, model: str) -> None:
        """Put the answer away unless it is about this model."""
        if self._advice is not None and self._advice.question.model != model:
            self._advice = None
            self.hide()

    def dismiss(self) -> None:
        """Put the answer away."""
        self._advice = None
        self.hide()
        self.closed.emit()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.close_button.setText(_("Close"))
        self.close_button.setAccessibleDescription(_("Closes this answer"))
        if self._advice is None:
            return
        from advisor.report.content.blocks import Block, Heading
        from advisor.report.documents.serving_advice import serving_page

        page = serving_page(self._advice, self._context.language)
        self.setAccessibleName(page.verdict.text)
        self.verdict.setText(page.verdict.text)
        self.asked.setText(page.question.text)
        clear(self.lead)
        for row, one in enumerate(page.lead):
            mark, text = label("body", wrap=False), label("body", selectable=True)
            mark.setText("•")
            text.setText(one.text)
            self.lead.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
            self.lead.addWidget(text, row, 1)
        blocks: list[Block] = []
        for section in page.sections:
            if section.id != _LEFT_OUT:
                blocks += (Heading(section.title), *section.blocks)
        self.blocks.show_blocks(tuple(blocks))
