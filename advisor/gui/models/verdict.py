"""The answer as the window shows it: a sentence, what it rests on, why, what next, and the options beside it."""

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.locale import Language
from advisor.records.advice import Option, Tier
from advisor.records.report import Report
from advisor.report.choices import option_row
from advisor.report.content import document
from advisor.report.reasons import (
    disagreement_sentence,
    flip_sentence,
    reason_sentence,
    rule_sentence,
    rule_source,
    rule_title,
)
from advisor.report.terms import confidence_phrase, tier_name
from advisor.report.verdict import memory_sentence, money_sentence, time_sentence, verdict_sentence

KINDS: dict[Tier, str] = {"this_computer": "here", "single_gpu": "buy", "cloud": "rent", "cluster": "cluster"}
_MOST_REASONS = 4


@dataclass(frozen=True, kw_only=True)
class OptionChip:
    """One option in short: which of the four answers, its name, time and money."""

    kind: str
    answer: str
    title: str
    time: str
    cost: str
    is_chosen: bool


@dataclass(frozen=True, kw_only=True)
class RuleNote:
    """What a rule of the articles says, and where it is from."""

    title: str
    text: str
    source: str


@dataclass(frozen=True, kw_only=True)
class VerdictView:
    """All texts of the answer.

    Attributes:
        language_code: Of all texts.
        kind: Which of the four answers: ``here``, ``buy``, ``rent`` or ``cluster``.
        headline: The answer in one sentence.
        confidence: How sure, in a word with its figure.
        sentences: Time, memory and money.
        notes: What must be known to read it rightly.
        reasons: Why, most important first.
        rules: What the articles say.
        disagreement: Why the numbers say otherwise; empty where they agree.
        changes: What would change the answer.
        chips: The best option of each answer.
        option_count: How many options were compared.
    """

    language_code: str
    kind: str
    headline: str
    confidence: str
    sentences: tuple[str, ...]
    notes: tuple[str, ...]
    reasons: tuple[str, ...]
    rules: tuple[RuleNote, ...]
    disagreement: str
    changes: tuple[str, ...]
    chips: tuple[OptionChip, ...]
    option_count: int


def verdict_view(report: Report, language: Language) -> VerdictView:
    """Return the answer in the person's language."""
    advice = report.advice
    return VerdictView(
        language_code=language.code,
        kind=KINDS[advice.tier],
        headline=verdict_sentence(report, language),
        confidence=confidence_phrase(advice.confidence, language),
        sentences=tuple(_sentences(report, language)),
        notes=document(report, language).notes,
        reasons=tuple(reason_sentence(reason, report, language) for reason in advice.reasons[:_MOST_REASONS]),
        rules=tuple(
            RuleNote(
                title=rule_title(one, language),
                text=rule_sentence(one, report, language),
                source=rule_source(one, language),
            )
            for one in advice.fired
        ),
        disagreement=disagreement_sentence(report, language),
        changes=tuple(flip_sentence(flip, report, language) for flip in advice.flips),
        chips=tuple(_chips(report, language)),
        option_count=len(advice.options),
    )


def _sentences(report: Report, language: Language) -> Iterator[str]:
    for text in (time_sentence(report, language), memory_sentence(report, language), money_sentence(report, language)):
        if text:
            yield text


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
            cost=row.cost,
            is_chosen=option.id == report.advice.chosen,
        )
