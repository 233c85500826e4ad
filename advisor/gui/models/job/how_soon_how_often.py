"""How soon and how often: the deadlines and frequencies to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.locale import N_, Language
from advisor.units import DAY_S, HOUR_S, MINUTE_S, MONTH_S

WEEKS_PER_MONTH = MONTH_S / (7 * DAY_S)
DAYS_PER_MONTH = MONTH_S / DAY_S

DEADLINES_S: tuple[tuple[float, str], ...] = (
    (10 * MINUTE_S, N_("ten minutes")),
    (HOUR_S, N_("an hour")),
    (12 * HOUR_S, N_("a night")),
    (DAY_S, N_("a day")),
    (3 * DAY_S, N_("three days")),
    (7 * DAY_S, N_("a week")),
    (MONTH_S, N_("a month")),
)
FREQUENCIES: tuple[tuple[float, str], ...] = (
    (1.0, N_("once a month")),
    (2.0, N_("twice a month")),
    (WEEKS_PER_MONTH, N_("every week")),
    (3 * WEEKS_PER_MONTH, N_("three times a week")),
    (DAYS_PER_MONTH, N_("every day")),
    (5 * DAYS_PER_MONTH, N_("five times a day")),
)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """An entry of a list to choose from."""

    value: float | None
    text: str


def deadline_choices(current_s: float | None, language: Language) -> tuple[Choice, ...]:
    """Return the deadlines to choose from, the current one among them."""
    _ = language.gettext
    rows = [Choice(value=None, text=_("no deadline")), *_choices(DEADLINES_S, language)]
    if current_s is not None and not any(is_equal(current_s, row.value) for row in rows):
        hours = language.significant(current_s / HOUR_S, 2)
        rows.append(Choice(value=current_s, text=_("{hours} hours").format(hours=hours)))
    return tuple(sorted(rows, key=lambda row: float("inf") if row.value is None else row.value))


def frequency_choices(current: float, horizon_months: float, language: Language) -> tuple[Choice, ...]:
    """Return how often the job can run, the current frequency among them.

    "Just once" means once in the whole time the hardware would be used.
    """
    _ = language.gettext
    rows = _choices(FREQUENCIES, language)
    if horizon_months > 0:  # a report from elsewhere may say anything
        rows.insert(0, Choice(value=1.0 / horizon_months, text=_("just once")))
    if not any(is_equal(current, row.value) for row in rows):
        rows.append(Choice(value=current, text=_("{n} times a month").format(n=language.significant(current, 2))))
    return tuple(sorted(rows, key=lambda row: row.value or 0.0))


def index_of(choices: Sequence[Choice], value: float | None) -> int:
    """Return the position of a value among choices, 0 where it is not there."""
    return next((i for i, choice in enumerate(choices) if is_equal(value, choice.value)), 0)


def _choices(rows: Sequence[tuple[float, str]], language: Language) -> list[Choice]:
    return [Choice(value=value, text=language.gettext(text)) for value, text in rows]


def is_equal(first: float | None, second: float | None) -> bool:
    """Return whether two values are the same choice, rounding aside."""
    if first is None or second is None:
        return first is second
    return abs(first - second) <= 0.01 * max(abs(first), abs(second))
