"""Was it true? An earlier answer is opened, and what a run really took is told or measured."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from advisor.errors import InputError
from advisor.gui.app.main_window import MainWindow
from advisor.gui.widgets.receipt_card import ReceiptCard
from advisor.records.results.report import Report
from tests.gui.samples import FakeBackend, sample_report
from tests.unit.gui.pages.history.opened import open_history
from tests.unit.session.test_receipt import made

WAIT_MS = 20_000


def opened(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> ReceiptCard:
    """Open the answer of an earlier check, and return the card under it."""
    window.controllers.history.keep_now(sample_report())
    page = open_history(window, qtbot, 1)
    assert page.record.text() == "Was an answer right? Open it and say how long a run really took."
    with qtbot.waitSignal(window.answer_flow.past_shown, timeout=WAIT_MS):
        qtbot.mouseClick(page.open, Qt.MouseButton.LeftButton)
    assert window.advice.verdict is not None
    return window.advice.verdict.receipt


def known(card: ReceiptCard) -> str:
    """Return what the card tells of the answer."""
    return " ".join(one.text() for one in card.findChildren(QLabel) if one.parent() is card and one.text())


def test_what_it_took_is_told(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """The time is kept beside the answer, and the list of earlier checks says how answers held."""
    card = opened(window, backend, qtbot)
    assert card.isVisible()
    qtbot.keyClicks(card.time, "4 min")
    with qtbot.waitSignal(window.controllers.history.listed, timeout=WAIT_MS):
        qtbot.keyClick(card.time, Qt.Key.Key_Return)

    assert "12% longer than said" in known(card)
    assert card.time.text() == ""
    (entry,) = backend.open_history().entries()
    assert [one.true_s for one in entry.receipts] == [240.0]
    page = open_history(window, qtbot, 1)
    assert page.record.text().startswith("1 of 1 prediction held; it was 12% off")
    assert page.rows.index(0, 6).data() == "yes, +12%"
    assert not page.table.isColumnHidden(6)
    assert page.table.isColumnHidden(1), "nothing has a name"


def test_what_is_no_duration_is_said(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """And nothing is kept."""
    card = opened(window, backend, qtbot)
    qtbot.keyClicks(card.time, "240")
    qtbot.mouseClick(card.save, Qt.MouseButton.LeftButton)

    assert "2 h 40 min" in card.problem.text()
    assert card.problem.isVisible()
    assert backend.open_history().entries()[0].receipts == ()


def test_the_job_is_measured_again(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check of this computer answers again, and says under its answer what came of the earlier one."""
    asked: list[tuple[Report, Report]] = []

    def judge(before: Report, after: Report) -> object:
        asked.append((before, after))
        return made(1.05, "measured", before.advice.chosen or "")

    monkeypatch.setattr(backend, "measured_again", judge)
    card = opened(window, backend, qtbot)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(card.measure, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "measured again" in known(card), timeout=WAIT_MS)

    assert [before for before, _after in asked] == [sample_report()]
    assert card.isVisible()


def test_what_cannot_be_judged_is_said(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A described computer is not measured at all."""

    def refuse(_report: Report) -> None:
        raise InputError("This answer is about a computer that was described, not about one that can be measured.")

    monkeypatch.setattr(backend, "check_again", refuse)
    card = opened(window, backend, qtbot)
    qtbot.mouseClick(card.measure, Qt.MouseButton.LeftButton)

    assert "described" in card.problem.text()
    assert not window.controllers.check_runner.is_running


def test_an_answer_of_now_is_not_asked_about(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card is gone as soon as the question changes, and a cancelled check judges nothing."""
    monkeypatch.setattr(backend, "measured_again", lambda *_reports: pytest.fail("nothing was awaited"))
    card = opened(window, backend, qtbot)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()

    assert not card.isVisible()


def test_what_is_known_comes_with_the_answer(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """What was told another day is told again, in the language of the moment."""
    history = backend.open_history()
    history.keep_receipt(history.add(sample_report()), msgspec.structs.replace(made(1.3), option="here/cuda:0"))
    window.controllers.history.load()
    page = open_history(window, qtbot, 1)
    with qtbot.waitSignal(window.answer_flow.past_shown, timeout=WAIT_MS):
        qtbot.mouseClick(page.open, Qt.MouseButton.LeftButton)

    assert window.advice.verdict is not None
    assert "30% longer than said" in known(window.advice.verdict.receipt)
