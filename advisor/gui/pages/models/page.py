"""Which language models run on this computer, and how fast; what those that do not fit would need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QItemSelectionModel, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QWidget

from advisor.gui.base.context import Context
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.pages.models.ways_card import WaysCard
from advisor.gui.widgets.basic import DATA_WIDTH, GRID, Card, FlowLayout, Page, bring_into_view, button, label
from advisor.gui.widgets.block_table import BlockTable
from advisor.gui.widgets.fields import ChoiceBox
from advisor.gui.widgets.number_label import Statement
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.locale import N_, Language
from advisor.records.hardware.machine import Machine
from advisor.records.job.serving_advice import ServingAdvice, ServingQuestion
from advisor.records.results.measured.measurement import Measurement
from advisor.report.content.blocks import Table
from advisor.report.documents.serving_here import NamedServing
from advisor.report.provenance.record import Provenance, of_cell

_WEIGHTS = (
    ("q4_k_m", N_("4-bit weights (Q4_K_M), the usual choice")),
    ("q8_0", N_("8-bit weights (Q8_0)")),
    ("fp16", N_("16-bit weights, as published")),
    ("q2_k", N_("2- to 3-bit weights (Q2_K), less good")),
)
_PROMPTS = (512, 2048, 8192, 32768)
_PAGE_TOKENS = 600
_LIST_HEIGHT = 240
_NAME_LETTERS = 24
_ALL = 100


@dataclass(frozen=True, kw_only=True)
class ModelTasks:
    """What the page asks of the rest of the program.

    Attributes:
        find: How fast each known model writes on a computer: at a weight format, for so many tokens to read, with what
            was measured.
        measure: How fast its processor reads weights.
        ways: Every way to run a model, with what was measured; takes a moment.
    """

    find: Callable[[Machine, str, int, tuple[Measurement, ...]], tuple[NamedServing, ...]]
    measure: Callable[[Machine], tuple[Measurement, ...]]
    ways: Callable[[Machine, ServingQuestion, tuple[Measurement, ...]], ServingAdvice]


class ModelsPage(Page):
    """A list of models with what is asked above it, and what can be asked of the chosen one.

    Signals:
        tuning_wanted: With the name of a model that the user wants to adapt.
    """

    tuning_wanted = Signal(str)

    def __init__(self, context: Context, tasks: ModelTasks, background: BackgroundTasks) -> None:
        super().__init__(DATA_WIDTH)
        self._context, self._tasks, self._background = context, tasks, background
        self._machine: Machine | None = None
        self._measured: tuple[Measurement, ...] = ()
        self._found: tuple[NamedServing, ...] = ()
        self._listed: list[NamedServing] = []
        self._table = Table((), ())
        self._is_filling = False
        self._is_measuring = self._is_checking = False
        self.title = label("display")
        self.lead = label("lead")
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.weights, self.prompt = ChoiceBox(), ChoiceBox()
        self.fitting = QCheckBox()
        self.measure = button("plain", self._start)
        self.state = label("answer")
        self.doubt = label("warning")
        self.basis = label("muted")
        self.problem = ProblemCard(context)
        self.chosen = Statement(context, "strong")
        self.run = button("plain", self._on_run)
        self.tune = button("plain", self._on_tune)
        self.later = label("muted")
        self.table = BlockTable(context, self._table, is_list=True)
        self.ways = WaysCard(context)
        self._build()
        context.theme_changed.connect(self._fit_search)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        bar = _row(self.search, self.weights, self.prompt, self.fitting)
        self.chosen_card = Card(margin=2 * GRID)
        self.chosen_card.body.addWidget(self.chosen)
        self.chosen_card.body.addWidget(_row(self.run, self.tune))
        self.chosen_card.body.addWidget(self.later)
        resting = QWidget()  # what the speeds rest on, and beside it what would make them more certain
        line = QHBoxLayout(resting)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.basis, 1)
        line.addWidget(self.measure)
        for part in (self.title, self.state, self.doubt, resting, self.lead, bar, self.problem, self.chosen_card):
            self.column.addWidget(part)
        self.table.setMinimumHeight(_LIST_HEIGHT)
        self.column.addWidget(self.table, _ALL)
        self.column.addWidget(self.ways)
        self.column.addStretch(1)  # takes the room while there is no list
        self.ways.closed.connect(self.table.setFocus)
        self.table.selectionModel().selectionChanged.connect(lambda _now, _before: self._on_chosen())
        self.search.textChanged.connect(lambda _text: self._show())
        self.fitting.toggled.connect(lambda _on: self._show())
        for box in (self.weights, self.prompt):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.currentIndexChanged.connect(lambda _index: self._ask())

    def show_machine(self, machine: Machine | None) -> None:
        """Take what this computer is, and list what runs on it."""
        self._machine = machine
        self._ask()

    def show_checking(self, *, is_running: bool) -> None:
        """Ask no new question and measure nothing while a check runs, and say so: either would spoil it."""
        self._is_checking = is_running
        self._allow()

    def _allow(self) -> None:
        _ = self._context.gettext
        self.measure.setEnabled(not self._is_measuring and not self._is_checking)
        self.tune.setEnabled(not self._is_checking)
        description = _("Asks on the page Advice about adapting it to your own texts (QLoRA)")
        if self._is_checking:
            description = _("A check is running; ask this when it is done.")
        self.tune.setAccessibleDescription(description)
        self.tune.setToolTip(description)
        self.later.setText(_("A check is running; what fine-tuning needs can be asked when it is done."))
        self.later.setVisible(self._is_checking)

    def _start(self) -> None:
        """Measure how fast the processor reads weights."""
        machine = self._machine
        if machine is None:
            return
        self.problem.hide()
        self._is_measuring = True
        self._allow()
        self.state.setText(self._context.gettext("Measuring how fast the processor reads weights …"))
        self._background.run(lambda: self._tasks.measure(machine), "decode", self._on_measured, self._on_failed)

    def _on_measured(self, measured: tuple[Measurement, ...]) -> None:
        self._measured = measured
        self._is_measuring = False
        self._allow()
        self._ask()

    def _on_failed(self, problem: Problem) -> None:
        self._is_measuring = False
        self._allow()
        self.problem.show_problem(problem, N_("How fast the processor reads weights could not be measured."))
        self._show()

    def _ask(self) -> None:
        """Work the list out for what is asked; a hundredth of a second."""
        if self._is_filling or self._machine is None:
            return
        self.ways.keep_for("")
        weights, prompt = self.weights.currentData(), self.prompt.currentData()
        self._found = self._tasks.find(self._machine, weights, prompt, self._measured)
        self._show()

    # --- the chosen model ---

    def choose(self, model: str) -> None:
        """Choose a model of the list by its name; the first where it is not listed."""
        names = [one.prediction.model for one in self._listed]
        row = names.index(model) if model in names else 0
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.table.selectionModel().setCurrentIndex(self.table.model().index(row, 0), flags)

    def chosen_model(self) -> NamedServing | None:
        """Return the model that is chosen; None where none is listed."""
        rows = self.table.selectionModel().selectedRows()
        return self._listed[rows[0].row()] if rows and self._listed else None

    def _on_chosen(self) -> None:
        """Say what the chosen model needs, and let it be asked about."""
        one = self.chosen_model()
        self.chosen_card.setVisible(one is not None)
        self.ways.keep_for("" if one is None else one.prediction.model)
        if one is None:
            return
        from advisor.report.documents.serving_here import model_sentence, of_model

        self.chosen.show_text(model_sentence(one, self._context.language), of_model(one, self._context.language))

    def _on_tune(self) -> None:
        one = self.chosen_model()
        if one is not None:
            self.tuning_wanted.emit(one.prediction.model)

    def _on_run(self) -> None:
        """Weigh every way to run the chosen model."""
        one, machine, measured = self.chosen_model(), self._machine, self._measured
        if one is None or machine is None:
            return
        from advisor.records.job.serving_advice import ServingQuestion

        question = ServingQuestion(model=one.prediction.model, job=one.prediction.job)
        self.problem.dismiss()
        self._background.run(
            lambda: self._tasks.ways(machine, question, measured), "ways", self._on_weighed, self._on_not_weighed
        )

    def _on_weighed(self, advice: ServingAdvice) -> None:
        one = self.chosen_model()
        if one is not None and one.prediction.model == advice.question.model:  # else another was chosen meanwhile
            self.ways.show_advice(advice)
            bring_into_view(self.ways.answer)

    def _on_not_weighed(self, problem: Problem) -> None:
        self.problem.show_problem(problem, N_("The ways to run this model could not be compared."))

    # --- texts ---

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        language = self._context.language
        _ = language.gettext
        self._is_filling = True
        self.setAccessibleName(_("Language models"))
        self.title.setText(_("Which language models run here, and how fast?"))
        self.lead.setText(
            _(
                "Run them with llama.cpp, Ollama or LM Studio; nothing is downloaded here. A token is a piece of a "
                "word. The largest that keep up with your reading come first."
            )
        )
        _fill(self.weights, [(_(text), name) for name, text in _WEIGHTS])
        _fill(self.prompt, [(_prompt_text(one, language), one) for one in _PROMPTS])
        self.fitting.setText(_("Only those that fit"))
        self.measure.setText(_("Measure how fast it writes"))
        self.search.setPlaceholderText(_("Name of a model"))
        self.run.setText(_("What do I need to run it?"))
        self.tune.setText(_("What do I need to fine-tune it?"))
        for widget, name, description in (
            (self.search, _("Name of a model"), _("Words of a model's name")),
            (self.weights, _("Weights"), _("With fewer bits a model needs less memory and writes faster")),
            (self.prompt, _("Tokens to read"), _("A page of text has some 600 tokens")),
            (self.fitting, _("Only those that fit"), _("Leave out what this computer has not the memory for")),
            (self.measure, self.measure.text(), _("Writes with a small model for some seconds: more certain speeds")),
            (self.run, self.run.text(), _("Compares this computer, cards to buy and machines to rent, below the list")),
        ):
            widget.setAccessibleName(name)
            widget.setAccessibleDescription(description)
            widget.setToolTip(description)
        self.tune.setAccessibleName(self.tune.text())
        self._allow()
        self._fit_search()
        self.ways.retranslate()
        self._is_filling = False
        self._show()

    def _fit_search(self) -> None:
        """Leave room for a model's name in letters of the size of now."""
        self.search.ensurePolished()  # else its letters are not yet those of the style sheet
        self.search.setFixedWidth(_NAME_LETTERS * self.search.fontMetrics().averageCharWidth())

    def _show(self) -> None:
        """Show the models that are wanted."""
        from advisor.report.documents.serving_here import chosen_models, models_table

        before = self.chosen_model()
        self._listed = chosen_models(self._found, self.search.text(), only_fitting=self.fitting.isChecked())
        self.state.setText(self._state())
        self._show_doubt()
        self.table.setVisible(bool(self._listed))
        self._table = models_table(self._listed, self._context.language)
        self.table.show_table(self._table, self._context.gettext("Language models"), self._origin)
        if self._listed:
            self.choose("" if before is None else before.prediction.model)
        self._on_chosen()

    def _show_doubt(self) -> None:
        """Say what others took of the processor while it was measured; offer to measure while that may help."""
        from advisor.records.results.measured.measurement import load_ratio
        from advisor.report.words.problems import speed_doubt

        doubt = speed_doubt(load_ratio(self._measured), self._context.language)
        self.doubt.setText(doubt)
        self.doubt.setVisible(bool(doubt))
        self.measure.setVisible(not self._measured or bool(doubt))
        self.basis.setText(self._basis())

    def _basis(self) -> str:
        """Return what the speeds rest on: many took them for what the check had measured."""
        _ = self._context.gettext
        if self._measured:
            return _("Speeds on the processor rest on how fast it wrote here; others on specifications and rates.")
        return _("The speeds are worked out from published specifications and rates, not from your check.")

    def _origin(self, row: int, column: int) -> Provenance | None:
        known = self._table.origins[row][column]
        return None if known is None else of_cell(self._table.header, self._table.rows[row], column, known)

    def _state(self) -> str:
        from advisor.report.documents.serving_here import is_read_along

        _ = self._context.gettext
        if self._machine is None:
            return _("Looking at this computer …")
        if not self._listed:
            return _("No known model has such a name.")
        language = self._context.language
        fitting = sum(one.prediction.memory.fits is not False for one in self._listed)
        return _("{fitting} of {all} models fit; {fluent} write about as fast as you read, or faster.").format(
            fitting=language.number(fitting),
            all=language.number(len(self._listed)),
            fluent=language.number(sum(is_read_along(one.prediction) for one in self._listed)),
        )


def _prompt_text(tokens: int, language: Language) -> str:
    """Return how much is read before an answer begins, in pages too: few know how long a token is."""
    pages = max(1, round(tokens / _PAGE_TOKENS))
    text = language.ngettext("{n} tokens to read ({pages} page)", "{n} tokens to read ({pages} pages)", pages)
    return text.format(n=language.number(tokens), pages=language.number(pages))


def _row(*widgets: QWidget) -> QWidget:
    """Return widgets beside each other, which wrap like words."""
    made = QWidget()
    flow = FlowLayout()
    made.setLayout(flow)
    for widget in widgets:
        flow.addWidget(widget)
    return made


def _fill(box: QComboBox, rows: list[tuple[str, object]]) -> None:
    """Fill a list, keeping what is chosen."""
    chosen = box.currentData()
    box.clear()
    for text, value in rows:
        box.addItem(text, value)
    box.setCurrentIndex(max(0, box.findData(chosen)) if chosen is not None else 0)
