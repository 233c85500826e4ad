"""The answer beside its alternatives: a row for each, and the sentences that compare them."""

from collections.abc import Iterator, Sequence

from advisor.locale import Language
from advisor.records.job.advice import Option, Reason, TradeRole, TradeRow
from advisor.records.job.best import SAME_TIME_RATIO
from advisor.records.results.own_computer import is_untrusted
from advisor.records.results.report import Report
from advisor.report.content.blocks import Paragraph, Section, Table
from advisor.report.content.job_changes import TWICE, free_remedies, free_speed, slowed, twice_changes
from advisor.report.content.options.best import best_options
from advisor.report.content.options.option_rows import option_row, pick_phrase, time_origin
from advisor.report.provenance.money import of_cost, of_instead
from advisor.report.provenance.predictions import of_time
from advisor.report.provenance.record import Provenance
from advisor.report.provenance.verdict import of_comparison, of_slowing
from advisor.report.words import quantities
from advisor.report.words.advice.money import price_of_pretended
from advisor.report.words.advice.trade import (
    comparison_sentence,
    given_up_phrase,
    role_phrase,
    staying_sentence,
    twice_sentence,
)
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.labels import limit_phrase, whole_title, with_article
from advisor.units import HOUR_S

_TWICE = ("twice", "twice_none")
_PASSED_OVER = ("stay_or_rent", "stay_or_buy", "rather_quick")
"""What names a quicker option; where that is also what twice the speed costs, the latter says it all."""


def trade_sentences(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield the sentences that compare the answer with the others, each with where its numbers come from.

    What costs nothing comes before what is paid for, here too: whoever gets a page reads no window.
    """
    free = tuple(free_in_time(report, language))
    yield from free
    if not free and any(reason.code in _TWICE and "is_answer" not in reason.values for reason in _reasons(report)):
        yield from free_speed(report, language)
    for reason in _reasons(report):
        if reason.code in _TWICE:
            yield from twice_changes(report, language)
        yield Paragraph(comparison_sentence(reason, report, language), _origin(reason, report, language))
        if reason.code in _TWICE:
            yield from free_remedies(report, language)


def twice_sentences(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield what it takes to be at least twice as fast as this computer, for where that stands by itself.

    Where the answer is that very option, it says all of it.

    The times of the options that stand beside it, the best of each answer, are not said again. What costs nothing
    comes first: a rent for $0.33 stood above "close other programs: up to 5.3 times as fast". What is free
    and need not be twice as fast comes last.
    """
    best = best_options(report)
    beside = {one.id for one in best}
    for reason in _reasons(report):
        if reason.code in _TWICE and "is_answer" not in reason.values:
            if not any(free_in_time(report, language)):  # which the answer begins with
                yield from free_speed(report, language)
            yield from twice_changes(report, language)
            said = twice_sentence(reason, report, language, alone=True, is_shown=reason.values.get("option") in beside)
            said = f"{said} {_as_quick_for_less(reason, best, report, language)}".rstrip()
            said = f"{said} {_staying_beside(reason, report, language)}".rstrip()
            yield Paragraph(said, _origin(reason, report, language))
            yield from free_remedies(report, language)


def _staying_beside(twice: Reason, report: Report, language: Language) -> str:
    """Return why this computer stays the answer beside what is twice as fast and costs less; empty: it is not so."""
    named = twice.values.get("option")
    said = (staying_sentence(one, language) for one in _reasons(report) if one.values.get("option") == named)
    return next(filter(None, said), "")


def _as_quick_for_less(reason: Reason, best: Sequence[Option], report: Report, language: Language) -> str:
    """Return why a purchase is named that is not the one beside it: as quick for less; empty: it is not so."""
    sold = {one.id: one for one in report.advice.options if one.tier == "single_gpu"}
    named = sold.get(str(reason.values.get("option")))
    beside = next((one for one in best if one.tier == "single_gpu"), None)
    if named is None or beside is None or named.purchase_usd >= beside.purchase_usd:
        return ""
    if named.done_s > SAME_TIME_RATIO * beside.done_s:
        return ""
    text = language.gettext("It is as quick for this job as {rival}, for less.")
    return text.format(rival=with_article(beside, whole_title(beside, language), language))


def free_in_time(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield that this computer may be in time for nothing, where something else is the answer since it is too late."""
    found, factor = slowed(report)
    chosen, options = chosen_option(report), report.advice.options
    here = next((one for one in options if one.id == "here/cpu" and one.obstacle == "misses_deadline"), None)
    if found is None or here is None or here.run_s is None or chosen is None or chosen.tier == "this_computer":
        return
    low_s, deadline_s = here.run_s / factor, here.obstacle_values.get("deadline_s", 0.0)
    if here.interval is not None and (factor >= TWICE or is_untrusted(report)):  # wide because of them
        low_s = min(low_s, here.interval.low)
    if low_s > deadline_s:
        return
    text = language.gettext(
        "Before you pay for it, close other programs and check again: it costs nothing, and a run here may then take "
        "as little as {time}. You allow {deadline}."
    )
    if report.circumstances.deadline_s is None:
        text = language.gettext(
            "Before you pay for it, close other programs and check again: it costs nothing, and a run here may then "
            "take as little as {time}. You gave no deadline; {deadline} is assumed."
        )
    time, deadline = (quantities.duration(one, language) for one in (low_s, deadline_s))
    yield Paragraph(text.format(time=time, deadline=deadline), of_slowing(found, factor, report, language))


def other_sentences(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield what ``trade_sentences`` says and ``twice_sentences`` does not."""
    twice = {reason.values.get("option") for reason in _reasons(report) if reason.code in _TWICE} - {None}
    yield from free_in_time(report, language)
    for reason in _reasons(report):
        is_twice = reason.values.get("option") in twice
        is_said = is_twice and (reason.code in _PASSED_OVER or staying_sentence(reason, language))
        if reason.code == "stay_overnight" and is_twice:
            yield Paragraph(language.gettext("One run fits into a night."))
        elif reason.code not in _TWICE and not is_said:
            yield Paragraph(comparison_sentence(reason, report, language), _origin(reason, report, language))


def _reasons(report: Report) -> tuple[Reason, ...]:
    """Return the comparisons, without that nothing is twice as fast as a computer of which nobody knows how fast it is.

    What something costs that most likely is can be told: it does not rest on the check. A card that is only thought of
    is compared with nothing: its own price would not be in what others cost more. What is twice as fast is told with
    its own cost.
    """
    found = () if report.advice.trade is None else report.advice.trade.reasons
    chosen = chosen_option(report)
    if chosen is not None and price_of_pretended(report, chosen) is not None:
        return tuple(_by_itself(one) for one in found if one.code in _TWICE)
    return tuple(one for one in found if one.code != "twice_none") if is_untrusted(report) else found


def _by_itself(reason: Reason) -> Reason:
    """Return what is twice as fast without what it costs more, and without a sentence before it."""
    kept = {name: value for name, value in reason.values.items() if name not in {"base_usd", "is_named"}}
    return Reason(code=reason.code, values=kept)


def _origin(reason: Reason, report: Report, language: Language) -> Provenance:
    options = {option.id: option for option in report.advice.options}
    about = options.get(str(reason.values.get("option")))
    chosen = options.get(str(reason.values.get("base"))) or chosen_option(report)
    if about is not None and chosen is not None:
        return of_instead(about, chosen, report, language)
    if chosen is not None:
        return of_time(chosen, report, language)  # how much of a month the runs take
    return of_comparison(report, language)


def trade_section(report: Report, language: Language) -> Section:
    """Return the options worth weighing side by side; empty where the answer has no alternative."""
    _ = language.gettext
    title = _("The answer beside its alternatives")
    trade = report.advice.trade
    options = {option.id: option for option in report.advice.options}
    rows = [(row, options[row.option]) for row in (() if trade is None else trade.rows) if row.option in options]
    if len(rows) < 2:
        return Section("trade", title, ())
    header = (
        _("Option"),
        _("Time of a run"),
        _("In all")
        if report.circumstances.is_once
        else _("In {months}").format(months=quantities.months(report.circumstances.horizon_months, language)),
        _("Hours in all") if report.circumstances.is_once else _("Hours a month"),
        _("What holds it back"),
        _("What you give up"),
    )
    table = Table(
        header,
        tuple(_cells(row, option, report, language) for row, option in rows),
        numeric=frozenset({1, 2, 3}),
        marked=0,
        tiers=tuple(option.tier for _row, option in rows),
        origins=tuple(
            (
                None,
                time_origin(option, report, language),
                of_cost(option, report, language),
                of_time(option, report, language),
                None,
                of_comparison(report, language),
            )
            for _row, option in rows
        ),
    )
    return Section("trade", title, (table,))


def _role(role: TradeRole, report: Report, language: Language) -> str:
    return pick_phrase(report, language) if role == "recommended" else role_phrase(role, language)


def _cells(row: TradeRow, option: Option, report: Report, language: Language) -> tuple[str, ...]:
    shown = option_row(option, report, language)
    limit = "unknown" if option.prediction is None else option.prediction.limit
    asked = report.circumstances
    busy_s = row.busy_s * (asked.horizon_months if asked.is_once else 1.0)
    return (
        f"{shown.title}\n{', '.join(_role(role, report, language) for role in row.roles)}",
        "\n".join(filter(None, (shown.time, shown.interval, shown.start))),
        shown.horizon,
        quantities.round_count(busy_s / HOUR_S, language),
        limit_phrase(limit, language),
        "; ".join(given_up_phrase(one, report, language) for one in row.gives_up) or language.gettext("nothing"),
    )
