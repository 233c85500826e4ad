"""The answer of an earlier start, in one line, and the way back to it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, Card, button, label
from advisor.records.job.workload import Workload
from advisor.records.results.history_entry import Entry


class LastAnswerCard(Card):
    """What was answered when the program last ran; hidden where nothing was.

    Signals:
        wanted: With the entry of the history that is to be opened.
    """

    wanted = Signal(Entry)

    def __init__(self, context: Context) -> None:
        super().__init__(margin=int(1.5 * GRID))
        self._context = context
        self._entry: Entry | None = None
        self._workload: Workload | None = None
        self.title = label("muted")
        self.line = label("strong")
        self.show_button = button("link", self._on_wanted)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.line)
        row = QHBoxLayout()
        row.setSpacing(2 * GRID)
        row.addLayout(words, 1)
        row.addWidget(self.show_button)
        self.body.addLayout(row)
        self.hide()
        context.language_changed.connect(self.retranslate)

    def show_entry(self, entry: Entry | None) -> None:
        """Show an earlier answer; None: there is none."""
        if entry != self._entry:
            self._entry, self._workload = entry, None
        self.retranslate()
        self.setVisible(entry is not None)

    def show_question(self, workload: Workload) -> None:
        """Say of how many samples the answer is."""
        self._workload = workload
        self.retranslate()

    def _on_wanted(self) -> None:
        if self._entry is not None:
            self.wanted.emit(self._entry)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.show_button.setText(_("Show it again"))
        self.show_button.setAccessibleDescription(_("Opens this answer from the history"))
        if self._entry is None:  # hidden
            self.title.clear()
            self.line.clear()
            return
        from advisor.gui.models.history import last_answer  # not before the window is seen

        moment, line = last_answer(self._entry, self._context.language, self._workload)
        self.title.setText(_("Your last answer, {moment}").format(moment=moment))
        self.line.setText(line)
