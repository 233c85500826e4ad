"""Predictions as a whole: monotone, honest about what is unknown, and made of parts."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import find_device, find_workload, network_of
from advisor.catalog.networks.tables import network
from advisor.errors import PredictionError
from advisor.predict import Target, predict, predict_many
from advisor.predict.coefficients import predicting_with, time_coefficients
from advisor.predict.timing.step_time import step_times
from advisor.records.base import Interval
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import InputRate, confidence_of
from advisor.records.job.work import Network
from tests.unit.predict.examples import (
    CARD,
    IMAGES,
    PROCESSOR,
    SERVER_CARD,
    TEXT,
    changed,
    devices,
    factors,
    networks,
    workload,
    workloads,
)

SLACK = 1 + 1e-9
counts = st.sampled_from([1, 2, 4, 8, 16])


def step_s(network: Network, job: Any, device: Device, count: int = 1) -> float:
    """Return the time of a step with the batch cut where it must be."""
    [found] = predict_many(network, job, [Target(device, count)])
    assert found is not None
    return found.time_per_step_s


@given(data=st.data(), network=networks, device=devices(), factor=factors, count=counts)
def test_more_bandwidth_is_never_slower(
    data: st.DataObject, network: Network, device: Device, factor: float, count: int
) -> None:
    """A device with more memory bandwidth takes at most as long."""
    job = data.draw(workloads(network))
    assert device.bandwidth_bytes_per_s is not None
    better = changed(device, bandwidth_bytes_per_s=device.bandwidth_bytes_per_s * factor)
    assert step_s(network, job, better, count) <= step_s(network, job, device, count) * SLACK


@given(data=st.data(), network=networks, device=devices(), factor=factors, count=counts)
def test_more_arithmetic_is_never_slower(
    data: st.DataObject, network: Network, device: Device, factor: float, count: int
) -> None:
    """A device with a higher rate in one precision, or in all, takes at most as long."""
    job = data.draw(workloads(network))
    kinds = data.draw(st.sets(st.sampled_from(sorted(device.peak_flop_per_s)), min_size=1))
    peaks = {kind: rate * (factor if kind in kinds else 1.0) for kind, rate in device.peak_flop_per_s.items()}
    better = changed(device, peak_flop_per_s=peaks)
    assert step_s(network, job, better, count) <= step_s(network, job, device, count) * SLACK


@given(data=st.data(), network=networks, device=devices(), more=st.integers(1, 64))
def test_more_samples_are_never_cheaper(data: st.DataObject, network: Network, device: Device, more: int) -> None:
    """A larger batch takes at least as long as a smaller one, on a device that holds both whole."""
    roomy = changed(device, memory_bytes=10**15) if device.memory_bytes is not None else device
    job = data.draw(workloads(network))
    larger = workload(network, **{**_settings(job), "batch_size": job.batch_size + more})
    assert step_s(network, larger, roomy) >= step_s(network, job, roomy) / SLACK


def _settings(job: Any) -> dict[str, Any]:
    names = ("task", "precision", "optimizer", "method", "checkpointing", "channels_last", "compiled")
    return {name: getattr(job, name) for name in names}


@given(data=st.data(), network=networks, device=devices(), count=counts)
def test_a_prediction_is_consistent(data: st.DataObject, network: Network, device: Device, count: int) -> None:
    """The time lies in its interval, equals its parts, and gives the rate."""
    job = data.draw(workloads(network))
    [found] = predict_many(network, job, [Target(device, count)])
    assert found is not None
    assert found.interval.low <= found.time_per_step_s <= found.interval.high
    assert sum(part.time_s for part in found.parts) == pytest.approx(found.time_per_step_s)
    assert found.samples_per_s == pytest.approx(job.batch_size / found.time_per_step_s)
    assert 0 < found.scaling_efficiency_ratio <= 1


def test_a_device_without_bandwidth_cannot_be_predicted() -> None:
    """One prediction raises an error that names what is unknown; many give None in its place."""
    unknown = changed(CARD, bandwidth_bytes_per_s=None)
    with pytest.raises(PredictionError, match="bandwidth"):
        predict(IMAGES, workload(), unknown)
    assert predict_many(IMAGES, workload(), [Target(unknown, 1), Target(CARD, 1)])[0] is None


def test_a_device_without_any_rate_cannot_be_predicted() -> None:
    """The error names the arithmetic rate."""
    with pytest.raises(PredictionError, match="rate"):
        predict(IMAGES, workload(), changed(CARD, peak_flop_per_s={}))


def test_the_processor_that_feeds_the_card_can_limit_it() -> None:
    """Samples that arrive slowly make the step as long as they take, and the limit is called input."""
    slow = InputRate(samples_per_s=10.0, interval=Interval(low=5.0, high=20.0))
    found = predict(IMAGES, workload(batch_size=32), CARD, input_rate=slow)
    assert found.time_per_step_s == pytest.approx(3.2)
    assert found.limit == "input"
    assert found.interval.low == pytest.approx(1.6)
    assert found.interval.high == pytest.approx(6.4)


def test_a_measured_input_rate_has_no_range_of_its_own() -> None:
    """Without an interval the rate counts as it is."""
    found = predict(IMAGES, workload(batch_size=32), CARD, input_rate=InputRate(samples_per_s=10.0))
    assert found.interval.low == found.interval.high == pytest.approx(3.2)


def test_reduced_precision_is_faster_where_there_are_units_for_it() -> None:
    """16-bit products on a card with units for them take less time than fp32."""
    assert (
        predict(TEXT, workload(TEXT, precision="bf16"), SERVER_CARD).time_per_step_s
        < predict(TEXT, workload(TEXT, precision="fp32"), SERVER_CARD).time_per_step_s
    )


def test_bfloat16_without_units_for_it_is_no_faster_than_fp32() -> None:
    """A card of Turing has them for fp16 alone: bfloat16 runs on its vector units, and nobody is sure of it."""
    turing = changed(CARD, peak_flop_per_s={"fp32": 1e13, "fp16": 8e13})
    times = {
        precision: predict(TEXT, workload(TEXT, precision=precision, task="infer"), turing)
        for precision in ("fp32", "fp16", "amp", "bf16")
    }
    assert times["fp16"].time_per_step_s < 0.5 * times["bf16"].time_per_step_s
    assert times["amp"].time_per_step_s < times["bf16"].time_per_step_s
    both = changed(turing, peak_flop_per_s={"fp32": 1e13, "fp16": 8e13, "bf16": 4e13})
    with_units = {
        precision: predict(TEXT, workload(TEXT, precision=precision, task="infer"), both)
        for precision in ("fp16", "amp", "bf16")
    }
    assert with_units["bf16"].time_per_step_s > with_units["fp16"].time_per_step_s
    assert with_units["fp16"].time_per_step_s == times["fp16"].time_per_step_s
    assert with_units["amp"].time_per_step_s == times["amp"].time_per_step_s
    wide, narrow = times["bf16"].interval, with_units["bf16"].interval
    assert wide.high / wide.low > narrow.high / narrow.low


def test_units_that_nobody_measured_promise_nothing() -> None:
    """The M5's rate in short formats is an estimate: the interval reaches to what a step takes without those units."""
    network = network_of(find_workload("resnet50").workload)
    m5 = find_device("Apple M5 Max (40-core GPU)")
    full = predict(network, workload(network, precision="fp32"), m5)
    short = predict(network, workload(network, precision="amp"), m5)
    assert short.time_per_step_s < full.time_per_step_s < short.interval.high
    assert confidence_of(short.time_per_step_s, short.interval) == "rough"


YEARS = st.one_of(st.none(), st.integers(2012, 2030))


@given(year=YEARS, compiled=st.booleans())
def test_compiling_is_never_slower(year: int | None, compiled: bool) -> None:
    """Whatever the year, fewer launches do not make a step longer."""
    plain, made = (
        predict(IMAGES, workload(IMAGES, framework_year=year, compiled=flag), CARD) for flag in (False, compiled)
    )
    assert made.time_per_step_s <= plain.time_per_step_s


def test_the_year_says_nothing_of_a_processor() -> None:
    """Nothing old was measured on processors, so neither time nor interval depends on it."""
    one, other = (
        predict(IMAGES, workload(IMAGES, framework_year=year, precision="fp32"), PROCESSOR) for year in (None, 2016)
    )
    assert one == other


def test_a_factor_does_not_touch_processors() -> None:
    """Networks were measured on accelerators."""
    net: Network = network("resnet50")
    asked = workload(net, batch_size=8)
    with predicting_with(msgspec.structs.replace(time_coefficients(), networks={"resnet50": (2.0, 2.0)})):
        doubled = step_times(net, asked, [PROCESSOR, CARD], 8).total
    with predicting_with(msgspec.structs.replace(time_coefficients(), networks={})):
        plain = step_times(net, asked, [PROCESSOR, CARD], 8).total
    assert doubled[0] == plain[0]
    assert doubled[1] > 1.5 * plain[1]
