"""Where the figures of "How sure are we?" come from: whose measurements, read when, compared how."""

from advisor.locale import Language
from advisor.records.results.validation import ArticleRow, Validation, ValidationRow
from advisor.report.provenance.record import Provenance
from advisor.report.words.labels import spoken_date
from advisor.report.words.sources import measurer_phrase

_CHECK = "advisor --how-sure"


def of_validation(text: str, found: Validation, language: Language) -> Provenance:
    """Return where what is said of all sets of measurements comes from."""
    _ = language.gettext
    counted = sum(row.rows for row in found.rows)
    every = _("{n} published measurements, listed under “{title}”")
    source = every.format(n=language.number(counted), title=_("Who measured"))
    return _compared(text, "/validation", (source, found.made), language)


def of_set(row: ValidationRow | ArticleRow, text: str, found: Validation, language: Language) -> Provenance:
    """Return where the numbers about a set of measurements, or about an article's job, come from."""
    is_set = isinstance(row, ValidationRow)
    place = found.rows.index(row) if is_set else found.articles.index(row)
    figure = f"/validation/{'rows' if is_set else 'articles'}/{place}"
    return _compared(text, figure, (measurer_phrase(row.source, language), row.date or found.made), language)


def _compared(text: str, figure: str, published: tuple[str, str], language: Language) -> Provenance:
    _ = language.gettext
    source, date = published
    return Provenance(
        figure=figure,
        title=_("How sure are we?"),
        value=text,
        basis=_("predictions beside measurements that others published"),
        method=_("each predicted by constants fitted without its device, or its network; then compared"),
        source=source,
        date=spoken_date(date, language),
        check=_CHECK,
    )


def of_word(text: str, language: Language) -> Provenance:
    """Return where the width that a word stands for comes from."""
    _ = language.gettext
    return Provenance(
        title=_("How far a good, fair or rough time may be off"),
        value=text,
        basis=_("a definition of this program"),
        method=_("the half-width of the interval that is meant to hold the true time in eight of ten cases"),
        check=_CHECK,
    )
