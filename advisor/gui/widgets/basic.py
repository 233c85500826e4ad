"""Labels, buttons, cards and layouts in the house style."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QMargins, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QPainter, QPixmap, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLayout,
    QLayoutItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from advisor.resource import resource_path

GRID = 8
NO_LIMIT = 16_777_215
"""Of a width or height: QWIDGETSIZE_MAX, which PySide does not name."""
_SIDE = 4 * GRID
_CHILDREN = Qt.FindChildOption.FindDirectChildrenOnly
READING_WIDTH, DATA_WIDTH = 1200, 1800
"""The widest a page of words may be, and one of graphs and tables: beyond, eyes lose the line."""


def label(role: str, *, wrap: bool = True, selectable: bool = False) -> QLabel:
    """Return a label of a role in the style sheet: display, title, strong, muted, lead, warning, error or body."""
    made = QLabel()
    made.setProperty("role", role)
    made.setWordWrap(wrap)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if selectable:
        made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def button(role: str, on_click: Callable[[], object] | None = None) -> QPushButton:
    """Return a button of a role in the style sheet: primary, link or plain."""
    made = QPushButton()
    made.setProperty("role", role)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    made.setAutoDefault(True)  # Enter presses it, not only the space bar
    if on_click is not None:
        made.clicked.connect(lambda _checked=False: on_click())
    return made


class Card(QFrame):
    """A surface that holds things that belong together."""

    def __init__(self, name: str = "card", margin: int = 3 * GRID) -> None:
        super().__init__()
        self.setObjectName(name)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(margin, margin, margin, margin)
        self.body.setSpacing(GRID)


class Page(QScrollArea):
    """A page of the window: a column of at most a readable width that scrolls when the window is small."""

    def __init__(self, widest: int = READING_WIDTH) -> None:
        super().__init__()
        self._widest = widest
        self.setObjectName("page")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        outer = Body()
        outer.setObjectName("page_body")
        self._outer_layout = QVBoxLayout(outer)
        self._outer_layout.setContentsMargins(_SIDE, 3 * GRID, _SIDE, 3 * GRID)
        self.column = QVBoxLayout()
        self.column.setSpacing(2 * GRID)
        self._outer_layout.addLayout(self.column)
        self.setWidget(outer)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let every page begin where the widest one does: titles jumped from one to the next in a wide window."""
        left = max(_SIDE, (self.width() - DATA_WIDTH) // 2)
        bar = self.width() - event.size().width()
        right = max(_SIDE, self.width() - left - self._widest) - bar  # nothing moves when the scroll bar comes
        margins = self._outer_layout.contentsMargins()
        if (margins.left(), margins.right()) != (left, right):
            self._outer_layout.setContentsMargins(left, margins.top(), right, margins.bottom())
        super().resizeEvent(event)

    @property
    def column_margins(self) -> QMargins:
        """How far the column is from the page's sides."""
        return self._outer_layout.contentsMargins()

    def keep_free_below(self, height: int) -> None:
        """Let what scrolls end so far above the page's lower edge."""
        self.setViewportMargins(0, 0, 0, height)


class Body(QWidget):
    """What scrolls: as high as its words are at their width.

    Its least height would be that of words wrapped as narrow as they may be: a quarter of the answer's page was blank.
    """

    def minimumSizeHint(self) -> QSize:
        """Return the least width, and the least height at the width there is."""
        least: QSize = super().minimumSizeHint()
        layout, viewport = self.layout(), self.parentWidget()
        if layout is None or viewport is None or not layout.hasHeightForWidth():
            return least
        return QSize(least.width(), layout.minimumHeightForWidth(max(viewport.width(), least.width())))


class FlowLayout(QLayout):
    """Puts widgets beside each other and wraps like words do."""

    def __init__(self, spacing: int = GRID) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)
        self.setContentsMargins(QMargins())

    def addItem(self, item: QLayoutItem) -> None:
        """Append an item."""
        self._items.append(item)

    def count(self) -> int:
        """Return how many items there are."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return an item."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Remove an item and return it."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Grow in no direction."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Say that the height follows from the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height at a width."""
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        """Place the items."""
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        """Return the smallest size."""
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Return the size of the largest item."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        rows: list[list[tuple[QLayoutItem, QSize]]] = [[]]
        used = 0
        for item in self._items:
            if item.isEmpty():  # hidden, and its place is not kept
                continue
            size = item.sizeHint()
            if size.width() > rect.width() and item.hasHeightForWidth():  # its words go on in a second line
                size = QSize(rect.width(), item.heightForWidth(rect.width()))
            if rows[-1] and used + size.width() > rect.width():
                rows.append([])
                used = 0
            rows[-1].append((item, size))
            used += size.width() + self.spacing()
        y, between = rect.y(), min(GRID, self.spacing())
        for row in rows:
            height = max((size.height() for _item, size in row), default=0)
            x = rect.x()
            for item, size in row:
                if move:
                    item.setGeometry(QRect(QPoint(x, y + (height - size.height()) // 2), size))
                x += size.width() + self.spacing()
            y += height + between
        return max(0, y - rect.y() - between)


def no_higher_than_there_is_room(widget: QWidget) -> None:
    """Let a widget ask for no more height than its least, and take what is left over: its page then does not scroll."""
    policy = widget.sizePolicy()
    policy.setVerticalPolicy(QSizePolicy.Policy.Ignored)
    widget.setSizePolicy(policy)


def clear(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        inner = item.layout()
        if inner is not None:
            clear(inner)


def picture(name: str, colour: QColor, size: int, ratio: float) -> QPixmap:
    """Return an icon of resources/icons as a pixmap in one colour, sharp at the screen's pixel ratio."""
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    _renderer(name, colour).render(painter)
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


def tinted_icon(name: str, normal: QColor, checked: QColor, size: int, ratio: float) -> QIcon:
    """Return an icon that takes another colour while its button is checked."""
    icon = QIcon()
    icon.addPixmap(picture(name, normal, size, ratio), QIcon.Mode.Normal, QIcon.State.Off)
    icon.addPixmap(picture(name, checked, size, ratio), QIcon.Mode.Normal, QIcon.State.On)
    return icon


def _renderer(name: str, colour: QColor) -> QSvgRenderer:
    drawing = resource_path("icons", f"{name}.svg").read_text(encoding="utf-8")
    return QSvgRenderer(QByteArray(drawing.replace("currentColor", colour.name()).encode()))


def lay_out() -> None:
    """Let all that changed find its place before it is painted: else words are cut until layouts have caught up."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


def put_in_reading_order(whole: QWidget) -> None:
    """Let Tab and screen readers go through what a layout holds as eyes do: what was made last is the last for both."""
    met = list(_in_reading_order(whole.layout()))
    for widget in met:
        widget.raise_()
    for before, after in itertools.pairwise(one for one in met if one.focusPolicy() != Qt.FocusPolicy.NoFocus):
        QWidget.setTabOrder(before, after)


def _in_reading_order(layout: QLayout | None) -> Iterator[QWidget]:
    """Yield the widgets of a layout and, of those that cannot be reached themselves, what is in them.

    ``QLayout.itemAt`` is not asked: what it returns stays known to shiboken after Qt has deleted it, and the next
    widget that lies at its address ends the program when it is deleted (``Shiboken::Object::destroy``).
    """
    place = layout.parentWidget() if layout is not None else None
    if layout is None or place is None:
        return
    children: list[QWidget | QLayout] = [*place.findChildren(QWidget, options=_CHILDREN)]
    children += layout.findChildren(QLayout, options=_CHILDREN)
    held = [(layout.indexOf(one), one) for one in children]
    for _position, one in sorted((known for known in held if known[0] >= 0), key=operator.itemgetter(0)):
        if isinstance(one, QLayout):
            yield from _in_reading_order(one)
            continue
        yield one
        if one.focusPolicy() == Qt.FocusPolicy.NoFocus:
            yield from _in_reading_order(one.layout())


def bring_into_view(widget: QWidget) -> None:
    """Scroll whatever a widget is on so that all of it is seen, once it has found its place."""

    def scroll() -> None:
        for area in _areas_around(widget):
            area.ensureWidgetVisible(widget, 0, 2 * GRID)

    QTimer.singleShot(0, widget, scroll)


def bring_to_top(widget: QWidget) -> None:
    """Scroll the page a widget is on so that it begins at the top, as far as the page goes, once it has its place."""

    def scroll() -> None:
        area = next(_areas_around(widget), None)
        body = None if area is None else area.widget()
        if area is not None and body is not None:
            place = widget.mapTo(body, QPoint(0, 0))
            area.verticalScrollBar().setValue(place.y() - 2 * GRID)

    QTimer.singleShot(0, widget, scroll)


def _areas_around(widget: QWidget) -> Iterator[QScrollArea]:
    """Yield what a widget can be scrolled in, the innermost first."""
    around = widget.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            yield around
        around = around.parentWidget()


def show_focused(before: QWidget | None, now: QWidget | None) -> None:
    """Bring into view what gets the keyboard, wherever from: Qt does so within a scroll area alone.

    Not what is clicked, which would move under the pointer, and not when the user comes back to the window: what was
    being read stays.
    """
    if before is not None and now is not None and QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
        bring_into_view(now)
