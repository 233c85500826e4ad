"""What an option costs: purchase or rent, electricity, storage, resale; energy and CO2; when buying pays back."""

from advisor.records.prediction import Cost
from advisor.records.workload import Circumstances
from advisor.units import HOUR_S, JOULES_PER_KWH, MONTH_S

STORAGE_USD_PER_BYTE_MONTH = 0.08e-9
"""Block storage. Source: AWS EBS gp3, us-east-1, price list read 2025: 0.08 USD per GB-month."""

_OVERHEAD_W = 100.0  # processor, memory, fans and supply losses of a desktop under load
_RESALE_RATIO = 0.4


def price_option(
    run_s: float,
    circumstances: Circumstances,
    *,
    purchase_usd: float = 0.0,
    rent_usd_per_h: float = 0.0,
    power_w: float = 0.0,
    electricity_usd_per_kwh: float = 0.0,
    co2_g_per_kwh: float | None = None,
    stored_bytes: float = 0.0,
    device_count: int = 1,
) -> Cost:
    """Return the cost of one way to get the job done.

    Args:
        run_s: Duration of one run.
        circumstances: Runs per month, horizon, the person's own electricity price and resale share.
        purchase_usd: Price of what must be bought; 0 for owned or rented hardware.
        rent_usd_per_h: Price of the whole rented machine; electricity is then the provider's.
        power_w: Of the computer under this load.
        electricity_usd_per_kwh: The country's price, used where the person gave none.
        co2_g_per_kwh: Of the country's electricity.
        stored_bytes: Data kept at the provider between runs.
        device_count: For ``device_months``.
    """
    runs = circumstances.runs_per_month * circumstances.horizon_months
    energy_j = power_w * run_s
    price = electricity_usd_per_kwh
    if circumstances.electricity_usd_per_kwh is not None:
        price = circumstances.electricity_usd_per_kwh
    run_usd = rent_usd_per_h * run_s / HOUR_S if rent_usd_per_h > 0 else energy_j / JOULES_PER_KWH * price
    storage = stored_bytes * STORAGE_USD_PER_BYTE_MONTH * circumstances.horizon_months if rent_usd_per_h > 0 else 0.0
    resale = _RESALE_RATIO if circumstances.resale_ratio is None else circumstances.resale_ratio
    return Cost(
        purchase_usd=purchase_usd,
        run_usd=run_usd,
        horizon_usd=purchase_usd * (1 - resale) + runs * run_usd + storage,
        energy_j=energy_j,
        co2_g=None if co2_g_per_kwh is None else energy_j / JOULES_PER_KWH * co2_g_per_kwh,
        device_months=device_count * run_s / MONTH_S,
    )


def break_even_months(
    purchase_usd: float, owned_run_usd: float, rented_run_usd: float, runs_per_month: float
) -> float | None:
    """Return after how many months buying has cost less than renting; None where it never does."""
    saved = (rented_run_usd - owned_run_usd) * runs_per_month
    return purchase_usd / saved if saved > 0 else None
