"""A check that was stopped goes on where it was, from the page of the measurements and from the history."""

from typing import cast

import msgspec
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.history.page import HistoryPage
from advisor.gui.pages.measure.page import MeasurePage
from advisor.history import History
from advisor.records.results.measured.measurement import CaseFailure
from advisor.records.results.report import Report
from tests.fakes.measured import matmul_case
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend, sample_report

pytestmark = pytest.mark.slow


def report_with(*failures: CaseFailure) -> Report:
    """Return the report of a check in which tests have no result."""
    report = sample_report()
    assert report.benchmark is not None
    return msgspec.structs.replace(report, benchmark=msgspec.structs.replace(report.benchmark, failures=failures))


def stopped_report() -> Report:
    """Return the report of a check that was stopped."""
    return report_with(CaseFailure(case=matmul_case(64, "cpu", "fp32"), reason="cancelled"))


def test_a_stopped_check_is_offered_to_go_on(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """The button is there after a cancel, and what was seen goes to the measurement; then nothing is left."""
    window.stack.open("measure")
    page = cast(MeasurePage, window.stack.pages["measure"])
    assert not page.rest.isVisible()
    backend.report = stopped_report()
    backend.hold.clear()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.controllers.check_runner.is_running, timeout=WAIT_MS)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.controllers.check_runner.cancel()
    settle()
    assert page.rest.isVisible()
    backend.report = report_with()
    backend.hold.set()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(page.rest, Qt.MouseButton.LeftButton)
    [(seen, request)] = backend.gone_on
    assert seen.benchmark is not None
    assert request.suite == seen.benchmark.suite
    assert not page.rest.isVisible()


def test_the_history_goes_on_with_this_computers_checks_alone(
    kept: History, open_window: Opener, backend: FakeBackend, qtbot: QtBot
) -> None:
    """A stopped one of another computer is refused with a sentence."""
    kept.add(stopped_report())
    window = open_window()
    window.stack.open("history")
    page = cast(HistoryPage, window.stack.pages["history"])
    qtbot.waitUntil(page.go_on.isVisible, timeout=WAIT_MS)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(page.go_on, Qt.MouseButton.LeftButton)
    assert len(backend.gone_on) == 1
    machine = backend.probe_machine()
    window.controllers.machine.machine = msgspec.structs.replace(machine, accelerators=())
    window.stack.open("history")
    page.table.selectRow(page.rows.rowCount() - 1)
    qtbot.waitUntil(page.go_on.isVisible, timeout=WAIT_MS)
    qtbot.mouseClick(page.go_on, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.advice.problem.isVisible, timeout=WAIT_MS)
    assert len(backend.gone_on) == 1
