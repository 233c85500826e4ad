"""What keeps a device from its work: data that comes too slowly, a slow link, too little memory or memory traffic."""

from typing import Any

import msgspec
import pytest

from advisor.records.base import Interval
from advisor.records.hardware.machine import Accelerator, PcieLink
from advisor.records.results.diagnosis import Outlook, PublishedRates
from advisor.records.results.measured.measurement import CaseFailure, Condition, Measurement
from advisor.units import GIB
from tests.unit.benchmark.diagnosed import CARD, benchmark, curve, loader, machine, measured, product, training
from tests.unit.benchmark.diagnosis.seen import found, values

# Supply


@pytest.mark.parametrize(("takes", "fires"), [(1.06, True), (1.04, False)])
def test_input_bound_by_measurement(takes: float, fires: bool) -> None:
    """The best loader delivers less than the card takes of the same images."""
    run = benchmark(loader(200), loader(400, workers=4), training("cuda:0", 32 / (400 * takes)))
    hits = found("input_bound", machine(CARD), run)
    assert bool(hits) == fires
    if fires:
        assert values(hits[0]) == {"loader_samples_per_s": 400, "workers": 4, "device_samples_per_s": 400 * takes}
        assert hits[0].gain == Interval(low=takes, high=takes)
        assert hits[0].remedies == ("more_workers", "prepare_data")


@pytest.mark.parametrize(("workers", "more"), [(5, True), (6, False)])
def test_more_workers_need_cores(workers: int, more: bool) -> None:
    """Six cores: one more process than five may help, one more than six has no core of its own."""
    run = benchmark(loader(100, workers=1), loader(300, workers=workers), training("cuda:0", 32 / 400))
    [hit] = found("input_bound", machine(CARD), run)
    assert ("more_workers" in hit.remedies) == more


def test_images_of_another_size_prove_nothing() -> None:
    """What is loaded at 224 pixels says nothing of a card trained at 150."""
    assert not found("input_bound", machine(CARD), benchmark(loader(10, edge=224), training("cuda:0", 0.01)))


def test_a_loader_without_workers_is_not_the_best_there_is() -> None:
    """Plain images were loaded by the program alone, augmented ones with help: the help counts."""
    run = benchmark(loader(100, workers=0), loader(300, workers=4, augmented=True), training("cuda:0", 32 / 350))
    [hit] = found("input_bound", machine(CARD), run)
    assert (hit.form, values(hit)["loader_samples_per_s"]) == ("augmented", 300)


@pytest.mark.parametrize(("worst", "fires"), [(1.06, True), (1.04, False)])
def test_input_bound_by_prediction(worst: float, fires: bool) -> None:
    """The highest the loader may reach is below the lowest the card would take."""
    outlook = Outlook(
        device="cuda:0",
        device_samples_per_s=Interval(low=100 * worst, high=1000),
        loader_samples_per_s=Interval(low=50, high=100),
    )
    hits = found("input_bound", machine(CARD), None, outlooks=[outlook])
    assert [one.form for one in hits] == (["predicted"] if fires else [])
    measured_too = benchmark(loader(1000), training("cuda:0", 32 / 500))
    assert not found("input_bound", machine(CARD), measured_too, outlooks=[outlook])


@pytest.mark.parametrize(("takes", "fires"), [(610, True), (590, False)])
def test_few_cores_for_the_loader(takes: float, fires: bool) -> None:
    """Little's law: 610 images a second at 100 a core take more than the six cores there are."""
    run = benchmark(loader(100), loader(400, workers=6), training("cuda:0", 32 / takes))
    hits = found("few_cores_for_loader", machine(CARD), run)
    assert bool(hits) == fires
    if fires:
        assert values(hits[0])["needed_cores"] == pytest.approx(6.1)
        [starved] = found("input_bound", machine(CARD), run)
        assert starved.remedies[0] == "prepare_data"


def _linked(width: int | None, generation: int | None = 3, most: int | None = 16) -> Accelerator:
    link = PcieLink(generation=1, width=width, max_generation=generation, max_width=most)
    return msgspec.structs.replace(CARD, pcie=link)


@pytest.mark.parametrize(
    ("card", "fires"),
    [
        (_linked(4, 3, 4), True),
        (_linked(4, 4, 4), False),
        (_linked(8, 3, 8), False),
        (_linked(1, 4), True),
        (_linked(4, 5), True),
        (_linked(8, 4), False),
        (_linked(None), False),
        (CARD, False),
    ],
)
def test_slow_link_by_its_lanes(card: Accelerator, fires: bool) -> None:
    """PCIe 3.0 x4 is slow, x8 is not; a quarter of the lanes is the wrong slot."""
    assert bool(found("slow_link", machine(card))) == fires


@pytest.mark.parametrize(("rate", "fires"), [(4.9e9, True), (5.1e9, False)])
def test_slow_link_by_measurement(rate: float, fires: bool) -> None:
    """A measured rate decides, whatever the lanes say."""
    run = benchmark(measured("transfer", "cuda:0", 1.0, details={"bytes_per_s": rate}))
    for card in (_linked(1), _linked(16, 5)):
        assert bool(found("slow_link", machine(card), run)) == fires
    assert not found("slow_link", machine(CARD), benchmark(_disturbed(run.measurements[0])))


@pytest.mark.parametrize(
    ("host", "moves"),
    [({}, True), ({"form_factor": "laptop"}, False), ({"isolation": "virtual_machine"}, False)],
)
def test_only_a_card_in_a_slot_can_be_moved(host: dict[str, Any], moves: bool) -> None:
    """A laptop's card is soldered, and a virtual machine's is somebody else's."""
    card = msgspec.structs.replace(CARD, pcie=PcieLink(generation=4, width=4, max_generation=4, max_width=16))
    [hit] = found("slow_link", machine(card, **host))
    assert ("use_full_slot" in hit.remedies) == moves
    assert hit.remedies[-1] == "keep_data_on_card"


def test_integrated_graphics_have_no_link() -> None:
    """What shares the main memory needs none."""
    card = msgspec.structs.replace(_linked(1), kind="integrated")
    assert not found("slow_link", machine(card))


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
    disturbed = benchmark(_disturbed(run.measurements[0]))
    assert not found("single_memory_channel", machine(), disturbed, published=published)


def _disturbed(one: Measurement) -> Measurement:
    """Return it as taken while other programs ran: no evidence against the hardware."""
    return msgspec.structs.replace(one, conditions=(Condition(kind="other_load", value=0.2, unit="ratio"),))
