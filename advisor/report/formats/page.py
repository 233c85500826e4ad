"""A page that is no report, in each format that is text; as JSON, what it is made from."""

from collections.abc import Callable

from advisor import wire
from advisor.locale import Language
from advisor.records.base import Record
from advisor.report.content.document import Document
from advisor.report.formats.html import html_page
from advisor.report.formats.markdown import markdown_page
from advisor.report.formats.text import WIDTH, text_page


def render_page(
    found: Record,
    page_of: Callable[[], Document],
    form: str,
    language: Language,
    *,
    width: int = WIDTH,
    is_coloured: bool = False,
) -> bytes:
    """Return a page in a format.

    Args:
        found: What the page is made from.
        page_of: Makes it, where it is wanted.
        form: ``json``, ``html``, ``md``, or text.
        language: The reader's.
        width: Characters in a line of text.
        is_coloured: Whether the terminal shows ANSI styles.
    """
    if form == "json":
        return wire.encode(found) + b"\n"
    page = page_of()
    if form == "html":
        return html_page(page, language).encode()
    if form == "md":
        return markdown_page(page).encode()
    return text_page(page, width=width, is_coloured=is_coloured).encode()
