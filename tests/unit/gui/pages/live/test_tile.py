"""Each tile has a graph or a reason."""

import math

from PySide6.QtCore import QRect, Qt
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.widgets.basic import GRID
from advisor.monitor.monitor import Monitor
from advisor.monitor.source import HostReading
from advisor.records.hardware.telemetry import HostSample
from tests.gui.conftest import WAIT_MS, Opener
from tests.gui.samples import FakeBackend, WavyCards, WavyHost
from tests.gui.test_pages import cells
from tests.unit.gui.pages.live.opened import feed, live_page


def test_every_sensor_has_a_graph_or_a_reason(window: MainWindow, qtbot: QtBot) -> None:
    """Each tile has a plot, or says why not; a missing curve is explained below the others."""
    live = live_page(window, qtbot)

    for name, tile in live.tiles.items():
        assert tile.plot is not None or name in live.absent_text.text(), name
    assert live.tiles["temperature"].missing.text() == "Processor: not available (this program may not read it)."


def test_a_computer_without_a_card_says_so(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Without graphics card its graphs are a sentence, not an empty frame."""
    backend.sensors = lambda: Monitor(WavyHost())
    live = live_page(open_window(), qtbot)

    assert live.tiles["graphics"].plot is None
    assert live.tiles["graphics"].isHidden()
    assert live.cards.isHidden()
    assert live.absent_text.text().splitlines() == [
        "Graphics card, graphics memory, clock of the graphics card: No graphics card was found in this computer.",
        "Temperature: not available (this program may not read it).",
    ]


def test_a_sleeping_card_is_said_to_sleep(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """A sleeping card is left alone, and the page says so."""
    backend.sensors = lambda: Monitor(WavyHost(), (WavyCards(is_asleep=True),))
    live = live_page(open_window(), qtbot)

    assert "GeForce RTX 2060 is asleep and is not woken by this page." in live.remarks.text()
    assert "the card is asleep" in live.absent_text.text()
    assert cells(live.cards.cards.view)[0][-1] == "asleep"


class ManyCores:
    """A host with 256 cores."""

    def sample(self, now_s: float) -> HostReading:
        """Return a sample."""
        ratios = tuple(round(0.5 + 0.5 * math.sin(now_s + core), 3) for core in range(256))
        return HostReading(sample=HostSample(cpu_ratio=0.5, cores_ratio=ratios))


def test_eight_cards_and_256_cores_fit(open_window: Opener, backend: FakeBackend, qtbot: QtBot) -> None:
    """Eight cards are eight named curves and eight rows; 256 cores are 256 bars no wider than the tile."""
    backend.sensors = lambda: Monitor(ManyCores(), (WavyCards(count=8),))
    window = open_window(size=(1024, 640))
    live = live_page(window, qtbot)
    feed(live, window, backend.make_monitor().sample())

    graphics = next(graph for graph in live.model.graphs(live.context.language) if graph.id == "graphics")
    assert [curve.label for curve in graphics.curves] == [f"card {n}" for n in range(1, 9)]
    assert len(cells(live.cards.cards.view)) == 8
    content = live.widget()
    assert content is not None
    qtbot.waitUntil(lambda: content.width() <= live.viewport().width(), timeout=WAIT_MS)
    view = live.cards.cards.view
    qtbot.waitUntil(lambda: view.horizontalHeader().length() <= view.viewport().width(), timeout=WAIT_MS)
    states = {view.model().index(row, 6).data() for row in range(8)}
    room = QRect(0, 0, view.columnWidth(6) - 2 * GRID, view.rowHeight(0))
    for state in states:
        assert room.contains(view.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, state)), state
