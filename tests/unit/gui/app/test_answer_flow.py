"""Answers to questions that change while others are worked out or measured."""

import threading

from pytestqt.qtbot import QtBot

from advisor.errors import InputError
from advisor.gui.app.main_window import MainWindow
from advisor.records.job.workload import Circumstances
from advisor.records.results.report import Report
from advisor.session.forecast import Forecast
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend
from tests.unit.gui.app.checks import begin, end


def test_an_answer_on_its_way_does_not_hide_the_check(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Whoever changes a number and measures again at once sees the check, not the answer to the number."""
    gate, plain = threading.Event(), backend.decide

    def slow(forecast: Forecast, circumstances: Circumstances) -> Report:
        gate.wait(WAIT_MS / 1000)
        return plain(forecast, circumstances)

    backend.decide = slow  # type: ignore[method-assign]
    window = open_window()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert window.advice.verdict is not None
    window.advice.verdict.job.form.batch.setValue(64)
    begin(window, backend, qtbot)
    gate.set()
    qtbot.waitUntil(lambda: bool(backend.decided), timeout=WAIT_MS)
    settle()

    assert window.advice.progress_panel.isVisible()
    end(window, backend, qtbot)


def test_a_question_without_an_answer_keeps_the_one_before(
    answered: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """LoRA for a network without attention: the fault is said, the answer before stays until the next."""
    good, backend.report = backend.report, InputError("The method lora goes with transformers.")
    assert answered.advice.verdict is not None
    form = answered.advice.verdict.job.form
    problem = answered.advice.problem
    form.method.setCurrentIndex(form.method.findData("lora"))
    qtbot.waitUntil(problem.isVisible, timeout=WAIT_MS)

    assert problem.sentence.text() == "The method lora goes with transformers."
    assert "answers the one before" in problem.advice.text()
    assert answered.advice.shows_answer

    backend.report = good
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        form.method.setCurrentIndex(form.method.findData("full"))
    assert not problem.isVisible()
