"""The other pages: measurements, sensors, this computer, options, settings."""

import time
from typing import cast

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from advisor.gui.pages.computer import ComputerPage
from advisor.gui.pages.live import LivePage
from advisor.gui.pages.measure import MeasurePage
from advisor.gui.pages.options import OptionsPage
from advisor.gui.pages.settings import SettingsPage
from advisor.gui.settings import load_settings
from advisor.gui.widgets.twin import TwinChart
from advisor.gui.window import MainWindow
from advisor.monitor import Monitor
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeCore, WavyCards, WavyHost


def page(window: MainWindow, name: str) -> object:
    """Open a page and return it."""
    window.open_page(name)
    return window.current_page


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

    with qtbot.waitSignal(window.stopped, timeout=WAIT_MS):
        qtbot.mouseClick(measure.start, Qt.MouseButton.LeftButton)

    assert not measure.preview.isVisible()


def test_cases_and_rates_appear_as_they_come(window: MainWindow, core: FakeCore, qtbot: QtBot) -> None:
    """While the check runs, finished, running and waiting cases stand in the table and the rates in the chart."""
    core.hold.clear()
    core.events = core.events[:14]
    measure = cast(MeasurePage, page(window, "measure"))
    window.start_check()
    qtbot.waitUntil(lambda: measure.case_rows.rowCount() == 15, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: "running, 0 samples so far" in results(measure), timeout=WAIT_MS)

    assert results(measure)[4:6] == ["190 GFLOP/s", "running, 0 samples so far"]
    assert set(results(measure)[6:]) == {"waiting"}
    assert measure.cancel.isVisible()
    assert measure.chart.plot is not None
    assert cells(measure.chart.table)[-1] == ["2,048", "190 GFLOP/s"]

    window.check.cancel()
    qtbot.waitUntil(lambda: not window.check.is_running, timeout=WAIT_MS)
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


# --- Live ---


def live_page(window: MainWindow, qtbot: QtBot) -> LivePage:
    """Open the live page and wait for its first samples."""
    live = cast(LivePage, page(window, "live"))
    qtbot.waitUntil(lambda: window.monitor.history.count > 0, timeout=WAIT_MS)
    live.refresh()
    return live


def test_every_sensor_has_a_graph_or_a_reason(window: MainWindow, qtbot: QtBot) -> None:
    """Each tile has a plot, or says why not; a missing curve is explained below the others."""
    live = live_page(window, qtbot)

    for name, tile in live.tiles.items():
        assert tile.plot is not None or name in live.absent_text.text(), name
    assert live.tiles["temperature"].missing.text() == "Processor: not available (this program may not read it)."


def test_a_computer_without_a_card_says_so(open_window: Opener, core: FakeCore, qtbot: QtBot) -> None:
    """Without graphics card its graphs are a sentence, not an empty frame."""
    core.make_monitor = lambda: Monitor(WavyHost())
    live = live_page(open_window(), qtbot)

    assert live.tiles["graphics"].plot is None
    assert live.tiles["graphics"].isHidden()
    assert "Graphics memory: No graphics card was found in this computer." in live.absent_text.text()


def test_a_sleeping_card_is_said_to_sleep(open_window: Opener, core: FakeCore, qtbot: QtBot) -> None:
    """A sleeping card is left alone, and the page says so."""
    core.make_monitor = lambda: Monitor(WavyHost(), (WavyCards(is_asleep=True),))
    live = live_page(open_window(), qtbot)

    assert "GeForce RTX 2060 is asleep and is not woken by this page." in live.remarks.text()
    assert "the card is asleep" in live.absent_text.text()


def test_eight_cards_fit(open_window: Opener, core: FakeCore, qtbot: QtBot) -> None:
    """Eight cards are eight named curves."""
    core.make_monitor = lambda: Monitor(WavyHost(), (WavyCards(count=8),))
    live = live_page(open_window(), qtbot)

    graphics = next(graph for graph in live.model.graphs(window_language(live)) if graph.id == "graphics")
    assert [curve.label for curve in graphics.curves] == [f"card {n}" for n in range(1, 9)]


def window_language(live: LivePage) -> object:
    """Return the page's language."""
    return live.context.language


def test_pause_stops_the_graphs(window: MainWindow, qtbot: QtBot) -> None:
    """While paused, new samples are kept but not drawn."""
    live = live_page(window, qtbot)
    qtbot.mouseClick(live.pause, Qt.MouseButton.LeftButton)
    before = live.tiles["processor"].now.text()
    window.monitor.history.append(WavyMoment.sample(9.0))

    live.refresh()

    assert live.tiles["processor"].now.text() == before
    assert live.pause.text() == "Go on"


class WavyMoment:
    """One sample at a time of one's choice."""

    @staticmethod
    def sample(now_s: float) -> object:
        """Return it."""
        return Monitor(WavyHost(), (WavyCards(),), clock=lambda: now_s).sample()


def test_the_live_table_has_the_same_numbers(window: MainWindow, qtbot: QtBot) -> None:
    """The table shows every sample, newest first, one column a curve."""
    live = live_page(window, qtbot)
    qtbot.mouseClick(live.toggle, Qt.MouseButton.LeftButton)
    live.refresh()

    assert live.is_table
    assert len(cells(live.table)) == len(live.model.times_s)
    assert live.rows.headerData(1, Qt.Orientation.Horizontal) == "Processor, all cores, %"


def test_the_interval_is_kept(window: MainWindow, qtbot: QtBot) -> None:
    """Another interval takes effect at once and is remembered."""
    live = live_page(window, qtbot)
    live.interval.setCurrentIndex(live.interval.findData(0.25))
    live.interval.activated.emit(live.interval.currentIndex())

    assert window.monitor.interval_s == 0.25
    assert load_settings(window.settings.path).interval_s == 0.25


def test_sensors_that_cannot_be_read_are_a_sentence(open_window: Opener, core: FakeCore, qtbot: QtBot) -> None:
    """A monitor that fails is said on its page, with details, and the window lives on."""

    def fail() -> Monitor:
        raise OSError("no sensors")

    core.make_monitor = fail
    window = open_window()
    live = cast(LivePage, page(window, "live"))
    qtbot.waitUntil(lambda: window.monitor.problem is not None, timeout=WAIT_MS)
    live.refresh()

    assert live.problem.sentence.text() == "The sensors cannot be read."
    assert "no sensors" in live.problem.details.toPlainText()


def test_two_thousand_refreshes(window: MainWindow, qtbot: QtBot) -> None:
    """Many refreshes keep the number of samples and of drawn items bounded."""
    live = live_page(window, qtbot)
    window.monitor.stop()
    window.monitor.wait(WAIT_MS)
    monitor = Monitor(WavyHost(), (WavyCards(),), clock=lambda: 0.0)
    items = len(live.tiles["power"].plot.view.addedItems) if live.tiles["power"].plot else 0
    started = time.monotonic()

    for turn in range(2000):
        window.monitor.history.append(monitor.sample())
        live.refresh()
        if turn % 500 == 0:
            live.grab()

    assert len(live.model.times_s) == live.model.capacity
    assert live.tiles["power"].plot is not None
    assert len(live.tiles["power"].plot.view.addedItems) == items
    assert time.monotonic() - started < WAIT_MS


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
    assert [row[2] for row in cells(options.table)] == [
        "9 seconds",
        "1 minute",
        "2 minutes",
        "3½ minutes",
        "35 minutes",
    ]

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


def test_a_new_report_reaches_every_open_page(answered: MainWindow, core: FakeCore, qtbot: QtBot) -> None:
    """Pages that are open already show the next answer too."""
    options = cast(OptionsPage, page(answered, "options"))
    report = core.report
    assert not isinstance(report, Exception)
    fewer = msgspec.structs.replace(report.advice, options=report.advice.options[:2])
    core.report = msgspec.structs.replace(report, advice=fewer)
    with qtbot.waitSignal(answered.stopped, timeout=WAIT_MS):
        answered.start_check()

    assert len(cells(options.table)) == 2
    assert all(isinstance(twin, TwinChart) for twin in options.findChildren(TwinChart))
