"""The numbers behind a ready-made job, to be changed by the person."""

from typing import TypeVar

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QSpinBox,
    QWidget,
)

from advisor.gui.context import Context
from advisor.gui.models.question import Question
from advisor.gui.widgets.basic import GRID, label
from advisor.locale import N_

_MOST_SAMPLES = 2_000_000_000
_PRECISIONS = (
    ("fp32", N_("full, 32 bit (fp32)")),
    ("amp", N_("mixed, 16 and 32 bit")),
    ("bf16", N_("16 bit (bf16)")),
    ("fp16", N_("16 bit (fp16)")),
)
_WHO = (
    ("student", N_("student")),
    ("hobbyist", N_("hobbyist")),
    ("freelancer", N_("freelancer")),
    ("teacher", N_("teacher")),
    ("researcher", N_("researcher")),
    ("company", N_("small company")),
    ("large_company", N_("large company")),
)

W = TypeVar("W", bound=QWidget)


class QuestionForm(QWidget):
    """Fields for the job and the circumstances; writes each change into the question at once.

    Signals:
        edited: The person changed something.
    """

    edited = Signal()

    def __init__(self, context: Context, question: Question) -> None:
        super().__init__()
        self._context = context
        self._question = question
        self._is_filling = False
        self._captions: list[tuple[QLabel, QWidget, str, str]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, GRID, 0, 0)
        self._grid.setHorizontalSpacing(2 * GRID)
        self._grid.setVerticalSpacing(GRID)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1)
        self.samples = self._place(QSpinBox(), N_("How many examples"), N_("Photos, texts or rows you have"))
        self.epochs = self._place(QDoubleSpinBox(), N_("Passes over them"), N_("Often called epochs"))
        self.batch = self._place(QSpinBox(), N_("Examples per step"), N_("Often called batch size"))
        self.precision = self._place(QComboBox(), N_("Number format"), N_("Mixed is faster on most graphics cards"))
        self.budget = self._place(QDoubleSpinBox(), N_("Money you can spend"), N_("0 means that no limit is stated"))
        self.months = self._place(QDoubleSpinBox(), N_("Months of use"), N_("How long you would use new hardware"))
        self.who = self._place(QComboBox(), N_("You are"), N_("Decides which of the articles' scenarios fits"))
        self.stays = QCheckBox()
        self._grid.addWidget(self.stays, 3, 2, 1, 2)
        self._set_limits()
        self._connect()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _place(self, box: W, name: str, hint: str) -> W:
        row, column = len(self._captions) // 2, 2 * (len(self._captions) % 2)
        caption = label("body", wrap=False)
        caption.setBuddy(box)
        self._grid.addWidget(caption, row, column)
        self._grid.addWidget(box, row, column + 1)
        self._captions.append((caption, box, name, hint))
        if isinstance(box, QAbstractSpinBox):
            box.setKeyboardTracking(False)
            box.setGroupSeparatorShown(True)
            box.lineEdit().setTextMargins(GRID, 0, GRID, 0)  # a style sheet's padding does not reach inside
        return box

    def _set_limits(self) -> None:
        self.samples.setRange(1, _MOST_SAMPLES)
        self.batch.setRange(1, 1_000_000)
        self.epochs.setRange(0.01, 100_000.0)
        self.epochs.setDecimals(2)
        self.budget.setRange(0.0, 1e9)
        self.budget.setDecimals(0)
        self.budget.setSingleStep(50.0)
        self.months.setRange(1.0, 240.0)
        self.months.setDecimals(0)
        for box, rows in ((self.precision, _PRECISIONS), (self.who, _WHO)):
            for value, text in rows:
                box.addItem(text, value)

    def _connect(self) -> None:
        self.samples.valueChanged.connect(lambda n: self._change_workload(samples=n, steps_per_epoch=None))
        self.epochs.valueChanged.connect(lambda n: self._change_workload(epochs=n))
        self.batch.valueChanged.connect(lambda n: self._change_workload(batch_size=n))
        self.precision.currentIndexChanged.connect(
            lambda: self._change_workload(precision=self.precision.currentData())
        )
        self.budget.valueChanged.connect(self._change_budget)
        self.months.valueChanged.connect(lambda n: self._change_circumstances(horizon_months=n))
        self.who.currentIndexChanged.connect(lambda: self._change_circumstances(who=self.who.currentData()))
        self.stays.toggled.connect(lambda on: self._change_circumstances(data_must_stay=on))

    def fill(self) -> None:
        """Show the question's numbers."""
        workload, circumstances = self._question.workload, self._question.circumstances
        if workload is None:
            return
        self._is_filling = True
        self.samples.setValue(workload.samples)
        self.epochs.setValue(workload.epochs)
        self.batch.setValue(workload.batch_size)
        self.precision.setCurrentIndex(max(0, self.precision.findData(workload.precision)))
        self.budget.setValue((circumstances.budget_usd or 0.0) / self._question.usd_per_unit)
        self.months.setValue(circumstances.horizon_months)
        self.who.setCurrentIndex(max(0, self.who.findData(circumstances.who)))
        self.stays.setChecked(circumstances.data_must_stay)
        is_deep = workload.method != "classical"
        for box in (self.epochs, self.batch, self.precision):
            box.setEnabled(is_deep)
        self._is_filling = False

    def _change_workload(self, **numbers: object) -> None:
        if not self._is_filling:
            self._question.change_workload(**numbers)
            self.edited.emit()

    def _change_circumstances(self, **facts: object) -> None:
        if not self._is_filling:
            self._question.change_circumstances(**facts)
            self.edited.emit()

    def _change_budget(self, amount: float) -> None:
        self._change_circumstances(budget_usd=amount * self._question.usd_per_unit if amount > 0 else None)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        for caption, box, name, hint in self._captions:
            caption.setText(_(name))
            caption.setToolTip(_(hint))
            box.setToolTip(_(hint))
            box.setAccessibleName(_(name))
            box.setAccessibleDescription(_(hint))
            box.setLocale(QLocale(self._context.language.region))
        for box, rows in ((self.precision, _PRECISIONS), (self.who, _WHO)):
            for position, (_value, text) in enumerate(rows):
                box.setItemText(position, _(text))
        self.stays.setText(_("My data may not leave this place (no cloud)"))
        self.stays.setAccessibleName(_("My data may not leave this place (no cloud)"))
        self.budget.setSpecialValueText(_("no limit stated"))
        self.budget.setSuffix(f"\N{NO-BREAK SPACE}{self._question.currency}")
        self.months.setSuffix("")
