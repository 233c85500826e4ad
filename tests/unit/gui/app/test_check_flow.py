"""While a check runs nothing takes its place; the answer then stands under its own question."""

from typing import cast

import msgspec
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.models.subject import Pretence
from advisor.gui.models.verdict import verdict_view
from advisor.gui.pages.models.page import ModelsPage
from advisor.records.results.history_entry import Entry
from tests.gui.conftest import WAIT_MS, settle
from tests.gui.samples import FakeBackend, sample_presets, sample_report
from tests.unit.gui.app.checks import begin, end


def test_other_computers_wait_for_the_end(answered: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Neither "What if …?" nor the way back takes the place of the running check, and both say why."""
    computer = answered.advice.computer
    qtbot.mouseClick(computer.pretend, Qt.MouseButton.LeftButton)
    computer.panel.card.setText("GeForce RTX 4090")
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        computer.panel.show_answer.click()
    computer.pretend.click()
    begin(answered, backend, qtbot)

    assert not computer.panel.isVisible()
    for way in (computer.pretend, computer.back):
        assert not way.isEnabled()
        assert "check runs" in way.toolTip()
    answered.answer_flow.pretend(Pretence(card="GeForce RTX 4090"))
    answered.answer_flow.go_back()
    settle()
    assert answered.advice.progress_panel.isVisible()

    end(answered, backend, qtbot)
    assert computer.title.text() == "Your computer"
    assert computer.pretend.isEnabled()
    assert "check runs" not in computer.pretend.toolTip()
    assert answered.advice.shows_answer


def test_an_earlier_check_is_not_opened_meanwhile(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """The running check stays where it is, with a sentence, and the question is the one that is being measured."""
    begin(window, backend, qtbot)
    qtbot.waitUntil(lambda: window.windowTitle().endswith("% · Is my computer enough?"), timeout=WAIT_MS)
    asked = window.controllers.question.workload
    report = msgspec.structs.replace(sample_report(), workload=sample_presets()[0].workload)
    window.controllers.history.opened.emit((Entry(id=1), (report, verdict_view(report, window.context.language))))

    assert window.controllers.question.workload == asked
    assert window.advice.progress_panel.isVisible()
    assert window.advice.problem.sentence.text().startswith("A check runs; wait for its end")
    end(window, backend, qtbot)
    assert window.advice.shows_answer
    assert not window.advice.problem.isVisible()
    assert window.windowTitle() == "Is my computer enough?"


def test_a_model_is_asked_about_when_the_check_is_done(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """The question jumped to the first page, to an error with details to copy; nothing on its button said so before."""
    window.stack.open("models")
    page = cast(ModelsPage, window.stack.pages["models"])
    qtbot.waitUntil(page.tune.isVisible, timeout=WAIT_MS)
    begin(window, backend, qtbot)
    qtbot.waitUntil(lambda: not page.tune.isEnabled(), timeout=WAIT_MS)
    assert page.tune.toolTip() == "A check is running; ask this when it is done."
    assert page.later.isVisible()
    assert not page.measure.isEnabled(), "two that measure at once spoil each other"
    assert page.run.isEnabled(), "it measures nothing and asks nothing else"

    end(window, backend, qtbot)
    assert page.tune.isEnabled()
    assert page.measure.isEnabled()
    assert page.later.isHidden()
    assert "QLoRA" in page.tune.toolTip()


def test_the_answer_stands_under_the_question_that_was_measured(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """A job that was chosen meanwhile, from wherever, gives way to the one the answer is for."""
    begin(window, backend, qtbot)
    window.controllers.question.choose("classical_ml")
    end(window, backend, qtbot)

    assert window.answer_flow.report is not None
    assert window.controllers.question.workload == window.answer_flow.report.workload == backend.requests[0].workload
    assert window.advice.verdict is not None
    assert window.advice.verdict.job.job.currentText() == "Classify my photos"


def test_a_currency_chosen_meanwhile_counts(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """The report of the check is in the former currency; the answer is given once more, in the new one."""
    begin(window, backend, qtbot)
    window.answer_flow.set_region("EUR", "ES")
    backend.hold.set()

    qtbot.waitUntil(lambda: bool(backend.decided), timeout=WAIT_MS)
    assert backend.decided[-1].currency == "EUR"
    qtbot.waitUntil(lambda: not window.controllers.check_runner.is_running, timeout=WAIT_MS)


def test_a_stopped_check_speaks_the_language_of_the_moment(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """What is said of a stopped check is said again in another language, and no more once a check has ended."""
    begin(window, backend, qtbot)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.controllers.check_runner.cancel()
    window.context.set_language("es")
    assert window.advice.notice.text().startswith("⟦Stopped: ")

    backend.hold.set()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    window.context.set_language("en")
    assert not window.advice.notice.isVisible()
