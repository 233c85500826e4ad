"""What if: the answer moves with the question, and speaks of another card where the user pretends one."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.widgets.number_label import Figure
from advisor.locale import language
from advisor.records.base import Interval
from advisor.records.job.prediction import TimePart
from advisor.records.job.workload import Workload
from advisor.records.results.diagnosis import Finding
from advisor.records.results.measured.measurement import Condition
from advisor.records.results.report import Report
from advisor.report.content.options.what_if import what_if_lines, worth_verdict
from tests.gui.conftest import WAIT_MS, settle
from tests.gui.samples import FakeBackend, sample_report


def test_the_answer_moves_with_the_question(answered: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """A deadline chosen beside the verdict is answered at once, without measuring."""
    assert answered.advice.verdict is not None
    job = answered.advice.verdict.job
    assert job.job.currentText() == "Classify my photos"
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        job.deadline.setCurrentIndex(job.deadline.findText("an hour"))
        job.deadline.activated.emit(job.deadline.currentIndex())
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        job.form.batch.setValue(64)

    assert backend.decided[0].deadline_s == 3600
    assert backend.concluded[-1].batch_size == 64
    assert len(backend.requests) == 1
    assert answered.advice.verdict.isVisible()


def test_another_job_beside_the_verdict(answered: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Another ready-made job can be chosen where the answer stands."""
    assert answered.advice.verdict is not None
    job = answered.advice.verdict.job
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        job.job.setCurrentIndex(job.job.findText("Spreadsheets and tables"))
        job.job.activated.emit(job.job.currentIndex())

    assert backend.concluded[-1].id == "classical_ml"


def test_parts_asked_about_from_the_form_are_compared_too(
    answered: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """After a new question nobody was told what the card costs, nor that the computer is enough without it."""
    advice, computer = answered.advice, answered.advice.computer
    assert advice.verdict is not None
    qtbot.mouseClick(advice.verdict.again, Qt.MouseButton.LeftButton)
    answered.controllers.question.change_circumstances(deadline_s=7200.0)
    qtbot.mouseClick(computer.pretend, Qt.MouseButton.LeftButton)
    computer.panel.card.setText("geforce rtx 4060 laptop")
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        qtbot.mouseClick(computer.panel.show_answer, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not computer.change.isHidden(), timeout=WAIT_MS)
    assert computer.change.text().startswith("A run takes ")
    assert not backend.observed[-1].is_simulated


def test_a_pretended_card_is_labelled_and_one_click_from_back(
    answered: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """The answer for another card says so where the computer stands; one click leads back to the own computer."""
    computer = answered.advice.computer
    qtbot.mouseClick(computer.pretend, Qt.MouseButton.LeftButton)
    computer.panel.card.setText("geforce rtx 4060 laptop")
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        qtbot.mouseClick(computer.panel.show_answer, Qt.MouseButton.LeftButton)

    assert computer.title.text() == "What if: your computer with a GeForce RTX 4060 Laptop"
    assert "RTX 4060 Laptop" in computer.line.text()
    assert computer.objectName() == "notice_card"
    assert computer.change.text().startswith("A run takes "), "beside the answer for the computer as it is"
    assert backend.observed[-1].is_simulated
    assert answered.controllers.machine.machine is not None
    assert "2060" in answered.controllers.machine.machine.accelerators[0].name

    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        qtbot.mouseClick(computer.back, Qt.MouseButton.LeftButton)
    assert computer.title.text() == "Your computer"
    assert computer.change.isHidden()
    assert "RTX 2060" in computer.line.text()
    assert not backend.observed[-1].is_simulated


def test_a_whole_computer_can_be_pretended(answered: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Card, memory and processor together; what is left as it is comes from this computer, and so does the way back."""
    computer = answered.advice.computer
    qtbot.mouseClick(computer.pretend, Qt.MouseButton.LeftButton)
    panel = computer.panel
    assert (panel.memory.text(), panel.processor.currentText()) == ("as it is", "as it is")
    assert not panel.show_answer.isEnabled()
    panel.card.setText("GeForce RTX 4090")
    panel.memory.setValue(64)
    panel.processor.setCurrentIndex(panel.processor.findData("Ryzen 9 5950X"))
    assert panel.processor.currentText() == "desktop, 16 cores (as Ryzen 9 5950X)"
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        qtbot.mouseClick(panel.show_answer, Qt.MouseButton.LeftButton)

    assert computer.title.text() == "What if: your computer with other parts"
    parts = computer.line.text().replace("\N{NO-BREAK SPACE}", " ")
    assert parts == "Ryzen 9 5950X · 16 cores · 64 GB · GeForce RTX 4090 24 GB"
    machine = backend.observed[-1].machine
    assert (machine.host.form_factor, machine.host.disk) == ("desktop", sample_report().machine.host.disk)
    assert answered.advice.verdict is not None
    assert not answered.advice.verdict.measurements.isVisible()  # nothing was, of such a computer
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        qtbot.mouseClick(computer.back, Qt.MouseButton.LeftButton)
    assert computer.title.text() == "Your computer"
    assert answered.advice.verdict.measurements.isVisible()


def test_memory_alone_can_be_pretended(answered: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """With more memory the same card and processor keep what was measured of them."""
    panel = answered.advice.computer.panel
    panel.memory.setValue(128)
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        panel.show_answer.click()

    assert "128\N{NO-BREAK SPACE}GB · GeForce RTX 2060 Laptop GPU" in answered.advice.computer.line.text()
    assert backend.observed[-1].benchmark == sample_report().benchmark


def test_only_whole_names_are_pretended(window: MainWindow) -> None:
    """Half a name, or one nobody makes, is not taken for the next best card, whatever else is pretended."""
    panel = window.advice.computer.panel
    panel.memory.setValue(32)
    for text in ("RTX 4060", "GeForce RTX 4060 Ti", "<b>GeForce RTX 4090</b>"):
        panel.card.setText(text)
        assert not panel.show_answer.isEnabled(), text
        assert panel.fault.isHidden() == (text == "RTX 4060"), "said below the name, where no card is called that"
    panel.memory.setValue(0)
    panel.card.setText("")
    assert not panel.show_answer.isEnabled()
    panel.card.setText(" GEFORCE rtx 4090 ")
    assert panel.show_answer.isEnabled()


def test_a_name_as_people_write_it_is_taken(answered: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Without its series, and not picked in the list; the field then says which card was understood."""
    panel = answered.advice.computer.panel
    panel.card.setText("rtx 4090")
    assert panel.ask_worth.isEnabled()
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        panel.show_answer.click()
    assert panel.card.text() == "GeForce RTX 4090"
    assert answered.advice.computer.title.text() == "What if: your computer with a GeForce RTX 4090"


def test_pretending_needs_no_check(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Before anything is measured, another card can be asked about; the way back is the question."""
    computer = window.advice.computer
    computer.panel.card.setText("GeForce RTX 4090")
    with qtbot.waitSignal(window.answer_flow.answered, timeout=WAIT_MS):
        computer.panel.card.returnPressed.emit()
    assert backend.requests == []

    qtbot.mouseClick(computer.back, Qt.MouseButton.LeftButton)
    assert window.advice.question_panel.isVisible()
    assert window.advice.question_panel.start.text() == "Check my computer"


def test_the_last_answer_counts(answered: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Ten quick changes end in the answer to the tenth."""
    assert answered.advice.verdict is not None
    job = answered.advice.verdict.job
    for batch in range(40, 50):
        job.form.batch.setValue(batch)
    qtbot.waitUntil(
        lambda: answered.answer_flow.report is not None and answered.answer_flow.report.workload.batch_size == 49,
        timeout=WAIT_MS,
    )
    workload: Workload | None = answered.controllers.question.workload
    assert workload is not None
    assert workload.batch_size == 49


def test_another_currency_or_price_of_electricity_is_answered_at_once(
    answered: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """What the settings change reaches the answer that is seen and the form beside it."""
    assert answered.advice.verdict is not None
    form = answered.advice.verdict.job.form
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        answered.answer_flow.set_region("EUR", "ES")
    assert backend.decided[-1].currency == "EUR"
    assert form.budget.suffix() == "\N{NO-BREAK SPACE}EUR"
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        form.budget.setValue(100)
    assert backend.decided[-1].budget_usd == pytest.approx(125.0)

    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        answered.answer_flow.set_electricity(0.4)
    assert backend.decided[-1].electricity_usd_per_kwh == 0.4
    with qtbot.waitSignal(answered.answer_flow.answered, timeout=WAIT_MS):
        answered.advice.verdict.job.job.activated.emit(0)
    assert backend.decided[-1].electricity_usd_per_kwh == 0.4


def test_offered_cards_say_their_memory_and_write_their_name(window: MainWindow) -> None:
    """What is seen in the list tells cards apart; what is chosen is the name that is taken."""
    completer = window.advice.computer.panel.card.completer()
    assert completer is not None
    completer.setCompletionPrefix("4090")
    first = completer.completionModel().index(0, 0)
    assert "24\N{NO-BREAK SPACE}GB" in str(first.data(Qt.ItemDataRole.DisplayRole))
    assert completer.currentCompletion() == "GeForce RTX 4090"


def test_a_part_is_weighed_beside_the_answer(answered: MainWindow, qtbot: QtBot) -> None:
    """What the command line says of it: hours saved, price, what is better for the money; of no card, all that fits."""
    panel = answered.advice.computer.panel
    assert not panel.ask_worth.isEnabled(), "no card is meant"
    panel.card.setText("GeForce RTX 4090")
    panel.ask_worth.click()
    assert panel.verdict.text() == "Working it out …"
    qtbot.waitUntil(lambda: not panel.told.isHidden(), timeout=WAIT_MS)
    report = answered.answer_flow.report
    assert report is not None
    assert [one.name for one in report.what_if] == ["GeForce RTX 4090"], "what is saved holds it, too"
    assert panel.told.text() == " ".join(one.text for one in what_if_lines(report, language("en"))[0])
    assert panel.verdict.text() == worth_verdict(report, language("en"))
    asked = [one for one in panel.told.findChildren(Figure) if not one.isHidden()]
    assert all(one.origin is not None for one in asked)
    assert asked, "its numbers can be asked like all others"
    panel.questions[-1].click()
    qtbot.waitUntil(lambda: "main memory" in panel.told.text(), timeout=WAIT_MS)
    assert panel.told.text().count("\n") == 1, "memory and drive: a laptop takes no second card"
    panel.questions[0].click()
    qtbot.waitUntil(lambda: panel.told.text().count("\n") == 0 and bool(panel.told.text()), timeout=WAIT_MS)
    assert "Twice the main memory" in panel.told.text(), "more memory alone"


def test_what_is_said_of_a_part_follows_the_language_and_ends_with_the_answer(
    answered: MainWindow, qtbot: QtBot
) -> None:
    """It stayed in the language in which it had been asked, and below the next question."""
    panel = answered.advice.computer.panel
    answered.advice.computer.pretend.click()
    panel.card.setText("GeForce RTX 4090")
    panel.ask_worth.click()
    qtbot.waitUntil(lambda: panel.shows_worth, timeout=WAIT_MS)
    before = panel.told.text()
    answered.context.set_language("es")
    report, spanish = answered.answer_flow.report, answered.context.language
    assert report is not None
    assert panel.verdict.text() == worth_verdict(report, spanish)
    assert panel.told.text() == " ".join(one.text for one in what_if_lines(report, spanish)[0]) != before

    answered.context.set_language("en")
    assert answered.advice.verdict is not None
    answered.advice.verdict.again.click()
    assert not panel.verdict.isVisible()


def test_enter_in_the_field_asks_what_the_button_beside_it_does(answered: MainWindow, qtbot: QtBot) -> None:
    """It worked out the whole answer for another computer: "Show the answer", two rows below."""
    panel = answered.advice.computer.panel
    answered.advice.computer.pretend.click()
    panel.card.setText("GeForce RTX 4090")
    with qtbot.assertNotEmitted(panel.wanted):
        qtbot.keyClick(panel.card, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.shows_worth, timeout=WAIT_MS)
    assert "RTX 4090" in panel.told.text()
    panel.show_answered(has_answer=False)
    with qtbot.waitSignals([panel.wanted, answered.answer_flow.answered], timeout=WAIT_MS):
        qtbot.keyClick(panel.card, Qt.Key.Key_Return)


def test_what_is_said_of_a_card_ends_when_another_is_written(answered: MainWindow, qtbot: QtBot) -> None:
    """The verdict on the card before stayed in sight, or came when another one stood in the field."""
    panel = answered.advice.computer.panel
    answered.advice.computer.pretend.click()
    panel.card.setText("geforce rtx 4090")
    panel.ask_worth.click()
    qtbot.waitUntil(lambda: panel.shows_worth, timeout=WAIT_MS)
    panel.card.setText("GeForce RTX 4060 Laptop")
    assert not panel.verdict.isVisible()
    panel.ask_worth.click()
    assert panel.verdict.isVisible()
    panel.card.setText("GeForce RTX 4090")
    panel.show_worth("Too late", ())
    assert not panel.verdict.isVisible()
    panel.ask_worth.click()
    qtbot.waitUntil(lambda: panel.shows_worth, timeout=WAIT_MS)
    assert panel.verdict.text() != "Too late"


def _kept_waiting(report: Report) -> Report:
    """Return an answer whose card waits for a processor of which others took nine tenths."""
    seen, here = report.benchmark, report.advice.options[0]
    assert seen is not None
    assert here.prediction is not None
    load = (Condition(kind="other_load", value=0.9, unit="ratio"),)
    crowded = tuple(msgspec.structs.replace(one, conditions=load) for one in seen.measurements)
    waits = msgspec.structs.replace(
        here.prediction,
        parts=(TimePart(name="input", time_s=here.prediction.time_per_step_s),),
        basis_detail=tuple(one.case.id for one in crowded),
        interval=msgspec.structs.replace(here.prediction.interval, low=here.prediction.interval.low / 10),
    )
    options = (msgspec.structs.replace(here, prediction=waits), *report.advice.options[1:])
    return msgspec.structs.replace(
        report,
        advice=msgspec.structs.replace(report.advice, options=options),
        benchmark=msgspec.structs.replace(seen, measurements=crowded),
    )


def test_what_costs_nothing_is_said_before_what_is_sold(answered: MainWindow, qtbot: QtBot) -> None:
    """A computer of $843 was said to help most while other programs took nine tenths of this one."""
    panel, flow = answered.advice.computer.panel, answered.answer_flow
    assert flow.report is not None
    gain = Interval(low=1.0, high=10.0, coverage_ratio=0.8)
    slowed = Finding(
        kind="other_load", device="cpu", severity="serious", evidence=(), remedies=("close_programs",), gain=gain
    )
    flow.report = msgspec.structs.replace(_kept_waiting(flow.report), findings=(slowed,))
    panel.questions[-1].click()
    qtbot.waitUntil(lambda: "main memory" in panel.told.text(), timeout=WAIT_MS)
    assert panel.told.text().startswith("Close other programs first: it costs nothing")
    grid = panel.told.layout()
    assert isinstance(grid, QGridLayout)
    marked = [row for row in range(grid.rowCount()) if grid.itemAtPosition(row, 0) is not None]
    assert len(marked) == panel.told.text().count("\n") + 1
    assert all(grid.itemAtPosition(row, 1) is not None for row in marked), "what wraps goes on below the words"


def test_a_second_card_is_asked_about_where_there_is_a_first(answered: MainWindow) -> None:
    """The question could be pressed on a computer without one, only to hear so."""
    panel = answered.advice.computer.panel
    second = next(made for made in panel.questions if made.text() == "A second card?")
    for has_card in (False, True):
        panel.show_answered(has_answer=True, has_card=has_card)
        assert second.isVisibleTo(panel) is has_card


def test_without_an_answer_nothing_is_weighed(window: MainWindow) -> None:
    """There is nothing to compare with."""
    panel = window.advice.computer.panel
    panel.card.setText("GeForce RTX 4090")
    assert panel.show_answer.isEnabled()
    assert panel.ask_worth.isHidden()
    window.answer_flow.ask_worth("GeForce RTX 4090")
    assert not panel.verdict.isVisible()


def test_the_fields_fit_the_smallest_window(window: MainWindow) -> None:
    """No name of a processor makes the page wider than the window."""
    window.resize(1000, 650)
    page = window.advice
    page.computer.pretend.click()
    for _turn in range(3):
        settle()
    assert page.horizontalScrollBar().maximum() == 0
    panel = page.computer.panel
    assert panel.title.text() == "The whole answer for a computer with other parts", "there is none to compare with"
    assert not panel.whole.isVisible()
    assert panel.hint.text().startswith("What you leave out")


@pytest.mark.qt_log_ignore("This plugin does not support")  # the list of names grabs the keyboard
def test_another_card_takes_the_place_of_the_one_before(answered: MainWindow, qtbot: QtBot) -> None:
    """What was written after coming back went behind the name that stood there, and nothing said why no card was it."""
    computer = answered.advice.computer
    qtbot.mouseClick(computer.pretend, Qt.MouseButton.LeftButton)
    computer.panel.card.setText("GeForce RTX 4060 Laptop")
    for _press in range(2):  # away, and open again
        qtbot.mouseClick(computer.pretend, Qt.MouseButton.LeftButton)
    qtbot.keyClicks(computer.panel.card, "rtx 40")
    assert computer.panel.card.text() == "rtx 40"
    assert computer.panel.fault.isHidden()
    computer.panel.card.setText("RTX 40604070")
    assert computer.panel.fault.text().startswith("No graphics card is called that.")
    assert not computer.panel.fault.isHidden()


def test_large_letters_have_the_ways_below_the_computer(window: MainWindow) -> None:
    """Beside them its name was six lines high."""
    computer = window.advice.computer
    window.resize(1024, 640)
    for percent, is_below in ((100, False), (175, True), (100, False)):
        window.context.set_text_percent(percent)
        settle()
        assert (computer.pretend.y() > computer.line.y() + computer.line.height() // 2) == is_below
