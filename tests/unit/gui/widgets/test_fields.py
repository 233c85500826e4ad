"""Fields: the wheel scrolls, and a number that is not taken is put right and said."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDoubleSpinBox,
    QLineEdit,
    QStyle,
    QStyleOptionSpinBox,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.context import Context
from advisor.gui.widgets.fields import ChoiceBox, NumberBox, SearchBox, number_of
from advisor.locale import Language
from tests.gui.conftest import settle
from tests.gui.wheel import turn_wheel

# Shown without a window manager, a field cannot tell the size it would like, and the platform says so.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def write(field: QDoubleSpinBox, text: str, qtbot: QtBot) -> None:
    """Write into a field as a user does, and end with Enter."""
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


@pytest.fixture
def field(qapp: QApplication, qtbot: QtBot) -> NumberBox:
    """Return a field for 1 to 2,048 GB that holds 16."""
    made = NumberBox(Context(qapp, Language("en"), "light"), 1, 2048)
    made.set_unit("GB")
    made.setValue(16)
    qtbot.addWidget(made)
    made.show()
    return made


def test_the_wheel_changes_no_field(field: NumberBox, qtbot: QtBot) -> None:
    """The wheel over a list or a number leaves it as it is, and is left to the page, even while it has the keyboard."""
    choice = ChoiceBox()
    qtbot.addWidget(choice)
    choice.addItems(["one", "two", "three"])
    choice.show()
    for box in (choice, field):
        box.setFocus()
        assert not turn_wheel(box)
    assert (choice.currentIndex(), field.value()) == (0, 16)


def test_a_number_shows_its_unit(field: NumberBox) -> None:
    """The field says what it counts in."""
    assert field.text() == "16\N{NO-BREAK SPACE}GB"


@pytest.mark.parametrize(
    ("written", "taken", "said"),
    [
        ("99999", 2048, "At most 2,048."),
        ("0", 1, "At least 1."),
        ("-5", 1, "At least 1."),
        ("12.5", 12, "Whole numbers only."),
        ("banana", 16, "“banana” is not a number."),
        ("", 16, ""),
        ("1,024", 1024, ""),
        ("1.024", 1024, ""),
        ("1'024", 1024, ""),
        ("64 ", 64, ""),
    ],
)
def test_a_number_out_of_range_is_put_right_with_a_word(
    field: NumberBox, qtbot: QtBot, written: str, taken: float, said: str
) -> None:
    """What was written may be anything; what is taken instead is said below the field."""
    write(field, written, qtbot)
    assert (field.value(), field.note) == (taken, said)


@pytest.mark.parametrize(
    ("region", "written", "taken"),
    [
        ("en", "0,40", 0.4),
        ("es", "0.15", 0.15),
        ("es", "0,15", 0.15),
        ("en", "2,5", 2.5),
        ("en", "1,024", 1024),
        ("en", "1.500", 1.5),
        ("es", "1.500", 1500),
        ("es", "1,500", 1.5),
        ("en", "1.234,5", 1234.5),
        ("es", "1,234.5", 1234.5),
        ("en", "1,024,000.5", 1_024_000.5),
        ("en", "1 024", 1024),
        ("en", "10,20,3", None),
        ("en", "1.2.3", None),
        ("en", "", None),
    ],
)
def test_a_decimal_sign_is_understood_in_whatever_country(region: str, written: str, taken: float | None) -> None:
    """Qt dropped the sign that it took for one of thousands: 0,40 for a kilowatt-hour became 40."""
    sign = {"en": ".", "es": ","}[region]
    assert number_of(written, sign, has_decimals=True) == taken


@pytest.mark.parametrize(("written", "taken"), [("0,40", 0.4), ("2,5", 2.5), ("1,024", 1024.0), ("7.125", 7.125)])
def test_a_field_takes_what_was_meant(field: NumberBox, qtbot: QtBot, written: str, taken: float) -> None:
    """With decimals, in an English window."""
    field.setDecimals(3)
    field.setRange(0, 2048)
    write(field, written, qtbot)
    assert (field.value(), field.note) == (taken, "")


def test_a_double_click_takes_the_whole_number(field: NumberBox, qtbot: QtBot) -> None:
    """It took the digits behind the sign of thousands, or the unit, and what was typed became another number."""
    field.setValue(1687)
    line = field.lineEdit()
    for x in (line.cursorRect().x(), 14, line.width() - 4):
        qtbot.mouseDClick(line, Qt.MouseButton.LeftButton, pos=QPoint(x, line.height() // 2))
        assert line.selectedText() == "1,687"
    qtbot.keyClicks(line, "2000")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert field.value() == 2000


@pytest.mark.parametrize("written", ["1,68720000", "10.2000", "1234,567"])
def test_no_number_is_made_of_what_is_none(field: NumberBox, qtbot: QtBot, written: str) -> None:
    """Digits that were typed behind others became a hundred thousand times as many photos."""
    write(field, written, qtbot)
    assert (field.value(), field.note) == (16, f"“{written}” is not a number.")


def test_the_word_goes_with_the_next_key(field: NumberBox, qtbot: QtBot) -> None:
    """What was said of a number is over once another one is begun."""
    write(field, "99999", qtbot)
    field.selectAll()
    qtbot.keyClicks(field, "3")
    assert field.note == ""


def test_the_word_goes_with_a_step_back_or_a_change_elsewhere(
    field: NumberBox, qapp: QApplication, qtbot: QtBot
) -> None:
    """It stayed for its eight seconds below a number of which it was not true."""
    write(field, "99999", qtbot)
    field.show_value(field.value())  # what was taken is shown again
    assert field.note
    field.show_value(16)
    assert field.note == ""

    write(field, "99999", qtbot)
    other = ChoiceBox()
    other.setParent(field.window())
    other.activated.emit(0)
    assert field.note == ""

    write(field, "99999", qtbot)
    field.stepDown()
    assert field.note == ""


def test_the_wheel_over_a_field_leaves_the_keyboard_where_it_is(qapp: QApplication, qtbot: QtBot) -> None:
    """A notch over the form gave the keyboard to the network's list, whose text was then chosen as if clicked."""
    whole, other = QWidget(), QLineEdit()
    qtbot.addWidget(whole)
    fields = (SearchBox(), ChoiceBox(), NumberBox(Context(qapp, Language("en"), "light"), 1, 2048))
    column = QVBoxLayout(whole)
    for one in (other, *fields):
        column.addWidget(one)
    with qtbot.waitActive(whole):
        whole.show()
    other.setFocus()
    for one in fields:
        place = one.mapTo(whole, one.rect().center())
        QTest.wheelEvent(whole.windowHandle(), QPointF(place), QPoint(0, -120))
        settle()
        assert other.hasFocus(), one


def test_a_click_on_the_text_opens_the_list_and_letters_narrow_it(qapp: QApplication, qtbot: QtBot) -> None:
    """As with any other list: no arrow has to be hit, and no name is cut."""
    box = SearchBox()
    qtbot.addWidget(box)
    box.add_group("Classify pictures")
    for name in ("ResNet-18", "ResNet-50", "A network with a name that is far longer than the field is wide"):
        box.add_choice(name, name)
    box.setCurrentIndex(2)
    box.resize(160, 36)
    box.show()
    line, offered = box.lineEdit(), box._completer.popup()
    assert line is not None
    assert offered is not None
    qtbot.mouseClick(line, Qt.MouseButton.LeftButton)
    assert offered.isVisible()
    assert offered.model().rowCount() == 4
    assert offered.currentIndex().data() == "ResNet-50"
    assert offered.width() >= offered.sizeHintForColumn(0)
    qtbot.keyClicks(line, "18")
    assert offered.model().rowCount() == 1
    offered.hide()


def test_a_list_opens_as_wide_as_its_longest_entry(qtbot: QtBot) -> None:
    """However narrow its field: entries that were cut in their middle could not be told apart."""
    choice = ChoiceBox()
    qtbot.addWidget(choice)
    choice.addItems(["Fine-tune a text model with many texts of my own", "Fine-tune a vision model"])
    choice.setFixedWidth(80)
    choice.show()
    choice.showPopup()
    assert choice.view().width() >= choice.view().sizeHintForColumn(0)
    choice.hidePopup()


def test_another_unit_leaves_nothing_chosen_that_is_not_there(field: NumberBox) -> None:
    """Of "10,000 examples", chosen whole, "photo" of "18,687 photos" stayed chosen."""
    field.setFocus()
    field.selectAll()
    field.set_unit("gigabytes")
    assert not field.lineEdit().hasSelectedText()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_text_longer_than_its_list_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    """It was cut through a letter, and read as if it ended there."""
    choice = ChoiceBox()
    qtbot.addWidget(choice)
    choice.addItem("fine-tune all of it, with a new last layer")
    choice.resize(choice.sizeHint())
    assert choice.shown_text() == choice.currentText()
    choice.resize(160, choice.height())
    assert choice.shown_text().endswith("…")
    assert choice.currentText().startswith(choice.shown_text()[:-1])
    choice.setToolTip("What is trained")
    QApplication.sendEvent(choice, QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), choice.mapToGlobal(QPoint(5, 5))))
    assert QToolTip.text() == f"{choice.currentText()}\nWhat is trained", (
        "the whole of it is told at least to the mouse"
    )
    QToolTip.hideText()


def test_a_field_at_its_least_number_shows_both_arrows(window: MainWindow) -> None:
    """The one that leads nowhere was left out, and the other looked cut."""
    window.advice.question_panel.job.open_form(is_open=True)
    settle()
    budget = window.advice.question_panel.form.budget
    assert budget.value() == budget.minimum()
    option = QStyleOptionSpinBox()
    budget.initStyleOption(option)
    shown = budget.grab().toImage()
    for part in (QStyle.SubControl.SC_SpinBoxUp, QStyle.SubControl.SC_SpinBoxDown):
        place = budget.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, part, budget)
        inside = place.adjusted(4, 4, -4, -4)  # without the frame
        columns, rows = range(inside.left(), inside.right()), range(inside.top(), inside.bottom())
        assert len({shown.pixel(x, y) for x in columns for y in rows}) > 1, part
