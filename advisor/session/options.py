"""Predict and price every candidate: from candidates to options that can be ranked."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from advisor.errors import InputError
from advisor.predict import calibrate, input_rate, predict_many, price_option
from advisor.predict.money import break_even_months
from advisor.records.advice import Option
from advisor.records.base import Interval
from advisor.records.device import Offer
from advisor.records.economics import Economics
from advisor.records.measurement import Benchmark
from advisor.records.prediction import Calibration, Prediction
from advisor.records.work import Network
from advisor.records.workload import Circumstances, Workload
from advisor.session.candidates import Candidate


def calibrations(
    benchmark: Benchmark | None, candidates: Sequence[Candidate], networks: Mapping[str, Network]
) -> dict[str, Calibration]:
    """Return what the measurements say about each measured device of this computer, by torch's name of it."""
    if benchmark is None:
        return {}
    own = {c.torch_device: c.device for c in candidates if c.torch_device is not None and c.device_count == 1}
    by_device = defaultdict(list)
    for measurement in benchmark.measurements:
        by_device[measurement.case.device].append(measurement)
    return {name: calibrate(found, own[name], networks) for name, found in by_device.items() if name in own}


def predicted(
    network: Network,
    workload: Workload,
    candidates: Sequence[Candidate],
    known: Mapping[str, Calibration],
) -> list[Prediction | None]:
    """Return a prediction for each candidate, computing equal ones once.

    A measured card of this computer also informs predictions for its relatives; the processor's informs only itself.
    """
    relatives = next((known[name] for name in sorted(known) if name != "cpu"), None)
    groups: dict[tuple[float | None, str | None], list[int]] = defaultdict(list)
    for index, candidate in enumerate(candidates):
        name = candidate.torch_device if candidate.torch_device in known else None
        groups[candidate.cpu_cores, name].append(index)
    results: list[Prediction | None] = [None] * len(candidates)
    for (cores, name), indices in groups.items():
        rate = input_rate(workload, cores) if cores is not None else None
        calibration = known[name] if name is not None else relatives
        targets = [(candidates[i].device, candidates[i].device_count) for i in indices]
        found = predict_many(network, workload, targets, calibration=calibration, input_rate=rate)
        for index, prediction in zip(indices, found, strict=True):
            results[index] = prediction
    return results


def priced(
    candidates: Sequence[Candidate],
    predictions: Iterable[Prediction | None],
    workload: Workload,
    circumstances: Circumstances,
    economics: Economics,
) -> list[Option]:
    """Return an option for each candidate, with its cost where its time is known."""
    options = [
        _option(candidate, prediction, workload, circumstances, economics)
        for candidate, prediction in zip(candidates, predictions, strict=True)
    ]
    return _with_break_even(options, circumstances)


def _option(
    candidate: Candidate,
    prediction: Prediction | None,
    workload: Workload,
    circumstances: Circumstances,
    economics: Economics,
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
        price_as_of=candidate.price_as_of,
    )
    if prediction is None:
        return option
    steps = workload.total_steps
    run_s = prediction.time_per_step_s * steps
    cost = price_option(
        run_s,
        circumstances,
        purchase_usd=candidate.purchase_usd,
        rent_usd_per_h=0.0 if candidate.offer is None else candidate.offer.price_usd_per_h * candidate.nodes,
        power_w=_power_w(candidate) * economics.charge_ratio.value,
        electricity_usd_per_kwh=_electricity_usd_per_kwh(circumstances, economics),
        co2_g_per_kwh=economics.countries[circumstances.country].co2_g_per_kwh,
        device_count=candidate.device_count,
    )
    return msgspec.structs.replace(
        option,
        run_s=run_s,
        interval=Interval(low=prediction.interval.low * steps, high=prediction.interval.high * steps),
        run_usd=cost.run_usd,
        horizon_usd=cost.horizon_usd,
        energy_j=cost.energy_j,
        co2_g=cost.co2_g,
    )


def _electricity_usd_per_kwh(circumstances: Circumstances, economics: Economics) -> float:
    """Return the person's own price, else the country's.

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
    """Return the circumstances with the share of the price that is left at the end, where the person gave none."""
    if circumstances.resale_ratio is not None:
        return circumstances
    years = circumstances.horizon_months / 12
    return msgspec.structs.replace(circumstances, resale_ratio=economics.resale_ratio_per_year.value**years)


def _power_w(candidate: Candidate) -> float:
    """Return what devices and the computer around them draw; a rated power is an upper bound of the real one."""
    return (candidate.device.power_w or 0.0) * candidate.device_count + (candidate.host_power_w or 0.0)


def _with_break_even(options: Sequence[Option], circumstances: Circumstances) -> list[Option]:
    """Return the options with the month from which each purchase is cheaper than the cheapest reliable rent."""
    rents = [
        option.run_usd
        for option in options
        if option.offer is not None and is_dependable(option.offer) and option.tier == "cloud" and can_run(option)
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
