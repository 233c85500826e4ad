"""Which language models run on this computer, and how fast; what those that do not fit would need."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from advisor.gui.base.context import Context
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.widgets.basic import DATA_WIDTH, GRID, FlowLayout, Page, button, label
from advisor.gui.widgets.fields import ChoiceBox
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.gui.widgets.report_blocks import ReportBlocks
from advisor.locale import N_
from advisor.records.hardware.machine import Machine
from advisor.records.results.measured.measurement import Measurement

if TYPE_CHECKING:
    from advisor.report.documents.serving_here import NamedServing

    Find = Callable[[Machine, str, int, tuple[Measurement, ...]], tuple[NamedServing, ...]]
    Measure = Callable[[Machine], tuple[Measurement, ...]]

_WEIGHTS = (
    ("q4_k_m", N_("4 bit (Q4_K_M), the usual")),
    ("q8_0", N_("8 bit (Q8_0)")),
    ("fp16", N_("16 bit, as published")),
    ("q2_k", N_("2 to 3 bit (Q2_K), less good")),
)
_PROMPTS = (512, 2048, 8192, 32768)


class ModelsPage(Page):
    """A list of models with what is asked above it."""

    def __init__(self, context: Context, find: Find, measure: Measure, background: BackgroundTasks) -> None:
        super().__init__(DATA_WIDTH)
        self._context, self._find, self._measure, self._background = context, find, measure, background
        self._machine: Machine | None = None
        self._measured: tuple[Measurement, ...] = ()
        self._found: tuple[NamedServing, ...] = ()
        self._is_filling = False
        self.title = label("display")
        self.lead = label("lead")
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(26 * GRID)
        self.weights, self.prompt = ChoiceBox(), ChoiceBox()
        self.fitting = QCheckBox()
        self.measure = button("plain", self._start)
        bar = QWidget()
        flow = FlowLayout()
        bar.setLayout(flow)
        for widget in (self.search, self.weights, self.prompt, self.fitting, self.measure):
            flow.addWidget(widget)
        self.state = label("answer")
        self.problem = ProblemCard(context)
        self.blocks = ReportBlocks(context)
        for part in (self.title, self.state, self.lead, bar, self.problem, self.blocks):
            self.column.addWidget(part)
        self.column.addStretch(1)
        self.search.textChanged.connect(lambda _text: self._show())
        self.fitting.toggled.connect(lambda _on: self._show())
        for box in (self.weights, self.prompt):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.currentIndexChanged.connect(lambda _index: self._ask())
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def show_machine(self, machine: Machine | None) -> None:
        """Take what this computer is, and list what runs on it."""
        self._machine = machine
        self._ask()

    def _start(self) -> None:
        """Measure how fast the processor reads weights."""
        machine = self._machine
        if machine is None:
            return
        self.problem.hide()
        self.measure.setEnabled(False)
        self.state.setText(self._context.gettext("Measuring how fast the processor reads weights …"))
        self._background.run(lambda: self._measure(machine), "decode", self._on_measured, self._on_failed)

    def _on_measured(self, measured: tuple[Measurement, ...]) -> None:
        self._measured = measured
        self.measure.setEnabled(True)
        self._ask()

    def _on_failed(self, problem: Problem) -> None:
        self.measure.setEnabled(True)
        self.problem.show_problem(problem, N_("How fast the processor reads weights could not be measured."))
        self._show()

    def _ask(self) -> None:
        """Work the list out for what is asked; a hundredth of a second."""
        if self._is_filling or self._machine is None:
            return
        weights, prompt = self.weights.currentData(), self.prompt.currentData()
        self._found = self._find(self._machine, weights, prompt, self._measured)
        self._show()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        language = self._context.language
        _ = language.gettext
        self._is_filling = True
        self.setAccessibleName(_("Language models"))
        self.title.setText(_("Which language models can I run, and how fast?"))
        self.lead.setText(
            _(
                "Programs such as llama.cpp, Ollama and LM Studio run them on your own computer. Small weights need "
                "less memory and write faster. Nothing is fetched."
            )
        )
        _fill(self.weights, [(_("Weights of {bits}").format(bits=_(text)), name) for name, text in _WEIGHTS])
        _fill(self.prompt, [(_("{n} tokens to read").format(n=language.number(one)), one) for one in _PROMPTS])
        self.fitting.setText(_("Only those that fit"))
        self.measure.setText(_("Measure the processor"))
        self.search.setPlaceholderText(_("Search"))
        for widget, name, description in (
            (self.search, _("Search"), _("Words of a model's name")),
            (self.weights, _("Weights"), _("How many bits a weight takes")),
            (self.prompt, _("Tokens to read"), _("A page of text has some 600 tokens")),
            (self.fitting, _("Only those that fit"), _("Leave out what this computer has not the memory for")),
            (self.measure, _("Measure the processor"), _("Writes with a small model for some seconds")),
        ):
            widget.setAccessibleName(name)
            widget.setAccessibleDescription(description)
            widget.setToolTip(description)
        self._is_filling = False
        self._show()

    def _show(self) -> None:
        """Show the models that are wanted."""
        from advisor.report.documents.serving_here import chosen_models, models_table

        _ = self._context.gettext
        shown = chosen_models(self._found, self.search.text(), only_fitting=self.fitting.isChecked())
        self.state.setText(self._state(shown))
        self.blocks.setVisible(bool(shown))
        if shown:
            self.blocks.show_blocks((models_table(shown, self._context.language),))

    def _state(self, shown: list[NamedServing]) -> str:
        from advisor.report.documents.serving_here import is_fluent

        _ = self._context.gettext
        if self._machine is None:
            return _("Looking at this computer …")
        if not shown:
            return _("No known model has such a name.")
        language = self._context.language
        fitting = sum(one.prediction.memory.fits is not False for one in shown)
        return _("{fitting} of {all} models fit; {fluent} write about as fast as you read, or faster.").format(
            fitting=language.number(fitting),
            all=language.number(len(shown)),
            fluent=language.number(sum(is_fluent(one.prediction) for one in shown)),
        )


def _fill(box: QComboBox, rows: list[tuple[str, object]]) -> None:
    """Fill a list, keeping what is chosen."""
    chosen = box.currentData()
    box.clear()
    for text, value in rows:
        box.addItem(text, value)
    box.setCurrentIndex(max(0, box.findData(chosen)) if chosen is not None else 0)
