"""The whole advice moves the right way: better hardware is never worse, more work is never cheaper."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.catalog import find_device, find_workload, network_of
from advisor.options.candidates import Candidate
from advisor.options.prediction import predict_options
from advisor.options.pricing import price_options
from advisor.predict import is_supported
from advisor.records.hardware.device import Device
from advisor.records.job.advice import Option
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.request import Observation
from advisor.session.forecast import conclude, decide, forecast_job
from tests.unit.benchmark.diagnosed import CARD, machine

pytestmark = pytest.mark.slow

SLACK = 1 + 1e-9
OBSERVATION = Observation(machine=machine(CARD))
NAMES = ("simple_cnn", "densenet121_cats_dogs", "bert_finetuning", "llm_7b_qlora", "resnet50_imagenet")
DEVICES = ("GeForce RTX 3060 12GB", "GeForce RTX 4090", "A100 SXM4 80GB", "L4", "Radeon RX 7900 XTX", "TPU v5e")
names = st.sampled_from(NAMES)
factors = st.floats(1.0, 6.0)


def options_on(devices: list[Device], job: Workload, count: int) -> list[Option]:
    """Return an option for each device."""
    ways = [
        Candidate(
            id=f"buy/{number}",
            tier="single_gpu",
            title=device.name,
            device=device,
            device_count=count,
            cpu_cores=8,
            purchase_usd=500.0,
        )
        for number, device in enumerate(devices)
    ]
    predictions = predict_options(ways, network_of(job), job)
    return list(price_options(ways, predictions, job, Circumstances()))


def with_samples(job: Workload, **changes: Any) -> Workload:
    """Return the job counted in samples."""
    result: Workload = msgspec.structs.replace(job, steps_per_epoch=None, **changes)
    return result


@settings(max_examples=40)
@given(
    name=names,
    device=st.sampled_from(DEVICES),
    bandwidth=factors,
    arithmetic=factors,
    memory=factors,
    count=st.sampled_from([1, 2, 4]),
)
def test_a_better_device_is_never_slower_dearer_to_run_or_less_fitting(
    *, name: str, device: str, bandwidth: float, arithmetic: float, memory: float, count: int
) -> None:
    """More bandwidth, more arithmetic, more memory at the same power."""
    known = find_device(device)
    # As many units: where nobody states them they follow from the rate, and more of them fill a little less well.
    plain = msgspec.structs.replace(known, power_w=300.0, multiprocessors=known.multiprocessors or 2)
    better = msgspec.structs.replace(
        plain,
        bandwidth_bytes_per_s=(plain.bandwidth_bytes_per_s or 0.0) * bandwidth,
        peak_flop_per_s={kind: rate * arithmetic for kind, rate in plain.peak_flop_per_s.items()},
        memory_bytes=int((plain.memory_bytes or 0) * memory),
    )
    job = find_workload(name).workload
    if not is_supported(plain, job):
        assert {option.obstacle for option in options_on([plain, better], job, count)} == {"not_supported"}
        return
    first, second = options_on([plain, better], job, count)
    assert fits(second) or not fits(first)
    if fits(first):
        assert first.run_s is not None
        assert second.run_s is not None
        assert second.run_s <= first.run_s * SLACK
        assert (second.run_usd or 0.0) <= (first.run_usd or 0.0) * SLACK
        assert (second.energy_j or 0.0) <= (first.energy_j or 0.0) * SLACK


def fits(option: Option) -> bool:
    """Return whether the job fits."""
    assert option.prediction is not None
    assert option.prediction.memory is not None
    return bool(option.prediction.memory.fits)


@settings(max_examples=15)
@given(name=names, factor=st.floats(1.0, 50.0), epochs=st.floats(1.0, 10.0))
def test_more_data_are_never_quicker_or_cheaper_on_any_option(name: str, factor: float, epochs: float) -> None:
    """More samples, and more passes over them; the answer costs no less either, where it is the same kind of answer."""
    job = with_samples(find_workload(name).workload)
    larger = with_samples(job, samples=int(job.samples * factor), epochs=job.epochs * epochs)
    few, many = ({o.id: o for o in conclude(OBSERVATION, one, Circumstances()).advice.options} for one in (job, larger))
    assert few.keys() == many.keys()
    for key, option in few.items():
        for amount in (run_s, run_usd, horizon_usd, energy_j):
            assert amount(many[key]) * SLACK >= amount(option), (key, amount.__name__)


def run_s(option: Option) -> float:
    """Return the time of a run."""
    return option.run_s or 0.0


def run_usd(option: Option) -> float:
    """Return the cost of a run."""
    return option.run_usd or 0.0


def horizon_usd(option: Option) -> float:
    """Return the cost over the horizon."""
    return option.horizon_usd or 0.0


def energy_j(option: Option) -> float:
    """Return the electricity of a run."""
    return option.energy_j or 0.0


@settings(max_examples=15)
@given(name=names, runs=st.floats(0.1, 60.0), more=st.floats(1.0, 10.0))
def test_more_runs_are_never_cheaper(name: str, runs: float, more: float) -> None:
    """Over the horizon, for each option."""
    forecast = forecast_job(OBSERVATION, find_workload(name).workload)
    few, many = (
        {o.id: horizon_usd(o) for o in decide(forecast, Circumstances(runs_per_month=count)).advice.options}
        for count in (runs, runs * more)
    )
    assert all(many[key] * SLACK >= cost for key, cost in few.items())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("question", "holds"),
    [
        (Circumstances(data_must_stay=True), lambda option: option.offer is None),
        (Circumstances(deadline_s=3600.0), lambda option: option.run_s is not None and option.run_s <= 3600.0),
        (Circumstances(budget_usd=400.0), lambda option: option.purchase_usd <= 400.0),
    ],
    ids=["data must stay", "deadline", "budget"],
)
def test_what_is_called_feasible_meets_every_wish(
    name: str, question: Circumstances, holds: Callable[[Option], bool]
) -> None:
    """Each feasible option; each other one has its reason, and only the chosen one has none."""
    report = conclude(OBSERVATION, find_workload(name).workload, question)
    for option in report.advice.options:
        assert holds(option) or not option.feasible, option.id
        assert option.obstacle is not None or option.id == report.advice.chosen, option.id
