"""The end of a check is told to who looks elsewhere."""

from typing import cast

from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import load_settings
from advisor.gui.pages.measure.page import MeasurePage
from tests.gui.conftest import WAIT_MS
from tests.gui.samples import FakeBackend
from tests.gui.test_pages import page

# What the off-screen platform says of every dialog.


def test_the_end_is_told_to_who_looks_elsewhere(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """A check that ends while the window is in the background is notified; it can be switched off, and is kept."""
    window.notifier.way = "none"
    window.isActiveWindow = lambda: False  # type: ignore[method-assign]  # off-screen windows are always active
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert window.notifier.said == 1
    assert window.notifier.last.startswith("This laptop is enough. One training takes about 3½ minutes")

    window.settings.notifies = False
    window.settings.save()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert window.notifier.said == 1
    assert not load_settings(window.settings.path).notifies


def test_a_stopped_or_failed_check_is_not_told_as_an_answer(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """The notification says what happened, and the page of measurements that the run ended early."""
    window.notifier.way = "none"
    window.isActiveWindow = lambda: False  # type: ignore[method-assign]  # off-screen windows are always active
    backend.hold.clear()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.controllers.check_runner.progress.finished_count > 3, timeout=WAIT_MS)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.controllers.check_runner.cancel()
    assert window.notifier.last.startswith("Stopped: ")
    measure = cast(MeasurePage, page(window, "measure"))
    assert measure.status.text().startswith("The check ended early; what was measured until then is kept.")

    backend.hold.set()
    backend.report = OSError("no answer")
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert window.notifier.last == "The check ended before its time."
