"""Curves, axes and what the pointer and the wheel do in a plot."""

import math
import re
import time

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QFontMetrics, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.models.live.model import LiveModel
from advisor.gui.pages.live.plot import time_ticks, unbroken_lines, value_ticks
from advisor.locale import language
from advisor.records.hardware.telemetry import HostSample, TelemetrySample
from tests.unit.gui.models.live.test_model import append
from tests.unit.gui.pages.live.opened import an_hour, feed, live_page, stop_sampling


def test_a_curve_breaks_where_there_is_no_value() -> None:
    """A gap in the values is a gap in the line; an unbroken curve is one line."""
    times = np.arange(6.0)
    values = np.array([1.0, 2.0, math.nan, math.nan, 5.0, 6.0])

    assert [[line.at(n).y() for n in range(line.size())] for line in unbroken_lines(times, values)] == [
        [1.0, 2.0],
        [5.0, 6.0],
    ]
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
    wheel(plot, notch * -3, keys.ShiftModifier)
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


@pytest.mark.parametrize(
    ("code", "expected"), [("en", ["0", "50", "100%"]), ("es", ["0", "50", "100\N{NO-BREAK SPACE}%"])]
)
def test_an_axis_writes_percent_as_the_values_do(code: str, expected: list[str]) -> None:
    """The highest mark has the sign as the language sets it."""
    model = LiveModel()
    append(model, [TelemetrySample(time_s=0.0, host=HostSample(cpu_ratio=0.86))])
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
