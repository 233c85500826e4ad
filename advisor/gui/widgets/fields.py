"""Fields to choose from and to write numbers into. Only a click or a key changes them: the wheel scrolls the page."""

from __future__ import annotations

import math
import re
from typing import cast

from PySide6.QtCore import QAbstractItemModel, QEvent, QLocale, QObject, QPoint, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QFocusEvent,
    QFont,
    QHelpEvent,
    QMouseEvent,
    QPaintEvent,
    QStandardItemModel,
    QValidator,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QCompleter,
    QDoubleSpinBox,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from advisor.gui.base.context import Context
from advisor.gui.base.timers import single_shot
from advisor.gui.widgets.basic import GRID, Page, label

_NOTE_MS = 8_000
_INSET = GRID + 1  # so that the text begins where that of a list does
_SHOWN = 10
_USUAL = "100,000"
"""What a field for a number has room for, whatever it shows."""
_ARROWS = 5 * GRID  # with the frame, which a style sheet keeps out of the size hint
_LONGEST = 40  # of what is written into a field for a number


def _width_of(entries: QAbstractItemView) -> int:
    """Return the width that no entry of a list is cut in."""
    return entries.sizeHintForColumn(0) + entries.verticalScrollBar().sizeHint().width() + 2 * GRID


class ChoiceBox(QComboBox):
    """A list to choose from."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # Qt's own gives it the keyboard at a turn of the wheel, too
        self.activated.connect(lambda _index: close_notes(self))

    def showPopup(self) -> None:
        """Open the list as wide as its longest entry, however narrow the field is."""
        self.view().setMinimumWidth(_width_of(self.view()))
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the field; a text longer than it ends in an ellipsis, where Qt would cut it through a letter."""
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown_text()
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def shown_text(self) -> str:
        """Return as much of the chosen text as the field has room for; of what it says where nothing is chosen."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, self).width()
        text = self.placeholderText() if self.currentIndex() < 0 else self.currentText()
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room)

    def event(self, event: QEvent) -> bool:
        """Say the whole of a text that is cut, above what the field is for."""
        if isinstance(event, QHelpEvent) and self.shown_text() != self.currentText():
            QToolTip.showText(event.globalPos(), f"{self.currentText()}\n{self.toolTip()}".rstrip(), self)
            return True
        return bool(super().event(event))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page: who scrolls past a field wants nothing of it."""
        event.ignore()


def completer_of(entries: QAbstractItemModel, parent: QObject) -> QCompleter:
    """Return what offers every entry that holds what is written."""
    completer = QCompleter(entries, parent)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setMaxVisibleItems(_SHOWN)
    offered = QListView()
    offered.setObjectName("completion")
    completer.setPopup(offered)
    return completer


class SearchBox(ChoiceBox):
    """A list in groups, in which a part of a name can be written to find it."""

    def __init__(self) -> None:
        super().__init__()
        self._line = QLineEdit()
        self._line.setAcceptDrops(False)  # a file is for the window, not its path for the field
        self.setLineEdit(self._line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._completer = completer_of(self.model(), self)
        self.setCompleter(self._completer)
        self._line.editingFinished.connect(self._put_right)
        self._line.installEventFilter(self)
        self.currentIndexChanged.connect(lambda _index: self._line.setCursorPosition(0))

    def add_group(self, title: str) -> None:
        """Add a title that cannot be chosen itself."""
        self.addItem(title)
        row = self.count() - 1
        font = QFont(self.font())
        font.setBold(True)
        self.setItemData(row, font, Qt.ItemDataRole.FontRole)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(row).setFlags(Qt.ItemFlag.NoItemFlags)

    def add_choice(self, text: str, value: str) -> None:
        """Add an entry of the group before."""
        self.addItem(text, value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Open the list at a click on the text, as at one on the arrow; what is then written still finds an entry."""
        if watched is self._line and event.type() == QEvent.Type.MouseButtonRelease and self.isEnabled():
            self._line.selectAll()
            self._offer_all()
        return bool(super().eventFilter(watched, event))

    def _offer_all(self) -> None:
        """Open the completer's list with every entry, the chosen one in its middle."""
        self._completer.setCompletionPrefix("")
        offered = cast(QListView, self._completer.popup())
        offered.setMinimumWidth(_width_of(offered))
        self._completer.complete()
        chosen = offered.model().index(self.currentIndex(), 0)
        offered.setCurrentIndex(chosen)
        offered.scrollTo(chosen, QAbstractItemView.ScrollHint.PositionAtCenter)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Let what is written take the place of what is there."""
        super().focusInEvent(event)
        self._line.selectAll()

    def _put_right(self) -> None:
        """Choose the entry that was meant, or show again what was chosen before."""
        written = self._line.text().strip().casefold()
        rows = [row for row in range(self.count()) if self.itemData(row) is not None]
        exact = [row for row in rows if self.itemText(row).casefold() == written]
        near = [row for row in rows if written and written in self.itemText(row).casefold()]
        meant = exact or (near if len(near) == 1 else [])
        if meant and meant[0] != self.currentIndex():
            self.setCurrentIndex(meant[0])
        self._line.setText(self.itemText(self.currentIndex()))
        self._line.setCursorPosition(0)


_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(?:([.,'])\d{3})(?:\1\d{3})*")
_SIGNS = ".,'"
_NO_SIGNS = str.maketrans("", "", _SIGNS)
_LIKE_PLAIN = str.maketrans({"’": "'", "\N{MINUS SIGN}": "-"})
_MOST_LOOSE = 2
"""Digits after a sign that are decimals also in a field without: of more, nobody knows what was meant."""


def number_of(text: str, decimal_sign: str, *, has_decimals: bool) -> float | None:
    """Return the number that is meant by a text, in whatever country it is written so; None: there is none.

    Of two signs the last one is the decimal sign. A single one parts thousands where three digits follow it, unless it
    is the language's decimal sign in a field with decimals.
    """
    plain = "".join(text.split()).translate(_LIKE_PLAIN)
    signs = [one for one in plain if one in _SIGNS]
    whole, last, part = plain.rpartition(signs[-1]) if signs else (plain, "", "")
    if len(set(signs)) == 1:
        is_group = bool(_GROUPED.fullmatch(plain)) and not (has_decimals and len(signs) == 1 and last == decimal_sign)
        if is_group:
            plain = plain.translate(_NO_SIGNS)
        elif len(signs) == 1 and last != "'" and (has_decimals or len(part) <= _MOST_LOOSE):
            plain = f"{whole}.{part}"
        else:
            return None
    elif signs:
        if not _GROUPED.fullmatch(whole):
            return None
        plain = f"{whole.translate(_NO_SIGNS)}.{part}"
    try:
        value = float(plain)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


class _NumberLine(QLineEdit):
    """The line of a field for a number: a double click takes the whole number, not what is left or right of a sign."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select the number without its unit."""
        super().mouseDoubleClickEvent(event)
        field = self.parentWidget()
        if isinstance(field, NumberBox):
            self.setSelection(len(field.prefix()), len(field.bare(self.text())))


class NumberBox(QDoubleSpinBox):
    """A field for a number: with its unit, no decimals where there are none, and a word where it takes another one.

    What is written is taken when it is whole: on Enter, or when the keyboard goes elsewhere.

    Attributes:
        least_written: Least number beside the one that stands for none, such as "default".
    """

    least_written = 0.0

    def __init__(self, context: Context, least: float = 0.0, most: float = 99.0, decimals: int = 0) -> None:
        super().__init__()
        self._context = context
        self._note: Note | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setLineEdit(_NumberLine())
        self.setDecimals(decimals)
        self.setRange(least, most)
        self.setKeyboardTracking(False)
        self.setGroupSeparatorShown(True)
        self.setAccelerated(True)
        self.lineEdit().setTextMargins(_INSET, 0, 0, 0)  # a style sheet's padding does not reach inside
        self.lineEdit().setMaxLength(_LONGEST)
        self.lineEdit().setAcceptDrops(False)  # a file is for the window, not its path for the field
        self.lineEdit().textEdited.connect(lambda _text: close_notes(self))
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page: who scrolls past a field wants nothing of it."""
        event.ignore()

    def minimumSizeHint(self) -> QSize:
        """Return the width of what it shows, in letters of whatever size; Qt takes that of the largest number."""
        shown = (self.specialValueText(), self.text(), _USUAL)
        words = max(map(self.fontMetrics().horizontalAdvance, shown))
        return QSize(words + _INSET + _ARROWS, super().minimumSizeHint().height())

    def set_unit(self, unit: str) -> None:
        """Show a unit behind the number."""
        suffix = f"\N{NO-BREAK SPACE}{unit}" if unit else ""
        if suffix != self.suffix():
            self.setSuffix(suffix)
            self.lineEdit().deselect()  # what was chosen is not what stands there now

    def stepBy(self, steps: int) -> None:
        """Step on; what was said of a number before is over."""
        close_notes(self)
        is_none = self.value() == self.minimum()
        stepped = self.value() + steps * self.singleStep()
        if self.specialValueText() and self.minimum() < stepped < self.least_written:
            self.setValue(self.least_written if is_none else self.minimum())
            return
        super().stepBy(steps)

    def show_value(self, value: float) -> None:
        """Show a number as it is, also one beyond what a user may write: a file may hold any."""
        if value != self.value():  # such as after a step back: what was said was of the other one
            self._close_note()
        self.setRange(min(self.minimum(), value), max(self.maximum(), value))
        self.setValue(value)

    def textFromValue(self, value: float) -> str:
        """Return the number as texts write it."""
        return self._context.language.number(value, self.decimals())

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Let anything be written; what is no number of the range is put right, and said, at the end."""
        value = self._number(text)
        is_whole = value is not None and value == round(value, self.decimals())
        is_taken = value is not None and is_whole and self._is_allowed(value)
        return (QValidator.State.Acceptable if is_taken else QValidator.State.Intermediate), text, position

    def _is_allowed(self, value: float) -> bool:
        is_none = bool(self.specialValueText()) and value == self.minimum()
        return is_none or self._least <= value <= self.maximum()

    @property
    def _least(self) -> float:
        return max(self.minimum(), self.least_written) if self.specialValueText() else self.minimum()

    def valueFromText(self, text: str) -> float:
        """Return the number that is written; Qt leaves out a sign that it takes for one of thousands: 0,40 was 40."""
        value = self._number(text)
        return self.value() if value is None else value

    def fixup(self, text: str) -> str:
        """Return the nearest number of the range, or the one before where none was written, and say so.

        An emptied field means what stands for no number, where there is that.
        """
        written = self.bare(text)
        value = self._number(text)
        if not written and self.specialValueText():
            return self.specialValueText()
        if value is None:
            if written:
                self._say(self._context.gettext("“{text}” is not a number.").format(text=written[:_LONGEST]))
            return f"{self.prefix()}{self.textFromValue(self.value())}{self.suffix()}"
        nearest = min(max(value, self._least), self.maximum())
        if value > self.maximum():
            self._say(self._context.gettext("At most {most}.").format(most=self.textFromValue(self.maximum())))
        elif value < self._least:
            self._say(self._context.gettext("At least {least}.").format(least=self.textFromValue(self._least)))
        elif self.decimals() == 0 and not value.is_integer():
            self._say(self._context.gettext("Whole numbers only."))
        return f"{self.prefix()}{self.textFromValue(nearest)}{self.suffix()}"

    def bare(self, text: str) -> str:
        """Return what is written without what the field adds to it."""
        return text.removeprefix(self.prefix()).removesuffix(self.suffix()).strip()

    def _number(self, text: str) -> float | None:
        """Return the number that is written, or what stands for none; None: neither."""
        if text and text == self.specialValueText():
            return self.minimum()
        return number_of(self.bare(text), self.locale().decimalPoint(), has_decimals=self.decimals() > 0)

    def retranslate(self) -> None:
        """Write numbers as the language of the moment does."""
        self.setLocale(QLocale(self._context.language.region))

    # --- what is said of a number that is not taken ---

    @property
    def note(self) -> str:
        """What is said below the field at the moment; empty: nothing."""
        return "" if self._note is None else self._note.text()

    def _say(self, text: str) -> None:
        self._close_note()
        self._note = Note(self, text)

    def _close_note(self) -> None:
        note, self._note = self._note, None
        if note is not None:
            note.deleteLater()
            note.hide()


class Note(QFrame):
    """A word below a field, for some seconds; it scrolls with its page."""

    def __init__(self, field: QWidget, text: str) -> None:
        ground = _ground(field)
        super().__init__(ground)
        self.setObjectName("note")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._label = label("body", wrap=False)
        self._label.setText(text)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        column.addWidget(self._label)
        self.setAccessibleName(text)
        self.adjustSize()
        place = field.mapTo(ground, QPoint(0, field.height() + GRID // 4))
        place.setX(max(0, min(place.x(), ground.width() - self.width())))
        self.move(place)
        self.show()
        self.raise_()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))
        single_shot(self, _NOTE_MS, self.hide).start()

    def text(self) -> str:
        """Return what is said; empty once it is over."""
        return "" if self.isHidden() else self._label.text()


def close_notes(field: QWidget) -> None:
    """Take away what is said of any field of a page, because another change is begun."""
    for note in _ground(field).findChildren(Note, options=Qt.FindChildOption.FindDirectChildrenOnly):
        note.hide()


def _ground(field: QWidget) -> QWidget:
    """Return what scrolls with a field, or its window."""
    parent = field.parentWidget()
    while parent is not None and not isinstance(parent, Page):
        parent = parent.parentWidget()
    inside = parent.widget() if isinstance(parent, Page) else None
    return field.window() if inside is None else inside
