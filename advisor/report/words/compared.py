"""What is said of two times of one test where noise may be what lies between them."""

from advisor.locale import Language
from advisor.records.results.comparison import ComparedCase
from advisor.report.words import quantities

_TOLD_TIMES = 1.5
"""Times less far apart are not said to be so: "1 times apart" told nothing."""


def within_noise(case: ComparedCase, language: Language) -> str:
    """Return what lies between two times that are not farther apart than noise may put them."""
    _ = language.gettext
    if case.finding == "same":
        return _("same")
    if case.finding == "noisy":
        return _too_noisy(case, language)
    text = _("perhaps {share} less") if case.speed_ratio > 1 else _("perhaps {share} more")
    return text.format(share=language.percent(abs(1 / case.speed_ratio - 1)))


def _too_noisy(case: ComparedCase, language: Language) -> str:
    """Return that noise hides which of two times is longer, and how far apart they are where that is much."""
    times = max(case.speed_ratio, 1 / case.speed_ratio)
    if times < _TOLD_TIMES:
        return language.gettext("too noisy to tell")
    text = language.gettext("{times} times apart, too noisy to tell")
    return text.format(times=quantities.factor(times, language))
