"""Price every candidate: from candidates and predictions to options that can be ranked."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from advisor.catalog import economics
from advisor.errors import InputError
from advisor.options.candidates import Candidate
from advisor.options.power_draw import measured_power_w, socket_power_w
from advisor.options.transfer_time import after_s, before_s, upload_s
from advisor.predict import Prices, is_supported, price_option
from advisor.predict.money import break_even_months, data_bytes, result_bytes, shipped_bytes, stored_bytes
from advisor.records.base import Interval, Source
from advisor.records.hardware.device import HostParts
from advisor.records.hardware.economics import Economics
from advisor.records.job.advice import Option
from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.results.measured.measurement import Benchmark
from advisor.records.results.measured.own_data import OwnData


class _Terms(NamedTuple):
    """What prices depend on beside the option itself."""

    circumstances: Circumstances
    economics: Economics
    sent_bytes: float
    stored_bytes: float
    result_bytes: float
    shipped_bytes: float
    measured_w: Mapping[str, float]


def price_options(
    candidates: Sequence[Candidate],
    predictions: Sequence[Prediction | None],
    workload: Workload,
    circumstances: Circumstances,
    *,
    parameters: int = 0,
    benchmark: Benchmark | None = None,
    data: OwnData | None = None,
) -> tuple[Option, ...]:
    """Return an option for each candidate, with its cost where its time is known.

    Args:
        candidates: The ways to get the job done.
        predictions: One for each.
        workload: The job.
        circumstances: Runs, horizon, country, and the share of a price that comes back.
        parameters: Of the trained network, which a rented machine's storage keeps.
        benchmark: Tells what this computer's devices drew in training.
        data: The user's own files, which a rented machine gets and keeps.

    Raises:
        InputError: The price of electricity in the country is not known, and the user gave none.
    """
    table = economics()
    terms = _Terms(
        circumstances,
        table,
        sent_bytes=data_bytes(workload, data),
        stored_bytes=stored_bytes(workload, parameters, data),
        result_bytes=result_bytes(workload, parameters),
        shipped_bytes=shipped_bytes(workload, parameters),
        measured_w=measured_power_w(benchmark),
    )
    options = [
        _option(candidate, prediction, workload, terms)
        for candidate, prediction in zip(candidates, predictions, strict=True)
    ]
    return _with_break_even(options, candidates, circumstances)


def price_dates(candidates: Iterable[Candidate], circumstances: Circumstances) -> dict[str, str]:
    """Return the dates of the prices that were used: of each kind the oldest, so that no age is understated."""
    table = economics()
    found: dict[str, list[str | None]] = {
        "electricity": [table.countries[circumstances.country].electricity_as_of],
        "rates": [] if circumstances.units_per_usd else [table.currencies[circumstances.currency].as_of],
        "offers": [one.price_as_of for one in candidates if one.offer is not None],
        "devices": [one.price_as_of for one in candidates if one.purchase_usd > 0],
    }
    dated = {kind: [date for date in dates if date] for kind, dates in found.items()}
    return {kind: min(dates) for kind, dates in dated.items() if dates}


def cost_sources(circumstances: Circumstances) -> dict[str, Source]:
    """Return where the figures behind the parts of a cost, and the upload, are from; none of what the user said."""
    table = economics()
    found = {
        "start": table.rent_start_s.source,
        "rounding": table.billing_unit_s.source,
        "interruptions": table.interruptions_per_month.source,
        "storage": table.storage_usd_per_gb_month.source,
        "download": table.download_usd_per_gb.source,
    }
    if circumstances.upload_bytes_per_s is None:
        found["upload"] = table.upload_bytes_per_s.source
    if circumstances.resale_ratio is None:
        found["resale"] = table.resale_ratio_per_year.source
        found["host_resale"] = table.host_resale_ratio_per_year.source
    power = table.countries[circumstances.country].sources.get("electricity")
    if power is not None and circumstances.electricity_usd_per_kwh is None:
        found["electricity"] = power
    return found


def host_parts(threads: float | None = None) -> HostParts:
    """Return the computer that is in the price of a card, with the processor of so many threads; None: its usual."""
    table = economics()
    other = next((one for one in table.processors if one.threads == threads), None)
    return HostParts(
        cores=table.host_cores.value if other is None else other.cores,
        threads=table.host_threads.value if other is None else other.threads,
        extra_usd=0.0 if other is None else other.extra_usd,
        extra_as_of=None if other is None else other.as_of,
        extra_source=None if other is None else other.source,
        memory_bytes=table.host_memory_bytes.value,
        supply_w=table.host_supply_w.value,
        as_of=table.host_usd.as_of,
        source=table.host_usd.source,
    )


def _option(candidate: Candidate, prediction: Prediction | None, workload: Workload, terms: _Terms) -> Option:
    option = Option(
        id=candidate.id,
        tier=candidate.tier,
        title=candidate.title,
        device=candidate.device.name,
        device_count=candidate.device_count,
        prediction=prediction,
        offer=candidate.offer,
        purchase_usd=candidate.purchase_usd,
        host_usd=candidate.host_usd,
        is_computer=candidate.is_computer,
        site_nodes=candidate.nodes if candidate.is_site else 0,
        threads=candidate.cpu_cores,
        sent_bytes=0.0 if candidate.offer is None else terms.sent_bytes,
        before_s=before_s(
            candidate,
            terms.circumstances,
            terms.economics,
            sent_bytes=terms.sent_bytes,
            shipped_bytes=terms.shipped_bytes,
        ),
        after_s=after_s(candidate, terms.circumstances, terms.result_bytes),
        price_as_of=candidate.price_as_of,
    )
    if prediction is None:
        barred = None if is_supported(candidate.device, workload) else "not_supported"
        return msgspec.structs.replace(option, obstacle=barred)
    run_s, interval = run_time(prediction, workload)
    prices = _prices(candidate, terms, run_s / max(workload.epochs, 1.0))
    circumstances = terms.circumstances
    if candidate.is_site:  # what is set up there once stays
        circumstances = msgspec.structs.replace(circumstances, setup_s=0.0)
    cost = price_option(run_s, circumstances, prices, device_count=candidate.device_count)
    site_jobs = 1 if candidate.job_limit_s is None else max(1, math.ceil(run_s / candidate.job_limit_s))
    return msgspec.structs.replace(
        option,
        site_jobs=site_jobs,
        before_s=option.before_s * site_jobs,
        run_s=run_s,
        interval=interval,
        run_usd=cost.run_usd,
        horizon_usd=cost.horizon_usd,
        cost_parts=cost.parts,
        energy_j=cost.energy_j,
        co2_g=cost.co2_g,
    )


def _prices(candidate: Candidate, terms: _Terms, epoch_s: float) -> Prices:
    """Return what an option's cost is made of.

    Programs keep the state of a training after every epoch (source: Lightning, "ModelCheckpoint", 2026).
    """
    table = terms.economics
    if candidate.is_site:
        return Prices(
            rent_usd_per_h=candidate.node_usd_per_h * candidate.nodes,
            power_w=socket_power_w(candidate, table, terms.measured_w),
            co2_g_per_kwh=table.countries[terms.circumstances.country].co2_g_per_kwh,
        )
    is_spot = candidate.offer is not None and candidate.offer.spot
    return Prices(
        purchase_usd=candidate.purchase_usd,
        resale_usd=resale_usd(candidate, terms.circumstances, table),
        rent_usd_per_h=0.0 if candidate.offer is None else candidate.offer.price_usd_per_h * candidate.nodes,
        power_w=socket_power_w(candidate, table, terms.measured_w),
        electricity_usd_per_kwh=electricity_usd_per_kwh(terms.circumstances, table),
        co2_g_per_kwh=table.countries[terms.circumstances.country].co2_g_per_kwh,
        stored_bytes=terms.stored_bytes,
        storage_usd_per_gb_month=table.storage_usd_per_gb_month.value,
        start_s=table.rent_start_s.value,
        upload_s=upload_s(terms.sent_bytes, terms.circumstances, table),
        billing_unit_s=table.billing_unit_s.value,
        interruptions_per_month=table.interruptions_per_month.value if is_spot else 0.0,
        checkpoint_s=epoch_s,
        result_bytes=terms.result_bytes,
        download_usd_per_gb=table.download_usd_per_gb.value,
    )


def run_time(prediction: Prediction, workload: Workload) -> tuple[float, Interval]:
    """Return how long one run of the job takes, and its 80 % interval: its steps, and what it looks at in between."""
    steps, others = workload.total_steps, workload.validation_steps
    step, aside = prediction.interval, prediction.validation_interval or Interval(low=0.0, high=0.0)
    return (
        prediction.time_per_step_s * steps + (prediction.validation_step_s or 0.0) * others,
        Interval(low=step.low * steps + aside.low * others, high=step.high * steps + aside.high * others),
    )


def electricity_usd_per_kwh(circumstances: Circumstances, economics: Economics) -> float:
    """Return the user's own price, else the country's.

    Raises:
        InputError: Neither is known.
    """
    price = circumstances.electricity_usd_per_kwh
    if price is None:
        price = economics.countries[circumstances.country].electricity_usd_per_kwh
    if price is None:
        raise InputError(
            "The price of electricity in {country} is not known; give yours, such as --electricity 0.2.",
            country=circumstances.country,
        )
    return price


def currency_per_usd(circumstances: Circumstances) -> float:
    """Return units of the user's currency for one US dollar: their own rate of exchange, else the table's."""
    return circumstances.units_per_usd or economics().currencies[circumstances.currency].units_per_usd


def resale_usd(candidate: Candidate, circumstances: Circumstances, economics: Economics) -> float:
    """Return what a purchase brings at the end: the user's share of its price, else each part's own.

    What is sold within a year brings what a year leaves of it: the sources tell of whole years, and used is not new.
    """
    if circumstances.resale_ratio is not None:
        return candidate.purchase_usd * circumstances.resale_ratio
    years = max(circumstances.horizon_months / 12, 1.0)
    computer_usd = candidate.purchase_usd if candidate.is_computer else candidate.host_usd
    card_usd = candidate.purchase_usd - computer_usd
    card_share: float = economics.resale_ratio_per_year.value**years
    computer_share: float = economics.host_resale_ratio_per_year.value**years
    return card_usd * card_share + computer_usd * computer_share


def _with_break_even(
    options: Sequence[Option], candidates: Sequence[Candidate], circumstances: Circumstances
) -> tuple[Option, ...]:
    """Return the options with the month from which each purchase is cheaper than the cheapest rent one could advise."""
    rents = [
        option.run_usd
        for option, candidate in zip(options, candidates, strict=True)
        if option.tier == "cloud" and _is_advisable_rent(option, candidate) and option.run_usd is not None
    ]
    if not rents:
        return tuple(options)
    return tuple(_breaking_even(option, min(rents), circumstances.runs_per_month) for option in options)


def _is_advisable_rent(option: Option, candidate: Candidate) -> bool:
    """Return whether a machine can be counted on, runs programs as they are, and is not known to be too small."""
    memory = None if option.prediction is None else option.prediction.memory
    is_too_small = memory is not None and memory.fits is False
    is_dependable = option.offer is not None and option.offer.is_dependable
    return is_dependable and not candidate.device.is_less_supported and not is_too_small


def _breaking_even(option: Option, rented_run_usd: float, runs_per_month: float) -> Option:
    if option.purchase_usd == 0 or option.run_usd is None:
        return option
    months = break_even_months(option.purchase_usd, option.run_usd, rented_run_usd, runs_per_month)
    return msgspec.structs.replace(option, break_even_months=months)
