"""The page of the history, open, and what can be read on it."""

from typing import cast

import msgspec
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.history.page import HistoryPage
from advisor.records.results.report import Report
from tests.gui.conftest import WAIT_MS


def slower(report: Report, ratio: float) -> Report:
    """Return a report in which all took longer."""
    assert report.benchmark is not None
    rows = tuple(msgspec.structs.replace(m, median_s=m.median_s * ratio) for m in report.benchmark.measurements)
    benchmark = msgspec.structs.replace(report.benchmark, measurements=rows)
    return msgspec.structs.replace(report, created_at="2026-10-03T12:00:00+00:00", benchmark=benchmark)


def open_history(window: MainWindow, qtbot: QtBot, count: int) -> HistoryPage:
    """Open the page and wait for its entries."""
    window.stack.open("history")
    page = cast(HistoryPage, window.stack.currentWidget())
    qtbot.waitUntil(lambda: page.rows.rowCount() == count, timeout=WAIT_MS)
    return page
