"""The sensors' page: graphs or reasons, moments, pausing, saving, many cards, nonsense, and a long run."""

import gc
import math
import re
import threading
import time
from pathlib import Path
from typing import cast

import msgspec
import numpy as np
import psutil
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QFontMetrics, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import load_settings
from advisor.gui.models.live.model import LiveModel
from advisor.gui.models.live.words import card_rows
from advisor.gui.pages.live.page import LivePage
from advisor.gui.pages.live.plot import time_ticks, unbroken_lines, value_ticks
from advisor.gui.widgets.basic import GRID
from advisor.locale import language
from advisor.monitor import Monitor
from advisor.monitor.source import HostReading
from advisor.records.events import CaseStarted
from advisor.records.hardware.telemetry import HostSample, TelemetrySample
from advisor.units import GIB
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend, WavyCards, WavyHost, matmul_case
from tests.gui.test_pages import cells, page

SOAK, SOAK_PARTS = 2000, 4


def live_page(window: MainWindow, qtbot: QtBot) -> LivePage:
    """Open the live page and wait for its first samples."""
    live = cast(LivePage, page(window, "live"))
    qtbot.waitUntil(lambda: window.controllers.sensor_thread.history.count > 0, timeout=WAIT_MS)
    live.refresh()
    return live


def feed(live: LivePage, window: MainWindow, sample: TelemetrySample) -> None:
    """Hand a sample to the page as the thread would."""
    window.controllers.sensor_thread.timeline.append(sample)
    window.controllers.sensor_thread.history.append(sample)
    live.refresh()


def wavy(time_s: float) -> TelemetrySample:
    """Return a sample of the processor alone."""
    return TelemetrySample(time_s=time_s, host=WavyHost().sample(time_s).sample)


def stop_sampling(window: MainWindow) -> None:
    """Let the test alone say what the sensors say."""
    window.controllers.sensor_thread.stop()
    window.controllers.sensor_thread.wait(WAIT_MS)


def test_every_sensor_has_a_graph_or_a_reason(window: MainWindow, qtbot: QtBot) -> None:
    """Each tile has a plot, or says why not; a missing curve is explained below the others."""
    live = live_page(window, qtbot)

    for name, tile in live.tiles.items():
        assert tile.plot is not None or name in live.absent_text.text(), name
    assert live.tiles["temperature"].missing.text() == "Processor: not available (this program may not read it)."


def test_a_computer_without_a_card_says_so(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Without graphics card its graphs are a sentence, not an empty frame."""
    backend.sensors = lambda: Monitor(WavyHost())
    live = live_page(open_window(), qtbot)

    assert live.tiles["graphics"].plot is None
    assert live.tiles["graphics"].isHidden()
    assert live.cards.isHidden()
    assert live.absent_text.text().splitlines() == [
        "Graphics card, graphics memory, clock of the graphics card: No graphics card was found in this computer.",
        "Temperature: not available (this program may not read it).",
    ]


def test_a_sleeping_card_is_said_to_sleep(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """A sleeping card is left alone, and the page says so."""
    backend.sensors = lambda: Monitor(WavyHost(), (WavyCards(is_asleep=True),))
    live = live_page(open_window(), qtbot)

    assert "GeForce RTX 2060 is asleep and is not woken by this page." in live.remarks.text()
    assert "the card is asleep" in live.absent_text.text()
    assert cells(live.cards.cards.view)[0][-1] == "asleep"


def test_the_programs_on_the_card_are_named_while_the_page_is_open(window: MainWindow, qtbot: QtBot) -> None:
    """Who uses the card is asked for while the page is seen, and shown with the memory it holds."""
    live = live_page(window, qtbot)
    window.controllers.sensor_thread.set_interval(0.25)
    qtbot.waitUntil(lambda: cells(live.cards.users.view) == [["python3", "GeForce RTX 2060", "1 GB"]], timeout=WAIT_MS)

    window.stack.open("settings")
    qtbot.waitUntil(lambda: window.controllers.sensor_thread.users == (), timeout=WAIT_MS)


class ManyCores:
    """A host with 256 cores."""

    def sample(self, now_s: float) -> HostReading:
        """Return a sample."""
        ratios = tuple(round(0.5 + 0.5 * math.sin(now_s + core), 3) for core in range(256))
        return HostReading(sample=HostSample(cpu_ratio=0.5, cores_ratio=ratios))


def test_eight_cards_and_256_cores_fit(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Eight cards are eight named curves and eight rows; 256 cores are 256 bars no wider than the tile."""
    backend.sensors = lambda: Monitor(ManyCores(), (WavyCards(count=8),))
    window = open_window(size=(1024, 640))
    live = live_page(window, qtbot)
    feed(live, window, backend.make_monitor().sample())

    graphics = next(graph for graph in live.model.graphs(live.context.language) if graph.id == "graphics")
    assert [curve.label for curve in graphics.curves] == [f"card {n}" for n in range(1, 9)]
    assert len(cells(live.cards.cards.view)) == 8
    qtbot.waitUntil(lambda: live.widget().width() <= live.viewport().width(), timeout=WAIT_MS)
    view = live.cards.cards.view
    qtbot.waitUntil(lambda: view.horizontalHeader().length() <= view.viewport().width(), timeout=WAIT_MS)
    states = {view.model().index(row, 6).data() for row in range(8)}
    room = QRect(0, 0, view.columnWidth(6) - 2 * GRID, view.rowHeight(0))
    for state in states:
        assert room.contains(view.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, state)), state


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


def an_hour(window: MainWindow, live: LivePage) -> None:
    """Put an hour on the timeline: a full processor in its first half, an idle one in its second."""
    stop_sampling(window)
    start_s = float(round(time.monotonic()))
    for second in range(0, 3560, 4):  # with what was sampled before, an hour at most
        busy = HostSample(cpu_ratio=1.0 if second < 1800 else 0.0, memory_used_bytes=GIB, memory_total_bytes=2 * GIB)
        window.controllers.sensor_thread.timeline.append(TelemetrySample(time_s=start_s + second, host=busy))
    feed(live, window, TelemetrySample(time_s=start_s + 3560, host=HostSample(cpu_ratio=0.0)))
    settle()


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


def wheel(plot: QWidget, turned: QPoint, keys: Qt.KeyboardModifier) -> bool:
    """Turn the wheel over a plot; return whether it took it."""
    place = QPointF(plot.rect().center())
    event = QWheelEvent(
        place, place, QPoint(), turned, Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False
    )
    QApplication.sendEvent(plot, event)
    return event.isAccepted()


def test_the_wheel_zooms_and_moves_and_else_scrolls_the_page(window: MainWindow, qtbot: QtBot) -> None:
    """With Ctrl the next longer or shorter span, with Shift a tenth of it back; alone it is the page's."""
    live = live_page(window, qtbot)
    an_hour(window, live)
    plot = live.tiles["processor"].plot
    assert plot is not None
    keys, notch = Qt.KeyboardModifier, QPoint(0, 120)

    assert wheel(plot, notch, keys.ControlModifier)
    assert live.model.span_s == 60.0
    assert wheel(plot, notch, keys.ControlModifier)  # no shorter span is there
    assert live.model.span_s == 60.0
    assert wheel(plot, -notch, keys.ControlModifier)
    assert live.model.span_s == 300.0
    assert wheel(plot, notch, keys.ShiftModifier)
    assert live.model.back_s == pytest.approx(30.0)
    wheel(plot, -3 * notch, keys.ShiftModifier)
    assert live.model.end_s is None
    wheel(plot, notch, keys.NoModifier)
    assert (live.model.span_s, live.model.end_s) == (300.0, None)


def test_the_curves_can_be_pulled(window: MainWindow, qtbot: QtBot) -> None:
    """Pulled to the right by a third of the graph, it shows a third of the span before."""
    live = live_page(window, qtbot)
    an_hour(window, live)
    plot = live.tiles["processor"].plot
    assert plot is not None
    area = plot.scales.area
    start = area.center().toPoint()

    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=start)
    qtbot.mouseMove(plot, start + QPoint(round(area.width() / 3), 0))
    qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=start)

    assert live.model.back_s == pytest.approx(100.0, abs=2.0)


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


@pytest.mark.parametrize(
    ("code", "expected"), [("en", ["0", "50", "100%"]), ("es", ["0", "50", "100\N{NO-BREAK SPACE}%"])]
)
def test_an_axis_writes_percent_as_the_values_do(code: str, expected: list[str]) -> None:
    """The highest mark has the sign as the language sets it."""
    model = LiveModel()
    model.append([TelemetrySample(time_s=0.0, host=HostSample(cpu_ratio=0.86))])
    graph = next(one for one in model.graphs(language(code)) if one.id == "processor")

    assert [text for _value, text in value_ticks(graph, language(code))] == expected
    assert graph.now == language(code).percent(0.86)


def test_an_axis_that_does_not_end_now_has_times_of_day() -> None:
    """Looking back, how long ago would change while one looks."""
    texts = [text for _time, text in time_ticks(300.0, language("es"), ends_at_s=1_000_000.0)]

    assert len(texts) == 2
    assert all(re.fullmatch(r"\d+:\d\d:\d\d", text) for text in texts)


def test_a_fast_disk_has_room_for_its_rate(window: MainWindow, qtbot: QtBot) -> None:
    """The words of four figures with their unit are not cut off at the left."""
    live = live_page(window, qtbot)
    stop_sampling(window)
    fast = HostSample(cpu_ratio=0.5, disk_read_bytes_per_s=9.0e9, disk_written_bytes_per_s=1.0)
    feed(live, window, TelemetrySample(time_s=time.monotonic() + 5, host=fast))
    plot = live.tiles["disk"].plot
    assert plot is not None
    assert plot._graph is not None
    texts = [text for _value, text in value_ticks(plot._graph, live.context.language)]
    metrics = QFontMetrics(plot._tick_font())

    assert texts[-1] == "10,000\N{NO-BREAK SPACE}MB/s"
    assert max(map(metrics.horizontalAdvance, texts)) < plot.scales.area.left()
