"""Corrections of what was found out about the computer."""

from collections.abc import Sequence
from typing import cast

import msgspec
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.errors import InputError
from advisor.gui.base.settings import load_settings
from advisor.gui.pages.computer.page import ComputerPage
from advisor.records.hardware.machine import Machine
from tests.gui.conftest import WAIT_MS, Opener
from tests.gui.samples import FakeBackend, sample_machine
from tests.gui.test_pages import labels, page


def correcting(backend: FakeBackend, asked: list[Sequence[str]]) -> None:
    """Let a backend take corrections of names; a name such as ``?`` is none."""

    def correct(overrides: Sequence[str]) -> Machine:
        asked.append(tuple(overrides))
        if any("?" in one for one in overrides):
            raise InputError("'{text}' describes no graphics card.", text=overrides[-1])
        machine = sample_machine()
        if not overrides:
            return machine
        card = msgspec.structs.replace(machine.accelerators[0], name=overrides[-1].partition("=")[2].partition(":")[0])
        return msgspec.structs.replace(machine, accelerators=(card, *machine.accelerators[1:]))

    backend.probe_corrected = correct  # type: ignore[method-assign]


def test_a_card_can_be_set_right(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Name and memory by hand reach the pages and the next check, are kept, and can be taken back."""
    asked: list[Sequence[str]] = []
    correcting(backend, asked)
    window = open_window()
    computer = cast(ComputerPage, page(window, "computer"))
    card = computer.correction
    qtbot.mouseClick(card.toggle, Qt.MouseButton.LeftButton)
    assert card.name.text() == "NVIDIA GeForce RTX 2060 Laptop GPU"
    assert card.memory.specialValueText() == "as found"
    card.which.setCurrentIndex(1)
    card.which.activated.emit(1)
    assert (card.which.currentText(), card.memory.specialValueText()) == ("One that was not found", "as its name says")
    card.which.setCurrentIndex(0)
    card.which.activated.emit(0)
    card.name.setText("GeForce RTX 3060")
    card.memory.setValue(12.0)
    qtbot.mouseClick(card.use, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "GeForce RTX 3060" in labels(computer), timeout=WAIT_MS)

    assert asked == [("0=GeForce RTX 3060:12GB",)]
    assert load_settings(window.settings.path).overrides == ("0=GeForce RTX 3060:12GB",)
    assert "Set by hand: GeForce RTX 3060:12GB." in card.state.text()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    assert backend.requests[-1].overrides == ("0=GeForce RTX 3060:12GB",)

    qtbot.mouseClick(card.back, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: load_settings(window.settings.path).overrides == (), timeout=WAIT_MS)


def test_a_correction_that_makes_no_sense_is_a_sentence(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot
) -> None:
    """What is not understood is said beside the field and not kept."""
    correcting(backend, [])
    window = open_window()
    computer = cast(ComputerPage, page(window, "computer"))
    qtbot.mouseClick(computer.correction.toggle, Qt.MouseButton.LeftButton)
    computer.correction.name.setText("?")
    qtbot.mouseClick(computer.correction.use, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not computer.correction.trouble.isHidden(), timeout=WAIT_MS)

    assert computer.correction.trouble.text().endswith("describes no graphics card.")
    assert load_settings(window.settings.path).overrides == ()


def test_a_kept_correction_holds_from_the_start(open_window: Opener, backend: FakeBackend, settings: object) -> None:
    """At the next start the computer is the corrected one."""
    correcting(backend, [])
    settings.overrides = ("0=GeForce RTX 3060:12GB",)  # type: ignore[attr-defined]  # the fixture's settings
    window = open_window()

    assert window.controllers.machine.machine is not None
    assert window.controllers.machine.machine.accelerators[0].name == "GeForce RTX 3060"


def test_a_mistyped_correction_leaves_the_one_before(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """After a second correction that is not understood the first still holds, and the third stands beside it."""
    asked: list[Sequence[str]] = []
    correcting(backend, asked)
    window = open_window()
    card = cast(ComputerPage, page(window, "computer")).correction
    qtbot.mouseClick(card.toggle, Qt.MouseButton.LeftButton)
    card.name.setText("GeForce RTX 3060")
    card.memory.setValue(12.0)
    qtbot.mouseClick(card.use, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(window.settings.overrides), timeout=WAIT_MS)
    card.which.setCurrentIndex(card.which.count() - 1)
    card.name.setText("?")
    qtbot.mouseClick(card.use, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not card.trouble.isHidden(), timeout=WAIT_MS)

    assert "GeForce RTX 3060:12GB" in card.state.text()
    card.name.setText("GeForce RTX 4090")
    card.memory.setValue(0.0)
    qtbot.mouseClick(card.use, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(window.settings.overrides) == 2, timeout=WAIT_MS)
    assert asked[-1] == ("0=GeForce RTX 3060:12GB", "GeForce RTX 4090")
