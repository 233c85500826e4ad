"""Doubts are told before measuring; the user waits, measures or leaves it."""

import dataclasses
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import Settings
from advisor.gui.controllers import preflight
from advisor.gui.dialogs.interference_dialog import InterferenceDialog
from advisor.gui.pages.history.page import HistoryPage
from advisor.gui.pages.measure.page import MeasurePage
from advisor.locale import language
from advisor.records.hardware.interference import Interference
from advisor.records.results.measured.measurement import Condition
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend
from tests.gui.test_pages import page

# What the off-screen platform says of every dialog.
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


def waiting_window(open_window: Opener, qtbot: QtBot) -> MainWindow:
    """Return a window whose check waits for a quiet computer."""
    window = open_window()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.check_flow.dialog is not None, timeout=WAIT_MS)
    qtbot.mouseClick(dialog_of(window).waited, Qt.MouseButton.LeftButton)
    return window


@pytest.mark.usefixtures("warned")
def test_enter_waits_for_a_quiet_computer(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """It went to Cancel, which stands first, while the main button was another."""
    doubt(backend, (BUSY,))
    window = open_window()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.check_flow.dialog is not None, timeout=WAIT_MS)
    dialog = dialog_of(window)
    assert dialog.focusWidget() is dialog.waited
    assert dialog.waited.isDefault()
    qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
    assert window.check_flow.dialog is None
    assert window.check_flow.waiting.isVisible()
    window.controllers.preflight.cancel()


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
    window = waiting_window(open_window, qtbot)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        pass

    assert backend.looks == 3
    assert len(backend.requests) == 1


@pytest.mark.usefixtures("warned")
def test_the_window_can_be_used_while_a_check_waits(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dialog that waited without an end stood before all else; the check is of what is asked by then."""
    monkeypatch.setattr(preflight, "LOOK_AGAIN_MS", 10)
    doubt(backend, (BUSY,))
    window = waiting_window(open_window, qtbot)
    line = window.check_flow.waiting
    assert window.check_flow.dialog is None
    assert QApplication.activeModalWidget() is None
    said = "The check waits until other programs use less than 10% of the processor (now 43%)."
    assert line.sentence.text() == said
    window.stack.open("settings")
    assert line.isVisible()

    question = window.controllers.question
    assert question.workload is not None
    question.change_workload(samples=777)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(line.wanted, Qt.MouseButton.LeftButton)
    assert line.isHidden()
    assert [one.workload.samples for one in backend.requests] == [777]


@pytest.mark.usefixtures("warned")
def test_nothing_moves_when_a_check_begins_by_itself(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line went, and the page jumped by 90 pixels under the pointer: a click hit what had not been meant."""
    monkeypatch.setattr(preflight, "LOOK_AGAIN_MS", 300)
    doubt(backend, (BUSY,), (BUSY,), ())
    window = waiting_window(open_window, qtbot)
    window.stack.open("settings")
    settle()
    line, before = window.check_flow.waiting, window.stack.geometry()
    backend.hold.clear()
    qtbot.waitUntil(lambda: line.has_begun, timeout=WAIT_MS)
    settle()
    assert line.isVisible()
    assert line.sentence.text() == "The computer was quiet when the check began."
    assert line.wanted.isVisible()
    assert window.stack.geometry() == before
    qtbot.waitUntil(lambda: len(backend.requests) == 1, timeout=WAIT_MS)
    window.stack.open("history")
    assert line.isHidden(), "the user has done something"
    backend.hold.set()


@pytest.mark.usefixtures("warned")
def test_the_line_goes_with_the_check_that_it_tells_of(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It said "the check has begun" above the pages after the answer was there."""
    monkeypatch.setattr(preflight, "LOOK_AGAIN_MS", 10)
    doubt(backend, (BUSY,), (BUSY,), ())
    window = waiting_window(open_window, qtbot)
    line = window.check_flow.waiting
    assert line.wanted.isVisible()
    backend.hold.clear()
    qtbot.waitUntil(lambda: line.has_begun, timeout=WAIT_MS)
    assert line.isVisible()
    assert line.wanted.isHidden(), "the check is seen below"
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        backend.hold.set()
    assert line.isHidden()


@pytest.mark.parametrize("closes", [True, False])
@pytest.mark.usefixtures("warned")
def test_the_line_of_a_check_that_began_by_itself_can_be_left(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, closes: bool
) -> None:
    """One button closes it, the other shows the check."""
    monkeypatch.setattr(preflight, "LOOK_AGAIN_MS", 10)
    doubt(backend, (BUSY,), (BUSY,), ())
    window = waiting_window(open_window, qtbot)
    window.stack.open("settings")
    line = window.check_flow.waiting
    backend.hold.clear()
    qtbot.waitUntil(lambda: line.has_begun, timeout=WAIT_MS)
    qtbot.mouseClick(line.stop if closes else line.wanted, Qt.MouseButton.LeftButton)
    assert line.isHidden()
    assert (window.stack.currentWidget() is window.advice) == (not closes)
    backend.hold.set()


@pytest.mark.usefixtures("warned")
def test_a_disturbed_answer_offers_to_wait(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the note there was no button; now one waits, without asking what is known already."""
    monkeypatch.setattr(preflight, "LOOK_AGAIN_MS", 10)
    window = open_window()
    doubt(backend, (BUSY,), (BUSY,), ())
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.advice.ensure_verdict().when_quiet.click()
        qtbot.waitUntil(window.check_flow.waiting.isVisible, timeout=WAIT_MS)
        assert window.check_flow.dialog is None
    assert len(backend.requests) == 1


def test_the_line_has_one_height(open_window: Opener) -> None:
    """After some minutes it says more; the page below stays where it is."""
    window = open_window()
    line = window.check_flow.waiting
    line.show_waiting(Interference(conditions=(BUSY,)), 0.0)
    settle()
    before = line.height()
    line.show_waiting(Interference(conditions=(BUSY,)), 181.0)
    settle()
    assert line.height() == before
    line.show_begun(is_seen=True)
    settle()
    assert line.height() == before


@pytest.mark.usefixtures("warned")
def test_nobody_waits_against_the_will(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waiting ends with a click, and a second wish for a check asks again instead of doing nothing."""
    monkeypatch.setattr(preflight, "LOOK_AGAIN_MS", 10)
    doubt(backend, (BUSY,))
    window = waiting_window(open_window, qtbot)
    window.check_flow.start_quick()
    assert window.check_flow.waiting.isHidden()
    qtbot.waitUntil(lambda: window.check_flow.dialog is not None, timeout=WAIT_MS)
    qtbot.mouseClick(dialog_of(window).waited, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(window.check_flow.waiting.stop, Qt.MouseButton.LeftButton)

    assert window.check_flow.waiting.isHidden()
    assert not window.controllers.preflight.is_waiting
    assert backend.requests == []


@pytest.mark.usefixtures("warned")
def test_no_button_begins_a_second_check_while_one_waits(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check that waited looked as if nothing had been asked for: "Check my computer" was still filled."""
    monkeypatch.setattr(preflight, "LOOK_AGAIN_MS", 10)
    doubt(backend, (BUSY,))
    window = waiting_window(open_window, qtbot)
    panel = window.advice.question_panel
    measure = cast(MeasurePage, page(window, "measure"))
    history = cast(HistoryPage, page(window, "history"))
    for made in (panel.start, measure.start, history.check, history.compared.when_quiet):
        assert not made.isEnabled()
    assert panel.hint.text() == "waits for a quiet moment, see above"
    assert measure.start.toolTip() == "A check already waits for a quiet moment, in the line above"

    qtbot.mouseClick(window.check_flow.waiting.stop, Qt.MouseButton.LeftButton)
    for made in (panel.start, measure.start, history.check, history.compared.when_quiet):
        assert made.isEnabled()
    assert panel.hint.text() == "up to a minute · nothing leaves this computer"
    assert not measure.start.toolTip()


def test_after_some_minutes_the_line_says_what_measuring_now_costs(open_window: Opener) -> None:
    """Where no quiet moment comes, the user decides better with how much less sure the times would be."""
    line = open_window().check_flow.waiting
    line.show_waiting(Interference(conditions=(BUSY,)), 170.0)
    assert "No quiet moment" not in line.sentence.text()
    line.show_waiting(Interference(conditions=(BUSY,)), 181.0)
    assert line.sentence.text().endswith(
        "No quiet moment in 3 minutes. You can measure now, but the times would be less certain: they may come "
        "out up to 3.1 times as long as on a quiet computer."
    )
    line.show_waiting(Interference(conditions=(BATTERY,)), 181.0)
    assert line.sentence.text() == (
        "The check waits. The computer runs on battery, which slows it down. Plug it in. No quiet moment in 3 minutes. "
        "You can measure now, but the times would be much less certain."
    )


def test_one_button_is_the_main_one_whatever_is_found(open_window: Opener) -> None:
    """Once nothing was in the way, neither of the two that were left was filled."""
    window = open_window()
    dialog = InterferenceDialog(window.context, window)
    dialog.show()
    for found, main in (((BUSY,), dialog.waited), ((), dialog.wanted), ((BUSY,), dialog.waited)):
        dialog.show_interference(Interference(conditions=found))
        buttons = (dialog.refused, dialog.wanted, dialog.waited)
        assert [made for made in buttons if made.isVisible() and made.property("role") == "primary"] == [main]
    dialog.close()


@pytest.mark.parametrize("code", ["en", "es"])
def test_no_button_moves_while_it_is_asked(open_window: Opener, code: str) -> None:
    """A look that found less took lines away: the buttons went up under the pointer."""
    window = open_window()
    window.context.language = language(code)
    dialog = InterferenceDialog(window.context, window)
    dialog.show_interference(Interference(conditions=(BUSY, BATTERY)))
    dialog.show()
    places = []
    for found in ((BUSY, BATTERY), (BATTERY,), ()):
        dialog.show_interference(Interference(conditions=found))
        settle()
        places.append((dialog.refused.pos(), dialog.wanted.y()))
    assert len(set(map(str, places))) == 1
    dialog.close()


@pytest.mark.usefixtures("warned")
def test_not_measuring_is_a_choice_too(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Esc or the button leaves everything as it was, and the check can be asked for again."""
    doubt(backend, (BATTERY,), ())
    window = open_window()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.check_flow.dialog is not None, timeout=WAIT_MS)
    qtbot.keyClick(dialog_of(window), Qt.Key.Key_Escape)

    assert window.check_flow.dialog is None
    assert window.controllers.preflight._start is None
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
    assert "43% of the processor, mainly “firefox” and “Code - OSS”." in dialog.reasons.text()

    backend.in_the_way[:] = [one]
    qtbot.waitUntil(lambda: "43% of the processor. Close" in dialog.reasons.text(), timeout=WAIT_MS)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)


@pytest.mark.usefixtures("warned")
def test_what_is_in_the_way_is_said_as_it_is_now(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The figure moves with the load; once nothing is in the way, that is said, and nothing begins by itself."""
    monkeypatch.setattr(preflight, "LOOK_AGAIN_MS", 10)
    doubt(backend, (BUSY,), (Condition(kind="other_load", value=0.21, unit="ratio"),), ())
    window = open_window()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.check_flow.dialog is not None, timeout=WAIT_MS)
    dialog = dialog_of(window)
    qtbot.waitUntil(dialog.reasons.isHidden, timeout=WAIT_MS)

    assert dialog.title.text() == "Nothing slows this computer down any more."
    assert backend.requests == []
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(dialog.wanted, Qt.MouseButton.LeftButton)
