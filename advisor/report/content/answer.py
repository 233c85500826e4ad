"""The answer in sentences, each with where its figures come from; window and reports lay out the same ones."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from advisor.locale import Language
from advisor.records.job.advice import FiredRule, Option, Reason, Tier
from advisor.records.results.measured.measurement import DISTURBED_RATIO, Benchmark
from advisor.records.results.own_computer import best_here, falls_short, is_untrusted
from advisor.records.results.report import Report
from advisor.report.content.blocks import Item, Paragraph
from advisor.report.content.job_changes import change_that_would_do
from advisor.report.content.options.best import best_options
from advisor.report.content.options.trade import other_sentences, trade_sentences, twice_sentences
from advisor.report.provenance.measurements import of_run
from advisor.report.provenance.money import of_price
from advisor.report.provenance.predictions import of_memory, of_time
from advisor.report.provenance.record import Provenance
from advisor.report.provenance.verdict import of_comparison, of_flip, of_reason, of_rule
from advisor.report.words.advice.doubt import doubt_sentence
from advisor.report.words.advice.earlier_check import earlier_sentence
from advisor.report.words.advice.flips import flip_sentence
from advisor.report.words.advice.interference import is_worked_out, taken_ratio
from advisor.report.words.advice.measured_job import measured_option, measured_sentence, worked_out_sentence
from advisor.report.words.advice.memory import memory_sentence
from advisor.report.words.advice.money import money_sentence
from advisor.report.words.advice.own_ratio import own_ratio_sentence
from advisor.report.words.advice.reasons import disagreement_sentence, reason_sentence
from advisor.report.words.advice.rules import rule_sentence, rule_source, rule_title
from advisor.report.words.advice.run_time import epochs_sentence, start_sentence, time_sentence, with_and_without_others
from advisor.report.words.advice.verdict import chosen_option, confidence_sentence, is_doubtful, verdict_sentence
from advisor.report.words.problems import load_sentence

_SAID_BY_FACTS = frozenset({"card_against_processor", "fits_here_with", "in_time_here"})
"""Reasons whose figures the facts have, unless a deadline is asked that they lack."""
_CUT_SHORT = frozenset({"cancelled", "no_time", "skipped"})


class Answer(NamedTuple):
    """All sentences of the answer.

    Attributes:
        headline: Who or what, nothing else.
        tier: Whose colour it wears; None where it only supposes that, or nothing does what was asked.
        facts: Time, memory and money.
        alternatives: What the alternatives would change of that.
        others: The same without what it takes to be twice as fast, and that by itself in ``twice``.
        confidence: How sure the time is.
        doubt: What makes its range wide; empty where it is not.
        notes: What must be known to read it rightly, such as that the computer was given by hand.
        reasons: Why, most important first.
        beside_facts: The same without those that the facts say already, for where both stand beside each other.
        rules: What the articles' rules say that hold here, in their order.
        disagreement: Why the numbers say otherwise; None where they agree.
        changes: What would change the answer.
    """

    headline: Paragraph
    tier: Tier | None
    facts: tuple[Paragraph, ...]
    alternatives: tuple[Paragraph, ...]
    others: tuple[Paragraph, ...]
    twice: tuple[Paragraph, ...]
    confidence: Paragraph
    doubt: str
    notes: tuple[Paragraph, ...]
    reasons: tuple[Paragraph, ...]
    beside_facts: tuple[Paragraph, ...]
    rules: tuple[Item, ...]
    disagreement: Paragraph | None
    changes: tuple[Paragraph, ...]

    @property
    def sentences(self) -> tuple[Paragraph, ...]:
        """Everything that is said below the headline, in its order."""
        return self.facts + self.alternatives


def answer(report: Report, language: Language) -> Answer:
    """Return the answer in the user's language."""
    advice, option = report.advice, chosen_option(report)
    origin = of_comparison(report, language) if option is None else of_time(option, report, language)
    why_not = disagreement_sentence(report, language)
    would_do = tuple(change_that_would_do(report, language))
    notes = tuple(answer_notes(report, language))
    return Answer(
        headline=Paragraph(verdict_sentence(report, language), origin),
        tier=None if is_doubtful(report) or falls_short(report) else advice.tier,
        facts=tuple(one for one in _facts(report, language) if one.text),
        alternatives=(*would_do, *trade_sentences(report, language)),
        others=(*would_do, *other_sentences(report, language)),
        twice=tuple(twice_sentences(report, language)),
        confidence=Paragraph(confidence_sentence(report, language), _with_reason(origin, notes, language)),
        doubt="" if option is None else doubt_sentence(option, report, language),
        notes=notes,
        reasons=tuple(_reasons(advice.reasons, report, language)),
        beside_facts=tuple(_reasons(tuple(filter(_adds, advice.reasons)), report, language)),
        rules=tuple(rule_item(one, report, language) for one in advice.fired),
        disagreement=Paragraph(why_not, origin) if why_not else None,
        changes=tuple(
            Paragraph(flip_sentence(flip, report, language), of_flip(flip, report, language)) for flip in advice.flips
        ),
    )


def _with_reason(origin: Provenance | None, notes: Sequence[Paragraph], language: Language) -> Provenance | None:
    """Return where the time comes from, with what makes it less sure before all that it was worked out from."""
    name = language.gettext("Why not more certain")
    if origin is None or not notes or any(notes[0].text in text for _name, text in origin.inputs):
        return origin
    return replace(origin, inputs=((name, notes[0].text), *(one for one in origin.inputs if one[0] != name)))


def rule_item(fired: FiredRule, report: Report, language: Language) -> Item:
    """Return what a rule of the articles says, under its title, with the article it is from."""
    text, title = rule_sentence(fired, report, language), rule_title(fired, language)
    if fired.rule.id == "gpu_over_cpu_expected":
        text = " ".join(filter(None, (text, own_ratio_sentence(report, best_options(report), language))))
    return Item(text, lead=title, source=rule_source(fired, language), origin=of_rule(fired, report, language))


def _facts(report: Report, language: Language) -> Iterator[Paragraph]:
    option = chosen_option(report)
    said = (
        (time_sentence, of_time, option),
        (epochs_sentence, of_time, option),
        (memory_sentence, of_memory, option),
        (money_sentence, of_price, option),
        (start_sentence, of_price, option),
    )
    for sentence, origin, about in said:
        yield Paragraph(sentence(report, language), None if about is None else origin(about, report, language))


def _adds(reason: Reason) -> bool:
    """Return whether a reason says what the facts do not."""
    return reason.code not in _SAID_BY_FACTS or "deadline_s" in reason.values


def _reasons(reasons: Sequence[Reason], report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield the reasons, and after the first of them what the time of this computer rests on."""
    tested = measured_sentence(report, language)
    here = measured_option(report) if tested else chosen_option(report)
    origin = None if here is None else of_time(here, report, language)
    measured = Paragraph(tested or worked_out_sentence(report, language), origin)
    earlier = Paragraph(earlier_sentence(report, language), origin)
    said = [Paragraph(reason_sentence(one, report, language), of_reason(one, report, language)) for one in reasons]
    yield from (one for one in (*said[:1], measured, earlier, *said[1:]) if one.text)


def answer_notes(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield what must be known to read the answer rightly; where a figure stands behind it, where that comes from."""
    _ = language.gettext
    if report.is_simulated:
        yield Paragraph(_("Based on parts you entered, not on measurements."))
    elif report.benchmark is None or not report.benchmark.measurements:
        yield Paragraph(_("Nothing was measured: all times are worked out from published specifications."))
    if report.benchmark is not None:
        # where the job itself was measured, its time does not rest on the tests that had no time any more
        is_of_tests = not report.is_simulated and measured_option(report) is None
        if is_of_tests and (few := _few_tests(report.benchmark, language)):
            yield Paragraph(few, of_run(report.benchmark, language))
        for text in filter(None, _load_notes(report, report.benchmark, language)):
            yield Paragraph(text, of_run(report.benchmark, language))


def _few_tests(benchmark: Benchmark, language: Language) -> str:
    """Return that a check was cut short before half of its tests; empty where it was not, or measured nothing."""
    done = len(benchmark.measurements)
    left_out = sum(one.reason in _CUT_SHORT for one in benchmark.failures)
    if not 0 < done < left_out:
        return ""
    text = language.ngettext(
        "Only {n} of {all} tests was done; there was no time for the others.",
        "Only {n} of {all} tests were done; there was no time for the others.",
        done,
    )
    if any(one.reason == "cancelled" for one in benchmark.failures):
        text = language.ngettext(
            "Only {n} of {all} tests was done before the check was stopped.",
            "Only {n} of {all} tests were done before the check was stopped.",
            done,
        )
    return text.format(n=language.number(done), all=language.number(done + len(benchmark.failures)))


def disturbed_option(report: Report) -> Option | None:
    """Return the option whose time other programs disturbed so much that the answer says so; None: there is none."""
    is_void = is_untrusted(report)
    option = best_here(report) if is_void else chosen_option(report)
    if option is None or option.prediction is None:
        return None
    return option if is_void or taken_ratio(option, report) >= DISTURBED_RATIO else None


def _load_notes(report: Report, benchmark: Benchmark, language: Language) -> Iterator[str]:
    """Yield what is said of other programs during the check.

    Where they left it nearly nothing, that concerns whatever the answer is: it is weighed against this computer.
    """
    option = disturbed_option(report)
    if option is not None and option.prediction is not None:
        cases = option.prediction.basis_detail
        yield load_sentence(benchmark, cases, language, is_untrusted=is_untrusted(report))
        if benchmark.slowed_times(cases) > 1.0:
            yield with_and_without_others(option, language)
        if is_worked_out(option, report):
            yield language.gettext("Until then its times are those that its specifications make likely.")
        return
    chosen = chosen_option(report)
    here = None if chosen is None or chosen.tier != "this_computer" else chosen.prediction
    if here is not None and benchmark.is_told_by_earlier(here.basis_detail):
        yield language.gettext(
            "Other programs disturbed this check, so this time rests on an earlier one, made while they used less "
            "of the processor."
        )
