"""The page of options: the chosen one, its details, and when buying pays."""

from typing import cast

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QLayoutItem, QScrollArea, QStyledItemDelegate, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.models.subject import Subject, own_subject
from advisor.gui.pages.options.page import OptionsPage
from advisor.gui.widgets.charts.option_chart import OptionChart
from advisor.gui.widgets.table import CELL_PADDING
from advisor.locale import language
from advisor.records.request import observation_of
from advisor.records.results.report import Report
from tests.gui.conftest import settle
from tests.gui.wheel import turn_wheel
from tests.unit.gui.pages.options.shown import facts
from tests.unit.gui.plain import plain


def test_the_recommended_option_is_chosen_and_explained(options: OptionsPage) -> None:
    """The page opens on the answer: its row, a ring around its mark, its details."""
    assert options.details_title.text() == "GeForce RTX 2060 Laptop"
    assert "measured here" in facts(options)
    plot = cast(OptionChart, options.chart.plot)
    assert len(plot._ring.points()) == 1
    assert options.table.selectionModel().selectedRows()[0].row() == 0
    assert options.why.text().startswith("Recommended: GeForce RTX 2060 Laptop. "), "why it is the first of the list"


def test_no_card_lies_over_the_list(answered: MainWindow, options: OptionsPage, real_report: Report) -> None:
    """In the smallest usual window the chart's words end above what narrows the list."""
    answered.resize(1000, 650)
    options.show_report(real_report)
    for _turn in range(3):
        settle()
    options.views[0].click()
    settle()
    for card in (options.costs, options.details):
        assert card.geometry().bottom() < options.narrowing.geometry().top()
        assert card.minimumSizeHint().height() <= card.height()


def test_nothing_left_is_said(options: OptionsPage, qtbot: QtBot) -> None:
    """A search without result is a sentence, not an empty table and chart."""
    options.filter.search.setText("no such  thing")

    assert options.nothing.isVisible()
    assert not options.table.isVisible()
    assert not options.details.isVisible()
    assert all(view.isVisible() for view in options.views[1::2]), "the charts stay, else the page jumps"
    assert "Ctrl+click" not in options.count.text()
    assert options.nothing.sentence.text() == "No option has “no such thing” in its name."
    assert not options.nothing.filters_button.isVisible()
    options.nothing.search_button.setFocus()
    qtbot.keyClick(options.nothing.search_button, Qt.Key.Key_Return)
    assert options.table.isVisible()
    assert options.filter.search.text() == ""
    assert options.filter.search.hasFocus(), "else the keyboard stands on a link that has gone"


def test_rows_and_their_marks_change_together(options: OptionsPage, real_report: Report) -> None:
    """While a filter took the rows away, the list was measured with marks of options that were gone."""
    options.show_report(real_report)
    before = options.rows.rowCount()
    marks = []
    options.table.width_changed.connect(
        lambda: marks.append([options._kind_icon(options.rows.index(row, 0)) for row in range(options.rows.rowCount())])
    )
    for words in ("vultr", "no such thing", ""):
        options.filter.search.setText(words)
        options._context.theme_changed.emit()
        settle()
    assert options.rows.rowCount() == before
    assert marks, "the bar went and came"


def test_the_filters_that_leave_nothing_are_named(options: OptionsPage) -> None:
    """A fixed sentence told to clear the search where only the kind and a limit were set."""
    options.filters[4].click()
    options.filter.memory.setCurrentIndex(options.filter.memory.count() - 1)
    options.filter.money.setValue(1)
    options.filter.feasible.click()
    named = f"Cluster; at least 128 GB; {options.filter.money.text()}; Within my limits."
    assert options.nothing.sentence.text() == f"No option passes these filters: {named}"
    assert not options.nothing.search_button.isVisible()
    options.filter.search.setText("rtx")
    said = "No option has “rtx” in its name and passes these filters: "
    assert options.nothing.sentence.text() == f"{said}{named}"
    options.nothing.filters_button.click()
    assert options.table.isVisible()
    assert options.rows.rowCount() == 2, "the search stays"
    assert options.filters[0].isChecked()
    assert options.filter.used() == []


def test_when_buying_pays(options: OptionsPage, real_report: Report) -> None:
    """Where the answer is to buy or rent, the costs of both are drawn over the months, with a table twin."""
    assert not options.views[2].isVisible()
    options.show_report(real_report)
    settle()
    assert options.views[2].isVisible()
    options.views[2].click()
    assert options.break_even_card.isVisible()
    assert not options.costs.isVisible()
    assert options.break_even.plot is not None
    assert options.break_even.rows.rowCount() > 0
    options.break_even.switch()
    assert options.break_even.is_table


def test_options_stand_beside_each_other(options: OptionsPage) -> None:
    """Up to three chosen rows are told in columns; a fourth is left out."""
    options.filter.rows.setCurrentIndex(options.filter.rows.findData("each"))
    options.filter.changed.emit()
    options.table.selectAll()
    settle()
    assert options.table.model().rowCount() > 3
    assert options.details_title.text() == "Side by side"
    assert sum(name in facts(options) for name in [row[1] for row in options._options or ()]) == 3
    assert options.details.best_mark.isVisible()
    assert "✓" in facts(options)
    _assert_rows_stand_level(options)
    assert not options.chart_card.isVisible()
    assert not options.costs.isVisible()
    options.details.close_button.click()
    assert options.chart_card.isVisible() or options.costs.isVisible()
    assert options.details_title.text() == "GeForce RTX 2060 Laptop"
    assert not options.details.close_button.isVisible()


@pytest.mark.parametrize("view", [1, 3])
def test_each_view_leads_back_from_what_stands_beside_each_other(options: OptionsPage, view: int) -> None:
    """Their buttons went while options stood beside each other, and only *Close* led back."""
    options.views[0].click()
    options.filter.rows.setCurrentIndex(options.filter.rows.findData("each"))
    options.filter.changed.emit()
    there = [made.isVisible() for made in options.views]
    options.table.selectAll()
    settle()
    assert options.details_title.text() == "Side by side"
    assert [made.isVisible() for made in options.views] == there
    options.views[view].click()
    settle()
    assert len(options.table.selectionModel().selectedRows()) == 1
    assert options.views[view].isChecked()
    assert options.chart_card.isVisible() == (view == 1)
    assert options.details.isVisible() == (view == 1)


def _assert_rows_stand_level(options: OptionsPage) -> None:
    """Fail where the first line of a value stands lower or higher than its name: names were at the top of a row."""
    grid = options.details._facts
    words: dict[int, set[int]] = {}
    for place in range(grid.count()):
        row = cast(tuple[int, ...], grid.getItemPosition(place))[0]
        item = cast(QLayoutItem, grid.itemAt(place))
        words.setdefault(row, set()).add(item.geometry().top())
    assert all(len(tops) == 1 for tops in words.values()), words
    assert len(words) > 6


@pytest.mark.parametrize(("size", "percent"), [((1280, 800), 100), ((1024, 700), 175)])
def test_all_facts_of_several_are_seen_and_only_the_page_scrolls(
    answered: MainWindow, options: OptionsPage, real_report: Report, size: tuple[int, int], percent: int
) -> None:
    """Two of their rows were seen, and their bar stood beside those of the page and of the list."""
    answered.resize(*size)
    answered.context.set_text_percent(percent)
    options.show_report(real_report)
    answered.stack.open("options")
    options.table.selectAll()
    for _turn in range(3):
        settle()
    inner = options.details.findChild(QScrollArea)
    assert isinstance(inner, QScrollArea)
    assert inner.verticalScrollBar().maximum() == 0
    assert "Memory" in facts(options)
    assert "How to start" not in facts(options)
    assert options.table.viewport().height() >= 5 * options.table.rowHeight(0), "the list keeps its rows"
    options.details.all_button.click()
    for _turn in range(3):
        settle()
    assert "How to start" in facts(options)
    assert inner.verticalScrollBar().maximum() == 0
    assert options.verticalScrollBar().maximum() > 0
    options.details.all_button.click()
    assert "How to start" not in facts(options)
    answered.context.set_text_percent(100)  # the application keeps its letters for the tests that follow


@pytest.mark.parametrize(("size", "rows", "is_list"), [((1200, 800), 6, False), ((1024, 700), 6, True)])
def test_rows_are_seen_without_scrolling_the_page(
    answered: MainWindow, options: OptionsPage, real_report: Report, size: tuple[int, int], rows: int, *, is_list: bool
) -> None:
    """Only the table scrolls; a low window, in which three rows were left under the chart, opens on the list."""
    answered.resize(*size)
    options.show_report(real_report)
    for _turn in range(3):
        settle()
    assert options.verticalScrollBar().maximum() == 0
    assert options.table.viewport().height() // options.table.rowHeight(0) >= rows
    assert options.views[3].isChecked() == is_list
    assert options.costs.isVisible() != is_list
    assert "Double-click" in options.count.text() or not is_list
    assert options.count.isVisible()
    options.views[3].click()
    settle()
    last = options.table.rowAt(options.table.viewport().height() - 1)
    assert last >= rows + 1, "alone it has room for more, also where some rows have two lines"
    assert not options.costs.isVisible()
    assert not options.details.isVisible()
    options.views[0].click()
    answered.resize(size[0], size[1] - 20)
    settle()
    assert options.costs.isVisible(), "what was asked for stays"


def test_a_window_that_grows_has_its_details_back(
    answered: MainWindow, options: OptionsPage, real_report: Report
) -> None:
    """Until the user asks for a view, the chart comes with the room for it, and so does what is said of an option."""
    answered.resize(1024, 700)
    options.show_report(real_report)
    settle()
    assert not options.details.isVisible()
    answered.resize(1280, 800)
    settle()
    assert options.costs.isVisible()
    assert options.details.isVisible()
    assert "Double-click" not in options.count.text()


@pytest.mark.parametrize("code", ["en", "es"])
@pytest.mark.parametrize("size", [(1440, 900), (1280, 800), (1024, 700)])
def test_nothing_of_the_list_is_cut(
    answered: MainWindow, options: OptionsPage, real_report: Report, size: tuple[int, int], code: str
) -> None:
    """Names were cut in every usual window, and in Spanish the memory went; a long one goes on in a second line."""
    context = options._context
    context.language = language(code)
    answered.resize(*size)
    options.show_report(real_report)
    for _turn in range(3):
        settle()
    options.table.sortByColumn(2, Qt.SortOrder.DescendingOrder)  # its rows have their heights with them
    table, rows = options.table, options.rows
    shown = [column for column in range(rows.columnCount()) if not table.isColumnHidden(column)]
    asked = QStyleOptionViewItem()
    table.initViewItemOption(asked)
    cut = []
    for index in (rows.index(row, column) for row in range(rows.rowCount()) for column in shown):
        wraps, width = index.column() in {1, 4, 6}, table.columnWidth(index.column())
        asked.rect = QRect(0, 0, width - CELL_PADDING, 1000) if wraps else QRect()
        needed = table.itemDelegateForIndex(index).sizeHint(asked, index)
        if needed.height() > table.rowHeight(index.row()) if wraps else needed.width() > width:
            cut.append(index.data())
    assert rows.rowCount() > 100
    assert not cut
    assert {1, 2, 4, 5, 6} <= set(shown), "time, price, cost, and how it compares with the pick"
    asked.rect = QRect()
    beside = [rows.index(row, 6) for row in range(rows.rowCount()) if rows.texts_at(row)[6].endswith(("×", "slower"))]
    widest = max(table.itemDelegateForIndex(index).sizeHint(asked, index).width() for index in beside)
    assert widest <= table.columnWidth(6), "“60× as / fast” stood beside names with room"
    assert (3 in shown) == (size[0] >= 1280), "the memory is in the details"
    assert 4 in shown or size[0] < 1280, "so may the price be"
    assert options.left_out.isVisible() == (size[0] < 1280), "it is said what is"
    assert len({table.rowHeight(row) for row in range(rows.rowCount())}) > 1 or size[0] == 1440
    assert table.horizontalScrollBar().maximum() == 0
    assert rows.index(0, 1).data(Qt.ItemDataRole.ToolTipRole) == rows.index(0, 1).data()


def test_where_something_is_rented_goes_into_a_line_of_its_own(
    answered: MainWindow, options: OptionsPage, real_report: Report
) -> None:
    """Broken where the line ended, a name read "RTX 4000 Ada Generation at" and "DigitalOcean (+1"."""
    answered.resize(1024, 700)
    options.show_report(real_report)
    for _turn in range(3):
        settle()
    shown = {}
    for row in range(options.rows.rowCount()):
        index = options.rows.index(row, 1)
        drawn = QStyleOptionViewItem()
        options.table.initViewItemOption(drawn)
        delegate = cast(QStyledItemDelegate, options.table.itemDelegateForIndex(index))
        delegate.initStyleOption(drawn, index)
        shown[str(index.data())] = drawn.text.split("\u2028")
    broken = [lines for lines in shown.values() if len(lines) > 1]
    assert broken
    assert all(len(lines) == 2 and lines[1].startswith(("at ", "(+")) for lines in broken)
    assert [name for name, lines in shown.items() if lines == [name] and " at " in name], "a short one stays in one"


def test_a_short_remark_is_whole_in_its_tip(options: OptionsPage, real_report: Report) -> None:
    """The figures of why something does not fit have no room in a cell."""
    options.show_report(real_report)
    found = [row for row in range(options.rows.rowCount()) if options.rows.texts_at(row)[6] == "does not fit"]
    tip = str(options.rows.index(found[0], 6).data(Qt.ItemDataRole.ToolTipRole))
    assert plain(tip).startswith("does not fit: takes ")
    assert plain(tip).count(" GB") == 2


def test_the_title_of_prices_says_that_no_tax_is_in_them(options: OptionsPage) -> None:
    """Only what opens at a price said so."""
    across = Qt.Orientation.Horizontal
    tip = str(options.rows.headerData(4, across, Qt.ItemDataRole.ToolTipRole))
    assert "without tax" in tip
    assert options.rows.headerData(4, across, Qt.ItemDataRole.AccessibleDescriptionRole) == tip
    assert options.rows.headerData(5, across, Qt.ItemDataRole.ToolTipRole) is None


def test_what_is_left_out_in_a_narrow_table_leaves_no_gap(answered: MainWindow, options: OptionsPage) -> None:
    """Where something has no room, the columns stand side by side, and it is said; who hears a row hears its answer."""
    answered.resize(900, 700)
    for _turn in range(3):
        settle()
    head = options.table.horizontalHeader()
    shown = [column for column in range(head.count()) if not head.isSectionHidden(column)]
    ends = [head.sectionPosition(column) + head.sectionSize(column) for column in shown]
    assert [head.sectionPosition(column) for column in shown[1:]] == ends[:-1]
    assert len(shown) < head.count()
    assert options.table.columnWidth(1) >= 200, "names can be told apart"
    options.views[3].click()
    answered.resize(820, 700)
    settle()
    assert options.left_out.text().startswith("No room for the column")
    assert "Memory" in options.left_out.text()
    assert options.left_out.isVisible()
    said = options.rows.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "This computer"


def test_the_kinds_stay_in_one_row_beside_what_the_list_has_no_room_for(
    answered: MainWindow, options: OptionsPage, real_report: Report
) -> None:
    """In Spanish the note on the columns left out took their room: five kinds stood one below the other."""
    options._context.language = language("es")
    answered.resize(1024, 700)
    options.show_report(real_report)
    options.views[3].click()
    settle()
    assert options.left_out.text() == "No cabe la columna Memoria; está en los detalles."
    assert len({made.y() for made in options.filters}) == 1


@pytest.mark.parametrize(("size", "percent"), [((1280, 800), 175), ((1024, 700), 100)])
def test_nothing_is_wider_than_the_page(
    answered: MainWindow, options: OptionsPage, real_report: Report, size: tuple[int, int], percent: int
) -> None:
    """In large Spanish letters the count pushed the list out of sight; in a narrow window facts were cut."""
    context = options._context
    context.language = language("es")
    answered.resize(*size)
    context.set_text_percent(percent)
    context.language_changed.emit()
    options.show_report(real_report)
    wide = []
    for view in (3, 1):
        options.views[view].click()
        options.table.selectRow(1)
        for _turn in range(4):
            settle()
        area = options.details._area
        facts_shown = area.widget()
        assert facts_shown is not None
        room = facts_shown.minimumSizeHint().width() - area.viewport().width() if area.isVisible() else 0
        wide.append((options.horizontalScrollBar().maximum(), max(0, room)))
    context.set_text_percent(100)  # the application keeps its letters for the tests that follow
    assert wide == [(0, 0), (0, 0)]


def test_names_can_be_told_apart_in_the_largest_letters(
    answered: MainWindow, options: OptionsPage, real_report: Report
) -> None:
    """In the smallest window a name was "RTX…": its time stays beside it, the details say what it costs."""
    answered.resize(1024, 760)
    settle()
    assert not options.views[3].isChecked()
    options._context.set_text_percent(175)
    options.show_report(real_report)
    for _turn in range(3):
        settle()
    is_list = options.views[3].isChecked()
    width, bar = options.table.columnWidth(1), options.table.horizontalScrollBar().maximum()
    options._context.set_text_percent(100)  # the application keeps its letters for the tests that follow
    assert is_list, "under a chart no row had room"
    assert width >= 1.75 * 150
    assert bar == 0


def test_another_chart_leaves_the_chosen_row(options: OptionsPage) -> None:
    """Who looks at an option in another way still looks at that option."""
    options.table.selectRow(1)
    title = options.details_title.text()
    assert title != "GeForce RTX 2060 Laptop"
    for view in (1, 3, 0):
        options.views[view].click()
    assert options.details_title.text() == title


def test_the_list_shows_a_row_that_is_opened(options: OptionsPage) -> None:
    """It has no room for details, says how to see them, and gives way where they are asked for.

    Beside them stands the chart of every option: that of three of them had nothing of the one that was opened.
    """
    options.views[3].click()
    assert "Double-click or Enter: details, in “Every option”. Ctrl+click: side by side." in options.count.text()
    options.table.selectRow(1)
    options.table.activated.emit(options.rows.index(1, 1))
    assert options.details.isVisible()
    assert options.chart_card.isVisible()
    assert options.details_title.text() == str(options.rows.index(1, 1).data()).partition(" (+")[0]
    assert "Double-click" not in options.count.text()


def test_whose_options_they_are_is_said(options: OptionsPage, real_report: Report) -> None:
    """A card that was only supposed stood there as the user's own."""
    supposed = Subject(kind="pretended", observation=observation_of(real_report), name="RTX 5070")
    options.show_report(real_report, supposed)
    assert options.why.text().startswith("What if: your computer with a RTX 5070. Recommended: ")
    options.show_report(real_report, own_subject(observation_of(real_report)))
    assert options.why.text().startswith("Recommended: ")


def test_the_box_says_how_a_columns_title_has_sorted(options: OptionsPage, qtbot: QtBot) -> None:
    """It read Best first above rows by time, of which the last were seen."""
    header, order = options.table.horizontalHeader(), options.filter.order

    def press(column: int) -> tuple[object, int]:
        place = QPoint(header.sectionViewportPosition(column) + 8, header.height() // 2)
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=place)
        return order.currentData(), options.table.verticalScrollBar().value()

    options.table.scrollToBottom()
    assert press(2) == ("time", 0)
    options.table.scrollToBottom()
    assert press(2) == (None, 0), "the slowest first is no order of the box"
    assert order.shown_text() == "As in the table", "it was blank"
    options.filter.feasible.click()
    options.filter.feasible.click()
    assert order.currentData() is None, "a filter leaves it"
    assert header.isSortIndicatorShown()
    assert press(0) == ("best", 0)
    assert not header.isSortIndicatorShown(), "that column has no title to stand beside"


def test_the_list_begins_at_its_top(options: OptionsPage, real_report: Report) -> None:
    """It stood at the pick, and what was cheaper lay hidden above."""
    options.show_report(real_report)
    order = options.filter.order
    order.setCurrentIndex(order.findData("money"))
    order.activated.emit(order.currentIndex())
    options.filter.changed.emit()
    settle()
    assert options.table.selectionModel().selectedRows()[0].row() > 10, "the pick is far down"
    assert options.table.verticalScrollBar().value() == 0


def test_the_wheel_is_not_caught_by_the_details(
    answered: MainWindow, options: OptionsPage, real_report: Report
) -> None:
    """In a low window page and details scroll both: the page stood still where the pointer came over the details."""
    options._context.language = language("es")
    answered.resize(1024, 700)
    options.show_report(real_report)
    options.views[0].click()
    for _turn in range(3):
        settle()
    area = options.details._area
    outer, inner = options.verticalScrollBar(), area.verticalScrollBar()
    assert outer.maximum() > 0
    assert inner.maximum() > 0
    assert not turn_wheel(area.viewport()), "Qt hands it to the page then"
    assert inner.value() == 0
    outer.setValue(outer.maximum())
    turn_wheel(area.viewport())
    assert inner.value() > 0, "at the page's end the details go on"


def test_a_low_window_has_a_chart_to_read_and_no_line_of_the_details_is_cut(
    answered: MainWindow, options: OptionsPage, real_report: Report, qtbot: QtBot
) -> None:
    """At 1024x700 the marks lay in 110 pixels, and the last fact was cut in the middle of a line."""
    answered.resize(1024, 700)
    options.show_report(real_report)
    options.views[1].click()
    area = options.details._area
    options.table.selectRow(1)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0 and area.viewport().height() in area.facts_end())
    assert area.viewport().height() > area.facts_end()[0], "more than one fact is seen"
    assert cast(OptionChart, options.chart.plot).view.height() > 150
    answered.resize(1024, 731)
    qtbot.waitUntil(lambda: area.viewport().height() in area.facts_end())


def test_the_last_fact_has_no_blank_foot(
    answered: MainWindow, options: OptionsPage, real_report: Report, qtbot: QtBot
) -> None:
    """The strip that lets the first facts end between two lines stayed below the last one, beside the scroll bar."""
    answered.resize(1024, 700)
    options.show_report(real_report)
    options.views[1].click()
    options.table.selectRow(1)
    area = options.details._area
    bar = area.verticalScrollBar()
    for height in (700, 731, 745):
        answered.resize(1024, height)
        qtbot.waitUntil(lambda: bar.maximum() > 0 and area.viewport().height() in area.facts_end())
        bar.setValue(bar.maximum())
        qtbot.waitUntil(lambda: area.viewport().height() == area.contentsRect().height())
        assert bar.value() == bar.maximum()
        assert max(area.facts_end()) == bar.value() + area.viewport().height()
        bar.setValue(0)
        qtbot.waitUntil(lambda: area.viewport().height() in area.facts_end())


def test_why_the_cheapest_marks_are_not_the_answer_is_said(options: OptionsPage, real_report: Report) -> None:
    """Marks lay below and left of "the cheapest dependable" one, and nothing said that they are other people's."""
    assert "Small: " not in options.small_marks.text(), "the sample has none"
    options.show_report(real_report)
    options.views[1].click()
    settle()
    assert "Small: rented" in options.small_marks.text()
    assert options.small_marks.isVisible()
    assert options._options is not None
    for spot in cast(OptionChart, options.chart.plot)._scatter.points():
        obstacle = options._options.options[spot.data().row].obstacle
        assert (spot.size() < 8) == (obstacle in {"interruptible", "marketplace"})


@pytest.mark.parametrize("view", [0, 1])
def test_the_five_best_are_seen_under_a_chart(
    answered: MainWindow, options: OptionsPage, real_report: Report, view: int
) -> None:
    """Four were, where names go on in a second line."""
    answered.resize(1280, 800)
    options.show_report(real_report)
    options.views[view].click()
    for _turn in range(3):
        settle()
    line = options.table.fontMetrics().height()
    assert options.table.viewport().height() >= 5 * (line + CELL_PADDING) + 3 * line, "three of them have two lines"
    assert options.verticalScrollBar().maximum() == 0


@pytest.mark.parametrize(
    ("size", "percent"), [((1280, 800), 100), ((1024, 700), 175)], ids=["usual window", "large letters"]
)
def test_a_clicked_row_stays_under_the_pointer(
    answered: MainWindow,
    options: OptionsPage,
    real_report: Report,
    qtbot: QtBot,
    *,
    size: tuple[int, int],
    percent: int,
) -> None:
    """The details grew by up to 700 pixels, pushed the list away, and the next click hit another row or nothing."""
    answered.resize(*size)
    answered.context.set_text_percent(percent)
    options.show_report(real_report)
    _settle_all()
    options.views[0].click()
    _settle_all()
    options.verticalScrollBar().setValue(options.verticalScrollBar().maximum())
    _settle_all()
    for row, key in ((1, Qt.KeyboardModifier.NoModifier), (2, _CTRL), (3, _CTRL), (3, _CTRL), (2, _CTRL), (0, _CTRL)):
        before = _place(options, row)
        qtbot.mouseClick(options.table.viewport(), Qt.MouseButton.LeftButton, key, _within(options, row))
        _settle_all()
        assert _place(options, row) == before, (row, key)
        assert options.viewport().rect().contains(options.viewport().mapFromGlobal(before))
    assert options.above.text() == "2 side by side, above"
    assert not options.count.isVisible(), "what was said is done"
    before = _place(options, 1)
    options.details.close_button.click()
    _settle_all()
    assert _place(options, 1) == before, "nor does the list move as they are closed"
    assert not options.above.isVisible()
    answered.context.set_text_percent(100)  # the application keeps its letters for the tests that follow


@pytest.mark.parametrize("view", [0, 3], ids=["below a chart", "alone"])
def test_what_stands_beside_each_other_is_one_click_away(
    answered: MainWindow, options: OptionsPage, real_report: Report, qtbot: QtBot, view: int
) -> None:
    """The list stays where it is; several stand in a chart's place, and above a lone list once asked for."""
    answered.resize(1024, 700)
    options.show_report(real_report)
    options.views[view].click()
    _settle_all()
    furthest = options.verticalScrollBar().maximum()
    for row, key in ((0, Qt.KeyboardModifier.NoModifier), (1, _CTRL), (2, _CTRL)):
        before = _place(options, row)
        qtbot.mouseClick(options.table.viewport(), Qt.MouseButton.LeftButton, key, _within(options, row))
        _settle_all()
        assert _place(options, row) == before
    is_alone = view == 3
    assert options.above.text() == ("Show 3 side by side" if is_alone else "3 side by side, above")
    assert options.details.isVisible() != is_alone
    assert options.above.visibleRegion().boundingRect() == options.above.rect(), "right above the list"
    qtbot.mouseClick(options.above, Qt.MouseButton.LeftButton)
    _settle_all()
    assert not options.details.title.visibleRegion().isEmpty()
    assert options.above.text() == "3 side by side, above"
    qtbot.mouseClick(options.details.close_button, Qt.MouseButton.LeftButton)
    _settle_all()
    assert options.verticalScrollBar().maximum() == furthest, "all is as it was"


def test_a_field_that_narrows_the_list_stays(
    answered: MainWindow, options: OptionsPage, real_report: Report, qtbot: QtBot
) -> None:
    """The first row left is chosen, and has more or fewer facts than the one before."""
    answered.resize(1024, 700)
    answered.context.set_text_percent(175)
    options.show_report(real_report)
    options.views[0].click()
    options.fold.setChecked(True)
    _settle_all()
    options.verticalScrollBar().setValue(options.details.geometry().bottom() - 100)
    _settle_all()
    heights = set()
    for letter in "rtx":
        before = options.filter.search.mapToGlobal(QPoint(0, 0))
        qtbot.keyClick(options.filter.search, letter)
        _settle_all()
        heights.add(options.details.height())
        assert options.filter.search.mapToGlobal(QPoint(0, 0)) == before
    assert len(heights) > 1
    answered.context.set_text_percent(100)  # the application keeps its letters for the tests that follow


_CTRL = Qt.KeyboardModifier.ControlModifier


def _within(options: OptionsPage, row: int) -> QPoint:
    return options.table.visualRect(options.rows.index(row, 1)).center()


def _place(options: OptionsPage, row: int) -> QPoint:
    """Return where a row is on the screen."""
    return options.table.viewport().mapToGlobal(_within(options, row))


def _settle_all() -> None:
    for _turn in range(4):
        settle()
