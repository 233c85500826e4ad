"""Where measured numbers come from: how often repeated, how far apart, when, and how to measure them again."""

from msgspec.structs import replace

from advisor.locale import Language
from advisor.records.results.measured.measurement import Benchmark, CaseFailure, Measurement
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.cases import case_title, measurement_phrase
from advisor.report.words.labels import basis_phrase, spoken_date
from advisor.report.words.problems import again_sentence, disturbers_sentence, failure_sentence

_CHECK = "advisor --report measured.json"


def in_run(one: Measurement | CaseFailure, benchmark: Benchmark, language: Language) -> Provenance:
    """Return where a number of a finished run comes from, or why there is none."""
    if isinstance(one, Measurement):
        found, place = of_measurement(one, benchmark.started_at, language), benchmark.measurements.index(one)
        return replace(found, figure=f"/benchmark/measurements/{place}/median_s")
    found, place = of_failure(one, benchmark.started_at, language), benchmark.failures.index(one)
    return replace(found, figure=f"/benchmark/failures/{place}")


def of_measurement(one: Measurement, started_at: str, language: Language) -> Provenance:
    """Return where a measured number comes from.

    Args:
        one: The measurement.
        started_at: When its run began, ISO 8601; empty while it lasts.
        language: Of the words.
    """
    _ = language.gettext
    count = len(one.samples_s)
    samples = language.ngettext("{n} sample", "{n} samples", count).format(n=language.number(count))
    spread = one.iqr_s / one.median_s if one.median_s > 0 else 0.0
    remarks = (disturbers_sentence(one, language), again_sentence(one, language))
    in_the_way = " ".join(filter(None, remarks))
    return Provenance(
        title=case_title(one.case, language),
        value=measurement_phrase(one, language),
        basis=basis_phrase("measured", language),
        inputs=(
            (_("Samples"), samples),
            (_("Median of one repetition"), quantities.exact_seconds(one.median_s, language)),
            *(((_("What interfered"), in_the_way),) if in_the_way else ()),
        ),
        method=_("the median of the samples, after warming up"),
        date=_day(started_at, language),
        band=_band(spread / 2, language),
        low=one.median_s - one.iqr_s / 2,
        high=one.median_s + one.iqr_s / 2,
        check=_CHECK,
    )


def _band(spread: float, language: Language) -> str:
    if not quantities.is_told(spread):
        return quantities.scatter(spread, language)
    text = language.gettext("half of the samples lie within ±{spread}")
    return text.format(spread=language.percent(spread, 1))


def of_failure(one: CaseFailure, started_at: str, language: Language) -> Provenance:
    """Return why there is no number, and where the numbers in that reason come from."""
    _ = language.gettext
    times = ((_("Would take"), one.needed_s), (_("Time for it"), one.left_s))
    return Provenance(
        title=case_title(one.case, language),
        value=failure_sentence(one, language),
        basis=_("tried, or worked out before trying, on this computer"),
        inputs=tuple(
            (name, quantities.exact_seconds(time_s, language)) for name, time_s in times if time_s is not None
        ),
        method=_("time and memory of a test are worked out from its size and from what was measured before it"),
        date=_day(started_at, language),
        check=_CHECK,
    )


def of_run(benchmark: Benchmark, language: Language) -> Provenance:
    """Return what holds for everything that one run measured."""
    _ = language.gettext
    return Provenance(
        figure="/benchmark/wall_s",
        title=_("Time of the whole check"),
        value=quantities.duration(benchmark.wall_s, language),
        basis=basis_phrase("measured", language),
        inputs=tuple((name, value) for name, value in sorted(benchmark.environment.items())),
        method=_("timed in a process of its own; each test is repeated, and its median is shown"),
        date=_day(benchmark.started_at, language),
        check=_CHECK,
    )


def _day(started_at: str, language: Language) -> str:
    return spoken_date(started_at, language) if started_at else language.gettext("now")
