"""Measuring in the window: pausing, the full suite, its charts."""

from typing import cast

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.models.progress import ProgressModel
from advisor.gui.pages.measure.page import MeasurePage
from advisor.gui.pages.measure.rate_chart import RateChart
from advisor.gui.widgets.charts.chart_with_table import ChartWithTable
from advisor.gui.widgets.charts.svg_view import SvgView
from advisor.gui.widgets.progress_panel import ProgressPanel
from advisor.locale import language
from advisor.records.events import BenchmarkPlanned, CaseFinished, CaseStarted, ProgramsNamed, SampleTaken
from advisor.records.results.measured.measurement import Condition
from advisor.records.results.report import Report
from advisor.report.formats.write import render
from tests.gui.conftest import WAIT_MS, settle
from tests.gui.samples import FakeBackend, sample_report
from tests.gui.test_pages import page
from tests.unit.gui.pages.measure.full import full_measurements
from tests.unit.gui.plain import plain

# What the off-screen platform says of every dialog.


def loaded(report: Report | Exception, share: float) -> Report:
    """Return a report of a check during which others took a share of the processor."""
    assert isinstance(report, Report)
    assert report.benchmark is not None
    load = (Condition(kind="other_load", value=share, unit="ratio", when="during"),)
    measured = tuple(msgspec.structs.replace(one, conditions=load) for one in report.benchmark.measurements)
    return msgspec.structs.replace(report, benchmark=msgspec.structs.replace(report.benchmark, measurements=measured))


def test_programs_seen_while_measuring_are_named_beside_the_answer(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """On the screen, with the measurements and with the answer; neither in the report nor beside another check."""
    backend.events = (*backend.events, ProgramsNamed(programs=("annas-diary",)))
    quiet = backend.report
    backend.report = loaded(quiet, 0.4)
    measure = cast(MeasurePage, page(window, "measure"))
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    verdict = window.advice.ensure_verdict()
    assert "(mainly “annas-diary”) used 40% of the processor on average" in verdict.notes.text()
    assert not verdict.when_quiet.isHidden()
    assert "annas-diary" in measure.disturbed.text()
    assert window.answer_flow.report is not None
    assert b"annas-diary" not in render(window.answer_flow.report, "json", window.context.language)

    backend.report = loaded(quiet, 0.01)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert verdict.notes.isHidden(), "an amber note stood beside 1 % on average"
    assert verdict.when_quiet.isHidden()

    backend.events = backend.events[:-1]
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert "annas-diary" not in verdict.notes.text() + measure.disturbed.text()


@pytest.mark.parametrize("code", ["en", "es"])
def test_a_running_test_is_read_whole(window: MainWindow, qtbot: QtBot, code: str) -> None:
    """The column kept the room of "running": "en curso, 2 …" stood beside an empty half of the page."""
    window.context.language = language(code)
    window.resize(1280, 800)
    measure = cast(MeasurePage, page(window, "measure"))
    model = window.controllers.check_runner.measure
    benchmark = sample_report().benchmark
    assert benchmark is not None
    cases = tuple(one.case for one in benchmark.measurements)
    started = CaseStarted(case=cases[0], index=0, count=len(cases), remaining_s=60.0)
    for event in (BenchmarkPlanned(cases=cases, budget_s=60.0), started):
        model.handle_event(event)
    measure.redraw(is_checking=True)
    settle()
    for _sample in range(12):
        model.handle_event(SampleTaken(case_id=cases[0].id, sample_s=0.1))
    measure.redraw(is_checking=True)
    settle()
    place = measure.case_rows.index(0, 1)
    assert "12" in place.data()
    assert measure.cases.sizeHintForIndex(place).width() <= measure.cases.columnWidth(1)


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


def test_a_row_is_one_line_high_where_its_words_fit(answered: MainWindow) -> None:
    """The widest result decides how wide its column is, and still stands in one line."""
    measure = cast(MeasurePage, page(answered, "measure"))
    settle()
    shown = [row for row in range(measure.case_rows.rowCount()) if row not in measure.case_rows.notes]

    heights = {measure.cases.rowHeight(row) for row in shown}
    assert len(heights) == 1
    assert heights.pop() < measure.cases.verticalHeader().defaultSectionSize() + measure.cases.fontMetrics().height()


def test_how_many_samples_is_not_said_where_it_differs(answered: MainWindow) -> None:
    """A full check takes fewer samples of large networks; the page promises no number."""
    measure = cast(MeasurePage, page(answered, "measure"))

    assert "its typical result" in measure.cases_title.text()
    assert "seven" not in measure.status.text()


def test_what_disturbed_is_a_sentence_of_its_own(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """No capital letter in the middle of a sentence."""
    report = backend.report
    assert not isinstance(report, Exception)
    assert report.benchmark is not None
    load = (Condition(kind="other_load", value=0.47, unit="ratio"),)
    measurements = tuple(msgspec.structs.replace(one, conditions=load) for one in report.benchmark.measurements)
    benchmark = msgspec.structs.replace(report.benchmark, measurements=measurements)
    backend.report = msgspec.structs.replace(report, benchmark=benchmark)
    measure = cast(MeasurePage, page(window, "measure"))
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()

    said = "Other programs used 47% of the processor on average during the check."
    assert plain(measure.disturbed.text()).startswith(f"{said} 7 tests were disturbed")


def test_what_the_page_is_for_is_said_first(answered: MainWindow) -> None:
    """How fast the job ran, in words, and where the answer to it is."""
    measure = cast(MeasurePage, page(answered, "measure"))
    assert measure.result.text().startswith("This computer trains on about ")
    assert "nothing more to do here" in measure.use.text()
    measure.answer.click()
    assert answered.stack.currentWidget() is answered.advice


def test_disturbed_tests_are_marked_in_the_running_list_and_in_the_chart(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """In the list they had a plain tick; in the chart the line dipped without a word."""
    backend.report = loaded(backend.report, 0.4)
    assert isinstance(backend.report, Report)
    assert backend.report.benchmark is not None
    model = ProgressModel(lambda: 0.0)
    panel = ProgressPanel(window.context)
    qtbot.addWidget(panel)
    measured = backend.report.benchmark.measurements
    model.handle_event(BenchmarkPlanned(cases=tuple(one.case for one in measured), budget_s=60.0))
    for one in measured:
        model.handle_event(CaseFinished(measurement=one))
    panel.show_progress(model, is_stopping=False)
    marks = [one for one in panel.findChildren(QLabel) if one.text() in "⚠✓" and one.text()]
    disturbed = [one for one in marks if one.text() == "⚠"]
    assert len(disturbed) == sum(one.case.device == "cpu" for one in measured)
    assert len(marks) == len(measured)
    assert {plain(one.toolTip()) for one in disturbed} == {"Other programs used 40% of the processor."}
    assert all("40" in one.accessibleName() for one in disturbed)

    measure = cast(MeasurePage, page(window, "measure"))
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert not measure.chart_marks.isHidden()
    chart = cast(RateChart, measure.chart.plot)
    names = {name.toPlainText().strip(): curve for curve, name in chart._items}
    surface = window.context.theme.colour("surface")
    assert all(brush.color() == surface for brush in names["Processor, fp32"].opts["symbolBrush"])
    assert all(brush.color() != surface for brush in names["Graphics card, fp32"].opts["symbolBrush"])
