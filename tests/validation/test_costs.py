"""Ten options that people are really told, their money worked out from what the sources say, to the cent.

Nothing of the code under test is used in the sums: prices, watts, rates and the hours of a run stand here as literals.
Sources, as the report shows them: RTX 5060 Ti, 5070 and 5080 at 429, 549 and 999 USD and 180, 250 and 360 W (launch
prices and TechPowerUp); Ryzen 9 5950X, 105 W (AMD); Mac mini, 1,699 USD (Apple, 2026-08-25) and at most 140 W from the
socket; a computer around a card 674 USD (Edward Ross, 2023-12-21), which draws 90 W while it trains and 30 W while its
processor does (twobiers, 2023-06-15); a power supply of 80 PLUS Gold, 1 / 0.90; a card keeps 81 % a year (CalcBee);
electricity in Spain 0.25 USD a kWh (GlobalPetrolPrices, 2025); storage 0.08 USD a GB and month, download 0.09 USD a GB
beyond 100 GB a month (AWS); a rented machine starts within 300 s and is paid by the minute; one that may be interrupted
is in 0.2 of all months, and half an epoch and a start are lost; 5.5 MB/s upwards. A photo is 115 kB (ImageNet).
"""

import datetime

import pytest

from advisor.options.candidates import list_candidates
from advisor.options.pricing import price_options
from advisor.records.base import Interval
from advisor.records.job.advice import Option
from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Circumstances, Workload
from tests.end_to_end.askers import machine_of

TODAY = datetime.date(2026, 11, 24)
DESKTOP = {"form_factor": "desktop", "cpu": "Ryzen 9 5950X", "cores": 16, "threads": 32, "memory_gib": 64}
LAPTOP = {"form_factor": "laptop", "cpu": "Core i5-1135G7", "cores": 4, "threads": 8, "memory_gib": 16}
PHOTOS = Workload(id="x", title="x", network="x", samples=100_000, epochs=1.0, input_kind="jpeg")
TEXTS = Workload(
    id="x", title="x", network="x", samples=500_000, epochs=1.0, input_kind="text", sequence_length=1_000, method="full"
)

LOST = 1 - 0.81 * 0.81  # of a card's price, over two years
PC_LOST = 1 - 0.73 * 0.73  # of a computer's
RUNS = 96  # four a month
MONTH_DAYS = 30.4375
PHOTOS_GB_MONTH = (100_000 * 115e3 + 25e6 * 4) / 1e9 * 0.08  # with the trained network of 25 million parameters
TEXTS_GB_MONTH = (500_000 * 1_000 * 4 + 6.7e9 * 4) / 1e9 * 0.08

TEN = {
    "this computer's processor, 10 h": (DESKTOP, "here/cpu", 10.0, RUNS * 10 * (105 + 30) * 1.11 / 1000 * 0.25),
    "a card into this computer, 3 h": (
        DESKTOP,
        "buy/GeForce RTX 5060 Ti 16GB",
        3.0,
        429 * LOST + RUNS * 3 * (180 + 90) * 1.11 / 1000 * 0.25,
    ),
    "a card with a computer around it, 2.5 h": (
        LAPTOP,
        "buy/GeForce RTX 5070",
        2.5,
        549 * LOST + 674 * PC_LOST + RUNS * 2.5 * (250 + 90) * 1.11 / 1000 * 0.25,
    ),
    "a Mac, 8 h": (
        LAPTOP,
        "buy/Mac mini, Apple M5 Pro (16-core GPU), 24 GB",
        8.0,
        1_699 * PC_LOST + RUNS * 8 * 140 / 1000 * 0.25,
    ),
    # 5,400 + 300 s are 95 minutes
    "rent on demand, 1.5 h": (
        LAPTOP,
        "rent/runpod/NVIDIA GeForce RTX 4090",
        1.5,
        RUNS * (0.69 * 95 / 60 + PHOTOS_GB_MONTH / MONTH_DAYS),
    ),
    # 0.2 / 30.4375 x (43,200 + 300 s) = 286 s lost: 86,986 s are 1,450 minutes; the photos travel for 35, so two days
    "rent that may be interrupted, 24 h": (
        LAPTOP,
        "rent/gcp/a2-highgpu-1g/spot",
        24.0,
        RUNS * (2.204 * 1_450 / 60 + 2 * PHOTOS_GB_MONTH / MONTH_DAYS),
    ),
    "rent with storage and download, 12 h": (
        LAPTOP,
        "rent/lambdalabs/gpu_8x_a100_sxm_80gb x8",
        12.0,
        # a start of 5 minutes; a day of 28.8 GB; 26.8 GB fetched each time, 100 GB a month for nothing
        240 * (22.32 * (12 + 5 / 60) + TEXTS_GB_MONTH / MONTH_DAYS) + (240 * 26.8 - 24 * 100) * 0.09,
    ),
    "two cards with a computer, 4 h": (
        DESKTOP,
        "buy/2x GeForce RTX 5080",
        4.0,
        2 * 999 * LOST + 674 * PC_LOST + RUNS * 4 * (2 * 360 + 90) * 1.11 / 1000 * 0.25,
    ),
    "two rented nodes of a cluster, 6 h": (
        LAPTOP,
        "cluster/nebius/2x gpu-h100-sxm 8gpu",
        6.0,
        RUNS * (2 * 36.0 * (6 + 5 / 60) + PHOTOS_GB_MONTH / MONTH_DAYS),
    ),
    "a TPU, 5 h": (
        LAPTOP,
        "rent/gcp/v5litepod-1",
        5.0,
        RUNS * (1.2 * (5 + 5 / 60) + PHOTOS_GB_MONTH / MONTH_DAYS),
    ),
}


def prediction(step_s: float) -> Prediction:
    """Return a step of so long, on any device."""
    return Prediction(
        device="x",
        network="x",
        task="train",
        batch_size=32,
        precision="fp32",
        optimizer="adam",
        time_per_step_s=step_s,
        interval=Interval(low=step_s / 2, high=step_s * 2),
        samples_per_s=1.0,
        confidence="rough",
        basis="modelled",
    )


def priced(asker: dict[str, object], hours: dict[str, float], months: float = 24.0) -> dict[str, Option]:
    """Return the options of such names for who asks, whose runs take so many hours."""
    known = {one.id: one for one in list_candidates(machine_of(asker), TODAY)}
    is_tuning = any("8x_a100_sxm_80gb" in name for name in hours)
    job, parameters, often = (TEXTS, 6_700_000_000, 10.0) if is_tuning else (PHOTOS, 25_000_000, 4.0)
    predictions = [prediction(taken * 3600 / job.total_steps) for taken in hours.values()]
    asked = Circumstances(country="ES", runs_per_month=often, horizon_months=months)
    found = price_options([known[name] for name in hours], predictions, job, asked, parameters=parameters)
    return {one.id: one for one in found}


@pytest.mark.parametrize(("asker", "name", "hours", "expected_usd"), TEN.values(), ids=TEN)
def test_ten_options_cost_what_the_hand_finds(
    asker: dict[str, object], name: str, hours: float, expected_usd: float
) -> None:
    """Over two years, to the cent; so do the parts that the page shows, added up."""
    option = priced(asker, {name: hours})[name]
    assert option.horizon_usd == pytest.approx(expected_usd, abs=0.005)
    runs = 240 if "8x_a100_sxm_80gb" in name else RUNS
    assert sum(part.usd(runs) for part in option.cost_parts) == pytest.approx(expected_usd, abs=0.005)


def test_a_card_pays_back_in_the_month_that_the_hand_finds() -> None:
    """Against 1.5 h of a rented RTX 4090 four times a month, by what a run of each costs."""
    card, rent = "buy/GeForce RTX 5060 Ti 16GB", "rent/runpod/NVIDIA GeForce RTX 4090"
    found = priced(DESKTOP, {card: 3.0, rent: 1.5})
    rented_usd = 0.69 * 95 / 60 + PHOTOS_GB_MONTH / MONTH_DAYS
    own_usd = 3 * (180 + 90) * 1.11 / 1000 * 0.25
    assert found[card].break_even_months == pytest.approx(429 / (4 * (rented_usd - own_usd)), abs=0.005)


@pytest.mark.parametrize(("months", "share"), [(6.0, 0.81), (12.0, 0.81), (36.0, 0.81**3)])
def test_what_comes_back_is_what_the_years_leave(months: float, share: float) -> None:
    """Of 429 USD; who sells within a year gets what a year leaves."""
    name = "buy/GeForce RTX 5060 Ti 16GB"
    option = priced(DESKTOP, {name: 3.0}, months)[name]
    [back] = [part.fixed_usd for part in option.cost_parts if part.kind == "resale"]
    assert back == pytest.approx(-429 * share, abs=0.005)


def test_the_photos_travel_for_as_long_as_the_line_needs() -> None:
    """11.5 GB at 6.6 MB/s and five minutes of start."""
    name = "rent/runpod/NVIDIA GeForce RTX 4090"
    assert priced(LAPTOP, {name: 1.5})[name].before_s == pytest.approx(100_000 * 115e3 / 6.6e6 + 300, abs=0.5)
