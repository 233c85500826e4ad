"""The answer as the window shows it: the report's own sentences, what next, and the options beside it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from advisor.locale import Language
from advisor.records.job.advice import Option, Tier
from advisor.records.results.measured.measurement import DISTURBED_RATIO
from advisor.records.results.own_computer import best_here, falls_short, is_enough, is_untrusted, rests_on_tests
from advisor.records.results.report import Report
from advisor.report.content.answer import Answer, answer
from advisor.report.content.blocks import Paragraph
from advisor.report.content.job_changes import (
    change_lines,
    change_sentences,
    change_title,
    free_speed,
    is_of_other_job,
    slowed,
    without_others,
)
from advisor.report.content.options.best import best_options
from advisor.report.content.options.option_rows import OptionRow, option_row, over_months, time_origin
from advisor.report.content.sections import question
from advisor.report.provenance.beside import of_host, of_limit, of_start
from advisor.report.provenance.money import of_cost, of_price
from advisor.report.provenance.predictions import of_job, of_time
from advisor.report.provenance.record import Provenance
from advisor.report.provenance.verdict import of_finding
from advisor.report.words import quantities
from advisor.report.words.advice.doubt import asks_for_data
from advisor.report.words.advice.measured_job import measured_option, unused_sentence
from advisor.report.words.advice.money import is_beyond_budget, money_sentence, price_of_pretended
from advisor.report.words.advice.run_time import epochs_sentence
from advisor.report.words.advice.verdict import chosen_option, verdict_sentence
from advisor.report.words.diagnosis import COMMANDS, REMEDIES, gain_sentence, told_remedies
from advisor.report.words.labels import amount, money_between, named_amount, option_title, tier_name, with_article
from advisor.units import MONTH_S

KINDS: dict[Tier, str] = {"this_computer": "here", "single_gpu": "buy", "cloud": "rent", "cluster": "cluster"}
MOST_REASONS, _MOST_STEPS = 4, 2
_OF_THE_MOMENT = frozenset({"close_programs", "measure_again"})
_NOTICED = 0.01
"""Share by which a time or a cost must differ to be spoken of."""
_LITTLE = 0.05
"""The same between two computers, of which one was not measured."""


class Step(NamedTuple):
    """What to do next, in plain words with what it gains; how it is written, to be copied, and what is to know of that.

    Attributes:
        command, note: Empty where there is nothing to write.
    """

    text: str
    origin: Provenance | None
    command: str = ""
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class OptionChip:
    """One option in short: which of the four answers, its name, time and money, and where those come from.

    Attributes:
        time: Of a run, with its start where it is rented; empty where it cannot do the job.
        between: The ends of that time, of what is not the answer, whose sentence says them.
        held: What must be known beside the time: what holds it back here, or passes before it where it is rented; or
            why it cannot do the job.
        share: Of the longest of the times beside it with its start, from 0 to 1: of the run alone, as the figure is.
        start_share: The same of what passes before the run starts, where that is told.
        pick: What the chosen one is called; empty for the others.
    """

    kind: str
    answer: str
    title: str
    time: str
    between: str
    held: str
    share: float
    start_share: float
    cost: str
    total: str
    is_chosen: bool
    pick: str
    time_origin: Provenance
    held_origin: Provenance
    cost_origin: Provenance
    total_origin: Provenance


@dataclass(frozen=True, kw_only=True)
class VerdictView:
    """All texts of the answer.

    Attributes:
        language_code: Of all texts.
        question: The job in one line, with what was assumed of it, as whoever gets the answer reads it.
        kind: Which of the four answers: ``here``, ``buy``, ``rent`` or ``cluster``; empty where it is only supposed.
        answer: Its sentences, as in a report.
        epochs: What the usual epochs take where the job has fewer; empty where it has not.
        needs: What it takes beside the time, without what the option's card says.
        job_changes: What would make the job fit this computer or end sooner there, the title first; empty where it does
            well as it is.
        steps: What to do next on this computer, the most helpful first.
        chips: The best option of each answer.
        is_measured: Whether the answer rests on a measurement of the job itself on this computer.
        unused: Why not, where that was tried; empty where it was not.
        asks_for_data: Whether the time would be surer if the folder of the user's data were named.
        option_count: How many options were compared.
    """

    language_code: str
    question: Paragraph
    kind: str
    answer: Answer
    epochs: tuple[Paragraph, ...]
    needs: tuple[Paragraph, ...]
    job_changes: tuple[Paragraph, ...]
    steps: tuple[Step, ...]
    chips: tuple[OptionChip, ...]
    is_measured: bool
    unused: str
    asks_for_data: bool
    option_count: int


def verdict_view(report: Report, language: Language) -> VerdictView:
    """Return the answer in the user's language."""
    asked, chosen = question(report, language), chosen_option(report)
    said = answer(report, language)
    money = money_sentence(report, language) if _pays_electricity(chosen, report) else ""
    few = "" if report.workload.epochs_are_default else epochs_sentence(report, language)
    return VerdictView(
        language_code=language.code,
        question=Paragraph(asked, of_job(asked, report, language)),
        kind="" if said.tier is None else KINDS[said.tier],
        answer=said,
        epochs=tuple(one for one in said.facts[1:] if one.text == few),
        needs=tuple(one for one in said.facts[1:] if one.text not in {money, few}),
        job_changes=tuple(_job_changes(report, language)),
        steps=tuple(_steps(report, said, language)),
        chips=tuple(_chips(report, language)),
        is_measured=measured_option(report) is not None,
        unused=unused_sentence(report, language),
        asks_for_data=chosen is not None and asks_for_data(chosen, report),
        option_count=len(report.advice.options),
    )


def _pays_electricity(option: Option | None, report: Report) -> bool:
    """Return whether an option costs electricity and nothing else: then its card says so."""
    if option is None or option.tier != "this_computer" or option.obstacle == "does_not_fit":
        return False
    return bool(option.run_usd) and price_of_pretended(report, option) is None


def _steps(report: Report, shown: Answer, language: Language) -> Iterator[Step]:
    """Yield what would fix the worst that was found, each with what it gains; nothing where the answer is elsewhere.

    Nobody measures again, or closes programs, on a computer of which a part is only thought of; what the answer says
    above is not said again.
    """
    if report.advice.tier != "this_computer":
        return
    left_out = {"measure_again"} if is_untrusted(report) or _is_quiet(report) else set()
    if not rests_on_tests(report):  # nothing that it rests on was disturbed
        left_out |= _OF_THE_MOMENT
    closing, factor = slowed(report)
    if set(free_speed(report, language)) & set(shown.twice):
        left_out.add("close_programs")
    found = [one for one in report.findings if told_remedies(one, report) and one.severity != "none"]
    found = [one for one in found if not is_of_other_job(one, report)]
    found = [one for one in found if one.remedies[0] not in left_out]
    is_beside = factor < 1.0 + _LITTLE  # they ran beside other tests than the job's
    if is_beside and not (_is_quiet(report) and _is_disturbed(report)):
        found = [one for one in found if one is not closing]
    if report.is_simulated:
        found = [one for one in found if one.remedies[0] not in _OF_THE_MOMENT]
    for finding in found[:_MOST_STEPS]:
        remedy = finding.remedies[0]
        command, note = COMMANDS.get(remedy, ("", ""))
        gain = Paragraph(gain_sentence(finding, language), of_finding(finding, report, language))
        if finding is closing:
            counted = Paragraph(language.gettext("Your job itself was timed while they were quiet."))
            gain = counted if is_beside else without_others(report, language)
        said = " ".join(filter(None, (language.gettext(REMEDIES[remedy]), gain.text)))
        yield Step(said, gain.origin, command, language.gettext(note) if note else "")


def _is_disturbed(report: Report) -> bool:
    """Return whether others took a share of the check that is worth a word."""
    return report.benchmark is not None and report.benchmark.load_ratio >= DISTURBED_RATIO


def _is_quiet(report: Report) -> bool:
    """Return whether others ran beside tests of the check, but not beside those that the time here rests on.

    Without them it would be the same.
    """
    here, benchmark = best_here(report), report.benchmark
    if here is None or here.prediction is None or benchmark is None:
        return False
    loaded = {
        one.case.id for one in benchmark.measurements if any(seen.kind == "other_load" for seen in one.conditions)
    }
    rests_on = {one.case.id for one in benchmark.measurements} & set(here.prediction.basis_detail)
    return bool(loaded and rests_on) and benchmark.taken_ratio(rests_on) < _LITTLE


def _job_changes(report: Report, language: Language) -> Iterator[Paragraph]:
    if report.changes is not None:
        yield Paragraph(change_title(report, language))
        yield from change_sentences(report, language)
        yield from change_lines(report, language)


def _chips(report: Report, language: Language) -> Iterator[OptionChip]:
    """Yield the chosen option, then the best of every other answer that can do the job."""
    options = best_options(report)
    able = [one for one in options if one.run_s is not None and one.obstacle != "does_not_fit"]
    rows = {one.id: option_row(one, report, language, is_alone=True) for one in options}
    starts_s = {one.id: one.before_s if rows[one.id].start else 0.0 for one in options}
    longest_s = max(((one.run_s or 0.0) + starts_s[one.id] for one in able), default=0.0)
    pick = language.gettext("our pick with these parts") if report.is_simulated else language.gettext("our pick")
    pick = language.gettext("comes closest") if falls_short(report) else pick
    for option in options:
        row = rows[option.id]
        is_able = option in able
        held, held_origin = _beside_time(option, row, report, language)
        yield OptionChip(
            kind=KINDS[option.tier],
            answer=tier_name(option.tier, language),
            title=row.title,
            time=row.time if is_able else "",
            between=row.interval if is_able else "",
            held=held if is_able else row.remark,
            share=(option.run_s or 0.0) / longest_s if longest_s and is_able else 0.0,
            start_share=starts_s[option.id] / longest_s if longest_s and is_able else 0.0,
            cost=_cost_of_run(option, row, report, language) if is_able else "",
            total=over_months(row, report, language) if is_able else "",
            is_chosen=option.id == report.advice.chosen,
            pick=pick if option.id == report.advice.chosen else "",
            time_origin=time_origin(option, report, language),
            held_origin=held_origin if is_able else of_time(option, report, language),
            cost_origin=of_price(option, report, language),
            total_origin=of_cost(option, report, language),
        )


def _cost_of_run(option: Option, row: OptionRow, report: Report, language: Language) -> str:
    """Return what a run costs; of this computer also what for."""
    if not _pays_electricity(option, report):
        dear = language.gettext("beyond your budget") if is_beyond_budget(option, report) else ""
        said = f"{row.cost} ({row.price})" if row.price else row.cost
        return ", ".join(filter(None, (said, dear)))
    text = language.gettext("{amount} of electricity a run")
    return text.format(amount=named_amount(option.run_usd or 0.0, report, language))


def _beside_time(option: Option, row: OptionRow, report: Report, language: Language) -> tuple[str, Provenance]:
    """Return what must be known beside a time, and where the number in it comes from."""
    if held := _held_back(option, report, language):
        return held, of_limit(option, report, language)
    if row.host:
        is_waiting = option.prediction is not None and option.prediction.limit == "input" and option.is_card
        text = language.gettext("{computer}; its processor is the slow part") if is_waiting else "{computer}"
        return text.format(computer=row.host), of_host(option, report, language)
    return row.start, of_start(option, report, language)


def _held_back(option: Option, report: Report, language: Language) -> str:
    """Return that a time of this computer is not to be trusted, or that its card waits for the processor.

    A weaker card beside a better processor may be faster.
    """
    if option.tier == "this_computer" and is_untrusted(report):
        return language.gettext("as far as we can tell")
    if option.tier != "this_computer" or option.prediction is None or not option.is_card:
        return ""
    cores = report.machine.host.cpu.physical_cores
    if option.prediction.limit != "input" or not cores:
        return ""
    text = language.ngettext("held back by {n} processor core", "held back by {n} processor cores", cores)
    return text.format(n=language.number(cores))


def effect_sentence(before: Report, after: Report, language: Language) -> str:
    """Return what a change in the question did to the time here and to the cost of the pick; empty: another computer.

    Args:
        before: The answer before the change.
        after: The answer to the changed question.
        language: To say it in.
    """
    if before.machine != after.machine:
        return ""
    _ = language.gettext
    parts = []
    was, now = chosen_option(before), chosen_option(after)
    if was is not None and now is not None and was.id != now.id:
        text = _("we now recommend {option} instead of {before}")
        if falls_short(before) or falls_short(after):  # what only comes closest is not recommended
            text = _("{option} now comes closest") if falls_short(after) else _("we now recommend {option}")
        titles = [with_article(one, option_title(one, language), language) for one in (now, was)]
        parts.append(text.format(option=titles[0], before=titles[1]))
    first, second = _time_here(before), _time_here(after)
    if first and second and abs(second - first) > _NOTICED * first:
        parts.append(_changed_time(first, second, language))
    first, second = _cost(before), _cost(after)
    if first is not None and second is not None and abs(second - first) > _NOTICED * first:
        difference = signed(money_between(second, first, after, language), is_more=second > first)
        months = quantities.months(after.circumstances.horizon_months, language)
        text = _("{cost} in {months} for the recommended option ({difference})")
        if falls_short(after):
            text = _("{cost} in {months} for what comes closest ({difference})")
        parts.append(text.format(cost=amount(second, after, language), months=months, difference=difference))
    facts = _("After this change: {facts}.").format(facts="; ".join(parts)) if parts else ""
    if facts and _is_slowed_by_format(before, after):
        reason = _("This processor computes 32 bits faster than 16.")
        facts = f"{facts} {reason}"
    verdict = verdict_sentence(after, language)
    if verdict == verdict_sentence(before, language) or was is None or now is None or was.id != now.id:
        return facts or _("This change makes no difference to time or cost.")
    said = _("The answer is now: “{verdict}”").format(verdict=verdict)
    return " ".join((said, facts or _("Time and cost stay as they are.")))


def _is_slowed_by_format(before: Report, after: Report) -> bool:
    """Return whether the change was to a format that this computer's processor computes more slowly than 32 bits."""
    is_other = before.workload.precision != after.workload.precision
    return is_other and after.changes is not None and any(one.code == "fp32" for one in after.changes.changes)


def _changed_time(before_s: float, time_s: float, language: Language) -> str:
    """Return the new time beside the one before it; where both are said alike, by how much they differ."""
    time = quantities.duration(time_s, language)
    if quantities.duration_alike(before_s, time_s):
        difference = signed(quantities.difference(before_s, time_s, language), is_more=time_s > before_s)
        return language.gettext("{time} a run on this computer ({difference})").format(time=time, difference=difference)
    text = language.gettext("{time} a run on this computer instead of {before}")
    return text.format(time=time, before=quantities.duration(before_s, language))


def pretence_sentence(own: Report, pretended: Report, language: Language) -> str:
    """Return what other parts change for a job; empty where the two answers are to different questions.

    Args:
        own: The answer for this computer as it is.
        pretended: The answer for it with other parts.
        language: To say it in.
    """
    if (own.workload, own.circumstances) != (pretended.workload, pretended.circumstances):
        return ""
    _ = language.gettext
    now_best, then_best = best_here(own, fits=True), best_here(pretended, fits=True)
    now_s, then_s = (None if best is None else best.run_s for best in (now_best, then_best))
    now = "" if now_s is None else quantities.duration(now_s, language)
    then = "" if then_best is None else _with_range(then_best, language)
    if then_s is None:
        return _("With these parts it cannot do this job either.") if now_s is None else ""
    if now_s is None:
        return _("Your computer as it is cannot do this job; with these parts a run takes {then}.").format(then=then)
    if is_untrusted(own):
        said = _("What these parts change will be known after a check without other programs.")
        if now_best is not None and then_best is not None and then_best.device != now_best.device:
            said = _(
                "A run takes {then} with these parts. How much time they save will be known after a check without"
                " other programs."
            ).format(then=then)
        enough = _("As it is, your computer is probably enough.") if is_enough(own) else ""
        return " ".join(filter(None, (said, _price_of_card(own, pretended, language), enough)))
    if quantities.duration_alike(now_s, then_s) or abs(now_s - then_s) < _LITTLE * now_s:
        return _("A run takes {now}, as on your computer as it is: these parts change nothing.").format(now=now)
    said = _("A run takes {then} with these parts, instead of {now} on your computer as it is.").format(
        then=then, now=now
    )
    enough = _("As it is, your computer is enough.") if is_enough(own) else ""
    return " ".join(filter(None, (said, _price_of_card(own, pretended, language), enough)))


def _with_range(option: Option, language: Language) -> str:
    """Return how long a run takes, with the ends of its range where they are not told alike."""
    run_s, ends = option.run_s or 0.0, option.interval
    if ends is None:
        return quantities.duration(run_s, language)
    return quantities.duration_with_range(run_s, ends.low, ends.high, language)


def _price_of_card(own: Report, pretended: Report, language: Language) -> str:
    """Return what the card costs that is only thought of: the answer below counts it as owned."""
    owned = {one.name for one in own.machine.accelerators}
    added = {f"buy/{one.name}" for one in pretended.machine.accelerators if one.name not in owned}
    sold = next((one for one in own.advice.options if one.id in added), None)
    if sold is None or sold.purchase_usd <= sold.host_usd:
        return ""
    text = language.gettext("Below, “This computer” counts the card as bought already: about {price}.")
    if sold.host_usd > 0:
        text = language.gettext(
            "Below, “This computer” counts the card as bought already: about {price}, or {whole} with a new PC."
        )
    whole = amount(sold.purchase_usd, own, language)
    return text.format(price=amount(sold.purchase_usd - sold.host_usd, own, language), whole=whole)


_NO_BREAK = "\N{WORD JOINER}"


def signed(text: str, *, is_more: bool) -> str:
    """Return a difference with its sign, from which no line breaks: one does between a sign and that of a currency."""
    sign = "+" if is_more else "\N{MINUS SIGN}"
    return f"{sign}{'' if text[:1].isdecimal() else _NO_BREAK}{text}"


def _time_here(report: Report) -> float | None:
    return next((one.run_s for one in report.advice.options if one.tier == "this_computer"), None)


def _cost(report: Report) -> float | None:
    """Return what the pick costs over the months of use; None where not even one run ends in them."""
    chosen = chosen_option(report)
    if chosen is None or (chosen.run_s or 0.0) > report.circumstances.horizon_months * MONTH_S:
        return None
    return chosen.horizon_usd
