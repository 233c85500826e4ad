"""How the user's program runs the job, as far as known: who loads the data, how old the framework is, and more."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from advisor.gui.base.context import Context
from advisor.gui.pages.advice.question.folded_fields import FoldedFields
from advisor.gui.widgets.fields import ChoiceBox
from advisor.locale import N_
from advisor.records.job.workload import Workload

_LOADERS = (None, 0, 1, 2, 4, 8, 16)
_YEARS = (
    (None, N_("not known")),
    (2024, N_("2022 or later")),
    (2020, N_("2018 to 2021")),
    (2017, N_("2017 or before")),
)
_ATTENTION = (
    (None, N_("default")),
    ("fused", N_("in one kernel (fused)")),
    ("decomposed", N_("step by step (eager)")),
)
_LEAST_LETTERS = 10


class SoftwarePanel(FoldedFields):
    """Fields for what changes the time of a job without changing its network; what is not known widens the answer."""

    TITLE = N_("Advanced: batch size, precision, and how your code runs")
    ABOUT = N_("Loading of the data, age of the framework, and more; narrows the answer")
    LEAD = N_("Leave what you don't know as it is: the answer then assumes the usual value and gives a wider range.")

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._threads: int | None = None
        self.loaders, self.year, self.attention = ChoiceBox(), ChoiceBox(), ChoiceBox()
        self.channels_last, self.compiled = QCheckBox(), QCheckBox()
        self._build()
        for count in _LOADERS:
            self.loaders.addItem("", count)
        for box, rows in ((self.year, _YEARS), (self.attention, _ATTENTION)):
            for value, text in rows:
                box.addItem(text, value)
        self._connect()
        self.retranslate()

    def _build(self) -> None:
        fields = (
            (
                self.loaders,
                N_("Photos loaded by"),
                N_("Called num_workers in PyTorch; a computer never uses more than it has threads"),
            ),
            (self.year, N_("Year of the framework"), N_("Of PyTorch and its libraries; older ones are slower")),
            (
                self.attention,
                N_("Attention"),
                N_("Of transformers; one kernel is faster and needs less memory"),
            ),
        )
        for box, name, hint in fields:
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(_LEAST_LETTERS)
            self.add_field(box, name, hint)
        for check in (self.channels_last, self.compiled):
            self.grid.add_check(check)

    def follow(self, boxes: Sequence[QWidget]) -> None:
        """Put fields before those made here, for the keyboard, too."""
        self.grid.put_first(boxes)
        for before, after in pairwise((self.toggle, *boxes, self.loaders)):
            QWidget.setTabOrder(before, after)

    def _connect(self) -> None:
        self.loaders.currentIndexChanged.connect(lambda: self.emit_changed(loaders=self.loaders.currentData()))
        self.year.currentIndexChanged.connect(lambda: self.emit_changed(framework_year=self.year.currentData()))
        self.attention.currentIndexChanged.connect(lambda: self.emit_changed(attention=self.attention.currentData()))
        self.channels_last.toggled.connect(lambda on: self.emit_changed(channels_last=on))
        self.compiled.toggled.connect(lambda on: self.emit_changed(compiled=on))

    def fill(
        self,
        workload: Workload,
        *,
        has_attention: bool = True,
        has_pictures: bool = True,
        threads: int | None = None,
    ) -> None:
        """Show what is known of the program of a job, and how much of it counts with so many threads as are here."""
        self._is_filling = True
        if threads != self._threads:
            self._threads = threads
            self._name_loaders()
        self.grid.offer(self.attention, is_asked=has_attention)
        self.grid.offer(self.channels_last, is_asked=has_pictures)
        self.grid.offer(self.loaders, is_asked=workload.input_kind == "jpeg")
        self._choose_loaders(workload.loaders)
        self.year.setCurrentIndex(_row_of_year(workload.framework_year))
        self.attention.setCurrentIndex(max(0, self.attention.findData(workload.attention)))
        self.channels_last.setChecked(workload.channels_last)
        self.compiled.setChecked(workload.compiled)
        self.setVisible(workload.method != "classical")
        self._is_filling = False

    def _choose_loaders(self, count: int | None) -> None:
        if self.loaders.findData(count) < 0:  # such as 6, from a file
            self.loaders.addItem(self._loader_text(count), count)
        self.loaders.setCurrentIndex(self.loaders.findData(count))

    def _loader_text(self, count: int | None) -> str:
        _, ngettext = self._context.gettext, self._context.language.ngettext
        if count is None:
            return _("not known")
        if count == 0:
            return _("the program itself")
        text = ngettext("{n} process", "{n} processes", count)
        if self._threads is not None and count > self._threads:
            text = _("{n} processes (only {most} help here)")
        return text.format(n=count, most=self._threads)

    def _name_loaders(self) -> None:
        for row in range(self.loaders.count()):
            self.loaders.setItemText(row, self._loader_text(self.loaders.itemData(row)))

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        super().retranslate()
        _ = self._context.gettext
        self._name_loaders()
        for choices, rows in ((self.year, _YEARS), (self.attention, _ATTENTION)):
            for row, (_value, text) in enumerate(rows):
                choices.setItemText(row, _(text))
        for check, name, hint in (
            (
                self.channels_last,
                _("Channels-last memory layout"),
                _("Another order of the pixels in memory; faster on recent cards. PyTorch calls it channels_last"),
            ),
            (
                self.compiled,
                _("Compile the network"),
                _("With torch.compile; joins small operations into fewer, faster ones"),
            ),
        ):
            self.grid.name(check, name, hint)


def _row_of_year(year: int | None) -> int:
    """Return the row of the years that a year belongs to."""
    if year is None:
        return 0
    return 1 if year >= 2022 else 2 if year >= 2018 else 3
