"""Two checks side by side."""

import msgspec
from PySide6.QtCore import QRect, Qt
from pytestqt.qtbot import QtBot

from advisor.gui.widgets.table import CELL_PADDING
from advisor.history import History
from advisor.locale import language
from advisor.records.results.measured.measurement import Condition
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend, sample_report
from tests.unit.gui.pages.history.opened import open_history, slower


def test_two_checks_side_by_side(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """The older one is A; differences beyond noise are marked, counted and bold."""
    kept.add(sample_report())
    kept.add(slower(sample_report(), 2.0), "imported")
    page = open_history(open_window(), qtbot, 2)
    assert page.compare.text() == "Compare with …"
    page.table.selectAll()
    assert page.compare.text() == "Compare the two"
    qtbot.mouseClick(page.compare, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.compared.isVisible, timeout=WAIT_MS)

    assert page.compared.summary.text() == "Both say about 3½ minutes. In all 14 tests B is about 2 times as fast."
    rows = page.compared.rows
    assert all("▲ 2 times as fast" in str(rows.data(rows.index(row, 3))) for row in range(14))
    assert rows.data(rows.index(0, 0), Qt.ItemDataRole.FontRole).bold()
    assert page.compared.names.text().startswith("A: Oct 3, 2026")
    assert "i7-10750H · RTX 2060 Laptop GPU (from a file)" in page.compared.names.text()

    page.table.selectRow(0)
    qtbot.mouseClick(page.delete, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.rows.rowCount() == 1, timeout=WAIT_MS)
    assert not page.compared.isVisible(), "one of its checks is gone"


def test_one_check_is_compared_with_another_of_a_list(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """Whoever does not know of Ctrl chooses the other one from a list; both are then chosen."""
    kept.add(sample_report())
    kept.add(slower(sample_report(), 2.0), label="R&D")
    page = open_history(open_window(), qtbot, 2)
    assert len(page.chosen()) == 1
    page.others.popup = lambda _place: None  # type: ignore[method-assign,assignment,misc]  # no menus off-screen
    qtbot.mouseClick(page.compare, Qt.MouseButton.LeftButton)
    [other] = page.others.actions()
    assert other.text().startswith("R&&D · Oct 3, 2026")
    other.trigger()
    qtbot.waitUntil(page.compared.isVisible, timeout=WAIT_MS)

    assert len(page.chosen()) == 2


def test_a_single_check_cannot_be_compared(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """There is nothing to lay it beside."""
    kept.add(sample_report())

    assert not open_history(open_window(), qtbot, 1).compare.isEnabled()


def test_a_comparison_says_which_check_was_disturbed(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """A difference that others caused, or a changing pace, is not taken for one of the computers."""
    report = slower(sample_report(), 2.0)
    assert report.benchmark is not None
    others = (Condition(kind="other_load", value=0.66, unit="ratio", when="during"),)
    rows = tuple(
        msgspec.structs.replace(m, conditions=others, pace_s=1.0 + index % 2)
        for index, m in enumerate(report.benchmark.measurements)
    )
    benchmark = msgspec.structs.replace(report.benchmark, measurements=rows)
    kept.add(sample_report())
    kept.add(msgspec.structs.replace(report, benchmark=benchmark))
    page = open_history(open_window(), qtbot, 2)
    page.table.selectAll()
    qtbot.mouseClick(page.compare, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.compared.isVisible, timeout=WAIT_MS)

    first, second = page.compared.names.text().splitlines()
    assert first.endswith("· other programs used 66% of the processor on average during the check")
    assert "other programs" not in second
    assert page.compared.chance.text().startswith("Repeated, the time of a test"), "no pace is blamed for others"
    shown = page.compared.rows
    places = range(shown.rowCount())
    grey = [row for row in places if shown.data(shown.index(row, 0), Qt.ItemDataRole.ForegroundRole)]
    assert grey == [row for row in places if shown.index(row, 3).data() == "disturbed in A"] != []


def test_a_disturbed_check_of_this_computer_is_made_again_from_there(
    kept: History, backend: FakeBackend, open_window: Opener, qtbot: QtBot
) -> None:
    """What says to measure again in a quiet moment has its button beside it, but not for another computer."""
    others = (Condition(kind="other_load", value=0.3, unit="ratio", when="during"),)
    report = slower(sample_report(), 1.5)
    assert report.benchmark is not None
    rows = tuple(msgspec.structs.replace(m, conditions=others) for m in report.benchmark.measurements)
    disturbed = msgspec.structs.replace(report, benchmark=msgspec.structs.replace(report.benchmark, measurements=rows))
    kept.add(sample_report())
    kept.add(disturbed)
    window = open_window()
    page = open_history(window, qtbot, 2)
    page.table.selectAll()
    qtbot.mouseClick(page.compare, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.compared.isVisible, timeout=WAIT_MS)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(page.compared.when_quiet, Qt.MouseButton.LeftButton)
    assert len(backend.requests) == 1

    kept.remove([entry.id for entry in kept.entries()])
    kept.purge()
    kept.add(sample_report())
    kept.add(disturbed, "imported")
    page._history.load()
    qtbot.waitUntil(lambda: page.rows.rowCount() == 2 and not page.compared.isVisible(), timeout=WAIT_MS)
    page.table.selectAll()
    page.compare.click()
    qtbot.waitUntil(page.compared.isVisible, timeout=WAIT_MS)
    assert not page.compared.when_quiet.isVisible()


def test_the_same_twice_differs_by_nothing(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """Equal measurements are said not to differ, and nothing is bold."""
    kept.add(sample_report())
    kept.add(slower(sample_report(), 1.0))
    page = open_history(open_window(), qtbot, 2)
    page.table.selectAll()
    qtbot.mouseClick(page.compare, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.compared.isVisible, timeout=WAIT_MS)

    assert page.compared.summary.text() == "Both say about 3½ minutes. In 14 tests A and B are the same."
    assert page.compared.rows.data(page.compared.rows.index(0, 0), Qt.ItemDataRole.FontRole) is None


def test_names_of_tests_stand_whole(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """A long name of a product on the processor was cut where the window is small."""
    kept.add(sample_report())
    kept.add(slower(sample_report(), 1.0))
    window = open_window()
    window.context.language = language("es")
    window.resize(960, 700)
    page = open_history(window, qtbot, 2)
    page.table.selectAll()
    qtbot.mouseClick(page.compare, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.compared.isVisible, timeout=WAIT_MS)
    settle()

    table = page.compared.table
    assert table.verticalScrollBar().maximum() == 0, "the page scrolls, not the table in it"
    last = table.visualRect(page.compared.rows.index(page.compared.rows.rowCount() - 1, 0))
    assert table.viewport().height() - last.bottom() <= 2, "nor is there an empty half below the rows"
    assert page.compared.summary.visibleRegion().boundingRect().height() > 0, "what came of it is seen first"
    metrics, side = table.fontMetrics(), CELL_PADDING
    for row in range(page.compared.rows.rowCount()):
        text = str(page.compared.rows.index(row, 0).data())
        room = QRect(0, 0, table.columnWidth(0) - side, 1000)
        needed = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()
        assert needed <= table.rowHeight(row), text


def test_checks_without_measurements_are_not_compared(kept: History, open_window: Opener, qtbot: QtBot) -> None:
    """One that measured nothing is not offered to be compared, and the button says why."""
    kept.add(sample_report())
    kept.add(msgspec.structs.replace(sample_report(), benchmark=None), "imported")
    page = open_history(open_window(), qtbot, 2)
    page.table.selectAll()

    assert not page.compare.isEnabled()
    assert "cannot be compared" in page.compare.toolTip()
