"""What was chosen in the system's print dialog, for the process that prints."""

from PySide6.QtGui import QPageLayout, QPageSize
from PySide6.QtPrintSupport import QPrinter

from advisor.report.formats.pdf import Paper


def chosen_paper(printer: QPrinter) -> Paper:
    """Return where and how to print."""
    layout = printer.pageLayout()
    size = layout.pageSize().size(QPageSize.Unit.Point)
    is_file = printer.outputFormat() == QPrinter.OutputFormat.PdfFormat
    return Paper(
        printer=printer.printerName(),
        file=printer.outputFileName() if is_file else "",
        width_points=size.width(),
        height_points=size.height(),
        is_landscape=layout.orientation() == QPageLayout.Orientation.Landscape,
        copies=printer.copyCount(),
        is_collated=printer.collateCopies(),
        is_grey=printer.colorMode() == QPrinter.ColorMode.GrayScale,
        duplex=printer.duplex().value,
        first=printer.fromPage(),
        last=printer.toPage(),
    )
