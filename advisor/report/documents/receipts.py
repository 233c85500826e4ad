"""Earlier answers and what came of them, as plain text."""

from collections.abc import Iterable

from advisor.locale import Language
from advisor.records.results.history_entry import Entry
from advisor.records.results.receipt import Receipt, TrackRecord
from advisor.report.words import quantities
from advisor.report.words.labels import spoken_date, tier_name
from advisor.report.words.networks import network_name
from advisor.report.words.receipts import receipt_mark, receipt_sentences, record_sentence

_SHOWN = 30


def receipts_text(entries: Iterable[Entry], record: TrackRecord | None, language: Language) -> str:
    """Return the answers of the history, the newest first, whether each was true, and how they held together.

    Those that cannot be read are named by their numbers.
    """
    _ = language.gettext
    kept = list(entries)
    shown = [one for one in kept if one.summary is not None][:_SHOWN]
    rows = [_line(one, language) for one in shown]
    unread = ", ".join(str(one.id) for one in kept if one.summary is None)
    said = (
        [_("Unreadable, because damaged or written by another version: {numbers}.").format(numbers=unread)]
        if unread
        else []
    )
    if not rows:
        return "\n".join(said) or _("The history is empty.")
    lines = [*rows, *said, ""]
    lines.append(_("No answer was looked at again yet.") if record is None else record_sentence(record, language))
    command = f"advisor --was-it-true {shown[0].id}"
    lines.append(_("To say how long a run took: {command}").format(command=f"{command} --took '2 h 40 min'"))
    lines.append(_("To measure its job again: {command}").format(command=command))
    return "\n".join(lines)


def receipt_text(receipt: Receipt, record: TrackRecord | None, language: Language) -> str:
    """Return what came of one answer, and how all of them held."""
    lines = list(receipt_sentences(receipt, language))
    if record is not None and record.count > 1:
        lines.append(record_sentence(record, language))
    return "\n".join(lines)


def _line(entry: Entry, language: Language) -> str:
    one = entry.summary
    if one is None:
        return ""
    said = [tier_name(one.tier, language), one.chosen]
    if one.run_s is not None:
        said.append(quantities.duration(one.run_s, language))
    parts = [
        f"{entry.id:>4}",
        spoken_date(one.created_at, language),
        entry.label,
        network_name(one.titles.get(language.code) or one.workload, language),
        " · ".join(filter(None, said)),
        receipt_mark(entry.receipts, language),
    ]
    return "  ".join(filter(None, parts))
