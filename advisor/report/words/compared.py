"""How much faster or slower the second of two times of one test is, as far as noise lets that be told."""

from advisor.locale import Language
from advisor.records.results.comparison import ComparedCase
from advisor.report.words import quantities

_TOLD_TIMES = 1.5
"""Times less far apart are told in percent: "1 times apart" told nothing."""


def difference_phrase(case: ComparedCase, language: Language) -> str:
    """Return what lies between two times, and whether noise alone may be that."""
    _ = language.gettext
    if case.finding == "same":
        return _("same")
    said = speed_phrase(case.speed_ratio, language)
    if case.finding == "chance":
        return _("perhaps {difference}").format(difference=said)
    if case.finding != "noisy":
        return said
    if max(case.speed_ratio, 1 / case.speed_ratio) < _TOLD_TIMES:
        return _("too noisy to tell")
    return _("perhaps {difference}, too noisy to tell").format(difference=said)


def speed_phrase(speed_ratio: float, language: Language) -> str:
    """Return how much faster or slower something is that is so many times as fast."""
    _, times = language.gettext, max(speed_ratio, 1 / speed_ratio)
    if times < _TOLD_TIMES:
        text = _("{share} faster") if speed_ratio > 1 else _("{share} slower")
        return text.format(share=language.percent(times - 1))
    text = _("{times} times as fast") if speed_ratio > 1 else _("{times} times as slow")
    return text.format(times=quantities.factor(times, language))
