"""What an earlier check of the same job measured, beside this one, and why they differ where they do."""

import contextlib
import datetime
import math

from advisor.locale import Language
from advisor.records.results.comparison import MOST_NOISE_RATIO, REPEATABILITY_RATIO, is_same
from advisor.records.results.measured.measurement import DISTURBED_RATIO, Benchmark, Measurement
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.measured_job import measured_job
from advisor.report.words.labels import spoken_moment

_PARTLY_RATIO = 0.95
"""Where less of the step was measured, that is the reason that is told."""
_SAME_RATIO = 0.25
"""Two times are called the same within so much at most."""
_MANY_TIMES = 2.0
"""From so many times as long on, no percentage is told."""
_LATEST_S = 32_503_680_000.0
"""The year 3000; a report from elsewhere may say anything."""


def earlier_sentence(report: Report, language: Language) -> str:
    """Return what the last check measured of a step of the same job; empty where there was none."""
    one = measured_job(report)
    if one is None or report.benchmark is None or one.details.get("earlier_s", 0.0) <= 0:
        return ""
    earlier_s, noise_ratio = one.details["earlier_s"], one.details.get("earlier_noise_ratio", 0.0)
    _ = language.gettext
    day = _day(one, report.benchmark, language)
    is_within = abs(math.log(one.median_s / earlier_s)) <= math.log1p(noise_ratio)
    is_little = is_within and noise_ratio <= _SAME_RATIO
    if is_little or is_same(one.median_s / earlier_s):  # equal times are so however uneven they are
        return _("Your check of {day} measured the same, within {noise}.").format(
            day=day, noise=language.percent(noise_ratio if is_little else REPEATABILITY_RATIO)
        )
    unclear = _("Your check of {day} measured {then} a step, this one {now}: too uneven to tell whether they differ.")
    more = _(
        "Your check of {day} measured {then} a step, this one {now}: {share} more. A step that is measured twice may "
        "differ by {noise} anyway."
    )
    if one.median_s >= _MANY_TIMES * earlier_s:
        more = _(
            "Your check of {day} measured {then} a step, this one {now}: {times} times as long. A step that is "
            "measured twice may differ by {noise} anyway."
        )
    less = _(
        "Your check of {day} measured {then} a step, this one {now}: {share} less. A step that is measured twice may "
        "differ by {noise} anyway."
    )
    compared = more if one.median_s > earlier_s else less
    if is_within or noise_ratio > MOST_NOISE_RATIO:
        compared = unclear
    compared = _disturbed(one, report.benchmark.taken_ratio({one.case.id}), language) or compared
    text = compared.format(
        day=day,
        then=quantities.exact_seconds(earlier_s, language),
        now=quantities.exact_seconds(one.median_s, language),
        share=language.percent(abs(one.median_s / earlier_s - 1)),
        times=quantities.factor(max(one.median_s / earlier_s, earlier_s / one.median_s), language),
        noise=language.percent(noise_ratio),
    )
    return f"{text} {_why(one, report.benchmark, language)}"


def _day(one: Measurement, benchmark: Benchmark, language: Language) -> str:
    """Return of which day the earlier check is, with its time where this one is of the same."""
    then_s = min(max(one.details.get("earlier_at", 0.0), 0.0), _LATEST_S)
    then = datetime.datetime.fromtimestamp(then_s, datetime.UTC).astimezone()
    with contextlib.suppress(ValueError, OverflowError, OSError):  # a file's date may be anything
        if datetime.datetime.fromisoformat(benchmark.started_at).astimezone().date() == then.date():
            return spoken_moment(then.isoformat(), language)
    return language.date(then.date())


def _disturbed(one: Measurement, taken_ratio: float, language: Language) -> str:
    """Return that others made the difference, which may then be large; empty where they did not, or it is small."""
    _ = language.gettext
    then, now = (ratio >= DISTURBED_RATIO for ratio in (one.details.get("earlier_taken_ratio", 0.0), taken_ratio))
    earlier_s = one.details["earlier_s"]
    if not (then or now) or max(one.median_s / earlier_s, earlier_s / one.median_s) < 1 + _SAME_RATIO:
        return ""
    if then and now:
        return _(
            "Your check of {day} measured {then} a step, this one {now}, {times} times apart: other programs disturbed "
            "both, so the difference may be theirs."
        )
    if then:
        return _(
            "Your check of {day} measured {then} a step, this one {now}, {times} times apart: other programs disturbed "
            "the earlier one, so the difference may be theirs."
        )
    return _(
        "Your check of {day} measured {then} a step, this one {now}, {times} times apart: other programs disturbed "
        "this one, so the difference may be theirs."
    )


def _why(one: Measurement, benchmark: Benchmark, language: Language) -> str:
    """Return the reason that the two checks know of, or where else to look."""
    taken_ratio = benchmark.taken_ratio({one.case.id})
    _ = language.gettext
    details = one.details
    if details.get("earlier_other_torch"):
        return _("PyTorch was another version then.")
    busy = details.get("earlier_taken_ratio", 0.0), taken_ratio
    measured = details.get("earlier_measured_ratio", 1.0), details.get("measured_ratio", 1.0)
    text, (then, now) = _("Other programs used {then} of the processor during that test then, and {now} now."), busy
    if taken_ratio >= DISTURBED_RATIO:
        text = _(
            "Other programs used {then} of the processor during that test then, and {now} now: a step waits for the "
            "cores that they keep busy."
        )
    if max(busy) < DISTURBED_RATIO and min(measured) < _PARTLY_RATIO:
        text, (then, now) = _("Of a step {then} was measured then, and {now} now; the rest is worked out."), measured
    if max(busy) >= DISTURBED_RATIO or min(measured) < _PARTLY_RATIO:
        return text.format(then=language.percent(then), now=language.percent(now))
    if benchmark.load_ratio >= DISTURBED_RATIO:  # beside other tests than the job's
        text = _(
            "The likely cause is other programs, which used {share} of the processor on average during this check. The "
            "range of times holds both."
        )
        return text.format(share=language.percent(benchmark.load_ratio))
    return _(
        "Usual causes are heat, a power setting or, in a virtual machine, others on its server. The range of times "
        "holds both."
    )
