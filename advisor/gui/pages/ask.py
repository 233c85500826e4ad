"""Ask the question: what do you want to do, how soon, how often; and the button that starts the check."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QComboBox, QFileDialog, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from advisor.gui.context import Context
from advisor.gui.models.question import (
    FIRST_CHOICE,
    Choice,
    Question,
    cards,
    deadline_choices,
    frequency_choices,
    index_of,
    more_cards,
    summary,
)
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, button, clear, label
from advisor.gui.widgets.preset import PresetButton
from advisor.gui.widgets.question_form import QuestionForm

_COLUMNS = 3
QUICK_SUITE_S = 45


class AskPanel(QWidget):
    """The question.

    Signals:
        asked: The person wants this computer measured and the answer.
        concluded: The person wants the answer from what was measured before.
        file_chosen: With the path of a file that describes a job.
    """

    asked = Signal()
    concluded = Signal()
    file_chosen = Signal(Path)

    def __init__(self, context: Context, question: Question) -> None:
        super().__init__()
        self._context = context
        self._question = question
        self._is_measured = False
        self._group = QButtonGroup(self)
        self.presets: list[PresetButton] = []
        self.more: list[PresetButton] = []
        self.heading = label("title")
        self.form = QuestionForm(context, question)
        self.form.hide()
        self._build()
        self._group.buttonClicked.connect(self._on_card)
        self.form.edited.connect(self._show_summary)
        context.language_changed.connect(self.retranslate)
        context.theme_changed.connect(self._repaint)
        self.retranslate()

    # --- building ---

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * GRID)
        column.addWidget(self.heading)
        grid = _card_grid()
        column.addLayout(grid)
        for position, card in enumerate(cards(self._context.language)):
            made = self._add_card(grid, position, card.preset_id)
            made.setChecked(card.preset_id == FIRST_CHOICE)
            self.presets.append(made)
        self.more_panel = QWidget()
        more = QVBoxLayout(self.more_panel)
        more.setContentsMargins(0, 0, 0, 0)
        self._more_grid = _card_grid()
        more.addLayout(self._more_grid)
        self.open_file = button("link", self._choose_file)
        row = QHBoxLayout()
        row.addWidget(self.open_file)
        row.addStretch(1)
        more.addLayout(row)
        self.more_panel.hide()
        column.addWidget(self.more_panel)
        column.addWidget(self._summary_card())
        column.addLayout(self._footer())
        column.addStretch(1)

    def _add_card(self, grid: QGridLayout, position: int, preset_id: str | None) -> PresetButton:
        made = PresetButton(self._context, preset_id)
        grid.addWidget(made, position // _COLUMNS, position % _COLUMNS)
        self._group.addButton(made)
        return made

    def _summary_card(self) -> Card:
        card = Card(margin=2 * GRID)
        self.summary = label("strong", wrap=False)
        self.within = label("body", wrap=False)
        self.deadline, self.frequency = QComboBox(), QComboBox()
        for box in (self.deadline, self.frequency):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
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
        self.start = button("primary", self._on_start)
        self.measure_again = button("plain", self.asked.emit)
        self.hint = label("muted", wrap=False)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.measure_again)
        buttons.addWidget(self.start)
        below = QHBoxLayout()
        below.addStretch(1)
        below.addWidget(self.hint)
        footer = QVBoxLayout()
        footer.setSpacing(GRID // 2)
        footer.addLayout(buttons)
        footer.addLayout(below)
        return footer

    def focus_first(self) -> None:
        """Put the keyboard on the chosen card."""
        checked = self._group.checkedButton()
        if checked is not None:
            checked.setFocus()

    # --- what is known ---

    def show_presets(self) -> None:
        """Show the ready-made jobs, once the question knows them."""
        clear(self._more_grid)
        self.more = [
            self._add_card(self._more_grid, position, card.preset_id)
            for position, card in enumerate(more_cards(self._question.presets, self._context.language))
        ]
        checked = self._group.checkedButton()
        if self._question.workload is None and isinstance(checked, PresetButton) and checked.preset_id:
            self._question.choose(checked.preset_id)
        self.retranslate()

    def show_question(self) -> None:
        """Show the question's numbers, after somebody else changed them."""
        self.form.fill()
        self._show_summary()

    def show_measured(self, *, is_measured: bool) -> None:
        """Say whether this computer was measured already, so that an answer needs no measuring."""
        self._is_measured = is_measured
        self.retranslate()

    # --- what the person does ---

    def _on_card(self, made: QWidget) -> None:
        if not isinstance(made, PresetButton):
            return
        is_other = made.preset_id is None
        self.more_panel.setVisible(is_other or made in self.more)
        if made.preset_id is not None:
            self._question.choose(made.preset_id)
        if is_other:
            self.open_form(is_open=True)
        self.show_question()

    def _on_start(self) -> None:
        (self.concluded if self._is_measured else self.asked).emit()

    def _choose_file(self) -> None:
        _ = self._context.gettext
        name, _kind = QFileDialog.getOpenFileName(self, _("Open a job"), "", _("Jobs (*.toml)"))
        if name:
            self.file_chosen.emit(Path(name))

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

    # --- words ---

    def _show_summary(self) -> None:
        language = self._context.language
        workload, circumstances = self._question.workload, self._question.circumstances
        is_known = workload is not None
        for widget in (self.start, self.measure_again, self.deadline, self.frequency, self.change):
            widget.setEnabled(is_known)
        if workload is None:
            self.summary.setText("…")
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
        for made, card in zip(self.presets, cards(language), strict=True):
            made.show_card(card)
        for made, card in zip(self.more, more_cards(self._question.presets, language), strict=False):
            made.show_card(card)
        self.open_file.setText(_("Open a file that describes a job …"))
        self.within.setText(_("finished within"))
        self.deadline.setAccessibleName(_("Finished within"))
        self.deadline.setAccessibleDescription(_("How soon one training must be finished"))
        self.frequency.setAccessibleName(_("How often"))
        self.frequency.setAccessibleDescription(_("How often you would train"))
        self.change.setText(_("Change") if self.form.isHidden() else _("Done"))
        self.change.setAccessibleDescription(_("Change the numbers of this job"))
        self._name_buttons()
        self._show_summary()

    def _name_buttons(self) -> None:
        _ = self._context.gettext
        self.measure_again.setVisible(self._is_measured)
        self.measure_again.setText(_("Measure again"))
        if self._is_measured:
            self.start.setText(_("Show the answer"))
            self.start.setAccessibleDescription(_("Answers from what was measured before"))
            self.hint.setText(_("at once, from what was measured before"))
            return
        self.start.setText(_("Check my computer"))
        self.start.setAccessibleDescription(_("Measures this computer and answers the question"))
        text = _("about {seconds} s · nothing leaves this computer")
        self.hint.setText(text.format(seconds=self._context.language.number(QUICK_SUITE_S)))


def _card_grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setSpacing(int(1.5 * GRID))
    for column in range(_COLUMNS):
        grid.setColumnStretch(column, 1)
        grid.setColumnMinimumWidth(column, 1)
    return grid


def _fill(box: QComboBox, choices: tuple[Choice, ...], value: float | None) -> None:
    box.clear()
    for choice in choices:
        box.addItem(choice.text)
    box.setCurrentIndex(index_of(choices, value))
