"""Where this computer stands for the job: a bar of all devices, with this one and those of the answer marked."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolTip, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.verdict import KINDS
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, clear, label
from advisor.gui.widgets.charts.tier_marks import MARK_PX, kind_mark
from advisor.gui.widgets.number_label import Figure, Statement
from advisor.records.results.report import Report
from advisor.report.content.options.place import Place, Placed, place_of, place_sentence
from advisor.report.provenance.predictions import of_time
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities

_HEIGHT, _TICK = 6 * GRID, 2 * GRID
_HERE_PX = 18
_NEAR_PX = 12


class PlaceBar(QWidget):
    """Every device as a line on a scale of time, the slowest at the left; pointing at one names it."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._place: Place | None = None
        self.setFixedHeight(_HEIGHT)

    def show_place(self, place: Place) -> None:
        """Show this computer and all others."""
        self._place = place
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size that any page has."""
        return QSize(30 * GRID, _HEIGHT)

    def _x(self, place: Place, run_s: float) -> float:
        return _HERE_PX / 2 + place.position(run_s) * (self.width() - _HERE_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the scale, a line for each device, and the marks over them."""
        place, theme = self._place, self._context.theme
        if place is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = self.height() / 2
        painter.setPen(QPen(theme.colour("strong_border"), 1))
        painter.drawLine(QPointF(0, middle), QPointF(self.width(), middle))
        line = QColor(theme.colour("muted"))
        line.setAlpha(150)
        painter.setPen(QPen(line, 1.5))
        for one in place.others:
            x = self._x(place, one.run_s)
            painter.drawLine(QPointF(x, middle - _TICK / 2), QPointF(x, middle + _TICK / 2))
        ratio = self.devicePixelRatioF()
        for one in place.others:
            if one.is_named:
                mark = kind_mark(KINDS[one.option.tier], theme, ratio)
                painter.drawPixmap(QPointF(self._x(place, one.run_s) - MARK_PX / 2, 0), mark)
        here = kind_mark("here", theme, ratio, _HERE_PX)
        painter.drawPixmap(QPointF(self._x(place, place.here_s) - _HERE_PX / 2, middle - _HERE_PX / 2), here)
        painter.end()

    def nearest(self, x: float) -> Placed | None:
        """Return the device whose line is near a place of the bar."""
        place = self._place
        if place is None:
            return None
        found = min(place.others, key=lambda one: abs(self._x(place, one.run_s) - x))
        return found if abs(self._x(place, found.run_s) - x) <= _NEAR_PX else None

    def event(self, event: object) -> bool:
        """Name the device under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QHelpEvent.Type.ToolTip:
            found = self.nearest(event.pos().x())
            text = "" if found is None else _caption(found, self._context)
            QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)  # type: ignore[arg-type]  # Qt gives events alone


class PlaceCard(Card):
    """The bar with its ends, what is marked on it, and the sentence; hidden where there is nothing to compare."""

    def __init__(self, context: Context) -> None:
        super().__init__(margin=2 * GRID)
        self._context = context
        self.title = label("title")
        self.sentence = Statement(context)
        self.bar = PlaceBar(context)
        self.slowest, self.fastest = label("muted", wrap=False), label("muted", wrap=False)
        self._marks = FlowLayout(2 * GRID)
        ends = QHBoxLayout()
        ends.addWidget(self.slowest)
        ends.addStretch(1)
        ends.addWidget(self.fastest)
        for part in (self.title, self.sentence, self.bar):
            self.body.addWidget(part)
        self.body.addLayout(ends)
        self.body.addLayout(self._marks)
        self.hide()

    def show_report(self, report: Report) -> None:
        """Show the place of a report's computer."""
        place = place_of(report)
        self.setVisible(place is not None)
        if place is None:
            return
        _ = self._context.gettext
        language = self._context.language
        self.title.setText(_("Where this computer stands"))
        sentence = place_sentence(place, language)
        self.sentence.show_text(sentence, of_time(place.here, report, language))
        self.bar.show_place(place)
        self.bar.setAccessibleName(self.title.text())
        self.bar.setAccessibleDescription(sentence)
        self.slowest.setText(_("slowest"))
        self.fastest.setText(_("fastest"))
        clear(self._marks)
        here = f"{_('This computer')}, {quantities.duration(place.here_s, language)}"
        self._add_mark("here", here, of_time(place.here, report, language))
        for one in place.others:
            if one.is_named:
                self._add_mark(
                    KINDS[one.option.tier], _caption(one, self._context), of_time(one.option, report, language)
                )

    def _add_mark(self, kind: str, words: str, origin: Provenance) -> None:
        entry = QWidget()
        row = QHBoxLayout(entry)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        mark = QLabel()
        mark.setPixmap(kind_mark(kind, self._context.theme, self.devicePixelRatioF()))
        text = Figure(self._context)
        text.show_value(words, origin)
        row.addWidget(mark)
        row.addWidget(text)
        self._marks.addWidget(entry)


def _caption(one: Placed, context: Context) -> str:
    text = context.gettext("{name}, {duration}")
    if one.option.before_s:
        text = context.gettext("{name}, {duration} without its start")
    return text.format(name=one.name, duration=quantities.duration(one.run_s, context.language))
