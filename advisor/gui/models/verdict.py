"""The answer as the window shows it: a sentence, what it rests on, why, what next, and the options beside it."""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.locale import Language
from advisor.records.job.advice import Option, Tier
from advisor.records.results.report import Report
from advisor.report.content.document_builder import document
from advisor.report.content.option_rows import option_row
from advisor.report.provenance.predictions import of_cost, of_memory, of_time
from advisor.report.provenance.record import Provenance
from advisor.report.provenance.verdict import of_finding, of_flip, of_reason, of_rule
from advisor.report.words.diagnosis import gain_sentence, remedy_sentence
from advisor.report.words.labels import confidence_phrase, tier_name
from advisor.report.words.reasons import (
    disagreement_sentence,
    flip_sentence,
    reason_sentence,
    rule_sentence,
    rule_source,
    rule_title,
)
from advisor.report.words.verdict import chosen_option, memory_sentence, money_sentence, time_sentence, verdict_sentence

KINDS: dict[Tier, str] = {"this_computer": "here", "single_gpu": "buy", "cloud": "rent", "cluster": "cluster"}
_MOST_REASONS, _MOST_STEPS = 4, 2

Said = tuple[str, Provenance | None]
"""A sentence, and where its numbers come from."""


@dataclass(frozen=True, kw_only=True)
class OptionChip:
    """One option in short: which of the four answers, its name, time and money, and where those two come from."""

    kind: str
    answer: str
    title: str
    time: str
    cost: str
    is_chosen: bool
    time_origin: Provenance
    cost_origin: Provenance


@dataclass(frozen=True, kw_only=True)
class RuleNote:
    """What a rule of the articles says, and where it is from."""

    title: str
    text: str
    source: str
    origin: Provenance


@dataclass(frozen=True, kw_only=True)
class VerdictView:
    """All texts of the answer.

    Attributes:
        language_code: Of all texts.
        kind: Which of the four answers: ``here``, ``buy``, ``rent`` or ``cluster``.
        headline: The answer in one sentence.
        confidence: How sure, in a word with its figure.
        sentences: Time, memory and money, each with where its numbers come from.
        notes: What must be known to read it rightly.
        reasons: Why, most important first, each with where its numbers come from.
        steps: What to do next on this computer, the most helpful first, likewise.
        rules: What the articles say.
        disagreement: Why the numbers say otherwise; empty where they agree.
        changes: What would change the answer, likewise.
        chips: The best option of each answer.
        option_count: How many options were compared.
    """

    language_code: str
    kind: str
    headline: str
    confidence: str
    sentences: tuple[Said, ...]
    notes: tuple[str, ...]
    reasons: tuple[Said, ...]
    steps: tuple[Said, ...]
    rules: tuple[RuleNote, ...]
    disagreement: str
    changes: tuple[Said, ...]
    chips: tuple[OptionChip, ...]
    option_count: int


def verdict_view(report: Report, language: Language) -> VerdictView:
    """Return the answer in the user's language."""
    advice = report.advice
    return VerdictView(
        language_code=language.code,
        kind=KINDS[advice.tier],
        headline=verdict_sentence(report, language),
        confidence=confidence_phrase(advice.confidence, language),
        sentences=tuple(_sentences(report, language)),
        notes=document(report, language).notes,
        reasons=tuple(
            (reason_sentence(reason, report, language), of_reason(reason, report, language))
            for reason in advice.reasons[:_MOST_REASONS]
        ),
        steps=tuple(_steps(report, language)),
        rules=tuple(
            RuleNote(
                title=rule_title(one, language),
                text=rule_sentence(one, report, language),
                source=rule_source(one, language),
                origin=of_rule(one, report, language),
            )
            for one in advice.fired
        ),
        disagreement=disagreement_sentence(report, language),
        changes=tuple(
            (flip_sentence(flip, report, language), of_flip(flip, report, language)) for flip in advice.flips
        ),
        chips=tuple(_chips(report, language)),
        option_count=len(advice.options),
    )


def _steps(report: Report, language: Language) -> Iterator[Said]:
    """Yield what would fix the worst that was found, each with what it gains."""
    for finding in [one for one in report.findings if one.remedies and one.severity != "none"][:_MOST_STEPS]:
        said = (remedy_sentence(finding.remedies[0], language), gain_sentence(finding, language))
        yield " ".join(filter(None, said)), of_finding(finding, report, language)


def _sentences(report: Report, language: Language) -> Iterator[Said]:
    option = chosen_option(report)
    for sentence, origin in (
        (time_sentence(report, language), None if option is None else of_time(option, report, language)),
        (memory_sentence(report, language), None if option is None else of_memory(option, report, language)),
        (money_sentence(report, language), None if option is None else of_cost(option, report, language)),
    ):
        if sentence:
            yield sentence, origin


def _chips(report: Report, language: Language) -> Iterator[OptionChip]:
    """Yield the chosen option, then the best of every other answer that can do the job, always in one order.

    A cluster is shown only where it is the answer: nobody weighs it against a laptop.
    """
    best: dict[Tier, Option] = {}
    for option in report.advice.options:
        is_worth_it = option.tier != "cluster" or report.advice.tier == "cluster"
        if option.run_s is not None and is_worth_it and (option.feasible or option.tier == "this_computer"):
            best.setdefault(option.tier, option)
    chosen = report.advice.tier
    for option in sorted(best.values(), key=lambda one: (one.tier != chosen, list(KINDS).index(one.tier))):
        row = option_row(option, report, language)
        yield OptionChip(
            kind=KINDS[option.tier],
            answer=tier_name(option.tier, language),
            title=row.title,
            time=row.time,
            cost=", ".join(filter(None, (row.cost, row.host))),
            is_chosen=option.id == report.advice.chosen,
            time_origin=of_time(option, report, language),
            cost_origin=of_cost(option, report, language),
        )
