"""The sensors' page: graphs or reasons, moments, pausing, saving, many cards, nonsense, and a long run."""

import gc
import math
import threading
import time
from pathlib import Path
from typing import cast

import msgspec
import numpy as np
import psutil
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.gui.models.live_words import card_rows
from advisor.gui.pages.live import LivePage
from advisor.gui.settings import load_settings
from advisor.gui.widgets.live_plot import unbroken_lines
from advisor.gui.window import MainWindow
from advisor.monitor import Monitor
from advisor.monitor.source import HostReading
from advisor.records.events import CaseStarted
from advisor.records.telemetry import HostSample, TelemetrySample
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeCore, WavyCards, WavyHost, matmul_case
from tests.gui.test_pages import cells, page

SOAK = 2000


def live_page(window: MainWindow, qtbot: QtBot) -> LivePage:
    """Open the live page and wait for its first samples."""
    live = cast(LivePage, page(window, "live"))
    qtbot.waitUntil(lambda: window.monitor.history.count > 0, timeout=WAIT_MS)
    live.refresh()
    return live


def feed(live: LivePage, window: MainWindow, sample: TelemetrySample) -> None:
    """Hand a sample to the page as the thread would."""
    window.monitor.timeline.append(sample)
    window.monitor.history.append(sample)
    live.refresh()


def stop_sampling(window: MainWindow) -> None:
    """Let the test alone say what the sensors say."""
    window.monitor.stop()
    window.monitor.wait(WAIT_MS)


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
    assert live.cards.isHidden()
    assert "Graphics memory: No graphics card was found in this computer." in live.absent_text.text()


def test_a_sleeping_card_is_said_to_sleep(open_window: Opener, core: FakeCore, qtbot: QtBot) -> None:
    """A sleeping card is left alone, and the page says so."""
    core.make_monitor = lambda: Monitor(WavyHost(), (WavyCards(is_asleep=True),))
    live = live_page(open_window(), qtbot)

    assert "GeForce RTX 2060 is asleep and is not woken by this page." in live.remarks.text()
    assert "the card is asleep" in live.absent_text.text()
    assert cells(live.cards.cards.view)[0][-1] == "asleep"


def test_the_programs_on_the_card_are_named_while_the_page_is_open(window: MainWindow, qtbot: QtBot) -> None:
    """Who uses the card is asked for while the page is seen, and shown with the memory it holds."""
    live = live_page(window, qtbot)
    window.monitor.set_interval(0.25)
    qtbot.waitUntil(lambda: cells(live.cards.users.view) == [["python3", "GeForce RTX 2060", "1 GB"]], timeout=WAIT_MS)

    window.open_page("settings")
    qtbot.waitUntil(lambda: window.monitor.users == (), timeout=WAIT_MS)


class ManyCores:
    """A host with 256 cores."""

    def sample(self, now_s: float) -> HostReading:
        """Return a sample."""
        ratios = tuple(round(0.5 + 0.5 * math.sin(now_s + core), 3) for core in range(256))
        return HostReading(sample=HostSample(cpu_ratio=0.5, cores_ratio=ratios))


def test_eight_cards_and_256_cores_fit(open_window: Opener, core: FakeCore, qtbot: QtBot) -> None:
    """Eight cards are eight named curves and eight rows; 256 cores are 256 bars no wider than the tile."""
    core.make_monitor = lambda: Monitor(ManyCores(), (WavyCards(count=8),))
    window = open_window(size=(1024, 640))
    live = live_page(window, qtbot)
    feed(live, window, core.make_monitor().sample())

    graphics = next(graph for graph in live.model.graphs(live.context.language) if graph.id == "graphics")
    assert [curve.label for curve in graphics.curves] == [f"card {n}" for n in range(1, 9)]
    assert len(cells(live.cards.cards.view)) == 8
    qtbot.waitUntil(lambda: live.widget().width() <= live.viewport().width(), timeout=WAIT_MS)


def test_pause_stops_the_graphs(window: MainWindow, qtbot: QtBot) -> None:
    """While paused, new samples are kept but not drawn; going on draws them."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    qtbot.mouseClick(live.pause, Qt.MouseButton.LeftButton)
    before = live.tiles["processor"].now.text()
    later = Monitor(WavyHost(), (WavyCards(),), clock=lambda: time.monotonic() + 2.0).sample()
    feed(live, window, msgspec.structs.replace(later, host=HostSample(cpu_ratio=0.111)))

    assert live.tiles["processor"].now.text() == before
    assert live.pause.text() == "Go on"
    qtbot.mouseClick(live.pause, Qt.MouseButton.LeftButton)
    assert live.tiles["processor"].now.text().startswith("11")


def test_pointing_at_a_graph_shows_the_values_of_that_moment(window: MainWindow, qtbot: QtBot) -> None:
    """The pointer in one graph draws a line in all of them and shows that moment's values and test."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    start_s = time.monotonic()
    for second in range(60):
        feed(live, window, TelemetrySample(time_s=start_s + second, host=HostSample(cpu_ratio=second / 100)))
    live.refresh()
    settle()
    window.check.phases.take(CaseStarted(case=matmul_case(256), index=0, count=1, remaining_s=9.0), start_s + 20)
    plot = live.tiles["processor"].plot
    assert plot is not None

    qtbot.mouseMove(plot, plot.scales.point(-30.0, 50.0).toPoint())
    plot.pointed.emit(-30.0)

    assert live.tiles["processor"].now.text().startswith("29")
    assert live.moment.text() == "Values of 30 s ago  ·  Multiplying matrices on the processor"
    plot.pointed.emit(None)
    assert live.tiles["processor"].now.text().startswith("59")
    assert "Shaded: the tests of a check." in live.moment.text()


def test_a_curve_breaks_where_there_is_no_value() -> None:
    """A gap in the values is a gap in the line; an unbroken curve is one line."""
    times = np.arange(6.0)
    values = np.array([1.0, 2.0, math.nan, math.nan, 5.0, 6.0])

    assert [[point.y() for point in line] for line in unbroken_lines(times, values)] == [[1.0, 2.0], [5.0, 6.0]]
    assert [line.size() for line in unbroken_lines(times, times)] == [6]


def test_a_busy_moment_is_painted_where_its_time_is(window: MainWindow, qtbot: QtBot) -> None:
    """A rise from nothing to full load half a minute ago is a vertical line of the curve's colour at that place."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    start_s = time.monotonic() + 1000.0
    for second in range(300):
        busy = 1.0 if second > 269 else 0.0
        feed(live, window, TelemetrySample(time_s=start_s + second, host=HostSample(cpu_ratio=busy)))
    plot = live.tiles["processor"].plot
    assert plot is not None
    ratio = plot.devicePixelRatioF()
    picture = plot.grab().toImage()
    colour = live.context.theme.series[0]

    def is_curve(ago_s: float, percent: float) -> bool:
        place = plot.scales.point(-ago_s, percent)
        around = [
            picture.pixelColor(round(ratio * place.x()) + dx, round(ratio * place.y()) + dy).name()
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
        ]
        return colour.lower() in around

    assert is_curve(29.5, 50.0)
    assert is_curve(10.0, 100.0)
    assert not is_curve(10.0, 50.0)


def test_another_span_shows_more(window: MainWindow, qtbot: QtBot) -> None:
    """Up to an hour is kept, and as much as one likes of it is shown."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    start_s = float(round(time.monotonic()))  # so that sums of whole seconds are exact
    for second in range(0, 3600, 4):
        window.monitor.timeline.append(TelemetrySample(time_s=start_s + second, host=HostSample(cpu_ratio=0.5)))
    feed(live, window, TelemetrySample(time_s=start_s + 3600, host=HostSample(cpu_ratio=0.5)))
    assert len(live.model.times_s) == 76

    live.span.setCurrentIndex(live.span.findData(3600.0))
    live.span.activated.emit(live.span.currentIndex())

    assert len(live.model.times_s) >= 900


def test_the_live_table_has_the_same_numbers(window: MainWindow, qtbot: QtBot) -> None:
    """The table shows every sample, newest first, one column a curve."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    qtbot.mouseClick(live.toggle, Qt.MouseButton.LeftButton)

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


def test_numbers_and_picture_are_saved(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """The numbers become a table, the graphs a picture; without a file chosen nothing is written."""
    live = live_page(window, qtbot)
    chosen = iter([str(tmp_path / "live.csv"), str(tmp_path / "live.png"), ""])
    live.choose_file = lambda name, kinds: next(chosen)  # type: ignore[method-assign]  # instead of a dialog
    live.save_numbers.trigger()
    live.save_picture.trigger()
    live.save_numbers.trigger()

    assert (tmp_path / "live.csv").read_text(encoding="utf-8").startswith("time_s,")
    assert (tmp_path / "live.png").read_bytes().startswith(b"\x89PNG")
    assert len(list(tmp_path.glob("live.*"))) == 2
    assert live.problem.isHidden()


def test_a_file_that_cannot_be_written_is_a_sentence(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """A folder that is not there is said, for numbers and picture."""
    live = live_page(window, qtbot)
    for save in (live.save_csv, live.save_png):
        live.problem.dismiss()
        save(tmp_path / "nowhere" / "live")
        assert live.problem.sentence.text() == "The file could not be written."


def test_sensors_that_cannot_be_read_are_a_sentence(open_window: Opener, core: FakeCore, qtbot: QtBot) -> None:
    """A monitor that fails is said on its page, with details; it is tried again, and the window lives on."""
    tries = []

    def fail_at_first() -> Monitor:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("no sensors")
        return Monitor(WavyHost())

    core.make_monitor = fail_at_first
    window = open_window()
    live = cast(LivePage, page(window, "live"))
    qtbot.waitUntil(lambda: window.monitor.problem is not None, timeout=WAIT_MS)
    live.refresh()

    assert live.problem.sentence.text() == "The sensors cannot be read."
    assert "no sensors" in live.problem.details.toPlainText()
    window.monitor.set_interval(0.25)  # wakes the thread
    qtbot.waitUntil(lambda: window.monitor.problem is None, timeout=WAIT_MS)
    live.refresh()
    assert live.problem.isHidden()


def test_nonsense_breaks_nothing(window: MainWindow, qtbot: QtBot) -> None:
    """Values that no source should let through are drawn or left out, never fatal."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    now_s = time.monotonic()
    for turn, value in enumerate((math.nan, -1.0, 1e9, 1e30, 0.0, math.inf)):
        host = HostSample(
            cpu_ratio=value, cpu_temperature_celsius=value, disk_read_bytes_per_s=value, cpu_power_w=value
        )
        feed(live, window, TelemetrySample(time_s=now_s + turn, host=host))
        live.grab()

    assert live.problem.isHidden()
    assert card_rows(cast(TelemetrySample, live.model.latest), live.context.language) == ()


def test_two_thousand_refreshes(window: MainWindow, qtbot: QtBot) -> None:
    """A long run grows nothing: no thread, timer, widget, child of a plot, and hardly any memory."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    seconds = iter(range(10**9))
    start_s = time.monotonic()
    monitor = Monitor(WavyHost(), (WavyCards(),), clock=lambda: start_s + next(seconds))

    def run(turns: int) -> None:
        for turn in range(turns):
            feed(live, window, monitor.sample())
            if turn % 500 == 0:
                live.grab()
                settle()

    def state() -> tuple[int, int, int, int]:
        gc.collect()
        settle()
        plot = live.tiles["power"].plot
        assert plot is not None
        widgets, timers = len(window.findChildren(QWidget)), len(window.findChildren(QTimer))
        return widgets, timers, threading.active_count(), len(plot.children())

    run(500)
    before, memory = state(), psutil.Process().memory_info().rss
    run(SOAK)

    assert state() == before
    assert psutil.Process().memory_info().rss - memory < 24 * 1024**2
    assert len(window.monitor.timeline) <= window.monitor.timeline.most + 300


@pytest.mark.parametrize("count", [0, 1, 8])
def test_cards_come_and_go(window: MainWindow, qtbot: QtBot, count: int) -> None:
    """From one card to none or many and back, the page follows."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    now_s = time.monotonic()
    for turn, cards in enumerate((1, count, 1)):
        sample = Monitor(WavyHost(), (WavyCards(count=cards),), clock=lambda: 0.0).sample()
        feed(live, window, msgspec.structs.replace(sample, time_s=now_s + turn))
        assert live.cards.isHidden() == (cards == 0)

    assert len(cells(live.cards.cards.view)) == 1
