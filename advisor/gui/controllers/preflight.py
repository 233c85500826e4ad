"""Before a measurement: what would spoil it now is said first, and the user chooses to wait or to measure anyway."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from advisor.gui.backend import Backend
from advisor.gui.base.context import Context
from advisor.gui.base.settings import Settings
from advisor.gui.base.tasks import Background
from advisor.gui.base.threads import Problem
from advisor.gui.base.timers import single_shot
from advisor.gui.widgets.basic import GRID, button, label
from advisor.report.words.problems import DOUBTS, doubt_sentence

if TYPE_CHECKING:
    from advisor.probe import Interference

LOOK_AGAIN_MS = 4000
_WIDTH = 68 * GRID


class Readiness(QObject):
    """Looks at the computer before each check; lets it begin at once where nothing is in the way."""

    def __init__(self, backend: Backend, background: Background, context: Context, settings: Settings) -> None:
        super().__init__()
        self._backend = backend
        self._background = background
        self._context = context
        self._settings = settings
        self._begin: Callable[[], None] | None = None
        self._is_resting = False
        self.dialog: DoubtDialog | None = None
        self._again = single_shot(self, LOOK_AGAIN_MS, self._look)

    @property
    def is_asking(self) -> bool:
        """Whether a check waits for the user or for the computer."""
        return self._begin is not None

    def ask(self, begin: Callable[[], None], window: QWidget) -> None:
        """Begin a check as soon as nothing speaks against it, or the user wants it all the same.

        Args:
            begin: Called then; never, where the user decides against it.
            window: The one the question belongs to.
        """
        if self._begin is not None:
            return
        if not self._settings.warns_before:
            begin()
            return
        self._begin = begin
        self._window = window
        self._look()

    def rest(self) -> None:
        """Ask nothing more, because the window closes."""
        self._is_resting = True
        self._give_up()

    def _look(self) -> None:
        if self._begin is not None:
            self._background.run(self._backend.surroundings, "conditions", self._on_found, self._on_failed)

    def _on_found(self, found: "Interference") -> None:
        if self._begin is None or self._is_resting:
            return
        if not any(one.kind in DOUBTS for one in found.conditions):
            self._go()
            return
        if self.dialog is None:
            self.dialog = DoubtDialog(self._context, self._window)
            self.dialog.wanted.clicked.connect(self._go)
            self.dialog.waited.clicked.connect(self._wait)
            self.dialog.rejected.connect(self._give_up)
            self.dialog.open()
        self.dialog.show_doubts(found)
        if self.dialog.is_waiting:
            self._again.start()

    def _on_failed(self, _problem: Problem) -> None:
        """Measure: whatever keeps the computer from being looked at does not keep it from being measured."""
        self._go()

    def _wait(self) -> None:
        if self.dialog is not None:
            self.dialog.show_waiting()
            self._again.start()

    def _go(self) -> None:
        begin = self._begin
        self._close()
        if begin is not None and not self._is_resting:
            begin()

    def _give_up(self) -> None:
        self._close()

    def _close(self) -> None:
        self._begin = None
        self._again.stop()
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.close()
            dialog.deleteLater()


class DoubtDialog(QDialog):
    """What would spoil the measurement, and what to do about it."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._found: Interference | None = None
        self.is_waiting = False
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.title = label("title")
        self.reasons = label("body")
        self.effect = label("muted")
        self.wanted = button("plain")
        self.waited = button("primary")
        self.refused = button("plain", self.reject)
        row = QHBoxLayout()
        row.addWidget(self.refused)
        row.addStretch(1)
        row.addWidget(self.wanted)
        row.addWidget(self.waited)
        column = QVBoxLayout(self)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)  # as high as the texts are, at the set width
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 3 * GRID)
        column.setSpacing(2 * GRID)
        for widget in (self.title, self.reasons, self.effect):
            widget.setFixedWidth(_WIDTH)
            column.addWidget(widget)
        column.addLayout(row)
        self.waited.setDefault(True)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def show_doubts(self, found: "Interference") -> None:
        """Say what is in the way now, and which programs are."""
        self._found = found
        self.retranslate()

    def show_waiting(self) -> None:
        """Say that the check begins by itself."""
        self.is_waiting = True
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setWindowTitle(_("Before measuring"))
        self.title.setText(_("Measurements would be worse than this computer can do."))
        self.reasons.setText("\n".join(self._sentences()))
        self.effect.setText(
            _("Waiting. The check begins by itself when this is over.")
            if self.is_waiting
            else _("You can measure anyway: each result then says what was in the way.")
        )
        self.wanted.setText(_("Measure anyway"))
        self.waited.setText(_("Wait until it is over"))
        self.waited.setEnabled(not self.is_waiting)
        self.refused.setText(_("Do not measure"))

    def _sentences(self) -> Iterator[str]:
        """Yield what is in the way now."""
        if self._found is not None:
            for one in self._found.conditions:
                if one.kind in DOUBTS:
                    yield doubt_sentence(one, self._found.programs, self._context.language)
