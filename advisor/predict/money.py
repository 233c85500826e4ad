"""What an option costs: purchase or rent, electricity, storage, resale; energy and CO2; when buying pays back."""

import math

from advisor.records.base import Record
from advisor.records.job.prediction import Cost
from advisor.records.job.workload import Circumstances, Workload
from advisor.units import DAY_S, GB, HOUR_S, JOULES_PER_KWH, MONTH_S

_PHOTO_BYTES = 1.15e5
"""A JPEG file. Source: ImageNet LSVRC 2012, training images: 147.9 GB in 1,281,167 files."""
_TOKEN_BYTES = 4.0
"""Source: OpenAI Help Center, "What are tokens and how to count them?", read 2026: about four characters of English."""
_NUMBER_BYTES = 8.0
_PARAMETER_BYTES = 4.0


class Prices(Record, frozen=True, kw_only=True):
    """What the cost of one way to get the job done is made of.

    Attributes:
        purchase_usd: Price of what must be bought; 0 for owned or rented hardware.
        rent_usd_per_h: Price of the whole rented machine; electricity is then the provider's.
        power_w: Of the computer under this load; None where unknown.
        electricity_usd_per_kwh: What the user pays.
        co2_g_per_kwh: Of the country's electricity; None where unknown.
        stored_bytes: Data kept at the provider of a rented machine, see ``kept_months``.
        storage_usd_per_gb_month: What keeping them costs there.
        start_s: For which a rented machine is paid before it computes.
        upload_s: For which data travel to the provider before a run.
    """

    purchase_usd: float = 0.0
    rent_usd_per_h: float = 0.0
    power_w: float | None = 0.0
    electricity_usd_per_kwh: float = 0.0
    co2_g_per_kwh: float | None = None
    stored_bytes: float = 0.0
    storage_usd_per_gb_month: float = 0.0
    start_s: float = 0.0
    upload_s: float = 0.0


def price_option(run_s: float, circumstances: Circumstances, prices: Prices, device_count: int = 1) -> Cost:
    """Return the cost of one way to get the job done.

    Args:
        run_s: Duration of one run.
        circumstances: Runs per month, horizon, and the share of the price that comes back at the end (where it is
            unknown, nothing is counted).
        prices: Of this way.
        device_count: For ``device_months``.
    """
    runs = circumstances.runs_per_month * circumstances.horizon_months
    energy_j = None if prices.power_w is None else prices.power_w * run_s
    if prices.rent_usd_per_h > 0:
        run_usd: float | None = prices.rent_usd_per_h * (prices.start_s + run_s) / HOUR_S
        stored_gb = prices.stored_bytes / GB
        used_s = prices.upload_s + prices.start_s + run_s
        kept_usd = stored_gb * prices.storage_usd_per_gb_month * kept_months(used_s, circumstances)
    else:
        run_usd = None if energy_j is None else energy_j / JOULES_PER_KWH * prices.electricity_usd_per_kwh
        kept_usd = prices.purchase_usd * (1 - (circumstances.resale_ratio or 0.0))
    is_emission_known = energy_j is not None and prices.co2_g_per_kwh is not None
    return Cost(
        purchase_usd=prices.purchase_usd,
        run_usd=run_usd,
        horizon_usd=None if run_usd is None else kept_usd + runs * run_usd,
        energy_j=energy_j,
        co2_g=(energy_j or 0.0) / JOULES_PER_KWH * (prices.co2_g_per_kwh or 0.0) if is_emission_known else None,
        device_months=device_count * run_s / MONTH_S,
    )


def kept_months(used_s: float, circumstances: Circumstances) -> float:
    """Return for how many months data are paid for at a provider: the whole days of each run, at most the horizon.

    Between runs they are deleted and sent once more; where that leaves no day between two runs, they stay.

    Args:
        used_s: From the first byte that is sent to the end of a run.
        circumstances: Runs per month, and the horizon.
    """
    days = math.ceil(used_s / DAY_S)
    runs = circumstances.runs_per_month * circumstances.horizon_months
    return min(circumstances.horizon_months, runs * days * DAY_S / MONTH_S)


def stored_bytes(workload: Workload, parameters: int) -> float:
    """Return what a job keeps on disk: its data, as files of the usual size, and the trained network in fp32."""
    sample_bytes = {
        "jpeg": _PHOTO_BYTES,
        "text": _TOKEN_BYTES * (workload.sequence_length or 0),
        "table": _NUMBER_BYTES * (workload.columns or 0),
        "memory": float(workload.channels * (workload.image_size or 0) ** 2),
    }[workload.input_kind]
    return workload.samples * sample_bytes + _PARAMETER_BYTES * parameters


def break_even_months(
    purchase_usd: float, owned_run_usd: float, rented_run_usd: float, runs_per_month: float
) -> float | None:
    """Return after how many months buying has cost less than renting; None where it never does."""
    saved = (rented_run_usd - owned_run_usd) * runs_per_month
    return purchase_usd / saved if saved > 0 else None
