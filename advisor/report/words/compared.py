"""What is said of two times that vary too much to be compared."""

from advisor.locale import Language
from advisor.records.results.comparison import ComparedCase
from advisor.report.words import quantities

_TOLD_TIMES = 1.5
"""Times less far apart are not said to be so: "1 times apart" told nothing."""


def too_noisy(case: ComparedCase, language: Language) -> str:
    """Return that noise hides which of two times is longer, and how far apart they are where that is much."""
    times = max(case.speed_ratio, 1 / case.speed_ratio)
    if times < _TOLD_TIMES:
        return language.gettext("too noisy to tell")
    text = language.gettext("{times} times apart, too noisy to tell")
    return text.format(times=quantities.factor(times, language))
