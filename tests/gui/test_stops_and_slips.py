"""The measuring pack when it is stopped, and corrections of the computer when one of several is mistyped."""

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.pages.computer.page import ComputerPage
from advisor.gui.pages.settings.measuring_pack_card import MeasuringPackCard
from advisor.records.hardware.measuring_pack import PackStatus
from tests.gui.conftest import WAIT_MS, Opener
from tests.gui.samples import FakeBackend
from tests.gui.test_pages import page
from tests.gui.test_settings_page import card_of, correcting


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


def test_a_stopped_download_is_said_only_while_it_waits(
    open_window: Opener, backend: FakeBackend, qtbot: QtBot
) -> None:
    """After the pack was removed, or where the stop came too late, nothing is said of a download that is kept."""
    window = open_window()
    pack = card_of(window, MeasuringPackCard)
    assert isinstance(pack, MeasuringPackCard)

    def stop_installing(then: PackStatus) -> None:
        backend.pack = then
        qtbot.waitUntil(pack.look.isVisible, timeout=WAIT_MS)
        pack.look.click()
        qtbot.waitUntil(pack.install.isVisible, timeout=WAIT_MS)
        pack.install.click()
        pack.stop.click()
        qtbot.waitUntil(lambda: not pack.stop.isVisible(), timeout=WAIT_MS)

    stop_installing(PackStatus(health="absent", folder="/pack", size_bytes=5, is_unfinished=True))
    assert pack.state.text().startswith("Stopped.")
    pack.remove.click()
    qtbot.waitUntil(lambda: not pack.stop.isVisible(), timeout=WAIT_MS)
    assert "Stopped." not in pack.state.text()

    stop_installing(PackStatus(health="absent", folder="/pack"))
    assert "Stopped." not in pack.state.text()
