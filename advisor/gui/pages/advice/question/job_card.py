"""The job in one line with how much, how soon and how often, and its other numbers behind "Change"."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.job.how_soon_how_often import Choice, deadline_choices, frequency_choices, index_of
from advisor.gui.models.job.job_cards import FIRST_JOBS, job_choices
from advisor.gui.models.job.job_summary import details, summary
from advisor.gui.models.job.limits import limits
from advisor.gui.models.job.question import Question
from advisor.gui.pages.advice.question.change_marks import UndoKeys
from advisor.gui.pages.advice.question.question_form import SAMPLES_RANGE, QuestionForm
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, button, label
from advisor.gui.widgets.fields import ChoiceBox, NumberBox, close_notes
from advisor.records.job.workload import Workload
from advisor.report.words import quantities
from advisor.report.words.samples import sample_noun, samples_title, steps_phrase

_JOB_WIDTH, _NARROW_JOB_WIDTH, _NARROW = 38 * GRID, 24 * GRID, 800
_FOLDED = 600
"""Pixels below which the answer's question is one line until it is to be changed: it took three, and the time was seen
only by who scrolled."""
_LONG_COUNT = "99,999,999"
"""The number of samples that its field has room for from the start: a width that followed it pushed the neighbours."""
_ARROW = 7 * GRID  # the box's own margins and arrow, which a style sheet keeps out of its size hint
_STEPS = int(5.5 * GRID)  # likewise of a field for a number


class JobCard(Card):
    """Shows the question and lets it be changed; each change is in the question at once.

    Signals:
        edited: The user changed something.
        turned: The numbers of the job are shown now, or folded away.
    """

    edited = Signal()
    turned = Signal()

    def __init__(self, context: Context, question: Question, *, has_jobs: bool = False) -> None:
        super().__init__(margin=int(1.5 * GRID))
        self._context = context
        self._question = question
        self._deadlines: tuple[Choice, ...] = ()
        self._frequencies: tuple[Choice, ...] = ()
        self.job, self.deadline, self.frequency = ChoiceBox(), ChoiceBox(), ChoiceBox()
        self.samples = _CountBox(context, *SAMPLES_RANGE)
        self.samples.setStepType(NumberBox.StepType.AdaptiveDecimalStepType)
        self.title = label("strong", wrap=False)
        self.title.hide()
        self.summary = label("muted", wrap=False)
        self.limits = label("strong")  # what counts, though the form that says it is closed
        self.hint, self.within, self.often = (label("muted", wrap=False) for _number in range(3))
        self.change = button("link", self._toggle_form)
        self.change.setCheckable(True)
        self.reset = button("link", self._on_reset)
        self.legend = label("muted", wrap=False)  # what the dots do, beside what is done to all of them
        for made in (self.legend, self.reset):
            keeps_place = made.sizePolicy()
            keeps_place.setRetainSizeWhenHidden(True)  # else the first change moves all that is below
            made.setSizePolicy(keeps_place)
            made.hide()
        self.form = QuestionForm(context, question, runs_programs=not has_jobs)
        self.form.hide()
        self._has_jobs, self._is_filling = has_jobs, False
        if not has_jobs:
            self.job.hide()
        self._build()
        keys = UndoKeys(self)
        keys.watch(self.form)
        QShortcut(QKeySequence.StandardKey.Undo, self, self._on_undo)
        QShortcut(QKeySequence.StandardKey.Redo, self, self._on_redo)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        self._asked, flow = QWidget(), FlowLayout(3 * GRID // 4)  # so that the line holds in both languages
        self._asked.setLayout(flow)
        for box in (self.job, self.deadline, self.frequency):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for widget in (
            self.job,
            self._with_mark(self.samples, "samples"),
            self._with_mark(self.deadline, "deadline_s", self.within),
            self._with_mark(self.frequency, "runs_per_month", self.often),
        ):
            flow.addWidget(widget)
        self.body.addWidget(self._asked)
        below = FlowLayout(3 * GRID // 4)  # always below: what is pressed stays in its place
        for made in (self.title, self.summary, self.change, self.hint, self.legend, self.reset):
            below.addWidget(made)
        self.body.addLayout(below)
        self.body.addWidget(self.limits)
        self.body.addWidget(self.form)
        self.job.activated.connect(self._on_job)
        self.samples.valueChanged.connect(self._on_samples)
        self.deadline.activated.connect(self._on_deadline)
        self.frequency.activated.connect(self._on_frequency)
        self.form.edited.connect(self._on_edited)

    def _with_mark(self, box: QWidget, fact: str, caption: QLabel | None = None) -> QWidget:
        """Return a field with its caption and its dot, which wrap together."""
        made = QWidget()
        row = QHBoxLayout(made)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID // 4)
        if caption is not None:
            caption.setContentsMargins(0, 0, GRID // 2, 0)  # none where the caption is hidden
            row.addWidget(caption)
        row.addWidget(box)
        box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)  # all fields are of one height
        row.addWidget(self.form.marks.add(box, (fact,)))
        return made

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the job's box less width where the window is narrow, and all fields none where letters are large."""
        super().resizeEvent(event)
        self._fit_job()
        self._fold()

    def _fold(self) -> None:
        """Let the answer's question be one line where there is no room for more: the answer repeats the rest of it."""
        is_narrow = self._has_jobs and self.width() < _FOLDED * self._context.text_scale
        is_folded = is_narrow and self.form.isHidden()
        self._asked.setVisible(not is_folded)
        self.summary.setVisible(not is_folded and bool(self.summary.text()))
        self.title.setVisible(is_folded)
        self.legend.setVisible(bool(self._question.changed) and not is_folded)  # whose dots are then out of sight
        self.limits.setVisible(bool(self.limits.text()))
        room = self.width() - self.change.sizeHint().width() - 5 * GRID
        text = self.job.currentText()
        self.title.setText(self.title.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room))

    def _fit_job(self) -> None:
        """Give the job's box the width of its words."""
        scale, sides = self._context.text_scale, self.body.contentsMargins()
        most = round((_NARROW_JOB_WIDTH if self.width() < _NARROW * scale else _JOB_WIDTH) * scale)
        most = min(most, max(_NARROW_JOB_WIDTH, self.width() - sides.left() - sides.right()))
        words = self.job.fontMetrics().horizontalAdvance(self.job.currentText())
        self.job.setFixedWidth(min(most, words + _ARROW))

    def show_question(self) -> None:
        """Show the question's numbers, after somebody else changed them."""
        self.form.fill()
        self._show()

    def open_form(self, *, is_open: bool) -> None:
        """Show or hide the numbers of the job."""
        self.form.fill()
        self.form.setVisible(is_open)
        self.change.setChecked(is_open)
        self._name_change()
        self._fold()
        self.turned.emit()

    def put_away(self) -> None:
        """Fold away all but the line of the question: the button that asks is then below it."""
        self.form.software.fold()
        self.form.renting.fold()
        self.open_form(is_open=False)

    def _toggle_form(self) -> None:
        self.open_form(is_open=self.form.isHidden())

    # --- what the user does ---

    def _on_edited(self) -> None:
        self._show()
        self.edited.emit()

    def _on_undo(self) -> None:
        if self._question.undo():
            self._show_edited()

    def _on_redo(self) -> None:
        if self._question.redo():
            self._show_edited()

    def _on_reset(self) -> None:
        self._question.reset()
        self._show_edited()

    def _show_edited(self) -> None:
        close_notes(self)  # also that of a number that this did not change
        self.show_question()
        self.edited.emit()

    def _on_job(self, index: int) -> None:
        preset_id = self.job.itemData(index)
        if preset_id is not None:
            self._question.choose(preset_id)
            self._show_edited()

    def _on_samples(self, count: float) -> None:
        if self._is_filling:
            return
        self._question.change_workload(samples=int(count))
        self.form.fill()
        self._on_edited()

    def _on_deadline(self, index: int) -> None:
        self._question.change_circumstances(deadline_s=self._deadlines[index].value)
        self._on_list()

    def _on_frequency(self, index: int) -> None:
        self._question.change_circumstances(runs_per_month=self._frequencies[index].value)
        self._on_list()

    def _on_list(self) -> None:
        self.form.marks.show_changes()
        self._on_edited()

    # --- words ---

    def _show(self) -> None:
        language = self._context.language
        workload, circumstances = self._question.workload, self._question.circumstances
        for widget in (self.job, self.samples, self.deadline, self.frequency, self.change):
            widget.setEnabled(workload is not None)
        if workload is None:
            self.samples.clear()
            self.summary.setText("…")
            self.limits.hide()
            return
        self._show_samples(workload)
        self._name_marks()
        parts = (self._title_elsewhere(workload), steps_phrase(workload, language), details(workload, language))
        months = quantities.months(circumstances.horizon_months, language)
        counted = self._context.gettext("costs counted over {months}").format(months=months)
        self.summary.setText(" · ".join(filter(None, (*parts, counted))))
        self._show_hint(workload)
        self.limits.setText(limits(self._question, language))
        self._deadlines = deadline_choices(circumstances.deadline_s, language)
        self._frequencies = frequency_choices(circumstances.runs_per_month, circumstances.horizon_months, language)
        self.reset.setVisible(bool(self._question.changed))
        _fill(self.deadline, self._deadlines, circumstances.deadline_s)
        _fill(self.frequency, self._frequencies, circumstances.runs_per_month)
        if self._has_jobs:
            self._fill_jobs()
        self._fold()

    def _show_hint(self, workload: Workload) -> None:
        """Say that numbers are those of a tile, as long as any of the line is; 18,687 photos were a riddle."""
        _, changed = self._context.gettext, self._question.changed
        asked = {"samples", *(["classes"] if workload.classes else []), "epochs"}
        still = _("The rest are examples")
        self.hint.setText(still if changed & asked else _("Example numbers: put in yours"))
        is_example = not self._has_jobs and self._question.task in FIRST_JOBS and self._question.found is None
        self.hint.setVisible(is_example and not asked <= changed)

    def _name_marks(self) -> None:
        """Say of each dot what the example has in the place of its field."""
        language, usual = self._context.language, self._question.edits.usual
        was = ["", "", ""]
        if usual is not None and usual.workload is not None and self._question.task in FIRST_JOBS:
            facts = usual.circumstances
            deadlines = deadline_choices(facts.deadline_s, language)
            frequencies = frequency_choices(facts.runs_per_month, facts.horizon_months, language)
            was = [
                language.number(usual.workload.samples),
                deadlines[index_of(deadlines, facts.deadline_s)].text,
                frequencies[index_of(frequencies, facts.runs_per_month)].text,
            ]
        for box, held in zip((self.samples, self.deadline, self.frequency), was, strict=True):
            self.form.marks.name(box, box.accessibleName(), held)

    def _title_elsewhere(self, workload: Workload) -> str:
        """Return what a job is called whose tile is far above, or that has none; empty where it is seen."""
        if self._has_jobs:
            return ""
        if self._question.is_of_no_list:
            return workload.title
        task = self._question.task
        titles = dict(job_choices(self._question.presets, workload, self._context.language))
        return "" if task in FIRST_JOBS else titles.get(task, "")

    def _show_samples(self, workload: Workload) -> None:
        """Show how many samples there are, with the word for them in the field."""
        language = self._context.language
        self._is_filling = True
        self.samples.longest = sample_noun(workload, language, 2).format(n=_LONG_COUNT)
        self.samples.set_unit(sample_noun(workload, language, workload.samples).replace("{n}", "").strip())
        self.samples.show_value(workload.samples)
        self._is_filling = False
        self.samples.updateGeometry()
        title = samples_title(workload, language)
        self.samples.setAccessibleName(title)

    def _fill_jobs(self) -> None:
        choices = job_choices(self._question.presets, self._question.workload, self._context.language)
        self.job.clear()
        for preset_id, title in choices:
            self.job.addItem(title, preset_id)
        workload = self._question.workload
        self.job.setToolTip("" if workload is None else summary(workload, self._context.language))
        known = [preset_id for preset_id, _title in choices]
        self.job.setCurrentIndex(known.index(workload.id) if workload is not None and workload.id in known else 0)
        self._fit_job()

    def _name_change(self) -> None:
        self.change.setText(self._context.gettext("Change") if self.form.isHidden() else self._context.gettext("Done"))

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.within.setText(_("Deadline"))
        self.often.setText(_("How often"))
        self.samples.setAccessibleDescription(_("Photos, texts or rows you have"))
        self.samples.setToolTip(self.samples.accessibleDescription())
        self.job.setAccessibleName(_("Job"))
        self.job.setAccessibleDescription(_("What you want to train"))
        self.deadline.setAccessibleName(_("Finished within"))
        self.deadline.setAccessibleDescription(_("How soon one training must be finished"))
        self.frequency.setAccessibleName(_("How often"))
        self.frequency.setAccessibleDescription(_("How often you would train"))
        self._name_marks()
        self.change.setAccessibleDescription(_("Change the numbers of this job"))
        self.legend.setText(_("● undoes one change"))
        self.reset.setText(_("Undo all"))
        self.reset.setAccessibleDescription(_("Undoes every change in the numbers of this job"))
        self.reset.setToolTip(self.reset.accessibleDescription())
        self._name_change()
        self._show()


class _CountBox(NumberBox):
    """A field of one width for every number that a user is likely to write, in letters of whatever size.

    Attributes:
        longest: The longest such number with its noun.
    """

    longest = _LONG_COUNT

    def sizeHint(self) -> QSize:
        """Return the width of the words."""
        words = max(map(self.fontMetrics().horizontalAdvance, (self.longest, self.text())))
        return QSize(words + _STEPS, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return no less than that."""
        return self.sizeHint()


def _fill(box: QComboBox, choices: tuple[Choice, ...], value: float | None) -> None:
    box.clear()
    for choice in choices:
        box.addItem(choice.text)
    box.setCurrentIndex(index_of(choices, value))
