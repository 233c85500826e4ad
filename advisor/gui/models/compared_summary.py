"""What came of two earlier checks side by side, in plain sentences; the table below them has each test."""

from collections import Counter
from collections.abc import Sequence

from advisor.locale import Language
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.comparison import (
    MOST_NOISE_RATIO,
    REPEATABILITY_RATIO,
    ComparedCase,
    Comparison,
    Finding,
    Side,
    is_same,
    side_of,
)
from advisor.records.results.measured.measurement import DISTURBED_RATIO
from advisor.report.words.compared import once_sentence, speed_phrase

_SEVERAL = 5
"""So many tests that go the same way are told as one."""
_ALIKE = 1.2
"""Noises no farther apart are told as one."""


def job_of(cases: Sequence[ComparedCase]) -> ComparedCase | None:
    """Return the job that both have measured, on a card before the processor; None: there is none."""
    jobs = [case for case in cases if case.case.program == JOB_PROGRAM]
    return min(jobs, key=lambda case: case.case.device == "cpu", default=None)


def summary(comparison: Comparison, language: Language) -> str:
    """Return what two checks come to: first what spoils the comparison, or what became of the job, then the tests."""
    if not comparison.cases:
        return language.gettext("The two checks have no test in common.")
    fair = [case for case in comparison.cases if case.finding != "disturbed"]
    spoilt = _spoilt(comparison, fair, language)
    tests = _of_tests(comparison, fair, language)
    parts = (spoilt, tests) if spoilt else (_of_job(fair, language), tests, _disturbance(comparison, fair, language))
    return " ".join(filter(None, parts))


def _spoilt(comparison: Comparison, fair: Sequence[ComparedCase], language: Language) -> str:
    """Return that other programs spoilt what the comparison is for: all tests, or the job; empty: they did not."""
    job = job_of(comparison.cases)
    spoilt = [job] if fair and job is not None and job not in fair else []
    if not fair:
        spoilt = list(comparison.cases)
    if not spoilt:
        return ""
    _ = language.gettext
    who = _side_of(spoilt)
    if who == "both":
        text = _("Other programs disturbed both checks, so they cannot be compared: measure again in a quiet moment.")
        if fair:
            text = _(
                "Other programs disturbed your job in both checks, so its times cannot be compared: measure again in a "
                "quiet moment."
            )
        return text
    text = _(
        "Other programs used {share} of the processor during {check}, so the two cannot be compared: measure again in "
        "a quiet moment."
    )
    if fair:
        text = _(
            "Other programs used {share} of the processor while {check} measured your job, so its times cannot be "
            "compared: measure again in a quiet moment."
        )
    shares = [case.first_taken_ratio if who == "A" else case.second_taken_ratio for case in spoilt]
    return text.format(share=language.percent(sum(shares) / len(shares)), check=who)


def _side_of(cases: Sequence[ComparedCase]) -> Side:
    """Return which of two checks other programs disturbed in any of some tests."""
    sides: set[Side] = {case.disturbed for case in cases} - {""}
    return "both" if len(sides) > 1 else next(iter(sides), "")


def disturbed_side(comparison: Comparison) -> Side:
    """Return which of two checks other programs disturbed, in a test or on average over all."""
    busy = (ratio >= DISTURBED_RATIO for ratio in (comparison.first_taken_ratio, comparison.second_taken_ratio))
    on_average = side_of(*busy)
    sides: set[Side] = {_side_of(comparison.cases), on_average} - {""}
    return "both" if len(sides) > 1 else next(iter(sides), "")


def _disturbance(comparison: Comparison, fair: Sequence[ComparedCase], language: Language) -> str:
    """Return whom other programs disturbed in what matters less; empty: none that is known of."""
    _, who = language.gettext, disturbed_side(comparison)
    if not who:
        return ""
    if len(fair) < len(comparison.cases):
        text = _("Other programs disturbed {check}: what is in grey cannot be compared.")
        if who == "both":
            text = _("Other programs disturbed both checks: what is in grey cannot be compared.")
    else:
        text = _("Other programs disturbed both checks.") if who == "both" else _("Other programs disturbed {check}.")
    return text.format(check=who)


def _of_job(fair: Sequence[ComparedCase], language: Language) -> str:
    """Return what became of the job that both have measured; empty where there is none."""
    job = job_of(fair)
    if job is None:
        return ""
    _ = language.gettext
    texts: dict[Finding, str] = {
        "faster": _("Your job is {difference} in B."),
        "slower": _("Your job is {difference} in B."),
        "same": _("Your job takes the same time in both."),
        "chance": _("Your job is {difference} in B, which may be chance."),
    }
    text = texts.get(job.finding, _("The times of your job are too uneven to compare."))
    return text.format(difference=speed_phrase(job.speed_ratio, language))


def _of_tests(comparison: Comparison, fair: Sequence[ComparedCase], language: Language) -> str:
    """Return what all tests that nothing disturbed come to; empty where the job is the only one, which is told."""
    if not fair or (len(fair) == 1 and job_of(fair)):
        return ""
    found = Counter(case.finding for case in fair)
    if found["noisy"] == len(fair):
        return language.gettext(
            "These two checks cannot be compared: their times are too uneven to tell which is faster."
        )
    count, is_part = len(fair), len(fair) < len(comparison.cases)
    text = language.ngettext("{n} test", "{n} tests", count)
    if is_part:
        text = language.ngettext("{n} undisturbed test", "{n} undisturbed tests", count)
    tests = text.format(n=language.number(count))
    return _all_alike(comparison, fair, tests, language) or _counted(fair, found, tests, language)


def _counted(fair: Sequence[ComparedCase], found: Counter[Finding], tests: str, language: Language) -> str:
    """Return how many tests came to what, in sentences."""
    _ = language.gettext
    beyond = found["faster"] + found["slower"]
    rest = found["same"] + found["chance"]
    said = [_beyond(fair, kind, tests, language) for kind in ("faster", "slower")]
    if rest == len(fair):
        text = _("In {tests} A and B differ by no more than may be chance.")
        if found["same"] == rest:
            text = _("In {tests} A and B are the same.")
        said.append(text.format(tests=tests))
    elif rest:
        text = _("In {n} they are the same or differ by no more than may be chance.")
        if not beyond:  # nothing before has said of what
            text = _("In {n} of {tests} A and B are the same or differ by no more than may be chance.")
        elif beyond + rest == len(fair):
            text = language.ngettext(
                "In the other one they are the same or differ by no more than may be chance.",
                "In the other {n} they are the same or differ by no more than may be chance.",
                rest,
            )
        said.append(text.format(n=language.number(rest), tests=tests))
    if found["once"]:
        text = language.ngettext(
            "{n} test was timed once, which cannot tell.",
            "{n} tests were timed once, which cannot tell.",
            found["once"],
        )
        said.append(text.format(n=language.number(found["once"])))
    if found["noisy"]:
        said.append(_("In {n} the times are too uneven to tell.").format(n=language.number(found["noisy"])))
    return " ".join(filter(None, said))


def _beyond(fair: Sequence[ComparedCase], kind: Finding, tests: str, language: Language) -> str:
    """Return in how many tests B is faster, or slower, and by about how much; empty: in none."""
    _ = language.gettext
    ratios = sorted(case.speed_ratio for case in fair if case.finding == kind)
    if not ratios:
        return ""
    text = _("In {n} of {tests} B is about {difference}.")
    if len(ratios) == len(fair):
        text = _("In all {tests} B is about {difference}.") if len(fair) > 1 else _("In {tests} B is {difference}.")
    middle = ratios[len(ratios) // 2]
    return text.format(n=language.number(len(ratios)), tests=tests, difference=speed_phrase(middle, language))


def _all_alike(comparison: Comparison, fair: Sequence[ComparedCase], tests: str, language: Language) -> str:
    """Return that all tests went the same way though some may by chance; empty where they did not, or all surely."""
    ratios = sorted(case.speed_ratio for case in fair)
    middle = ratios[len(ratios) // 2]
    is_slower = ratios[-1] < 1
    beyond = sum(case.finding in ("faster", "slower") for case in fair)
    if len(ratios) < _SEVERAL or beyond == len(ratios) or is_same(middle) or not (is_slower or ratios[0] > 1):
        return ""
    _ = language.gettext
    text = _("B took less time in all {tests}: it was about {difference}.")
    if is_slower:
        text = _("B took more time in all {tests}: it was about {difference}.")
    said = text.format(tests=tests, difference=speed_phrase(middle, language))
    return f"{said} {_how_sure(comparison, beyond, language)}"


def _how_sure(comparison: Comparison, beyond: int, language: Language) -> str:
    """Return whether noise explains that all tests went the same way."""
    _ = language.gettext
    if beyond:
        return _("Only in {n}, in bold, is that more than chance.").format(n=language.number(beyond))
    if comparison.pace_noise_ratio <= REPEATABILITY_RATIO:
        return _("That may be chance: the times of each test vary by as much.")
    return _("That may be chance: the computer's pace changed by as much.")


def chance(comparison: Comparison, language: Language) -> str:
    """Return how far apart two times may be by chance, and why; what a pace did is told once for both checks."""
    _ = language.gettext
    fair = [case for case in comparison.cases if case.finding != "disturbed"]
    if not fair:
        return ""
    if comparison.pace_noise_ratio > MOST_NOISE_RATIO:
        tells = _("The times of the small tests tell hardly anything.")
        return f"{_pace_changed(comparison, language)} {tells}"
    once = [once_sentence(language)] if any(case.finding == "once" for case in fair) else []
    noises = sorted(case.noise_ratio for case in fair if not case.is_once)
    if not noises:
        return " ".join(filter(None, (_pace_changed(comparison, language), *once)))
    least, most = (language.percent(noise) for noise in (noises[0], noises[-1]))
    text = _("Repeated, the time of a test may differ by up to {most} by chance.")
    if noises[-1] > MOST_NOISE_RATIO:
        text = _("Repeated, the time of a test may differ by {least} by chance, and some by more than their own time.")
    elif noises[-1] > _ALIKE * noises[0]:
        text = _("Repeated, the time of a test may differ by {least} to {most} by chance, depending on the test.")
    parts = _pace_changed(comparison, language), text.format(least=least, most=most), *once
    return " ".join(filter(None, parts))


def _pace_changed(comparison: Comparison, language: Language) -> str:
    """Return in which checks the computer did not keep its pace; empty: in none."""
    _ = language.gettext
    first, second = (
        (ratio or 0.0) > REPEATABILITY_RATIO
        for ratio in (comparison.first_repeat_ratio, comparison.second_repeat_ratio)
    )
    if first and second:
        return _("A small calculation, timed before each test, took uneven times in both checks.")
    if first or second:
        return _("A small calculation, timed before each test, took uneven times in {check}.").format(
            check="A" if first else "B"
        )
    return ""
