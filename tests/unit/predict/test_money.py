"""What an option costs: a purchase with its resale, a rent with its storage, electricity and what follows from it."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import find_workload
from advisor.predict import Prices, price_option
from advisor.predict.money import break_even_months, result_bytes, shipped_bytes, stored_bytes
from advisor.records.job.workload import Circumstances, Workload
from advisor.units import DAY_S, GB, HOUR_S, MONTH_S

amounts = st.floats(0.01, 1e5)
TWO_YEARS = Circumstances(runs_per_month=4, horizon_months=24)


def test_a_purchase_returns_what_it_brings() -> None:
    """The price less what comes back; nothing comes back where nobody buys it."""
    unknown = price_option(HOUR_S, TWO_YEARS, Prices(purchase_usd=1000.0))
    known = price_option(HOUR_S, TWO_YEARS, Prices(purchase_usd=1000.0, resale_usd=250.0))
    assert (unknown.horizon_usd, known.horizon_usd) == (1000.0, 750.0)
    assert known.purchase_usd == 1000.0


def test_electricity_is_paid_by_the_kilowatt_hour() -> None:
    """A kilowatt for an hour is a kilowatt-hour; CO2 only where the country's is known."""
    monthly = Circumstances(runs_per_month=1, horizon_months=12)
    cost = price_option(HOUR_S, monthly, Prices(power_w=1000.0, electricity_usd_per_kwh=0.2, co2_g_per_kwh=300.0))
    assert cost.run_usd == 0.2
    assert cost.horizon_usd == pytest.approx(2.4)
    assert (cost.energy_j, cost.co2_g) == (3.6e6, 300.0)
    assert price_option(HOUR_S, monthly, Prices(power_w=1000.0)).co2_g is None


def test_a_rent_is_its_hours_and_the_storage_of_the_data() -> None:
    """The provider pays the electricity; what is owned needs no storage elsewhere."""
    rented = price_option(
        2 * HOUR_S,
        TWO_YEARS,
        Prices(
            rent_usd_per_h=3.0,
            power_w=500.0,
            electricity_usd_per_kwh=0.2,
            stored_bytes=10.0 * GB,
            storage_usd_per_gb_month=0.08,
        ),
    )
    assert rented.run_usd == pytest.approx(6.0 + 10 * 0.08 / 30.4375)  # a day for each run
    assert rented.horizon_usd == pytest.approx(4 * 24 * 6.0 + 10 * 0.08 * 4 * 24 / 30.4375)
    owned = price_option(HOUR_S, TWO_YEARS, Prices(stored_bytes=10.0 * GB, storage_usd_per_gb_month=0.08))
    assert owned.horizon_usd == 0.0


def test_device_months() -> None:
    """Devices times months."""
    assert price_option(MONTH_S / 2, TWO_YEARS, Prices(), device_count=8).device_months == 4.0


@given(run_s=amounts, factor=st.floats(1.0, 100.0), rent=amounts, power=amounts)
def test_a_longer_run_is_never_cheaper(run_s: float, factor: float, rent: float, power: float) -> None:
    """Rented or owned."""
    for rate, drawn in ((rent, 0.0), (0.0, power)):
        short, long = (
            price_option(time, TWO_YEARS, Prices(rent_usd_per_h=rate, power_w=drawn, electricity_usd_per_kwh=0.3))
            for time in (run_s, run_s * factor)
        )
        assert (long.run_usd or 0.0) >= (short.run_usd or 0.0)
        assert (long.horizon_usd or 0.0) >= (short.horizon_usd or 0.0)


def test_break_even() -> None:
    """After the months in which what is saved makes up for the price; never where nothing is saved."""
    assert break_even_months(1200.0, 1.0, 11.0, 12) == 10.0
    assert break_even_months(1200.0, 11.0, 11.0, 12) is None


def _stored_usd(run_s: float, runs_per_month: float) -> float:
    asked = Circumstances(runs_per_month=runs_per_month, horizon_months=24)
    prices = Prices(rent_usd_per_h=1.0, stored_bytes=GB, storage_usd_per_gb_month=1.0)
    [part] = [part for part in price_option(run_s, asked, prices).parts if part.kind == "storage"]
    return part.usd(runs_per_month * 24)


def test_data_are_kept_only_while_they_are_used() -> None:
    """The whole days of each run; all the time where no day is left between two runs."""
    assert _stored_usd(HOUR_S, 1) == pytest.approx(24 * DAY_S / MONTH_S)
    assert _stored_usd(3.1 * DAY_S, 1) == pytest.approx(24 * 4 * DAY_S / MONTH_S)
    assert _stored_usd(HOUR_S, 1 / 24) == pytest.approx(DAY_S / MONTH_S)
    assert _stored_usd(HOUR_S, 31) == 24


def test_a_rent_is_shown_in_its_parts() -> None:
    """By hand, at 6 USD an hour: 1 h, 5 min to start, 10 min of setup; of each interruption 20 min + 5 are lost."""
    asked = Circumstances(runs_per_month=2, horizon_months=12, setup_s=600.0, failed_tries=3)
    prices = Prices(
        rent_usd_per_h=6.0,
        start_s=300.0,
        billing_unit_s=60.0,
        interruptions_per_month=0.2,
        checkpoint_s=2400.0,
        stored_bytes=10 * GB,
        storage_usd_per_gb_month=0.08,
        result_bytes=60 * GB,
        download_usd_per_gb=0.09,
    )
    cost = price_option(HOUR_S, asked, prices)
    shown = {part.kind: part.usd(24) for part in cost.parts}
    lost_usd = 6 * (0.2 / 730.5) * 25 / 60
    assert shown == {
        "storage": pytest.approx(10 * 0.08 * 24 / 30.4375),
        "download": pytest.approx(12 * (2 * 60 - 100) * 0.09),
        "rent": pytest.approx(24 * 6.0),
        "start": pytest.approx(24 * 0.5),
        "setup": pytest.approx(24 * 1.0),
        "interruptions": pytest.approx(24 * lost_usd),
        "rounding": pytest.approx(24 * (0.1 - lost_usd)),  # 75 minutes and a little: 76 are paid
        "failed_tries": pytest.approx(3 * 7.6),
    }
    assert cost.run_usd == pytest.approx(7.6 + (shown["storage"] + shown["download"]) / 24)
    assert cost.horizon_usd == pytest.approx(sum(shown.values()))


def test_what_is_bought_has_its_parts() -> None:
    """A thousand, of which a quarter comes back, and a kilowatt for an hour at 0.20."""
    asked = Circumstances(runs_per_month=1, horizon_months=10, failed_tries=2)
    prices = Prices(purchase_usd=1000.0, resale_usd=250.0, power_w=1000.0, electricity_usd_per_kwh=0.2)
    cost = price_option(HOUR_S, asked, prices)
    shown = {part.kind: part.usd(10) for part in cost.parts}
    assert shown == {
        "purchase": 1000.0,
        "resale": -250.0,
        "electricity": pytest.approx(2.0),
        "failed_tries": pytest.approx(0.4),
    }
    assert cost.horizon_usd == pytest.approx(752.4)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"input_kind": "jpeg", "samples": 1_281_167}, 147.9e9),
        ({"input_kind": "text", "samples": 1000, "sequence_length": 128}, 512_000),
        ({"input_kind": "table", "samples": 1000, "columns": 30}, 240_000),
        ({"input_kind": "memory", "samples": 60_000, "image_size": 28, "channels": 1}, 47.04e6),
    ],
)
def test_what_a_job_keeps_on_disk(settings: dict[str, Any], expected: float) -> None:
    """ImageNet has 148 GB, MNIST 47 MB."""
    job = Workload(id="x", title="x", network="x", **settings)
    assert stored_bytes(job, 0) == pytest.approx(expected, rel=0.01)
    assert stored_bytes(job, 10**6) == stored_bytes(job, 0) + 4e6


def test_what_nobody_publishes_stays_unknown() -> None:
    """Without the power there is no energy, no cost of a run and no CO2; a rent is known all the same."""
    owned = price_option(HOUR_S, TWO_YEARS, Prices(power_w=None, electricity_usd_per_kwh=0.2, co2_g_per_kwh=300.0))
    assert (owned.run_usd, owned.horizon_usd, owned.energy_j, owned.co2_g) == (None, None, None, None)
    rented = price_option(HOUR_S, TWO_YEARS, Prices(power_w=None, rent_usd_per_h=2.0, co2_g_per_kwh=300.0))
    assert (rented.run_usd, rented.energy_j, rented.co2_g) == (2.0, None, None)


def test_a_rent_is_paid_while_the_machine_starts_and_data_are_kept_while_they_travel() -> None:
    """Five minutes and an hour at 6 USD; 30 hours on the way, and the hour, are two days of 100 GB."""
    once = Circumstances(runs_per_month=0.5, horizon_months=2)
    prices = Prices(
        rent_usd_per_h=6.0,
        stored_bytes=100.0 * GB,
        storage_usd_per_gb_month=0.08,
        start_s=300.0,
        upload_s=30 * HOUR_S,
    )
    cost = price_option(HOUR_S, once, prices)
    assert cost.run_usd == cost.horizon_usd == pytest.approx(6.5 + 100 * 0.08 * 2 / 30.4375)


@pytest.mark.parametrize(
    ("settings", "expected"),
    [({}, 4e9), ({"method": "qlora"}, 0.006 * 4e9), ({"task": "infer"}, 0.0)],
)
def test_what_is_fetched_after_a_run(settings: dict[str, Any], expected: float) -> None:
    """The trained network; of adapters, these alone; of a network that is only applied, nothing."""
    assert result_bytes(Workload(id="x", title="x", network="x", samples=1, **settings), 10**9) == expected


def test_published_weights_have_the_size_of_their_files() -> None:
    """Llama 3.1 8B is 16.06 GB on the hub, BERT base 0.44 GB; what begins from nothing fetches nothing."""
    job = find_workload("bert_finetuning").workload
    tuned = msgspec.structs.replace(job, method="full")
    assert shipped_bytes(tuned, 8_030_261_248) == pytest.approx(16.06e9, rel=0.001)
    assert shipped_bytes(tuned, 109_482_240) == pytest.approx(0.44e9, rel=0.01)
    assert shipped_bytes(msgspec.structs.replace(job, method="scratch"), 8_030_261_248) == 0.0
    assert shipped_bytes(msgspec.structs.replace(job, method="scratch", task="infer"), 10**8) == 0.0
