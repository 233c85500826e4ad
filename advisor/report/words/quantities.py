"""Numbers as people say them: durations, memory, money, rates. Knows no report, only values with their unit."""

import math
from typing import NamedTuple

from advisor.locale import SPACE, Language, language
from advisor.units import DAY_S, GIB, HOUR_S, JOULES_PER_KWH, MINUTE_S, MONTH_S, WEEK_S, YEAR_S


class _Span(NamedTuple):
    """A duration as people round it: so many halves of a unit."""

    unit: str
    halves: int

    @property
    def is_past_an_hour(self) -> bool:
        """Whether it is told in an hour and minutes."""
        return self.unit == "minute" and self.halves > 120


_UNITS: tuple[tuple[str, float, float], ...] = (
    # unit, its length, below how many seconds it is used
    ("second", 1.0, 57.5),
    ("minute", MINUTE_S, 90 * MINUTE_S),
    ("hour", HOUR_S, 36 * HOUR_S),
    ("day", DAY_S, 14 * DAY_S),
    ("week", WEEK_S, 8 * WEEK_S),
    ("month", MONTH_S, 18 * MONTH_S),
    ("year", YEAR_S, float("inf")),
)

_SIGNS = {"second": "s", "minute": "min", "hour": "h"}
"""The signs that the SI has for units of time, in every language."""
_LENGTHS = {unit: length for unit, length, _below in _UNITS}
_BELOW = {unit: below_s for unit, _length, below_s in _UNITS}

CLOCK_S = 1000.0
"""From here on nobody reads seconds: 13,400 of them are 3 h 43 min."""
_SECOND_S = 0.995
"""From here on a time is told in seconds: two figures of it would be 1,000 ms."""
_LEAST_S = 0.001
"""Below it no time is told from a shorter one."""
_FIVES_FROM_S = 30 * MINUTE_S
"""From here on minutes are told in fives."""
_NEXT_RATIO = 1.03
"""Finer than the steps to which durations are rounded."""


def duration(time_s: float, language: Language) -> str:
    """Return a duration as people round it, such as ``3½ minutes`` or ``2 days``."""
    if time_s < _SECOND_S:
        return _below_a_second(time_s, language)
    return _spoken(_rounded(time_s), language)


def short_duration(time_s: float, language: Language) -> str:
    """Return a duration rounded as ``duration`` does, in the signs of its units for a column: ``1½ h``, ``20 min``."""
    if time_s < _SECOND_S:
        return _below_a_second(time_s, language)
    span = _rounded(time_s)
    if span.is_past_an_hour:
        return f"1{SPACE}h {span.halves // 2 - 60}{SPACE}min"
    if span.unit in _SIGNS:
        return f"{language.halves(span.halves)}{SPACE}{_SIGNS[span.unit]}"
    return _whole(span.unit, 1 if span.halves == 2 else 2, language).format(n=language.halves(span.halves))


def duration_alike(one_s: float, other_s: float) -> bool:
    """Return whether two durations are told by the same words."""
    return _rounded(max(one_s, 1.0)) == _rounded(max(other_s, 1.0))


def spoken_s(time_s: float) -> float:
    """Return a duration as it is said, s: what is compared beside it is worked out from this."""
    if time_s < _LEAST_S or math.isinf(time_s):
        return time_s
    if time_s < _SECOND_S:
        return float(f"{time_s * 1000:.2g}") / 1000
    span = _rounded(time_s)
    return span.halves / 2 * _LENGTHS[span.unit]


def difference(one_s: float, other_s: float, language: Language) -> str:
    """Return how far two durations are apart, by what is said of both, to the minute where they are told in minutes.

    Who subtracts 2½ from 45 minutes does not find 40. Where rounding would make it as long as the longer one, it is
    said to be nearly that.
    """
    longer_s = max(one_s, other_s)
    # of two that are said alike, nothing but what they really differ by is left to tell
    apart_s = abs(spoken_s(one_s) - spoken_s(other_s)) or abs(one_s - other_s)
    is_in_fives = apart_s >= _FIVES_FROM_S and _rounded(apart_s).unit == "minute"
    minutes = math.floor(apart_s / MINUTE_S + 0.5)
    told_s = minutes * MINUTE_S if is_in_fives else spoken_s(apart_s)
    if apart_s > 0 and told_s >= spoken_s(longer_s):
        return language.gettext("almost {duration}").format(duration=duration(longer_s, language))
    return _spoken(_Span("minute", 2 * minutes), language) if is_in_fives else duration(apart_s, language)


def times_as_long(longer_s: float, shorter_s: float, language: Language) -> str:
    """Return how many times as long one duration is as another, by what is said of both."""
    return factor(spoken_s(longer_s) / spoken_s(shorter_s), language)


def about(time_s: float, language: Language) -> str:
    """Return a duration said to be rough, such as ``about 2 days``; Spanish says «unos» or «unas», as the unit asks."""
    text = duration(time_s, language)
    if time_s < 0.001:
        return text
    pgettext = language.pgettext
    span = _rounded(max(time_s, 1.0))
    single = pgettext("less than two of a unit", "about {duration}")
    several = {
        "second": pgettext("seconds", "about {duration}"),
        "minute": pgettext("minutes", "about {duration}"),
        "hour": pgettext("hours", "about {duration}"),
        "day": pgettext("days", "about {duration}"),
        "week": pgettext("weeks", "about {duration}"),
        "month": pgettext("months", "about {duration}"),
        "year": pgettext("years", "about {duration}"),
    }[span.unit]
    is_single = time_s >= _SECOND_S and (span.halves < 4 or span.is_past_an_hour)
    return (single if is_single else several).format(duration=text)


def duration_range(low_s: float, high_s: float, language: Language) -> str:
    """Return the two ends of a range, such as ``3 to 4 minutes`` or ``40 minutes to 1½ hours``."""
    _ = language.gettext
    if low_s >= _SECOND_S:
        low, high = _rounded_low(low_s, high_s), _rounded(high_s)
        if low == high:
            return _spoken(low, language)
        if low.unit == high.unit and not high.is_past_an_hour:
            text = _whole(high.unit, 2, language).format(n=language.halves(high.halves))  # «1 a 1,5 horas»
            return _("{low} to {high}").format(low=language.halves(low.halves), high=text)
    return _("{low} to {high}").format(low=_low_end(low_s, high_s, language), high=duration(high_s, language))


_WIDE = 3.0
"""A time that may be so many times as long, or as short, is told by its ends."""


def about_with_range(time_s: float, low_s: float, high_s: float, language: Language) -> str:
    """Return a rough duration with its interval in brackets, such as ``about 3½ minutes (3 to 4)``.

    Where the interval says more than the duration, for it is that wide, it comes first.
    """
    _ = language.gettext
    middle = about(time_s, language)
    is_wide = max(time_s / low_s, high_s / time_s) >= _WIDE if 0 < low_s <= time_s else False
    low_s, high_s = spoken_ends(time_s, low_s, high_s, language)
    if is_wide:
        text = _("{low} to {high} (best guess: {value})")
        low, high = _low_end(low_s, high_s, language), duration(high_s, language)
        return text.format(low=low, high=high, value=duration(time_s, language))
    ends = [_rounded(max(value, 1.0)) for value in (low_s, high_s)]
    is_one_unit = {end.unit for end in ends} == {_rounded(time_s).unit} and not ends[1].is_past_an_hour
    if low_s >= _SECOND_S and time_s >= _SECOND_S and is_one_unit:
        if ends[0] == ends[1]:
            return middle
        span = _("{low} to {high}").format(low=language.halves(ends[0].halves), high=language.halves(ends[1].halves))
    else:
        span = duration_range(low_s, high_s, language)
    return _("{value} ({interval})").format(value=middle, interval=span)


def range_around(time_s: float, low_s: float, high_s: float, language: Language) -> str:
    """Return the interval of a duration that stands beside it."""
    return duration_range(*spoken_ends(time_s, low_s, high_s, language), language)


def duration_with_range(time_s: float, low_s: float, high_s: float, language: Language) -> str:
    """Return a duration with its interval in brackets, such as ``21 minutes (18 to 24 minutes)``."""
    return f"{duration(time_s, language)} ({range_around(time_s, low_s, high_s, language)})"


def spoken_ends(time_s: float, low_s: float, high_s: float, language: Language) -> tuple[float, float]:
    """Return the ends of an interval as they are to be said beside the duration itself.

    Rounding must not put the duration on an end: such an end moves outwards until it is said otherwise. Where both ends
    are said like the duration, the interval is narrower than people round.
    """
    middle = duration(time_s, language)
    low, high = duration(low_s, language) == middle, duration(high_s, language) == middle
    if low and high:
        return low_s, high_s
    while low and low_s >= _LEAST_S and duration(low_s, language) == middle:
        low_s /= _NEXT_RATIO
    while high and duration(high_s, language) == middle:
        high_s *= _NEXT_RATIO
    return low_s, high_s


def clock_time(time_s: float) -> str:
    """Return a duration as people note it down, such as ``2 h 40 min``; the units are the same in any language."""
    if time_s < 1:
        return f"{round(1000 * time_s)}\N{NO-BREAK SPACE}ms"
    units = ((DAY_S, "d"), (HOUR_S, "h"), (MINUTE_S, "min"), (1.0, "s"))
    place = next(place for place, (length, _unit) in enumerate(units) if round(time_s) >= length)
    shown = units[place : place + 2]
    left = round(time_s / shown[-1][0]) * shown[-1][0]
    parts = []
    for length, unit in shown:
        count = int(left // length + 1e-9)
        left -= count * length
        if count:
            parts.append(f"{count}\N{NO-BREAK SPACE}{unit}")
    return " ".join(parts)


def exact_seconds(time_s: float, language: Language, figures: int = 3) -> str:
    """Return a measured time with so many figures and an SI unit, as ``12.3 ms``; a long one as a clock shows it."""
    if time_s >= CLOCK_S:
        return clock_time(time_s)
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if time_s >= factor:
            return f"{language.significant(time_s / factor, figures)} {unit}"
    return f"{language.significant(time_s / 1e-9, figures)} ns"


def _below_a_second(time_s: float, language: Language) -> str:
    _ = language.gettext
    if time_s >= _LEAST_S:
        return _("{n} ms").format(n=language.significant(time_s * 1000, 2))
    return _("less than a millisecond")


def _rounded(time_s: float) -> _Span:
    """Return a duration as it is told; what rounding lifts out of its unit is told in the next: not 18 months."""
    span = _nearest(time_s)
    told_s = span.halves / 2 * _LENGTHS[span.unit]
    return _nearest(told_s) if _BELOW[span.unit] <= told_s < math.inf else span


def _nearest(time_s: float) -> _Span:
    for unit, length, _ in _UNITS[2:]:
        if abs(time_s - length) < 0.04 * length:
            return _Span(unit, 2)  # nobody says 60 minutes, 24 hours or 7 days
    unit, length, _ = next(row for row in _UNITS if time_s < row[2])
    amount = time_s / length
    halves = round(amount * 2)
    if amount >= 10 or unit == "second":
        halves = 2 * (round(amount / 5) * 5 if time_s >= _FIVES_FROM_S and unit == "minute" else round(amount))
    if unit == "year" and amount >= 10:
        halves = 2 * round(float(f"{amount:.2g}"))
    return _Span(unit, halves)


def _rounded_low(low_s: float, high_s: float) -> _Span:
    """Return the low end of a range: beside days or weeks nobody counts more than a day in hours."""
    low = _rounded(low_s)
    if low.unit == "hour" and low_s >= DAY_S and high_s >= _WIDE * low_s:
        return _Span("day", round(2 * low_s / DAY_S))
    return low


def _low_end(low_s: float, high_s: float, language: Language) -> str:
    if low_s < _SECOND_S:
        return duration(low_s, language)
    return _spoken(_rounded_low(low_s, high_s), language)


def _spoken(span: _Span, language: Language) -> str:
    whole, half = divmod(span.halves, 2)
    if span.is_past_an_hour:
        return language.gettext("1 hour {n} minutes").format(n=language.number(whole - 60))
    text = _with_half(span.unit, whole, language) if half else _whole(span.unit, whole, language)
    return text.format(n=language.number(whole))


def _whole(unit: str, n: int, language: Language) -> str:
    ngettext = language.ngettext
    return {
        "second": ngettext("{n} second", "{n} seconds", n),
        "minute": ngettext("{n} minute", "{n} minutes", n),
        "hour": ngettext("{n} hour", "{n} hours", n),
        "day": ngettext("{n} day", "{n} days", n),
        "week": ngettext("{n} week", "{n} weeks", n),
        "month": ngettext("{n} month", "{n} months", n),
        "year": ngettext("{n} year", "{n} years", n),
    }[unit]


def _with_half(unit: str, n: int, language: Language) -> str:
    ngettext = language.ngettext
    return {
        "second": ngettext("{n}½ seconds", "{n}½ seconds", n),
        "minute": ngettext("{n}½ minutes", "{n}½ minutes", n),
        "hour": ngettext("{n}½ hours", "{n}½ hours", n),
        "day": ngettext("{n}½ days", "{n}½ days", n),
        "week": ngettext("{n}½ weeks", "{n}½ weeks", n),
        "month": ngettext("{n}½ months", "{n}½ months", n),
        "year": ngettext("{n}½ years", "{n}½ years", n),
    }[unit]


def months(count: float, language: Language) -> str:
    """Return a number of months as people say it."""
    return duration(count * MONTH_S, language)


def memory(size_bytes: float, language: Language) -> str:
    """Return an amount of memory in GB as memory is sold (1 GB = 1024³ bytes), such as ``1.9 GB``."""
    if size_bytes < 0.01 * GIB:
        return f"{language.significant(size_bytes / 1024**2, 2)}\N{NO-BREAK SPACE}MB"
    return f"{_gigabytes(size_bytes, language)}\N{NO-BREAK SPACE}GB"


def seems_to_fit(needed_bytes: float, available_bytes: float) -> bool:
    """Return whether the figures as they are told say that it fits, though what PyTorch keeps aside decides else."""
    told = {memory(size_bytes, language("en")) for size_bytes in (needed_bytes, available_bytes)}
    return needed_bytes <= available_bytes or len(told) == 1


def memory_of(used_bytes: float, total_bytes: float, language: Language) -> str:
    """Return an amount out of another, such as ``1.9 of 6 GB``."""
    _ = language.gettext
    if used_bytes < 0.01 * GIB:
        return _("{used} of {total}").format(used=memory(used_bytes, language), total=memory(total_bytes, language))
    return _("{used} of {total} GB").format(
        used=_gigabytes(used_bytes, language), total=_gigabytes(total_bytes, language)
    )


def _gigabytes(size_bytes: float, language: Language) -> str:
    size = size_bytes / GIB
    if size >= 10_000:
        return language.number(float(f"{size:.3g}"))
    if size >= 10 or (size >= 1 and abs(size - round(size)) < 0.05):
        return language.number(size)
    return language.significant(size, 2)


def money(amount: float, currency: str, language: Language) -> str:
    """Return an amount as people say it: cents below 10, tenths of them below 0.1, three figures above 100."""
    _ = language.gettext
    if 0 < abs(amount) < 0.01:
        return _("less than {amount}").format(amount=language.money(0.01, currency))
    return language.money(shown_money(amount), currency)


def shown_money(amount: float) -> float:
    """Return an amount as ``money`` rounds it."""
    if abs(amount) >= 100:
        return float(f"{amount:.3g}")
    if abs(amount) >= 10:
        return round(amount)
    return round(amount, 2 if abs(amount) >= 0.1 else 3)


def flop_rate(flop_per_s: float, language: Language) -> str:
    """Return a rate of arithmetic, such as ``92 GFLOP/s``; a slow one as ``0.9 GFLOP/s``, to be seen beside others."""
    for least, factor, unit in ((1e15, 1e15, "PFLOP/s"), (1e12, 1e12, "TFLOP/s"), (1e6, 1e9, "GFLOP/s")):
        if flop_per_s >= least:
            return f"{language.significant(flop_per_s / factor, 3)}\N{NO-BREAK SPACE}{unit}"
    return f"{language.significant(flop_per_s, 3)}\N{NO-BREAK SPACE}FLOP/s"


def energy(energy_j: float, language: Language) -> str:
    """Return electricity in kWh, or Wh below a tenth of one."""
    kwh = energy_j / JOULES_PER_KWH
    if kwh < 0.1:
        return f"{language.significant(kwh * 1000, 2)}\N{NO-BREAK SPACE}Wh"
    return f"{language.significant(kwh, 2)}\N{NO-BREAK SPACE}kWh"


def co2(mass_g: float, language: Language) -> str:
    """Return a mass of CO2 in g, kg or t."""
    for factor, unit in ((1e6, "t"), (1e3, "kg")):
        if mass_g >= factor:
            return f"{language.significant(mass_g / factor, 2)}\N{NO-BREAK SPACE}{unit}"
    return f"{language.significant(mass_g, 2)}\N{NO-BREAK SPACE}g"


def count(value: float, language: Language) -> str:
    """Return a large count in words people use: ``42.5 million``."""
    value = float(f"{value:.3g}") if value >= 1e6 else value  # 999.9 million are said as a billion
    if value >= 1e12:
        return _counted(
            language.ngettext("{n} trillion", "{n} trillion", _plural(value / 1e12)), value / 1e12, language
        )
    if value >= 1e9 and not language.counts_in_millions:
        return _counted(language.gettext("{n} billion"), value / 1e9, language)
    if value >= 1e6:
        return _counted(language.ngettext("{n} million", "{n} million", _plural(value / 1e6)), value / 1e6, language)
    return language.number(value, 0 if value >= 10 or value == int(value) else 2)


def count_before_noun(value: float, language: Language) -> str:
    """Return a large count with a noun to follow: Spanish says «2 millones de muestras», but «2000 muestras»."""
    text = count(value, language)
    if value < 1e6:
        return text
    return language.pgettext("millions before their noun", "{count}").format(count=text)


def _counted(text: str, amount: float, language: Language) -> str:
    return text.format(n=language.significant(amount, 3))


def _plural(amount: float) -> int:
    return 1 if float(f"{amount:.3g}") == 1 else 2


def factor(ratio: float, language: Language) -> str:
    """Return a factor with two figures, such as ``9.6``."""
    return language.significant(ratio, 2)


def is_told(scatter_ratio: float) -> bool:
    """Return whether how much repeats varied says anything in numbers: beyond what was measured itself it does not."""
    return scatter_ratio <= 1.0


_WHOLE_RATIO = 0.0995
"""Beside ±50 % a decimal says nothing."""


def scatter(ratio: float, language: Language, digits: int = 0) -> str:
    """Return how much repeats varied, as a share of what was measured; from 10 % on without decimals."""
    if not is_told(ratio):
        return language.gettext("very uneven")
    return f"±{language.percent(ratio, digits if ratio < _WHOLE_RATIO else 0)}"


def round_count(value: float, language: Language) -> str:
    """Return a count with two figures, such as ``2,300``."""
    return language.significant(value, 2)
