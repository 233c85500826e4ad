"""Ask the question: what do you want to do, how soon, how often; and the button that starts the check."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from advisor.gui.context import Context
from advisor.gui.models.question import (
    Choice,
    Question,
    cards,
    deadline_choices,
    frequency_choices,
    index_of,
    more_cards,
    summary,
)
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, button, label
from advisor.gui.widgets.preset import PresetButton
from advisor.gui.widgets.question_form import QuestionForm

_COLUMNS = 3
QUICK_SUITE_S = 45


class AskPanel(QWidget):
    """The question.

    Signals:
        asked: The person wants the answer now.
    """

    asked = Signal()

    def __init__(self, context: Context, question: Question) -> None:
        super().__init__()
        self._context = context
        self._question = question
        self._group = QButtonGroup(self)
        self.presets: list[PresetButton] = []
        self.more: list[PresetButton] = []
        self.heading = label("title")
        self.form = QuestionForm(context, question)
        self.form.hide()
        self._build()
        self._group.idClicked.connect(self._on_card)
        self.form.edited.connect(self._show_summary)
        context.language_changed.connect(self.retranslate)
        context.theme_changed.connect(self._repaint)
        self._choose_first()
        self.retranslate()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * GRID)
        column.addWidget(self.heading)
        self._grid = QGridLayout()
        self._grid.setSpacing(int(1.5 * GRID))
        column.addLayout(self._grid)
        self.more_panel = QWidget()
        self._more_grid = QGridLayout(self.more_panel)
        self._more_grid.setContentsMargins(0, 0, 0, 0)
        self._more_grid.setSpacing(int(1.5 * GRID))
        self.more_panel.hide()
        column.addWidget(self.more_panel)
        self._add_cards()
        column.addWidget(self._summary_card())
        column.addLayout(self._footer())
        column.addStretch(1)

    def _add_cards(self) -> None:
        language = self._context.language
        rows = (
            (cards(self._question.presets, language), self._grid, self.presets),
            (more_cards(self._question.presets, language), self._more_grid, self.more),
        )
        for shown, grid, kept in rows:
            for position, card in enumerate(shown):
                made = PresetButton(self._context, card.preset_id)
                grid.addWidget(made, position // _COLUMNS, position % _COLUMNS)
                self._group.addButton(made)
                kept.append(made)
            for empty in range(_COLUMNS):
                grid.setColumnStretch(empty, 1)

    def _summary_card(self) -> Card:
        card = Card(margin=2 * GRID)
        self.summary = label("strong", wrap=False)
        self.within = label("body", wrap=False)
        self.deadline = QComboBox()
        self.frequency = QComboBox()
        self.change = button("link", self._toggle_form)
        self.change.setCheckable(True)
        flow = FlowLayout()
        for widget in (self.summary, self.within, self.deadline, self.frequency, self.change):
            flow.addWidget(widget)
        card.body.addLayout(flow)
        card.body.addWidget(self.form)
        self.deadline.activated.connect(self._on_deadline)
        self.frequency.activated.connect(self._on_frequency)
        return card

    def _footer(self) -> QVBoxLayout:
        self.start = button("primary", self.asked.emit)
        self.hint = label("muted", wrap=False)
        footer = QVBoxLayout()
        footer.setSpacing(GRID // 2)
        for widget in (self.start, self.hint):
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(widget)
            footer.addLayout(row)
        return footer

    def _choose_first(self) -> None:
        first = next((made for made in self.presets if made.preset_id == "article_cnn"), None)
        first = first or next((made for made in self.presets if made.preset_id), None)
        if first is not None and first.preset_id is not None:
            first.setChecked(True)
            self._question.choose(first.preset_id)

    def _on_card(self, identifier: int) -> None:
        made = self._group.button(identifier)
        if not isinstance(made, PresetButton):
            return
        is_other = made.preset_id is None
        self.more_panel.setVisible(is_other or made in self.more)
        if is_other:
            self.open_form(is_open=True)
        elif made.preset_id is not None:
            self._question.choose(made.preset_id)
        self.form.fill()
        self._show_summary()

    def _toggle_form(self) -> None:
        self.open_form(is_open=self.form.isHidden())

    def open_form(self, *, is_open: bool) -> None:
        """Show or hide the numbers of the job."""
        self.form.fill()
        self.form.setVisible(is_open)
        self.change.setChecked(is_open)
        self.change.setText(self._context.gettext("Done") if is_open else self._context.gettext("Change"))

    def _on_deadline(self, index: int) -> None:
        self._question.change_circumstances(deadline_s=self._deadlines[index].value)

    def _on_frequency(self, index: int) -> None:
        self._question.change_circumstances(runs_per_month=self._frequencies[index].value)

    def _show_summary(self) -> None:
        language = self._context.language
        workload, circumstances = self._question.workload, self._question.circumstances
        self.start.setEnabled(workload is not None)
        if workload is None:
            return
        self.summary.setText(summary(workload, language))
        self._deadlines = deadline_choices(circumstances.deadline_s, language)
        self._frequencies = frequency_choices(circumstances.runs_per_month, circumstances.horizon_months, language)
        _fill(self.deadline, self._deadlines, circumstances.deadline_s)
        _fill(self.frequency, self._frequencies, circumstances.runs_per_month)

    def _repaint(self) -> None:
        for made in (*self.presets, *self.more):
            made.paint_picture()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        language = self._context.language
        self.heading.setText(_("What do you want to do?"))
        for made, card in zip(self.presets, cards(self._question.presets, language), strict=True):
            made.show_card(card)
        for made, card in zip(self.more, more_cards(self._question.presets, language), strict=True):
            made.show_card(card)
        self.within.setText(_("finished within"))
        self.deadline.setAccessibleName(_("Finished within"))
        self.deadline.setAccessibleDescription(_("How soon one training must be finished"))
        self.frequency.setAccessibleName(_("How often"))
        self.frequency.setAccessibleDescription(_("How often you would train"))
        self.change.setText(_("Done") if not self.form.isHidden() else _("Change"))
        self.change.setAccessibleDescription(_("Change the numbers of this job"))
        self.start.setText(_("Check my computer"))
        self.start.setAccessibleDescription(_("Measures this computer and answers the question"))
        text = _("about {seconds} s · nothing leaves this computer")
        self.hint.setText(text.format(seconds=language.number(QUICK_SUITE_S)))
        self._show_summary()


def _fill(box: QComboBox, choices: tuple[Choice, ...], value: float | None) -> None:
    box.clear()
    for choice in choices:
        box.addItem(choice.text)
    box.setCurrentIndex(index_of(choices, value))
