"""What an option costs: purchase or rent, electricity, storage, resale; energy and CO2; when buying pays back."""

import math

from advisor.predict.timing.step_work import LORA_RATIO
from advisor.records.base import Record
from advisor.records.job.prediction import Cost, CostKind, CostPart
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.results.measured.own_data import OwnData
from advisor.units import DAY_S, GB, HOUR_S, JOULES_PER_KWH, MONTH_S

_PHOTO_BYTES = 1.15e5
"""A JPEG file. Source: ImageNet LSVRC 2012, training images: 147.9 GB in 1,281,167 files."""
_TOKEN_BYTES = 4.0
"""Source: OpenAI Help Center, "What are tokens and how to count them?", read 2026: about four characters of English."""
_NUMBER_BYTES = 8.0
_PARAMETER_BYTES = 4.0
_LARGE_PARAMETERS = 1e9


FREE_DOWNLOAD_BYTES_PER_MONTH = 100 * GB
"""Source: "AWS Data Transfer Pricing in 2026", LeanOps, 2026-04-27: the first 100 GB of a month cost nothing."""


class Prices(Record, frozen=True, kw_only=True):
    """What the cost of one way to get the job done is made of.

    Attributes:
        purchase_usd: Price of what must be bought; 0 for owned or rented hardware.
        resale_usd: What it brings at the end of the horizon.
        rent_usd_per_h: Price of the whole rented machine; electricity is then the provider's.
        power_w: Of the computer under this load; None where unknown.
        electricity_usd_per_kwh: What the user pays.
        co2_g_per_kwh: Of the country's electricity; None where unknown.
        stored_bytes: Data kept at the provider of a rented machine: the whole days of each run. Between runs they are
            deleted and sent once more; where that leaves no day between two runs, they stay.
        storage_usd_per_gb_month: What keeping them costs there.
        start_s: For which a rented machine is paid before it computes.
        upload_s: For which data travel to the provider before a run.
        billing_unit_s: A rent is paid in whole units of so long.
        interruptions_per_month: Of a machine that may be taken away; 0 of others.
        checkpoint_s: Between two states of the training that are kept: half of it is lost by an interruption.
        result_bytes: What is fetched from the provider after a run.
        download_usd_per_gb: What the provider takes for that, beyond what is free.
    """

    purchase_usd: float = 0.0
    resale_usd: float = 0.0
    rent_usd_per_h: float = 0.0
    power_w: float | None = 0.0
    electricity_usd_per_kwh: float = 0.0
    co2_g_per_kwh: float | None = None
    stored_bytes: float = 0.0
    storage_usd_per_gb_month: float = 0.0
    start_s: float = 0.0
    upload_s: float = 0.0
    billing_unit_s: float = 0.0
    interruptions_per_month: float = 0.0
    checkpoint_s: float = 0.0
    result_bytes: float = 0.0
    download_usd_per_gb: float = 0.0


def price_option(run_s: float, circumstances: Circumstances, prices: Prices, device_count: int = 1) -> Cost:
    """Return the cost of one way to get the job done.

    Args:
        run_s: Duration of one run.
        circumstances: Runs per month, horizon and failed tries.
        prices: Of this way.
        device_count: For ``device_months``.
    """
    energy_j = None if prices.power_w is None else prices.power_w * run_s
    is_rented = prices.rent_usd_per_h > 0
    of_run = _rented(run_s, circumstances, prices) if is_rented else _owned(energy_j, prices)
    runs = circumstances.runs_per_month * circumstances.horizon_months
    run_usd: float | None = None
    parts: tuple[CostPart, ...] = ()
    if of_run is not None:
        aside = _stored(run_s, circumstances, prices) if is_rented else _bought(prices)
        computed_usd = sum(part.run_usd for part in of_run)
        run_usd = computed_usd + (sum(part.usd(runs) for part in aside) / runs if is_rented else 0.0)
        tries = circumstances.failed_tries
        failed = CostPart(
            kind="failed_tries", fixed_usd=tries * computed_usd, quantity=float(tries), unit_usd=computed_usd
        )
        parts = tuple(part for part in (*aside, *of_run, failed) if part.fixed_usd or part.run_usd)
    is_emission_known = energy_j is not None and prices.co2_g_per_kwh is not None
    return Cost(
        purchase_usd=prices.purchase_usd,
        run_usd=run_usd,
        horizon_usd=None if run_usd is None else sum(part.usd(runs) for part in parts),
        energy_j=energy_j,
        co2_g=(energy_j or 0.0) / JOULES_PER_KWH * (prices.co2_g_per_kwh or 0.0) if is_emission_known else None,
        device_months=device_count * run_s / MONTH_S,
        parts=parts,
    )


def _owned(energy_j: float | None, prices: Prices) -> list[CostPart] | None:
    """Return what is paid for a run of a computer at the user's place; None where nobody knows what it draws."""
    if prices.electricity_usd_per_kwh == 0:
        return [CostPart(kind="electricity")]
    if energy_j is None:
        return None
    kwh, price = energy_j / JOULES_PER_KWH, prices.electricity_usd_per_kwh
    return [CostPart(kind="electricity", run_usd=kwh * price, quantity=kwh, unit_usd=price)]


def _bought(prices: Prices) -> list[CostPart]:
    price, brought = prices.purchase_usd, prices.resale_usd
    share = brought / price if price else 0.0
    return [
        CostPart(kind="purchase", fixed_usd=price),
        CostPart(kind="resale", fixed_usd=-brought, quantity=share, unit_usd=price),
    ]


def _rented(run_s: float, circumstances: Circumstances, prices: Prices) -> list[CostPart]:
    """Return what is paid while a machine is rented for a run, by what it is doing meanwhile."""
    lost_s = run_s / MONTH_S * prices.interruptions_per_month * (prices.checkpoint_s / 2 + prices.start_s)
    used_s = run_s + prices.start_s + circumstances.setup_s + lost_s
    unit_s = prices.billing_unit_s
    rounding_s = max(0.0, math.ceil(used_s / unit_s) * unit_s - used_s) if unit_s > 0 else 0.0
    times: dict[CostKind, float] = {
        "rent": run_s,
        "start": prices.start_s,
        "setup": circumstances.setup_s,
        "interruptions": lost_s,
        "rounding": rounding_s,
    }
    price = prices.rent_usd_per_h
    return [
        CostPart(kind=kind, run_usd=price * time_s / HOUR_S, quantity=time_s / HOUR_S, unit_usd=price)
        for kind, time_s in times.items()
    ]


def _stored(run_s: float, circumstances: Circumstances, prices: Prices) -> list[CostPart]:
    """Return what keeping the data at a provider costs, and fetching the result."""
    months = circumstances.horizon_months
    gb_month_usd = prices.stored_bytes / GB * prices.storage_usd_per_gb_month
    days = math.ceil((prices.upload_s + prices.start_s + circumstances.setup_s + run_s) / DAY_S)
    fetched_usd = prices.result_bytes / GB * prices.download_usd_per_gb
    free_usd = FREE_DOWNLOAD_BYTES_PER_MONTH / GB * prices.download_usd_per_gb * months
    kept = CostPart(
        kind="storage",
        run_usd=gb_month_usd * days * DAY_S / MONTH_S,
        most_usd=gb_month_usd * months,
        quantity=prices.stored_bytes / GB,
        unit_usd=prices.storage_usd_per_gb_month,
    )
    fetched = CostPart(
        kind="download",
        fixed_usd=-free_usd,
        run_usd=fetched_usd,
        least_usd=0.0,
        quantity=prices.result_bytes / GB,
        unit_usd=prices.download_usd_per_gb,
    )
    return [kept, fetched]


def stored_bytes(workload: Workload, parameters: int, data: OwnData | None = None) -> float:
    """Return what a job keeps on disk: its data, and the trained network in fp32."""
    return data_bytes(workload, data) + _PARAMETER_BYTES * parameters


def data_bytes(workload: Workload, data: OwnData | None = None) -> float:
    """Return the size of a job's data: of the user's own files where these are known, else as files of the usual size.

    0 where nothing is known of them.
    """
    if data is not None:
        return data.size_bytes * (workload.samples / data.samples if data.samples else 1.0)
    sample_bytes = {
        "jpeg": _PHOTO_BYTES,
        "text": _TOKEN_BYTES * (workload.sequence_length or 0),
        "table": _NUMBER_BYTES * (workload.columns or 0),
        "memory": float(workload.channels * (workload.image_size or 0) ** 2),
        "files": 0.0,
    }[workload.input_kind]
    return workload.samples * sample_bytes


def shipped_bytes(workload: Workload, parameters: int) -> float:
    """Return the size of the weights a job begins with, as they are published; 0 where it begins with none.

    Large language models come in 16 bit, smaller networks in 32. Sources: the files of meta-llama/Llama-3.1-8B,
    16.06 GB of 8.03e9 parameters, and of google-bert/bert-base-uncased, 0.44 GB of 0.11e9 (huggingface.co, read 2026).
    A small network that is applied is taken for the user's own.
    """
    is_large = parameters >= _LARGE_PARAMETERS
    if workload.method in ("scratch", "classical") and (workload.task == "train" or not is_large):
        return 0.0
    return parameters * (2.0 if is_large else _PARAMETER_BYTES)


def result_bytes(workload: Workload, parameters: int) -> float:
    """Return the size of what is fetched after a run: the trained network in fp32, or its adapters alone."""
    if workload.task == "infer":
        return 0.0
    trained = parameters * LORA_RATIO if workload.method in ("lora", "qlora") else float(parameters)
    return _PARAMETER_BYTES * trained


def break_even_months(
    purchase_usd: float, owned_run_usd: float, rented_run_usd: float, runs_per_month: float
) -> float | None:
    """Return after how many months buying has cost less than renting; None where it never does."""
    saved = (rented_run_usd - owned_run_usd) * runs_per_month
    return purchase_usd / saved if saved > 0 else None
