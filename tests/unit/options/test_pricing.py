"""Prices of options: what they draw, what storage costs, what is not known."""

import msgspec
import pytest

from advisor.catalog import economics
from advisor.options.candidates import Candidate
from advisor.options.power_draw import socket_power_w
from advisor.options.prediction import predict_options
from advisor.options.pricing import electricity_usd_per_kwh, price_dates, price_options, resale_usd
from advisor.records.base import Interval
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Disk
from advisor.records.job.advice import Option
from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.results.measured.own_data import OwnData
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
    around = TABLE.around["desktop"].beside_card_w
    assert watts("gpu", 200.0) == pytest.approx(200 + around)
    assert watts("gpu", 200.0, device_count=4) == pytest.approx(800 + around)
    assert watts("gpu", 200.0, device_count=16, nodes=2) == pytest.approx(3200 + 2 * around)
    assert watts("gpu", 200.0, extra_w=40.0) == pytest.approx(240 + around), "a processor of more cores"


def test_a_processor_is_not_counted_twice() -> None:
    """Beside it there is only the rest of the computer."""
    assert watts("cpu", 65.0) == pytest.approx(65 + TABLE.around["desktop"].beside_processor_w)


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
    """A thousand photos cost little, but not nothing; the price of a run times the runs is what all of them cost."""
    way = candidate(CARD, id="rent/x", tier="cloud", offer=OFFER)
    usual = Circumstances(runs_per_month=2, horizon_months=12)
    [option] = price_options([way], [prediction()], JOB, usual, parameters=10**9)
    [kept_usd] = [part.usd(24) for part in option.cost_parts if part.kind == "storage"]
    stored_gb = 0.115 + 4.0
    assert kept_usd == pytest.approx(24 * TABLE.storage_usd_per_gb_month.value * stored_gb / 30.4375)  # a day for each
    assert option.run_usd is not None
    assert option.horizon_usd == pytest.approx(24 * option.run_usd)


def test_what_is_sent_and_kept_is_the_users_own_data_where_they_are_known() -> None:
    """416,299 small pictures of 32 MB are no 45 GB of photos; asked for half of them, half is sent."""
    way = candidate(CARD, id="rent/x", tier="cloud", offer=OFFER)
    disk = Disk(kind="ssd", free_bytes=10**12)
    own = OwnData(kind="image", formats=(), files=2_000, samples=2_000, size_bytes=154_000, disk=disk)
    guessed, known = (price_options([way], [prediction()], JOB, Circumstances(), data=data)[0] for data in (None, own))
    assert known.sent_bytes == pytest.approx(154_000 * JOB.samples / 2_000)
    assert guessed.sent_bytes > 100 * known.sent_bytes
    assert guessed.before_s > known.before_s
    assert (guessed.horizon_usd or 0.0) > (known.horizon_usd or 0.0)


def test_every_computer_of_a_cluster_is_rented() -> None:
    """The price of an offer is that of one of them."""
    ways = [candidate(CARD, id=f"rent/{n}", tier="cloud", offer=OFFER, nodes=n, device_count=n) for n in (1, 4)]
    one, four = price_options(ways, [prediction(), prediction()], JOB, Circumstances())
    assert one.run_s == four.run_s
    stored_usd = sum(part.run_usd for part in one.cost_parts if part.kind == "storage")  # once for all of them
    assert one.run_usd is not None
    assert four.run_usd == pytest.approx(4 * (one.run_usd - stored_usd) + stored_usd)


def test_electricity_is_the_users_own_price_before_the_countrys() -> None:
    """The country's where the user gave none."""
    assert electricity_usd_per_kwh(Circumstances(electricity_usd_per_kwh=0.5), TABLE) == 0.5
    public = electricity_usd_per_kwh(Circumstances(country="ES"), TABLE)
    assert public == TABLE.countries["ES"].electricity_usd_per_kwh


def test_a_used_card_is_not_sold_as_new() -> None:
    """After a month it brings what a year leaves of it; later less; the user's own share counts as it is."""
    card = candidate(CARD, id="buy/card", tier="single_gpu", purchase_usd=1.0)
    left = {months: resale_usd(card, Circumstances(horizon_months=months), TABLE) for months in (1.0, 12.0, 24.0)}
    a_year = TABLE.resale_ratio_per_year.value
    assert left == {1.0: a_year, 12.0: a_year, 24.0: pytest.approx(a_year**2)}
    assert resale_usd(card, Circumstances(horizon_months=1.0, resale_ratio=0.9), TABLE) == 0.9


def test_a_used_computer_brings_less_than_a_used_card() -> None:
    """Both were sold at the share of a card, which made a whole PC look cheap; a Mac is a computer as well."""
    asked = Circumstances(horizon_months=24.0)
    card, host = TABLE.resale_ratio_per_year.value**2, TABLE.host_resale_ratio_per_year.value**2
    both = candidate(CARD, id="buy/card", tier="single_gpu", purchase_usd=843.0, host_usd=674.0)
    assert resale_usd(both, asked, TABLE) == pytest.approx(169 * card + 674 * host)
    assert host < card
    mac = candidate(CARD, id="buy/mac", tier="single_gpu", purchase_usd=1000.0, is_computer=True)
    assert resale_usd(mac, asked, TABLE) == pytest.approx(1000 * host)
    said = msgspec.structs.replace(asked, resale_ratio=0.5)
    assert resale_usd(both, said, TABLE) == 421.5


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


# Worked out by hand from the figures the report shows: storage 0.08 USD for a GB and month, a start of 300 s, whole
# minutes, 0.2 interruptions a month, 81 % left after a year, power supply 1.11, a computer around a card 90 W (around a
# processor 30 W), electricity 0.20. 100,000 photos of 115 kB and 25 million parameters are 11.6 GB: 0.928 USD a month,
# 0.03049 a day of 30.4375; they travel for 2,109 s at 5.5 MB/s.
BY_HAND = {
    # 96 x (3 h x 0.40 + 300 s x 0.40) + 96 x 1 day: 96 x 1.2333 + 2.93
    "three hours at 0.40": (10_800, {"usd": 0.40}, {"runs_per_month": 4.0}, 121.33),
    # 24 x (30 h x 2 + 0.1667) + 24 x 2 days: 1,444.00 + 1.46
    "thirty hours at 2.00": (108_000, {"usd": 2.0}, {"runs_per_month": 1.0}, 1445.46),
    # (10 min + 5 min) x 1.00 + 1 day: 0.25 + 0.03
    "ten minutes, once": (600, {"usd": 1.0}, {"runs_per_month": 1 / 24}, 0.28),
    # 100 s + 300 s, billed as 7 minutes of 0.06: 96 x 0.42 + 2.93
    "a hundred seconds": (100, {"usd": 3.60}, {"runs_per_month": 4.0}, 43.25),
    # 0.2 x 1 day / 30.4375 x (half a day + 300 s) = 286 s lost; 86,986 s are 1,450 minutes: 24 x 24.1667 + 1.46
    "a day that may be interrupted": (86_400, {"usd": 1.0, "spot": True}, {"runs_per_month": 1.0}, 581.46),
    # 60 + 5 + 10 minutes at 0.60: 96 x 0.75 + 2.93
    "ten minutes of setting up": (
        3_600,
        {"usd": 0.60},
        {"runs_per_month": 8.0, "horizon_months": 12.0, "setup_s": 600.0},
        74.93,
    ),
    # 600 x (1 - 0.81 x 0.81) + 96 x 2 h x 0.3219 kW x 0.20: 206.34 + 12.36
    "a card for 600": (7_200, {"price": 600.0, "watts": 200.0}, {"runs_per_month": 4.0}, 218.70),
    # 1,274 x 0.3439 + 12.36: 438.13 + 12.36
    "the same with a computer": (7_200, {"price": 1274.0, "watts": 200.0}, {"runs_per_month": 4.0}, 450.49),
    # 96 x 10 h x (65 + 30) x 1.11 W x 0.20
    "a processor that is here": (36_000, {"watts": 65.0}, {"runs_per_month": 4.0}, 20.25),
    # 3,200 x 0.19 + 120 x 5 h x (700 + 90) x 1.11 W x 0.20: 608.00 + 105.23
    "two cards for a year": (
        18_000,
        {"price": 3200.0, "watts": 350.0, "count": 2},
        {"runs_per_month": 10.0, "horizon_months": 12.0},
        713.23,
    ),
}


def _way(what: dict[str, float]) -> Candidate:
    """Return a rent, a purchase, or this computer's processor."""
    kind = "gpu" if "price" in what else "cpu"
    device = msgspec.structs.replace(CARD, device_class=kind, power_w=what.get("watts"))
    if "usd" in what:
        offer = msgspec.structs.replace(OFFER, price_usd_per_h=what["usd"], spot=bool(what.get("spot")))
        return candidate(device, id="rent/x", tier="cloud", offer=offer)
    if "price" in what:
        count = int(what.get("count", 1))
        return candidate(device, id="buy/x", tier="single_gpu", purchase_usd=what["price"], device_count=count)
    return candidate(device)


def _job(run_s: float) -> Workload:
    """Return a job of so many steps of a second over 100,000 photos."""
    return msgspec.structs.replace(JOB, samples=100_000, epochs=1.0, steps_per_epoch=int(run_s))


@pytest.mark.parametrize(("run_s", "what", "asked", "expected_usd"), BY_HAND.values(), ids=BY_HAND)
def test_ten_costs_are_those_worked_out_by_hand(
    run_s: float, what: dict[str, float], asked: dict[str, float], expected_usd: float
) -> None:
    """To the cent."""
    circumstances = Circumstances(electricity_usd_per_kwh=0.20, **asked)  # type: ignore[arg-type]
    [option] = price_options([_way(what)], [prediction()], _job(run_s), circumstances, parameters=25_000_000)
    assert option.horizon_usd == pytest.approx(expected_usd, abs=0.005)


def test_break_even_is_what_the_hand_finds() -> None:
    """600 USD / (4 x (2 h and 5 minutes at 0.50 + 11.6 GB for a day - 2 h x 0.3219 kW x 0.20)) = 600 / 3.7736."""
    ways = [_way({"price": 600.0, "watts": 200.0}), _way({"usd": 0.50})]
    asked = Circumstances(electricity_usd_per_kwh=0.20, runs_per_month=4.0)
    bought, _ = price_options(ways, [prediction()] * 2, _job(7_200), asked, parameters=25_000_000)
    assert bought.break_even_months == pytest.approx(159.00, abs=0.005)


def test_the_line_of_the_user_fetches_results_and_weights() -> None:
    """7e9 parameters back in fp32: 28 GB, 2,240 s at 100 Mbit/s; before a single run they come in 16 bit."""
    job = msgspec.structs.replace(JOB, method="full", input_kind="text", sequence_length=128)
    ways = [candidate(CARD), candidate(CARD, id="rent/x", tier="cloud", offer=OFFER)]
    line = {"download_bytes_per_s": 100e6 / 8}

    def priced(**asked: float) -> tuple[Option, ...]:
        said = Circumstances(**line, **asked)  # type: ignore[arg-type]
        return price_options(ways, [prediction(), prediction()], job, said, parameters=7_000_000_000)

    own, rent = priced(runs_per_month=1.0)
    assert (own.before_s, own.after_s) == (0.0, 0.0), "what was fetched once stays"
    assert rent.after_s == pytest.approx(2240.0)
    _, unsaid = price_options(ways, [prediction(), prediction()], job, Circumstances(), parameters=7_000_000_000)
    assert unsaid.after_s == 0.0, "a line that nobody named decides nothing"
    own, _ = priced(runs_per_month=1 / 24)
    assert own.before_s == pytest.approx(1120.0)


def test_the_oldest_date_of_each_kind_of_price_is_told() -> None:
    """What costs nothing has no price whose age matters."""
    ways = [
        candidate(CARD, price_as_of="2020-01-01"),
        candidate(CARD, purchase_usd=300.0, price_as_of="2026-05-01"),
        candidate(CARD, purchase_usd=400.0, price_as_of="2026-03-01"),
    ]
    dates = price_dates(ways, Circumstances(country="ES", currency="EUR"))
    assert dates["devices"] == "2026-03-01"
    assert "offers" not in dates
    assert dates["electricity"] == TABLE.countries["ES"].electricity_as_of
    assert dates["rates"] == TABLE.currencies["EUR"].as_of
    assert "rates" not in price_dates(ways, Circumstances(country="ES", currency="EUR", units_per_usd=0.9))
