"""A job that the check did not measure is measured for the answer that is shown."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.gui.models.verdict import verdict_view
from advisor.gui.pages.advice.verdict_panel import VerdictPanel
from advisor.records.job.workload import Circumstances
from tests.gui.conftest import WAIT_MS, answer, settle
from tests.gui.samples import FakeBackend
from tests.unit.report import samples

pytestmark = pytest.mark.slow


def verdict(window: MainWindow) -> VerdictPanel:
    """Return the panel of the answer."""
    assert window.advice.verdict is not None
    return window.advice.verdict


def press(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Press the button, and see the measuring begin."""
    backend.hold.clear()
    qtbot.mouseClick(verdict(window).measure_too, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.controllers.check_runner.is_running, timeout=WAIT_MS)


def test_it_is_offered_and_the_answer_then_rests_on_it(
    answered: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """The job alone goes to the measurement, with what the check saw; then nothing more is offered."""
    offered = verdict(answered).measure_too
    assert offered.isVisible()
    assert offered.text() == "Measure this job too (less than a minute)"
    press(answered, backend, qtbot)
    assert answered.advice.progress_panel.isVisible()
    with qtbot.waitSignal(answered.check_flow.ended, timeout=WAIT_MS):
        backend.hold.set()
    settle()
    [(observation, request)] = backend.measured_too
    assert observation.benchmark is not None
    assert request.workload == answered.controllers.question.workload
    assert answered.advice.shows_answer
    assert not offered.isVisible()


def test_a_cancel_leaves_the_answer_as_it_was(answered: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """With a word on it, and the offer still there."""
    press(answered, backend, qtbot)
    with qtbot.waitSignal(answered.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(answered.advice.progress_panel.cancel, Qt.MouseButton.LeftButton)
        backend.hold.set()
    qtbot.waitUntil(lambda: answered.advice.shows_answer, timeout=WAIT_MS)
    settle()
    assert answered.advice.notice.text().startswith("Stopped")
    assert verdict(answered).measure_too.isVisible()


def test_what_asks_for_another_check_has_its_button(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """A headline that says to close other programs and check again had none: one had to find the page that measures."""
    backend.report = samples.slowed(0.9, 0.9)
    answer(window, qtbot)
    again = verdict(window).check_again
    assert "close other programs and check again" in verdict(window).headline.text()
    assert again.isVisible()
    backend.report = samples.slowed(0.2, 0.2)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(again, Qt.MouseButton.LeftButton)
    settle()
    assert len(backend.requests) == 2
    assert "check again" not in verdict(window).headline.text()
    assert not again.isVisible()


def test_what_does_not_fit_here_is_not_measured_here(answered: MainWindow) -> None:
    """Eight seconds were offered for a model of 837 GB."""
    flow, view = answered.answer_flow, verdict(answered)
    report = flow.report
    assert report is not None
    options = tuple(msgspec.structs.replace(one, obstacle="does_not_fit") for one in report.advice.options)
    report = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=options))
    flow._show_answer(ShownAnswer(report=report, view=verdict_view(report, answered.context.language)))
    assert not view.measure_too.isVisible()


def test_a_job_measured_in_vain_says_what_came_of_it(answered: MainWindow) -> None:
    """The same answer came with the same button, and not a word: whoever pressed it was in a loop."""
    view = verdict(answered)
    assert not view.unused.isVisible()
    report = samples.with_job_tried(0.87)
    answered.answer_flow._show_answer(ShownAnswer(report=report, view=verdict_view(report, answered.context.language)))
    assert view.measure_too.text() == "Measure this job again (less than a minute)"
    assert view.unused.isVisible()
    assert "other programs took 87% of the processor meanwhile" in view.unused.text()
    answered.context.set_language("es")
    assert all(said.startswith("⟦") for said in (view.measure_too.text(), view.unused.text()))


def test_no_other_check_is_asked_for_where_none_can_change_the_answer(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """It was the first button beside fifteen months here against fifteen hours of a week."""
    backend.report = samples.slowed(0.9, 0.9, Circumstances(deadline_s=120.0))
    answer(window, qtbot)
    assert "check again" not in verdict(window).headline.text().lower()
    assert not verdict(window).check_again.isVisible()
