"""Of which day prices are, and how old they were when the report was made."""

import datetime
from collections.abc import Iterable, Iterator

from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.labels import PRICES, PROVIDERS, spoken_date
from advisor.units import DAY_S, MONTH_S

_HALF_MONTH_S = MONTH_S / 2


def price_ages(report: Report, options: Iterable[Option], language: Language) -> str:
    """Return the days of the prices of these options and of what else was reckoned with; empty without any.

    Args:
        report: Has the days of electricity prices and exchange rates.
        options: Those a user sees.
        language: The user's.
    """
    days: dict[str, list[str]] = {}
    for option in options:
        if option.price_as_of is not None and option.tier != "this_computer":
            days.setdefault("devices" if option.purchase_usd > 0 else "offers", []).append(option.price_as_of)
    for kind, day in report.prices_as_of.items():
        days.setdefault(kind, [day])
    phrases = ", ".join(_phrases(days, report.created_at, language))
    return language.gettext("Prices change: {dates}.").format(dates=phrases) if phrases else ""


def _phrases(days: dict[str, list[str]], then: str, language: Language) -> Iterator[str]:
    _ = language.gettext
    for kind in sorted(days):
        name = _(PRICES[kind]) if kind in PRICES else kind
        first, last = (spoken_date(end(days[kind]), language) for end in (min, max))
        text = _("{name} of {date}") if first == last else _("{name} from {date} to {last}")
        phrase = text.format(name=name, date=first, last=last)
        age_s = _age_s(min(days[kind]), then)
        if age_s >= DAY_S:
            known = {"phrase": phrase, "age": quantities.duration(_passed_s(age_s), language)}
            text = _("{phrase} ({age} old)") if first == last else _("{phrase} (up to {age} old)")
            phrase = text.format(**known)
        yield phrase


def _passed_s(age_s: float) -> float:
    """Return how much of an age is over where it is told in half months: three months and a week are not 3½."""
    is_in_halves = 2 * MONTH_S <= age_s < 12 * MONTH_S
    return age_s // _HALF_MONTH_S * _HALF_MONTH_S if is_in_halves else age_s


def _age_s(day: str, then: str) -> float:
    """Return the time between two ISO dates, of which the first may be a month or a year; 0 where one is none."""
    try:
        first = datetime.date.fromisoformat(f"{day}-01-01"[:10] if len(day) < 10 else day[:10])
        return max(0.0, (datetime.date.fromisoformat(then[:10]) - first).days * DAY_S)
    except ValueError:
        return 0.0


def refusal_sentence(provider: str, detail: str, language: Language) -> str:
    """Return why the prices of a provider that were fetched earlier are not in use.

    Args:
        provider: As the catalogue calls it.
        detail: What is wrong with the file.
        language: What it is said in.
    """
    text = language.gettext(
        "The prices of {provider} fetched earlier cannot be used ({detail}); those that came with the program are."
    )
    return text.format(provider=PROVIDERS.get(provider, provider), detail=detail)
