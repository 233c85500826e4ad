"""Parts of a report inside a page: headings, paragraphs, tables, and charts with their table twins."""

from collections.abc import Callable, Iterator
from typing import cast

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, Card, button, clear, label
from advisor.gui.widgets.block_table import BlockTable
from advisor.gui.widgets.charts.chart_with_table import ChartWithTable
from advisor.gui.widgets.charts.svg_view import SvgView
from advisor.gui.widgets.number_label import Statement
from advisor.report.charts.standalone_svg import standalone
from advisor.report.content.blocks import Block, Bullets, Chart, Figure, Fold, Heading, Item, Pairs, Paragraph, Table
from advisor.report.provenance.record import Provenance, of_cell

_USUAL_WIDTH = 100 * GRID
_CHART_HEAD = 5 * GRID


class ReportBlocks(QWidget):
    """What a report says of something, in cards: each heading begins one. Every number in them can be asked.

    ``text_growth`` is as of ``SvgView``: how much room the charts leave around their letters.
    """

    def __init__(self, context: Context, *, text_growth: float = 1.0) -> None:
        super().__init__()
        self._context = context
        self._text_growth = text_growth
        self._blocks: tuple[Block, ...] = ()
        self._part = ""
        self._theme = context.theme.name
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2 * GRID)
        context.theme_changed.connect(self._on_theme)

    def show_blocks(self, blocks: tuple[Block, ...]) -> None:
        """Show other blocks, where they are others."""
        if blocks != self._blocks:
            self._blocks = blocks
            self._build()

    def showEvent(self, event: QShowEvent) -> None:
        """Put on the theme that was chosen while nobody saw this."""
        super().showEvent(event)
        self._on_theme()

    def _on_theme(self) -> None:
        if self._blocks and self.isVisible() and self._theme != self._context.theme.name:
            self._build()

    def _build(self) -> None:
        clear(self._column)
        self._theme = self._context.theme.name
        card: Card | None = None
        for block, later in zip(self._blocks, (*self._blocks, None)[1:], strict=True):
            if isinstance(block, Heading) and isinstance(later, Heading):
                continue  # the title of a section whose parts have titles of their own
            if card is None or isinstance(block, Heading):
                card = Card()
                self._column.addWidget(card)
            for widget in self._widgets(block):
                card.body.addWidget(widget)

    def _widgets(self, block: Block) -> Iterator[QWidget]:
        match block:
            case Heading(text=text):
                self._part = text
                yield _text("title", text)
            case Paragraph(text=text, origin=origin):
                yield self._statement(text, origin)
            case Bullets(items=items):
                yield from map(self._item, items)
            case Pairs(rows=rows, origin=origin):
                yield self._table(Table(("", ""), rows).with_origins([origin] * len(rows)))
            case Table():
                yield self._table(block)
            case Fold(title=title, table=table):
                yield _Folded(self._context, title, self._table(table, title))
            case Figure(chart=chart):
                yield self._figure(chart)

    def _statement(self, text: str, origin: Provenance | None, title: str = "") -> Statement:
        known = None if origin is None else replace(origin, title=title or self._part, value=text)
        return Statement(self._context).show_text(text, known)

    def _item(self, item: Item) -> QWidget:
        """Return an entry of a list: its title, what it says, and who said it."""
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        if item.lead:
            column.addWidget(_text("strong", item.lead.rstrip(":")))
        column.addWidget(self._statement(item.text, item.origin, item.lead.rstrip(":.")))
        if item.source:
            column.addWidget(_text("muted", item.source))
        return holder

    def _table(self, table: Table, name: str = "") -> BlockTable:
        return BlockTable(self._context, table, name or self._part, self._origin_in(table))

    def _origin_in(self, table: Table) -> Callable[[int, int], Provenance | None]:
        """Return what finds where a number of a table comes from."""

        def origin(row: int, column: int) -> Provenance | None:
            known = table.origins[row][column] if table.origins else None
            return None if known is None else of_cell(table.header, table.rows[row], column, known)

        return origin

    def _figure(self, chart: Chart) -> QWidget:
        theme = self._context.theme
        svg = standalone(chart.svg, is_dark=theme.is_dark, is_contrast=theme.name == "contrast")
        twin = ChartWithTable(self._context, lambda: SvgView(svg, text_growth=self._text_growth))
        twin.title.setWordWrap(True)  # such titles are sentences
        twin.describe(chart.title, chart.description)
        table = chart.table._replace(rows=tuple(_one_line(row) for row in chart.table.rows))
        twin.show_rows(table.header, table.rows, table.numeric, self._origin_in(chart.table))
        picture = cast(SvgView, twin.ensure_plot())
        twin.setFixedHeight(picture.height_at(_USUAL_WIDTH) + _CHART_HEAD)
        return twin


class _Folded(QWidget):
    """A long table behind a button."""

    def __init__(self, context: Context, title: str, view: BlockTable) -> None:
        super().__init__()
        self._context = context
        self._title = title
        self.toggle = button("link", self._on_toggle)
        self.view = view
        self.view.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.view)
        self._name()

    def _on_toggle(self) -> None:
        self.view.setVisible(self.view.isHidden())
        self._name()

    def _name(self) -> None:
        self.toggle.setText(f"{'▸' if self.view.isHidden() else '▾'}  {self._title}")
        self.toggle.setAccessibleName(self._title)
        hint = self._context.gettext("Shows the table") if self.view.isHidden() else self._context.gettext("Hides it")
        self.toggle.setAccessibleDescription(hint)


def _one_line(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(cell.strip().replace("\n", " · ") for cell in row)


def _text(role: str, text: str) -> QWidget:
    made = label(role, selectable=role == "body")
    made.setText(text)
    return made
