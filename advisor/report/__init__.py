"""Say it: a report as text, Markdown, HTML, PDF or JSON, in a file or not. Knows no screen and measures nothing."""

from advisor.report.formats.html import html_report
from advisor.report.formats.markdown import markdown_report
from advisor.report.formats.text import text_report
from advisor.report.formats.write import (
    Format,
    check_format,
    check_target,
    format_of,
    render,
    write_bytes,
    write_report,
)
from advisor.report.single_prediction import prediction_text
from advisor.report.standalone_pages import render_how_sure

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
