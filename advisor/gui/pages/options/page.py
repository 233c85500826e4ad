"""Every option that was compared: one chart at a time, all of them in a table, and each in detail.

The page is as high as the window where that has room for some rows: then only the table scrolls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QIcon, QKeySequence, QPainter, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QButtonGroup,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from advisor.gui.base.context import Context
from advisor.gui.models.options.beside_pick import why_best
from advisor.gui.models.options.chart_points import cost_ticks, option_points, time_ticks
from advisor.gui.models.options.filters import options_of
from advisor.gui.models.options.groups import MOST_COMPARED, arranged
from advisor.gui.models.options.table import OptionTable, header_tips, option_header, second_line
from advisor.gui.models.subject import Subject, subject_title
from advisor.gui.models.verdict import KINDS
from advisor.gui.pages.options.cost_card import CostCard
from advisor.gui.pages.options.details_card import DetailsCard
from advisor.gui.pages.options.filter_bar import OptionFilterBar
from advisor.gui.pages.options.nothing_found import NothingFound
from advisor.gui.widgets.basic import (
    DATA_WIDTH,
    GRID,
    Card,
    FlowLayout,
    Page,
    bring_to_top,
    button,
    label,
    no_higher_than_there_is_room,
)
from advisor.gui.widgets.block_table import two_lines
from advisor.gui.widgets.charts.chart_with_table import ChartWithTable
from advisor.gui.widgets.charts.svg_view import SvgView
from advisor.gui.widgets.charts.tier_marks import MARK_PX, kind_icon
from advisor.gui.widgets.number_label import Statement
from advisor.gui.widgets.provenance_cells import ProvenanceCells
from advisor.gui.widgets.staying import Staying
from advisor.gui.widgets.table import CELL_PADDING, Index, RowsModel, RowsView
from advisor.locale import N_
from advisor.records.job.workload import Workload
from advisor.records.results.report import Report
from advisor.report.charts import report_charts
from advisor.report.provenance.money import of_cost
from advisor.report.provenance.predictions import of_time
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.advice.verdict import chosen_option

if TYPE_CHECKING:
    from advisor.gui.widgets.charts.option_chart import OptionChart

FILTERS: tuple[tuple[str | None, str], ...] = (
    (None, N_("All")),
    ("here", N_("This computer")),
    ("buy", N_("Buy")),
    ("rent", N_("Rent")),
    ("cluster", N_("Cluster")),
)
VIEWS = (N_("Keep, buy or rent"), N_("Every option"), N_("When buying pays"), N_("List"))
_COSTS, _EVERY, _BREAK_EVEN, _NONE = range(4)
_ANSWER, _TIME, _PRICE, _TOTAL = 0, 2, 4, 5
_NUMERIC = frozenset({2, 3, 4, 5})
_CHART_HEIGHT = 290
_CHART_TEXT_GROWTH = 2.0  # as much as the words beside the axes have room for
_LEAST_ROWS = 5
"""So many are seen of the list however low the window and large the letters are: the page scrolls then."""
_NARROW, _WIDE, _LOW, _VERY_LOW = 600, 900, 740, 520
"""Below that height less than six rows are seen under a chart: the page then opens on the list. Where it is very low
for its letters, what narrows the list is folded away: the list began below the window."""
_OPTION, _MEMORY, _COMPARED = 1, 3, 6
_ALL_SHOWN: tuple[int, ...] = ()
_LEAST_WIDTHS = {_PRICE: 116, _COMPARED: 156, _OPTION: 236}
"""Of the columns whose texts go on in a second line where one is too short: nothing of the list is cut. What is left
over goes to the first of them until it is whole, and to the next; the name has all the rest."""
_TIGHT_WIDTHS = {_COMPARED: 140, _PRICE: 100, _OPTION: 180}
_HIDEABLE = (_MEMORY, _COMPARED, _TOTAL, _PRICE)
_UNDER_THE_NAME = (_PRICE, _TOTAL, _COMPARED)
_CHART_SHARE, _TABLE_SHARE = 1, 1  # of the height
_MARK_WIDTH = 5 * GRID


class OptionsPage(Page):
    """The options of the last answer."""

    def __init__(self, context: Context) -> None:
        super().__init__(DATA_WIDTH)
        self._context = context
        self._report: Report | None = None
        self._answered: tuple[Workload | None, str] = (None, "")
        self._subject: Subject | None = None
        self._options: OptionTable | None = None
        self._order, self._idle = "best", 0
        self._has_costs = self._has_break_even = self._is_view_wanted = self._is_laid_out = False
        self._least_height = self._kept_height = 0
        self._stays, self._staying = True, Staying(self)
        self.title = label("display")
        self.why, self.count = Statement(context, "lead"), label("muted", wrap=False)
        self.left_out = label("muted")
        self.above = button("link", self._on_above)
        self.above.hide()
        self.filter = OptionFilterBar(context)
        self.chart = ChartWithTable(context, self._make_plot)
        self.costs = CostCard(context)
        self.views = [QPushButton() for _view in VIEWS]
        self._views = QButtonGroup(self)
        self.break_even = ChartWithTable(context, self._make_break_even)
        self.rows = RowsModel()
        self.table = RowsView(self.rows)
        ProvenanceCells(context, self.table, self.rows, by_click=False)
        self.filters: list[QPushButton] = []
        self.fold = QPushButton()
        self.narrowing = QWidget()
        self.nothing = NothingFound(context)
        self._group = QButtonGroup(self)
        self._build()
        context.language_changed.connect(self.retranslate)
        context.theme_changed.connect(self.retranslate)
        self.retranslate()

    # --- building ---

    def _build(self) -> None:
        self.column.setSpacing(int(1.5 * GRID))
        self.title.setWordWrap(False)
        kinds = self._kinds()
        views = _flow(self.views, self._views, self.title)
        self.fold.setCheckable(True)
        self.fold.setProperty("role", "filter")
        self.fold.setCursor(Qt.CursorShape.PointingHandCursor)
        self.fold.toggled.connect(lambda _on: self._fold_away())
        cast(FlowLayout, views.layout()).addWidget(self.fold)
        self.column.addWidget(views)
        self.column.addWidget(self.why)
        self._views.idClicked.connect(self._on_view)
        self.column.addLayout(self._chart_and_details(), _CHART_SHARE)
        self._kinds_and_count = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._kinds_and_count.setSpacing(GRID)
        self._kinds_and_count.addWidget(kinds, 1)
        self._kinds_and_count.addWidget(self.count)
        narrowing = QVBoxLayout(self.narrowing)
        narrowing.setContentsMargins(0, 0, 0, 0)
        narrowing.setSpacing(self.column.spacing())
        narrowing.addLayout(self._kinds_and_count)
        narrowing.addWidget(self.left_out)  # a line of its own: beside the kinds it would take their room
        narrowing.addWidget(self.filter)
        self.column.addWidget(self.narrowing)
        self.nothing.search_dropped.connect(self.filter.clear_search)
        self.nothing.filters_dropped.connect(self._clear_filters)
        self.column.addWidget(self.nothing, _TABLE_SHARE)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(_ANSWER, Qt.SortOrder.AscendingOrder)
        self.table.setItemDelegateForColumn(_ANSWER, _MarkOnly(self._kind_icon, self.table))
        self.table.setItemDelegateForColumn(
            _OPTION, _BrokenName(self._context, self._device, self._below_name, self.table)
        )
        self.table.setWordWrap(True)
        self.rows.layoutChanged.connect(self._fit_heights)
        for each in (self.chart, self.break_even, self.table):
            no_higher_than_there_is_room(each)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.width_changed.connect(self._fit)
        self.column.addWidget(self.above, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self.table, _TABLE_SHARE)
        self.table.horizontalHeader().sortIndicatorChanged.connect(self._on_indicated)
        self._on_indicated(_ANSWER, Qt.SortOrder.AscendingOrder)
        self.filter.order.activated.connect(lambda _index: self.table.sortByColumn(0, Qt.SortOrder.AscendingOrder))
        self.filter.changed.connect(self._on_narrowed)
        self.table.horizontalHeader().sectionClicked.connect(self._on_sorted)
        self.table.selectionModel().selectionChanged.connect(lambda _now, _before: self._on_selected())
        self.table.activated.connect(lambda _index: self._leave_list())
        QShortcut(QKeySequence.StandardKey.Find, self, self._find)

    def _kinds(self) -> QWidget:
        self.filters += [QPushButton() for _filter in FILTERS]
        self._group.idClicked.connect(self._on_kind)
        return _flow(self.filters, self._group)

    def _chart_and_details(self) -> QBoxLayout:
        self._beside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._beside.setSpacing(int(1.5 * GRID))
        self.chart_card = Card(margin=int(1.5 * GRID))
        self.chart_card.body.addWidget(self.chart)
        self.small_marks = label("muted")
        self.chart_card.body.addWidget(self.small_marks)
        self.break_even_card = Card(margin=2 * GRID)
        self.break_even_card.body.addWidget(self.break_even)
        self.details = DetailsCard(self._context)
        self.details_title = self.details.title
        self.details.closed.connect(self._on_closed)
        for chart in (self.costs, self.chart_card, self.break_even_card):
            self._beside.addWidget(chart, 4)
        self._beside.addWidget(self.details, 3)
        return self._beside

    def _make_plot(self) -> QWidget:
        from advisor.gui.widgets.charts.option_chart import OptionChart

        plot = OptionChart(self._context)
        plot.picked.connect(self._on_picked)
        return cast(QWidget, plot)

    def _make_break_even(self) -> QWidget:
        return SvgView(text_growth=_CHART_TEXT_GROWTH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the details under the chart where the window is narrow; open on the list where it is low."""
        super().resizeEvent(event)
        if event.oldSize().height() != event.size().height():
            self._keep_height(0)
        self._choose_view()
        self._turn()

    def _choose_view(self) -> None:
        """Open on the list where there is no room for rows under a chart, until the user asks for a view."""
        if not self._is_view_wanted:
            is_low = self.height() < _LOW * self._context.text_scale
            fitting = self.views[_NONE if is_low else _COSTS]
            if not fitting.isChecked():
                fitting.setChecked(True)
                self._show_view()
        self._fold_away()
        self._place_count()

    def _fold_away(self) -> None:
        """Put what narrows the list behind a button where the window is very low for its letters."""
        self.fold.setVisible(self.height() < _VERY_LOW * self._context.text_scale and self._report is not None)
        self.narrowing.setVisible(self.fold.isHidden() or self.fold.isChecked())

    def _find(self) -> None:
        self.fold.setChecked(True)
        self.filter.search.setFocus()

    def _place_count(self) -> None:
        """Say beside the kinds how many there are; below them where one row has no room for both."""
        self.count.setWordWrap(False)
        kinds = sum(made.sizeHint().width() + GRID for made in self.filters)
        is_wide = self.width() >= _WIDE * self._context.text_scale
        is_beside = is_wide and kinds + self.count.sizeHint().width() <= self.column.geometry().width()
        self.count.setWordWrap(not is_beside)
        direction = QBoxLayout.Direction
        self._kinds_and_count.setDirection(direction.LeftToRight if is_beside else direction.TopToBottom)
        has_room = is_wide or self._views.checkedId() == _NONE or self._report is None
        self.count.setVisible(has_room and self.above.isHidden())

    def _turn(self) -> None:
        """Let the details have the whole width where there is little; several take the chart's place.

        In the list alone, where nothing has a place above the rows, they come once they are asked for.
        """
        is_many = len(self.table.selectionModel().selectedRows()) > 1
        direction = QBoxLayout.Direction
        is_below = is_many or self.viewport().width() < _NARROW * self._context.text_scale
        self._beside.setDirection(direction.TopToBottom if is_below else direction.LeftToRight)
        self.details.grow(is_whole=is_below)
        if self._options is not None and self.rows.rowCount():
            self._place_charts(is_hidden=is_many and (self._is_laid_out or self._views.checkedId() != _NONE))

    # --- what is known ---

    def show_report(self, report: Report, subject: Subject | None = None) -> None:
        """Show a report's options, and say whose they are where the computer is not the user's own as it is."""
        self._report, self._subject = report, subject
        self._keep_height(0)
        self.filter.show()
        self.why.show()
        self.filter.show_report(report, keeps_search=self._is_asked_still(report, subject))
        self.retranslate()

    def _is_asked_still(self, report: Report, subject: Subject | None) -> bool:
        """Return whether a report answers the question and check of the one before; parts only thought of have none."""
        workload, checked_at = self._answered
        self._answered = report.workload, checked_at
        if subject is None or subject.kind != "pretended":
            self._answered = report.workload, "" if report.benchmark is None else report.benchmark.started_at
        return self._answered == (workload, checked_at)

    def clear(self) -> None:
        """Show nothing: there is no answer any more."""
        self._report = self._options = None
        self.rows.show((), ())
        self._show_details(())
        self._show()
        charts = (self.costs, self.chart_card, self.break_even_card)
        for widget in (self.why, self.left_out, self.filter, *self.views, *charts, self.table, self.nothing):
            widget.hide()
        self._fold_away()

    # --- what the user does ---

    def _on_view(self, _identifier: int) -> None:
        self._is_view_wanted = True
        if len(self._chosen()) > 1:  # they have the chart's place
            self._leave_comparison()
        self._show_view()

    def _show_view(self) -> None:
        self._keep_height(0)
        self._place_count()
        self._show_details(self._chosen())
        if self._options is not None:
            self._show_count(self._options)

    def _on_kind(self, identifier: int) -> None:
        self.filter.set_kind(FILTERS[identifier][0])

    def _clear_filters(self) -> None:
        """Let options of every kind through; what is searched for stays."""
        self.filters[0].setChecked(True)
        self.filter.clear_filters()
        self.filters[0].setFocus()

    def _on_picked(self, source: int) -> None:
        """Choose what was clicked in the chart, which stays: the list below it may move."""
        row = self.rows.row_of(source)
        if row is not None:
            self._select(row, stays=False)
            self.table.scrollTo(self.rows.index(row, 0))

    def _on_above(self) -> None:
        """Bring several into view, and in the list alone show them first."""
        self._is_laid_out = True
        self._show_details(self._chosen())
        bring_to_top(self.details)

    def _on_closed(self) -> None:
        """Leave one of several, and the list where it is."""
        self.table.setFocus()  # not what comes next, which would be brought into view
        self._leave_comparison()

    def _leave_comparison(self) -> None:
        row = self.rows.row_of(self._chosen()[0])
        if row is not None:
            self._select(row)

    def _select(self, row: int, *, stays: bool = True) -> None:
        """Select a row, with the list staying where it is seen or not."""
        self._stays = stays
        self.table.setAutoScroll(False)  # else Qt scrolls to the current row once the table is shown
        self.table.selectRow(row)
        self.table.setAutoScroll(True)
        self._stays = True

    def _choose_from_top(self, source: int) -> None:
        """Choose a row, and show the first ones, now and when the page is opened: what is cheaper stands above."""
        row = self.rows.row_of(source)
        if row is not None:
            self._select(row, stays=False)
        self.table.scrollToTop()

    def _chosen(self) -> list[int]:
        """Return which options are chosen, from top to bottom."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.rows.source_of(row) for row in rows[:MOST_COMPARED]]

    def _on_indicated(self, column: int, _order: Qt.SortOrder) -> None:
        """Draw no arrow beside the column of marks, which has no title: the box says the order then."""
        self.table.horizontalHeader().setSortIndicatorShown(column != _ANSWER)

    def _on_sorted(self, column: int) -> None:
        """Show the first rows, and let the box say in which order they stand: as the user sorted them, if in none."""
        is_rising = self.table.horizontalHeader().sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        code = {_ANSWER: self._order, _TIME: "time", _TOTAL: "money"}.get(column) if is_rising else None
        self.filter.order.setCurrentIndex(-1 if code is None else self.filter.order.findData(code))
        self._fit()
        self.table.scrollToTop()

    def _leave_list(self) -> None:
        """Show the details of the chosen row, for which the list alone has no room, beside the chart that has it."""
        if self._views.checkedId() == _NONE:
            self.views[_EVERY].click()

    def _on_selected(self) -> None:
        """Show the details of what is chosen, and leave the list where it is: it was pushed away under the pointer."""
        self._mark_chosen()
        if self._stays and self.table.isVisible():
            self._keep_height(self.table.height())
            self._staying.hold(self._current_top)
        self._show_details(self._chosen())

    def _on_narrowed(self) -> None:
        """Show what is left, with the fields that narrow the list where they are: the details above them change."""
        self._staying.hold(lambda: self.filter.mapTo(self, QPoint(0, 0)).y())
        self._show()

    def _keep_height(self, height: int) -> None:
        """Let the list be no lower than it is while details grow: the page could not scroll as far as they push it."""
        self._kept_height = height
        self.table.setMinimumHeight(max(self._least_height, height))

    def _current_top(self) -> int:
        top = self.table.visualRect(self.table.currentIndex()).topLeft()
        return self.table.viewport().mapTo(self, top).y()

    def _mark_chosen(self) -> None:
        sources = self._chosen()
        plot = self.chart.plot
        if plot is not None:
            cast("OptionChart", plot).mark(sources[0] if sources else None)

    # --- showing ---

    def _show(self) -> None:
        if self._report is None:
            self.count.setText(self._context.gettext("There is no answer at the moment."))
            return
        language = self._context.language
        found = options_of(self._report, self.filter.wanted, language)
        bar, chosen = self.filter, self._report.advice.chosen
        self._order = bar.order.currentData() or self._order
        is_searched = bool(bar.wanted.words.strip())
        shown = arranged(found, self._order, bar.rows.currentData(), chosen, is_searched=is_searched)
        self._options, self._idle = OptionTable(self._report, language, shown.options, shown.alike), shown.idle
        self._show_table(self._options)  # first: whatever draws or measures a row asks for its option
        best = chosen_option(self._report)
        origin = None if best is None else of_time(best, self._report, language)
        whose = "" if self._subject is None or self._subject.is_own else f"{subject_title(self._subject, language)}. "
        self.why.show_text(whose + why_best(self._report, language), origin)
        self._show_count(self._options)
        self._show_break_even(self._report)
        self._show_chart(self._options)
        self._name_fold()

    def _name_fold(self) -> None:
        """Say on the button how many filters narrow the list, and in its tip how many options there are."""
        _ = self._context.gettext
        count = len(self.filter.used()) + (self._group.checkedId() > 0) + bool(self.filter.wanted.words.strip())
        self.fold.setText(f"{_('Filters')} ({self._context.language.number(count)})" if count else _("Filters"))
        self.fold.setAccessibleDescription(_("Shows or hides the search, the order and what narrows the list"))
        self.fold.setToolTip(self.count.text())

    def _show_count(self, options: OptionTable) -> None:
        language = self._context.language
        total = len(options.report.advice.options)
        rows, shown = len(options), len(options) + sum(len(others) for others in options.alike.values())
        text = language.ngettext("{n} option was compared.", "{n} options were compared.", total)
        parts = [text.format(n=language.number(total))]
        if shown + self._idle != total:
            shown_text = language.ngettext("{n} is shown.", "{n} are shown.", shown)
            if 0 < rows < shown:
                shown_text = language.ngettext("{n} are shown, in {rows} row.", "{n} are shown, in {rows} rows.", rows)
            parts.append(shown_text.format(n=language.number(shown), rows=language.number(rows)))
        if self._idle and self._views.checkedId() == _NONE:  # beside a chart the tip says it
            idle = language.ngettext(
                "{n} more with several cards is hardly faster than those shown, and no cheaper.",
                "{n} more with several cards are hardly faster than those shown, and no cheaper.",
                self._idle,
            )
            parts.append(idle.format(n=language.number(self._idle)))
        how = language.gettext("Choose a row for its details; with Ctrl, up to {n} side by side.")
        if self._views.checkedId() == _NONE:
            view = language.gettext(VIEWS[_EVERY])
            parts.append(language.gettext("Double-click or Enter: details, in “{view}”.").format(view=view))
        if shown > 1:
            parts.append(language.gettext("Ctrl+click: side by side."))
        self.count.setText(" ".join(parts))
        left_out = ""
        if self._idle:
            left_out = language.gettext("Left out: more of a device where fewer end hardly later and cost no more.")
            left_out = f"\n{left_out}"
        self._place_count()
        self._show_left_out(options)
        for widget in (self.count, self.table):
            widget.setToolTip(f"{how.format(n=language.number(MOST_COMPARED))}{left_out}")
        if not shown:
            kinds = [self.filters[place].text() for place in (self._group.checkedId(),) if FILTERS[place][0]]
            self.nothing.explain(self.filter.wanted.words, [*kinds, *self.filter.used()])
        self.nothing.setVisible(not shown)
        self.table.setVisible(bool(shown))

    def _show_left_out(self, options: OptionTable) -> None:
        """Say which columns the list has no room for."""
        language = self._context.language
        titles = option_header(options.report, language)
        hidden = [column for column in range(len(titles)) if self.table.isColumnHidden(column)]
        left_out = [titles[column] for column in hidden if column not in _UNDER_THE_NAME]
        text = language.ngettext(
            "No room for the column {columns}: the details have it.",
            "No room for the columns {columns}: the details have them.",
            len(left_out),
        )
        self.left_out.setText(text.format(columns=language.listed(left_out)))
        self.left_out.setVisible(bool(left_out))

    def _show_table(self, options: OptionTable) -> None:
        self.rows.header_tips = header_tips(self._context.language)
        header = tuple(map(two_lines, option_header(options.report, self._context.language)))
        self.rows.show(
            ("", *header[1:]),
            options,
            numeric=_NUMERIC,
            keys=options.keys,
            bold=options.chosen,
            origins=options.origin,
            tips=options.tip,
        )
        shown = self.table.horizontalHeader()
        self.table.sortByColumn(shown.sortIndicatorSection(), shown.sortIndicatorOrder())
        self._fit()
        if len(options):
            self._choose_from_top(options.chosen or 0)
        else:
            self._show_details(())

    def _fit(self) -> None:
        """Let long names go on in a second line, and leave out what has no room and the details say as well."""
        if not self.rows.rowCount():
            return
        self._hide_columns(())
        scale, whole = self._context.text_scale, self.table.whole_widths()
        titles = self.table.horizontalHeader().sectionSizeHint
        room, hidden, least = 0.0, _ALL_SHOWN, dict[int, float]()
        for hidden, widths in _fittings(_PRICE if self._is_sorted_by_cost() else _TOTAL):
            wanted = {column: max(width * scale, titles(column)) for column, width in widths.items()}
            least = {column: min(width, whole[column]) for column, width in wanted.items()}
            shown = set(range(len(whole))) - set(hidden)
            taken = sum(least.get(column, whole[column]) for column in shown)
            room = self.table.viewport().width() - taken
            if room >= 0:
                break
        self._hide_columns(hidden)
        for column in set(range(len(whole))) - set(hidden) - set(least):
            self.table.setColumnWidth(column, whole[column])
        for column, width in least.items():
            if column not in hidden:
                more = room if column == _OPTION else min(max(room, 0.0), whole[column] - width)
                room -= more
                self.table.setColumnWidth(column, int(width + more))
        self._hide_columns(hidden)  # once more: else Qt leaves a gap as wide as a usual column
        self._fit_heights()
        rows = sum(self.table.rowHeight(min(row, self.rows.rowCount() - 1)) for row in range(_LEAST_ROWS))
        if self._options is not None:
            self._show_count(self._options)
        self._least_height = self.table.horizontalHeader().sizeHint().height() + rows + GRID
        self._keep_height(self._kept_height)

    def _is_sorted_by_cost(self) -> bool:
        """Return whether rows stand in the order of what they cost: that column is then the last to go."""
        section = self.table.horizontalHeader().sortIndicatorSection()
        return section == _TOTAL or (section == _ANSWER and self._order == "money")

    def _fit_heights(self) -> None:
        """Make rows as high as their texts; of a name with a line below, every row is asked."""
        self.table.fit_heights(tuple(_LEAST_WIDTHS), (_OPTION,) if self.table.isColumnHidden(_COMPARED) else ())

    def _hide_columns(self, hidden: Sequence[int]) -> None:
        for column in _HIDEABLE:
            self.table.setColumnHidden(column, False)
            self.table.setColumnHidden(column, column in hidden)

    def _kind_icon(self, index: Index) -> QIcon:
        """Return the mark of a row's answer."""
        if self._options is None:
            return QIcon()
        option = self._options.options[self.rows.source_of(index.row())]
        return kind_icon(KINDS[option.tier], self._context.theme, self.devicePixelRatioF())

    def _device(self, index: Index) -> str:
        """Return with what a row's name begins: the device, before where it is rented."""
        return "" if self._options is None else self._options.options[self.rows.source_of(index.row())].title

    def _below_name(self, index: Index) -> str:
        """Return what stands below a row's name: of the columns that have no room."""
        if self._options is None:
            return ""
        hidden = [column for column in _UNDER_THE_NAME if self.table.isColumnHidden(column)]
        return second_line(self._options, self.rows.source_of(index.row()), hidden, self._context.language)

    def _show_details(self, sources: Sequence[int]) -> None:
        self._is_laid_out = self._is_laid_out and len(sources) > 1
        self._point_above(len(sources) if self._options is not None else 0)
        if self._options is None:
            self.details.hide()
            return
        options = [self._options.options[source] for source in sources]
        self.details.show_options(options, self._options.report, self._options.alike)
        self._turn()

    def _point_above(self, count: int) -> None:
        """Say above the list that several stand beside each other, out of sight, or offer it: the list stays."""
        language = self._context.language
        text, tip = language.gettext("{n} side by side, above"), language.gettext("Scrolls to them")
        if self._views.checkedId() == _NONE and not self._is_laid_out:
            text, tip = language.gettext("Show {n} side by side"), language.gettext("Shows them above the list")
        self.above.setText(text.format(n=language.number(count)))
        self.above.setAccessibleDescription(tip)
        self.above.setVisible(count > 1)
        self._place_count()

    def _show_chart(self, options: OptionTable) -> None:
        _ = self._context.gettext
        language = self._context.language
        points = option_points(options)
        self._has_costs = self.costs.show_report(options.report)
        self._place_charts(is_hidden=False)
        if not points:
            if self.chart.plot is not None:
                cast("OptionChart", self.chart.plot).show_nothing()
            return
        months = quantities.months(options.report.circumstances.horizon_months, language)
        cost = _("Cost in {months} (logarithmic)").format(months=months)
        self.chart.describe(
            _("Time against cost"),
            _("Each mark is one option; down and left is better. Hollow marks do not meet your wishes."),
        )
        notes = []
        if any(point.is_dependable and not point.is_unbeaten for point in points):
            notes.append(_("Pale: there is a cheaper one of its kind that is about as fast."))
        if not all(point.is_dependable for point in points):
            notes.append(_("Small: rented from private owners, or may be interrupted."))
        self.small_marks.setText(" ".join(notes))
        self.small_marks.setVisible(bool(notes))
        self.chart.show_rows(option_header(options.report, language), options, _NUMERIC, options.origin)
        plot = cast("OptionChart", self.chart.ensure_plot())
        plot.name_axes(_("Time with start (logarithmic)"), cost)
        plot.show_points(
            points, options.hover, time_ticks(points, language), cost_ticks(points, options.report, language)
        )
        self._mark_chosen()

    def _place_charts(self, *, is_hidden: bool) -> None:
        """Show the chart that is chosen, if there is one."""
        is_shown = not is_hidden  # also where no option matches: the room of a chart that went would gape
        charts = {
            _COSTS: (self.costs, self._has_costs),
            _EVERY: (self.chart_card, True),
            _BREAK_EVEN: (self.break_even_card, self._has_break_even),
        }
        wanted = self._views.checkedId()
        if wanted != _NONE and not charts[wanted][1]:
            wanted = _EVERY
        for place, (chart, is_there) in charts.items():
            self.views[place].setVisible(is_there)
            chart.setVisible(place == wanted and is_shown)
        self.views[_NONE].show()  # as are the others beside several: each leads back from there
        is_list = wanted == _NONE and is_shown
        if is_list:
            self.details.hide()
        self.column.setStretchFactor(self._beside, 0 if is_list else _CHART_SHARE)

    def _show_break_even(self, report: Report) -> None:
        from advisor.report.charts.standalone_svg import standalone

        found = report_charts.break_even(report, self._context.language)
        self._has_break_even = found is not None
        if found is None:
            return
        self.break_even.describe(found.title, found.description)
        origins = partial(self._break_even_origin, report)
        self.break_even.show_rows(found.table.header, found.table.rows, found.table.numeric, origins)
        view = cast("SvgView", self.break_even.ensure_plot())
        theme = self._context.theme
        view.show_svg(standalone(found.svg, is_dark=theme.is_dark, is_contrast=theme.name == "contrast"))

    def _break_even_origin(self, report: Report, _row: int, column: int) -> Provenance | None:
        """Return where what was spent by a month comes from: the cost of buying, then that of renting."""
        pair = report_charts.buy_and_rent(report)
        return of_cost(pair[column - 1], report, self._context.language) if pair is not None and column else None

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("Options"))
        self.title.setText(_("Options"))
        for card in (self.chart_card, self.break_even_card):
            card.setMinimumHeight(round(_CHART_HEIGHT * self._context.text_scale))  # its words take their share of it
        for made, (kind, text) in zip(self.filters, FILTERS, strict=True):
            made.setText(_(text))
            made.setAccessibleDescription(_("Shows these options only") if kind else _("Shows every option"))
            if kind is not None:
                made.setIcon(kind_icon(kind, self._context.theme, self.devicePixelRatioF()))
        for made, text in zip(self.views, VIEWS, strict=True):
            made.setText(_(text))
            is_list = made is self.views[_NONE]
            made.setAccessibleDescription(_("Leaves all the room to the list") if is_list else _("Shows this chart"))
        self.table.setAccessibleName(_("Options"))
        self.table.setAccessibleDescription(_("Every option that was compared; choose a column's title to sort"))
        self._choose_view()
        self._show()


def _flow(buttons: list[QPushButton], group: QButtonGroup, title: QWidget | None = None) -> QWidget:
    """Return buttons side by side, behind a title if there is one; one of them is chosen, the first to begin with."""
    row = QWidget()
    flow = FlowLayout()
    row.setLayout(flow)
    if title is not None:
        flow.addWidget(title)
    for position, made in enumerate(buttons):
        made.setCheckable(True)
        made.setProperty("role", "filter")
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        group.addButton(made, position)
        flow.addWidget(made)
    buttons[0].setChecked(True)
    return row


def _fittings(first: int) -> tuple[tuple[tuple[int, ...], dict[int, int]], ...]:
    """Return columns that are hidden, and least widths, from one step to the next until texts have room.

    The memory is in the details; how an option compares with the pick, its cost and its price then stand in a line
    below its name.

    Args:
        first: Of price and cost, the one that goes first.
    """
    return (
        (_ALL_SHOWN, _LEAST_WIDTHS),
        ((_MEMORY,), _LEAST_WIDTHS),
        ((_MEMORY,), _TIGHT_WIDTHS),
        ((_MEMORY, _COMPARED), _TIGHT_WIDTHS),
        ((_MEMORY, _COMPARED, first), _TIGHT_WIDTHS),
        (_HIDEABLE, _TIGHT_WIDTHS),
    )


class _MarkOnly(QStyledItemDelegate):
    """Draws the mark of an answer in place of its name, which the cell keeps for who hears it."""

    def __init__(self, mark_of: Callable[[Index], QIcon], view: QWidget) -> None:
        super().__init__(view)
        self._mark_of = mark_of

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Put the mark in the place of the text."""
        super().initStyleOption(option, index)
        option.text = ""
        option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
        option.icon = self._mark_of(index)
        option.decorationSize = QSize(MARK_PX, MARK_PX)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the room of a mark."""
        return QSize(_MARK_WIDTH, super().sizeHint(option, index).height())


class _BrokenName(QStyledItemDelegate):
    """Lets a name that is wider than its column go on below: where a device is rented, in a line of its own.

    What has no column of its own stands in a fainter line below.
    """

    def __init__(
        self, context: Context, device_of: Callable[[Index], str], below: Callable[[Index], str], view: RowsView
    ) -> None:
        super().__init__(view)
        self._context, self._device_of, self._below, self._view = context, device_of, below, view

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Break the name behind the device where both parts have room in a line; else words go on where they can."""
        super().initStyleOption(option, index)
        room, device = self._view.columnWidth(index.column()) - CELL_PADDING - GRID, self._device_of(index)
        rest = option.text.removeprefix(device).strip()
        advance = option.fontMetrics.horizontalAdvance
        if rest and advance(option.text) > room >= max(advance(device), advance(rest)):
            option.text = f"{device}\u2028{rest}"
        if below := self._below(index):
            option.text = f"{option.text}\u2028{below}"

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the name, and fainter what stands below it."""
        below = self._below(index)
        if not below:
            super().paint(painter, option, index)
            return
        whole = QStyleOptionViewItem(option)
        self.initStyleOption(whole, index)
        name = whole.text.removesuffix(f"\u2028{below}").replace("\u2028", "\n")
        style = self._view.style()
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, whole, self._view)
        edge = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1
        room.adjust(edge, 0, -edge, 0)
        whole.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, whole, painter, self._view)
        wrap = Qt.TextFlag.TextWordWrap
        painter.save()
        painter.setFont(whole.font)
        painter.setPen(whole.palette.text().color())
        used = painter.drawText(room, wrap, name)
        painter.setFont(self._view.font())
        painter.setPen(self._context.theme.colour("muted"))
        painter.drawText(room.adjusted(0, used.height(), 0, 0), wrap, below)
        painter.restore()
