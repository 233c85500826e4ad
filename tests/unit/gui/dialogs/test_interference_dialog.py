"""Doubts are told before measuring; the user waits, measures or leaves it."""

import dataclasses

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import Settings
from advisor.gui.controllers import preflight
from advisor.gui.dialogs.interference_dialog import InterferenceDialog
from advisor.locale import language
from advisor.records.hardware.interference import Interference
from advisor.records.results.measured.measurement import Condition
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend

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


def test_waiting_says_that_it_goes_on_looking(open_window: Opener, qtbot: QtBot) -> None:
    """With the same load at each look nothing moved for 75 seconds: whoever waits could not tell that it was looked."""
    dialog = InterferenceDialog(open_window().context, open_window())
    dialog.show_interference(Interference(conditions=(BUSY,)))
    dialog.show_waiting()
    assert (
        dialog.effect.text()
        == "Waiting. The check begins as soon as other programs use less than 10% of the processor."
    )
    for _look in range(2):
        dialog.show_interference(Interference(conditions=(BUSY,)))
    assert "43" in dialog.reasons.text()
    assert dialog.effect.text().startswith("Waiting. Looked again 2 times.")
    assert dialog.effect.text().endswith("as soon as other programs use less than 10% of the processor.")
    dialog.show_interference(Interference(conditions=(BATTERY,)))
    assert dialog.effect.text().endswith("when this is over.")


@pytest.mark.parametrize("code", ["en", "es"])
def test_no_button_moves_while_it_waits(open_window: Opener, code: str) -> None:
    """The text while it waits took a line more: the buttons went down under the pointer."""
    window = open_window()
    window.context.language = language(code)
    dialog = InterferenceDialog(window.context, window)
    dialog.show_interference(Interference(conditions=(BUSY,)))
    dialog.show()
    settle()
    tops = [dialog.refused.y()]
    dialog.show_waiting()
    for _look in range(12):
        settle()
        tops.append(dialog.refused.y())
        dialog.show_interference(Interference(conditions=(BUSY,)))
    assert len(set(tops)) == 1


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
    assert "43% of the processor, mainly firefox and Code - OSS." in dialog.reasons.text()

    backend.in_the_way[:] = [one]
    qtbot.mouseClick(dialog.waited, Qt.MouseButton.LeftButton)
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
