"""Was it true? What came of an earlier answer, and where the user says or measures what a run really took."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, button, clear, label
from advisor.gui.widgets.fields import ChoiceBox
from advisor.records.results.receipt import Receipt
from advisor.records.results.report import Report
from advisor.report.content.options.best import best_options
from advisor.report.words.labels import option_title
from advisor.report.words.receipts import receipt_sentences
from advisor.units import spoken_seconds

_LONGEST_TEXT = 60
_FIELD_WIDTH = 20 * GRID


class ReceiptCard(Card):
    """What is known of an answer's truth, and a field for what a run took.

    Signals:
        told: With the id of an option, and the seconds that one run took on it.

    Attributes:
        measure: Button: measure the job again on this computer.
    """

    told = Signal(str, float)

    def __init__(self, context: Context) -> None:
        super().__init__(margin=2 * GRID)
        self._context = context
        self._report: Report | None = None
        self.title = label("title")
        self._known = QVBoxLayout()
        self.caption = label("body", wrap=False)
        self.time = QLineEdit()
        self.time.setMaxLength(_LONGEST_TEXT)
        self.time.setFixedWidth(_FIELD_WIDTH)
        self.place = ChoiceBox()
        self.save = button("plain", self._on_save)
        self.measure = button("plain")
        self.problem = label("error")
        self.caption.setBuddy(self.time)
        self.time.returnPressed.connect(self._on_save)
        self.body.addWidget(self.title)
        self.body.addLayout(self._known)
        row = QHBoxLayout()
        asked = FlowLayout(GRID)
        for part in (self.caption, self.time, self.place, self.save, self.measure):
            asked.addWidget(part)
        row.addLayout(asked)
        self.body.addLayout(row)
        self.body.addWidget(self.problem)
        context.language_changed.connect(self.retranslate)
        self.retranslate()
        self.hide()

    def show_past(self, report: Report) -> None:
        """Ask about the answer of an earlier check, and tell what is known of it."""
        self._report = report
        self.time.clear()
        self.retranslate()
        self.show()

    def show_receipts(self, receipts: tuple[Receipt, ...]) -> None:
        """Tell what came of the answer."""
        clear(self._known)
        for one in receipts:
            said = label("body", selectable=True)
            said.setText(" ".join(receipt_sentences(one, self._context.language)))
            self._known.addWidget(said)

    def show_problem(self, text: str) -> None:
        """Say why nothing was kept; an empty text takes that away."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def _on_save(self) -> None:
        seconds = spoken_seconds(self.time.text())
        if seconds is None:
            self.show_problem(
                self._context.gettext("Write how long it took, with units: 2 h 40 min, 90 s or 2:30 h, say.")
            )
            self.time.setFocus()
            return
        self.show_problem("")
        self.told.emit(self.place.currentData(), seconds)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.show_problem("")
        self.title.setText(_("Was it true?"))
        self.caption.setText(_("One run really took"))
        self.time.setPlaceholderText(_("2 h 40 min"))
        self.time.setAccessibleName(_("One run really took"))
        self.time.setAccessibleDescription(_("A duration with its unit; Enter keeps it"))
        self.place.setAccessibleName(_("Where it ran"))
        self.place.setAccessibleDescription(_("Its time is compared with what was said of that hardware"))
        self.save.setText(_("Keep"))
        self.save.setAccessibleDescription(_("Keeps the time beside the answer, on this computer only"))
        self.measure.setText(_("Measure it again"))
        self.measure.setAccessibleDescription(_("Checks this computer for the same job and compares"))
        if self._report is not None:
            self._show_report(self._report)

    def _show_report(self, report: Report) -> None:
        """Offer the options of the answer as places, and tell what is known of it."""
        _ = self._context.gettext
        chosen = self.place.currentIndex()
        self.place.clear()
        for one in best_options(report):
            here = _("on this computer") if one.tier == "this_computer" else _("on {device}")
            self.place.addItem(here.format(device=option_title(one, self._context.language)), one.id)
        self.place.setCurrentIndex(max(0, chosen))
        is_there = self.place.count() > 0
        for part in (self.caption, self.time, self.place, self.save):
            part.setVisible(is_there)
        self.show_receipts(report.receipts)
