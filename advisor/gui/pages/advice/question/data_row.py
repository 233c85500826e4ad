"""The user's own data: a folder chosen, and in one line what lies there."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.job.question import Question
from advisor.gui.widgets.basic import button, label


class DataRow(QWidget):
    """A line, and a button that whoever shows the line puts where the ways to ask are.

    Signals:
        chosen: With the file or folder of the user's data.
    """

    chosen = Signal(Path)

    def __init__(self, context: Context, question: Question) -> None:
        super().__init__()
        self._context = context
        self._question = question
        self._is_looking = False
        self.choose = button("link", self._on_choose)
        self.state = label("muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.state, 1)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _on_choose(self) -> None:
        if (path := self.ask()) is not None:
            self.choose_path(path)

    def ask(self) -> Path | None:
        """Let the user choose a folder, and return it; None where none was chosen."""
        title = self._context.gettext("Choose the folder of your data")
        name = QFileDialog.getExistingDirectory(self, title, str(Path.home()))
        return Path(name) if name else None

    def choose_path(self, path: Path) -> None:
        """Have a file or folder looked at."""
        self._is_looking = True
        self._show()
        self.chosen.emit(path)

    def show_question(self) -> None:
        """Show the data of the question."""
        self._is_looking = False
        self._show()

    def _show(self) -> None:
        _ = self._context.gettext
        found = self._question.found
        self.setVisible(self._is_looking or found is not None)
        self.choose.setEnabled(not self._is_looking and self._question.workload is not None)
        if self._is_looking:
            self.state.setText(_("Counting your files …"))
        elif found is None:
            self.state.setText("")
        else:
            from advisor.report.words.own_data import data_phrase  # once there is something to say

            self.state.setText(data_phrase(found.data, self._context.language))

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.choose.setText(_("My data …"))
        self.choose.setAccessibleDescription(
            _("Counts the files of a folder; a check then measures how fast they load. Or drop the folder here.")
        )
        self.choose.setToolTip(self.choose.accessibleDescription())
        self._show()
