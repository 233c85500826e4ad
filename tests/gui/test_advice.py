"""The first page: the computer, the question, the running check, the answer."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from advisor.errors import WorkerError
from advisor.gui.app.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, Opener
from tests.gui.samples import FakeBackend, sample_report


def texts(window: MainWindow) -> str:
    """Return everything that can be read on the page that is shown."""
    shown = "\n".join(each.text() for each in window.findChildren(QLabel) if each.isVisible())
    return shown.replace("\N{NO-BREAK SPACE}", " ")


def test_the_computer_is_named_in_one_line(window: MainWindow) -> None:
    """What the probe found stands on the first screen."""
    line = window.advice.machine_line.text().replace("\N{NO-BREAK SPACE}", " ")

    assert line == "Intel Core i7-10750H · 6 cores · 16 GB · GeForce RTX 2060 Laptop GPU 6 GB"


def test_a_probe_that_fails_is_said(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """A computer that cannot be looked at gives a sentence with details, and no answer is invented."""
    backend.machine = OSError("no /proc")
    window = open_window()

    qtbot.waitUntil(window.advice.problem.isVisible, timeout=WAIT_MS)

    assert "could not be looked at" in window.advice.problem.sentence.text()
    assert "no /proc" in window.advice.problem.details.toPlainText()
    assert window.advice.machine_line.text() == "Not known"


def test_the_article_job_is_chosen_and_summed_up(window: MainWindow) -> None:
    """A job is chosen from the start, with its numbers and wishes in one line."""
    ask = window.advice.question_panel

    assert ask.job.samples.text() == "18,687\N{NO-BREAK SPACE}photos"
    assert ask.job.summary.text() == "8 categories · 5 epochs · costs counted over 2 years"
    assert not ask.job.hint.isHidden()
    ask.job.samples.setValue(2_000)
    assert not ask.job.hint.isHidden(), "eight categories are still the example's"
    assert ask.job.hint.text() == "The rest are examples"
    mark = ask.form.marks.by_field[ask.job.samples]
    assert not mark.isHidden()
    assert mark.accessibleName() == "Number of photos: changed from the example, where it was 18,687"
    assert mark.toolTip().startswith(mark.accessibleName())
    window.controllers.question.change_workload(classes=3, epochs=7)
    ask.show_question()
    assert ask.job.hint.isHidden(), "all are the user's"
    assert ask.job.deadline.currentText() == "a day"
    assert ask.job.frequency.currentText() == "twice a month"
    assert ask.start.isEnabled()


def test_choosing_a_card_changes_the_question(window: MainWindow, qtbot: QtBot) -> None:
    """A click on a card takes its job and its usual circumstances."""
    button = next(each for each in window.advice.question_panel.presets if each.preset_id == "classical_ml")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    assert window.controllers.question.workload is not None
    assert window.controllers.question.workload.id == "classical_ml"
    assert window.advice.question_panel.job.samples.text() == "50,000\N{NO-BREAK SPACE}rows"
    assert window.advice.question_panel.job.summary.text() == "costs counted over 2 years"
    assert window.advice.question_panel.form.epochs.isHidden(), "trees have none"


def test_something_else_shows_the_other_jobs_and_the_numbers(window: MainWindow, qtbot: QtBot) -> None:
    """Behind "Something else" are all other presets, also ones without a card, and the form."""
    ask = window.advice.question_panel
    qtbot.mouseClick(ask.presets[-1], Qt.MouseButton.LeftButton)
    other = next(each for each in ask.more if each.preset_id == "a_new_one")
    assert ask.more_panel.isVisible()
    assert ask.form.isVisible()

    qtbot.mouseClick(other, Qt.MouseButton.LeftButton)

    assert window.controllers.question.workload is not None
    assert window.controllers.question.workload.id == "a_new_one"
    assert ask.more_panel.isVisible()


def test_the_request_carries_what_was_chosen(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Numbers, deadline, frequency and money of the form reach the session."""
    ask = window.advice.question_panel
    qtbot.mouseClick(ask.job.change, Qt.MouseButton.LeftButton)
    ask.job.samples.setValue(2_000)
    ask.form.batch.setValue(16)
    ask.form.budget.setValue(900)
    ask.form.stays.setChecked(True)
    ask.job.deadline.setCurrentIndex(ask.job.deadline.findText("an hour"))
    ask.job.deadline.activated.emit(ask.job.deadline.currentIndex())
    ask.job.frequency.setCurrentIndex(ask.job.frequency.findText("every day"))
    ask.job.frequency.activated.emit(ask.job.frequency.currentIndex())
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(ask.start, Qt.MouseButton.LeftButton)

    (request,) = backend.requests
    assert (request.workload.samples, request.workload.batch_size) == (2_000, 16)
    assert request.circumstances.deadline_s == 3600
    assert request.circumstances.runs_per_month == pytest.approx(30.4375)
    assert request.circumstances.budget_usd == 900
    assert request.circumstances.data_must_stay


def test_how_many_photos_is_asked_in_the_open(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """The first thing that everybody must say needs no "Change": it is written, and the request carries it."""
    ask = window.advice.question_panel
    field = ask.job.samples
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "5000")
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(ask.start, Qt.MouseButton.LeftButton)

    (request,) = backend.requests
    assert request.workload.samples == 5_000
    assert not ask.form.marks.by_field[field].isHidden(), "it differs from the job as it was"
    assert field.accessibleName() == "Number of photos"


def test_the_answer_stands_where_the_question_was(answered: MainWindow) -> None:
    """After the check the verdict, its time, its money and its reasons are read on the same page."""
    shown = texts(answered)

    assert "This laptop is enough." in shown
    assert "How sure: good (up to ±15%)" in shown
    assert "3½ minutes" in shown
    assert "Why" in shown
    assert "GeForce RTX 5060 Ti 16 GB" in shown
    assert answered.navigation.buttons["options"].isVisible()


def test_another_question_needs_no_measuring(answered: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """After a check, another question is answered at once from what was measured; measuring again is offered."""
    ask = answered.advice.question_panel
    answered.advice.show_question()
    assert ask.start.text() == "Show the answer"
    assert ask.measure_again.isVisible()
    qtbot.mouseClick(ask.presets[0], Qt.MouseButton.LeftButton)

    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        qtbot.mouseClick(ask.start, Qt.MouseButton.LeftButton)

    assert [workload.id for workload in backend.concluded] == ["simple_cnn"]
    assert len(backend.requests) == 1
    assert answered.advice.verdict is not None
    assert answered.advice.verdict.isVisible()


def test_a_job_from_a_file_is_taken(window: MainWindow, tmp_path: Path) -> None:
    """A file that describes a job takes the place of the chosen card."""
    window.advice.question_panel.file_chosen.emit(tmp_path / "mine.toml")

    assert window.controllers.question.workload is not None
    assert window.controllers.question.workload.id == "a_new_one"
    assert window.advice.question_panel.job.samples.text() == "500\N{NO-BREAK SPACE}examples"
    assert window.advice.question_panel.job.summary.text() == (
        "A job without a card of its own · 20 epochs · costs counted over 2 years"
    )


def test_a_wrong_file_is_said_in_its_own_words(window: MainWindow, tmp_path: Path) -> None:
    """A file with a mistake changes nothing; the mistake is named."""
    before = window.controllers.question.workload
    window.advice.question_panel.file_chosen.emit(tmp_path / "wrong.toml")

    assert window.controllers.question.workload is before
    assert window.advice.problem.sentence.text() == "wrong.toml has no table 'workload'."


def test_money_is_in_the_persons_currency(window: MainWindow, qtbot: QtBot) -> None:
    """A budget typed in euros reaches the backend in dollars."""
    window.answer_flow.set_region("EUR", "ES")
    window.advice.question_panel.job.open_form(is_open=True)
    window.advice.question_panel.form.budget.setValue(800)

    assert window.advice.question_panel.form.budget.suffix().strip() == "EUR"
    assert window.controllers.question.circumstances.budget_usd == pytest.approx(1000.0)
    assert (window.controllers.question.circumstances.currency, window.controllers.question.circumstances.country) == (
        "EUR",
        "ES",
    )


def test_an_unknown_region_falls_back_to_dollars(window: MainWindow) -> None:
    """A currency or country without prices is not asked of the backend."""
    window.answer_flow.set_region("XXX", "ZZ")

    assert (window.controllers.question.currency, window.controllers.question.country) == ("USD", "US")


def test_asking_again_leads_back(answered: MainWindow, qtbot: QtBot) -> None:
    """From the answer one gets back to the question, with what was chosen before."""
    assert answered.advice.verdict is not None
    qtbot.mouseClick(answered.advice.verdict.again, Qt.MouseButton.LeftButton)

    assert answered.advice.question_panel.isVisible()
    assert answered.advice.question_panel.job.samples.value() == 18_687


def test_progress_is_said_in_words(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """While it runs, the page says what is done, how far it is, and shows every test with how it stands."""
    backend.hold.clear()
    backend.events = backend.events[:14]
    window.check_flow.start_quick()
    running = window.advice.progress_panel
    qtbot.waitUntil(lambda: "Test 6 of 15" in running.count.text(), timeout=WAIT_MS)

    assert running.sentence.text().startswith("Multiplying matrices on the processor, ")
    qtbot.waitUntil(lambda: "190 GFLOP/s" in texts(window), timeout=WAIT_MS)  # Qt shows new rows a moment later
    assert 0 < running.bar.value() < 1000
    assert texts(window).count("waiting") == 9, "every planned test is there, with how it stands"

    window.controllers.check_runner.cancel()
    qtbot.waitUntil(lambda: not window.controllers.check_runner.is_running, timeout=WAIT_MS)


def test_what_the_computer_is_doing_is_seen_while_it_is_measured(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """Gauges of processor, memory, card and heat stand beside the list of tests, and follow the sensors."""
    backend.hold.clear()
    window.check_flow.start_quick()
    strip = window.advice.progress_panel.sensors

    def shown() -> dict[str, str]:
        return {one.name.text(): one.value.text() for one in strip.gauges if one.isVisible()}

    qtbot.waitUntil(lambda: len(shown()) == 5, timeout=WAIT_MS)
    assert list(shown()) == ["Processor", "Memory", "Graphics card", "Graphics memory", "Card temperature"]
    before = shown()
    assert before["Memory"].endswith(" of 16 GB")
    assert before["Card temperature"].endswith("\N{NO-BREAK SPACE}°C")
    for one in strip.gauges:
        assert one.bar.accessibleName() == one.name.text()
        assert one.name.width() >= one.name.sizeHint().width(), "no name is cut"
    qtbot.waitUntil(lambda: shown() != before, timeout=WAIT_MS)

    window.controllers.check_runner.cancel()
    qtbot.waitUntil(lambda: not window.controllers.check_runner.is_running, timeout=WAIT_MS)


def test_a_test_can_be_skipped(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Skip asks the running suite to give up one case; the check goes on."""
    backend.hold.clear()
    backend.events = backend.events[:14]
    window.check_flow.start_quick()
    running = window.advice.progress_panel
    qtbot.waitUntil(running.skip.isEnabled, timeout=WAIT_MS)
    qtbot.mouseClick(running.skip, Qt.MouseButton.LeftButton)

    assert backend.controls[0].consume_skip()
    assert window.controllers.check_runner.is_running
    window.controllers.check_runner.cancel()
    qtbot.waitUntil(lambda: not window.controllers.check_runner.is_running, timeout=WAIT_MS)


def test_cancel_ends_the_check_and_says_so(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Cancel stops the session and leads back to the question."""
    backend.hold.clear()
    backend.events = backend.events[:14]
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: "Test 6 of 15" in window.advice.progress_panel.count.text(), timeout=WAIT_MS)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(window.advice.progress_panel.cancel, Qt.MouseButton.LeftButton)

    assert window.advice.question_panel.isVisible()
    assert window.advice.notice.text() == "Stopped: 5 of 15 tests finished."
    assert not window.controllers.check_runner.is_running


def test_a_failed_case_is_shown_with_its_reason(answered: MainWindow) -> None:
    """A case without result does not stop the check; its reason is among the results."""
    answered.stack.open("measure")

    rows = [answered.controllers.check_runner.measure.rows(answered.context.language)]
    assert any(row.state == "failed" and "does not fit" in row.remark for row in rows[0])


def test_an_error_on_purpose_is_its_own_sentence(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """An error the backend raises for the user is shown as it is, with details to copy."""
    backend.report = WorkerError("The measuring process could not be started: no memory.")
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()

    problem = window.advice.problem
    assert problem.sentence.text() == "The measuring process could not be started: no memory."
    assert window.advice.question_panel.isVisible()


def test_a_fault_of_the_program_is_said_without_a_bare_traceback(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """An unexpected error gives one plain sentence; the traceback is behind a button and can be copied."""
    backend.report = ZeroDivisionError("surprise")
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    problem = window.advice.problem
    assert problem.sentence.text() == "The check ended before its time."
    assert not problem.details.isVisible()

    qtbot.mouseClick(problem.show_button, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(problem.copy_button, Qt.MouseButton.LeftButton)

    assert problem.details.isVisible()
    assert "ZeroDivisionError: surprise" in problem.details.toPlainText()
    assert problem.copy_button.text() == "Copied"


def test_a_report_without_options_still_answers(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """When nothing could be predicted, the window says so and shows no empty chart."""
    import msgspec

    report = sample_report()
    advice = msgspec.structs.replace(
        report.advice, options=(), chosen=None, reasons=(), tier="cloud", either=("cloud",)
    )
    backend.report = msgspec.structs.replace(report, advice=advice, benchmark=None)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()

    assert window.advice.verdict is not None
    assert not window.advice.verdict.chart_card.isVisible()
    assert "We cannot tell" in window.advice.verdict.headline.text()
    assert not window.navigation.buttons["options"].isEnabled()
