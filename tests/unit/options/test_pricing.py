"""Prices of options: what they draw, what storage costs, what is not known."""

import msgspec
import pytest

from advisor.catalog import economics
from advisor.options.candidates import Candidate
from advisor.options.prediction import predict_options
from advisor.options.pricing import electricity_usd_per_kwh, price_options, socket_power_w, with_resale
from advisor.records.base import Interval
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Circumstances, Workload
from tests.unit.options.test_candidates import CARD, OFFER
from tests.unit.predict.examples import IMAGES, workload

TABLE = economics()
JOB = Workload(id="x", title="x", network="x", samples=1000, input_kind="jpeg")


def candidate(device: Device, **fields: object) -> Candidate:
    """Return a way to compute on a device."""
    known: dict[str, object] = {"id": "here/x", "tier": "this_computer", "title": "x"}
    return Candidate(device=device, **(known | fields))  # type: ignore[arg-type]


def watts(device_class: str, power_w: float | None, **fields: object) -> float | None:
    """Return what an option with such a device draws behind the power supply."""
    device = msgspec.structs.replace(CARD, device_class=device_class, power_w=power_w)
    drawn = socket_power_w(candidate(device, **fields), TABLE)
    return None if drawn is None else drawn / TABLE.charge_ratio.value


def test_a_card_works_beside_a_busy_computer() -> None:
    """One computer around all its cards, one around those of each node."""
    around = TABLE.host_power_w.value
    assert watts("gpu", 200.0) == pytest.approx(200 + around)
    assert watts("gpu", 200.0, device_count=4) == pytest.approx(800 + around)
    assert watts("gpu", 200.0, device_count=16, nodes=2) == pytest.approx(3200 + 2 * around)


def test_a_processor_is_not_counted_twice() -> None:
    """Beside it there is only the rest of the computer."""
    assert watts("cpu", 65.0) == pytest.approx(65 + TABLE.host_idle_power_w.value)


@pytest.mark.parametrize("device_class", ["cpu", "apple", "gpu", "tpu"])
def test_unknown_power_is_not_taken_for_none(device_class: str) -> None:
    """Neither energy nor money follow from it; a rent is known nevertheless."""
    assert watts(device_class, None) is None
    device = msgspec.structs.replace(CARD, device_class=device_class, power_w=None)
    ways = [candidate(device), candidate(device, id="rent/x", tier="cloud", offer=OFFER)]
    [own, rent] = price_options(ways, [prediction(), prediction()], JOB, Circumstances())
    assert (own.run_usd, own.horizon_usd, own.energy_j, own.co2_g) == (None, None, None, None)
    assert rent.run_usd is not None
    assert (rent.energy_j, rent.co2_g) == (None, None)


@pytest.mark.parametrize(("method", "obstacle"), [("qlora", "not_supported"), ("lora", None)])
def test_what_no_program_does_is_said_of_the_option(method: str, obstacle: str | None) -> None:
    """A TPU holds no weights in four bits; that is another reason than figures that are missing."""
    tpu = msgspec.structs.replace(CARD, device_class="tpu", vendor="google", bandwidth_bytes_per_s=None)
    job = workload(IMAGES, method=method)
    ways = [candidate(tpu, id="rent/x", tier="cloud", offer=OFFER)]
    [option] = price_options(ways, predict_options(ways, IMAGES, job), job, Circumstances())
    assert (option.prediction, option.obstacle) == (None, obstacle)


def test_storage_is_part_of_a_rent_over_the_horizon() -> None:
    """A thousand photos cost little, but not nothing."""
    way = candidate(CARD, id="rent/x", tier="cloud", offer=OFFER)
    usual = Circumstances(runs_per_month=2, horizon_months=12)
    [option] = price_options([way], [prediction()], JOB, usual, parameters=10**9)
    assert option.run_usd is not None
    assert option.horizon_usd == pytest.approx(
        24 * (option.run_usd + TABLE.storage_usd_per_gb_month.value * (0.115 + 4.0) / 30.4375)  # a day for each run
    )


def test_every_computer_of_a_cluster_is_rented() -> None:
    """The price of an offer is that of one of them."""
    ways = [candidate(CARD, id=f"rent/{n}", tier="cloud", offer=OFFER, nodes=n, device_count=n) for n in (1, 4)]
    one, four = price_options(ways, [prediction(), prediction()], JOB, Circumstances())
    assert one.run_s == four.run_s
    assert one.run_usd is not None
    assert four.run_usd == pytest.approx(4 * one.run_usd)


def test_electricity_is_the_users_own_price_before_the_countrys() -> None:
    """The country's where the user gave none."""
    assert electricity_usd_per_kwh(Circumstances(electricity_usd_per_kwh=0.5), TABLE) == 0.5
    public = electricity_usd_per_kwh(Circumstances(country="ES"), TABLE)
    assert public == TABLE.countries["ES"].electricity_usd_per_kwh


def test_a_used_card_is_not_sold_as_new() -> None:
    """After a month it brings what a year leaves of it; later less; the user's own share counts as it is."""
    left = {
        months: with_resale(Circumstances(horizon_months=months), TABLE).resale_ratio for months in (1.0, 12.0, 24.0)
    }
    a_year = TABLE.resale_ratio_per_year.value
    assert left == {1.0: a_year, 12.0: a_year, 24.0: pytest.approx(a_year**2)}
    assert with_resale(Circumstances(horizon_months=1.0, resale_ratio=0.9), TABLE).resale_ratio == 0.9


def prediction() -> Prediction:
    """Return a step of a second."""
    return Prediction(
        device="Card",
        network="x",
        task="train",
        batch_size=32,
        precision="fp32",
        optimizer="adam",
        time_per_step_s=1.0,
        interval=Interval(low=0.5, high=2.0),
        samples_per_s=32.0,
        confidence="rough",
        basis="modelled",
    )
