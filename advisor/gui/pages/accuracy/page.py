"""How sure are we? How well predictions held on measurements of others that they were not fitted on."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from advisor.errors import AdvisorError
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import describe
from advisor.gui.widgets.basic import Card, Page, button, label
from advisor.gui.widgets.number_label import Statement
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.gui.widgets.report_blocks import ReportBlocks
from advisor.locale import N_
from advisor.records.results.report import Report
from advisor.records.results.validation import HeldOutTimes, Validation

# The one place where the words are defined; the figures are those of records.prediction.
WORDS = (
    N_("Good: eight times in ten, the true time is within 15% of ours."),
    N_("Fair: eight times in ten, the true time is within 30% of ours."),
    N_("Rough: further off than that; each rough time has its range next to it."),
)


_TEXT_GROWTH = 1.35  # the names of the charts' rows have half as much room again as they need
_LEADS = 5  # sentences after the first one, at most
_FIRST_LEADS = 2
"""So many of them stand open; nine percentages in one block were read by nobody."""
_OF_ANSWER = 3
"""Sentences about the last answer, at most: its time, how sure that is, and why it is no surer."""
_PICTURE_TEXT_GROWTH = 1.23  # as much as the names of the sets beside the picture have room for


class AccuracyPage(Page):
    """Three sentences and a picture; set by set, aims and the articles' own hours are folded behind them."""

    def __init__(
        self,
        context: Context,
        load_validation: Callable[[], Validation],
        load_times: Callable[[], tuple[HeldOutTimes, ...]],
    ) -> None:
        super().__init__()
        self._context = context
        self._found: Validation | None = None
        self._times: tuple[HeldOutTimes, ...] = ()
        self._report: Report | None = None
        self.title = label("display")
        self.about = label("lead")
        self.verdict = Statement(context, "title")
        self.leads = tuple(Statement(context) for _sentence in range(_LEADS))
        self.problem = ProblemCard(context)
        self.answer_card = Card()
        self.answer_title = label("strong")
        self.answer_said = tuple(Statement(context) for _sentence in range(_OF_ANSWER))
        for widget in (self.answer_title, *self.answer_said):
            self.answer_card.body.addWidget(widget)
        self.answer_card.hide()
        self.words_card = Card()
        self.words_title = label("strong")
        self.words = [Statement(context) for _word in WORDS]
        for widget in (self.words_title, *self.words):
            self.words_card.body.addWidget(widget)
        self.blocks = ReportBlocks(context, text_growth=_PICTURE_TEXT_GROWTH)
        self.unfold = button("link", self._on_unfold)
        self.details = ReportBlocks(context, text_growth=_TEXT_GROWTH)
        self.more = Card()
        for folded in (self.more, self.details):
            folded.hide()
        self.colophon = label("muted", selectable=True)
        self.short = Card()
        self.short.hide()
        for widget in (self.verdict, *self.leads[:_FIRST_LEADS]):
            self.short.body.addWidget(widget)
        for widget in self.leads[_FIRST_LEADS:]:
            self.more.body.addWidget(widget)
        parts: tuple[QWidget, ...] = (self.problem, self.answer_card, self.short, self.words_card, self.blocks)
        for part in (self.title, self.about, *parts):
            self.column.addWidget(part)
        self.column.addWidget(self.unfold, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self.more)
        self.column.addWidget(self.details)
        self.column.addWidget(self.colophon)
        self.column.addStretch(1)
        self._load(load_validation, load_times)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _load(
        self, load_validation: Callable[[], Validation], load_times: Callable[[], tuple[HeldOutTimes, ...]]
    ) -> None:
        try:
            self._found = load_validation()
            self._times = load_times()
        except AdvisorError as error:
            self.problem.show_problem(describe(error), N_("The figures of the last validation cannot be read."))

    def follow(self, report: Report) -> None:
        """Tell first how sure the last answer is, and how far off times are for jobs of its kind."""
        is_same_job = self._report is not None and report.workload == self._report.workload
        self._report = report
        self._show_answer(report)
        if self._found is not None and not is_same_job:
            self._show(self._found)

    def _show_answer(self, report: Report) -> None:
        from advisor.report.content.answer import answer
        from advisor.report.content.blocks import Paragraph
        from advisor.report.words.advice.verdict import chosen_option

        language = self._context.language
        said = answer(report, language)
        told = (said.facts[:1] or (said.headline,))[0], said.confidence, Paragraph(said.doubt, said.confidence.origin)
        self.answer_card.setVisible(chosen_option(report) is not None)  # else there is no time to be sure of
        self.answer_title.setText(language.gettext("Your last answer"))
        for shown, sentence in zip(self.answer_said, told, strict=True):
            shown.setVisible(bool(sentence.text))
            shown.show_text(*sentence)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("How sure are we?"))
        self.title.setText(_("How sure are we?"))
        self.about.setText(_("Every answer is a prediction. Here it is compared with what other people have measured."))
        self.words_title.setText(_("How far a good, fair or rough time may be off"))
        self._show_words()
        if self._report is not None:
            self._show_answer(self._report)
        if self._found is not None:
            self._show(self._found)

    def _show_words(self) -> None:
        from advisor.report.provenance.accuracy import of_word

        for made, text in zip(self.words, map(self._context.gettext, WORDS), strict=True):
            made.show_text(text, of_word(text, self._context.language))

    def _on_unfold(self) -> None:
        for folded in (self.more, self.details):
            folded.setVisible(folded.isHidden())
        self._name_unfold()

    def _name_unfold(self) -> None:
        _ = self._context.gettext
        name = _("More about these figures, and all of them in tables")
        self.unfold.setText(f"{'▸' if self.details.isHidden() else '▾'}  {name}")
        self.unfold.setAccessibleName(name)
        self.unfold.setAccessibleDescription(_("Shows the table") if self.details.isHidden() else _("Hides it"))

    def _show(self, found: Validation) -> None:
        from advisor.report.content.blocks import Block, Heading
        from advisor.report.documents.accuracy import how_sure

        workload = None if self._report is None else self._report.workload
        page = how_sure(found, self._context.language, self._times, workload)
        self.short.setVisible(True)
        self.verdict.show_text(*page.verdict)
        for shown, sentence in zip_longest(self.leads, page.lead):
            shown.setVisible(sentence is not None)
            if sentence is not None:
                shown.show_text(*sentence)
        open_blocks: list[Block] = []
        folded: list[Block] = []
        for section in page.sections:
            if section.is_folded:
                folded.append(Heading(section.title))
            (folded if section.is_folded else open_blocks).extend(section.blocks)  # the picture has a title of its own
        self.blocks.show_blocks(tuple(open_blocks))
        self.details.show_blocks(tuple(folded))
        self.unfold.setVisible(bool(folded))
        self._name_unfold()
        self.colophon.setText(page.colophon)
