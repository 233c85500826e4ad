"""The other pages: measurements, sensors, this computer, options, settings."""

from typing import cast

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import load_settings
from advisor.gui.pages.computer.page import ComputerPage
from advisor.gui.pages.measure.page import MeasurePage
from advisor.gui.pages.options.page import OptionsPage
from advisor.gui.pages.settings.page import SettingsPage
from advisor.gui.widgets.charts.chart_with_table import ChartWithTable
from tests.gui.conftest import WAIT_MS, settle
from tests.gui.samples import FakeBackend


def page(window: MainWindow, name: str) -> object:
    """Open a page and return it."""
    window.stack.open(name)
    return window.stack.currentWidget()


def cells(view: object) -> list[list[str]]:
    """Return a table's texts, row by row."""
    model = view.model()  # type: ignore[attr-defined]  # any table view
    return [
        [
            str(model.data(model.index(row, column))).replace("\N{NO-BREAK SPACE}", " ")
            for column in range(model.columnCount())
        ]
        for row in range(model.rowCount())
    ]


# --- Measure ---


def results(measure: MeasurePage) -> list[str]:
    """Return the results of all cases."""
    return [row[1] for row in cells(measure.cases)]


def test_before_the_first_check_the_page_says_what_it_will_do(window: MainWindow, qtbot: QtBot) -> None:
    """Nothing measured is no empty page: it explains the check and offers it."""
    measure = cast(MeasurePage, page(window, "measure"))
    assert measure.preview.isVisible()
    assert not measure.chart_card.isVisible()

    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(measure.start, Qt.MouseButton.LeftButton)

    assert not measure.preview.isVisible()


def test_cases_and_rates_appear_as_they_come(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """While the check runs, finished, running and waiting cases stand in the table and the rates in the chart."""
    backend.hold.clear()
    backend.events = backend.events[:14]
    measure = cast(MeasurePage, page(window, "measure"))
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: measure.case_rows.rowCount() == 15, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "running" in results(measure), timeout=WAIT_MS)

    assert results(measure)[4:6] == ["190 GFLOP/s", "running"]
    assert set(results(measure)[6:]) == {"waiting"}
    assert measure.progress_panel.cancel.isVisible()
    assert measure.chart.plot is not None
    assert cells(measure.chart.table)[-1] == ["2,048", "190 GFLOP/s"]

    window.controllers.check_runner.cancel()
    qtbot.waitUntil(lambda: not window.controllers.check_runner.is_running, timeout=WAIT_MS)
    assert not any("running" in text for text in results(measure))


def test_the_chart_has_a_table_twin(answered: MainWindow, qtbot: QtBot) -> None:
    """Ctrl+T shows the chart's numbers as a table, and back."""
    measure = cast(MeasurePage, page(answered, "measure"))
    assert not measure.chart.is_table

    qtbot.keyClick(answered, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)

    assert measure.chart.is_table
    header = measure.chart.rows
    assert header.headerData(0, Qt.Orientation.Horizontal) == "Matrix size"
    assert len(cells(measure.chart.table)) == 6
    qtbot.keyClick(answered, Qt.Key.Key_T, Qt.KeyboardModifier.ControlModifier)
    assert not measure.chart.is_table


# --- This computer ---


def labels(widget: object) -> list[str]:
    """Return every text that is shown."""
    settle()
    found = widget.findChildren(QLabel)  # type: ignore[attr-defined]  # any widget
    return [each.text().replace("\N{NO-BREAK SPACE}", " ") for each in found if each.isVisible()]


def test_every_fact_says_how_it_was_read(window: MainWindow, qtbot: QtBot) -> None:
    """Facts are there at once; how each was read and how to check it are one click away."""
    computer = cast(ComputerPage, page(window, "computer"))
    assert "Intel Core i7-10750H" in labels(computer)
    assert "16 GB" in labels(computer)
    assert not any("lscpu" in text for text in labels(computer))

    qtbot.mouseClick(computer.how, Qt.MouseButton.LeftButton)

    assert any("$ lscpu" in text for text in labels(computer))


def test_what_could_not_be_found_out_is_listed(window: MainWindow) -> None:
    """Gaps stand among the facts, with their reason."""
    computer = cast(ComputerPage, page(window, "computer"))

    shown = labels(computer)
    assert "Error correction" in shown
    assert any("this hardware or system does not tell" in text for text in shown)


# --- Options ---


def test_options_are_a_chart_and_a_table(answered: MainWindow) -> None:
    """Every option has a row, best first, and a mark; the recommended one stands out."""
    options = cast(OptionsPage, page(answered, "options"))

    rows = cells(options.table)
    assert [row[1] for row in rows] == [
        "GeForce RTX 2060 Laptop",
        "L4",
        "GeForce RTX 5060 Ti 16 GB",
        "Core i7-10750H",
        "8 × H100",
    ]
    assert rows[0][-1] == "recommended"
    assert options.chart.plot is not None


def test_options_can_be_filtered_and_sorted(answered: MainWindow, qtbot: QtBot) -> None:
    """A filter shows one of the four answers; a click on a title sorts by the number, not by its words."""
    options = cast(OptionsPage, page(answered, "options"))
    options.table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
    times = [row[2].replace("\N{NO-BREAK SPACE}", " ") for row in cells(options.table)]
    assert times == ["9 s", "1 min", "2 min", "3½ min", "35 min"]

    qtbot.mouseClick(options.filters[2], Qt.MouseButton.LeftButton)

    assert [row[1] for row in cells(options.table)] == ["GeForce RTX 5060 Ti 16 GB"]


def test_a_click_on_a_mark_finds_its_row(answered: MainWindow) -> None:
    """Choosing a mark of the chart selects its row."""
    options = cast(OptionsPage, page(answered, "options"))
    assert options.chart.plot is not None

    options.chart.plot.picked.emit(4)  # type: ignore[attr-defined]  # the chart of options

    assert options.table.currentIndex().row() == 4


# --- Settings ---


def test_choices_are_kept(window: MainWindow) -> None:
    """Theme and language are written down and read again at the next start."""
    settings = cast(SettingsPage, page(window, "settings"))
    settings.theme.setCurrentIndex(settings.theme.findData("dark"))
    settings.theme.activated.emit(settings.theme.currentIndex())
    settings.language.setCurrentIndex(settings.language.findData("es"))
    settings.language.activated.emit(settings.language.currentIndex())

    kept = load_settings(window.settings.path)
    assert (kept.theme, kept.language_code) == ("dark", "es")
    assert window.context.theme.name == "dark"


@pytest.mark.parametrize(
    "content", ["", "[General]\ntheme=pink\nlanguage_code=xx\ninterval_s=nan\n", "\x00\x01", "interval_s=1e99"]
)
def test_a_damaged_settings_file_is_no_trouble(tmp_path: object, content: str) -> None:
    """Unknown or unreadable entries count as not set."""
    path = tmp_path / "window.ini"  # type: ignore[operator]  # a path
    path.write_text(content, encoding="utf-8")

    settings = load_settings(path)

    assert settings.theme == "system"
    assert 0.25 <= settings.interval_s <= 5.0
    assert settings.language_code is None


def test_a_new_report_reaches_every_open_page(answered: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Pages that are open already show the next answer too."""
    options = cast(OptionsPage, page(answered, "options"))
    report = backend.report
    assert not isinstance(report, Exception)
    fewer = msgspec.structs.replace(report.advice, options=report.advice.options[:2])
    backend.report = msgspec.structs.replace(report, advice=fewer)
    with qtbot.waitSignal(answered.check_flow.ended, timeout=WAIT_MS):
        answered.check_flow.start_quick()

    assert len(cells(options.table)) == 2
    assert all(isinstance(twin, ChartWithTable) for twin in options.findChildren(ChartWithTable))
