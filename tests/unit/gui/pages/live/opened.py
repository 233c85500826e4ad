"""The live page, open, with samples that a test hands to it."""

import time
from typing import cast

from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.live.page import LivePage
from advisor.records.hardware.telemetry import HostSample, TelemetrySample
from advisor.units import GIB
from tests.gui.conftest import WAIT_MS, settle
from tests.gui.test_pages import page


def live_page(window: MainWindow, qtbot: QtBot) -> LivePage:
    """Open the live page and wait for its first samples."""
    live = cast(LivePage, page(window, "live"))
    qtbot.waitUntil(lambda: window.controllers.sensor_thread.latest is not None, timeout=WAIT_MS)
    live.refresh()
    return live


def feed(live: LivePage, window: MainWindow, sample: TelemetrySample) -> None:
    """Hand a sample to the page as the thread would."""
    window.controllers.sensor_thread.timeline.append(sample)
    window.controllers.sensor_thread.latest = sample
    live.refresh()


def stop_sampling(window: MainWindow) -> None:
    """Let the test alone say what the sensors say."""
    window.controllers.sensor_thread.stop()
    window.controllers.sensor_thread.wait(WAIT_MS)


def an_hour(window: MainWindow, live: LivePage) -> None:
    """Put an hour on the timeline: a full processor in its first half, an idle one in its second."""
    stop_sampling(window)
    start_s = float(round(time.monotonic()))
    for second in range(0, 3560, 4):  # with what was sampled before, an hour at most
        busy = HostSample(cpu_ratio=1.0 if second < 1800 else 0.0, memory_used_bytes=GIB, memory_total_bytes=2 * GIB)
        window.controllers.sensor_thread.timeline.append(TelemetrySample(time_s=start_s + second, host=busy))
    feed(live, window, TelemetrySample(time_s=start_s + 3560, host=HostSample(cpu_ratio=0.0)))
    settle()
