"""Put the answer on the clipboard, as text and as what a letter or a message shows."""

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from advisor.locale import Language
from advisor.records.results.report import Report


def copy_answer(report: Report, language: Language) -> None:
    """Copy the answer in short."""
    from advisor.report.content.short_answer import short_answer  # not before it is wanted

    short = short_answer(report, language)
    data = QMimeData()
    data.setText(short.text)
    data.setHtml(short.html)
    QGuiApplication.clipboard().setMimeData(data)
