"""Where on the timeline the graphs are: a bar to look back with, once there is something to look back to."""

import time

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QScrollBar, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.live.model import LiveModel
from advisor.gui.models.live.words import clock_text
from advisor.gui.widgets.basic import GRID, button, label

_NARROW = 600  # pixels below which less stands side by side
_STEP_SHARE = 10  # of the span that is shown: so much an arrow key moves


class TimeBar(QWidget):
    """A scroll bar over the time that is kept, its right end being now.

    Signals:
        moved: The model shows another span now.
    """

    moved = Signal()

    def __init__(self, context: Context, model: LiveModel) -> None:
        super().__init__()
        self._context = context
        self._model = model
        self._is_filling = False
        self.bar = QScrollBar(Qt.Orientation.Horizontal)
        self.bar.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.bar.setObjectName("time_line")
        self.shown = label("muted", wrap=False)
        self.back = button("link", lambda: self.scroll_back(0.0))
        policy = self.back.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # else all graphs would jump
        self.back.setSizePolicy(policy)
        words = QHBoxLayout()
        words.setSpacing(2 * GRID)
        words.addWidget(self.shown)
        words.addWidget(self.back)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2 * GRID)
        self._row.addWidget(self.bar, 1)
        self._row.addLayout(words)
        self.bar.valueChanged.connect(self._on_value)
        self.hide()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the words below the bar where letters have little room."""
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW * self._context.text_scale
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)

    def follow(self) -> None:
        """Show where the model is."""
        earlier_s = round(self._model.earlier_s)
        is_wanted = earlier_s >= 1
        if self.isHidden() == is_wanted:
            self.setVisible(is_wanted)
        self._is_filling = True
        self.bar.setRange(0, earlier_s)
        self.bar.setPageStep(round(self._model.span_s))
        self.bar.setSingleStep(max(1, round(self._model.span_s / _STEP_SHARE)))
        self.bar.setValue(earlier_s - round(self._model.back_s))
        self._is_filling = False
        self._show_time()

    def scroll_back(self, back_s: float) -> None:
        """Show the span that ends so many seconds before the newest sample; 0: the newest again."""
        self._model.scroll_back(back_s)
        self.follow()
        self.moved.emit()

    def _on_value(self, value: int) -> None:
        if not self._is_filling:
            self.scroll_back(float(self.bar.maximum() - value))

    def _show_time(self) -> None:
        end_s = self._model.end_s
        text = self._context.gettext("now")
        if end_s is not None:
            ends = (clock_text(wall_s(at_s), self._context.language) for at_s in (end_s - self._model.span_s, end_s))
            text = " – ".join(ends)
        if text != self.shown.text():
            self.shown.setText(text)
        if self.back.isHidden() == (end_s is not None):
            self.back.setVisible(end_s is not None)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.bar.setAccessibleName(_("Earlier or later"))
        self.bar.setAccessibleDescription(_("Moves all graphs along the last hour; the right end is now"))
        self.bar.setToolTip(self.bar.accessibleDescription())
        self.back.setText(_("Back to now"))
        self.back.setAccessibleDescription(_("Follows the newest values again"))
        self._show_time()


def wall_s(at_s: float) -> float:
    """Return the time of day of a moment on the sensors' clock, in seconds since 1970."""
    return time.time() - (time.monotonic() - at_s)
