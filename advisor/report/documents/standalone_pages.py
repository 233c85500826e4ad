"""Pages that are no report, in each format a user may ask for."""

from collections.abc import Sequence
from typing import Final, get_args

from advisor.errors import InputError
from advisor.locale import Language
from advisor.records.results.validation import HeldOutTimes, Validation
from advisor.report.documents.accuracy import how_sure
from advisor.report.formats.page import render_page
from advisor.report.formats.text import WIDTH
from advisor.report.formats.write import Format

FORMATS: Final[tuple[Format, ...]] = tuple(form for form in get_args(Format) if form not in {"pdf", "sheet", "png"})


def render_how_sure(
    found: Validation,
    form: Format,
    language: Language,
    times: Sequence[HeldOutTimes] = (),
    *,
    width: int = WIDTH,
    is_coloured: bool = False,
) -> str:
    """Return the page "How sure are we?" in a format.

    Args:
        found: The figures of the last validation.
        form: Any but PDF and PNG.
        language: The user's.
        times: Of the measurements that the picture shows.
        width: Characters in a line of text.
        is_coloured: Whether the terminal shows ANSI styles.

    Raises:
        InputError: It is not made in this format.
    """
    if form not in FORMATS:
        known = ", ".join(FORMATS)
        raise InputError("This page cannot be made as '{form}'; choose one of: {known}.", form=form, known=known)
    page = render_page(
        found, lambda: how_sure(found, language, times), form, language, width=width, is_coloured=is_coloured
    )
    return page.decode()
