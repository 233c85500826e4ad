"""The answer: the sentence first, its evidence below."""

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from advisor.gui.context import Context
from advisor.gui.models.options import OptionTable, cost_ticks, option_header, option_points, time_ticks
from advisor.gui.models.verdict import OptionChip, VerdictView, verdict_view
from advisor.gui.widgets.basic import GRID, Card, button, clear, label, single_shot
from advisor.gui.widgets.kind import kind_mark
from advisor.gui.widgets.twin import TwinChart
from advisor.report import quantities
from advisor.report.choices import shown_options

if TYPE_CHECKING:
    from advisor.gui.widgets.option_chart import OptionChart
    from advisor.records.report import Report

_DRAWN = 40
_HEADLINE_MARK_PX = 22


class VerdictPanel(QWidget):
    """The answer to the question.

    Signals:
        again_wanted: Back to the question.
        options_wanted: Every option.
        measurements_wanted: What was measured.
    """

    again_wanted = Signal()
    options_wanted = Signal()
    measurements_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._report: Report | None = None
        self.again = button("link", self.again_wanted.emit)
        self.mark = QLabel()
        self.headline = label("display", selectable=True)
        self.confidence = label("chip", wrap=False)
        self.sentences = label("body", selectable=True)
        self.notes = label("warning")
        self.all_options = button("link", self.options_wanted.emit)
        self.measurements = button("link", self.measurements_wanted.emit)
        self.chart = TwinChart(context, self._make_plot)
        self._chips = QGridLayout()
        self._why = QVBoxLayout()
        self._rules = QVBoxLayout()
        self._changes = QVBoxLayout()
        self.why_card = Card()
        self.rules_card = Card()
        self.changes_card = Card()
        self.chart_card = Card()
        self._pending: deque[Callable[[], None]] = deque()
        self._next = single_shot(self, 0, self._show_next)
        self._build()
        context.language_changed.connect(self.retranslate)
        context.theme_changed.connect(self.retranslate)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * GRID)
        top = QHBoxLayout()
        top.addWidget(self.again)
        top.addStretch(1)
        column.addLayout(top)
        column.addWidget(self._hero())
        self.chart.setMinimumHeight(340)
        self.chart_card.body.addWidget(self.chart)
        self._why.setSpacing(GRID)
        self.why_card.body.addLayout(self._why)
        self._rules.setSpacing(2 * GRID)
        self.rules_card.body.addLayout(self._rules)
        self._changes.setSpacing(GRID)
        self.changes_card.body.addLayout(self._changes)
        column.addWidget(self.why_card)
        column.addWidget(self.chart_card)
        column.addWidget(self.changes_card)
        column.addWidget(self.rules_card)
        column.addStretch(1)

    def _hero(self) -> Card:
        hero = Card()
        hero.body.setSpacing(int(1.5 * GRID))
        head = QHBoxLayout()
        head.setSpacing(int(1.5 * GRID))
        head.addWidget(self.mark)
        head.addWidget(self.headline, 1)
        head.addWidget(self.confidence)
        hero.body.addLayout(head)
        hero.body.addWidget(self.sentences)
        hero.body.addWidget(self.notes)
        self._chips.setSpacing(GRID)
        hero.body.addSpacing(GRID // 2)
        hero.body.addLayout(self._chips)
        links = QHBoxLayout()
        links.addWidget(self.all_options)
        links.addWidget(self.measurements)
        links.addStretch(1)
        hero.body.addLayout(links)
        return hero

    def _make_plot(self) -> QWidget:
        from advisor.gui.widgets.option_chart import OptionChart

        return cast(QWidget, OptionChart(self._context))

    def show_report(self, report: "Report", view: VerdictView) -> None:
        """Show a report's answer: the verdict now, its evidence card by card, so that painting never waits long.

        Args:
            report: The answer.
            view: Its words, made beforehand; made again where the language has changed since.
        """
        self._report = report
        if view.language_code != self._context.language.code:
            view = verdict_view(report, self._context.language)
        self._name_links()
        self._show_hero(view)
        for card in (self.why_card, self.chart_card, self.changes_card, self.rules_card):
            card.hide()
        self._pending = deque(
            (
                partial(self._show_why, view),
                partial(self._show_chart, report),
                partial(self._show_changes, view),
                partial(self._show_rules, view),
            )
        )
        self._next.start()

    def rest(self) -> None:
        """Leave out what is not shown yet, because the window closes."""
        self._next.stop()

    def _show_next(self) -> None:
        if self._pending:
            self._pending.popleft()()
        if self._pending:
            self._next.start()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        self._name_links()
        self._pending.clear()
        if self._report is None:
            return
        view = verdict_view(self._report, self._context.language)
        self._show_hero(view)
        self._show_why(view)
        self._show_rules(view)
        self._show_changes(view)
        self._show_chart(self._report)

    def _name_links(self) -> None:
        _ = self._context.gettext
        self.again.setText(_("Ask something else"))
        self.measurements.setText(_("What was measured"))

    def _show_hero(self, view: VerdictView) -> None:
        _ = self._context.gettext
        self.mark.setPixmap(kind_mark(view.kind, self._context.theme, self.devicePixelRatioF(), _HEADLINE_MARK_PX))
        self.headline.setText(view.headline)
        self.confidence.setText(_("How sure: {confidence}").format(confidence=view.confidence))
        self.sentences.setText("\n".join(view.sentences))
        self.notes.setText("\n".join(view.notes))
        self.notes.setVisible(bool(view.notes))
        clear(self._chips)
        for position, chip in enumerate(view.chips):
            self._chips.addWidget(self._chip(chip), 0, position)
            self._chips.setColumnStretch(position, 1)
        count = view.option_count
        text = self._context.language.ngettext("The {n} option compared", "All {n} options compared", count)
        self.all_options.setText(text.format(n=self._context.language.number(count)))
        self.all_options.setVisible(count > 0)

    def _chip(self, chip: OptionChip) -> QWidget:
        made = Card("chosen_chip" if chip.is_chosen else "chip", margin=int(1.5 * GRID))
        made.body.setSpacing(2)
        head = QHBoxLayout()
        head.setSpacing(GRID)
        mark = QLabel()
        mark.setPixmap(kind_mark(chip.kind, self._context.theme, self.devicePixelRatioF()))
        head.addWidget(mark)
        answer = label("muted", wrap=False)
        answer.setText(chip.answer)
        head.addWidget(answer, 1)
        made.body.addLayout(head)
        title = label("strong")
        title.setText(chip.title)
        numbers = label("body")
        numbers.setText(f"{chip.time} · {chip.cost}")
        made.body.addWidget(title)
        made.body.addWidget(numbers)
        made.body.addStretch(1)
        return made

    def _show_why(self, view: VerdictView) -> None:
        _ = self._context.gettext
        clear(self._why)
        self._why.addWidget(_text("title", _("Why")))
        for reason in view.reasons:
            self._why.addWidget(_text("body", reason))
        self.why_card.setVisible(bool(view.reasons))

    def _show_rules(self, view: VerdictView) -> None:
        clear(self._rules)
        self._rules.addWidget(_text("title", self._context.gettext("What the articles say")))
        for rule in view.rules:
            entry = QVBoxLayout()
            entry.setSpacing(2)
            entry.addWidget(_text("strong", rule.title))
            entry.addWidget(_text("body", rule.text))
            entry.addWidget(_text("muted", rule.source))
            self._rules.addLayout(entry)
        if view.disagreement:
            self._rules.addWidget(_text("body", view.disagreement))
        self.rules_card.setVisible(bool(view.rules))

    def _show_changes(self, view: VerdictView) -> None:
        clear(self._changes)
        self._changes.addWidget(_text("title", self._context.gettext("What would change this answer")))
        for change in view.changes:
            self._changes.addWidget(_text("body", change))
        self.changes_card.setVisible(bool(view.changes))

    def _show_chart(self, report: "Report") -> None:
        _ = self._context.gettext
        language = self._context.language
        options = OptionTable(report, language, shown_options(report.advice.options, _DRAWN))
        points = option_points(options)
        self.chart_card.setVisible(len(points) > 1)
        if len(points) < 2:
            return
        self.chart.describe(
            _("Time against cost"),
            _("Each mark is one option; down and left is better. Hollow marks do not meet your wishes."),
        )
        self.chart.show_rows(option_header(report, language), options)
        months = quantities.months(report.circumstances.horizon_months, language)
        plot = cast("OptionChart", self.chart.ensure_plot())
        plot.name_axes(_("Time of one run (logarithmic)"), _("Cost in {months} (logarithmic)").format(months=months))
        plot.show_points(points, options.hover, time_ticks(points, language), cost_ticks(points, report, language))


def _text(role: str, content: str) -> QLabel:
    made = label(role, selectable=True)
    made.setText(content)
    return made
