"""How much faster or slower the second of two times of one test is, as far as noise lets that be told."""

from advisor.locale import Language
from advisor.records.results.comparison import ONCE_RATIO, ComparedCase
from advisor.report.words import quantities

_TOLD_APART = 0.01
"""Shares of the processor that differ by less are told as one."""
_TOLD_TIMES = 1.5
"""Times less far apart are told in percent: "1 times apart" told nothing."""


def difference_phrase(case: ComparedCase, language: Language) -> str:
    """Return what lies between two times, and whether noise alone may be that."""
    _ = language.gettext
    if case.finding == "disturbed":
        return _disturbed(case, language)
    if case.finding in ("same", "once"):
        return _("same") if case.finding == "same" else _("timed once: cannot be told")
    said = speed_phrase(case.speed_ratio, language)
    if case.finding == "chance":
        return _("{difference}, may be chance").format(difference=said)
    if case.finding != "noisy":
        return said
    if max(case.speed_ratio, 1 / case.speed_ratio) < _TOLD_TIMES:
        return _("too noisy to tell")
    return _("perhaps {difference}, too noisy to tell").format(difference=said)


def once_sentence(language: Language) -> str:
    """Return what is told of a test that was timed once, and why."""
    text = language.gettext(
        "No repeat says how far the time of a test that was timed once may differ by chance: only a difference of more "
        "than {times} times is told."
    )
    return text.format(times=language.number(1 + ONCE_RATIO))


def _disturbed(case: ComparedCase, language: Language) -> str:
    _ = language.gettext
    if case.disturbed == "both":
        return _("disturbed in both")
    return _("disturbed in {check}").format(check=case.disturbed)


def speed_phrase(speed_ratio: float, language: Language) -> str:
    """Return how much faster or slower something is that is so many times as fast."""
    _, times = language.gettext, max(speed_ratio, 1 / speed_ratio)
    if times < _TOLD_TIMES:
        text = _("{share} faster") if speed_ratio > 1 else _("{share} slower")
        return text.format(share=language.percent(times - 1))
    text = _("{times} times as fast") if speed_ratio > 1 else _("{times} times as slow")
    return text.format(times=quantities.factor(times, language))


def taken_phrase(taken_ratio: float, language: Language, job_ratio: float = 0.0) -> str:
    """Return what others took of the processor during a check, and during its test of the job where that is apart."""
    _ = language.gettext
    if job_ratio > 0 and abs(job_ratio - taken_ratio) >= _TOLD_APART:
        text = _(
            "other programs used {share} of the processor while your job was tested, and {whole} on average over the "
            "whole check"
        )
        if taken_ratio <= 0:  # of a check that was kept before that was
            text = _("other programs used {share} of the processor while your job was tested")
        return text.format(share=language.percent(job_ratio), whole=language.percent(taken_ratio))
    if taken_ratio <= 0:
        return ""
    text = _("other programs used {share} of the processor on average during the check")
    return text.format(share=language.percent(taken_ratio))
