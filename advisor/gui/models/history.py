"""Earlier checks as rows of a table, and two of them side by side."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.benchmark.results.comparison import REPEATABILITY_RATIO
from advisor.gui.models.computer import short_cpu_name
from advisor.gui.models.job.job_cards import job_title
from advisor.locale import Language
from advisor.records.job.workload import Workload
from advisor.records.results.comparison import ComparedCase, Comparison
from advisor.records.results.history_entry import Entry, Summary
from advisor.records.results.measured.measurement import DISTURBED_RATIO
from advisor.report.words import quantities
from advisor.report.words.cases import case_title
from advisor.report.words.compared import too_noisy
from advisor.report.words.labels import spoken_moment, tier_name
from advisor.report.words.receipts import receipt_sign, record_sentence
from advisor.report.words.samples import samples_phrase

_SEVERAL = 5
"""So many tests that go the same way are hardly chance."""
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
        _job(one, language),
        answer_text(one, language, is_elsewhere=entry.origin == "imported"),
        measured_text(one, language),
        receipt_sign(entry.receipts, language),
    )


def _title(one: Summary, language: Language) -> str:
    """Return what a job that was asked is called."""
    return job_title(one.job, language) or language.regrouped(one.titles.get(language.code) or one.workload)


def _job(one: Summary, language: Language) -> str:
    """Return what was asked, with how much of it there is: two questions about the same photos looked alike."""
    title = _title(one, language)
    if not one.samples:
        return title
    count = language.number(one.samples)
    return f"{title} · {language.ngettext('{n} example', '{n} examples', one.samples).format(n=count)}"


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
    """Return what the mark of a disturbed check means; empty where it has none."""
    share = 0.0 if entry.summary is None else entry.summary.taken_ratio
    text = language.gettext("⚠ Disturbed: other programs used {share} of the processor while this was measured.")
    return text.format(share=language.percent(share)) if share >= DISTURBED_RATIO else ""


def _time(one: Summary, run_s: float, language: Language) -> str:
    """Return the time of a run; of a check that others disturbed with its range, which is not as sure as a quiet's."""
    is_here = one.tier == "this_computer" and one.taken_ratio >= DISTURBED_RATIO
    if is_here and one.low_s and one.high_s and 0 < one.low_s <= run_s <= one.high_s < math.inf:
        return quantities.about_with_range(run_s, one.low_s, one.high_s, language)
    return quantities.duration(run_s, language)


def measured_text(one: Summary, language: Language) -> str:
    """Return how much was measured, and whether it was all."""
    _ = language.gettext
    if one.suite == "none":
        return _("nothing")
    planned = one.measured + one.failed
    if one.failed and not one.is_cancelled:
        text = language.ngettext("{done} of {all} test", "{done} of {all} tests", planned)
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


# --- two checks side by side ---


@dataclass(frozen=True, kw_only=True)
class ComparedView:
    """Two checks in words.

    Attributes:
        names: What A and B are, and what spoiled their measurements.
        summary: What the comparison comes to.
        header: Titles of the columns.
        rows: One a case; the difference carries an arrow where it is beyond noise.
        keys: What each row is sorted by.
        cases: What each row compares.
        marked: Rows whose difference repeating alone would not cause.
        noise: What the noise of a row is.
        left_over: What only one of them has measured; empty where nothing.
    """

    names: tuple[str, str]
    summary: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    keys: tuple[tuple[float | str, ...], ...]
    cases: tuple[ComparedCase, ...]
    marked: frozenset[int]
    noise: str
    left_over: str


def compared_view(names: tuple[str, str], comparison: Comparison, language: Language) -> ComparedView:
    """Return two checks side by side in the user's language."""
    _ = language.gettext
    cases = comparison.cases
    only = len(comparison.only_first) + len(comparison.only_second)
    text = language.ngettext("{n} test was done in one of them only.", "{n} tests were done in one of them only.", only)
    return ComparedView(
        names=(
            _side(names[0], comparison.first_taken_ratio, comparison.first_repeat_ratio, language),
            _side(names[1], comparison.second_taken_ratio, comparison.second_repeat_ratio, language),
        ),
        summary=_summary(comparison, language),
        header=(_("Test"), "A", "B", _("B against A"), _("Noise")),
        rows=tuple(_compared_row(case, language) for case in cases),
        keys=tuple(_compared_keys(case, language) for case in cases),
        cases=tuple(cases),
        marked=frozenset(row for row, case in enumerate(cases) if case.is_beyond_noise),
        noise=_(
            "Noise: how far apart two repeats of a test may be, because its own times vary and because the computer's "
            "pace changed during the checks. 19 of 20 repeats stay within it, so a smaller difference tells nothing."
        ),
        left_over=text.format(n=language.number(only)) if only else "",
    )


def _side(name: str, taken_ratio: float, repeat_ratio: float | None, language: Language) -> str:
    """Return the name of a check, with what makes it unsure."""
    _ = language.gettext
    parts = [name]
    if taken_ratio > 0:
        text = _("other programs used {share} of the processor on average during the check")
        parts.append(text.format(share=language.percent(taken_ratio)))
    if repeat_ratio is not None and repeat_ratio > REPEATABILITY_RATIO:
        text = _("the computer's pace changed during the check, so that a repeat would differ by about {share}")
        parts.append(text.format(share=language.percent(repeat_ratio)))
    return " · ".join(parts)


def _summary(comparison: Comparison, language: Language) -> str:
    _, cases = language.gettext, comparison.cases
    if not cases:
        return _("The two checks have no test in common.")
    faster = sum(case.is_beyond_noise and case.speed_ratio > 1 for case in cases)
    slower = sum(case.is_beyond_noise and case.speed_ratio < 1 for case in cases)
    uneven = sum(case.is_too_noisy for case in cases)
    if uneven:
        alike = _all_alike(comparison, language) if uneven == len(cases) else ""
        said = alike or _uneven(faster, slower, uneven, len(cases), language)
        return f"{said} {_disturbance(comparison, language)}".rstrip()
    if not faster and not slower:
        return _("No difference beyond noise in any of the {all} tests.").format(all=language.number(len(cases)))
    if len(cases) in (faster, slower):
        text = _("B is faster in all {all} tests.") if faster else _("B is slower in all {all} tests.")
        return text.format(all=language.number(len(cases)))
    text = _("Of {all} tests, B is faster in {faster} and slower in {slower}; the others differ by no more than noise.")
    return text.format(all=language.number(len(cases)), faster=language.number(faster), slower=language.number(slower))


def _uneven(faster: int, slower: int, uneven: int, count: int, language: Language) -> str:
    """Return what can be told of tests of which some are too uneven for it: that is no "no difference"."""
    _ = language.gettext
    if uneven == count:
        return _("These two checks cannot be compared: their times are too uneven to tell which is faster.")
    counted = (
        (faster, _("B is faster in {n}")),
        (slower, _("B is slower in {n}")),
        (uneven, _("too uneven to tell in {n}")),
        (count - faster - slower - uneven, _("no difference beyond noise in {n}")),
    )
    parts = ", ".join(text.format(n=language.number(number)) for number, text in counted if number)
    return _("Of {all} tests: {parts}.").format(all=language.number(count), parts=parts)


def _all_alike(comparison: Comparison, language: Language) -> str:
    """Return that all tests went the same way where none tells by itself: fourteen of fourteen are hardly chance."""
    ratios = sorted(case.second_s / case.first_s for case in comparison.cases)
    is_longer = ratios[0] > 1
    if len(ratios) < _SEVERAL or not (is_longer or ratios[-1] < 1):
        return ""
    _ = language.gettext
    text = _(
        "In all {all} tests B took less time, {share} in the middle: the computer may have been faster then. No test "
        "tells it by itself, for the pace changed too much."
    )
    if is_longer:
        text = _(
            "In all {all} tests B took more time, {share} in the middle: the computer may have been slower then. No "
            "test tells it by itself, for the pace changed too much."
        )
    share = abs(ratios[len(ratios) // 2] - 1)
    return text.format(all=language.number(len(ratios)), share=language.percent(share))


def _disturbance(comparison: Comparison, language: Language) -> str:
    """Return which of two checks other programs disturbed; empty: none that is known of."""
    _ = language.gettext
    first, second = (
        ratio >= DISTURBED_RATIO for ratio in (comparison.first_taken_ratio, comparison.second_taken_ratio)
    )
    if first and second:
        return _("Other programs disturbed both checks.")
    if first or second:
        return _("Other programs disturbed {check}.").format(check="A" if first else "B")
    return ""


def _compared_row(case: ComparedCase, language: Language) -> tuple[str, ...]:
    return (
        case_title(case.case, language),
        quantities.exact_seconds(case.first_s, language),
        quantities.exact_seconds(case.second_s, language),
        _difference(case, language),
        quantities.scatter(case.noise_ratio, language),
    )


def _difference(case: ComparedCase, language: Language) -> str:
    _ = language.gettext
    if case.is_too_noisy:
        return too_noisy(case, language)
    if not case.is_beyond_noise:
        return _("no difference")
    if case.speed_ratio > 1:
        return _("▲ {times} times as fast").format(times=quantities.factor(case.speed_ratio, language))
    return _("▼ {times} times as slow").format(times=quantities.factor(1 / case.speed_ratio, language))


def _compared_keys(case: ComparedCase, language: Language) -> tuple[float | str, ...]:
    return (
        case_title(case.case, language).casefold(),
        case.first_s,
        case.second_s,
        case.speed_ratio,
        case.noise_ratio,
    )
