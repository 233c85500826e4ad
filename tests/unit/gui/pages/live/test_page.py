"""The sensors' page: pausing, moments, saving, nonsense, and a long run."""

import gc
import math
import threading
import time
from pathlib import Path
from typing import cast

import msgspec
import psutil
import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import load_settings
from advisor.gui.models.live.words import card_rows
from advisor.gui.pages.live.page import LivePage
from advisor.monitor.monitor import Monitor
from advisor.records.events import CaseStarted
from advisor.records.hardware.telemetry import HostSample, TelemetrySample
from tests.fakes.measured import matmul_case
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend, WavyCards, WavyHost
from tests.gui.test_pages import cells, page
from tests.unit.gui.pages.live.opened import feed, live_page, stop_sampling

SOAK, SOAK_PARTS = 2000, 4


def wavy(time_s: float) -> TelemetrySample:
    """Return a sample of the processor alone."""
    return TelemetrySample(time_s=time_s, host=WavyHost().sample(time_s).sample)


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
    assert live.moment.text().startswith("Paused. The sensors are still read.")
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
    window.controllers.check_runner.phases.handle_event(
        CaseStarted(case=matmul_case(256), index=0, count=1, remaining_s=9.0), start_s + 20
    )
    plot = live.tiles["processor"].plot
    assert plot is not None

    qtbot.mouseMove(plot, plot.scales.point(-30.0, 50.0).toPoint())
    plot.pointed.emit(-30.0)

    assert live.tiles["processor"].now.text().startswith("29")
    assert live.moment.text() == "Values of 30 s ago  ·  Multiplying matrices on the processor"
    plot.pointed.emit(None)
    assert live.tiles["processor"].now.text().startswith("59")
    assert "Shaded: the tests of a check." in live.moment.text()


def test_another_span_shows_more(window: MainWindow, qtbot: QtBot) -> None:
    """Up to an hour is kept, and as much as one likes of it is shown."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    start_s = float(round(time.monotonic()))  # so that sums of whole seconds are exact
    for second in range(0, 3600, 4):
        window.controllers.sensor_thread.timeline.append(
            TelemetrySample(time_s=start_s + second, host=HostSample(cpu_ratio=0.5))
        )
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


def test_a_cell_of_the_live_table_stays_while_samples_come(window: MainWindow, qtbot: QtBot) -> None:
    """The cell one is on, and the width of its column, are the same after new samples, and after a span of fewer."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    live.switch()
    start_s = time.monotonic() + 5
    for second in range(30):
        feed(live, window, wavy(start_s + second))
    live.table.setCurrentIndex(live.rows.index(3, 2))
    width = live.table.columnWidth(2)
    before = live.rows.index(3, 0).data()
    feed(live, window, wavy(start_s + 30.5))

    current = live.table.currentIndex()
    assert (current.row(), current.column()) == (3, 2)
    assert live.table.columnWidth(2) == width
    assert live.rows.index(3, 0).data() != before
    live.span.setCurrentIndex(live.span.findData(60.0))
    live.span.activated.emit(live.span.currentIndex())
    feed(live, window, wavy(start_s + 80))
    assert live.rows.rowCount() == len(live.model.times_s) < 30
    assert live.table.currentIndex().row() == 3


def test_each_core_is_in_the_live_table(window: MainWindow, qtbot: QtBot) -> None:
    """What the bars show is a column a core, which the keyboard reaches and which says where it comes from."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    live.switch()
    host = HostSample(cpu_ratio=0.5, cores_ratio=(0.25, 1.0))
    feed(live, window, TelemetrySample(time_s=time.monotonic() + 5, host=host))
    titles = [live.rows.headerData(n, Qt.Orientation.Horizontal) for n in range(live.rows.columnCount())]

    assert titles[-2:] == ["Processor, core 1, %", "Processor, core 2, %"]
    last = live.rows.columnCount() - 1
    assert (live.rows.index(0, last - 1).data(), live.rows.index(0, last).data()) == ("25", "100")
    origin = live.rows.origin_at(live.rows.index(0, last))
    assert origin is not None
    assert (origin.title, origin.value) == ("Processor, core 2", "100\N{NO-BREAK SPACE}%")


def test_the_bars_of_the_cores_are_named_above_their_graph(window: MainWindow, qtbot: QtBot) -> None:
    """They stood under it without a word, and the graph ended higher than its neighbour."""
    live = live_page(window, qtbot)
    settle()
    assert live.cores_title.text() == "Each core"
    ends = {name: live.tiles[name].plot for name in ("processor", "memory")}
    bottoms = {plot.mapTo(live, plot.rect().bottomLeft()).y() for plot in ends.values() if plot is not None}
    assert len(bottoms) == 1
    processor = ends["processor"]
    assert processor is not None
    assert (
        live.cores.mapTo(live, live.cores.rect().bottomLeft()).y()
        < processor.mapTo(live, processor.rect().topLeft()).y()
    )


def test_the_interval_is_kept(window: MainWindow, qtbot: QtBot) -> None:
    """Another interval takes effect at once and is remembered."""
    live = live_page(window, qtbot)
    live.interval.setCurrentIndex(live.interval.findData(0.25))
    live.interval.activated.emit(live.interval.currentIndex())

    assert window.controllers.sensor_thread.interval_s == 0.25
    assert load_settings(window.settings.path).interval_s == 0.25


def test_numbers_and_picture_are_saved(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """The numbers become a table, the graphs a picture; without a file chosen nothing is written."""
    live = live_page(window, qtbot)
    chosen = iter([str(tmp_path / "live.csv"), str(tmp_path / "live.png"), ""])
    live.choose_file = lambda name, kinds: next(chosen)  # type: ignore[method-assign]  # instead of a dialog
    live.save_numbers.trigger()
    qtbot.waitUntil(lambda: live.saved.text() == "Saved as live.csv.", timeout=WAIT_MS)
    live.save_picture.trigger()
    qtbot.waitUntil(lambda: live.saved.text() == "Saved as live.png.", timeout=WAIT_MS)
    live.save_numbers.trigger()

    assert (tmp_path / "live.csv").read_text(encoding="utf-8").startswith("time_s,")
    assert (tmp_path / "live.png").read_bytes().startswith(b"\x89PNG")
    assert len(list(tmp_path.glob("live.*"))) == 2
    assert live.problem.isHidden()


def test_a_file_that_cannot_be_written_is_a_sentence(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """What is in the way is said for numbers and picture, not called a fault of the program; nothing is left there."""
    live = live_page(window, qtbot)
    (tmp_path / "taken").mkdir()
    for save in (live.save_csv, live.save_png):
        for place, reason in (
            (tmp_path / "nowhere" / "live", "the folder does not exist"),
            (tmp_path / "taken", "it is a folder"),
        ):
            live.problem.dismiss()
            save(place)
            qtbot.waitUntil(lambda: not live.problem.isHidden(), timeout=WAIT_MS)
            assert reason in live.problem.sentence.text()
            assert "report" not in live.problem.sentence.text()  # it is numbers or a picture
            assert live.problem.advice.text() == "The file could not be written."
    assert [path.name for path in tmp_path.rglob("*") if path.name.startswith((".advisor", "live"))] == []


def test_an_earlier_file_of_numbers_is_replaced_whole(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """Writing over a longer file leaves nothing of it."""
    live = live_page(window, qtbot)
    path = tmp_path / "live.csv"
    path.write_text("old " * 100_000)
    live.save_csv(path)
    qtbot.waitUntil(lambda: not live.saved.isHidden(), timeout=WAIT_MS)

    assert "old" not in path.read_text(encoding="utf-8")


def test_sensors_that_cannot_be_read_are_a_sentence(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """A monitor that fails is said on its page, with details; it is tried again, and the window lives on."""
    is_mended = threading.Event()

    def fail_until_mended() -> Monitor:
        if not is_mended.is_set():
            raise OSError("no sensors")
        return Monitor(WavyHost())

    backend.sensors = fail_until_mended
    window = open_window()
    live = cast(LivePage, page(window, "live"))
    qtbot.waitUntil(lambda: window.controllers.sensor_thread.problem is not None, timeout=WAIT_MS)
    live.refresh()

    assert live.problem.sentence.text() == "The sensors cannot be read."
    assert "no sensors" in live.problem.details.toPlainText()
    is_mended.set()
    window.controllers.sensor_thread.set_interval(0.25)  # wakes the thread
    qtbot.waitUntil(lambda: window.controllers.sensor_thread.problem is None, timeout=WAIT_MS)
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
    before, grown_bytes = state(), []
    for _part in range(SOAK_PARTS):
        memory_bytes = psutil.Process().memory_info().rss
        run(SOAK // SOAK_PARTS)
        assert state() == before
        grown_bytes.append(psutil.Process().memory_info().rss - memory_bytes)

    # The system enlarges a process now and then, as by joining its pages into huge ones; a leak grows all the time.
    assert min(grown_bytes) < 2 * 1024**2
    assert len(window.controllers.sensor_thread.timeline) <= window.controllers.sensor_thread.timeline.most + 300


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
