"""Every fact found out about this computer, how it was read, and how to check it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.computer import FactGroup, FactRow, fact_groups, of_fact, one_line
from advisor.gui.models.computer_judgement import Judgement, is_about, judgements
from advisor.gui.pages.computer.correction_card import CorrectionCard
from advisor.gui.widgets.basic import GRID, Card, Page, button, clear, label
from advisor.gui.widgets.number_label import Figure, at_left
from advisor.records.hardware.machine import Machine
from advisor.records.results.report import Report

_TITLE_ROWS = 3  # as high as a card's title and edges
_WIDE = 56
_MARKS: dict[bool | None, tuple[str, str]] = {True: ("good", "✓"), False: ("warning", "▲"), None: ("body", "○")}
"""Role and sign of what is good, is not, and what nobody knows."""
"""From this width on, in heights of a line, two columns of facts are read well."""


class ComputerPage(Page):
    """This computer in full.

    Attributes:
        correction: Where the user says what is wrong.
    """

    def __init__(self, context: Context, overrides: Sequence[str] = ()) -> None:
        super().__init__()
        self._context = context
        self._machine: Machine | None = None
        self._report: Report | None = None
        self._shows_how = False
        self.title = label("display")
        self.about = label("lead")
        self.line = label("strong", selectable=True)
        self.how: QPushButton = button("plain", self._toggle_how)
        self.how.setCheckable(True)
        self._is_wide = False
        self._groups = QHBoxLayout()
        self._groups.setSpacing(2 * GRID)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.how)
        self.column.addLayout(head)
        self.column.addWidget(self.about)
        self.column.addWidget(self.line)
        self.column.addLayout(self._groups)
        self.correction = CorrectionCard(context, overrides)
        self.column.addWidget(self.correction)
        self.column.addStretch(1)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the parts into two columns where the window has room for them."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= _WIDE * self.fontMetrics().height()
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self.retranslate()

    def show_machine(self, machine: Machine | None) -> None:
        """Show what the probe found; None while it looks."""
        self._machine = machine
        if machine is not None:
            self.correction.show_machine(machine)
        self.retranslate()

    def show_report(self, report: Report) -> None:
        """Judge the parts by an answer about this very computer."""
        self._report = report
        self.retranslate()

    def forget_report(self) -> None:
        """Judge nothing: there is no answer any more."""
        self._report = None
        self.retranslate()

    def _judged(self) -> tuple[Judgement, ...]:
        report = self._report
        if report is None or not is_about(report, self._machine):
            return ()
        return judgements(report, self._context.language)

    def _toggle_how(self) -> None:
        self._shows_how = not self._shows_how
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("This computer"))
        self.title.setText(_("This computer"))
        self.how.setText(_("How was this found out?"))
        self.how.setAccessibleDescription(_("Shows beside each fact what was read and a command that shows the same"))
        self.how.setChecked(self._shows_how)
        clear(self._groups)
        self.about.setText(self._purpose())
        if self._machine is None:
            self.line.setText(_("Looking at this computer …"))
            return
        self.line.setText(one_line(self._machine, self._context.language))
        judged = self._judged()
        columns = [QVBoxLayout() for _column in range(2 if self._is_wide and not self._shows_how else 1)]
        heights = [0] * len(columns)
        for group in fact_groups(self._machine, self._context.language):
            found = [one for one in judged if one.part == group.part]
            shortest = heights.index(min(heights))
            heights[shortest] += _TITLE_ROWS + len(found) + len(group.rows)
            columns[shortest].addWidget(self._group_card(group, found))
        for column in columns:
            column.setSpacing(2 * GRID)
            column.addStretch(1)
            self._groups.addLayout(column, 1)

    def _purpose(self) -> str:
        _ = self._context.gettext
        if self._judged():
            return _("What was found, and which parts are good enough for your last question.")
        return _("What was found. Once you have asked a question, each part is judged by it.")

    def _group_card(self, group: FactGroup, judged: Sequence[Judgement]) -> QWidget:
        card = Card()
        title = label("title")
        title.setText(group.title)
        card.body.addWidget(title)
        for one in judged:
            role, sign = _MARKS[one.is_good]
            said = label(role, selectable=True)
            said.setText(f"{sign}  {one.text}")
            card.body.addWidget(said)
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * GRID)
        grid.setVerticalSpacing(GRID)
        grid.setColumnMinimumWidth(0, (18 if self._is_wide and not self._shows_how else 26) * GRID)
        grid.setColumnStretch(1, 1)
        for position, row in enumerate(group.rows):
            name = label("lead")
            name.setText(row.name)
            grid.addWidget(name, position, 0, Qt.AlignmentFlag.AlignTop)
            if row.is_gap:
                reason = label("lead", selectable=True)
                reason.setText(row.value)
                grid.addWidget(reason, position, 1, Qt.AlignmentFlag.AlignTop)
            else:
                cell = QVBoxLayout()  # a row that is aligned to the top would get one line's height for several
                cell.addLayout(at_left(self._value(row)))
                cell.addStretch(1)
                grid.addLayout(cell, position, 1)
            if self._shows_how and not row.is_gap:
                how = label("muted", selectable=True)
                how.setText("\n".join(part for part in (row.how, f"$ {row.check}" if row.check else "") if part))
                grid.addWidget(how, position, 2, Qt.AlignmentFlag.AlignTop)
        if self._shows_how:
            grid.setColumnStretch(2, 1)
        card.body.addLayout(grid)
        return card

    def _value(self, row: FactRow) -> Figure:
        """Return a fact that can be asked how it was read."""
        value = Figure(self._context, wrap=True)
        value.show_value(row.value, of_fact(row, self._context.language))
        return value
