"""What came of an answer, in words."""

from collections.abc import Sequence

from advisor.locale import Language
from advisor.records.results.receipt import Receipt, TrackRecord
from advisor.report.words import quantities
from advisor.report.words.labels import spoken_date

_JUST = 0.005
"""Less than half a percent is none."""
_PLURALLY = 2.0
"""From twice as long on, people speak of times, not of percent."""


def difference_phrase(receipt: Receipt, language: Language) -> str:
    """Return by how much the true time differs from the one that was said."""
    _ = language.gettext
    ratio = receipt.ratio
    if abs(ratio - 1) < _JUST:
        return _("just as said")
    if ratio >= _PLURALLY:
        return _("{times} times as long as said").format(times=quantities.factor(ratio, language))
    share = language.percent(abs(ratio - 1))
    return (_("{share} longer than said") if ratio > 1 else _("{share} shorter than said")).format(share=share)


def receipt_sentences(receipt: Receipt, language: Language) -> tuple[str, ...]:
    """Return what was said, what it took, and whether that holds."""
    _ = language.gettext
    low, high = receipt.interval.low, receipt.interval.high
    said = quantities.about_with_range(receipt.said_s, low, high, language)
    if receipt.how == "measured":
        text = _("{date}: a step of the job was measured again on this computer; one run would take {time}.")
    elif receipt.is_here:
        text = _("{date}: you said that one run took {time} on this computer.")
    else:
        text = _("{date}: you said that one run took {time} on {name}.")
    date, time = spoken_date(receipt.checked_at, language), quantities.clock_time(receipt.true_s)
    took = text.format(date=date, time=time, name=receipt.title)
    if receipt.holds:
        verdict = _("The answer held: the true time lies in its range ({difference}).")
    else:
        verdict = _("The answer did not hold: the true time lies outside its range ({difference}).")
    return (
        took,
        _("The answer was {time}.").format(time=said),
        verdict.format(difference=difference_phrase(receipt, language)),
    )


def receipt_mark(receipts: Sequence[Receipt], language: Language) -> str:
    """Return in a few words whether an answer was true; empty where nobody knows."""
    _ = language.gettext
    one = _decisive(receipts)
    if one is None:
        return ""
    text = _("yes: {difference}") if one.holds else _("no: {difference}")
    return text.format(difference=difference_phrase(one, language))


def receipt_sign(receipts: Sequence[Receipt], language: Language) -> str:
    """Return the same for a narrow column, such as ``yes, +8%``."""
    _ = language.gettext
    one = _decisive(receipts)
    if one is None:
        return ""
    if one.ratio >= _PLURALLY:
        off = f"×{quantities.factor(one.ratio, language)}"
    else:
        sign = "+" if one.ratio >= 1 else "\N{MINUS SIGN}"
        off = f"{sign}{language.percent(abs(one.ratio - 1))}"
    return (_("yes, {off}") if one.holds else _("no, {off}")).format(off=off)


def _decisive(receipts: Sequence[Receipt]) -> Receipt | None:
    """Return what counts: what was told before what was measured, the newest first."""
    return max(receipts, key=lambda one: (one.how == "told", one.checked_at), default=None)


def record_sentence(record: TrackRecord, language: Language) -> str:
    """Return how answers held until now, and what could be expected."""
    _ = language.gettext
    number = language.number
    text = language.ngettext(
        "{held} of {n} prediction held; it was {share} off the best guess.",
        "{held} of {n} predictions held; the median was {share} off the best guess.",
        record.count,
    )
    parts = [text.format(held=number(record.held), n=number(record.count), share=language.percent(record.median_off))]
    parts.append(_("It holds where the true time lies in the range we gave; eight of ten should."))
    measured = record.count - record.told
    if measured:
        text = language.ngettext(
            "{n} of them was checked by measuring a step again, not by a whole run.",
            "{n} of them were checked by measuring a step again, not by a whole run.",
            measured,
        )
        parts.append(text.format(n=number(measured)))
    return " ".join(parts)
