"""Predict and price every candidate: from candidates to options that can be ranked."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from advisor.errors import InputError
from advisor.options.candidates import Candidate
from advisor.predict import Target, calibrate, input_rate, is_supported, predict_many, price_option, wire
from advisor.predict.money import break_even_months, stored_bytes
from advisor.predict.scaling import Wiring
from advisor.recommend import is_less_supported
from advisor.records.base import Interval
from advisor.records.hardware.device import Offer
from advisor.records.hardware.economics import Economics
from advisor.records.job.advice import Option
from advisor.records.job.prediction import Calibration, InputRate, Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.results.measurement import Benchmark


def calibrations(
    benchmark: Benchmark | None, candidates: Sequence[Candidate], networks: Mapping[str, Network], asked: Network
) -> dict[str, Calibration]:
    """Return what the measurements say about each measured device of this computer, by torch's name of it."""
    if benchmark is None:
        return {}
    own = {c.torch_device: c.device for c in candidates if c.torch_device is not None and c.device_count == 1}
    by_device = defaultdict(list)
    for measurement in benchmark.measurements:
        by_device[measurement.case.device].append(measurement)
    return {name: calibrate(found, own[name], networks, asked) for name, found in by_device.items() if name in own}


def predicted(
    network: Network,
    workload: Workload,
    candidates: Sequence[Candidate],
    known: Mapping[str, Calibration],
    images_per_s: float | None = None,
) -> list[Prediction | None]:
    """Return a prediction for each candidate, computing equal ones once.

    A measured card of this computer also informs predictions for its relatives; the processor's informs only itself.

    Args:
        network: What is trained.
        workload: How.
        candidates: The ways to get it done.
        known: What was measured of the devices here.
        images_per_s: What one thread of this computer's processor was measured to prepare.
    """
    relatives = next((known[name] for name in sorted(known) if name != "cpu"), None)
    feeders = {_feeder(candidate) for candidate in candidates}
    rates = {feeder: _rate(workload, feeder, images_per_s) for feeder in feeders}
    targets = [
        Target(
            candidate.device,
            candidate.device_count,
            known.get(candidate.torch_device or "", relatives),
            rates[_feeder(candidate)],
            _wiring(candidate),
        )
        for candidate in candidates
    ]
    return predict_many(network, workload, targets)


class _Feeder(NamedTuple):
    """What prepares the data: so many hardware threads for so many devices; whether they are this computer's own."""

    cores: float | None
    devices: int
    is_here: bool


def _feeder(candidate: Candidate) -> _Feeder:
    is_processor = candidate.device.device_class == "cpu"
    return _Feeder(candidate.cpu_cores, 1 if is_processor else candidate.device_count, candidate.is_in_this_computer)


def _rate(workload: Workload, feeder: _Feeder, images_per_s: float | None) -> InputRate | None:
    if feeder.cores is None:
        return None
    return input_rate(
        workload, feeder.cores, devices=feeder.devices, images_per_s=images_per_s if feeder.is_here else None
    )


def _wiring(candidate: Candidate) -> Wiring | None:
    if candidate.device_count == 1:
        return None
    offer = candidate.offer
    return wire(
        candidate.device,
        candidate.device_count,
        nodes=candidate.nodes,
        network=None if offer is None else offer.network or "ethernet",
        network_bytes_per_s=None if offer is None else offer.network_bytes_per_s,
    )


class _Terms(NamedTuple):
    """What prices depend on beside the option itself."""

    circumstances: Circumstances
    economics: Economics
    stored_bytes: float
    measured_w: Mapping[str, float]


def priced(
    candidates: Sequence[Candidate],
    predictions: Iterable[Prediction | None],
    workload: Workload,
    circumstances: Circumstances,
    economics: Economics,
    *,
    parameters: int = 0,
    measured_w: Mapping[str, float] | None = None,
) -> list[Option]:
    """Return an option for each candidate, with its cost where its time is known.

    Args:
        candidates: The ways to get the job done.
        predictions: One for each.
        workload: The job.
        circumstances: Runs, horizon, country, and the share of a price that comes back.
        economics: Prices of electricity and storage.
        parameters: Of the trained network, which a rented machine's storage keeps.
        measured_w: What this computer's devices drew in training, by torch's names of them.
    """
    terms = _Terms(circumstances, economics, stored_bytes(workload, parameters), measured_w or {})
    options = [
        _option(candidate, prediction, workload, terms)
        for candidate, prediction in zip(candidates, predictions, strict=True)
    ]
    return _with_break_even(options, candidates, circumstances)


def _option(
    candidate: Candidate,
    prediction: Prediction | None,
    workload: Workload,
    terms: _Terms,
) -> Option:
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
        price_as_of=candidate.price_as_of,
    )
    if prediction is None:
        barred = None if is_supported(candidate.device, workload) else "not_supported"
        return msgspec.structs.replace(option, obstacle=barred)
    run_s, interval = run_time(prediction, workload)
    circumstances, economics, stored, measured_w = terms
    cost = price_option(
        run_s,
        circumstances,
        purchase_usd=candidate.purchase_usd,
        rent_usd_per_h=0.0 if candidate.offer is None else candidate.offer.price_usd_per_h * candidate.nodes,
        power_w=socket_power_w(candidate, economics, measured_w),
        electricity_usd_per_kwh=electricity_usd_per_kwh(circumstances, economics),
        co2_g_per_kwh=economics.countries[circumstances.country].co2_g_per_kwh,
        stored_bytes=stored,
        storage_usd_per_gb_month=economics.storage_usd_per_gb_month.value,
        device_count=candidate.device_count,
    )
    return msgspec.structs.replace(
        option,
        run_s=run_s,
        interval=interval,
        run_usd=cost.run_usd,
        horizon_usd=cost.horizon_usd,
        energy_j=cost.energy_j,
        co2_g=cost.co2_g,
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


def with_resale(circumstances: Circumstances, economics: Economics) -> Circumstances:
    """Return the circumstances with the share of the price that is left at the end, where the user gave none.

    What is sold within a year brings what a year leaves of it: the source tells of whole years, and used is not new.
    """
    if circumstances.resale_ratio is not None:
        return circumstances
    years = max(circumstances.horizon_months / 12, 1.0)
    return msgspec.structs.replace(circumstances, resale_ratio=economics.resale_ratio_per_year.value**years)


def socket_power_w(
    candidate: Candidate, economics: Economics, measured_w: Mapping[str, float] | None = None
) -> float | None:
    """Return what devices and the computers around them draw from the socket; None where nobody publishes it.

    What was measured here counts before what is rated, which is an upper bound of the real power. The computer around
    a busy card has busy cores, too; where the processor itself computes, only the rest of the computer comes on top.
    """
    if candidate.socket_w is not None:
        return candidate.socket_w
    of_each = (measured_w or {}).get(candidate.torch_device or "", candidate.device.power_w)
    if of_each is None:
        return None
    is_chip = candidate.device.device_class in ("cpu", "apple")
    around = economics.host_idle_power_w if is_chip else economics.host_power_w
    drawn = of_each * candidate.device_count + around.value * candidate.nodes
    return drawn * economics.charge_ratio.value


def _with_break_even(
    options: Sequence[Option], candidates: Sequence[Candidate], circumstances: Circumstances
) -> list[Option]:
    """Return the options with the month from which each purchase is cheaper than the cheapest rent one could advise."""
    rents = [
        option.run_usd
        for option, candidate in zip(options, candidates, strict=True)
        if option.offer is not None and is_dependable(option.offer) and option.tier == "cloud" and can_run(option)
        if not is_less_supported(candidate.device)
    ]
    cheapest = min((rent for rent in rents if rent is not None), default=None)
    if cheapest is None:
        return list(options)
    return [
        msgspec.structs.replace(
            option,
            break_even_months=break_even_months(
                option.purchase_usd, option.run_usd, cheapest, circumstances.runs_per_month
            ),
        )
        if option.purchase_usd > 0 and option.run_usd is not None
        else option
        for option in options
    ]


def is_dependable(offer: Offer) -> bool:
    """Tell whether a rent can be counted on for months: no interruptible machine, none of a marketplace."""
    return not (offer.spot or offer.is_marketplace)


def can_run(option: Option) -> bool:
    """Tell whether the job is known to fit the option's memory, or needs none of a device's own."""
    memory = option.prediction.memory if option.prediction is not None else None
    return option.run_usd is not None and (memory is None or memory.fits is not False)
