"""The filter of the options."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.models.subject import Subject
from advisor.gui.pages.options.page import OptionsPage
from advisor.records.request import observation_of
from advisor.records.results.report import Report
from tests.gui.conftest import Opener, settle
from tests.gui.samples import FakeBackend


def titles(page: OptionsPage) -> list[str]:
    """Return the options of the table from top to bottom."""
    return [str(page.rows.data(page.rows.index(row, 1))) for row in range(page.rows.rowCount())]


def shown(page: OptionsPage) -> Report:
    """Return the report whose options the page shows."""
    assert page._report is not None
    return page._report


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
    """Another answer to the same question, as in what-if, keeps what the user asked for; the makers are its own."""
    asked = msgspec.structs.replace(real_report, workload=shown(options).workload)
    options.filter.search.setText("RTX 4090")
    options.show_report(asked)
    settle()

    assert titles(options)
    assert all("4090" in title for title in titles(options))
    assert [options.filter.vendor.itemText(row) for row in range(options.filter.vendor.count())][:2] == [
        "Any maker",
        "AMD",
    ]


@pytest.mark.parametrize("other", ["question", "check"])
def test_a_search_ends_with_its_question_and_check(options: OptionsPage, real_report: Report, other: str) -> None:
    """After a new check the list still had but the old search's rows, and “Filters (1)” alone told so."""
    report = shown(options)
    assert report.benchmark is not None
    again = msgspec.structs.replace(report.benchmark, started_at="2026-11-22T07:59:00Z")
    whole = titles(options)
    options.filter.search.setText("L4")
    options.filter.feasible.setChecked(True)
    options.show_report(real_report if other == "question" else msgspec.structs.replace(report, benchmark=again))
    settle()

    assert options.filter.search.text() == options.filter.wanted.words == ""
    assert options.filter.feasible.isChecked(), "what the user's limits are holds for every question"
    assert not all("L4" in title for title in titles(options))
    assert other == "question" or set(titles(options)) <= set(whole)


@pytest.mark.parametrize("has_check", [True, False])
def test_other_parts_keep_the_search(options: OptionsPage, has_check: bool) -> None:
    """What if: a card that is only thought of was not measured, and the question is the same."""
    report = shown(options)
    pretended = msgspec.structs.replace(report, benchmark=report.benchmark if has_check else None)
    subject = Subject(kind="pretended", observation=observation_of(pretended), name="GeForce RTX 5090")
    options.filter.search.setText("L4")
    options.show_report(pretended, subject)
    options.show_report(report)
    assert options.filter.search.text() == "L4"


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
