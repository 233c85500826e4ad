"""Too little memory for a job or a batch, full main memory, and a single channel."""

from typing import Any

import msgspec
import pytest

from advisor.records.base import Interval
from advisor.records.results.diagnosis import Outlook, PublishedRates
from advisor.records.results.measured.measurement import CaseFailure, Condition, Measurement
from advisor.units import GIB
from tests.unit.benchmark.diagnosed import CARD, benchmark, curve, machine, measured, product
from tests.unit.benchmark.diagnosis.seen import disturbed_by_others, found, values


@pytest.mark.parametrize(("needed", "fires"), [(12.1, True), (11.9, False)])
def test_capacity_bound_by_the_job(needed: float, fires: bool) -> None:
    """Even the least the job needs is more than the card has; what would make it fit is passed on."""
    outlook = Outlook(
        device="cuda:0",
        needed_bytes=Interval(low=needed * GIB, high=20 * GIB),
        available_bytes=12 * GIB,
        how_to_fit=("smaller_batch", "amp", "pray"),
    )
    hits = found("capacity_bound", machine(CARD), None, outlooks=[outlook])
    assert bool(hits) == fires
    if fires:
        assert hits[0].severity == "serious"
        assert hits[0].remedies == ("smaller_batch", "shorter_format", "larger_memory")


@pytest.mark.parametrize(("last", "fires"), [(111, True), (109, False)])
def test_capacity_bound_by_the_sweep(last: float, fires: bool) -> None:
    """The rate still rose by a tenth at the largest batch that fitted."""
    run = benchmark(_sweep(last, first_batch_that_does_not_fit=256.0))
    assert bool(found("capacity_bound", machine(CARD), run)) == fires
    assert not found("capacity_bound", machine(CARD), benchmark(_sweep(last)))


def _sweep(last: float, **details: float) -> Measurement:
    return curve("sweep", "cuda:0", "batch_size", "items_per_s", (64, 100), (128, last), details=details)


@pytest.mark.parametrize(("reason", "program", "fires"), [
    ("does_not_fit", "train", True), ("error", "train", False), ("does_not_fit", "matmul", False)])  # fmt: skip
def test_capacity_bound_by_a_case(reason: Any, program: str, fires: bool) -> None:
    """A training that did not fit is evidence; an oversized product is not."""
    case = measured(program, "cuda:0", 1.0, batch_size=128).case
    run = benchmark(failures=(CaseFailure(case=case, reason=reason),))
    assert bool(found("capacity_bound", machine(CARD), run)) == fires


def test_a_case_that_was_not_tried_names_what_might_be_taken() -> None:
    """Only a share of what is free may be taken: the size of the memory is not what it did not fit."""
    case = measured("train", "cpu", 1.0, batch_size=128).case
    failure = CaseFailure(case=case, reason="does_not_fit", needed_bytes=10 * GIB, left_bytes=9 * GIB)
    [hit] = found("capacity_bound", machine(), benchmark(failures=(failure,)))
    assert hit.form == "case/untried"
    assert values(hit) == {"batch": 128, "needed_bytes": 10 * GIB, "left_bytes": 9 * GIB}


def test_full_main_memory() -> None:
    """Little free memory is named with the number."""
    pressure = Condition(kind="memory_pressure", value=1.0 * GIB, unit="bytes")
    [hit] = found("capacity_bound", machine(), benchmark(product("cpu"), conditions=(pressure,)))
    assert (hit.form, values(hit)["free_bytes"]) == ("host", GIB)


def test_waiting_for_memory_is_not_called_full() -> None:
    """Programs may wait for memory though most of it is free; and no more can be free than there is."""
    waited = Condition(kind="memory_pressure", value=12.0 * GIB, unit="bytes")
    [hit] = found("capacity_bound", machine(), benchmark(product("cpu"), conditions=(waited,)))
    assert (hit.form, hit.remedies) == ("host/waited", ("close_programs",))
    foreign = msgspec.structs.replace(waited, value=64.0 * GIB)
    [hit] = found("capacity_bound", machine(), benchmark(product("cpu"), conditions=(foreign,)))
    assert values(hit)["free_bytes"] == values(hit)["available_bytes"] == 16 * GIB


@pytest.mark.parametrize(
    ("cpu", "full", "fires"),
    [
        ({}, 90e9, True),
        ({"vendor": "Apple"}, 90e9, False),
        ({}, 256e9, False),
        ({"usable_cores": 2.0}, 90e9, False),
        ({"usable_cores": 2.0, "physical_cores": 2}, 90e9, True),
    ],
)
def test_only_two_channels_that_could_be_filled_are_judged(cpu: dict[str, Any], full: float, fires: bool) -> None:
    """Neither soldered memory of many channels, nor a few of many cores."""
    run = benchmark(measured("bandwidth", "cpu", 1.0, bytes_per_iteration=0.3 * full))
    published = {"cpu": PublishedRates(bandwidth_bytes_per_s=full)}
    assert bool(found("single_memory_channel", machine(cpu=cpu), run, published=published)) == fires


@pytest.mark.parametrize(("rate", "fires"), [(0.44, True), (0.46, False)])
def test_single_memory_channel(rate: float, fires: bool) -> None:
    """Less than 45 % of the processor's published bandwidth is one channel of two."""
    run = benchmark(measured("bandwidth", "cpu", 1.0, bytes_per_iteration=rate * 50e9))
    published = {"cpu": PublishedRates(bandwidth_bytes_per_s=50e9)}
    assert bool(found("single_memory_channel", machine(), run, published=published)) == fires
    assert not found("single_memory_channel", machine(isolation="virtual_machine"), run, published=published)
    assert not found("single_memory_channel", machine(), run)
    disturbed = benchmark(disturbed_by_others(run.measurements[0]))
    assert not found("single_memory_channel", machine(), disturbed, published=published)
