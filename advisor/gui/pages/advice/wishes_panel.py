"""What renting costs beside the hours of a run, as far as the user knows: folded away, for most leave it as it is."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.pages.advice.change_marks import ChangeMarks
from advisor.gui.widgets.basic import GRID, bring_into_view, button, label
from advisor.gui.widgets.fields import NumberBox
from advisor.locale import N_
from advisor.records.job.workload import Circumstances
from advisor.units import BYTES_PER_MBIT, MINUTE_S

_MOST_MINUTES, _MOST_MBIT, _MOST_TRIES = 10_000, 1e6, 1e6


class WishesPanel(QWidget):
    """Fields for work before each run, the line to a provider, and runs that fail.

    Signals:
        changed: Fields of the circumstances and their new values.
    """

    changed = Signal(dict)

    def __init__(self, context: Context, marks: ChangeMarks) -> None:
        super().__init__()
        self._context = context
        self._marks = marks
        self._is_filling = False
        self.toggle = button("link", self._on_toggle)
        self.fields = QWidget()
        self.fields.hide()
        self.setup = NumberBox(context, 0, _MOST_MINUTES, 1)
        self.upload = NumberBox(context, 0, _MOST_MBIT, 1)
        self.download = NumberBox(context, 0, _MOST_MBIT, 1)
        self.tries = NumberBox(context, 0, _MOST_TRIES)
        self._captions: list[tuple[QLabel, NumberBox, str, str]] = []
        self._build()
        for box in (self.setup, self.upload, self.download, self.tries):
            box.valueChanged.connect(lambda _value: self._on_edited())
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        whole.addWidget(self.fields)
        grid = QGridLayout(self.fields)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(GRID)
        for column in (1, 4):
            grid.setColumnStretch(column, 1)
        rows = (
            (
                self.setup,
                "setup_s",
                N_("Set-up before each run"),
                N_("Your own work on a rented machine while it is paid"),
            ),
            (self.upload, "upload_bytes_per_s", N_("Upload speed"), N_("Of your line; 0 means an ordinary one")),
            (
                self.download,
                "download_bytes_per_s",
                N_("Download speed"),
                N_("Of your line, for weights and results; 0 means an ordinary one"),
            ),
            (
                self.tries,
                "failed_tries",
                N_("Failed runs"),
                N_("Runs in the whole time that have to be done once more"),
            ),
        )
        for number, (box, fact, name, hint) in enumerate(rows):
            caption = label("body", wrap=False)
            caption.setBuddy(box)
            row, column = number // 2, 3 * (number % 2)
            grid.addWidget(caption, row, column)
            grid.addWidget(box, row, column + 1)
            grid.addWidget(self._marks.add(box, (fact,)), row, column + 2)
            self._captions.append((caption, box, name, hint))

    def _on_toggle(self) -> None:
        self.fields.setVisible(self.fields.isHidden())
        self._name_toggle()
        if self.fields.isVisible():
            bring_into_view(self)

    def _on_edited(self) -> None:
        if self._is_filling:
            return
        self.changed.emit(
            {
                "setup_s": self.setup.value() * MINUTE_S,
                "upload_bytes_per_s": self.upload.value() * BYTES_PER_MBIT or None,
                "download_bytes_per_s": self.download.value() * BYTES_PER_MBIT or None,
                "failed_tries": self.tries.value(),
            }
        )

    def fill(self, circumstances: Circumstances) -> None:
        """Show what the question says of renting."""
        self._is_filling = True
        self.setup.show_value(circumstances.setup_s / MINUTE_S)
        self.upload.show_value((circumstances.upload_bytes_per_s or 0.0) / BYTES_PER_MBIT)
        self.download.show_value((circumstances.download_bytes_per_s or 0.0) / BYTES_PER_MBIT)
        self.tries.show_value(circumstances.failed_tries)
        self._is_filling = False

    def _name_toggle(self) -> None:
        text = self._context.gettext("Advanced: what renting takes")
        self.toggle.setText(f"{'▸' if self.fields.isHidden() else '▾'}  {text}")
        self.toggle.setAccessibleName(text)
        self.toggle.setAccessibleDescription(
            self._context.gettext("Set-up, your line and failed runs; they make renting slower and dearer")
        )

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self._name_toggle()
        for caption, box, name, hint in self._captions:
            caption.setText(_(name))
            caption.setToolTip(_(hint))
            box.setToolTip(_(hint))
            box.setAccessibleName(_(name))
            box.setAccessibleDescription(_(hint))
            self._marks.name(box, _(name))
        self.setup.set_unit(_("min"))
        for box in (self.upload, self.download):
            box.set_unit(_("Mbit/s"))
            box.setSpecialValueText(_("an ordinary line"))
