"""No text is cut off: every page, in English and Spanish, at the smallest size and in the largest type."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QHeaderView,
    QLabel,
    QStyle,
    QStyleOptionComboBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import PAGES, MainWindow
from advisor.gui.base.context import Context
from advisor.gui.base.settings import TEXT_PERCENTS, Settings
from advisor.gui.widgets.basic import DATA_WIDTH, READING_WIDTH, Page
from advisor.locale import language
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend
from tests.gui.test_window import is_inner

SMALLEST = (1024, 640)
ROUNDING_PX = 1


def cut_texts(window: MainWindow) -> list[str]:
    """Return the texts of the open page that do not fit where they stand."""
    settle()
    return [
        f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}: {text}"
        for widget in window.findChildren(QWidget)
        if widget.isVisible() and not is_inner(widget) and (text := _cut(widget))
    ]


def _cut(widget: QWidget) -> str:
    if isinstance(widget, QLabel) and widget.text():
        return _cut_label(widget)
    if isinstance(widget, QAbstractButton) and widget.text() and widget.width() < widget.minimumSizeHint().width():
        return widget.text()
    if isinstance(widget, QComboBox):
        return _cut_choice(widget)
    if isinstance(widget, QHeaderView) and widget.orientation() == Qt.Orientation.Horizontal:
        return _cut_title(widget)
    return ""


def _cut_label(label: QLabel) -> str:
    room = label.contentsRect()
    flags = Qt.TextFlag.TextWordWrap if label.wordWrap() else Qt.TextFlag.TextSingleLine
    limit = QRect(0, 0, room.width() if label.wordWrap() else 100_000, 100_000)
    needed = QFontMetrics(label.font()).boundingRect(limit, flags, label.text())
    too_wide = needed.width() > room.width() + ROUNDING_PX
    too_high = needed.height() > room.height() + ROUNDING_PX
    return f"{label.text()!r} needs {needed.size()}, has {room.size()}" if too_wide or too_high else ""


def _cut_choice(box: QComboBox) -> str:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    room = box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width()
    needed = box.fontMetrics().horizontalAdvance(box.currentText())
    return f"{box.currentText()!r} needs {needed}, has {room}" if needed > room + ROUNDING_PX else ""


def _cut_title(header: QHeaderView) -> str:
    """Return the titles of a table that are wider than their columns."""
    model = header.model()
    cut = []
    for section in range(header.count()):
        title = str(model.headerData(section, Qt.Orientation.Horizontal) or "")
        if not header.isSectionHidden(section) and header.fontMetrics().horizontalAdvance(title) > header.sectionSize(
            section
        ):
            cut.append(title)
    return ", ".join(cut)


@pytest.fixture
def small(
    qapp: QApplication, qtbot: QtBot, backend: FakeBackend, settings: Settings, request: pytest.FixtureRequest
) -> object:
    """Return a window with an answer in a real language, at the smallest size."""
    context = Context(qapp, language(request.param), "light")
    window = MainWindow(backend, context, settings)
    context.apply_theme()
    window.resize(*SMALLEST)
    with qtbot.waitExposed(window, timeout=WAIT_MS):
        window.show()
    qtbot.waitUntil(
        lambda: window.controllers.machine.machine is not None and window.controllers.question.workload is not None,
        timeout=WAIT_MS,
    )
    yield window
    window.close()
    window.deleteLater()
    context.deleteLater()


@pytest.mark.parametrize("small", ["en", "es"], indirect=True)
def test_no_page_is_wider_than_the_smallest_window(small: MainWindow) -> None:
    """In the largest letters, too: pages are scrolled down, never sideways."""
    small.context.set_text_percent(TEXT_PERCENTS[-1])
    wider = []
    for name in PAGES:
        small.stack.open(name)
        settle()
        shown = small.stack.currentWidget()
        if isinstance(shown, Page) and shown.horizontalScrollBar().maximum():
            wider.append((name, shown.horizontalScrollBar().maximum()))
    assert wider == []


@pytest.mark.parametrize("small", ["en", "es"], indirect=True)
def test_no_page_with_all_its_fields_open_is_scrolled_sideways(small: MainWindow, qtbot: QtBot) -> None:
    """Whatever is folded out: columns go below each other where there is no room, and the button that asks is whole."""
    job = small.advice.question_panel.job
    job.open_form(is_open=True)
    for folded in (job.form.software, job.form.renting):
        folded.toggle.click()
    small.advice.question_panel.cluster.choose.click()
    wider: list[tuple[object, ...]] = []
    for percent in (TEXT_PERCENTS[-1], 100):
        small.context.set_text_percent(percent)
        for size in ((1024, 700), (1280, 800)):
            small.resize(*size)
            for name in PAGES:
                small.stack.open(name)
                qtbot.wait(30)
                shown = small.stack.currentWidget()
                if isinstance(shown, Page) and shown.horizontalScrollBar().maximum():
                    wider.append((percent, *size, name, shown.horizontalScrollBar().maximum()))
                if name == "advice":
                    assert cut_texts(small) == []
    assert wider == []


@pytest.mark.parametrize("small", ["en", "es"], indirect=True)
def test_every_text_fits_the_smallest_window(small: MainWindow, qtbot: QtBot) -> None:
    """On no page is a text cut off, before the check and after it."""

    def assert_whole() -> None:
        assert cut_texts(small) == []

    qtbot.waitUntil(assert_whole, timeout=WAIT_MS)  # the cards take a while to find their heights
    with qtbot.waitSignal(small.check_flow.ended, timeout=WAIT_MS):
        small.check_flow.start_quick()
    for name in PAGES:
        small.stack.open(name)
        qtbot.wait(30)
        qtbot.waitUntil(assert_whole, timeout=WAIT_MS)


def test_lines_stay_readable_in_a_wide_window(open_window: Opener) -> None:
    """On a screen of 3840 pixels the column of a page is no wider than eyes can follow; all begin at one edge."""
    window = open_window(size=(3840, 1200))
    for name, widest in (("advice", READING_WIDTH), ("settings", READING_WIDTH), ("history", DATA_WIDTH)):
        window.stack.open(name)
        settle()
        shown = window.stack.currentWidget()
        assert isinstance(shown, Page)
        column = shown.column.geometry()
        assert column.width() <= widest
        assert abs(column.left() - (shown.width() - DATA_WIDTH) // 2) <= 2, "where the widest is in the middle"


@pytest.mark.parametrize("small", ["en", "es"], indirect=True)
def test_what_is_asked_and_answered_is_no_wider_than_its_view_in_the_largest_letters(
    small: MainWindow, qtbot: QtBot
) -> None:
    """The first page and the options scrolled sideways."""

    def assert_narrow() -> None:
        settle()
        page = small.stack.currentWidget()
        assert isinstance(page, Page)
        assert page.horizontalScrollBar().maximum() == 0

    small.context.set_text_percent(175)
    qtbot.waitUntil(assert_narrow, timeout=WAIT_MS)
    with qtbot.waitSignal(small.check_flow.ended, timeout=WAIT_MS):
        small.check_flow.start_quick()
    for name in ("advice", "options"):
        small.stack.open(name)
        qtbot.waitUntil(assert_narrow, timeout=WAIT_MS)
    small.context.set_text_percent(100)  # the application keeps its letters for the tests that follow


def test_a_new_question_opens_at_its_top_in_the_largest_letters(answered: MainWindow, qtbot: QtBot) -> None:
    """The keyboard went on from the button that was pressed to a field far down, and the page with it."""
    answered.context.set_text_percent(TEXT_PERCENTS[-1])
    advice = answered.advice
    advice.question_panel.job.open_form(is_open=True)
    assert advice.verdict is not None
    advice.verdict.again.setFocus()
    qtbot.wait(50)
    advice.verticalScrollBar().setValue(advice.verticalScrollBar().maximum())
    advice.verdict.again.click()
    qtbot.wait(50)
    assert advice.verticalScrollBar().maximum() > 0
    assert advice.verticalScrollBar().value() == 0
    answered.context.set_text_percent(100)
