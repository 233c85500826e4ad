"""The answer: the sentence first, why and the chart beside each other, what would change it and the rules below."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from advisor.gui.base.clipboard import copy_answer
from advisor.gui.base.context import Context
from advisor.gui.base.timers import single_shot
from advisor.gui.models.job.question import Question
from advisor.gui.models.options.chart_points import cost_ticks, option_points, time_ticks
from advisor.gui.models.options.table import OptionTable, option_header
from advisor.gui.models.verdict import MOST_REASONS, OptionChip, VerdictView, effect_sentence, verdict_view
from advisor.gui.pages.advice.place_card import PlaceCard
from advisor.gui.pages.advice.question.job_card import JobCard
from advisor.gui.widgets.basic import (
    GRID,
    Card,
    FlowLayout,
    bring_to_top,
    button,
    clear,
    label,
    lay_out,
    put_in_reading_order,
)
from advisor.gui.widgets.charts.chart_with_table import ChartWithTable
from advisor.gui.widgets.charts.tier_marks import ShareBar, kind_mark
from advisor.gui.widgets.command_line import CommandLine
from advisor.gui.widgets.folded_card import FoldedCard
from advisor.gui.widgets.number_label import Figure, Statement, at_left
from advisor.gui.widgets.receipt_card import ReceiptCard
from advisor.records.results.measured.measurement import DISTURBED_RATIO
from advisor.records.results.own_computer import rests_on_tests
from advisor.records.results.report import Report
from advisor.report.content.answer import disturbed_option
from advisor.report.content.blocks import Paragraph
from advisor.report.content.options.option_rows import named_options, shown_options
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.problems import load_average, mostly_sentence

if TYPE_CHECKING:
    from advisor.gui.widgets.charts.option_chart import OptionChart

_DRAWN = 40
_COPIED_MS = 3000
_HEADLINE_MARK_PX = 22
_HERO_MARGIN = 2 * GRID
_NARROW = 700  # pixels below which the chart goes under the reasons
_CHART_HEIGHT = 220
_LEFT_OUT = (0, 3, 4, 6)
"""Columns of the options' table for which there is no room here: who answers, memory, price, what is given up."""


class VerdictPanel(QWidget):
    """The answer to the question, and the question itself to play with: each change is answered at once.

    Signals:
        options_wanted: The user wants to see every option.

    Attributes:
        job: Where the question is changed.
        receipt: What came of an earlier answer; hidden under others.
        again, share, measurements: Buttons: back to the question, keep or share the answer, see what was measured.
        copy: Button: put the answer on the clipboard; so does Ctrl+C while nothing is selected.
        when_quiet: Button: check it anew as soon as other programs leave the processor, where they disturbed the check.
        check_again: Button: check this computer anew, where other programs took too much for an answer to be sure.
        name_data: Button: choose the folder of the data, of which nothing is known, for a surer time.
        measure_too: Button: measure the job of the question, which was not measured before, or in vain.
        unused: Why what was measured of it is of no use.
    """

    options_wanted = Signal()

    def __init__(self, context: Context, question: Question) -> None:
        super().__init__()
        self._context = context
        self._report: Report | None = None
        self._view: VerdictView | None = None
        self._programs: tuple[str, ...] = ()
        self.job = JobCard(context, question, has_jobs=True)
        self.effect = label("lead")
        self.effect.hide()
        self._before: Report | None = None
        self.again = button("link")
        self.share = button("plain")
        self.copy = button("plain", self.copy_answer)
        self._copied = single_shot(self, _COPIED_MS, self._name_copy)
        self.check_again = button("primary")
        self.measure_too = button("plain")
        self.unused = label("warning")
        self.name_data = button("link")
        self.mark = QLabel()
        self.asked = Statement(context, "muted")
        self.headline = label("display", selectable=True)
        self.confidence = Figure(context, role="chip")
        self._sentences, self._alternatives = QVBoxLayout(), QVBoxLayout()
        self.twice = Card("chip", margin=int(1.5 * GRID))
        self.notes = label("warning")
        self.doubt = label("muted")
        self.when_quiet = button("link")
        self.all_options = button("link", self.options_wanted.emit)
        self.measurements = button("link")
        self.chart = ChartWithTable(context, self._make_plot)
        self._chips, self._is_narrow = QGridLayout(), False
        self._shown_chips: list[QWidget] = []
        self._why = QVBoxLayout()
        self._head, self._beside = (QBoxLayout(QBoxLayout.Direction.LeftToRight) for _pair in range(2))
        self.why_card = Card(margin=2 * GRID)
        self.rules_card, self.changes_card, self.job_changes_card = (FoldedCard(context) for _card in range(3))
        self.chart_card = Card(margin=2 * GRID)
        self.place_card = PlaceCard(context)
        self.receipt = ReceiptCard(context)
        self._pending: deque[Callable[[], None]] = deque()
        self._next = single_shot(self, 0, self._show_next)
        self._build()
        context.language_changed.connect(self.retranslate)
        context.theme_changed.connect(self.retranslate)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(int(1.5 * GRID))
        self.job.body.addWidget(self.effect)
        self.job.edited.connect(self._on_edited)
        column.addWidget(self.job)
        column.addWidget(self._hero())
        column.addWidget(self.receipt)  # the reason why an earlier answer is opened
        self.chart_card.body.addWidget(self.chart)
        self.chart_card.body.addWidget(self.all_options, 0, Qt.AlignmentFlag.AlignRight)
        self._why.setSpacing(GRID // 2)
        self.why_card.body.addLayout(self._why)
        self.why_card.body.addStretch(1)
        self.why_card.body.addWidget(self.measurements, 0, Qt.AlignmentFlag.AlignLeft)
        self.rules_card.inside.setSpacing(2 * GRID)
        self._beside.setSpacing(int(1.5 * GRID))
        self._beside.addWidget(self.why_card, 2)
        self._beside.addWidget(self.chart_card, 3)
        column.addLayout(self._beside)
        column.addWidget(self.place_card)
        column.addWidget(self.job_changes_card)
        column.addWidget(self.changes_card)
        column.addWidget(self.rules_card)
        column.addStretch(1)

    def _hero(self) -> Card:
        hero = Card(margin=_HERO_MARGIN)
        hero.body.setSpacing(int(1.5 * GRID))
        hero.body.addWidget(self.asked)
        words = QHBoxLayout()
        words.setSpacing(int(1.5 * GRID))
        words.addWidget(self.mark)
        words.addWidget(self.headline, 1)
        self._head.setSpacing(int(1.5 * GRID))
        self._head.addLayout(words, 1)
        sure = at_left(self.confidence)
        self._head.addLayout(sure)
        self._head.setAlignment(sure, Qt.AlignmentFlag.AlignTop)
        hero.body.addLayout(self._head)
        hero.body.addWidget(self.check_again, 0, Qt.AlignmentFlag.AlignLeft)
        self.check_again.hide()
        self._sentences.setSpacing(GRID // 2)
        hero.body.addLayout(self._sentences)
        hero.body.addWidget(self.doubt)
        hero.body.addWidget(self.notes)  # what makes the answer unsure is seen with it
        hero.body.addWidget(self.when_quiet, 0, Qt.AlignmentFlag.AlignLeft)  # beside them it made a small window wide
        self.when_quiet.hide()
        hero.body.addWidget(self.name_data, 0, Qt.AlignmentFlag.AlignLeft)
        hero.body.addWidget(self.unused)
        self.unused.hide()
        hero.body.addWidget(self.measure_too, 0, Qt.AlignmentFlag.AlignLeft)
        self.measure_too.hide()
        self._chips.setSpacing(GRID)
        hero.body.addLayout(self._chips)
        self._alternatives.setSpacing(GRID // 2)
        self.twice.body.setSpacing(GRID // 2)
        hero.body.addWidget(self.twice)
        hero.body.addLayout(self._alternatives)
        actions = FlowLayout(int(1.5 * GRID))
        for action in (self.share, self.copy, self.again):
            actions.addWidget(action)
        hero.body.addLayout(actions)
        return hero

    def _make_plot(self) -> QWidget:
        from advisor.gui.widgets.charts.option_chart import OptionChart

        plot = OptionChart(self._context)
        plot.picked.connect(lambda _row: self.options_wanted.emit())
        return cast(QWidget, plot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put what stands beside each other below where the window is narrow."""
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        """Put the chart under the reasons where letters have little room, and how sure it is under the verdict."""
        is_narrow = self.width() < _NARROW * self._context.text_scale
        for pair, is_below in ((self._beside, is_narrow), (self._head, is_narrow or self._is_squeezed())):
            pair.setDirection(QBoxLayout.Direction.TopToBottom if is_below else QBoxLayout.Direction.LeftToRight)
        self.confidence.set_wrap(is_wrapped=is_narrow)
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._place_chips()
        self.chart.setMinimumHeight(round(_CHART_HEIGHT * self._context.text_scale))  # its words take their share of it

    def _is_squeezed(self) -> bool:
        """Return whether the verdict takes more lines where how sure it is stands beside it."""
        self.headline.ensurePolished()
        whole = self.width() - 2 * _HERO_MARGIN - self.mark.sizeHint().width() - self._head.spacing()
        beside = whole - self.confidence.sizeHint().width() - self._head.spacing()
        return self.headline.heightForWidth(beside) > self.headline.heightForWidth(whole)

    def _place_chips(self) -> None:
        """Put the options side by side; one below the other where letters have little room."""
        for position, made in enumerate(self._shown_chips):
            self._chips.addWidget(made, *((position, 0) if self._is_narrow else (0, position)))
        side_by_side = 1 if self._is_narrow else len(self._shown_chips)
        for column in range(self._chips.columnCount()):
            self._chips.setColumnStretch(column, 1 if column < side_by_side else 0)

    def show_report(self, report: Report, view: VerdictView, programs: Sequence[str] = ()) -> None:
        """Show a report's answer: the verdict now, its evidence card by card, so that painting never waits long.

        Args:
            report: The answer.
            view: Its words, made beforehand; made again where the language has changed since.
            programs: Names of other programs that used the processor meanwhile; they are shown, and no report has them.
        """
        is_first = self._report is None
        self.receipt.hide()  # it is about an earlier answer
        self._report = report
        self._show_effect(report)
        self._programs = tuple(programs)
        if view.language_code != self._context.language.code:
            view = verdict_view(report, self._context.language)
        self._name_links()
        self.measurements.setVisible(report.benchmark is not None)
        self.job.show_question()
        self._show_hero(view)
        if is_first:
            cards = (self.why_card, self.chart_card, self.place_card, self.job_changes_card, self.changes_card)
            for card in (*cards, self.rules_card):
                card.hide()
        self._pending = deque(
            (
                partial(self._show_why, view),
                partial(self._show_chart, report),
                partial(self.place_card.show_report, report),
                partial(self._show_changes, view),
                partial(self._show_rules, view),
            )
        )
        self._next.start()
        lay_out()

    def _on_edited(self) -> None:
        if self._before is None:
            self._before = self._report

    def _show_effect(self, report: Report) -> None:
        """Say what the change in the question did, where there was one."""
        before, self._before = self._before, None
        self.effect.setText("" if before is None else effect_sentence(before, report, self._context.language))
        self.effect.setVisible(bool(self.effect.text()))

    def offer_measuring(self, *, is_offered: bool, is_again: bool, is_own: bool) -> None:
        """Offer to measure the job that the answer is about, or not; and to check the computer anew, or not.

        Args:
            is_offered: The job can be measured too.
            is_again: Another check may change the answer.
            is_own: It is of this computer, which can be checked when others do not disturb.
        """
        is_disturbed = self._report is not None and disturbed_option(self._report) is not None
        self.when_quiet.setVisible(is_own and not is_again and (is_disturbed or bool(self._named_programs())))
        self.measure_too.setVisible(is_offered)
        self.unused.setVisible(is_offered and bool(self.unused.text()))
        self.check_again.setVisible(is_again)

    def copy_answer(self) -> None:
        """Put the answer on the clipboard, as text and as HTML."""
        if self._report is not None:
            copy_answer(self._report, self._context.language)
            self.copy.setMinimumWidth(self.copy.width())  # so that its neighbours stay under the pointer
            self.copy.setText(self._context.gettext("Copied"))
            self._copied.start()

    def _name_copy(self) -> None:
        self.copy.setMinimumWidth(0)  # another language's may be longer
        self.copy.setText(self._context.gettext("Copy the answer"))

    def shut_down(self) -> None:
        """Leave out what is not shown yet, because the window closes."""
        self._next.stop()
        self._copied.stop()

    def _show_next(self) -> None:
        if self._pending:
            self._pending.popleft()()
            lay_out()
        if self._pending:
            self._next.start()
        else:
            put_in_reading_order(self)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        self._name_links()
        self._pending.clear()
        self._turn()
        self.effect.hide()  # it was said in the other language
        if self._report is None:
            return
        view = verdict_view(self._report, self._context.language)
        self._show_hero(view)
        self._show_why(view)
        self._show_rules(view)
        self._show_changes(view)
        self._show_chart(self._report)
        self.place_card.show_report(self._report)
        put_in_reading_order(self)

    def _name_links(self) -> None:
        _ = self._context.gettext
        self.measure_too.setAccessibleDescription(
            _("Measures this very job on this computer and answers again; what was measured stays")
        )
        self.name_data.setText(_("Choose your photo folder for a surer answer …"))
        self.name_data.setAccessibleDescription(
            _(
                "How large your photos are is not known: their folder is counted, and a check measures how fast they "
                "load"
            )
        )
        self.name_data.setToolTip(self.name_data.accessibleDescription())
        self.check_again.setText(_("Check again"))
        self.check_again.setAccessibleDescription(
            _("Checks this computer again and answers again; close other programs first")
        )
        self.when_quiet.setText(_("Check again when it's quiet"))
        self.when_quiet.setAccessibleDescription(_("Waits until other programs leave the processor, then checks again"))
        self.again.setText(_("New question"))
        self.again.setAccessibleDescription(_("Back to the first question; what was measured stays"))
        self._name_copy()
        self.copy.setAccessibleDescription(_("Question, verdict and options in a few lines, for a message"))
        self.share.setText(_("Save or share …"))
        self.share.setAccessibleDescription(_("Shows what a report would hold, then writes it where you want"))
        for made, key in ((self.copy, "Ctrl+C"), (self.share, "Ctrl+S")):
            made.setToolTip(f"{made.accessibleDescription()} ({key})")
        self.measurements.setText(_("What was measured"))
        self.measurements.setAccessibleDescription(_("Opens the page with every test and its result"))

    def _show_hero(self, view: VerdictView) -> None:
        _ = self._context.gettext
        self._view = view
        self.mark.setPixmap(kind_mark(view.kind, self._context.theme, self.devicePixelRatioF(), _HEADLINE_MARK_PX))
        self.asked.show_text(*view.question)
        # 8 s on a fast computer, 18 on a slow one
        self.measure_too.setText(
            _("Measure this job again (less than a minute)")
            if view.unused
            else _("Measure this job too (less than a minute)")
        )
        self.unused.setText(view.unused)
        self.headline.setText(view.answer.headline.text)
        sure = view.answer.confidence
        self.confidence.show_value(sure.text, sure.origin or Provenance(title=sure.text, value=""))
        is_noted = any(view.answer.doubt in note.text for note in view.answer.notes)
        self.doubt.setText("" if is_noted else view.answer.doubt)
        self.doubt.setVisible(bool(self.doubt.text()))
        self.name_data.setVisible(view.asks_for_data)
        clear(self._sentences)
        clear(self._alternatives)
        for shown, sentences, role in (
            (self._sentences, view.answer.facts[:1], "answer"),
            (self._sentences, view.epochs, "body"),
            (self._alternatives, view.answer.others, "body"),
        ):
            for text, origin in sentences:
                shown.addWidget(self._said(text, origin, role))
        self._show_twice(view)
        notes = (*(note.text for note in view.answer.notes), *self._named_programs())
        self.notes.setText(" ".join(notes))
        self.notes.setVisible(bool(notes))
        clear(self._chips)
        self._shown_chips = [self._chip(chip) for chip in view.chips]
        self._place_chips()
        self._turn()
        count = view.option_count
        text = self._context.language.ngettext("The {n} option compared", "All {n} options compared", count)
        self.all_options.setText(text.format(n=self._context.language.number(count)))
        self.all_options.setAccessibleDescription(_("Opens the page with chart, filters and table"))
        self.all_options.setVisible(count > 0)

    def _show_twice(self, view: VerdictView) -> None:
        """Say by itself what it costs to be twice as fast, where that can be asked."""
        clear(self.twice.body)
        self.twice.setVisible(bool(view.answer.twice))
        if view.answer.twice:
            self.twice.body.addWidget(_text("strong", self._context.gettext("What does it cost to be twice as fast?")))
        for text, origin in view.answer.twice:
            self.twice.body.addWidget(self._said(text, origin))
            if any(step.command and step.origin == origin for step in view.steps):
                shows = button("link", lambda: bring_to_top(self.why_card))
                shows.setText(self._context.gettext("Show the line"))
                shows.setAccessibleDescription(self._context.gettext("Goes to what to do next, with the line to copy"))
                self.twice.body.addWidget(shows, 0, Qt.AlignmentFlag.AlignLeft)

    def _named_programs(self) -> tuple[str, ...]:
        """Return which other programs were in the way, after how much they took; nothing where that was too little.

        An answer that rests on nothing measured here was not disturbed.
        """
        report, language = self._report, self._context.language
        if report is None or report.benchmark is None or not self._programs or not rests_on_tests(report):
            return ()
        if disturbed_option(report) is not None:  # a note says what they took
            return (mostly_sentence(self._programs, language),)
        load = report.benchmark.load_ratio
        return (load_average(load, self._programs, language),) if load >= DISTURBED_RATIO else ()

    def _chip(self, chip: OptionChip) -> QWidget:
        made = Card("chosen_chip" if chip.is_chosen else "chip", margin=int(1.5 * GRID))
        made.body.setSpacing(GRID // 2)
        head = QHBoxLayout()
        head.setSpacing(GRID)
        mark = QLabel()
        mark.setPixmap(kind_mark(chip.kind, self._context.theme, self.devicePixelRatioF()))
        head.addWidget(mark)
        answer = label("muted")  # in a line of its own width, one card would be wider than the others
        answer.setText(" · ".join(filter(None, (chip.answer, chip.pick))))
        head.addWidget(answer, 1)
        made.body.addLayout(head)
        title = label("strong")
        title.setText(chip.title)
        made.body.addWidget(title)
        for text, origin, role in (
            (chip.time, chip.time_origin, "title"),
            (chip.between, chip.time_origin, "muted"),
            (chip.held, chip.held_origin, "muted"),
            (chip.cost, chip.cost_origin, "body"),
            (chip.total, chip.total_origin, "body"),
        ):
            if text:
                figure = Figure(self._context, role=role, wrap=True)
                figure.show_value(text, origin)
                made.body.addWidget(figure)
            if role == "title" and text:
                made.body.addWidget(ShareBar(self._context, chip.kind, chip.share, chip.start_share))
        made.body.addStretch(1)
        return made

    def _said(self, text: str, origin: Provenance | None, role: str = "body") -> Statement:
        return Statement(self._context, role).show_text(text, origin)

    def _show_why(self, view: VerdictView) -> None:
        _ = self._context.gettext
        clear(self._why)
        for title, sentences in (
            (_("Why"), view.answer.beside_facts[:MOST_REASONS]),
            (_("What it takes"), view.needs),
        ):
            self._name_part(title, is_shown=bool(sentences))
            for text, origin in sentences:
                self._why.addWidget(self._said(text, origin))
        self._name_part(_("Next"), is_shown=bool(view.steps))
        for step in view.steps:
            self._why.addWidget(self._said(step.text, step.origin))
            if step.command:
                self._why.addWidget(CommandLine(self._context, step.command))
                self._why.addWidget(_text("muted", step.note))
        self.why_card.setVisible(bool(view.answer.beside_facts or view.needs or view.steps))

    def _name_part(self, title: str, *, is_shown: bool) -> None:
        if not is_shown:
            return
        if self._why.count():
            self._why.addSpacing(int(1.5 * GRID))
        self._why.addWidget(_text("strong", title))

    def _show_rules(self, view: VerdictView) -> None:
        clear(self.rules_card.inside)
        self.rules_card.name(self._context.gettext("What the articles say"))
        for rule in view.answer.rules:
            entry = QVBoxLayout()
            entry.setSpacing(2)
            entry.addWidget(_text("strong", rule.lead))
            entry.addWidget(self._said(rule.text, rule.origin))
            entry.addWidget(_text("muted", rule.source))
            self.rules_card.inside.addLayout(entry)
        if view.answer.disagreement is not None:
            self.rules_card.inside.addWidget(self._said(*view.answer.disagreement))
        self.rules_card.setVisible(bool(view.answer.rules))

    def _show_changes(self, view: VerdictView) -> None:
        """Show what would make the job end sooner here, and what would change the answer."""
        _ = self._context.gettext
        title = view.job_changes[0].text if view.job_changes else ""
        self._fill(self.job_changes_card, title, view.job_changes[1:])
        self._fill(self.changes_card, _("What would change this answer"), view.answer.changes)

    def _fill(self, card: FoldedCard, title: str, sentences: Sequence[Paragraph]) -> None:
        clear(card.inside)
        card.name(title)
        for text, origin in sentences:
            card.inside.addWidget(self._said(text, origin))
        card.setVisible(bool(sentences))

    def _show_chart(self, report: Report) -> None:
        _ = self._context.gettext
        language = self._context.language
        options = OptionTable(
            report, language, shown_options(report.advice.options, _DRAWN, named_options(report.advice))
        )
        points = option_points(options)
        self.chart_card.setVisible(len(points) > 1)
        if len(points) < 2:
            return
        self.chart.describe(
            _("Time against cost"),
            _("Each mark is one option; down and left is better. Hollow marks do not meet your wishes."),
        )
        self.chart.show_rows(option_header(report, language), options, origins=options.origin)
        for column in _LEFT_OUT:
            self.chart.table.setColumnHidden(column, True)
        months = quantities.months(report.circumstances.horizon_months, language)
        plot = cast("OptionChart", self.chart.ensure_plot())
        plot.name_axes(_("Time with start (logarithmic)"), _("Cost in {months} (logarithmic)").format(months=months))
        plot.show_points(points, options.hover, time_ticks(points, language), cost_ticks(points, report, language))


def _text(role: str, content: str) -> QLabel:
    made = label(role, selectable=True)
    made.setText(content)
    return made
