"""Which options are shown: by name, maker, kind of card, memory and money."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.options.filters import OptionFilter, vendors_of
from advisor.gui.models.options.groups import ORDERS, ROWS
from advisor.gui.widgets.basic import GRID, FlowLayout, button
from advisor.gui.widgets.fields import ChoiceBox, NumberBox
from advisor.locale import N_
from advisor.records.results.report import Report
from advisor.units import GIB

MAKERS = {"amd": "AMD", "apple": "Apple", "google": "Google", "intel": "Intel", "nvidia": "NVIDIA"}
FAMILIES = (
    ("consumer", N_("for home computers")),
    ("professional", N_("for workstations")),
    ("datacenter", N_("for data centres")),
)
_MEMORIES_GIB = (8, 12, 16, 24, 32, 48, 80, 128)
_SEARCH_WIDTH, _MONEY_WIDTH = 16 * GRID, 26 * GRID


class OptionFilterBar(QWidget):
    """Fields that narrow the list of options.

    Signals:
        changed: ``wanted`` is another one.

    Attributes:
        wanted: What is asked for.
        order, rows: In which order options stand, and which of them share a row.
        more: Button: shows the fields that few need, or puts them away.
    """

    changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._report: Report | None = None
        self._kind: str | None = None
        self._is_filling = False
        self.wanted = OptionFilter()
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.vendor, self.family, self.memory = ChoiceBox(), ChoiceBox(), ChoiceBox()
        self.money = NumberBox(context, most=1e9)
        self.money.setSingleStep(100.0)
        self.feasible = QCheckBox()
        self.order, self.rows = ChoiceBox(), ChoiceBox()
        for box, choices in ((self.order, ORDERS), (self.rows, ROWS)):
            for code, _text in choices:
                box.addItem("", code)
        flow = FlowLayout()
        self.setLayout(flow)
        self.more = button("link", self._unfold)
        self._folded = (self.vendor, self.family, self.memory, self.money, self.rows)
        for widget in (self.search, self.order, self.feasible, *self._folded, self.more):
            flow.addWidget(widget)
        for widget in self._folded:
            widget.hide()
        self._connect()
        context.language_changed.connect(self.retranslate)
        context.theme_changed.connect(self._fit)
        self._fit()
        self.retranslate()

    def _connect(self) -> None:
        self.search.textChanged.connect(lambda _text: self._on_changed())
        for box in (self.vendor, self.family, self.memory):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.currentIndexChanged.connect(lambda _index: self._on_changed())
        for box in (self.order, self.rows):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.activated.connect(lambda _index: self.changed.emit())
        self.money.valueChanged.connect(lambda _amount: self._on_changed())
        self.feasible.toggled.connect(lambda _on: self._on_changed())

    def _fit(self) -> None:
        """Leave room for as many letters in every size of them."""
        self.search.setFixedWidth(round(_SEARCH_WIDTH * self._context.text_scale))
        self.money.setMaximumWidth(round(_MONEY_WIDTH * self._context.text_scale))

    def show_report(self, report: Report, *, keeps_search: bool) -> None:
        """Offer what a report's options have; what was asked for before stays, words only where they are to."""
        self._report = report
        if not keeps_search:
            self._is_filling = True
            self.search.clear()
        self.retranslate()
        self._read_fields()

    def _unfold(self) -> None:
        is_shown = self.vendor.isHidden()
        for widget in self._folded:
            widget.setVisible(is_shown)
        self._name_more()

    def _name_more(self) -> None:
        """Say on the button how many of the fields that are put away narrow the list."""
        _ = self._context.gettext
        wanted = self.wanted
        used = (wanted.vendor, wanted.for_whom, wanted.least_bytes, wanted.most_usd)
        count = sum(each is not None for each in used) if self.vendor.isHidden() else 0
        text = _("More filters") if self.vendor.isHidden() else _("Fewer filters")
        self.more.setText(f"{text} ({self._context.language.number(count)})" if count else text)
        self.more.setAccessibleDescription(_("Shows or hides maker, kind of card, memory, cost and rows"))

    def set_kind(self, kind: str | None) -> None:
        """Show one kind of answer only, or all."""
        self._kind = kind
        self._on_changed()

    def used(self) -> list[str]:
        """Return what narrows the list besides the words and the kind, as the fields say it."""
        boxes = [box.currentText() for box in (self.vendor, self.family, self.memory) if box.currentData() is not None]
        money = [self.money.text()] if self.money.value() > 0 else []
        return [*boxes, *money, *([self.feasible.text()] if self.feasible.isChecked() else [])]

    def clear_search(self) -> None:
        """Search for nothing, and let the user type something else."""
        self.search.clear()
        self.search.setFocus()

    def clear_filters(self) -> None:
        """Let everything through that has the words in its name."""
        self._is_filling = True
        for box in (self.vendor, self.family, self.memory):
            box.setCurrentIndex(0)
        self.money.setValue(0)
        self.feasible.setChecked(False)
        self._is_filling, self._kind = False, None
        self._name_more()
        self._on_changed()

    def _on_changed(self) -> None:
        if not self._is_filling and self._read_fields():
            self.changed.emit()

    def _read_fields(self) -> bool:
        """Read the fields; return whether something else is asked for."""
        per_usd = 1.0 if self._report is None else self._report.currency_per_usd
        wanted = OptionFilter(
            kind=self._kind,
            vendor=self.vendor.currentData(),
            for_whom=self.family.currentData(),
            least_bytes=self.memory.currentData(),
            most_usd=self.money.value() / per_usd if self.money.value() > 0 else None,
            words=self.search.text(),
            is_feasible=self.feasible.isChecked(),
        )
        is_other = wanted != self.wanted
        self.wanted = wanted
        return is_other

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self._is_filling = True
        vendors = () if self._report is None else vendors_of(self._report)
        _fill(self.vendor, _("Any maker"), [(MAKERS.get(one, one), one) for one in vendors])
        _fill(self.family, _("Any kind of card"), [(_(text), code) for code, text in FAMILIES])
        least = _("at least {n} GB")
        _fill(self.memory, _("Any memory"), [(least.format(n=one), one * GIB) for one in _MEMORIES_GIB])
        for box, choices in ((self.order, ORDERS), (self.rows, ROWS)):
            for row, (_code, text) in enumerate(choices):
                box.setItemText(row, _(text))
        self.order.setPlaceholderText(_("As in the table"))  # where a column's title has sorted it otherwise
        currency = "USD" if self._report is None else self._report.circumstances.currency
        self.money.setSpecialValueText(_("Any cost"))
        self.money.setPrefix(_("at most") + " ")
        self.money.set_unit(currency)
        self.search.setPlaceholderText(_("Search"))
        self.feasible.setText(_("Within my limits"))
        for widget, name, description in (
            (self.search, _("Search"), _("Words of a device's or provider's name (Ctrl+F)")),
            (self.vendor, _("Maker"), _("Who makes the device")),
            (self.family, _("Kind of card"), _("For whom the device is made")),
            (self.memory, _("Memory"), _("Least memory of one device")),
            (self.money, _("Cost"), _("Most it may cost over the months of use; 0 means any")),
            (self.order, _("Order"), _("In which order the options stand")),
            (self.rows, _("Rows"), _("Options of the same time and bottleneck can share a row")),
            (self.feasible, _("Only options that meet my limits"), _("Fits, is in time and within the budget")),
        ):
            widget.setAccessibleName(name)
            widget.setAccessibleDescription(description)
            widget.setToolTip(description)
        self._name_more()
        self._is_filling = False


def _fill(box: QComboBox, every: str, rows: list[tuple[str, object]]) -> None:
    """Fill a list, keeping what is chosen."""
    chosen = box.currentData()
    box.clear()
    box.addItem(every, None)
    for text, value in rows:
        box.addItem(text, value)
    box.setCurrentIndex(max(0, box.findData(chosen)) if chosen is not None else 0)
