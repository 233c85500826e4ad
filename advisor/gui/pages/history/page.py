"""Earlier checks: look back at one, compare two, name, share and delete them, read one from another computer."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QFileDialog, QHBoxLayout, QLineEdit, QMenu, QVBoxLayout, QWidget

from advisor.errors import InputError
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import Problem
from advisor.gui.controllers.history_controller import ComparedReports, HistoryController
from advisor.gui.models.history import (
    can_go_on,
    deleted_sentence,
    disturbed_sentence,
    entry_line,
    history_header,
    history_row,
    is_comparable,
    record_text,
    sort_keys,
)
from advisor.gui.pages.history.comparison_card import ComparisonCard
from advisor.gui.widgets.basic import DATA_WIDTH, GRID, Card, FlowLayout, Page, bring_to_top, button, clear, label
from advisor.gui.widgets.number_label import Statement
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.gui.widgets.table import RowsModel, RowsView
from advisor.locale import N_
from advisor.records.results.history_entry import Entry
from advisor.report.provenance.history import entry_figures

_LIST_HEIGHT = 260
_TEXTS = (2, 3, 4, 5, 1, 0, 6)  # columns that wrap: computer, job, answer, measured, name, date, truth
_NAME, _ANSWER, _MEASURED, _TRUE = 1, 4, 5, 6
_NARROW = 110  # pixels a column, below which dates would be cut
_ALL = 100
_MAX_LABEL = 80
_MOST_OTHERS = 20


class _NameField(QLineEdit):
    """A field that Escape leaves, and no check is stopped by that key meanwhile."""

    left = Signal()

    def event(self, event: QEvent) -> bool:
        """Take Escape before the window's shortcuts do."""
        if not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape:
            return bool(super().event(event))
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            self.left.emit()
        return True


class HistoryPage(Page):
    """The list of earlier checks and the comparison of two.

    Attributes:
        check: Button of a user who has no earlier check.
    """

    def __init__(self, context: Context, history: HistoryController) -> None:
        super().__init__(DATA_WIDTH)
        self._context = context
        self._history = history
        self._removed: tuple[int, ...] = ()
        self._named: int | None = None
        self._is_checking = self._is_waiting = False
        self._intent = ""
        self._aside = ""
        self._entries: tuple[Entry, ...] = ()
        self.title = label("display")
        self.lead = label("lead")
        self.problem = ProblemCard(context)
        self.notice = label("warning")
        self.record = label("body", selectable=True)
        self.rows = RowsModel()
        self.table = RowsView(self.rows)
        self.open = button("plain", self._on_open)
        self.compare = button("plain", self._on_compare)
        self.others = QMenu(self)
        self.go_on = button("plain", self._on_go_on)
        self.go_on.hide()
        self.name = button("plain", self._on_name)
        self.share = button("plain", self._on_share)
        self.delete = button("plain", self._on_delete)
        self.read_file = button("link", self._choose_file)
        self.compared = ComparisonCard(context)
        self.compared.closed.connect(self.table.setFocus)
        self.empty = label("body")
        self.check = button("primary")
        self._build()
        history.listed.connect(self._on_listed)
        history.compared.connect(self._on_compared)
        history.removed.connect(self._on_removed)
        history.imported.connect(self._on_imported)
        history.failed.connect(self.show_problem)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    # --- building ---

    def _build(self) -> None:
        for widget in (
            self.title,
            self.lead,
            self.record,
            self.problem,
            self.notice,
            self._undo_card(),
            self._empty_card(),
        ):
            self.column.addWidget(widget)
        self.notice.hide()
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
        self.column.addWidget(self._actions())
        self.column.addWidget(self._name_card())
        self.column.addWidget(self.table, _ALL)
        self.figures = QWidget()
        self._figures = QVBoxLayout(self.figures)
        self._figures.setContentsMargins(0, 0, 0, 0)
        self.column.addWidget(self.figures)
        self.column.addWidget(self.compared)
        self.column.addStretch(1)  # takes the room while there is no list
        self.table.setWordWrap(True)
        self.table.width_changed.connect(self._fit)
        self.table.activated.connect(lambda _index: self._on_open())
        self.table.selectionModel().selectionChanged.connect(lambda _now, _before: self._on_selected())
        for keys, slot in ((QKeySequence.StandardKey.Delete, self._on_delete), (Qt.Key.Key_F2, self._on_name)):
            QShortcut(QKeySequence(keys), self.table, slot, context=Qt.ShortcutContext.WidgetShortcut)

    def _actions(self) -> QWidget:
        self.toolbar = QWidget()
        flow = FlowLayout()
        self.toolbar.setLayout(flow)
        for widget in (self.open, self.go_on, self.compare, self.name, self.share, self.delete, self.read_file):
            flow.addWidget(widget)
        return self.toolbar

    def _empty_card(self) -> Card:
        self.empty_card = Card()
        self.empty_card.body.addWidget(self.empty)
        row = QHBoxLayout()
        row.addWidget(self.check)
        row.addStretch(1)
        self.empty_card.body.addLayout(row)
        return self.empty_card

    def _undo_card(self) -> Card:
        self.undo_card = Card("notice_card", margin=GRID)
        self.undo_text = label("body")
        self.undo = button("plain", self._on_undo)
        row = QHBoxLayout()
        row.addWidget(self.undo_text, 1)
        row.addWidget(self.undo)
        self.undo_card.body.addLayout(row)
        self.undo_card.hide()
        return self.undo_card

    def _name_card(self) -> Card:
        self.name_card = Card(margin=GRID)
        self.name_field = _NameField()
        self.name_field.setMaxLength(_MAX_LABEL)
        self.name_caption = label("body", wrap=False)
        self.name_caption.setBuddy(self.name_field)
        self.name_save = button("plain", self._on_name_saved)
        row = QHBoxLayout()
        row.addWidget(self.name_caption)
        row.addWidget(self.name_field, 1)
        row.addWidget(self.name_save)
        self.name_card.body.addLayout(row)
        self.name_card.hide()
        self.name_field.returnPressed.connect(self._on_name_saved)
        self.name_field.left.connect(self._on_name_left)
        return self.name_card

    # --- what is known ---

    def show_problem(self, problem: Problem) -> None:
        """Say what the history could not do, or what is wrong with what it was given."""
        is_of_input = isinstance(problem.error, InputError) and self._intent
        self.problem.show_problem(problem, self._intent if is_of_input else N_("The history cannot be used."))

    def show_set_aside(self, name: str) -> None:
        """Say that the file was damaged and where it is now."""
        self._aside = name
        self._name_set_aside()

    def _name_set_aside(self) -> None:
        _ = self._context.gettext
        text = _("The history was damaged. It is kept as {file}, and a new one was begun.")
        self.notice.setText(text.format(file=self._aside))
        self.notice.setVisible(bool(self._aside))

    def _on_listed(self, _entries: object) -> None:
        self.problem.dismiss()
        self._show_rows()
        self.compared.keep_for(frozenset(entry.id for entry in self._entries))

    def _show_rows(self) -> None:
        chosen = {entry.id for entry in self.chosen()}
        entries = self._history.entries
        if entries and self._entries and entries[0].id > max(entry.id for entry in self._entries):
            chosen = {entries[0].id}  # a check that was just made is what is looked for
        language = self._context.language
        self._entries = entries
        self.rows.show(
            history_header(language),
            [history_row(entry, language) for entry in entries],
            keys=[sort_keys(entry, language) for entry in entries],
        )
        header = self.table.horizontalHeader()
        self.table.sortByColumn(header.sortIndicatorSection(), header.sortIndicatorOrder())
        self._fit()
        for widget in (self.table, self.figures, self.compare, self.open, self.name, self.share, self.delete):
            widget.setVisible(bool(entries))
        self.empty_card.setVisible(not entries)
        self.record.setText(record_text(entries, language))
        self.record.setVisible(bool(entries))
        self._choose([entry.id for entry in entries if entry.id in chosen] or [entry.id for entry in entries[:1]])
        self._on_selected()

    def chosen(self) -> list[Entry]:
        """Return the chosen entries, from top to bottom."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self._entries[self.rows.source_of(row)] for row in rows]

    def _choose(self, ids: list[int]) -> None:
        selection = self.table.selectionModel()
        flags = QItemSelectionModel.SelectionFlag
        selection.clear()
        for source, entry in enumerate(self._entries):
            row = self.rows.row_of(source)
            if entry.id in ids and row is not None:
                selection.select(self.rows.index(row, 0), flags.Select | flags.Rows)
                selection.setCurrentIndex(self.rows.index(row, 0), flags.NoUpdate)

    def _allow(self) -> None:
        count = len(self.chosen())
        for widget in (self.open, self.name, self.share):
            widget.setEnabled(count == 1)
        self.go_on.setVisible(count == 1 and can_go_on(self.chosen()[0]))
        self.compare.setEnabled(self._can_compare())
        self.delete.setEnabled(count > 0)
        self._name_compare()

    def _can_compare(self) -> bool:
        chosen = self.chosen()
        others = [entry for entry in self._entries if is_comparable(entry) and entry not in chosen]
        return all(map(is_comparable, chosen)) and (len(chosen) == 2 or (len(chosen) == 1 and bool(others)))

    def show_checking(self, *, is_running: bool) -> None:
        """Offer no check while one runs."""
        self._is_checking = is_running
        self._allow_check()

    def show_waiting(self, *, is_waiting: bool) -> None:
        """Offer no second check while one waits for a quiet computer."""
        self._is_waiting = is_waiting
        self._allow_check()

    def _allow_check(self) -> None:
        for made in (self.check, self.compared.when_quiet):
            made.setEnabled(not self._is_checking and not self._is_waiting)
        self._name_empty()

    def _name_empty(self) -> None:
        _ = self._context.gettext
        running = _("A check is running; it will stand here when it is done.")
        self.empty.setText(running if self._is_checking else _("The history is empty."))
        self.check.setVisible(not self._is_checking)

    def _fit(self) -> None:
        """Let long names go on in a second line where the window is narrow."""
        if self._entries:
            self._hide_unused()
            self.table.fit_rows(_TEXTS)
            self._hide_unused()  # once more: else Qt leaves a gap as wide as a usual column
            self.table.fit_heights((_ANSWER,))  # what makes an answer unsure is read whole
            whole = self.table.whole_height()
            self.table.setMinimumHeight(min(_LIST_HEIGHT, whole))
            self.table.setMaximumHeight(whole)  # no empty table below few checks

    def _hide_unused(self) -> None:
        """Leave the room of a column in which nothing stands to the others."""
        is_used = {
            _NAME: any(one.label for one in self._entries),
            _TRUE: any(one.receipts for one in self._entries),
        }
        wanted = self.rows.columnCount() - list(is_used.values()).count(False)
        # What was measured is read below the list, too.
        is_used[_MEASURED] = self.table.width() >= wanted * _NARROW * self._context.text_scale
        for column, is_shown in is_used.items():
            self.table.setColumnHidden(column, False)
            self.table.setColumnHidden(column, not is_shown)

    def _on_selected(self) -> None:
        if self._named is not None and [entry.id for entry in self.chosen()] != [self._named]:
            self._close_naming()  # a name belongs to the check it was begun for
        self._allow()
        self._show_figures()

    def _show_figures(self) -> None:
        """Show the numbers of the chosen check, to be asked; the list's own cells choose."""
        chosen = self.chosen()
        clear(self._figures)
        for text, origin in entry_figures(chosen[0], self._context.language) if len(chosen) == 1 else ():
            self._figures.addWidget(Statement(self._context).show_text(text, origin))
        said = disturbed_sentence(chosen[0], self._context.language) if len(chosen) == 1 else ""
        if said:
            self._figures.addWidget(Statement(self._context, "warning").show_text(said, None))

    # --- what the user does ---

    def _on_open(self) -> None:
        chosen = self.chosen()
        if len(chosen) == 1:
            self._history.open(chosen[0])

    def _on_go_on(self) -> None:
        self._history.take_up(self.chosen()[0])

    def _on_share(self) -> None:
        self._history.fetch(self.chosen()[0])

    def _on_compare(self) -> None:
        """Compare the chosen two; where one is chosen, ask which other one."""
        chosen = self.chosen()
        if len(chosen) == 2:
            self._compare(*chosen)
        elif len(chosen) == 1:
            self._offer_others(chosen[0])

    def _compare(self, one: Entry, other: Entry) -> None:
        """Lay two checks side by side, the older one first."""
        chosen = sorted((one, other), key=lambda entry: sort_keys(entry, self._context.language)[0])
        self._intent = N_("These two checks cannot be compared.")
        self._history.compare(*chosen)

    def _offer_others(self, chosen: Entry) -> None:
        self.others.clear()
        others = [entry for entry in self._entries if entry.id != chosen.id and is_comparable(entry)]
        for entry in others[:_MOST_OTHERS]:
            text = entry_line(entry, self._context.language).replace("&", "&&")  # else taken for a key to press
            self.others.addAction(text, partial(self._compare_with, chosen, entry))
        self.others.popup(self.compare.mapToGlobal(self.compare.rect().bottomLeft()))

    def _compare_with(self, chosen: Entry, other: Entry) -> None:
        self._choose([chosen.id, other.id])
        self._compare(chosen, other)

    def _name_compare(self) -> None:
        _ = self._context.gettext
        is_pair = len(self.chosen()) == 2
        self.compare.setText(_("Compare the two") if is_pair else _("Compare with …"))
        description = (
            _("Shows the two chosen checks side by side")
            if is_pair
            else _("Compares this check with another one; with Ctrl, two can be chosen in the list")
        )
        if not all(map(is_comparable, self.chosen())):
            description = _("A check that was stopped early, or that measured nothing, cannot be compared")
        self.compare.setAccessibleDescription(description)
        self.compare.setToolTip(description)

    def _on_compared(self, compared: ComparedReports) -> None:
        self.problem.dismiss()
        self.compared.show_compared(compared)
        self.compared.table.setFocus()
        bring_to_top(self.compared)

    def _on_delete(self) -> None:
        chosen = self.chosen()
        if chosen:
            self._history.remove([entry.id for entry in chosen])

    def _on_removed(self, ids: tuple[int, ...]) -> None:
        self._removed = ids
        self._name_removed()
        self.undo_card.show()
        self.undo.setFocus()

    def _on_undo(self) -> None:
        self._history.restore(self._removed)
        self.undo_card.hide()
        self.table.setFocus()

    def _on_name(self) -> None:
        chosen = self.chosen()
        if len(chosen) == 1:
            self._named = chosen[0].id
            self.name_field.setText(chosen[0].label)
            self.name_card.show()
            self.name_field.setFocus()
            self.name_field.selectAll()

    def _on_name_saved(self) -> None:
        named = self._named
        self._close_naming()
        if named is not None:
            self._history.rename(named, self.name_field.text())
        self.table.setFocus()

    def _on_name_left(self) -> None:
        self._close_naming()
        self.table.setFocus()

    def _close_naming(self) -> None:
        self._named = None
        self.name_card.hide()

    def _choose_file(self) -> None:
        _ = self._context.gettext
        name, _kind = QFileDialog.getOpenFileName(self, _("Read a report"), "", _("Reports (*.json)"))
        if name:
            self.import_file(Path(name))

    def import_file(self, path: Path) -> None:
        """Read a report of another computer."""
        self._intent = N_("We couldn't use this file.")
        self._history.read_file(path)

    def _on_imported(self, entry_id: int) -> None:
        self._choose([entry_id])

    # --- words ---

    def _name_removed(self) -> None:
        self.undo_text.setText(deleted_sentence(len(self._removed), self._context.language))

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("History"))
        self.title.setText(_("History"))
        self.lead.setText(_("Every check is kept here, on this computer only."))
        for made, text, description in (
            (self.open, _("Open"), _("Shows the answer of this check")),
            (self.go_on, _("Go on with the rest"), _("Measures what this check left out; what was measured is kept")),
            (self.name, _("Name …"), _("Gives this check a name of your own (F2)")),
            (self.share, _("Save or share …"), _("Shows what a report would hold, then writes it where you want")),
            (self.delete, _("Delete"), _("Removes the chosen checks from the history (Del)")),
            (self.read_file, _("Import a report …"), _("Opens a report of another computer, saved as JSON")),
        ):
            made.setText(text)
            made.setAccessibleDescription(description)
            made.setToolTip(description)
        self._name_compare()
        self.table.setAccessibleName(_("Earlier checks"))
        self.table.setAccessibleDescription(_("Enter opens a check; choose a column's title to sort"))
        self._name_empty()
        self.check.setText(_("Check my computer"))
        self.check.setAccessibleDescription(_("Measures this computer and keeps the result here"))
        self.name_caption.setText(_("Name of this check"))
        self.name_field.setAccessibleName(_("Name of this check"))
        self.name_field.setAccessibleDescription(_("Shown in the list; Enter saves it, Escape leaves it as it was"))
        self.name_save.setText(_("Save"))
        self.name_save.setAccessibleDescription(_("Keeps the name"))
        self.undo.setText(_("Undo"))
        self.undo.setAccessibleDescription(_("Brings the deleted checks back"))
        self._name_set_aside()
        self._name_removed()
        self._show_rows()
        self.compared.retranslate()
