"""This computer in full, with a word on each part that the answer depends on."""

import msgspec
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from advisor.gui.base.context import Context
from advisor.gui.models.computer_judgement import judgements
from advisor.gui.pages.computer.page import ComputerPage
from advisor.gui.widgets.number_label import Figure
from advisor.locale import language
from tests.gui.conftest import WAIT_MS
from tests.unit.report import samples


def test_parts_are_judged_beside_their_facts(qapp: QApplication, qtbot: QtBot) -> None:
    """The answer about this computer is said there; that about another one, and one that is gone, is not."""
    report = samples.enough()
    page = ComputerPage(Context(qapp, language("en"), "light"))
    qtbot.addWidget(page)
    memory = msgspec.structs.replace(report.machine.host.memory, available_bytes=123)
    later = msgspec.structs.replace(report.machine.host, memory=memory)
    page.show_machine(msgspec.structs.replace(report.machine, host=later))
    expected = {f"✓  {one.text}" for one in judgements(report, language("en")) if one.is_good}
    assert expected

    def said() -> set[str]:
        return {one.text() for one in page.findChildren(QLabel) if one.property("role") == "good"} & expected

    page.show_report(report)
    assert said() == expected
    page.forget_report()
    qapp.sendPostedEvents(None, 52)  # deferred deletes
    assert said() == set()
    other = msgspec.structs.replace(report.machine.host, cpu=msgspec.structs.replace(report.machine.host.cpu, name="x"))
    page.show_report(msgspec.structs.replace(report, machine=msgspec.structs.replace(report.machine, host=other)))
    assert said() == set()


def test_a_wide_window_shows_two_columns(qapp: QApplication, qtbot: QtBot) -> None:
    """Half of a wide page would stand empty; where each fact says how it was read, the whole width is one column's."""
    page = ComputerPage(Context(qapp, language("en"), "light"))
    qtbot.addWidget(page)
    page.show_machine(samples.enough().machine)
    page.show()
    for width, columns in ((990, 2), (700, 1), (990, 2)):
        page.resize(width, 700)
        qapp.processEvents()
        assert page._groups.count() == columns
    page.how.click()
    assert page._groups.count() == 1
    page.hide()


def test_long_facts_make_no_page_wider_than_its_window(qapp: QApplication, qtbot: QtBot) -> None:
    """They go on in further lines, each as high as it needs."""
    machine = samples.enough().machine
    host = msgspec.structs.replace(machine.host, os_version="12 (bookworm), kernel 6.18.44-fc-v669")
    page = ComputerPage(Context(qapp, language("en"), "light"))
    qtbot.addWidget(page)
    page.show_machine(msgspec.structs.replace(machine, host=host))
    page.resize(910, 700)
    page.show()

    def is_whole() -> bool:
        values = [one._words for one in page.findChildren(Figure) if one.isVisible()]
        return bool(values) and all(one.height() >= one.heightForWidth(one.width()) for one in values)

    qtbot.waitUntil(is_whole, timeout=WAIT_MS)
    assert page.horizontalScrollBar().maximum() == 0
    page.hide()
