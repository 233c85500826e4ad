"""Looking back along the hour."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.records.hardware.telemetry import HostSample, TelemetrySample
from tests.gui.conftest import Opener, settle
from tests.unit.gui.pages.live.opened import an_hour, feed, live_page


def test_one_can_look_back_along_the_hour(window: MainWindow, qtbot: QtBot) -> None:
    """The bar moves all graphs back; there they stay while new samples come, until one goes back to now."""
    live = live_page(window, qtbot)
    an_hour(window, live)
    assert live.time_bar.isVisible()
    assert live.time_bar.bar.value() == live.time_bar.bar.maximum() >= 3260
    assert live.tiles["processor"].now.text() == "0%"

    live.time_bar.bar.setValue(600)
    assert live.tiles["processor"].now.text() == "100%"
    shown = live.time_bar.shown.text()
    assert " – " in shown
    newest = live.model.latest
    assert newest is not None
    feed(live, window, TelemetrySample(time_s=newest.time_s + 1, host=HostSample(cpu_ratio=0.0)))
    assert live.tiles["processor"].now.text() == "100%"
    assert live.time_bar.bar.value() == 600

    qtbot.mouseClick(live.time_bar.back, Qt.MouseButton.LeftButton)
    assert live.tiles["processor"].now.text() == "0%"
    assert (live.time_bar.shown.text(), live.time_bar.back.isVisible()) == ("now", False)


def test_the_hour_fits_and_needs_no_bar(window: MainWindow, qtbot: QtBot) -> None:
    """Where all that is kept is shown there is nothing to look back to."""
    live = live_page(window, qtbot)
    an_hour(window, live)
    live.span.setCurrentIndex(live.span.findData(3600.0))
    live.span.activated.emit(live.span.currentIndex())

    assert live.time_bar.isHidden()


def test_an_hour_in_large_letters_scrolls_down_alone(open_window: Opener, qtbot: QtBot) -> None:
    """The bar with its words, and long names of cards, made the page wider than a small window."""
    window = open_window(size=(1024, 640))
    live = live_page(window, qtbot)
    an_hour(window, live)
    live.time_bar.bar.setValue(600)
    for percent in (100, 175):
        window.context.set_text_percent(percent)
        settle()
        assert live.horizontalScrollBar().maximum() == 0
    assert live.time_bar.back.y() > live.time_bar.bar.geometry().bottom()
    window.context.set_text_percent(100)
