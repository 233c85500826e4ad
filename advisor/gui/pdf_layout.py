"""Lay a report out on pages and write it as PDF: text that can be searched, charts drawn as lines.

Needs no window: any QGuiApplication will do, also one without a screen. ``advisor --print-pdf`` runs ``serve`` in a
process of its own, see ``advisor.report.formats.pdf``.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence

import msgspec
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QGuiApplication,
    QImage,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPaintDevice,
    QPainter,
    QPdfWriter,
    QPyTextObject,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextTable,
    QTextTableCell,
)
from PySide6.QtSvg import QSvgRenderer

from advisor import wire
from advisor.errors import InputError
from advisor.gui.pdf_parts import PICTURE, parts
from advisor.locale import Language
from advisor.report.charts.answer_card import answer_card
from advisor.report.charts.standalone_svg import font_families, page_colours, with_family
from advisor.report.documents.fleet import fleet_page
from advisor.report.documents.serving_advice import serving_page
from advisor.report.formats import pdf
from advisor.report.formats.pdf import Paper
from advisor.report.formats.print_html import Printed, printed_page, printed_report, printed_sheet

DOTS_PER_INCH = 600
MARGIN_MM = 18.0
BODY_POINTS, FOOTER_POINTS = 9.5, 7.5

# Territories that print on US Letter. Source: Unicode CLDR 46, supplementalData, measurementData, paperSize.
_LETTER = frozenset({"BZ", "CA", "CL", "CO", "CR", "GT", "MX", "NI", "PA", "PH", "PR", "SV", "US", "VE"})
_LENGTH = re.compile(r"\b(\d+(?:\.\d+)?)(pt|px)\b")
_SHORT_ROWS = 10  # of a table that stays whole
_PIXELS_PER_INCH = 96  # of the lengths in formats
_POINTS_PER_INCH = 72
_PICTURE_SCALE = 2.0
_MOST_MOVES = 200  # of headings to the next page; a document has far fewer
_PICTURE_RATIOS = (1.0, 0.9, 0.8, 0.7, 0.6)  # of the text's width, tried until a sheet is one page
_TEXT_RATIOS = (0.92, 0.85, 0.78, 0.7, 0.62, 0.55)  # of the letters, tried where small pictures are not enough


def pdf_bytes(printed: Printed, language: Language, paper: Paper | None = None) -> bytes:
    """Return a page as PDF, on the paper that was chosen, or on A4 or Letter as is usual where the user is."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = _writer(buffer, printed.title, language)
    if paper is not None:
        writer.setPageLayout(_page_layout(paper))
        if paper.is_grey:
            writer.setColorModel(QPdfWriter.ColorModel.Grayscale)
    document = _lay_out(printed, writer)
    _draw(document, printed, writer, _pages(paper))
    return _tagged(bytes(buffer.data().data()), document, printed, language, _pages(paper))


def _tagged(
    content: bytes, document: QTextDocument, printed: Printed, language: Language, wanted: range | None
) -> bytes:
    """Return the file with its structure, or as it is where pypdf is not installed."""
    try:
        from advisor.report.formats.pdf_tags import tagged  # not before it is wanted
    except ImportError:
        return content
    pages = [page for page in wanted or range(document.pageCount()) if page < document.pageCount()]
    found = list(parts(document, _POINTS_PER_INCH / DOTS_PER_INCH, printed.descriptions))
    return tagged(content, language.code, found, pages)


def serve(arguments: Sequence[str]) -> int:
    """Read a report as JSON on standard input, write it as PDF on standard output, and return the exit status.

    Args:
        arguments: Code, region and territory of the language, such as ``en``, ``en_001`` and ``MX``, and for the page
            of a room of computers its date, for that of a language model ``serving``, for the answer as a picture
            ``picture`` and on one page ``sheet``, to print it ``print`` and a ``Paper``; none only to see whether Qt
            works.
    """
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    _application = QGuiApplication(["advisor"])
    if not QFontDatabase.families():
        return pdf.NO_FONTS
    if not arguments:
        return 0
    try:
        code, region, territory, *what = arguments
        made = _made(sys.stdin.buffer.read(), Language(code, region, territory), what)
    except (InputError, ValueError) as error:  # typed by hand: this program hands over what is right
        sys.stderr.write(f"{error}\n")
        return pdf.WRONG
    if made is None:
        return pdf.NO_PRINTER
    sys.stdout.buffer.write(made)
    return 0


def _made(content: bytes, language: Language, what: list[str]) -> bytes | None:
    """Return what is asked for of a report as JSON: nothing where it was printed; None where nobody takes it."""
    match what:
        case []:
            return pdf_bytes(printed_report(wire.decode_report(content), language), language)
        case [pdf.SHEET]:
            return pdf_bytes(printed_sheet(wire.decode_report(content), language), language)
        case [pdf.PICTURE]:
            return png(answer_card(wire.decode_report(content), language))
        case [pdf.SERVING]:
            page = serving_page(wire.decode_serving(content), language)
        case [pdf.PRINT, chosen]:
            paper = msgspec.json.decode(chosen, type=Paper)
            printed = printed_report(wire.decode_report(content), language)
            return pdf_bytes(printed, language, paper) if paper.file else _print(printed, paper)
        case [date, *_]:
            page = fleet_page(wire.decode_fleet(content), language, made=date)
    return pdf_bytes(printed_page(page, language), language)


def _print(printed: Printed, paper: Paper) -> bytes | None:
    """Hand a page to a printer; None where it takes nothing."""
    from PySide6.QtPrintSupport import QPrinter  # not before it is wanted

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setPrinterName(paper.printer)
    printer.setDocName(printed.title)
    printer.setCreator("advisor")
    printer.setPageLayout(_page_layout(paper))
    printer.setCopyCount(paper.copies)
    printer.setCollateCopies(paper.is_collated)
    printer.setColorMode(QPrinter.ColorMode.GrayScale if paper.is_grey else QPrinter.ColorMode.Color)
    printer.setDuplex(QPrinter.DuplexMode(paper.duplex))
    return b"" if _draw(_lay_out(printed, printer), printed, printer, _pages(paper)) else None


def _page_layout(paper: Paper) -> QPageLayout:
    size = QPageSize(QSizeF(paper.width_points, paper.height_points), QPageSize.Unit.Point)
    turned = QPageLayout.Orientation.Landscape if paper.is_landscape else QPageLayout.Orientation.Portrait
    return QPageLayout(size, turned, QMarginsF(0, 0, 0, 0))


def _pages(paper: Paper | None) -> range | None:
    """Return which pages are wanted, counted from 0; None: all."""
    return range(paper.first - 1, paper.last) if paper is not None and paper.first else None


def drawn(svg: str) -> QImage:
    """Return a picture of lines as one of dots, on white, sharp enough for print."""
    renderer = QSvgRenderer(with_family(svg, _font().family()).encode())
    size = renderer.defaultSize() * _PICTURE_SCALE
    image = QImage(size.expandedTo(QSize(1, 1)), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter)
    painter.end()
    return image


def png(svg: str) -> bytes:
    """Return a picture as a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    drawn(svg).save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs know file names only
    return bytes(buffer.data().data())


def _writer(buffer: QBuffer, title: str, language: Language) -> QPdfWriter:
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setCreator("advisor")
    writer.setResolution(DOTS_PER_INCH)
    size = QPageSize(QPageSize.PageSizeId.Letter if language.territory in _LETTER else QPageSize.PageSizeId.A4)
    writer.setPageLayout(QPageLayout(size, QPageLayout.Orientation.Portrait, QMarginsF(0, 0, 0, 0)))
    return writer


def _dots(millimetres: float, paper: QPaintDevice) -> float:
    return millimetres / 25.4 * paper.logicalDpiX()


def _lay_out(printed: Printed, writer: QPagedPaintDevice) -> QTextDocument:
    """Return the text, broken into pages of the writer's size; a sheet's pictures, then its letters give way to one."""
    ratios = [(1.0, 1.0)]
    if printed.is_sheet:
        ratios = [(picture, 1.0) for picture in _PICTURE_RATIOS]
        ratios += [(_PICTURE_RATIOS[-1], text) for text in _TEXT_RATIOS]
    for picture, text in ratios:
        document = _laid_out(printed, writer, picture, text)
        if document.pageCount() == 1:
            break
    return document


def _laid_out(printed: Printed, writer: QPagedPaintDevice, picture_ratio: float, text_ratio: float) -> QTextDocument:
    """Return the text with margins inside, and pictures of a share of its width."""
    document = QTextDocument()
    layout = document.documentLayout()
    layout.setPaintDevice(writer)
    width, height = float(writer.width()), float(writer.height())
    document.setDefaultFont(_font())
    pictures = _Pictures(printed.pictures, picture_ratio * (width - 2 * _dots(MARGIN_MM, writer)))
    pictures.setParent(document)
    layout.registerHandler(QTextFormat.ObjectTypes.ImageObject, pictures)
    document.setHtml(_with_smaller_letters(printed.html, text_ratio))
    frame = document.rootFrame().frameFormat()
    frame.setMargin(MARGIN_MM / 25.4 * _PIXELS_PER_INCH)
    document.rootFrame().setFrameFormat(frame)
    document.setPageSize(QSizeF(width, height))
    for _time in range(2):  # each may move what the other has placed
        _keep_with_next(document)
        _keep_rows_whole(document, writer)
    return document


def _with_smaller_letters(html: str, ratio: float) -> str:
    """Return a page with the sizes and distances of its style sheet multiplied."""
    if ratio == 1.0:
        return html
    style, end, body = html.partition("</style>")
    return _LENGTH.sub(lambda found: f"{float(found[1]) * ratio:.2f}{found[2]}", style) + end + body


def _font() -> QFont:
    """Return the first installed of the fonts of reports."""
    wanted = QFont()
    wanted.setFamilies(font_families())
    font = QFont(QFontInfo(wanted).family())
    font.setPointSizeF(BODY_POINTS)
    return font


class _Pictures(QPyTextObject):
    """Draws ``<img src="chart-N">`` as the lines and letters of the SVG picture N, as wide as the text."""

    def __init__(self, pictures: Sequence[str], width: float) -> None:
        super().__init__()
        family = _font().family()
        self._renderers = {
            f"chart-{n}": QSvgRenderer(with_family(svg, family).encode()) for n, svg in enumerate(pictures)
        }
        self._width = width

    def intrinsicSize(self, _document: QTextDocument, _position: int, form: QTextFormat) -> QSizeF:
        """Return the size of a picture in dots."""
        size = self._renderers[form.toImageFormat().name()].defaultSize()
        return QSizeF(self._width, self._width * size.height() / size.width())

    def drawObject(
        self, painter: QPainter, place: QRectF | QRect, _document: QTextDocument, _position: int, form: QTextFormat
    ) -> None:
        """Draw a picture."""
        self._renderers[form.toImageFormat().name()].render(painter, QRectF(place))


def _keep_with_next(document: QTextDocument) -> None:
    """Move titles to the page of what they belong to."""
    for _move in range(_MOST_MOVES):
        document.pageCount()  # lays all of it out
        chains = _chains(document)
        lonely = next((one[0] for one in chains if _page(document, one[0]) < _page(document, one[-1])), None)
        if lonely is None:
            return
        form = lonely.blockFormat()
        form.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
        QTextCursor(lonely).setBlockFormat(form)


def _chains(document: QTextDocument) -> Iterator[list[QTextBlock]]:
    """Yield titles with what follows: further titles, the text before a picture, the rest's begin or short table."""
    block = document.begin()
    while block.isValid():
        chain = [block]
        while _leads(chain[-1]) and chain[-1].next().isValid():
            chain.append(chain[-1].next())
        if len(chain) > 1:
            chain.append(_end_of_short_table(chain[-1]))
            yield chain
        block = chain[-1].next()


def _leads(block: QTextBlock) -> bool:
    return block.blockFormat().headingLevel() > 0 or PICTURE in block.next().text()


def _end_of_short_table(block: QTextBlock) -> QTextBlock:
    """Return the last block of the table a block begins, where that is short; else the block itself."""
    table = QTextCursor(block).currentTable()
    if table is None or table.rows() > _SHORT_ROWS:
        return block
    return table.cellAt(table.rows() - 1, 0).firstCursorPosition().block()


def _page(document: QTextDocument, block: QTextBlock) -> int:
    """Return the page on which the first line of a block ends."""
    line = block.layout().lineAt(0)
    bottom = document.documentLayout().blockBoundingRect(block).top() + line.y() + line.height()
    return int((bottom - 1) // document.pageSize().height())


def _keep_rows_whole(document: QTextDocument, paper: QPaintDevice) -> None:
    """Move rows that would be cut in two to the next page, under the repeated head of their table."""
    for _move in range(_MOST_MOVES):
        document.pageCount()
        cut = next((row for row in _rows(document) if _is_cut(document, row)), None)
        if cut is None:
            return
        line_top = min(_top(document, cell.firstCursorPosition().block()) for cell in cut)
        height = document.pageSize().height()
        left = height - _dots(MARGIN_MM, paper) - line_top % height
        for cell in cut:
            form = cell.format().toTableCellFormat()
            form.setTopPadding(form.topPadding() + left / paper.logicalDpiY() * _PIXELS_PER_INCH)
            cell.setFormat(form)


def _rows(document: QTextDocument) -> Iterator[list[QTextTableCell]]:
    """Yield the rows of all tables that are no heads."""
    for frame in document.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            for row in range(frame.format().toTableFormat().headerRowCount(), frame.rows()):
                yield [frame.cellAt(row, column) for column in range(frame.columns())]


def _is_cut(document: QTextDocument, row: list[QTextTableCell]) -> bool:
    """Return whether a row begins on one page and ends on another, though it would fit on one."""
    height = document.pageSize().height()
    tops = [_top(document, cell.firstCursorPosition().block()) for cell in row]
    bottoms = [_bottom(document, cell.lastCursorPosition().block()) for cell in row]
    return min(tops) // height < (max(bottoms) - 1) // height and max(bottoms) - min(tops) < height / 2


def _top(document: QTextDocument, block: QTextBlock) -> float:
    """Return where the first line of a block begins."""
    return document.documentLayout().blockBoundingRect(block).top() + block.layout().lineAt(0).y()


def _bottom(document: QTextDocument, block: QTextBlock) -> float:
    """Return where the last line of a block ends."""
    line = block.layout().lineAt(block.layout().lineCount() - 1)
    return document.documentLayout().blockBoundingRect(block).top() + line.y() + line.height()


def _draw(document: QTextDocument, printed: Printed, writer: QPagedPaintDevice, wanted: range | None = None) -> bool:
    """Draw all pages, or those wanted, counted from 0; False where the writer takes nothing."""
    size, pages = document.pageSize(), document.pageCount()
    painter = QPainter()
    if not painter.begin(writer):
        return False
    for number, page in enumerate(wanted or range(pages)):
        if page >= pages:
            break
        if number:
            writer.newPage()
        painter.save()
        painter.translate(0, -page * size.height())
        context = QAbstractTextDocumentLayout.PaintContext()
        context.clip = QRectF(QPointF(0, page * size.height()), size)
        painter.setClipRect(context.clip)
        document.documentLayout().draw(painter, context)
        painter.restore()
        _draw_footer(painter, printed.footer.format(page=page + 1, pages=pages), size, document.defaultFont())
    return painter.end()


def _draw_footer(painter: QPainter, text: str, page: QSizeF, font: QFont) -> None:
    left, _tab, right = text.partition("\t")
    small = QFont(font)
    small.setPointSizeF(FOOTER_POINTS)
    painter.setFont(small)
    painter.setPen(QColor(page_colours()["soft"]))
    margin = _dots(MARGIN_MM, painter.device())
    place = QPointF(margin, page.height() - margin / 2)
    painter.drawText(place, left)
    place.setX(page.width() - margin - painter.fontMetrics().horizontalAdvance(right))
    painter.drawText(place, right)
