"""In the largest letters the pages have room for what they show: seen at 175 %, in Spanish, in the smallest windows."""

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QPushButton,
    QScrollArea,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.context import Context
from advisor.gui.base.settings import Settings
from advisor.gui.pages.advice.page import AdvicePage
from advisor.gui.pages.live.page import LivePage
from advisor.gui.pages.live.plot import time_ticks
from advisor.gui.pages.measure.page import MeasurePage
from advisor.gui.pages.options.page import OptionsPage
from advisor.gui.pages.settings.page import SettingsPage
from advisor.gui.widgets.progress_panel import ProgressPanel
from advisor.locale import language
from advisor.report.provenance.record import Provenance
from tests.gui.conftest import WAIT_MS, answer, settle
from tests.gui.samples import FakeBackend
from tests.gui.test_pages import page
from tests.unit.gui.pages.live.opened import live_page


@pytest.fixture
def large(qapp: QApplication, qtbot: QtBot, backend: FakeBackend, settings: Settings) -> Iterator[MainWindow]:
    """Return a window with an answer, in Spanish and the largest letters."""
    context = Context(qapp, language("es"), "light")
    window = MainWindow(backend, context, settings)
    context.set_text_percent(175)
    context.apply_theme()
    window.resize(1024, 700)
    with qtbot.waitExposed(window, timeout=WAIT_MS):
        window.show()
    qtbot.waitUntil(lambda: window.controllers.question.workload is not None, timeout=WAIT_MS)
    yield answer(window, qtbot)
    context.set_text_percent(100)  # the application keeps its letters for the tests that follow
    window.close()
    window.deleteLater()
    context.deleteLater()


def test_what_the_sensors_cost_goes_on_in_a_second_line(large: MainWindow, qtbot: QtBot) -> None:
    """The sentence made the page twice as wide as the window."""
    live: LivePage = live_page(large, qtbot)
    large.navigation.fold.click()  # the titles of the pages are there again
    live.cost.setText("Leer los sensores ocupa menos del 0.1 % de un núcleo; toda esta ventana, 1.3 %.")
    settle()
    line = live.cost.fontMetrics().height() * 12 // 14
    assert live.horizontalScrollBar().maximum() == 0
    assert live.cost.width() <= live.viewport().width()
    assert live.cost.height() >= 2 * line


def test_the_end_of_the_time_axis_is_a_whole_word(large: MainWindow, qtbot: QtBot) -> None:
    """The last letter of "ahora" was cut: its picture ends before the edge."""
    live = live_page(large, qtbot)
    plot = live.tiles["processor"].plot
    assert plot is not None
    (_earlier, *_others, now) = time_ticks(plot._span_s, live.context.language)
    settle()
    assert now[1] == "ahora"
    picture = plot.grab().toImage()
    below = round(plot.scales.area.bottom()) + 5
    last = [picture.pixelColor(picture.width() - 1, y).name() for y in range(below, picture.height())]
    assert set(last) == {live.context.theme.colour("surface").name()}, "a letter lies over the edge"


def test_the_names_of_the_tests_are_whole(large: MainWindow) -> None:
    """They had 120 pixels beside half a table of nothing, and their last line was cut."""
    measure = cast(MeasurePage, page(large, "measure"))
    settle()
    table, rows = measure.cases, measure.case_rows
    short = []
    for row in range(rows.rowCount()):
        for column in range(2):
            place = table.visualRect(rows.index(row, column)).adjusted(11, 6, -11, -6)
            text = str(rows.data(rows.index(row, column)))
            needed = table.fontMetrics().boundingRect(QRect(0, 0, place.width(), 999), Qt.TextFlag.TextWordWrap, text)
            if needed.height() > place.height() + 1:
                short.append(text)
    assert short == []
    assert table.columnWidth(0) >= table.columnWidth(1) or table.columnWidth(0) >= table.wanted_widths()[0]


@pytest.mark.parametrize("size", [(1280, 800), (1024, 700)])
def test_rows_of_the_options_are_seen_with_every_filter_open(large: MainWindow, size: tuple[int, int]) -> None:
    """A row and a half was: the page scrolls instead."""
    options = cast(OptionsPage, page(large, "options"))
    large.resize(*size)
    options.filter.more.click()
    for view in (0, 3):
        options.views[view].click()
        for _turn in range(3):
            settle()
        table = options.table
        assert table.viewport().height() >= sum(map(table.rowHeight, range(5)))
        assert table.rowHeight(0) > table.fontMetrics().height() + 12


def test_the_list_begins_high_and_says_price_cost_and_reason(large: MainWindow) -> None:
    """It began at the lower edge of the window, without the cost by which it stood in order, nor why not the first."""
    options = cast(OptionsPage, page(large, "options"))
    options.views[3].click()
    options.filter.order.setCurrentIndex(options.filter.order.findData("money"))
    options.filter.order.activated.emit(options.filter.order.currentIndex())
    for _turn in range(3):
        settle()
    assert options.fold.isVisible()
    assert not options.filter.isVisible()
    assert options.table.mapTo(large, options.table.rect().topLeft()).y() < large.height() // 3
    for _folded in range(2):
        said = []
        for row in range(options.rows.rowCount()):
            drawn = QStyleOptionViewItem()
            options.table.initViewItemOption(drawn)
            index = options.rows.index(row, 1)
            cast(QStyledItemDelegate, options.table.itemDelegateForIndex(index)).initStyleOption(drawn, index)
            cells = options.rows.texts_at(row)
            seen = [cells[n] for n in range(2, 7) if not options.table.isColumnHidden(n)]
            said.append(f"{drawn.text} {' '.join(seen)}")
            assert [cells[n] for n in (2, 4, 5, 6) if cells[n] not in said[-1] and cells[n] != "–"] == []
        large.navigation.fold.click()  # the titles of the pages take room
        settle()
    options.fold.click()
    settle()
    assert options.filter.isVisible()
    options.filter.search.setText("rtx")
    options.fold.click()
    assert not options.filter.isVisible()
    assert options.fold.text() == "Filtros (1)"


def test_the_details_are_whole_below_a_chart(large: MainWindow) -> None:
    """Two facts were seen in a box that scrolled, with a gap below; what it costs was not among them."""
    options = cast(OptionsPage, page(large, "options"))
    options.views[1].click()
    for _turn in range(4):
        settle()
    area = options.details.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    assert area.verticalScrollBar().maximum() == 0
    assert area.geometry().bottom() < options.details.height()
    names = [each.text() for each in options.details.findChildren(QLabel) if not each.isHidden()]
    assert names.index("Precio") < names.index("Gasto en 2 años") < names.index("Fiabilidad")


def test_the_chart_of_the_answer_grows_with_its_words(large: MainWindow) -> None:
    """It was 60 pixels high."""
    verdict = large.advice.ensure_verdict()
    assert verdict.chart.plot is not None
    settle()
    assert verdict.chart.plot.height() >= 1.75 * 160


@pytest.mark.parametrize("name", ["advice", "measure"])
def test_what_stops_a_check_is_inside_the_window(
    large: MainWindow, qtbot: QtBot, backend: FakeBackend, name: str
) -> None:
    """Beside the count of the tests the buttons went over the edge, and what was found so far with them."""
    backend.hold.clear()
    large.check_flow.start_quick()
    large.stack.open(name)
    shown = cast("AdvicePage | MeasurePage", large.stack.currentWidget())
    panel = shown.progress_panel
    qtbot.waitUntil(panel.count.isVisible, timeout=WAIT_MS)
    panel.pace.setText(
        "Hasta ahora: unas 38 fotos por segundo en el procesador. A este ritmo un entrenamiento tarda 4 h."
    )
    panel.pace.show()
    settle()
    over = shown.horizontalScrollBar().maximum()
    widths = {one.text(): one.visibleRegion().boundingRect().width() - one.width() for one in _stops(panel)}
    with qtbot.waitSignal(large.check_flow.ended, timeout=WAIT_MS):
        backend.hold.set()
    assert over == 0
    assert set(widths.values()) == {0}


def _stops(panel: ProgressPanel) -> tuple[QPushButton, ...]:
    return panel.pause, panel.skip, panel.cancel


def test_how_sure_an_answer_is_goes_on_in_a_second_line(large: MainWindow) -> None:
    """With a range of times in words it made the page wider than the window."""
    verdict = large.advice.ensure_verdict()
    origin = Provenance(title="t", value="")
    large.stack.open("advice")
    long = "Fiabilidad: orientativa (de 40 minutos a 1 hora y 10 minutos, en 8 de cada 10 casos como este)"
    verdict.confidence.show_value(long, origin)
    settle()
    assert large.advice.horizontalScrollBar().maximum() == 0
    wrapped = verdict.confidence.height()
    verdict.confidence.show_value("Fiabilidad: buena (±15 %)", origin)
    settle()
    assert verdict.confidence.height() < wrapped


def test_the_job_is_read_whole(large: MainWindow) -> None:
    """Its box kept the width that it has for letters of the usual size."""
    job = large.advice.ensure_verdict().job.job
    settle()
    assert job.width() > job.fontMetrics().horizontalAdvance(job.currentText()) + 40


def test_settings_are_no_wider_than_a_small_window(large: MainWindow) -> None:
    """A long choice asked for its whole width, and the page was scrolled sideways."""
    settings_page = cast(SettingsPage, page(large, "settings"))
    settings_page.currency.addItem("USD · dólar estadounidense de los Estados Unidos de América", "USD")
    for width in (960, 1400, 960):  # the letters of a desktop leave as much beside the bar at 1024
        large.resize(width, 700)
        settle()
        assert settings_page.horizontalScrollBar().maximum() == 0
    assert settings_page.currency.minimumWidth() > 200


@pytest.mark.parametrize(("width", "is_beside"), [(1024, False), (1900, True)])
def test_every_row_of_the_settings_looks_alike(large: MainWindow, width: int, is_beside: bool) -> None:
    """Some captions stood beside their field and some above, "Electricity price (per / kWh)" broken, "Same as" cut."""
    settings_page = cast(SettingsPage, page(large, "settings"))
    large.resize(width, 700)
    settle()
    places = set()
    for words, box, _caption, _hint in settings_page._captions:
        corner, caption = (one.mapTo(settings_page, one.rect().topLeft()) for one in (box, words))
        places.add((corner.x(), box.width(), caption.x(), corner.y() > caption.y() + words.height() // 2))
        assert words.width() >= words.fontMetrics().horizontalAdvance(words.text())
    assert len(places) == 1
    assert places.pop()[3] == (not is_beside)
    for box in (settings_page.language, settings_page.theme):
        box.setCurrentIndex(0)
        assert box.shown_text() == box.currentText() == "Como el sistema"
    assert settings_page.horizontalScrollBar().maximum() == 0


def test_the_offer_to_check_again_fits_a_small_window(large: MainWindow) -> None:
    """Beside the note on other programs it made the page wider than the window."""
    large.stack.open("advice")
    large.advice.ensure_verdict().when_quiet.show()
    settle()
    assert large.advice.horizontalScrollBar().maximum() == 0
