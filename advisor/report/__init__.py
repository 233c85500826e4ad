"""Say it: a report as text, Markdown, HTML, PDF or JSON, in a file or not. Knows no screen and measures nothing."""

from advisor.report.html import html_report
from advisor.report.markdown import markdown_report
from advisor.report.pages import render_how_sure
from advisor.report.prediction import prediction_text
from advisor.report.text import text_report
from advisor.report.write import Format, check_format, check_target, format_of, render, write_bytes, write_report

__all__ = [
    "Format",
    "check_format",
    "check_target",
    "format_of",
    "html_report",
    "markdown_report",
    "prediction_text",
    "render",
    "render_how_sure",
    "text_report",
    "write_bytes",
    "write_report",
]
