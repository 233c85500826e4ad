"""The parts of a document that is laid out on pages, in the order in which they are read, and where they stand."""

from collections.abc import Iterator, Sequence

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

from advisor.report.formats.pdf_marks import FIGURE, Box, Part, Step

PICTURE = "\N{OBJECT REPLACEMENT CHARACTER}"


def parts(document: QTextDocument, points_per_dot: float, alternatives: Sequence[str]) -> Iterator[Part]:
    """Yield the parts; ``alternatives`` are read out instead of the pictures ``chart-0``, ``chart-1``, ..."""
    told = {f"chart-{number}": text for number, text in enumerate(alternatives)}
    block = document.begin()
    while block.isValid():
        yield Part(_path(block), tuple(_boxes(document, block, points_per_dot)), told.get(_picture(block), ""))
        block = block.next()


def _path(block: QTextBlock) -> tuple[Step, ...]:
    number, level, items = block.blockNumber(), block.blockFormat().headingLevel(), block.textList()
    table = QTextCursor(block).currentTable()
    if table is not None and table.rows():  # stubs know of no None
        cell, heads = table.cellAt(block.position()), table.format().toTableFormat().headerRowCount()
        way = Step("/Table", table.firstPosition()), Step("/TR", cell.row())
        if cell.row() < heads:
            return *way, Step("/TH", cell.column(), "/Column")
        if not heads and not cell.column():  # of names and what they stand for
            return *way, Step("/TH", 0, "/Row")
        return *way, Step("/TD", cell.column())
    if items is not None and items.count():
        return Step("/L", items.item(0).blockNumber()), Step("/LI", number), Step("/LBody", number)
    if PICTURE in block.text():
        return (Step(FIGURE, number),)
    return (Step(f"/H{level}" if level else "/P", number),)


def _picture(block: QTextBlock) -> str:
    """Return the name of the picture in a block; empty: it has none."""
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + max(block.text().find(PICTURE), 0))
    cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)  # the format is that of the letter before it
    return cursor.charFormat().toImageFormat().name()


def _boxes(document: QTextDocument, block: QTextBlock, points_per_dot: float) -> Iterator[Box]:
    """Yield where the lines of a block stand; a blank one shows nothing."""
    if not block.text().strip():
        return
    height = document.pageSize().height()
    corner = document.documentLayout().blockBoundingRect(block).topLeft()
    for number in range(block.layout().lineCount()):
        line = block.layout().lineAt(number)
        place = line.naturalTextRect()
        place.translate(corner)
        page = int((place.bottom() - 1) // height)
        place.translate(0, -page * height)
        edges = place.left(), place.top(), place.right(), place.bottom()
        yield Box(page, *(edge * points_per_dot for edge in edges))
