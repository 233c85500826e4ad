"""The thread that samples the sensors goes on, whatever a library does."""

import sys

from pytestqt.qtbot import QtBot

from advisor.gui.controllers.sensor_thread import SensorThread
from tests.gui.conftest import WAIT_MS


def test_a_library_cannot_end_the_program(qtbot: QtBot) -> None:
    """Of a SystemExit that leaves a thread of Qt's, PySide ends the process while others still run."""
    thread = SensorThread(lambda: sys.exit(0), interval_s=1.0)
    thread.start()
    try:
        qtbot.waitUntil(lambda: thread.problem is not None, timeout=WAIT_MS)
        assert thread.isRunning()
    finally:
        thread.stop()
        assert thread.wait(WAIT_MS)
