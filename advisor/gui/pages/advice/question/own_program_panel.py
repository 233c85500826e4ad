"""A network in the user's own Python file: chosen, and run only after the user has read what that means."""

from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from advisor.errors import TraceError
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import Problem
from advisor.gui.widgets.basic import GRID, bring_into_view, button, label
from advisor.gui.widgets.fields import ChoiceBox, NumberBox
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.locale import N_

_KINDS = (("image", N_("pictures")), ("sequence", N_("texts")), ("", N_("what the file says itself")))
_USUAL_SIZES = {"image": 224, "sequence": 128}
_MOST = 1_000_000
_RUNNING = N_("Running it in a process of its own: {seconds} s. It is ended after {limit} s at most.")


class OwnProgramPanel(QWidget):
    """Which file, which function in it, and of what size its samples are.

    Signals:
        wanted: The user wants the file run: its path and function, the kind of its samples, their size.
    """

    wanted = Signal(str, str, int)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._path: Path | None = None
        self._is_running = False
        self.warning = label("warning")
        self.choose = button("plain", self._on_choose)
        self.function_label, self.kind_label, self.size_label = (label("body", wrap=False) for _n in range(3))
        self.function = QLineEdit("build")
        self.function.setAcceptDrops(False)  # a file is for the window, not its path for the field
        self.kind = ChoiceBox()
        for kind, text in _KINDS:
            self.kind.addItem(text, kind)
        self.sample_size = NumberBox(context, 1, _MOST)
        self.run = button("primary", self._on_run)
        self.stop = button("plain")
        self.stop.hide()
        self.stop.clicked.connect(self._on_stop)
        self._clock = QTimer(self)
        self._clock.setInterval(1000)
        self._clock.timeout.connect(self._on_second)
        self._seconds = 0
        self.state = label("muted")
        self._state = ""
        self.chosen = label("strong", wrap=False)
        self.problem = ProblemCard(context)
        self._build()
        self.kind.currentIndexChanged.connect(lambda _index: self._on_kind())
        context.language_changed.connect(self.retranslate)
        self._on_kind()
        self.retranslate()

    def _build(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        fields = (
            (self.function_label, self.function),
            (self.kind_label, self.kind),
            (self.size_label, self.sample_size),
        )
        for row, (words, field) in enumerate(fields):
            words.setBuddy(field)
            grid.addWidget(words, row, 0)
            grid.addWidget(field, row, 1)
        grid.setColumnStretch(2, 1)
        first, last = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self.choose)
        first.addWidget(self.chosen, 1)
        last.setSpacing(GRID)
        last.addWidget(self.run)
        last.addWidget(self.stop)
        last.addWidget(self.state, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.warning)
        column.addLayout(first)
        column.addLayout(grid)
        column.addLayout(last)
        column.addWidget(self.problem)

    @property
    def has_file(self) -> bool:
        """Whether a file was named here."""
        return self._path is not None

    # --- what the user does ---

    def _on_choose(self) -> None:
        _ = self._context.gettext
        name, _kind = QFileDialog.getOpenFileName(self, _("Choose a Python file"), "", _("Python (*.py)"))
        if name:
            self.set_file(Path(name))

    def set_file(self, path: Path, function: str = "") -> None:
        """Name a file, and the function in it where it is known; nothing of it is run before the user says so."""
        self._path = path
        if function:
            self.function.setText(function)
        self._show_state("")
        self.problem.dismiss()
        self.retranslate()
        self.run.setFocus()

    def _on_kind(self) -> None:
        kind = self.kind.currentData()
        self.sample_size.setValue(_USUAL_SIZES.get(kind, 1))
        self.sample_size.setEnabled(bool(kind))

    def _on_run(self) -> None:
        if self._path is not None:
            self.show_running(is_running=True)
            self.wanted.emit(
                f"{self._path}:{self.function.text().strip()}", self.kind.currentData(), int(self.sample_size.value())
            )

    def show_running(self, *, is_running: bool) -> None:
        """Say that the file runs, or that it has ended."""
        self.problem.dismiss()
        self._is_running = is_running
        self.run.setEnabled(not is_running and self._path is not None)
        self.choose.setEnabled(not is_running)
        self.stop.setVisible(is_running)
        self.stop.setEnabled(is_running)
        self._seconds = 0
        if is_running:
            self._clock.start()
            self.stop.setFocus()
        else:
            self._clock.stop()
        self._show_state(_RUNNING if is_running else "")

    def _on_second(self) -> None:
        self._seconds += 1
        self._show_state(self._state)

    def _on_stop(self) -> None:
        self.stop.setEnabled(False)
        self._show_state(N_("Stopping …"))

    def show_loaded(self) -> None:
        """Say that the file's network is the job's now."""
        self.show_running(is_running=False)
        self._show_state(N_("Done: this job trains the network of this file."))

    def show_problem(self, problem: Problem) -> None:
        """Say why the file gives no network, beside the button that ran it."""
        self.show_running(is_running=False)
        if isinstance(problem.error, TraceError) and problem.error.code == "stopped":
            self._show_state(N_("Stopped. Run it again, or choose another file."))
            return
        self.problem.show_problem(problem, N_("This file does not define a network."))
        bring_into_view(self.problem)

    def ask_for_run(self) -> None:
        """Say that the file must be run, or come to its end, before it can be asked about."""
        bring_into_view(self)
        if self._is_running:
            self.stop.setFocus()
            return
        self._show_state(N_("Run your file first, or choose another network above."))
        (self.choose if self._path is None else self.run).setFocus()

    # --- words ---

    def _show_state(self, state: str) -> None:
        self._state = state
        text = self._context.gettext(state) if state else ""  # gettext("") is the catalogue's head
        if state == _RUNNING:
            from advisor.benchmark.running.own_network import TRACE_S

            number = self._context.language.number
            text = text.format(seconds=number(self._seconds), limit=number(TRACE_S))
        self.state.setText(text)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.warning.setText(
            _("To see its network, the file's code is run on this computer. Choose only a file that you trust.")
        )
        self.choose.setText(_("Choose a Python file …"))
        self.choose.setAccessibleDescription(_("Only names it; nothing is run yet"))
        self.chosen.setText("" if self._path is None else self._path.name)
        file = "…" if self._path is None else self._path.name
        self.run.setText(_("Run {file}").format(file=file))
        self.run.setAccessibleDescription(self.warning.text())
        self.run.setEnabled(self._path is not None and not self._is_running)
        self.stop.setText(_("Stop"))
        self.stop.setAccessibleDescription(_("Ends the file that runs"))
        self._show_state(self._state)
        self.function_label.setText(_("Function that makes it"))
        self.kind_label.setText(_("It takes"))
        self.size_label.setText(_("Size of a sample"))
        for position, (_kind, text) in enumerate(_KINDS):
            self.kind.setItemText(position, _(text))
        for field, words, description in (
            (self.function, self.function_label, _("Its name in the file; it returns the network")),
            (self.kind, self.kind_label, _("What one sample of your data is")),
            (self.sample_size, self.size_label, _("Edge of a picture in pixels, or length of a text in tokens")),
        ):
            field.setAccessibleName(words.text())
            field.setAccessibleDescription(description)
            field.setToolTip(description)
