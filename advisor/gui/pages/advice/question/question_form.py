"""The numbers behind a job, to be changed by the user: network, data, learning, money; or layers of one's own."""

from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from advisor.errors import AdvisorError
from advisor.gui.base.context import Context
from advisor.gui.models.job.epochs_hint import epochs_hint
from advisor.gui.models.job.layers_text import EXAMPLE, layers_of, text_of
from advisor.gui.models.job.question import OWN_NETWORK, OWN_PROGRAM, Question
from advisor.gui.models.names import network_choice, network_groups
from advisor.gui.pages.advice.question.change_marks import NETWORK_NAMES, SIZE_NAMES, ChangeMarks
from advisor.gui.pages.advice.question.field_grid import FieldGrid, Shape, arrange, least_width
from advisor.gui.pages.advice.question.own_program_panel import OwnProgramPanel
from advisor.gui.pages.advice.question.renting_panel import RentingPanel
from advisor.gui.pages.advice.question.software_panel import SoftwarePanel
from advisor.gui.widgets.basic import GRID, bring_into_view, button, label
from advisor.gui.widgets.fields import ChoiceBox, NumberBox, SearchBox
from advisor.locale import N_
from advisor.records.job.workload import Circumstances, Workload
from advisor.report.words.samples import EPOCH_DECIMALS

_PRECISIONS = (
    ("fp32", N_("full, 32-bit (fp32)")),
    ("amp", N_("mixed (AMP), 16- and 32-bit")),
    ("bf16", N_("16-bit (bf16)")),
    ("fp16", N_("16-bit (fp16)")),
)
_OPTIMIZERS = (("adam", "Adam"), ("adamw", "AdamW"), ("adamw_8bit", N_("8-bit AdamW")), ("sgd", "SGD"))
_METHODS = (
    ("scratch", N_("from scratch")),
    ("full", N_("fine-tune a pretrained network")),
    ("transfer", N_("fine-tune all of it, with a new last layer")),
    ("lora", N_("fine-tune with LoRA")),
    ("qlora", N_("fine-tune with QLoRA")),
)
_WHO = (
    ("student", N_("my studies")),
    ("hobbyist", N_("a hobby")),
    ("freelancer", N_("freelance work")),
    ("teacher", N_("teaching")),
    ("researcher", N_("research")),
    ("company", N_("a small company")),
    ("large_company", N_("a large company")),
)
_SIZE_NAMES = {
    "image": (N_("Image size"), N_("Pixels per side; 0 means the network's usual size"), N_("pixels")),
    "sequence": (N_("Text length"), N_("In tokens; 0 means the network's usual length"), N_("tokens")),
    "row": (N_("Columns"), N_("0 means the usual number"), ""),
}
SAMPLES_RANGE = (1, 1e13)
"""Fewest and most samples of a job, as in files that describe one."""
_LAYERS_HEIGHT = 130
_LEAST_LETTERS = 10

W = TypeVar("W", bound=QWidget)

_LARGEST = 1e7
"""Size of a sample where its network sets no limit."""


class QuestionForm(QWidget):
    """Fields for the job and the circumstances; writes each change into the question at once.

    Args:
        runs_programs: Whether a Python file is chosen and run here; else who wants one is sent where it is.

    Signals:
        edited: The user changed something.
        program_wanted: The user wants a Python file of their own as the network, which is not chosen here.
    """

    edited = Signal()
    program_wanted = Signal()

    def __init__(self, context: Context, question: Question, *, runs_programs: bool = False) -> None:
        super().__init__()
        self._context = context
        self._question = question
        self._runs_programs = runs_programs
        self._is_filling = False
        self._offered: tuple[str, ...] = ()
        self._fault: AdvisorError | None = None
        self._own = [(OWN_NETWORK, N_("My own layers …")), (OWN_PROGRAM, N_("My own Python file …"))]
        self._named: list[tuple[FieldGrid, QWidget, str, str]] = []
        self.marks = ChangeMarks(context, question, self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID, 0, 0)
        self._grid, self._of_user = FieldGrid(), FieldGrid()
        self._job_title, self._user_title = label("strong"), label("strong")
        column.addWidget(self._job_title)
        column.addLayout(self._grid)
        column.addWidget(self._grid.asked)
        self._place_job_fields()
        column.addWidget(self._layers_panel())
        self.program = OwnProgramPanel(context)
        self.program.hide()
        column.addWidget(self.program)
        column.addSpacing(GRID)
        column.addWidget(self._user_title)
        column.addLayout(self._of_user)
        column.addWidget(self._of_user.asked)
        self._place_user_fields()
        self.software = SoftwarePanel(context)
        column.addWidget(self.software)
        self._place_expert_fields()
        self.renting = RentingPanel(context, self.marks)
        column.addWidget(self.renting)
        self._set_limits()
        self._connect()
        context.language_changed.connect(self.retranslate)
        context.theme_changed.connect(self._align)
        self.retranslate()

    def showEvent(self, event: QShowEvent) -> None:
        """Let the fields of all groups stand below each other, once the letters have their size."""
        super().showEvent(event)
        self._align()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put fields below each other where there is no room for two of them."""
        super().resizeEvent(event)
        self._align()

    def minimumSizeHint(self) -> QSize:
        """Return the least width of the narrowest shape: that of the moment would keep it from ever being taken."""
        return QSize(least_width(self._grids, Shape.BELOW), super().minimumSizeHint().height())

    @property
    def _grids(self) -> tuple[FieldGrid, ...]:
        return self._grid, self._of_user, self.software.grid, self.renting.grid

    def _align(self) -> None:
        arrange(self._grids, self.width())

    def _place_job_fields(self) -> None:
        context = self._context
        self.network = self._place(
            SearchBox(), NETWORK_NAMES, N_("Network"), N_("One of the catalogue, or layers of your own"), is_row=True
        )
        self.method = self._place(
            ChoiceBox(),
            ("method",),
            N_("Kind of training"),
            N_("Train from scratch, or continue from a pretrained network"),
        )
        self.epochs = self._place(NumberBox(context), ("epochs",), N_("Epochs"), N_("Passes over all your examples"))
        self.classes = self._place(
            NumberBox(context), ("classes",), N_("Categories"), N_("How many kinds the network tells apart")
        )
        self.sample_size = self._place(NumberBox(context), SIZE_NAMES, *_SIZE_NAMES["image"][:2])

    def _place_user_fields(self) -> None:
        context, grid = self._context, self._of_user
        self.budget = self._place(
            NumberBox(context),
            ("budget_usd",),
            N_("Budget"),
            N_("The most you can spend on a purchase, or on renting over all the months; 0: no limit"),
            grid,
        )
        self.months = self._place(
            NumberBox(context),
            ("horizon_months",),
            N_("Months of use"),
            N_("How long you will go on with this job: costs are counted over this time"),
            grid,
        )
        self.who = self._place(
            ChoiceBox(),
            ("who",),
            N_("This is for"),
            N_("A company is advised machines of its own or the cloud rather than a single card"),
            grid,
        )
        self.stays = QCheckBox()
        grid.add_check(self.stays, is_row=True)

    def _place_expert_fields(self) -> None:
        context, grid = self._context, self.software.grid
        self.batch = self._place(
            NumberBox(context),
            ("batch_size",),
            N_("Batch size"),
            N_("Examples worked on together in one step; more of them take more memory"),
            grid,
        )
        self.precision = self._place(
            ChoiceBox(),
            ("precision",),
            N_("Precision"),
            N_("How exactly it computes; mixed is faster on most graphics cards"),
            grid,
        )
        self.optimizer = self._place(
            ChoiceBox(),
            ("optimizer",),
            N_("Optimizer"),
            N_("The rule by which the network learns; some take more memory"),
            grid,
        )
        self.software.follow((self.batch, self.precision, self.optimizer))

    def _place(
        self,
        box: W,
        facts: tuple[str, ...],
        name: str,
        hint: str,
        grid: FieldGrid | None = None,
        *,
        is_row: bool = False,
    ) -> W:
        grid = grid or self._grid
        grid.add(label("body", wrap=False), box, self.marks.add(box, facts), is_row=is_row)
        self._named.append((grid, box, name, hint))
        if isinstance(box, QComboBox):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(_LEAST_LETTERS)
        return box

    def _layers_panel(self) -> QWidget:
        self.layers_panel = QWidget()
        self.layers_caption = label("body")
        self.layers = QPlainTextEdit()
        self.layers.setFixedHeight(_LAYERS_HEIGHT)
        self.layers.setTabChangesFocus(True)
        self.layers.setAcceptDrops(False)  # a file is for the window, not its path for the field
        self.layers_caption.setBuddy(self.layers)
        self.layers_fault = label("error")
        self.layers_fault.hide()
        self.use_layers = button("plain", self._on_layers)
        column = QVBoxLayout(self.layers_panel)
        column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(self.layers_fault, 1)
        row.addWidget(self.use_layers)
        for widget in (self.layers_caption, self.layers):
            column.addWidget(widget)
        column.addLayout(row)
        self.layers_panel.hide()
        return self.layers_panel

    def _set_limits(self) -> None:
        for box, least, most, decimals in (  # as in files that describe a job
            (self.classes, 1, 1e6, 0),  # without any, the field is not asked
            (self.batch, 1, 1e8, 0),
            (self.epochs, 10**-EPOCH_DECIMALS, 1e6, EPOCH_DECIMALS),
            (self.sample_size, 0, _LARGEST, 0),
            (self.budget, 0, 1e12, 0),
            (self.months, 0.1, 600, 1),
        ):
            box.setDecimals(decimals)
            box.setRange(least, most)
        self.budget.setSingleStep(50.0)
        for choices, rows in self._lists():
            for value, text in rows:
                choices.addItem(text, value)

    def _lists(self) -> tuple[tuple[QComboBox, tuple[tuple[str, str], ...]], ...]:
        return (
            (self.precision, _PRECISIONS),
            (self.who, _WHO),
            (self.method, _METHODS),
            (self.optimizer, _OPTIMIZERS),
        )

    def _connect(self) -> None:
        self.classes.valueChanged.connect(lambda n: self._change_workload(classes=int(n)))
        self.epochs.valueChanged.connect(lambda n: self._change_workload(epochs=n))
        self.batch.valueChanged.connect(lambda n: self._change_workload(batch_size=int(n)))
        self.precision.currentIndexChanged.connect(
            lambda: self._change_workload(precision=self.precision.currentData())
        )
        self.optimizer.currentIndexChanged.connect(
            lambda: self._change_workload(optimizer=self.optimizer.currentData())
        )
        self.method.currentIndexChanged.connect(lambda: self._change_workload(method=self.method.currentData()))
        self.network.currentIndexChanged.connect(lambda _index: self._on_network())
        self.sample_size.valueChanged.connect(self._on_size)
        self.budget.valueChanged.connect(self._change_budget)
        self.months.valueChanged.connect(lambda n: self._change_circumstances(horizon_months=n))
        self.who.currentIndexChanged.connect(lambda: self._change_circumstances(who=self.who.currentData()))
        self.software.changed.connect(lambda fields: self._change_workload(**fields))
        self.renting.changed.connect(lambda facts: self._change_circumstances(**facts))
        self.marks.wanted_back.connect(self._show_changed)
        self.stays.toggled.connect(lambda on: self._change_circumstances(data_must_stay=on))

    def fill(self) -> None:
        """Show the question's numbers."""
        workload = self._question.workload
        if workload is None:
            return
        self._is_filling = True
        try:
            self._fill_job(workload)
            self._fill_circumstances(self._question.circumstances)
        finally:
            self._is_filling = False
        self.marks.show_changes()

    def _fill_circumstances(self, circumstances: Circumstances) -> None:
        self.budget.show_value((circumstances.budget_usd or 0.0) / self._question.usd_per_shown_unit)
        self.months.show_value(circumstances.horizon_months)
        _choose(self.who, circumstances.who)
        self.stays.setChecked(circumstances.data_must_stay)
        self.renting.fill(circumstances)

    def _fill_job(self, workload: Workload) -> None:
        is_deep = workload.method != "classical"
        self.classes.show_value(workload.classes or 1)  # none: the field is not shown
        self._grid.offer(self.classes, is_asked=bool(workload.classes))
        self.epochs.show_value(workload.epochs)
        self._hint_epochs()
        self.batch.show_value(workload.batch_size)
        least, most = self._question.size_limits
        self.sample_size.least_written = least
        self.sample_size.setMaximum(most or _LARGEST)
        self.sample_size.show_value(self._question.size or 0)
        _choose(self.precision, workload.precision)
        _choose(self.optimizer, workload.optimizer)
        _choose(self.method, workload.method if is_deep else _METHODS[0][0])
        self._fill_networks(workload.network)
        self.software.fill(
            workload,
            has_attention=self._question.has_attention,
            has_pictures=self._question.sample_kind == "image",
            threads=self._question.threads,
        )
        for box in (self.epochs, self.method):  # trees are not trained so; what else they lack is in a folded panel
            self._grid.offer(box, is_asked=is_deep)
        is_from_file = self._question.own_network is not None and self.program.has_file
        self._show_own(OWN_NETWORK if workload.layers else OWN_PROGRAM if is_from_file else "")
        self.sample_size.setEnabled(self._question.own_network is None)
        if workload.layers:
            self.layers.setPlainText(text_of(workload.layers))
        self._name_size()

    def _title_of(self, name: str) -> str:
        """Return what a network is called that no catalogue of the form has."""
        from advisor.catalog.named_networks import known_network  # the window appears before the catalogue is read

        workload = self._question.workload
        if workload is not None and self._question.own_network is not None:
            return workload.title or name
        entry = known_network(name)
        return name if entry is None else entry.title or entry.name

    def _fill_networks(self, current: str) -> None:
        language, known = self._context.language, self._question.networks
        others = () if current in {OWN_NETWORK, OWN_PROGRAM, *known} else (current,)  # of the user's own program
        offered = (language.code, *known, *others)
        if self._offered != offered:
            self._offered = offered
            self.network.clear()
            for name, text in self._own:
                self.network.add_choice(language.gettext(text), name)
            for name in others:
                self.network.add_choice(self._title_of(name), name)
            for title, names in network_groups(known, language):
                self.network.add_group(title)
                for name in names:
                    text = network_choice(name, self._question.parameters.get(name, 0), language)
                    self.network.add_choice(text, name)
        self.network.setCurrentIndex(self.network.findData(current))

    # --- what the user does ---

    def _change_workload(self, **numbers: object) -> None:
        if not self._is_filling:
            self._question.change_workload(**numbers)
            self._on_changed()

    def _change_circumstances(self, **facts: object) -> None:
        if not self._is_filling:
            self._question.change_circumstances(**facts)
            self._on_changed()

    def _on_changed(self) -> None:
        self.marks.show_changes()
        self._hint_epochs()
        self.edited.emit()

    def _show_changed(self) -> None:
        self.fill()
        self.edited.emit()

    def _change_budget(self, amount: float) -> None:
        self._change_circumstances(budget_usd=amount * self._question.usd_per_shown_unit if amount > 0 else None)

    def _on_size(self, size: float) -> None:
        if not self._is_filling:
            self._question.change_size(int(size) or None)
            self._on_changed()

    def choose_program(self, path: Path | None = None, function: str = "") -> None:
        """Choose the user's own Python file as the network; nothing of it is run yet."""
        self.network.setCurrentIndex(self.network.findData(OWN_PROGRAM))
        if path is not None:
            self.program.set_file(path, function)

    def _on_network(self) -> None:
        if self._is_filling or self.network.currentData() is None:
            return
        name = self.network.currentData()
        if name == OWN_PROGRAM and not self._runs_programs:
            self.fill()
            self.program_wanted.emit()
            return
        self._show_own(name)
        if name == OWN_PROGRAM:
            self.program.choose.setFocus()
            bring_into_view(self.program)
            return
        if name == OWN_NETWORK:
            if not self.layers.toPlainText():
                self.layers.setPlainText(EXAMPLE)
            self.layers.setFocus()
            bring_into_view(self.layers_panel)
            return
        self._question.change_network(name)
        self._show_changed()

    def _on_layers(self) -> None:
        try:
            layers = layers_of(self.layers.toPlainText())
        except AdvisorError as error:
            self._fault = error
            self.layers_fault.setText(error.sentence(self._context.gettext))
            self.layers_fault.show()
            return
        self.layers_fault.hide()
        self._question.change_layers(layers)
        self._show_changed()

    def commit(self) -> bool:
        """Take over what was begun, and return whether the question is whole: one's own network must be known first."""
        chosen, workload = self.network.currentData(), self._question.workload
        if workload is None or self.isHidden():
            return True
        if chosen == OWN_NETWORK and not workload.layers:
            self._on_layers()
            return self.layers_fault.isHidden()
        if chosen == OWN_PROGRAM:  # once it has run, its own name is chosen
            self.program.ask_for_run()
            return False
        return True

    def _show_own(self, kind: str) -> None:
        """Show the panel of one's own layers or of one's own file, or neither."""
        self.layers_panel.setVisible(kind == OWN_NETWORK)
        self.program.setVisible(kind == OWN_PROGRAM)
        self.sample_size.setEnabled(kind != OWN_PROGRAM)  # its panel asks for it, then its file has settled it
        if kind != OWN_NETWORK:
            self.layers_fault.hide()

    # --- words ---

    def _name_size(self) -> None:
        _ = self._context.gettext
        name, hint, unit = _SIZE_NAMES[self._question.sample_kind]
        self._grid.name(self.sample_size, _(name), _(hint))
        self.marks.name(self.sample_size, _(name))
        self.sample_size.set_unit(unit and _(unit))
        self.sample_size.setSpecialValueText(_("default"))

    def _hint_epochs(self) -> None:
        """Say why so many stand there, and how many are usual, where somebody publishes it."""
        _ = self._context.gettext
        _grid, _box, name, hint = next(row for row in self._named if row[1] is self.epochs)
        shown, whole = epochs_hint(self._question, _(hint), self._context.language)
        self._grid.name(self.epochs, _(name), whole, shown)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self._job_title.setText(_("The training"))
        self._user_title.setText(_("What you can spend, and for what"))
        for grid, box, name, hint in self._named:
            grid.name(box, _(name), _(hint))
            self.marks.name(box, _(name))
        for choices, rows in self._lists():
            for position, (_value, text) in enumerate(rows):
                choices.setItemText(position, _(text))
        if self.network.count():
            self._is_filling = True
            self._fill_networks(self.network.currentData())
            self._is_filling = False
        self._name_size()
        self._hint_epochs()
        self._of_user.name(
            self.stays,
            _("My data must stay on my own hardware (no cloud)"),
            _("Leaves out everything that would have to be rented"),
        )
        self.budget.setSpecialValueText(_("no limit"))
        self.budget.set_unit(self._question.currency)
        self.layers_caption.setText(
            _("One layer a line: its kind, its size, and what differs from the usual, such as kernel=5 or x4.")
        )
        self.layers_fault.setText("" if self._fault is None else self._fault.sentence(_))
        self.layers.setAccessibleName(_("Layers of your network"))
        self.layers.setAccessibleDescription(self.layers_caption.text())
        self.use_layers.setText(_("Use these layers"))
        self.use_layers.setAccessibleDescription(_("Makes the lines above the network of this job"))
        self._align()


def _choose(box: QComboBox, value: str) -> None:
    """Choose an entry; what only files hold, such as ``tf32``, gets one under its plain name."""
    if box.findData(value) < 0:
        box.addItem(value, value)
    box.setCurrentIndex(box.findData(value))
