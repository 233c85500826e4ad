"""Where the numbers in an answer's sentences come from: reasons, next steps, what would change it, and rules."""

from collections.abc import Collection, Iterable, Iterator

from msgspec.structs import replace

from advisor.locale import Language
from advisor.records.base import Basis
from advisor.records.job.advice import FiredRule, Flip, Option, Reason
from advisor.records.results.diagnosis import Finding
from advisor.records.results.own_computer import best_here
from advisor.records.results.report import Report
from advisor.report.provenance.check_command import report_command
from advisor.report.provenance.money import of_cost
from advisor.report.provenance.predictions import of_memory, of_time
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.advice.rules import rule_source, rule_title
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.diagnosis import finding_sentence, finding_title, gain_sentence, seen_in
from advisor.report.words.labels import basis_phrase, spoken_date


def of_quantity(names: Collection[str], option: Option, report: Report, language: Language) -> Provenance:
    """Return where a number about an option comes from, by the unit its name ends in."""
    units = {name.rpartition("_")[2] for name in names}
    if "bytes" in units:
        return of_memory(option, report, language)
    return (of_cost if "usd" in units else of_time)(option, report, language)


def of_reason(reason: Reason, report: Report, language: Language) -> Provenance:
    """Return where the numbers of a reason come from."""
    option = chosen_option(report)
    return of_comparison(report, language) if option is None else of_quantity(reason.values, option, report, language)


def of_finding(finding: Finding, report: Report, language: Language) -> Provenance:
    """Return what was measured that a finding, and the gain it promises, rest on."""
    _ = language.gettext
    is_predicted = any(one.source == "prediction" for one in finding.evidence)
    is_earlier = any(one.source == "earlier" for one in finding.evidence)  # another check's
    started_at = "" if report.benchmark is None or is_predicted or is_earlier else report.benchmark.started_at
    return Provenance(
        figure=f"/findings/{report.findings.index(finding)}",
        title=finding_title(finding, language),
        value=gain_sentence(finding, language) or finding_sentence(finding, report, language),
        basis=basis_phrase(_predicted_basis(finding, report) if is_predicted else "measured", language),
        inputs=tuple(_seen(finding, report, language)),
        method=_("no more can be gained than the time that is lost now"),
        source=seen_in(finding, report, language),
        date=spoken_date(started_at, language) if started_at else "",
        check=report_command(report),
    )


def _predicted_basis(finding: Finding, report: Report) -> Basis:
    """Return what the prediction rests on that was made of the job on the device of a finding."""
    own = (one for one in report.advice.options if one.tier == "this_computer" and one.prediction is not None)
    about = (one.prediction for one in own if one.is_card == (finding.device != "cpu"))
    return next((one.basis for one in about if one is not None), "modelled")


def of_slowing(finding: Finding, factor: float, report: Report, language: Language) -> Provenance:
    """Return where it comes from how many times as fast the job may be here without other programs."""
    _ = language.gettext
    said, lost = quantities.factor(factor, language), _lost_share(factor, language)
    text = _("{factor} = 1 ÷ (1 − {taken}), the share of its time that others may have cost it while it was measured")
    least = (_("At most"), text.format(factor=said, taken=lost))
    seen = [(_("What was seen"), finding_sentence(finding, report, language))] if finding.evidence else []
    found = of_finding(finding, report, language)
    value = _("up to about {factor} times as fast").format(factor=said)
    return replace(found, value=value, inputs=(*seen, least, *_wider_range(factor, report, language)))


_MOST_DIGITS = 3


def _lost_share(factor: float, language: Language) -> str:
    """Return the share of time that is lost, with as many digits as whoever works it out again needs for the factor."""
    lost = 1.0 - 1.0 / factor
    for digits in range(_MOST_DIGITS):
        told = round(lost, 2 + digits)
        if told < 1 and quantities.factor(1.0 / (1.0 - told), language) == quantities.factor(factor, language):
            return language.percent(lost, digits)
    return language.percent(lost, _MOST_DIGITS)


def _wider_range(factor: float, report: Report, language: Language) -> Iterator[tuple[str, str]]:
    """Yield why the range of the time here begins below what the factor leaves of it, where it does."""
    best = best_here(report)
    if best is None or best.run_s is None or best.interval is None or best.interval.low >= best.run_s / factor:
        return
    _ = language.gettext
    least, low = (quantities.duration(time_s, language) for time_s in (best.run_s / factor, best.interval.low))
    if least != low:
        text = _("so a run would take {time} or more; its range begins at {low}, for the estimate may be off as well")
        yield _("Time"), text.format(time=least, low=low)


def _seen(finding: Finding, report: Report, language: Language) -> Iterator[tuple[str, str]]:
    """Yield the numbers that a finding and its gain rest on."""
    _ = language.gettext
    if finding.evidence:
        yield _("What was seen"), finding_sentence(finding, report, language)
    if finding.kind == "other_load" and finding.gain is not None and finding.gain.high > 1:
        factor = quantities.factor(finding.gain.high, language)
        text = _("{factor} = 1 ÷ (1 − {taken}), what others took on average over all measurements")
        yield _("At most"), text.format(factor=factor, taken=_lost_share(finding.gain.high, language))
    waits = next((one.value for one in finding.evidence if one.name == "waiting_ratio"), 0.0)
    if finding.gain is not None and waits > 0.0 and finding.gain.high == 1.0 / (1.0 - waits):
        factor = quantities.factor(finding.gain.high, language)
        text = _("{factor} = 1 ÷ (1 − {taken}), the share of a step in which it waits for its data")
        yield _("At most"), text.format(factor=factor, taken=_lost_share(finding.gain.high, language))


def of_flip(flip: Flip, report: Report, language: Language) -> Provenance:
    """Return how a number that would change the answer was found."""
    _ = language.gettext
    option = next((one for one in report.advice.options if one.id == flip.option), None)
    found = of_comparison(report, language) if option is None else of_time(option, report, language)
    if flip.fact == "deadline_s" and isinstance(flip.then, float):
        found = _of_limit(flip.then, [chosen_option(report), option], report, language)
    return replace(
        found,
        figure=f"/advice/flips/{report.advice.flips.index(flip)}",
        method=_("every option decided again with this one thing changed, until another came first"),
    )


def _of_limit(limit_s: float, options: Iterable[Option | None], report: Report, language: Language) -> Provenance:
    """Return where a deadline comes from at which the answer changes: the times of both answers, with their ranges."""
    times = [of_time(one, report, language) for one in options if one is not None]
    found = times[-1] if times else of_comparison(report, language)
    ranges = tuple((one.title, f"{one.value} ({one.band})" if one.band else one.value) for one in times)
    return Provenance(
        title=language.gettext("What would change this answer"),
        value=quantities.duration(limit_s, language),
        basis=times[0].basis if times else found.basis,
        inputs=ranges or found.inputs,
        check=found.check,
    )


def of_rule(fired: FiredRule, report: Report, language: Language) -> Provenance:
    """Return which article a rule is from; the numbers of this computer in it are those of the answer."""
    _ = language.gettext
    advice = report.advice
    kind, rules = ("fired", advice.fired) if fired in advice.fired else ("nearly", advice.nearly)
    return Provenance(
        figure=f"/advice/{kind}/{rules.index(fired)}",
        title=rule_title(fired, language),
        value=_("A rule of the articles"),
        basis=basis_phrase("published", language),
        method=_("the article's own numbers; those of this computer and this job are the ones of the answer above"),
        source=rule_source(fired, language),
        date=spoken_date(report.created_at, language),
        check="advisor --list rules",
    )


def of_comparison(report: Report, language: Language) -> Provenance:
    """Return where what is said of all options together comes from."""
    _ = language.gettext
    return Provenance(
        figure="/advice/options",
        title=_("Options"),
        value=language.number(len(report.advice.options)),
        basis=basis_phrase("modelled", language),
        method=_("time, memory and cost of the job on every option"),
        date=spoken_date(report.created_at, language),
        check=report_command(report),
    )
