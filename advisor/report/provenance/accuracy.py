"""Where the figures of "How sure are we?" come from: whose measurements, read when, compared how."""

from collections.abc import Iterator

from advisor.locale import Language
from advisor.records.results.validation import Validation
from advisor.report.accuracy import article_title, set_title
from advisor.report.provenance.record import Provenance
from advisor.report.words.labels import spoken_date

_CHECK = "advisor --how-sure"


class SurenessOrigins:
    """Knows of each set of measurements, and of each article's job, who published it and when it was read."""

    def __init__(self, found: Validation, language: Language) -> None:
        self._language = language
        self._all = found
        self._published = dict(self._rows(found, language))

    @staticmethod
    def _rows(found: Validation, language: Language) -> Iterator[tuple[str, tuple[str, str]]]:
        for row in found.rows:
            yield set_title(row, language), (row.source, row.date)
        for article in found.articles:
            yield article_title(article, language), (article.source, article.date)

    def of_row(self, name: str) -> Provenance:
        """Return what the numbers about a set, or about all of them, have in common."""
        _ = self._language.gettext
        counted = sum(row.rows for row in self._all.rows)
        source, date = self._published.get(name, ("", ""))
        text = _("{n} published measurements, listed under «{title}»")
        every = text.format(n=self._language.number(counted), title=_("Who measured"))
        return Provenance(
            title=_("How sure are we?"),
            value="",
            basis=_("predictions beside measurements that others published"),
            method=_("each predicted by constants fitted without its device, or its network; then compared"),
            source=source or every,
            date=spoken_date(date or self._all.made, self._language),
            check=_CHECK,
        )


def of_word(text: str, language: Language) -> Provenance:
    """Return where the width that a word stands for comes from."""
    _ = language.gettext
    return Provenance(
        title=_("What the words mean"),
        value=text,
        basis=_("a definition of this program"),
        method=_("the half-width of the interval that is meant to hold the true time in eight of ten cases"),
        check=_CHECK,
    )
