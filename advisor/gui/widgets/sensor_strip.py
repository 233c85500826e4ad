"""Gauges of the processor, memory, cards and heat beside a running check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, FlowLayout, label

if TYPE_CHECKING:
    from advisor.gui.models.live.gauges import Gauge
    from advisor.records.hardware.telemetry import TelemetrySample

_WIDTH = 28 * GRID
_FULL = 100


class SensorStrip(QWidget):
    """Shows what the sensors said last; hidden while they say nothing.

    A gauge is made once and then only changed, and only where its words changed: painting costs what is measured.
    """

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._seen: TelemetrySample | None = None
        self.gauges: list[_Gauge] = []
        self._flow = FlowLayout(2 * GRID)
        self.setLayout(self._flow)
        self.hide()
        context.language_changed.connect(self.retranslate)

    def show_sample(self, latest: TelemetrySample | None) -> None:
        """Show a sample; None: the sensors say nothing."""
        if latest is not self._seen:
            self._seen = latest
            self.retranslate()

    def retranslate(self) -> None:
        """Show what was seen last in the language of the moment."""
        if self._seen is None:
            self.hide()
            return
        from advisor.gui.models.live.gauges import gauges  # not before the window is seen

        shown = gauges(self._seen, self._context.language)
        while len(self.gauges) < len(shown):
            self.gauges.append(_Gauge(self._context))
            self._flow.addWidget(self.gauges[-1])
        for place, made in enumerate(self.gauges):
            made.setVisible(place < len(shown))
            if place < len(shown):
                made.show_gauge(shown[place])
        self.setVisible(bool(shown))


class _Gauge(QWidget):
    """A name, a value and a bar; as wide as the others, so that no number moves its neighbours."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.name, self.value, self.bar = label("muted", wrap=False), label("muted", wrap=False), QProgressBar()
        self.bar.setRange(0, _FULL)
        self.bar.setTextVisible(False)
        words = QHBoxLayout()
        words.addWidget(self.name, 1)
        words.addWidget(self.value)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(words)
        column.addWidget(self.bar)

    def show_gauge(self, gauge: Gauge) -> None:
        """Show a value."""
        self.setFixedWidth(round(_WIDTH * self._context.text_scale))
        if gauge.name != self.name.text():
            self.name.setText(gauge.name)
            self.bar.setAccessibleName(gauge.name)
        if gauge.text != self.value.text():
            self.value.setText(gauge.text)
            self.bar.setAccessibleDescription(gauge.text)
        self.bar.setValue(round(_FULL * min(max(gauge.share, 0.0), 1.0)))
