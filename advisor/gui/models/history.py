"""Earlier checks as rows of a table."""

import math
from collections.abc import Sequence

from advisor.catalog import presets
from advisor.gui.models.computer import short_cpu_name
from advisor.gui.models.job.job_cards import job_title
from advisor.locale import Language
from advisor.records.job.workload import Workload
from advisor.records.results.history_entry import Entry, Summary
from advisor.records.results.measured.measurement import DISTURBED_RATIO
from advisor.report.words import quantities
from advisor.report.words.compared import taken_phrase
from advisor.report.words.labels import spoken_moment, tier_name
from advisor.report.words.receipts import receipt_sign, record_sentence
from advisor.report.words.samples import kind_noun, samples_phrase

_FILLERS = ("NVIDIA ", "AMD ", "Intel ", "GeForce ")


def history_header(language: Language) -> tuple[str, ...]:
    """Return the titles of the list's columns."""
    _ = language.gettext
    return (_("Date"), _("Name"), _("Computer"), _("Job"), _("Answer"), _("Measured"), _("True?"))


def history_row(entry: Entry, language: Language) -> tuple[str, ...]:
    """Return an earlier check in the words of the list."""
    _ = language.gettext
    one = entry.summary
    if one is None:
        return ("–", entry.label, _("This entry is damaged and cannot be read."), "", "", "", "")
    return (
        spoken_moment(one.created_at, language, is_short=True),
        entry.label,
        computer_text(one, language, is_imported=entry.origin == "imported"),
        job_text(one, language),
        answer_text(one, language, is_elsewhere=entry.origin == "imported"),
        measured_text(one, language),
        receipt_sign(entry.receipts, language),
    )


def _title(one: Summary, language: Language) -> str:
    """Return what a job that was asked is called, with its format where that is not the ready-made job's."""
    title = job_title(one.job, language) or language.regrouped(one.titles.get(language.code) or one.workload)
    usual = next((known.workload.precision for known in presets() if known.workload.id == one.job), one.precision)
    if one.precision in ("", usual):
        return title
    precision = language.gettext("mixed precision") if one.precision == "amp" else one.precision
    return f"{title} · {precision}"


def job_text(one: Summary, language: Language) -> str:
    """Return what was asked, with how much of it there is: two questions about the same photos looked alike."""
    title = _title(one, language)
    if not one.samples:
        return title
    count = kind_noun(one.sample_kind, language, one.samples).format(n=language.number(one.samples))
    return f"{title} · {count}"


def sort_keys(entry: Entry, language: Language) -> tuple[float | str, ...]:
    """Return what an earlier check is sorted by, column by column."""
    one = entry.summary
    if one is None:
        return ("", entry.label, "", "", "", -1.0, "")
    row = history_row(entry, language)
    return (one.created_at, *(text.casefold() for text in row[1:5]), float(one.measured), row[6])


def computer_text(one: Summary, language: Language, *, is_imported: bool) -> str:
    """Return the computer in short: processor and cards, and whether it is another one or a described one."""
    _ = language.gettext
    names = " · ".join([short_cpu_name(one.cpu), *(_short(card) for card in one.cards)])
    if is_imported:
        return _("{computer} (from a file)").format(computer=names)
    if one.is_simulated:
        return _("{computer} (described by hand)").format(computer=names)
    return names


def _short(card: str) -> str:
    for filler in _FILLERS:
        card = card.removeprefix(filler)
    return card


def answer_text(one: Summary, language: Language, *, is_elsewhere: bool = False) -> str:
    """Return the answer in short, with the time of a run where it is known."""
    if one.is_cancelled:
        return "–"  # what was measured before the end is too little to compare answers by
    is_another = is_elsewhere and one.tier == "this_computer"  # the column beside it says which
    if one.is_enough and not is_elsewhere:
        parts = [language.gettext("Probably enough") if one.is_doubtful else language.gettext("Enough")]
    elif one.is_doubtful and not is_elsewhere:
        parts = [language.gettext("Not known yet")]
    elif one.is_patient and not is_elsewhere:
        parts = [language.gettext("Enough if you can wait")]
    else:
        parts = [] if is_another else [tier_name(one.tier, language)]
        if one.chosen:
            parts.append(_short(one.chosen))
        if one.falls_short:
            parts.insert(0, language.gettext("Nothing meets it"))
    if one.run_s is not None and math.isfinite(one.run_s) and one.run_s > 0:
        parts.append(_time(one, one.run_s, language))
    if one.taken_ratio >= DISTURBED_RATIO:
        parts.insert(0, language.gettext("⚠ Disturbed"))  # first: a narrow column cuts what is last
    return " · ".join(parts)


def disturbed_sentence(entry: Entry, language: Language) -> str:
    """Return what the mark of a disturbed check means, with the shares that the answer tells; empty: it has none."""
    one = entry.summary
    if one is None or one.taken_ratio < DISTURBED_RATIO:
        return ""
    text = language.gettext("⚠ Disturbed: {what}.")
    return text.format(what=taken_phrase(one.load_ratio, language, one.taken_ratio))


def _time(one: Summary, run_s: float, language: Language) -> str:
    """Return the time of a run; of a check that others disturbed with its range, which is not as sure as a quiet's."""
    is_here = one.tier == "this_computer" and one.taken_ratio >= DISTURBED_RATIO
    said = quantities.duration(run_s, language)
    if is_here and one.low_s and one.high_s and 0 < one.low_s <= run_s <= one.high_s < math.inf:
        said = quantities.about_with_range(run_s, one.low_s, one.high_s, language)
    return with_check(one, said, language)


def with_check(one: Summary, time: str, language: Language) -> str:
    """Return a time with the word that an earlier check measured it, where one did."""
    return language.gettext("{time}, by an earlier check").format(time=time) if one.is_earlier else time


def measured_text(one: Summary, language: Language) -> str:
    """Return how much was measured, and whether it was all."""
    _ = language.gettext
    if one.suite == "none":
        return _("nothing")
    planned = one.measured + one.failed
    if one.failed and not one.is_cancelled:
        text = language.ngettext("{done} of {all} test", "{done} of {all} tests", planned)
        if one.untimed == one.failed:
            text = language.ngettext(
                "{done} of {all} test, no time for more", "{done} of {all} tests, no time for more", planned
            )
        return text.format(done=language.number(one.measured), all=language.number(planned))
    count = language.ngettext("{n} test", "{n} tests", one.measured).format(n=language.number(one.measured))
    return _("{tests}, stopped early").format(tests=count) if one.is_cancelled else count


def record_text(entries: Sequence[Entry], language: Language) -> str:
    """Return how the answers of this computer held; how to find that out where nobody looked yet."""
    from advisor.session.receipt import track_record  # not before the page is seen

    record = track_record(entries)
    if record is None:
        return language.gettext("Was an answer right? Open it and say how long a run really took.") if entries else ""
    return record_sentence(record, language)


def can_go_on(entry: Entry) -> bool:
    """Return whether a check of this computer was stopped, so that the rest of it can be measured."""
    one = entry.summary
    return entry.origin == "here" and one is not None and one.is_cancelled and not one.is_simulated


def is_comparable(entry: Entry) -> bool:
    """Return whether a check can be laid beside another: one that was stopped early cannot, nor one of nothing."""
    one = entry.summary
    return one is not None and one.suite != "none" and not one.is_cancelled


def entry_line(entry: Entry, language: Language) -> str:
    """Return an earlier check in one line: the user's name for it, its date, its computer."""
    one = entry.summary
    if one is None:
        return entry.label or "–"
    computer = computer_text(one, language, is_imported=entry.origin == "imported")
    return " · ".join(filter(None, (entry.label, spoken_moment(one.created_at, language), computer)))


def last_of(entries: Sequence[Entry]) -> Entry | None:
    """Return the newest check of this computer that came to its end; None: there is none."""
    own = [one for one in entries if one.origin == "here" and is_comparable(one) and not _is_described(one)]
    return max(own, key=lambda one: one.summary.created_at if one.summary is not None else "", default=None)


def _is_described(entry: Entry) -> bool:
    return entry.summary is not None and entry.summary.is_simulated


def last_answer(entry: Entry, language: Language, workload: Workload | None = None) -> tuple[str, str]:
    """Return when an earlier answer was given, and the answer in one line, with how many samples its job had."""
    one = entry.summary
    if one is None:
        return "–", entry.label
    job = _title(one, language)
    if workload is not None:
        job = f"{job} · {samples_phrase(workload, language)}"
    said = answer_text(one, language)
    if one.is_enough and one.run_s is not None:
        text = language.gettext("your computer is enough, {duration} a run")
        if one.is_doubtful:
            text = language.gettext("your computer is probably enough, {duration} a run")
        said = text.format(duration=quantities.duration(one.run_s, language))
    return spoken_moment(one.created_at, language), f"{job}: {said}"


def deleted_sentence(count: int, language: Language) -> str:
    """Return what happened to the entries the user deleted."""
    text = language.ngettext("{n} check was deleted.", "{n} checks were deleted.", count)
    return text.format(n=language.number(count))
