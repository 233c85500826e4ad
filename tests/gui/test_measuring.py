"""Measuring from the window: doubts told before, pausing, skipping, the full suite, its charts, traces, its end."""

import dataclasses
import threading
from pathlib import Path
from typing import cast

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from advisor.benchmark import Control
from advisor.errors import OutputError
from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import Settings, load_settings
from advisor.gui.controllers import preflight
from advisor.gui.dialogs.interference_dialog import InterferenceDialog
from advisor.gui.pages.measure.page import MeasurePage
from advisor.gui.widgets.chart_with_table import ChartWithTable
from advisor.gui.widgets.svg_view import SvgView
from advisor.probe import Interference
from advisor.records.events import ProgramsNamed
from advisor.records.results.measurement import Case, CaseFailure, Condition, Measurement, Series
from advisor.records.results.profile import Profile, ProfileShare
from advisor.records.results.report import Report
from advisor.report.formats.write import render
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend, measured
from tests.gui.test_pages import page

# What the off-screen platform says of every dialog.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

BATTERY = Condition(kind="on_battery")
BUSY = Condition(kind="other_load", value=0.43, unit="ratio")
FEW = Condition(kind="few_free_cores", value=1.0, unit="cores")


@pytest.fixture
def warned(settings: Settings) -> None:
    """Let the computer be looked at before each check."""
    settings.warns_before = True


def doubt(backend: FakeBackend, *found: tuple[Condition, ...]) -> None:
    """Let a backend find something in the way, one entry a look."""
    backend.in_the_way = [Interference(conditions=one) for one in found]


def dialog_of(window: MainWindow) -> InterferenceDialog:
    """Return the question before the check."""
    assert window.check_flow.dialog is not None
    return window.check_flow.dialog


@pytest.mark.usefixtures("warned")
def test_battery_and_load_are_told_before_measuring(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """What would spoil the measurement is said with its number, and nothing is measured until the user chooses."""
    doubt(backend, (BATTERY, BUSY))
    window = open_window()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.check_flow.dialog is not None, timeout=WAIT_MS)
    dialog = dialog_of(window)

    assert "battery" in dialog.reasons.text()
    assert "43" in dialog.reasons.text()
    assert backend.requests == []
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(dialog.wanted, Qt.MouseButton.LeftButton)
    assert len(backend.requests) == 1


@pytest.mark.usefixtures("warned")
def test_waiting_begins_the_check_by_itself(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever waits is not asked again: the check begins once nothing is in the way."""
    monkeypatch.setattr(preflight, "LOOK_AGAIN_MS", 10)
    doubt(backend, (BUSY,), (BUSY,), ())
    window = open_window()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.check_flow.dialog is not None, timeout=WAIT_MS)

    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(dialog_of(window).waited, Qt.MouseButton.LeftButton)
        assert not dialog_of(window).waited.isEnabled()

    assert backend.looks == 3
    assert len(backend.requests) == 1


@pytest.mark.usefixtures("warned")
def test_not_measuring_is_a_choice_too(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Esc or the button leaves everything as it was, and the check can be asked for again."""
    doubt(backend, (BATTERY,), ())
    window = open_window()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.check_flow.dialog is not None, timeout=WAIT_MS)
    qtbot.keyClick(dialog_of(window), Qt.Key.Key_Escape)

    assert window.check_flow.dialog is None
    assert not window.controllers.preflight.is_asking
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert len(backend.requests) == 1


@pytest.mark.parametrize("found", [(), (FEW,)])
@pytest.mark.usefixtures("warned")
def test_what_cannot_change_is_no_question(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, found: tuple[Condition, ...]
) -> None:
    """An idle computer is measured at once, and so is one that has few cores: waiting would not help."""
    doubt(backend, found)
    window = open_window()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()

    assert len(backend.requests) == 1


@pytest.mark.usefixtures("warned")
def test_the_question_can_be_switched_off(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Whoever does not want to be asked is not even looked at."""
    doubt(backend, (BUSY,))
    window = open_window()
    window.settings.warns_before = False
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()

    assert backend.looks == 0


@pytest.mark.usefixtures("warned")
def test_closing_while_asked(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """The window closes with the question, and nothing is measured."""
    doubt(backend, (BUSY,))
    window = open_window()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.check_flow.dialog is not None, timeout=WAIT_MS)
    window.close()

    assert backend.requests == []


@pytest.mark.usefixtures("warned")
def test_the_busiest_programs_are_named_before_measuring(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who uses the processor is said, as it is at each look; nobody where nobody can be seen."""
    monkeypatch.setattr(preflight, "LOOK_AGAIN_MS", 10)
    doubt(backend, (BUSY, BATTERY))
    one = backend.in_the_way[0]
    backend.in_the_way[:] = [dataclasses.replace(one, programs=("firefox", "Code - OSS"))]
    window = open_window()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.check_flow.dialog is not None, timeout=WAIT_MS)
    dialog = dialog_of(window)
    assert "43% of the processor, above all firefox, Code - OSS." in dialog.reasons.text()

    backend.in_the_way[:] = [one]
    qtbot.mouseClick(dialog.waited, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "43% of the processor. Close" in dialog.reasons.text(), timeout=WAIT_MS)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


def test_programs_seen_while_measuring_are_named_beside_the_answer(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """On the screen, with the measurements and with the answer; neither in the report nor beside another check."""
    backend.events = (*backend.events, ProgramsNamed(programs=("annas-diary",)))
    measure = cast(MeasurePage, page(window, "measure"))
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    verdict = window.advice.ensure_verdict()
    assert "above all annas-diary. No report names them." in verdict.notes.text()
    assert "annas-diary" in measure.status.text()
    assert window.answer_flow.report is not None
    assert b"annas-diary" not in render(window.answer_flow.report, "json", window.context.language)

    backend.events = backend.events[:-1]
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert "annas-diary" not in verdict.notes.text() + measure.status.text()


def test_pause_is_honest_about_when_it_begins(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """The test that runs is finished first, and the page says so; going on takes it back."""
    backend.hold.clear()
    backend.events = backend.events[:14]
    measure = cast(MeasurePage, page(window, "measure"))
    window.check_flow.start_quick()
    qtbot.waitUntil(measure.progress_panel.pause.isEnabled, timeout=WAIT_MS)
    assert measure.progress_panel.pause.text() == "Pause after this test"

    qtbot.mouseClick(measure.progress_panel.pause, Qt.MouseButton.LeftButton)
    assert backend.controls[0].is_paused
    assert measure.progress_panel.sentence.text().endswith("Pauses after this test.")
    assert measure.progress_panel.pause.text() == "Go on"

    qtbot.mouseClick(measure.progress_panel.pause, Qt.MouseButton.LeftButton)
    assert not backend.controls[0].is_paused
    qtbot.mouseClick(measure.progress_panel.skip, Qt.MouseButton.LeftButton)
    assert backend.controls[0].consume_skip()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(measure.progress_panel.cancel, Qt.MouseButton.LeftButton)


def test_the_suite_is_chosen_with_its_duration(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Quick and full say how long they take at most, and what is chosen is what is measured."""
    measure = cast(MeasurePage, page(window, "measure"))
    assert measure.suites["quick"].text().startswith("Quick, up to 1 min")
    assert measure.suites["full"].text().startswith("Full, up to 12 min")
    qtbot.mouseClick(measure.suites["full"], Qt.MouseButton.LeftButton)

    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(measure.start, Qt.MouseButton.LeftButton)

    assert backend.requests[0].suite == "full"


def full_measurements() -> tuple[Measurement, ...]:
    """Return a batch sweep and a profile."""
    sweep = Case(id="sweep/article_cnn/cpu", program="sweep", network="article_cnn", batch_size=64)
    profile = Case(id="profile/article_cnn/cpu", program="profile", network="article_cnn", batch_size=32)
    rates = ((1.0, 40.0), (2.0, 70.0), (4.0, 110.0), (8.0, 130.0))
    steps = tuple((size, size / rate) for size, rate in rates)
    shares = (
        ProfileShare(kind="convolution", time_s=0.6, ratio=0.6),
        ProfileShare(kind="optimizer", time_s=0.4, ratio=0.4),
    )
    seen = Profile(steps=2, wall_s=1.0, plain_step_s=0.4, is_device_time=False, operations=(), shares=shares)
    return (
        msgspec.structs.replace(
            measured(sweep, 0.06),
            series=(
                Series(x="batch_size", y="items_per_s", points=rates),
                Series(x="batch_size", y="step_s", points=steps),
            ),
            details={"best_batch_size": 8.0},
        ),
        msgspec.structs.replace(measured(profile, 0.5), profile=seen),
    )


@pytest.fixture
def full(window: MainWindow, backend: FakeBackend) -> MeasurePage:
    """Return the page after a full run."""
    measure = cast(MeasurePage, page(window, "measure"))
    report = backend.report
    assert not isinstance(report, Exception)
    assert report.benchmark is not None
    benchmark = msgspec.structs.replace(
        report.benchmark, suite="full", measurements=(*report.benchmark.measurements, *full_measurements())
    )
    window.controllers.check_runner.measure.show(benchmark)
    measure.redraw(is_checking=False)
    settle()
    return measure


def test_the_full_suite_has_its_charts(window: MainWindow, full: MeasurePage) -> None:
    """Batch sizes, profile and the rest stand below the tests, each chart with a table, in both themes."""
    assert full.blocks is not None
    charts = full.blocks.findChildren(SvgView)
    twins = full.blocks.findChildren(ChartWithTable)
    assert len(charts) == len(twins) >= 2
    assert all(twin.rows.rowCount() > 0 and twin.title.text() for twin in twins)
    assert all(chart.accessibleName() for chart in charts)

    light = charts[0].grab().toImage()
    window.context.set_theme("dark")
    settle()
    dark = full.blocks.findChildren(SvgView)[0].grab().toImage()
    assert light.pixelColor(1, 1).lightness() > 200
    assert dark.pixelColor(1, 1).lightness() < 100
    window.context.set_language("es")
    settle()
    titles = [each.text() for each in full.blocks.findChildren(QLabel) if each.property("role") == "title"]
    assert titles
    assert all("⟦" in title for title in titles)


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


def test_the_end_is_told_to_who_looks_elsewhere(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """A check that ends while the window is in the background is notified; it can be switched off, and is kept."""
    window.notifier.way = "none"
    window.isActiveWindow = lambda: False  # type: ignore[method-assign]  # off-screen windows are always active
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert window.notifier.said == 1
    assert window.notifier.last.startswith("Your laptop is enough. One training takes about 3½ minutes")

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
    assert window.notifier.last.startswith("Stopped after ")
    measure = cast(MeasurePage, page(window, "measure"))
    assert measure.status.text().startswith("The check ended early; what was measured until then is kept.")

    backend.hold.set()
    backend.report = OSError("no answer")
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert window.notifier.last == "The check ended before its time."


def test_a_row_is_one_line_high_where_its_words_fit(answered: MainWindow) -> None:
    """The widest result decides how wide its column is, and still stands in one line."""
    measure = cast(MeasurePage, page(answered, "measure"))
    settle()
    shown = [row for row in range(measure.case_rows.rowCount()) if row not in measure.case_rows.notes]

    heights = {measure.cases.rowHeight(row) for row in shown}
    assert len(heights) == 1
    assert heights.pop() < measure.cases.verticalHeader().defaultSectionSize() + measure.cases.fontMetrics().height()


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


def test_how_many_samples_is_not_said_where_it_differs(answered: MainWindow) -> None:
    """A full check takes fewer samples of large networks; the page promises no number."""
    measure = cast(MeasurePage, page(answered, "measure"))

    assert "Median of each test's samples" in measure.status.text()
    assert "seven" not in measure.status.text()
