"""What is known of a program: the year of its framework, attention, compiling; and networks that were measured."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import find_device
from advisor.catalog.networks.tables import network, network_names
from advisor.catalog.workloads import is_attention_fused, network_of
from advisor.predict import predict
from advisor.predict.coefficients import predicting_with, time_coefficients
from advisor.predict.timing.step_time import network_key, step_times
from advisor.records.job.prediction import Prediction
from advisor.records.job.work import Network
from tests.unit.predict.examples import CARD, IMAGES, PROCESSOR, TEXT, workload

YEARS = st.one_of(st.none(), st.integers(2012, 2030))


def job(name: str = "resnet50", **settings: Any) -> Prediction:
    """Predict a network of the catalogue on a measured card."""
    asked = workload(network(name), **{"batch_size": 32, "precision": "amp", **settings})
    return predict(network_of(asked), asked, find_device("RTX 3090"))


def width(found: Prediction) -> float:
    """Return how many times as long as the shortest time of the interval the longest is."""
    return found.interval.high / found.interval.low


@given(year=YEARS, compiled=st.booleans())
def test_compiling_is_never_slower(year: int | None, compiled: bool) -> None:
    """Whatever the year, fewer launches do not make a step longer."""
    plain, made = (
        predict(IMAGES, workload(IMAGES, framework_year=year, compiled=flag), CARD) for flag in (False, compiled)
    )
    assert made.time_per_step_s <= plain.time_per_step_s


def test_a_known_year_narrows_the_interval_and_old_software_is_slower() -> None:
    """Told, the year takes its term out of the interval; the oldest framework is the slowest."""
    untold, new, old = (job(framework_year=year) for year in (None, 2024, 2016))
    assert width(new) < width(untold)
    assert width(old) < width(untold)
    assert old.time_per_step_s > new.time_per_step_s


def test_every_year_has_its_generation() -> None:
    """Years up to the last of one belong to it, later ones to the next; the last is open."""
    found = time_coefficients()
    ends = [one.until for one in found.generations]
    assert ends[-1] is None
    assert ends[:-1] == sorted(ends[:-1], key=str)
    for one, following in zip(found.generations, found.generations[1:], strict=False):
        assert one.until is not None
        assert found.generation(one.until) is one
        assert found.generation(one.until + 1) is following
    assert found.generation(2100) is found.generations[-1]


def test_the_year_says_nothing_of_a_processor() -> None:
    """Nothing old was measured on processors, so neither time nor interval depends on it."""
    one, other = (
        predict(IMAGES, workload(IMAGES, framework_year=year, precision="fp32"), PROCESSOR) for year in (None, 2016)
    )
    assert one == other


@pytest.mark.parametrize(
    ("attention", "year", "is_fused"),
    [
        (None, None, True),
        (None, 2023, True),
        (None, 2022, False),
        ("fused", 2016, True),
        ("decomposed", 2030, False),
    ],
)
def test_attention_is_as_told_else_as_usual_in_its_year(attention: Any, year: int | None, is_fused: bool) -> None:
    """What is told decides; else PyTorch 2.0, of 2023, brought the fused kernel."""
    asked = workload(network("bert_base"), attention=attention, framework_year=year)
    assert is_attention_fused(asked) == is_fused
    assert network_of(asked).attention == ("fused" if is_fused else "decomposed")


@pytest.mark.parametrize("name", ["bert_base", "gpt2", "vit_base"])
def test_attention_taken_apart_needs_more_of_everything(name: str) -> None:
    """Scores that are stored cost time and memory."""
    fused, apart = (job(name, attention=attention, precision="fp32") for attention in ("fused", "decomposed"))
    assert apart.time_per_step_s > fused.time_per_step_s
    assert apart.memory_bytes > fused.memory_bytes


def test_a_measured_network_has_its_factor_and_a_narrower_interval() -> None:
    """Its time on an accelerator is its kernels' times its factor; without one, the interval is as for any other."""
    known = time_coefficients()
    full, half = known.networks["resnet50"]
    assert full is not None
    assert half is not None
    bare = msgspec.structs.replace(known, networks={})
    for precision, factor in (("fp32", full), ("amp", half)):
        with_factor = job(precision=precision)
        with predicting_with(bare):
            without = job(precision=precision)
        assert width(with_factor) < width(without)
        ratio = _device_s(with_factor) / _device_s(without)
        assert min(1.0, factor) <= ratio <= max(1.0, factor)


def _device_s(found: Prediction) -> float:
    return sum(part.time_s for part in found.parts if part.name in ("compute", "memory_bandwidth", "launch"))


def test_factors_belong_to_networks_of_the_catalogue_and_are_small() -> None:
    """A factor corrects the model; one far from 1 would mean that the network was traced wrongly."""
    names = set(network_names(validation=True))
    for key, factors in time_coefficients().networks.items():
        assert key.removesuffix("+decomposed") in names
        assert any(factors), key
        assert all(0.7 < factor < 1.4 for factor in factors if factor is not None), key


def test_a_network_taken_apart_has_a_key_of_its_own() -> None:
    """What was measured of one form says nothing of the other."""
    assert network_key(TEXT) == TEXT.name
    assert network_key(network("bert_base", attention="decomposed")) == "bert_base+decomposed"
    assert network_key(network("resnet50", attention="decomposed")) == "resnet50"


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
