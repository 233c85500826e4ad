"""How many times as fast a card is here, where that is far from what an article says it usually is."""

from collections.abc import Sequence

from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.results.own_computer import is_untrusted
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.interference import lost_ratio
from advisor.report.words.labels import option_title

_USUAL = (8.0, 12.0)
_FAR = 1.5
"""From this factor beyond the article's range on, a reader asks which of the two to believe; one that other programs
explain as well is told of them."""
_ARTICLE_THREADS = 12
"""Of the article's processor, a Core i7-10750H."""


def own_ratio_sentence(report: Report, best: Sequence[Option], language: Language) -> str:
    """Return how many times as fast as this processor the best card is; empty where the article says as much.

    Args:
        report: The answer.
        best: The best option of each answer.
        language: The reader's.
    """
    here = next(
        (
            one
            for one in report.advice.options
            if one.tier == "this_computer" and not one.is_card and one.run_s and one.obstacle != "does_not_fit"
        ),
        None,
    )
    cards = [one for one in best if one.tier != "this_computer" and one.is_card and one.device_count == 1 and one.run_s]
    card = min(cards, key=lambda one: one.tier != "single_gpu", default=None)  # what is bought before what is rented
    if here is None or card is None:
        return ""
    ratio = (here.run_s or 0.0) / (card.run_s or 1.0)
    if _USUAL[0] / _FAR <= ratio <= _USUAL[1] * _FAR:
        return ""
    _ = language.gettext
    threads = report.machine.host.cpu.usable_cores
    text = _("For your job it is about {ratio} times with the {card}.")
    left = 1.0 - lost_ratio(here, report)
    if left * _FAR <= 1.0:  # which explains more of it than how large the processor is
        slowed = _(
            "Other programs slowed the check of this computer: without them it may be as little as {least} times."
        )
        text = f"{text} {slowed}"
    elif ratio > _USUAL[1] and threads < _ARTICLE_THREADS:
        text = _(
            "For your job it is about {ratio} times with the {card}: this processor is small, with {threads} threads "
            "where the article's has {theirs}."
        )
    if is_untrusted(report):
        exactly = _("Only a check without other programs can tell exactly.")
        text = f"{text} {exactly}"
    number = language.number
    said = {"ratio": quantities.factor(ratio, language), "card": option_title(card, language)}
    least = quantities.factor(ratio * left, language)
    return text.format(**said, least=least, threads=number(threads), theirs=number(_ARTICLE_THREADS))
