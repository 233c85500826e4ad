"""Two checks side by side: what differs, test by test."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QHeaderView

from advisor.gui.base.context import Context
from advisor.gui.controllers.history_controller import ComparedReports
from advisor.gui.models.compared_answers import answers_sentence, line_with_answer
from advisor.gui.models.compared_checks import compared_view
from advisor.gui.models.compared_summary import disturbed_side
from advisor.gui.widgets.basic import GRID, Card, button, label
from advisor.gui.widgets.number_label import Statement
from advisor.gui.widgets.provenance_cells import ProvenanceCells
from advisor.gui.widgets.table import RowsModel, RowsView
from advisor.report.provenance.history import of_compared, of_comparison

_TEXTS = (0, 3)
"""Columns that may wrap: names of tests, and how far apart two times are."""


class ComparisonCard(Card):
    """The comparison of two checks; hidden while there is none.

    Signals:
        closed: The user has put it away.

    Attributes:
        when_quiet: Button: check this computer anew, where other programs disturbed one of the two.
    """

    closed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(margin=2 * GRID)
        self._context = context
        self._compared: ComparedReports | None = None
        self.title = label("title", selectable=True)
        self.names = label("body", selectable=True)
        self.summary = Statement(context, "strong")
        self.chance = label("muted")
        self.when_quiet = button("plain")
        self.rest = label("muted")
        self.close_button = button("link", self._on_close)
        self.rows = RowsModel()
        self.table = RowsView(self.rows)
        ProvenanceCells(context, self.table, self.rows)
        self.table.setSortingEnabled(True)
        self.table.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setWordWrap(True)
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.width_changed.connect(self._fit)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.close_button)
        self.body.addLayout(head)
        self.body.addWidget(self.summary)
        self.body.addWidget(self.when_quiet, 0, Qt.AlignmentFlag.AlignLeft)
        for widget in (self.names, self.chance, self.rest, self.table):
            self.body.addWidget(widget)
        self.hide()

    def show_compared(self, compared: ComparedReports) -> None:
        """Show two checks, the older one first, and what differs between them."""
        self._compared = compared
        self._show()

    def keep_for(self, ids: frozenset[int]) -> None:
        """Put the comparison away where one of its checks is no longer among those of the history."""
        if self._compared is not None and not {self._compared.first.id, self._compared.second.id} <= ids:
            self._put_away()

    def _on_close(self) -> None:
        self._put_away()
        self.closed.emit()

    def _put_away(self) -> None:
        self._compared = None
        self.hide()

    def _show(self) -> None:
        if self._compared is None:
            return
        language = self._context.language
        compared, comparison = self._compared, self._compared.comparison
        first, second = compared.first, compared.second
        names = line_with_answer(first, language), line_with_answer(second, language)
        view = compared_view(names, comparison, language, answers=answers_sentence(first, second, language))
        self.names.setText("\n".join(f"{side}: {name}" for side, name in zip("AB", view.names, strict=True)))
        self.summary.show_text(view.summary, of_comparison(comparison, language))
        self.chance.setText(view.chance)
        self.chance.setVisible(bool(view.chance))
        self.when_quiet.setVisible(_can_repeat(compared))
        self.rest.setText(view.left_over)
        self.rest.setVisible(bool(view.left_over))
        self.rows.show(
            view.header,
            view.rows,
            numeric=frozenset({1, 2}),
            keys=view.keys,
            bold=view.marked,
            quiet=view.disturbed,
            origins=lambda row, _column: of_compared(view.cases[row], language),
        )
        self.table.setVisible(bool(view.rows))
        self._fit()
        self.show()

    def _fit(self) -> None:
        """Be as high as the rows are; the page scrolls, not the table."""
        self.table.share_width(_TEXTS)
        self.table.verticalHeader().resizeSections(
            QHeaderView.ResizeMode.ResizeToContents
        )  # else not before it is shown
        self.table.setFixedHeight(self.table.whole_height())

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.title.setText(_("Two checks side by side"))
        self.close_button.setText(_("Close"))
        self.close_button.setAccessibleDescription(_("Closes the comparison; both checks stay"))
        self.table.setAccessibleName(_("Two checks side by side"))
        self.table.setAccessibleDescription(_("Bold rows differ by more than repeating alone would cause"))
        self.when_quiet.setText(_("Check again when it's quiet"))
        self.when_quiet.setAccessibleDescription(_("Waits until other programs leave the processor, then checks again"))
        self.when_quiet.setToolTip(self.when_quiet.accessibleDescription())
        self._show()


def _can_repeat(compared: ComparedReports) -> bool:
    """Return whether a check of this computer that others disturbed can be made anew."""
    who = disturbed_side(compared.comparison)
    sides = {"A": (compared.first,), "B": (compared.second,), "both": (compared.first, compared.second)}
    own = (entry for entry in sides.get(who, ()) if entry.origin == "here" and entry.summary is not None)
    return any(not entry.summary.is_simulated for entry in own if entry.summary is not None)
