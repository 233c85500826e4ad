"""Keep or share a report: first what would be written is shown, then it is written where the user says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import (
    QGuiApplication,
    QKeySequence,
    QPixmap,
    QResizeEvent,
    QShortcut,
    QTextDocument,
)
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QMessageBox,
    QPlainTextEdit,
    QScrollArea,
    QStackedWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from advisor.errors import InputError
from advisor.gui.base.clipboard import copy_answer
from advisor.gui.base.context import Context
from advisor.gui.base.desktop import Opener
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.base.timers import single_shot
from advisor.gui.models.export import (
    PAPER,
    PICTURE_USE,
    SHEET,
    USES,
    Draft,
    Form,
    contents,
    draft,
    file_content,
    file_name,
    forms,
    free_path,
)
from advisor.gui.models.privacy_check import Identity, own_identity, traces
from advisor.gui.pdf_layout import drawn, png
from advisor.gui.widgets.basic import GRID, button, label
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.locale import N_
from advisor.records.results.report import Report
from advisor.report.formats.pdf import print_report
from advisor.report.formats.text import text_report
from advisor.report.formats.write import format_of, write_bytes

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

_SIZE = QSize(1120, 800)
_LEAST_SIZE = QSize(760, 440)
_FRAME = QSize(2 * GRID, 6 * GRID)
"""What a window manager puts around a dialog, about."""
_FIT_MS = 150
_LIST_WIDTH, _WIDEST_LIST = 35 * GRID, 37 * GRID
"""Wide enough for every name in Spanish; a wider list would leave a page no room in the smallest dialog."""
_SHOWN_LINES = 3000
_ONE_LINE = 60
_LONG_WORD = re.compile(r"(?:&#?\w+;|[^\s&]){20}(?=[^\s])")
_LEAST_PICTURE_WIDTH = 320


class ExportDialog(QDialog):
    """A preview of a report in each of its forms, with the buttons to write or copy it."""

    def __init__(
        self,
        context: Context,
        background: BackgroundTasks,
        report: Report,
        parent: QWidget | None = None,
        identity: Identity | None = None,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._background = background
        self._report = report
        self._identity = own_identity() if identity is None else identity
        self._drafts: dict[str, Draft] = {}
        self._forms: tuple[Form, ...] = ()
        self._saving = ""
        self._saved = Path()
        self._is_writing = False
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        self.setMinimumSize(_LEAST_SIZE.boundedTo(self.size()))
        self._fitting = single_shot(self, _FIT_MS, self._fit)
        self.list = QListWidget()
        self.list.setWordWrap(True)  # of charts, whose names may be longer than the list is wide
        self.page = QTextBrowser()
        self.text = QPlainTextEdit()
        self.picture = QLabel()
        self._scroll = QScrollArea()
        self.preparing = label("muted")
        self.preview = QStackedWidget()
        self.use = label("lead")
        self.contents = label("muted")
        self.warning = label("warning")
        self.said = label("strong")
        self.problem = ProblemCard(context)
        self.save = button("primary", self._choose_file)
        self.copy = button("plain", self._copy)
        self.copy_short = button("plain", self._copy_short)
        self.paper = button("plain", self._print)
        self.open_file = button("link", lambda: self._open(self._saved))
        self.open_folder = button("link", lambda: self._open(self._saved.parent))
        self._opener = Opener(self)
        self._opener.unopened.connect(self._on_unopened)
        self.shut = button("plain", self.reject)
        self._build()
        context.language_changed.connect(self.retranslate)
        self.retranslate()
        self.list.currentRowChanged.connect(lambda _row: self._show_form())
        self.list.setCurrentRow(0)

    def _build(self) -> None:
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page.setOpenLinks(False)
        self.page.setObjectName("paper")
        # It fits, but for a pixel to which the borders of a table are rounded.
        self.page.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._scroll.setWidget(self.picture)
        self._scroll.setWidgetResizable(True)
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preparing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for shown in (self.page, self.text, self._scroll, self.preparing):
            self.preview.addWidget(shown)
        middle = QHBoxLayout()
        middle.setSpacing(2 * GRID)
        middle.addWidget(self.list)
        middle.addWidget(self.preview, 1)
        buttons = QHBoxLayout()
        outcome = QHBoxLayout()
        outcome.addWidget(self.said)
        for made in (self.open_file, self.open_folder):
            made.hide()
            outcome.addWidget(made)
        outcome.addStretch(1)
        buttons.addStretch(1)
        for made in (self.shut, self.paper, self.copy_short, self.copy, self.save):
            buttons.addWidget(made)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 3 * GRID)
        column.setSpacing(int(1.5 * GRID))
        column.addWidget(self.use)
        column.addLayout(middle, 1)
        for widget in (self.contents, self.warning, self.problem):
            column.addWidget(widget)
        column.addLayout(outcome)
        column.addLayout(buttons)
        QShortcut(QKeySequence.StandardKey.Save, self, self._choose_file)
        QShortcut(QKeySequence.StandardKey.Print, self, self._print)

    @property
    def form(self) -> Form:
        """The chosen form."""
        return self._forms[max(0, self.list.currentRow())]

    # --- preview ---

    def _show_form(self) -> None:
        if not self._forms or self.list.currentRow() < 0:
            return
        self._say("")
        self.problem.dismiss()
        self._show_contents()
        self._allow()
        made = self._drafts.get(self.form.id)
        if made is not None:
            self._show(made)
            return
        self.preview.setCurrentWidget(self.preparing)
        report, form, language = self._report, self.form, self._context.language
        self._background.run(lambda: draft(report, form, language), "draft", self._on_draft, self._on_no_draft)

    def _on_draft(self, made: Draft) -> None:
        self._drafts[made.form.id] = made
        self._allow()
        if made.form.id == self.form.id:
            self._show(made)

    def _on_no_draft(self, problem: Problem) -> None:
        self.problem.show_problem(problem, N_("The preview could not be made."))

    def _allow(self) -> None:
        """Let only what was shown be written or copied."""
        is_shown = self.form.id in self._drafts
        self.save.setEnabled(is_shown and not self._is_writing)
        self.paper.setEnabled(not self._is_writing)
        self.copy.setEnabled(is_shown or not self.form.is_picture)

    def _show(self, made: Draft) -> None:
        if made.page is not None:
            self._show_page(made)
            self.preview.setCurrentWidget(self.page)
        elif made.svg:
            self._show_picture(made.svg)
            self.preview.setCurrentWidget(self._scroll)
        else:
            self.text.setPlainText(self._shortened(made.text))
            self.preview.setCurrentWidget(self.text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Make what is shown as wide as there is room now."""
        super().resizeEvent(event)
        self._fitting.start()

    def _fit(self) -> None:
        made = self._drafts.get(self.form.id) if self._forms else None
        if made is not None and (made.page is not None or made.svg):
            bar = self.page.verticalScrollBar()
            place = bar.value() / max(1, bar.maximum())
            self._show(made)
            bar.setValue(round(place * bar.maximum()))

    def _show_picture(self, svg: str) -> None:
        width = max(_LEAST_PICTURE_WIDTH, self.preview.width() - 4 * GRID)
        image = drawn(svg).scaledToWidth(width, Qt.TransformationMode.SmoothTransformation)
        self.picture.setPixmap(QPixmap.fromImage(image))

    def _show_page(self, made: Draft) -> None:
        assert made.page is not None
        document = QTextDocument(self.page)
        width = self.preview.width() - self.page.verticalScrollBar().sizeHint().width() - 7 * GRID
        for number, svg in enumerate(made.page.pictures):
            image = drawn(svg).scaledToWidth(
                max(_LEAST_PICTURE_WIDTH, width), Qt.TransformationMode.SmoothTransformation
            )
            document.addResource(QTextDocument.ResourceType.ImageResource, QUrl(f"chart-{number}"), image)
        document.setHtml(narrowed(made.page.html))
        document.setDocumentMargin(3 * GRID)
        self.page.setDocument(document)

    def _shortened(self, text: str) -> str:
        """Return the first lines of a very long text, and how many more there are."""
        lines = text.splitlines()
        if len(lines) <= _SHOWN_LINES:
            return text
        language = self._context.language
        rest = language.gettext("… and {n} more lines of the same kind.").format(
            n=language.number(len(lines) - _SHOWN_LINES)
        )
        return "\n".join([*lines[:_SHOWN_LINES], rest])

    # --- writing ---

    def _choose_file(self) -> None:
        if not self.save.isEnabled():
            return  # the key is pressed before there is anything to write
        form = self.form
        named = Path.home() / file_name(self._report, form, self._context.language)
        typed = self.ask_name(str(free_path(named)), form)
        if not typed:
            return
        path = with_ending(Path(typed), form)
        # The dialog has asked about the name that was typed; whether another file may go is not known yet.
        if path == Path(typed) or not path.exists() or self.may_replace(path):
            self.save_to(path)

    def ask_name(self, suggested: str, form: Form) -> str:
        """Ask where to write; empty where the user does not want to."""
        title = self._context.gettext("Save the report")
        dialog = QFileDialog(self, title, suggested, f"{form.title} (*{form.suffix})")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(form.suffix)
        is_chosen = bool(dialog.exec())
        dialog.deleteLater()
        return dialog.selectedFiles()[0] if is_chosen else ""

    def may_replace(self, path: Path) -> bool:
        """Ask whether a file that is there already may go."""
        _ = self._context.gettext
        text = _("{file} is there already. Replace it?").format(file=path.name)
        answer = QMessageBox.question(self, _("Save the report"), text)
        return answer == QMessageBox.StandardButton.Yes

    def save_to(self, path: Path) -> None:
        """Write the chosen form, once it has been shown, into a file: whole, or not at all."""
        form, report, language = self.form, self._report, self._context.language
        if form.id not in self._drafts:
            return
        path = with_ending(path, form)
        make: Callable[[], bytes]
        if form.is_picture:
            content = png(self._drafts[form.id].svg)
            make = lambda: content  # noqa: E731 - made here, because it is painted
        else:
            make = lambda: file_content(report, form, language)  # noqa: E731
        self._saving, self._is_writing = path.name, True
        self._saved = path
        self._allow()
        self._say(self._context.gettext("Writing …"))
        self.problem.dismiss()
        self._background.run(lambda: write_bytes(path, make()), "saving", self._on_saved, self._on_failed)

    def _print(self) -> None:
        """Print the report as its PDF looks, where the user says."""
        if not self.paper.isEnabled():
            return
        from PySide6.QtPrintSupport import QPrinter  # not before it is wanted

        from advisor.gui.dialogs.paper import chosen_paper

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        if not self.ask_printer(printer):
            return
        report, paper, language = self._report, chosen_paper(printer), self._context.language
        self._is_writing = True
        self._allow()
        self._say(self._context.gettext("Printing …"))
        self.problem.dismiss()
        self._saved = Path(paper.file)
        self._saving = self._saved.name
        done = self._on_saved if paper.file else self._on_printed
        self._background.run(lambda: print_report(report, paper, language), "printing", done, self._on_not_printed)

    def ask_printer(self, printer: QPrinter) -> bool:
        """Ask where to print and how; False where the user does not want to."""
        from PySide6.QtPrintSupport import QPrintDialog

        dialog = QPrintDialog(printer, self)
        dialog.setWindowTitle(self._context.gettext("Print the report"))
        dialog.setOption(QPrintDialog.PrintDialogOption.PrintPageRange)
        is_wanted = bool(dialog.exec())
        dialog.deleteLater()
        return is_wanted

    def _on_printed(self, _nothing: object) -> None:
        self._is_writing = False
        self._allow()
        self._say(self._context.gettext("Handed to the printer."))

    def _on_not_printed(self, problem: Problem) -> None:
        self._is_writing = False
        self._allow()
        self._say("")
        self.problem.show_problem(problem, N_("The report could not be printed."))

    def _on_saved(self, _nothing: object) -> None:
        self._is_writing = False
        self._allow()
        self._say(self._context.gettext("Saved as {file}.").format(file=self._saving), is_saved=True)

    def _on_failed(self, problem: Problem) -> None:
        self._is_writing = False
        self._allow()
        self._say("")
        self.problem.show_problem(problem, N_("The report could not be written."))

    def _say(self, text: str, *, is_saved: bool = False) -> None:
        """Say what was done; a file that was written can be looked at."""
        self.said.setWordWrap(len(text) > _ONE_LINE)  # a path; all else stands in one line
        self.said.setText(text)
        for made in (self.open_file, self.open_folder):
            made.setVisible(is_saved)

    def _open(self, place: Path) -> None:
        """Show a file or a folder in the desktop's own program."""
        self.problem.dismiss()
        self._opener.open(str(place))

    def _on_unopened(self, place: str) -> None:
        self._say(self._context.gettext("It could not be opened; it is here: {path}").format(path=place))

    def _copy(self) -> None:
        form = self.form
        clipboard = QGuiApplication.clipboard()
        if form.is_picture and form.id in self._drafts:
            clipboard.setImage(drawn(self._drafts[form.id].svg))
        else:
            clipboard.setText(text_report(self._report, self._context.language))
        self._say(self._context.gettext("Copied"))

    def _copy_short(self) -> None:
        copy_answer(self._report, self._context.language)
        self._say(self._context.gettext("Copied"))

    # --- words ---

    def _show_contents(self) -> None:
        _ = self._context.gettext
        language = self._context.language
        inside = "; ".join(contents(self._report, self.form, language))
        lines = _("In it: {contents}.").format(contents=inside)
        outside = _("Does not include: your name, the name of this computer, serial numbers, paths of your folders.")
        found = traces(self._report, self._identity)
        self.contents.setText(lines if found else f"{lines}\n{outside}")
        text = _("Look before you share: these words in it could identify you: {words}.")
        self.warning.setText(text.format(words=", ".join(found)))
        self.warning.setVisible(bool(found))
        self.use.setText(_(USES.get(self.form.id, PICTURE_USE)))
        self.copy.setText(_("Copy the picture") if self.form.is_picture else _("Copy the whole text"))

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setWindowTitle(_("Save or share"))
        self.setAccessibleName(_("Save or share"))
        row = max(0, self.list.currentRow())
        self._drafts.clear()
        self._forms = forms(self._report, self._context.language)
        self.list.blockSignals(True)
        self.list.clear()
        self.list.addItems([form.title for form in self._forms])
        self.list.setCurrentRow(row)
        self.list.blockSignals(False)
        widest = max((self.list.fontMetrics().horizontalAdvance(form.title) for form in self._forms), default=0)
        self.list.setFixedWidth(min(max(_LIST_WIDTH, widest + 5 * GRID), _WIDEST_LIST))
        self.list.setAccessibleName(_("Form of the report"))
        for widget in (self.page, self.text, self.picture):
            widget.setAccessibleName(_("What would be written"))
        self.preparing.setText(_("Preparing the preview …"))
        self.save.setText(_("Save …"))
        self.save.setAccessibleDescription(_("Asks where, then writes what is shown; nothing is sent anywhere"))
        self.paper.setText(_("Print …"))
        self.paper.setAccessibleDescription(_("Asks for a printer, then prints the report as its PDF looks"))
        self.copy_short.setText(_("Copy the answer"))
        self.copy_short.setAccessibleDescription(_("Question, verdict and options in a few lines, for a message"))
        self.open_file.setText(_("Open"))
        self.open_file.setAccessibleDescription(_("Shows the file that was written in its own program"))
        self.open_folder.setText(_("Show in folder"))
        self.open_folder.setAccessibleDescription(_("Shows the folder that the file was written into"))
        self.shut.setText(_("Close"))
        self._show_form()


def with_ending(path: Path, form: Form) -> Path:
    """Return a file's name with the ending of its form, where it does not end so already."""
    if form.is_picture:
        is_named = path.suffix.lower() == form.suffix
    else:
        try:
            is_named = format_of(path) == (PAPER if form.id == SHEET else form.id)
        except InputError:
            is_named = False  # such as "results 1.5", whose ending is none
    return path if is_named else path.with_name(path.name + form.suffix)


def narrowed(html: str) -> str:
    """Return a page for paper so that it fits a narrower window: heads of tables and long words may be broken."""
    head, style_end, body = html.partition("</style>")
    broken = re.sub(r"(?<=>)[^<]+", lambda text: _LONG_WORD.sub("\\g<0>\N{ZERO WIDTH SPACE}", text[0]), body)
    return head.replace("nowrap", "normal") + style_end + broken
