"""Answers to questions that change while others are worked out or measured."""

import threading

from pytestqt.qtbot import QtBot

from advisor.errors import InputError
from advisor.gui.app.main_window import MainWindow
from advisor.gui.models.subject import Pretence
from advisor.gui.pages.options.page import OptionsPage
from advisor.gui.widgets.number_label import Figure
from advisor.records.job.workload import Circumstances
from advisor.records.results.report import Report
from advisor.session.forecast import Forecast
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend, sample_report
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


def test_nothing_of_a_pretended_computer_is_left(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Back at a computer that was not measured there is no answer: neither among the options nor to be shared."""
    options = window.navigation.buttons["options"]
    assert not options.isEnabled()
    with qtbot.waitSignal(window.answer_flow.answered, timeout=WAIT_MS):
        window.answer_flow.pretend(Pretence(card="GeForce RTX 4090"))
    window.stack.open("options")
    page = window.stack.currentWidget()
    assert isinstance(page, OptionsPage)
    assert page.table.isVisible()
    assert options.isEnabled()

    window.answer_flow.go_back()

    assert window.answer_flow.report is None
    assert window.stack.currentWidget() is window.advice
    assert window.advice.question_panel.isVisible()
    assert not options.isEnabled()
    window.stack.open("options")
    assert not page.table.isVisible()
    assert page.count.text() == "There is no answer at the moment."


def test_the_answer_comes_back_after_a_cancelled_check(
    answered: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """Whoever measures again and gives up has the answer from before, and reads that the check was stopped."""
    begin(answered, backend, qtbot)
    check = answered.controllers.check_runner
    qtbot.waitUntil(lambda: check.progress.finished_count > 0, timeout=WAIT_MS)
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        check.cancel()

    assert answered.advice.shows_answer
    notice = answered.advice.notice.text()
    assert notice.startswith("Stopped: ")
    assert notice.endswith("Answers still rest on what was measured before.")


def test_what_was_measured_stays_where_a_check_is_stopped_before_its_first_result(
    answered: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """The page of the measurements had "no result" fourteen times, and nothing of what the answer rests on."""
    measured = answered.controllers.check_runner.measure.benchmark
    assert measured is not None
    backend.events = backend.events[:3]
    begin(answered, backend, qtbot)
    assert answered.controllers.check_runner.measure.benchmark is None
    with qtbot.waitSignal(answered.check_flow.ended, timeout=WAIT_MS):
        answered.controllers.check_runner.cancel()
    assert answered.controllers.check_runner.measure.benchmark is measured
    assert "Answers still" not in answered.advice.notice.text()


def test_a_check_is_of_this_computer(answered: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """While this computer is measured, the line above says so, whatever was spoken of before."""
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        answered.answer_flow.pretend(Pretence(card="GeForce RTX 4090"))
    assert answered.advice.computer.title.text() != "Your computer"
    begin(answered, backend, qtbot)
    assert answered.advice.computer.title.text() == "Your computer"
    end(answered, backend, qtbot)


def test_an_earlier_check_is_shown_in_todays_money_with_its_measurements(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """Its page of measurements is not empty, and a new check is no longer called one of that day."""
    measure = window.controllers.check_runner.measure
    assert measure.is_empty
    history = window.controllers.history
    with qtbot.waitSignal(history.listed, timeout=WAIT_MS):
        history.keep_now(sample_report())
        history.load()
    window.answer_flow.set_region("EUR", "ES")
    with qtbot.waitSignal(window.answer_flow.past_shown, timeout=WAIT_MS):
        history.open(history.entries[0])
    verdict = window.advice.verdict
    assert verdict is not None
    assert all("$" not in figure.shown() for figure in verdict.findChildren(Figure))
    assert any("€" in figure.shown() for figure in verdict.findChildren(Figure))
    assert measure.benchmark is not None
    assert "measured on" in window.advice.computer.title.text()
    begin(window, backend, qtbot)
    assert "measured on" not in window.advice.computer.title.text()
    end(window, backend, qtbot)


def test_a_listed_language_model_becomes_the_question(window: MainWindow, qtbot: QtBot) -> None:
    """To adapt it: the first page says which model, and asks nothing yet."""
    window.stack.open("models")
    window.answer_flow.ask_to_tune("qwen2.5_7b")
    workload = window.controllers.question.workload
    assert workload is not None
    assert (workload.title, workload.method) == ("Qwen2.5 7B", "qlora")
    assert window.stack.currentWidget() is window.advice
    assert window.advice.question_panel.job.summary.text().startswith("Qwen2.5 7B · ")
    assert not window.advice.shows_answer
    assert window.advice.notice.text() == "This replaced your question: Classify my photos · 18,687 photos."
    window.advice.take_back.click()
    workload = window.controllers.question.workload
    assert workload is not None
    assert workload.id == "article_cnn"
    assert window.advice.notice.isHidden()
    assert window.advice.take_back.isHidden()


def test_a_language_model_is_found_in_the_list_of_jobs(window: MainWindow, qtbot: QtBot) -> None:
    """Three clicks and its name: "Something else", the search, its card; another job takes its place as any does."""
    panel = window.advice.question_panel
    panel.presets[-1].click()
    panel.more_jobs.search.setText("Llama 3.2 3B")
    [card] = [made for made in panel.more_jobs.shown if made.preset_id == "llama3.2_3b"]
    card.click()
    workload = window.controllers.question.workload
    assert workload is not None
    assert (workload.network, workload.method, workload.title) == ("llama3.2_3b", "qlora", "Llama 3.2 3B")
    panel.form.fill()
    assert panel.form.network.currentText() == "Llama 3.2 3B"
    assert window.controllers.question.usual_epochs is not None
    panel.presets[1].click()
    assert window.controllers.question.workload != workload
    assert not card.isChecked()


def test_a_measured_computer_is_told_at_once_what_adapting_a_model_takes(answered: MainWindow, qtbot: QtBot) -> None:
    """Who asked what they need saw a form with raw names and a warning about Python files."""
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        answered.answer_flow.ask_to_tune("qwen2.5_7b")
    assert answered.advice.shows_answer
    form = answered.advice.question_panel.form
    form.fill()
    assert form.program.isHidden()
    assert form.network.currentText() == "Qwen2.5 7B"
    assert "This replaced your question: " in answered.advice.notice.text()
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        answered.advice.take_back.click()
    workload = answered.controllers.question.workload
    assert workload is not None
    assert workload.id == "article_cnn"
    assert answered.advice.take_back.isHidden()
