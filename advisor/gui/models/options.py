"""The options as points of a chart and rows of a table, filtered by kind."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import overload

import msgspec

from advisor.gui.models.verdict import KINDS, signed
from advisor.locale import N_, Language
from advisor.records.hardware.device import Device
from advisor.records.job.advice import Option
from advisor.records.job.prediction import Prediction
from advisor.records.results.report import Report
from advisor.report.content.options.best import best_options
from advisor.report.content.options.option_rows import option_row
from advisor.report.provenance.money import of_break_even, of_cost, of_energy, of_instead, of_price
from advisor.report.provenance.predictions import of_memory, of_time
from advisor.report.provenance.record import Provenance, has_number
from advisor.report.provenance.verdict import of_quantity
from advisor.report.words import quantities
from advisor.report.words.advice.reasons import reason_sentence
from advisor.report.words.advice.renting import rental_facts
from advisor.report.words.advice.trade import comparison_sentence
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.labels import (
    amount,
    basis_phrase,
    limit_phrase,
    option_confidence,
    option_title,
    spoken_date,
    tier_name,
)
from advisor.report.words.learned import rests_on
from advisor.report.words.sources import source_phrase
from advisor.units import DAY_S, HOUR_S, MINUTE_S, YEAR_S

SYMBOLS = {"here": "o", "buy": "s", "rent": "d", "cluster": "t1"}
TIME_TICKS_S = (
    1.0,
    10.0,
    MINUTE_S,
    10 * MINUTE_S,
    HOUR_S,
    10 * HOUR_S,
    DAY_S,
    10 * DAY_S,
    100 * DAY_S,
    YEAR_S,
    10 * YEAR_S,
)
_FINE_TIME_TICKS_S = tuple(
    sorted(
        count * unit
        for unit, counts in (
            (1.0, (1, 2, 5, 10, 20, 30)),
            (MINUTE_S, (1, 2, 5, 10, 20, 30)),
            (HOUR_S, (1, 2, 5, 12)),
            (DAY_S, (1, 2, 5, 10, 20, 50, 100, 200)),
            (YEAR_S, (1, 2, 5, 10)),
        )
        for count in counts
    )
)
_FEWEST_TICKS = 3
CHEAPEST = 0.01
_MOST_COST_TICKS = 6
_FIRST_NUMBER, _MEMORY, _WHY_NOT = 2, 3, 6
_PRICE, _TOTAL = 4, 5
_WEIGHED = frozenset({"not_needed", "dearer", "slower"})
"""Obstacles of options that do the job: time and money decide."""
_CHEAPER = frozenset({"stay_though_dearer", "rather_cheap", "rather_stay"})
"""Comparisons with something that costs less than what is recommended."""
_STAYING = {
    "cloud": N_("Renting can cost less, but needs an account, and your data go there."),
    "single_gpu": N_("Buying can cost less, but has to be paid at once."),
}
_NOTICED, _NOTICED_TIME = 0.01, 0.05
"""Shares by which a cost or a time must differ to be spoken of: a time within any prediction's error is the same."""
_NEARLY = 0.93  # firmware keeps a little: a card sold with 16 GB has 15 or more


@dataclass(frozen=True, kw_only=True)
class OptionPoint:
    """One option of the chart, in the user's currency.

    Attributes:
        row: Its place in the table of options.
        cost: Over the horizon; what costs next to nothing lies on ``CHEAPEST``.
        label: Its name where it is the best of its kind, else empty.
    """

    row: int
    kind: str
    time_s: float
    cost: float
    is_feasible: bool
    is_chosen: bool
    label: str


def option_header(report: Report, language: Language) -> tuple[str, ...]:
    """Return the titles of the table's columns."""
    _ = language.gettext
    months = quantities.months(report.circumstances.horizon_months, language)
    return (
        _("Answer"),
        _("Option"),
        _("Time of a run"),
        _("Memory"),
        _("Price"),
        _("Cost in {months}").format(months=months),
        _("Compared with our pick"),
    )


@dataclass(frozen=True, kw_only=True)
class OptionFilter:
    """Which options are shown; what is None or empty lets all through.

    Attributes:
        kind: ``here``, ``buy``, ``rent`` or ``cluster``.
        vendor: Maker of the device, such as ``nvidia``.
        for_whom: ``consumer``, ``professional`` or ``datacenter``.
        least_bytes: Memory of one device.
        most_usd: Cost over the horizon.
        words: Each must be in the option's name, in any order.
        is_feasible: Only what meets the user's wishes.
    """

    kind: str | None = None
    vendor: str | None = None
    for_whom: str | None = None
    least_bytes: float | None = None
    most_usd: float | None = None
    words: str = ""
    is_feasible: bool = False


def options_of(report: Report, wanted: OptionFilter, language: Language) -> list[Option]:
    """Return the options a filter lets through, best first."""
    return [option for option in report.advice.options if _passes(option, wanted, language)]


def _passes(option: Option, wanted: OptionFilter, language: Language) -> bool:
    if wanted.kind is not None and KINDS[option.tier] != wanted.kind:
        return False
    if wanted.is_feasible and not option.feasible:
        return False
    if wanted.most_usd is not None and (option.horizon_usd is None or option.horizon_usd > wanted.most_usd):
        return False
    if wanted.least_bytes is not None and (memory_bytes(option) or 0.0) < wanted.least_bytes * _NEARLY:
        return False
    return _is_made_so(option, wanted) and _is_named_so(option, wanted.words, language)


def _is_made_so(option: Option, wanted: OptionFilter) -> bool:
    if wanted.vendor is None and wanted.for_whom is None:
        return True
    device = device_of(option)
    if device is None:
        return False
    return wanted.vendor in {None, device.vendor} and wanted.for_whom in {None, device.for_whom}


def _is_named_so(option: Option, words: str, language: Language) -> bool:
    if not words.strip():
        return True
    name = f"{option_title(option, language)} {tier_name(option.tier, language)} {option.id}".casefold()
    return all(word in name for word in words.casefold().split())


def memory_bytes(option: Option) -> float | None:
    """Return the memory of one device of an option; None where unknown."""
    memory = option.prediction.memory if option.prediction is not None else None
    return None if memory is None else memory.available_bytes


@cache
def _known(name: str) -> Device | None:
    from advisor.catalog import known_device

    return known_device(name)


def device_of(option: Option) -> Device | None:
    """Return the catalogue's row of an option's device; None for a device no catalogue has."""
    return _known(option.device)


def vendors_of(report: Report) -> tuple[str, ...]:
    """Return the makers of the options' devices, in alphabetical order."""
    found = {device.vendor for option in report.advice.options if (device := device_of(option)) is not None}
    return tuple(sorted(found))


def _exchange(prediction: Prediction | None, language: Language) -> str:
    if prediction is None or prediction.exchange_basis is None:
        return ""
    return basis_phrase(prediction.exchange_basis, language)


def option_facts(option: Option, report: Report, language: Language) -> tuple[tuple[str, str], ...]:
    """Return all that is known of an option, as names and values; what is not known is left out."""
    _ = language.gettext
    row = option_row(option, report, language)
    months = quantities.months(report.circumstances.horizon_months, language)
    prediction = option.prediction
    rows = (
        (_("Time of a run"), _with(row.time, row.interval)),
        (_("How sure"), _sureness(option, language)),
        (_("Based on"), "" if prediction is None else rests_on(prediction, language)),
        (_("Exchange between devices"), _exchange(prediction, language)),
        (_("Bottleneck"), "" if prediction is None else limit_phrase(prediction.limit, language)),
        (_("Memory"), row.memory),
        (_("Price"), _with(row.cost, row.host)),
        (_("Cost in {months}").format(months=months), row.horizon),
        (_("Buying pays after"), _break_even(option, language)),
        (_("Electricity"), _with(row.energy, row.co2)),
        (_("Compared with our pick"), _compared(option, row.remark, report, language)),
        *rental_facts(option, report, language, *_terms(option)),
        (_("Machine"), "" if option.offer is None else option.offer.instance),
        (_("Price of"), "" if option.price_as_of is None else spoken_date(option.price_as_of, language)),
        (_("Source"), _source(option, language)),
    )
    return tuple((name, value) for name, value in rows if value not in {"", "–"})


def _compared(option: Option, remark: str, report: Report, language: Language) -> str:
    if option.id == report.advice.chosen:
        return ""
    difference = beside_pick(option, report, language)
    is_said = option.obstacle != "not_needed"  # the difference says what is dearer or slower
    return difference if difference and is_said else "; ".join(filter(None, (difference, remark)))


def option_origins(option: Option, report: Report, language: Language) -> dict[str, Provenance]:
    """Return where the numbers among an option's facts come from, by the facts' names."""
    _ = language.gettext
    months = quantities.months(report.circumstances.horizon_months, language)
    time = of_time(option, report, language)
    return {
        _("Time of a run"): time,
        _("How sure"): time,
        _("Memory"): of_memory(option, report, language),
        _("Price"): _with_page(of_price(option, report, language), option),
        _("Cost in {months}").format(months=months): _with_page(of_cost(option, report, language), option),
        _("Electricity"): of_energy(option, report, language),
        _("Buying pays after"): of_break_even(option, report, language),
    }


def _terms(option: Option) -> tuple[str, float]:
    """Return the address of the page of who rents a machine, and in what units of time it is billed."""
    if option.offer is None:
        return "", 0.0
    from advisor.catalog import economics, offer_sources

    source = offer_sources().get(option.offer.provider)
    page = "" if source is None or source.url is None else source.url
    return page, economics().billing_unit_s.value


def _with_page(origin: Provenance, option: Option) -> Provenance:
    """Return where a price comes from, with the provider's page, which a menu can open."""
    page, _unit_s = _terms(option)
    return msgspec.structs.replace(origin, source=f"{origin.source}, {page}") if page else origin


def _sureness(option: Option, language: Language) -> str:
    prediction = option.prediction
    return "" if prediction is None else option_confidence(option, prediction.confidence, language)


def _with(text: str, more: str) -> str:
    return f"{text} ({more})" if more else text


def _break_even(option: Option, language: Language) -> str:
    if option.break_even_months is None:
        return ""
    return quantities.months(max(1.0, math.ceil(option.break_even_months)), language)


def _source(option: Option, language: Language) -> str:
    """Return where an option's figures are from: of a rent the price list, else the device's specifications."""
    device = device_of(option)
    if device is None:
        return ""
    groups = ("price", "specifications") if option.purchase_usd > 0 else ("specifications",)
    found = [device.sources[group] for group in groups if group in device.sources]
    return "; ".join(dict.fromkeys(source_phrase(one, language) for one in found))


def option_cells(option: Option, report: Report, language: Language) -> tuple[str, ...]:
    """Return an option's row."""
    row = option_row(option, report, language)
    beside = beside_pick(option, report, language) or row.remark
    return (row.tier, row.title, row.time, row.memory, row.cost, row.horizon, beside)


_MANY_TIMES = 5.0


def beside_pick(option: Option, report: Report, language: Language) -> str:
    """Return how much cheaper and sooner an option is than the recommended one, or dearer and later.

    Empty for the recommended one, and where something else than time and money speaks against the option.
    """
    chosen = chosen_option(report)
    if chosen is None or option.obstacle not in _WEIGHED or option.run_s is None or chosen.run_s is None:
        return ""
    parts = []
    if option.horizon_usd is not None and chosen.horizon_usd is not None:
        usd = option.horizon_usd - chosen.horizon_usd
        if abs(usd) > _NOTICED * abs(chosen.horizon_usd):
            parts.append(signed(amount(abs(usd), report, language), is_more=usd > 0))
    if abs(option.run_s - chosen.run_s) > _NOTICED_TIME * chosen.run_s:
        parts.append(_beside_time(option.run_s, chosen.run_s, language))
    return ", ".join(parts)


def _beside_time(time_s: float, chosen_s: float, language: Language) -> str:
    """Return a difference of times; where the pick takes many times as long, how many: all else rounds to its time."""
    if _MANY_TIMES * time_s <= chosen_s:
        factor = quantities.factor(chosen_s / time_s, language)
        return language.gettext("{factor} times as fast").format(factor=factor)
    return signed(quantities.duration(abs(time_s - chosen_s), language), is_more=time_s > chosen_s)


def why_best(report: Report, language: Language) -> str:
    """Return which option is recommended and why, and why though another costs less; empty where none is."""
    chosen = chosen_option(report)
    if chosen is None:
        return ""
    said = [language.gettext("Recommended: {option}.").format(option=option_title(chosen, language))]
    said += [reason_sentence(one, report, language) for one in report.advice.reasons[:1]]
    trade = report.advice.trade
    cheaper = [one for one in (() if trade is None else trade.reasons) if one.code in _CHEAPER]
    for one in cheaper[:1]:
        short = _STAYING.get(str(one.values.get("tier"))) if one.code == "stay_though_dearer" else None
        said.append(comparison_sentence(one, report, language) if short is None else language.gettext(short))
    return " ".join(said)


class OptionTable(Sequence[tuple[str, ...]]):
    """Options as rows, best first; a row is put into words when it is first seen.

    Attributes:
        report: Where they are from.
        options: The options, in the order of the rows.
        keys: What each row is sorted by, column by column.
        alike: Further options of a row, by the id of the one that stands for them.
    """

    def __init__(
        self,
        report: Report,
        language: Language,
        options: Sequence[Option] | None = None,
        alike: Mapping[str, Sequence[Option]] | None = None,
    ) -> None:
        self.report = report
        self.alike = alike or {}
        self.options = list(report.advice.options if options is None else options)
        self.keys = [_sort_keys(option, rank) for rank, option in enumerate(self.options)]
        self._language = language
        self._cells: dict[int, tuple[str, ...]] = {}

    @cached_property
    def chosen(self) -> int | None:
        """The row of the recommended option, None where it is not among them."""
        wanted = self.report.advice.chosen
        return next((row for row, option in enumerate(self.options) if option.id == wanted), None)

    def origin(self, row: int, column: int) -> Provenance | None:
        """Return where the number in a cell comes from."""
        option = self.options[row]
        if not has_number(self[row][column]) or column < _FIRST_NUMBER:
            return None
        if column == _MEMORY:
            return of_memory(option, self.report, self._language)
        chosen = chosen_option(self.report)
        if column == _WHY_NOT and chosen is not None and option.obstacle in _WEIGHED:
            return of_instead(option, chosen, self.report, self._language)
        if column == _WHY_NOT:
            return of_quantity(option.obstacle_values, option, self.report, self._language)
        origin = {_PRICE: of_price, _TOTAL: of_cost}.get(column, of_time)
        found = origin(option, self.report, self._language)
        return _with_page(found, option) if column in {_PRICE, _TOTAL} else found

    def hover(self, row: int) -> str:
        """Return all about an option in a few lines."""
        _answer, title, time, memory, cost, _horizon, remark = self[row]
        return "\n".join(line for line in (title, f"{time} · {cost}", memory, remark) if line)

    def __len__(self) -> int:
        return len(self.options)

    @overload
    def __getitem__(self, index: int) -> tuple[str, ...]: ...

    @overload
    def __getitem__(self, index: slice) -> list[tuple[str, ...]]: ...

    def __getitem__(self, index: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        if index not in self._cells:
            self._cells[index] = self._worded(self.options[index])
        return self._cells[index]

    def _worded(self, option: Option) -> tuple[str, ...]:
        """Return an option's row, with how many others share it behind its name."""
        answer, title, *rest = option_cells(option, self.report, self._language)
        count = len(self.alike.get(option.id, ()))
        if count:
            title = f"{title} (+{self._language.number(count)})"
        return (answer, title, *rest)


def _sort_keys(option: Option, rank: int) -> tuple[float | str, ...]:
    memory = option.prediction.memory if option.prediction is not None else None
    return (
        float(rank),
        option.title,
        math.inf if option.run_s is None else option.run_s,
        math.inf if memory is None else memory.total_bytes,
        option.purchase_usd or option.run_usd or 0.0,
        math.inf if option.horizon_usd is None else option.horizon_usd,
        option.obstacle or "",
    )


def option_points(table: OptionTable) -> tuple[OptionPoint, ...]:
    """Return the options of a table that can be drawn: those whose time and cost are known."""
    named: set[str] = set()
    best = {KINDS[one.tier]: one.id for one in best_options(table.report)}
    best = {kind: id_ for kind, id_ in best.items() if any(one.id == id_ for one in table.options)}
    points = []
    nameable = {KINDS[option.tier] for option in table.options}
    if len(nameable) > 1 and table.report.advice.tier != "cluster":
        nameable.discard("cluster")  # nobody looks for one then, and its name would lie on others' marks
    for row, option in enumerate(table.options):
        if option.run_s is None or option.run_s <= 0 or option.horizon_usd is None:
            continue
        kind = KINDS[option.tier]
        is_named = kind in nameable and kind not in named and best.get(kind, option.id) == option.id
        points.append(
            OptionPoint(
                row=row,
                kind=kind,
                time_s=option.run_s,
                cost=max(CHEAPEST, option.horizon_usd * table.report.currency_per_usd),
                is_feasible=option.feasible,
                is_chosen=row == table.chosen,
                label=option.title if is_named else "",
            )
        )
        if is_named:
            named.add(kind)
    return tuple(points)


_MOST_TIME_TICKS = 7


def time_ticks(points: Iterable[OptionPoint], language: Language) -> list[tuple[float, str]]:
    """Return positions (decimal logarithm of seconds) and words of the time axis."""
    times = [point.time_s for point in points]
    low, high = min(times) / 2, max(times) * 2
    coarse = [t for t in TIME_TICKS_S if low <= t <= high]
    shown = coarse if len(coarse) >= _FEWEST_TICKS else [t for t in _FINE_TIME_TICKS_S if low <= t <= high]
    apart = (math.log10(high) - math.log10(low)) / _MOST_TIME_TICKS
    kept: list[float] = []
    for place in map(math.log10, shown):
        if not kept or place - kept[-1] >= apart:  # else their words would run into each other
            kept.append(place)
    return [(place, quantities.duration(10**place, language)) for place in kept]


def cost_ticks(points: Iterable[OptionPoint], report: Report, language: Language) -> list[tuple[float, str]]:
    """Return positions (decimal logarithm of money) and words of the cost axis."""
    costs = [point.cost for point in points]
    first, last = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)))
    step = max(1, math.ceil((last - first + 1) / _MOST_COST_TICKS))
    values = [10.0**power for power in range(first, last + 1, step)]
    if last - first <= 1:
        low, high = min(costs) / 2, max(costs) * 2
        values = [mantissa * 10.0**power for power in range(first - 1, last + 1) for mantissa in (1, 2, 5)]
        values = [value for value in values if low <= value <= high]
    usd = 1 / report.currency_per_usd
    return [(math.log10(value), amount(value * usd, report, language)) for value in values]
