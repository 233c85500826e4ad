"""Parts of the settings page: how old the prices are, what is kept and where, and what the program is made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from advisor import __version__
from advisor.gui.backend import Backend
from advisor.gui.base.context import Context
from advisor.gui.base.desktop import Opener
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, button, label
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.history import History
from advisor.locale import N_
from advisor.records.hardware.device import RefreshResult
from advisor.resource import resource_path

_TEXT_HEIGHT = 26 * GRID


class ConfirmButton(QWidget):
    """A button that says what it would do before it does it."""

    def __init__(self, do: Callable[[], None]) -> None:
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
        column.addWidget(self.offer, 0, Qt.AlignmentFlag.AlignLeft)
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


class PricesCard(Card):
    """How old the cloud prices are, and how to renew them; nothing is fetched unasked."""

    def __init__(self, context: Context, background: BackgroundTasks, backend: Backend) -> None:
        super().__init__()
        self._backend = backend
        self._context = context
        self._background = background
        self._known: Mapping[str, str] = {}
        self._refused: Mapping[str, str] = {}
        self._said: Callable[[], str] = str
        self.title = label("title")
        self.age = label("body")
        self.refused = label("warning", selectable=True)
        self.asking = ConfirmButton(self._refresh)
        self.outcome = label("muted", selectable=True)
        self.problem = ProblemCard(context)
        for widget in (self.title, self.age, self.refused, self.asking, self.outcome, self.problem):
            self.body.addWidget(widget)
        context.language_changed.connect(self.retranslate)
        self.retranslate()
        background.run(self._read, "prices", self._on_read, self._on_unread)

    def _read(self) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Return the dates of the prices in use and why others are not; runs in a thread."""
        return self._backend.price_dates(), self._backend.refused_prices()

    def _on_read(self, read: tuple[Mapping[str, str], Mapping[str, str]]) -> None:
        self._known, self._refused = read
        self.retranslate()

    def _on_unread(self, problem: Problem) -> None:
        self.problem.show_problem(problem, N_("The dates of the prices could not be read."))

    def _refresh(self) -> None:
        self.asking.setEnabled(False)
        self.problem.dismiss()
        self._show_outcome(lambda: self._context.gettext("Fetching prices …"))
        self._background.run(self._backend.refresh_prices, "prices", self._on_renewed, self._on_failed)

    def _on_renewed(self, result: RefreshResult) -> None:
        from advisor.catalog.refresh import explain_problem

        def words() -> str:
            language = self._context.language
            text = language.ngettext(
                "The prices of {n} provider are new.", "The prices of {n} providers are new.", len(result.renewed)
            )
            lines = [text.format(n=language.number(len(result.renewed)))]
            return "\n".join(lines + [explain_problem(one, language) for one in result.problems])

        self.asking.setEnabled(True)
        self._show_outcome(words)
        self._background.run(self._read, "prices", self._on_read, self._on_unread)

    def _on_failed(self, problem: Problem) -> None:
        self.asking.setEnabled(True)
        self._show_outcome(str)
        self.problem.show_problem(problem, N_("The prices could not be renewed."))

    def _show_outcome(self, words: Callable[[], str]) -> None:
        self._said = words
        self.outcome.setText(words())
        self.outcome.setVisible(bool(words()))

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.title.setText(_("Cloud prices"))
        self.age.setText(self._age_text())
        self.refused.setText(self._refused_text())
        self.refused.setVisible(bool(self._refused))
        self.asking.name(
            _("Update prices …"),
            _(
                "This opens a connection to the price list of gpuhunt (dstack). "
                "Nothing about you or this computer is sent."
            ),
            _("Connect and renew"),
            _("Do not connect"),
        )
        self._show_outcome(self._said)

    def _refused_text(self) -> str:
        if not self._refused:
            return ""
        from advisor.report.words.advice.prices import refusal_sentence

        return "\n".join(refusal_sentence(*one, self._context.language) for one in self._refused.items())

    def _age_text(self) -> str:
        import datetime

        _ = self._context.gettext
        if not self._known:
            return _("No prices are known.")
        language = self._context.language
        oldest, newest = min(self._known.values()), max(self._known.values())
        days = [language.date(datetime.date.fromisoformat(day)) for day in (oldest, newest)]
        count = language.number(len(self._known))
        if oldest == newest:
            return _("Prices of {count} providers, read on {day}.").format(count=count, day=days[0])
        text = _("Prices of {count} providers, collected between {first} and {last}.")
        return text.format(count=count, first=days[0], last=days[1])


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
        self.asking = ConfirmButton(self._delete)
        self.outcome = label("muted", selectable=True)
        self.problem = ProblemCard(context)
        folders = FlowLayout(GRID)
        folders.addWidget(self.data)
        folders.addWidget(self.logs)
        self.body.addWidget(self.title)
        self.body.addWidget(self.text)
        self.body.addLayout(folders)
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


class AboutCard(Card):
    """The program, and the licences of what it brings along."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.title = label("title")
        self.version = label("body", selectable=True)
        self.licence = label("body")
        self.toggle = button("link", self._on_toggle)
        self.texts = QPlainTextEdit()
        self.texts.setReadOnly(True)
        self.texts.setFixedHeight(_TEXT_HEIGHT)
        self.texts.hide()
        for widget in (self.title, self.version, self.licence):
            self.body.addWidget(widget)
        self.body.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self.texts)
        self.toggle.setVisible(bool(licence_files()))
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _on_toggle(self) -> None:
        if not self.texts.toPlainText():
            parts = (f"{path.stem}\n\n{path.read_text('utf-8', 'replace')}" for path in licence_files())
            self.texts.setPlainText("\n\n\n".join(parts))
        self.texts.setVisible(self.texts.isHidden())
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.title.setText(_("About"))
        self.version.setText(_("Version {version}. Nothing leaves this computer.").format(version=__version__))
        self.licence.setText(_("Licence: MIT. Qt for Python is used under the LGPL."))
        self.toggle.setText(_("Hide the licences") if not self.texts.isHidden() else _("Licences of what is included"))
        self.toggle.setAccessibleDescription(_("Shows the texts of the licences here, or hides them"))
        self.texts.setAccessibleDescription(_("Texts of the licences, to be read"))
        self.texts.setAccessibleName(_("Licences of what is included"))


def licence_files() -> list[Path]:
    """Return the licences that the installed program carries; none in a checkout."""
    folder = resource_path("licences")
    return sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
