"""Traces written on request."""

import threading
from pathlib import Path
from typing import cast

import msgspec
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.benchmark.running.control import Control
from advisor.errors import OutputError
from advisor.gui.pages.measure.page import MeasurePage
from advisor.records.results.measured.measurement import Case, CaseFailure
from advisor.records.results.report import Report
from tests.gui.conftest import WAIT_MS, Opener
from tests.gui.samples import FakeBackend
from tests.gui.test_pages import page
from tests.unit.gui.pages.measure.full import full_measurements

# What the off-screen platform says of every dialog.


def test_a_trace_is_written_where_the_person_says(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, tmp_path: Path
) -> None:
    """The profiled case runs once more and its trace goes to the file; then the page says how to open it."""
    asked: list[tuple[Case, Path]] = []

    def write(case: Case, path: Path, control: Control) -> CaseFailure | None:
        asked.append((case, path))
        return None if path.name == "trace.json" else CaseFailure(case=case, reason="crashed")

    backend.write_trace = write  # type: ignore[method-assign]
    window = open_window()
    measure = cast(MeasurePage, page(window, "measure"))
    assert not measure.trace.isVisible()
    report = backend.report
    assert not isinstance(report, Exception)
    assert report.benchmark is not None
    window.controllers.check_runner.measure.show(
        msgspec.structs.replace(report.benchmark, measurements=full_measurements())
    )
    measure.redraw(is_checking=False)

    names = iter(["", "trace.json", "other.json"])
    measure.choose_file = lambda: (name := next(names)) and str(tmp_path / name)  # type: ignore[method-assign]
    qtbot.mouseClick(measure.trace, Qt.MouseButton.LeftButton)
    assert asked == []
    qtbot.mouseClick(measure.trace, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "ui.perfetto.dev" in measure.trace_status.text(), timeout=WAIT_MS)
    qtbot.mouseClick(measure.trace, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(asked) == 2 and measure.trace.isEnabled(), timeout=WAIT_MS)

    assert asked[0][0].id == "profile/article_cnn/cpu"
    assert "ui.perfetto.dev" not in measure.trace_status.text()


def test_a_trace_that_fails_says_why_and_one_thing_runs_at_a_time(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, tmp_path: Path
) -> None:
    """While a trace is written no check begins; what kept it from being written is said, with details to pass on."""
    gate = threading.Event()

    def write(case: Case, path: Path, control: Control) -> CaseFailure | None:
        gate.wait(WAIT_MS / 1000)
        raise OutputError("trace.json cannot be written: the disk is full.")

    backend.write_trace = write  # type: ignore[method-assign]
    window = open_window()
    measure = cast(MeasurePage, page(window, "measure"))
    report = backend.report
    assert isinstance(report, Report)
    assert report.benchmark is not None
    window.controllers.check_runner.measure.show(
        msgspec.structs.replace(report.benchmark, measurements=full_measurements())
    )
    measure.redraw(is_checking=False)
    measure.choose_file = lambda: str(tmp_path / "trace.json")  # type: ignore[method-assign]
    qtbot.mouseClick(measure.trace, Qt.MouseButton.LeftButton)
    window.context.set_language("es")
    assert measure.trace_status.text().startswith("⟦Running a few steps")
    window.context.set_language("en")

    window.check_flow.start_quick()
    assert backend.requests == []
    assert window.advice.problem.sentence.text() == "A trace is being written; wait for its end."

    window.stack.open("measure")
    gate.set()
    qtbot.waitUntil(measure.trace_problem.isVisible, timeout=WAIT_MS)
    assert measure.trace_problem.sentence.text() == "trace.json cannot be written: the disk is full."
    assert measure.trace_problem.advice.text() == "The trace could not be written."
    assert "OutputError" in measure.trace_problem.details.toPlainText()
    assert measure.trace.isEnabled()
    assert measure.trace_status.text() == ""
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert len(backend.requests) == 1
