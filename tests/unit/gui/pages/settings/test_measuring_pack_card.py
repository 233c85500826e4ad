"""The measuring pack when it is stopped."""

from pytestqt.qtbot import QtBot

from advisor.gui.pages.settings.measuring_pack_card import MeasuringPackCard
from advisor.records.hardware.measuring_pack import PackStatus
from tests.gui.conftest import WAIT_MS, Opener
from tests.gui.samples import FakeBackend
from tests.unit.gui.pages.settings.test_kept_data_card import card_of


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
