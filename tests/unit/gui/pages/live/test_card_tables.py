"""The tables of cards and of the programs on them."""

from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from tests.gui.conftest import WAIT_MS
from tests.gui.test_pages import cells
from tests.unit.gui.pages.live.opened import live_page


def test_the_programs_on_the_card_are_named_while_the_page_is_open(window: MainWindow, qtbot: QtBot) -> None:
    """Who uses the card is asked for while the page is seen, and shown with the memory it holds."""
    live = live_page(window, qtbot)
    window.controllers.sensor_thread.set_interval(0.25)
    qtbot.waitUntil(lambda: cells(live.cards.users.view) == [["python3", "GeForce RTX 2060", "1 GB"]], timeout=WAIT_MS)

    window.stack.open("settings")
    qtbot.waitUntil(lambda: window.controllers.sensor_thread.users == (), timeout=WAIT_MS)
