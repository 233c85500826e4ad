"""Parts of a report inside a page: headings, paragraphs, tables, and charts with their table twins."""

from collections.abc import Iterator
from typing import cast

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.gui.context import Context
from advisor.gui.widgets.basic import GRID, Card, button, clear, label
from advisor.gui.widgets.block_table import BlockTable
from advisor.gui.widgets.twin import TwinChart
from advisor.report.blocks import Block, Bullets, Chart, Figure, Fold, Heading, Pairs, Paragraph, Table
from advisor.report.picture import standalone

_USUAL_WIDTH = 100 * GRID
_CHART_HEAD = 5 * GRID


class ReportBlocks(QWidget):
    """What a report says of something, in cards: each heading begins one."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._blocks: tuple[Block, ...] = ()
        self._theme = context.theme.name
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2 * GRID)
        context.theme_changed.connect(self._on_theme)

    def show_blocks(self, blocks: tuple[Block, ...]) -> None:
        """Show other blocks; nothing happens where they are the same."""
        if blocks != self._blocks:
            self._blocks = blocks
            self._build()

    def _on_theme(self) -> None:
        if self._blocks and self._theme != self._context.theme.name:
            self._build()

    def _build(self) -> None:
        clear(self._column)
        self._theme = self._context.theme.name
        card: Card | None = None
        for block, later in zip(self._blocks, (*self._blocks[1:], None), strict=True):
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
                yield _text("title", text)
            case Paragraph(text=text):
                yield _text("body", text)
            case Bullets(items=items):
                yield from (_text("body", f"{item.lead} {item.text}".strip()) for item in items)
            case Pairs(rows=rows):
                yield BlockTable(Table(("", ""), rows), "")
            case Table():
                yield BlockTable(block, "")
            case Fold(title=title, table=table):
                yield _Folded(self._context, title, table)
            case Figure(chart=chart):
                yield self._figure(chart)

    def _figure(self, chart: Chart) -> QWidget:
        twin = TwinChart(self._context, lambda: Picture(chart.svg, is_dark=self._context.theme.is_dark))
        twin.describe(chart.title, chart.description)
        twin.show_rows(chart.table.header, [_one_line(row) for row in chart.table.rows], chart.table.numeric)
        picture = cast(Picture, twin.ensure_plot())
        twin.setFixedHeight(picture.height_at(_USUAL_WIDTH) + _CHART_HEAD)
        return twin


class Picture(QWidget):
    """A chart of the report, as large as there is room for."""

    def __init__(self, svg: str, *, is_dark: bool) -> None:
        super().__init__()
        self._renderer = QSvgRenderer(QByteArray(standalone(svg, is_dark=is_dark).encode()))

    def height_at(self, width: int) -> int:
        """Return how high it is at a width."""
        size = self._renderer.defaultSize()
        return round(width * size.height() / max(1, size.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint it in the middle, without distorting it."""
        size = self._renderer.defaultSize().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        left, top = (self.width() - size.width()) / 2, (self.height() - size.height()) / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._renderer.render(painter, QRectF(left, top, size.width(), size.height()))
        painter.end()


class _Folded(QWidget):
    """A long table behind a button."""

    def __init__(self, context: Context, title: str, table: Table) -> None:
        super().__init__()
        self._context = context
        self._title = title
        self.toggle = button("link", self._on_toggle)
        self.view = BlockTable(table, title)
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
