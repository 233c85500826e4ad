"""The filter of the options."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.pages.options.page import OptionsPage
from advisor.records.results.report import Report
from tests.gui.conftest import Opener, settle
from tests.gui.samples import FakeBackend


def titles(page: OptionsPage) -> list[str]:
    """Return the options of the table from top to bottom."""
    return [str(page.rows.data(page.rows.index(row, 1))) for row in range(page.rows.rowCount())]


def test_search_and_money_narrow_the_list(options: OptionsPage, qtbot: QtBot) -> None:
    """Words, a limit of money and the kind of answer work together; the count says how many are left."""
    options.filter.search.setText("rtx")
    assert titles(options) == ["GeForce RTX 2060 Laptop", "GeForce RTX 5060 Ti 16 GB"]
    options.filter.money.setValue(100)
    assert titles(options) == ["GeForce RTX 2060 Laptop"]
    assert options.count.text().startswith("5 options were compared. 1 is shown.")

    options.filter.search.clear()
    options.filter.money.setValue(0)
    qtbot.mouseClick(options.filters[3], Qt.MouseButton.LeftButton)
    assert titles(options) == ["L4"]


def test_the_filter_stays_when_the_answer_changes(options: OptionsPage, real_report: Report) -> None:
    """Another answer, as in what-if, keeps what the user asked for; the makers are those of its options."""
    options.filter.search.setText("RTX 4090")
    options.show_report(real_report)
    settle()

    assert titles(options)
    assert all("4090" in title for title in titles(options))
    assert [options.filter.vendor.itemText(row) for row in range(options.filter.vendor.count())][:2] == [
        "Any maker",
        "AMD",
    ]


def test_search_has_a_key(open_window: Opener, backend: FakeBackend, options: OptionsPage, qtbot: QtBot) -> None:
    """Ctrl+F goes to the search."""
    qtbot.keyClick(options.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)

    assert options.filter.search.hasFocus()


def test_fields_hold_as_many_letters_in_every_size(options: OptionsPage) -> None:
    """The search and the most it may cost were as wide as small letters ask."""
    search, money = options.filter.search, options.filter.money
    before = search.width(), money.maximumWidth()
    options._context.set_text_percent(175)
    after = search.width(), money.maximumWidth()
    options._context.set_text_percent(100)  # the application keeps its letters for the tests that follow
    assert [round(more / less, 2) for more, less in zip(after, before, strict=True)] == [1.75, 1.75]
