"""Say that something went wrong: one sentence, what to do, details to copy."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit

from advisor.gui.base.context import Context
from advisor.gui.base.desktop import Opener
from advisor.gui.base.tasks import Problem
from advisor.gui.widgets.basic import GRID, Card, bring_into_view, button, label


class ProblemCard(Card):
    """A problem in words; hidden while there is none.

    Signals:
        appeared: With whether there is a problem now.
    """

    appeared = Signal(bool)

    def __init__(self, context: Context) -> None:
        super().__init__("error_card", margin=2 * GRID)
        self._context = context
        self._problem: Problem | None = None
        self._intent = ""
        self.sentence = label("error")
        self.advice = label("body")
        self.unopened = label("muted", selectable=True)
        self._is_unopened = False
        self._opener = Opener(self)
        self._opener.unopened.connect(self._on_unopened)
        self.details = QPlainTextEdit()
        self.details.setReadOnly(True)
        self.details.setMaximumHeight(160)
        self.show_button = button("link", self._toggle_details)
        self.copy_button = button("link", self._copy)
        self.file_button = button("link", self._open_file)
        self.close_button = button("link", self.dismiss)
        actions = QHBoxLayout()
        actions.addWidget(self.show_button)
        actions.addWidget(self.copy_button)
        actions.addWidget(self.file_button)
        actions.addStretch(1)
        actions.addWidget(self.close_button)
        actions.setSpacing(2 * GRID)
        self.body.addWidget(self.sentence)
        self.body.addWidget(self.advice)
        self.body.addLayout(actions)
        self.body.addWidget(self.unopened)
        self.body.addWidget(self.details)
        self.details.hide()
        self.hide()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def show_problem(self, problem: Problem, intent: str) -> None:
        """Show a problem; ``intent`` says what was being done, as a whole sentence such as "The check ended early."."""
        self._problem, self._intent, self._is_unopened = problem, intent, False
        self.details.setPlainText(problem.details)
        self.file_button.setVisible(problem.file is not None)
        self.retranslate()
        self.show()
        bring_into_view(self)  # who dropped a file at the end of a page sees what became of it
        self.appeared.emit(True)

    def dismiss(self) -> None:
        """Forget the problem."""
        self._problem = None
        self.details.hide()
        self.hide()
        self.appeared.emit(False)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.show_button.setText(_("Show details") if self.details.isHidden() else _("Hide details"))
        self.show_button.setAccessibleDescription(
            _("Shows what the program knows about it, for somebody who can fix it")
        )
        self.copy_button.setText(_("Copy details"))
        self.copy_button.setAccessibleDescription(_("Puts the details on the clipboard; they stay on this computer"))
        self.file_button.setText(_("Open the log"))
        self.file_button.setAccessibleDescription(_("Opens the file in which it was written down"))
        self.close_button.setText(_("Close"))
        self.close_button.setAccessibleDescription(_("Closes this message"))
        self.setAccessibleName(_("Problem"))
        self.details.setAccessibleName(_("Details of the problem"))
        self.details.setAccessibleDescription(_("To be read or copied"))
        self.unopened.setVisible(self._is_unopened)
        if self._problem is None:
            return
        self.unopened.setText(_("It could not be opened; it is here: {path}").format(path=self._problem.file))
        if self._problem.error is not None:
            self.sentence.setText(self._problem.error.sentence(_))
            self.advice.setText(_(self._intent))
        else:
            self.sentence.setText(_(self._intent))
            self.advice.setText(
                _(
                    "This is a fault of the program, not of your computer. "
                    "Try again; if it comes back, pass the details on."
                )
            )

    def _toggle_details(self) -> None:
        self.details.setVisible(self.details.isHidden())
        self.retranslate()

    def _copy(self) -> None:
        if self._problem is not None:
            QGuiApplication.clipboard().setText(self._problem.details)
            self.copy_button.setText(self._context.gettext("Copied"))

    def _open_file(self) -> None:
        if self._problem is not None and self._problem.file is not None:
            self._is_unopened = False
            self.retranslate()
            self._opener.open(self._problem.file)

    def _on_unopened(self, place: str) -> None:
        self._is_unopened = self._problem is not None and self._problem.file == place
        self.retranslate()
