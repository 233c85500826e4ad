"""What the program keeps on this computer and where; deleting it asks twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.base.desktop import Opener
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, button, label
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.history import History
from advisor.locale import N_


class ConfirmButton(QWidget):
    """A button that says what it would do before it does it; others may stand beside it."""

    def __init__(self, do: Callable[[], None], beside: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self._do = do
        self.offer = button("plain", self._ask)
        self.question = label("body")
        self.yes = button("primary", self._on_yes)
        self.no = button("plain", self._reset)
        answers = QHBoxLayout()
        answers.addWidget(self.yes)
        answers.addWidget(self.no)
        answers.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        offers = FlowLayout(GRID)
        for made in (*beside, self.offer):
            offers.addWidget(made)
        column.addLayout(offers)
        column.addWidget(self.question)
        column.addLayout(answers)
        self._reset()

    def name(self, offer: str, question: str, yes: str, no: str) -> None:
        """Set the texts."""
        self.offer.setText(offer)
        self.question.setText(question)
        self.yes.setText(yes)
        self.no.setText(no)
        for made in (self.offer, self.yes, self.no):
            made.setAccessibleDescription(question)  # heard with each answer

    def _ask(self) -> None:
        self._show(is_asking=True)
        self.no.setFocus()

    def _reset(self) -> None:
        self._show(is_asking=False)

    def _on_yes(self) -> None:
        self._reset()
        self._do()

    def _show(self, *, is_asking: bool) -> None:
        self.offer.setVisible(not is_asking)
        for widget in (self.question, self.yes, self.no):
            widget.setVisible(is_asking)


class KeepingCard(Card):
    """What is kept on this computer, where, and how to be rid of it."""

    def __init__(
        self,
        context: Context,
        background: BackgroundTasks,
        open_history: Callable[[], History],
        on_deleted: Callable[[], None],
    ) -> None:
        super().__init__()
        self._context = context
        self._background = background
        self._open_history = open_history
        self._on_deleted = on_deleted
        self._said: Callable[[], str] = str
        self._opener = Opener(self)
        self._opener.unopened.connect(self._on_unopened)
        self.title = label("title")
        self.text = label("body")
        self.data = button("plain", lambda: self.open_folder(open_history().path.parent))
        self.logs = button("plain", lambda: self.open_folder(_log_folder()))
        self.asking = ConfirmButton(self._delete, beside=(self.data, self.logs))
        self.outcome = label("muted", selectable=True)
        self.problem = ProblemCard(context)
        self.body.addWidget(self.title)
        self.body.addWidget(self.text)
        self.body.addWidget(self.asking)
        self.body.addWidget(self.outcome)
        self.body.addWidget(self.problem)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def open_folder(self, folder: Path) -> None:
        """Show a folder in the desktop's own program; the nearest one there is."""
        while not folder.is_dir() and folder != folder.parent:
            folder = folder.parent
        self._show_outcome(str)
        self._opener.open(str(folder))

    def _on_unopened(self, place: str) -> None:
        self._show_outcome(
            lambda: self._context.gettext("It could not be opened; it is here: {path}").format(path=place)
        )

    def _delete(self) -> None:
        def delete() -> None:
            history = self._open_history()
            history.remove([entry.id for entry in history.entries()])
            history.purge()

        self.problem.dismiss()
        self._background.run(delete, "deleting", self._on_done, self._on_failed)

    def _on_done(self, _result: object) -> None:
        self._show_outcome(lambda: self._context.gettext("The history is deleted."))
        self._on_deleted()

    def _on_failed(self, problem: Problem) -> None:
        self._show_outcome(str)
        self.problem.show_problem(problem, N_("The history could not be deleted."))

    def _show_outcome(self, words: Callable[[], str]) -> None:
        self._said = words
        self.outcome.setText(words())
        self.outcome.setVisible(bool(words()))

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.title.setText(_("What is kept"))
        self.text.setText(
            _("Your choices here, the history of your checks, and error logs. All of it stays on this computer.")
        )
        self.data.setText(_("Open the data folder"))
        self.data.setAccessibleDescription(_("Shows in your file manager where the history lies"))
        self.logs.setText(_("Open the log folder"))
        self.logs.setAccessibleDescription(_("Shows in your file manager what was written down when something failed"))
        self.asking.name(
            _("Delete the history …"),
            _("Every check that was kept is deleted for good. This cannot be undone."),
            _("Delete for good"),
            _("Keep it"),
        )
        self._show_outcome(self._said)


def _log_folder() -> Path:
    from advisor.crash import log_folder

    return log_folder()
