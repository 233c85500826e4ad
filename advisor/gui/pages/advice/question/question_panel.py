"""Ask the question: what do you want to do, how soon, how often; and the button that starts the check."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QFileDialog, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.job.job_cards import Card, cards, model_cards, more_cards
from advisor.gui.models.job.question import FIRST_CHOICE, Question
from advisor.gui.pages.advice.last_answer_card import LastAnswerCard
from advisor.gui.pages.advice.question.cluster_row import ClusterRow
from advisor.gui.pages.advice.question.data_row import DataRow
from advisor.gui.pages.advice.question.job_card import JobCard
from advisor.gui.pages.advice.question.more_jobs import MoreJobs, card_grid, set_columns
from advisor.gui.pages.advice.question.outlook import Outlook
from advisor.gui.pages.advice.question.preset_button import COLUMNS, PresetButton
from advisor.gui.widgets.basic import GRID, FlowLayout, bring_to_top, button, label
from advisor.records.results.history_entry import Entry

_NARROW = 600  # pixels below which less stands side by side
_ROOMY = 740  # pixels of height from which the lower half would be empty


class QuestionPanel(QWidget):
    """The question.

    Attributes:
        asking: The button that asks, with how long that takes.

    Signals:
        asked: The user wants this computer measured and the answer.
        concluded: The user wants the answer from what was measured before.
        file_chosen: With the path of a file that describes a job.
    """

    asked = Signal()
    concluded = Signal()
    file_chosen = Signal(Path)

    def __init__(self, context: Context, question: Question) -> None:
        super().__init__()
        self._context = context
        self._question = question
        self._is_measured = self._is_waiting = self._is_roomy = False
        self._group = QButtonGroup(self)
        self.presets: list[PresetButton] = []
        self.last, self.outlook = LastAnswerCard(context), Outlook(context)
        self.heading, self.about = label("display"), label("lead")
        self.job = JobCard(context, question)
        self.form = self.job.form
        self.data = DataRow(context, question)
        self.cluster = ClusterRow(context, question)
        self._build()
        self._group.buttonClicked.connect(self._on_card)
        self.job.edited.connect(self._on_edited)
        context.language_changed.connect(self.retranslate)
        context.theme_changed.connect(self._repaint)
        context.theme_changed.connect(self._turn)
        self.retranslate()

    # --- building ---

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * GRID)
        words = QVBoxLayout()
        words.setSpacing(GRID // 2)
        words.addWidget(self.heading)
        words.addWidget(self.about)
        column.addLayout(words)
        self._grid, self._columns = card_grid(), 0
        self.more_jobs = MoreJobs(self._context, self._add_card)
        column.addLayout(self._grid)
        for card in cards(self._context.language):
            made = self._add_card(card.preset_id)
            made.setChecked(card.preset_id == FIRST_CHOICE)
            self.presets.append(made)
        self._place_cards(COLUMNS)  # before what stands below them, which Tab reaches later
        self.more_panel = QWidget()
        more = QVBoxLayout(self.more_panel)
        more.setContentsMargins(0, 0, 0, 0)
        more.addWidget(self.more_jobs)
        self.open_file = button("link", self._choose_file)
        row = QHBoxLayout()
        row.addWidget(self.open_file)
        row.addStretch(1)
        more.addLayout(row)
        self.more_panel.hide()
        column.addWidget(self.more_panel)
        column.addWidget(self.job)
        self._foot = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self.script, self.bring = button("link"), label("muted", wrap=False)
        column.addLayout(self._footer())
        column.addWidget(self.last)
        column.addWidget(self.outlook)
        column.addStretch(1)

    def _place_cards(self, columns: int) -> None:
        """Put so many cards side by side."""
        if columns != self._columns:
            self._columns = columns
            set_columns(self._grid, columns)
            for position, made in enumerate(self.presets):
                self._grid.addWidget(made, position // columns, position % columns)
            self.more_jobs.set_columns(columns)

    @property
    def more(self) -> list[PresetButton]:
        """The cards behind the last one of the first screen."""
        return self.more_jobs.buttons

    def _add_card(self, preset_id: str | None) -> PresetButton:
        made = PresetButton(self._context, preset_id)
        self._group.addButton(made)
        made.stepped.connect(partial(self._step, made))
        return made

    def _footer(self) -> QBoxLayout:
        """Return what the user may bring at the left, and the button that asks at the right."""
        self.start = button("primary", self._on_start)
        self.measure_again = button("plain", self._on_again)
        self.hint = label("muted", wrap=False)
        ways = FlowLayout(int(1.5 * GRID))
        for widget in (self.bring, self.data.choose, self.script, self.cluster.choose):
            ways.addWidget(widget)
        own = QVBoxLayout()
        own.setSpacing(GRID // 2)
        own.addLayout(ways)
        own.addWidget(self.data)
        own.addWidget(self.cluster)
        own.addStretch(1)
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addWidget(self.measure_again)
        buttons.addWidget(self.start)
        self.asking = QWidget()
        self._asking = QBoxLayout(QBoxLayout.Direction.TopToBottom, self.asking)
        self._asking.setContentsMargins(0, 0, 0, 0)
        self._asking.setSpacing(GRID // 2)
        self._asking.addLayout(buttons)
        self._asking.addWidget(self.hint, 0, Qt.AlignmentFlag.AlignRight)
        self._asking.addStretch(1)
        self._foot.setSpacing(2 * GRID)
        self._foot.addLayout(own, 1)
        self._foot.addWidget(self.asking)
        return self._foot

    def lend_asking(self, bar: QLayout | None) -> None:
        """Let the button that asks, and how long that takes, lie in a bar; None: in their place below the question."""
        (self._foot if bar is None else bar).addWidget(self.asking)

    def turn_asking(self) -> None:
        """Put how long it takes beside the button where that lies in a bar that has room for both, else below it."""
        direction, buttons = QBoxLayout.Direction, (self.start, self.measure_again)
        wide = sum(one.sizeHint().width() for one in (*buttons, self.hint) if not one.isHidden()) + 4 * GRID
        is_flat = not self.isAncestorOf(self.asking) and wide < self.width()
        self._asking.setDirection(direction.RightToLeft if is_flat else direction.TopToBottom)
        self._asking.setSpacing(int(1.5 * GRID) if is_flat else GRID // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put less side by side where letters have little room."""
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        direction = QBoxLayout.Direction
        is_narrow = self.width() < _NARROW * self._context.text_scale
        self._foot.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)
        self._place_cards(COLUMNS - 1 if is_narrow else COLUMNS)

    def give_room(self, height: int) -> None:
        """Fill the height the page has: with larger cards, and with what an answer tells who has seen none."""
        self._is_roomy = height >= _ROOMY * self._context.text_scale
        for made in self.presets:
            made.set_tall(is_tall=self._is_roomy)
        self._offer_outlook()

    def _offer_outlook(self) -> None:
        is_new = not self._is_measured and self.last.isHidden()
        self.outlook.setVisible(is_new and self._is_roomy and self.more_panel.isHidden())

    def focus_first(self) -> None:
        """Put the keyboard on the chosen card."""
        checked = self._group.checkedButton()
        if checked is not None:
            checked.setFocus()

    # --- what is known ---

    def show_presets(self) -> None:
        """Show the ready-made jobs, once the question knows them."""
        self.more_jobs.show_jobs(self._more_cards())
        checked = self._group.checkedButton()
        if self._question.workload is None and isinstance(checked, PresetButton) and checked.preset_id:
            self._question.choose(checked.preset_id)
        self.retranslate()
        self.show_question()

    def _more_cards(self) -> tuple[Card, ...]:
        language, question = self._context.language, self._question
        return (*more_cards(question.presets, language), *model_cards(question.models, language))

    def show_question(self) -> None:
        """Show the question's numbers, and which card they are of, after somebody else changed them."""
        self._mark_card()
        self.job.show_question()
        self.data.show_question()
        self._allow()

    def show_own_program(self, path: Path | None = None, function: str = "") -> None:
        """Offer to run the user's own Python file, to see its network; nothing of it is run yet, or even chosen."""
        self.job.open_form(is_open=True)
        self.form.choose_program(path, function)

    def show_measured(self, *, is_measured: bool) -> None:
        """Return whether this computer was measured already, so that an answer needs no measuring."""
        self._is_measured = is_measured
        self._offer_outlook()
        self.retranslate()

    def show_last(self, entry: Entry | None) -> None:
        """Offer the answer of an earlier start; None: there is none."""
        self.last.show_entry(entry)
        self._offer_outlook()

    def _mark_card(self) -> None:
        """Mark the card that was chosen, with whatever network; a job of the user's own is something else."""
        if self._question.workload is None:
            return
        task = self._question.task
        shown = [*self.presets, *self.more]
        meant = next((made for made in shown if made.preset_id == task), self.presets[-1])
        if not meant.isChecked():
            meant.setChecked(True)
        if meant in self.more:
            self.more_panel.show()

    # --- what the user does ---

    def _step(self, made: PresetButton, step: int) -> None:
        """Put the keyboard on another card, which is chosen only by Enter or Space."""
        if abs(step) == COLUMNS:  # a row up or down
            step = step // COLUMNS * self._columns
        shown = [*self.presets, *self.more_jobs.shown]
        place = shown.index(made) + step
        if 0 <= place < len(shown):
            shown[place].setFocus(Qt.FocusReason.TabFocusReason)

    def _on_card(self, made: QWidget) -> None:
        if not isinstance(made, PresetButton):
            return
        is_other = made.preset_id is None
        self.more_panel.setVisible(is_other or made in self.more)
        if made.preset_id is not None:
            self._question.choose(made.preset_id)
        self._offer_outlook()
        if is_other:
            self.job.open_form(is_open=True)
            self.more_jobs.search.setFocus(Qt.FocusReason.OtherFocusReason)
        self.show_question()
        if made in self.more:  # the cards may be as high as the window
            bring_to_top(self.job)

    def _on_edited(self) -> None:
        self._mark_card()
        self.data.show_question()

    def _on_start(self) -> None:
        if self.form.commit():
            (self.concluded if self._is_measured else self.asked).emit()

    def _on_again(self) -> None:
        if self.form.commit():
            self.asked.emit()

    def _choose_file(self) -> None:
        _ = self._context.gettext
        name, _kind = QFileDialog.getOpenFileName(self, _("Open a job"), "", _("Jobs (*.toml)"))
        if name:
            self.file_chosen.emit(Path(name))

    # --- words ---

    def show_waiting(self, *, is_waiting: bool) -> None:
        """Begin no second check while one waits for a quiet computer; an answer without one can still be had."""
        self._is_waiting = is_waiting
        self._name_buttons()

    def _allow(self) -> None:
        """Let the check begin once there is a job, and none that waits."""
        has_job = self._question.workload is not None
        self.measure_again.setEnabled(has_job and not self._is_waiting)
        self.start.setEnabled(has_job and (self._is_measured or not self._is_waiting))

    def _repaint(self) -> None:
        for made in (*self.presets, *self.more):
            made.paint_picture()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        language = self._context.language
        self.heading.setText(_("Can my computer do it?"))
        self.about.setText(
            _("Choose what you want to do. A short check says whether this computer is enough, and if not, what is.")
        )
        self.bring.setText(_("Or bring your own:"))
        for made, card in zip(self.presets, cards(language), strict=True):
            made.show_card(card)
        if self.more:
            self.more_jobs.retranslate(self._more_cards())
        self.open_file.setText(_("Open a file that describes a job …"))
        self.open_file.setAccessibleDescription(_("A job written down as TOML; no code in it is run"))
        self.script.setText(_("My training script …"))
        self.script.setAccessibleDescription(
            _("Runs your own command, watches its steps, and answers for its job; asks before it runs anything")
        )
        self.script.setToolTip(self.script.accessibleDescription())
        self._name_buttons()

    def _name_buttons(self) -> None:
        _ = self._context.gettext
        self._allow()
        self.measure_again.setVisible(self._is_measured)
        self.measure_again.setText(_("Measure again"))
        self.measure_again.setAccessibleDescription(_("Measures this computer again and then answers"))
        if self._is_measured:
            self.start.setText(_("Show the answer"))
            self.start.setAccessibleDescription(_("Answers from what was measured before"))
            self.hint.setText(_("at once, from what was measured before"))
            return
        self.start.setText(_("Check my computer"))
        self.start.setAccessibleDescription(_("Measures this computer and answers the question"))
        waiting = _("waits for a quiet moment, see above")
        self.hint.setText(waiting if self._is_waiting else _("up to a minute · nothing leaves this computer"))
