"""Each rule fires on its evidence and keeps silent just below its threshold."""

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.benchmark.diagnosis import RULES, diagnose
from advisor.benchmark.diagnosis.inputs import positive, quotient, severity_of
from advisor.records.base import Interval
from advisor.records.hardware.machine import Accelerator, Battery, Framework, Machine, PcieLink
from advisor.records.hardware.telemetry import MetricSummary, MonitoredAccelerator, TelemetrySummary
from advisor.records.results.diagnosis import Finding, FindingKind, Outlook, PublishedRates, StepTraffic
from advisor.records.results.measurement import Benchmark, CaseFailure, Condition, Measurement
from advisor.records.results.profile import Profile, ProfileShare
from advisor.units import GIB
from tests.unit.benchmark.diagnosed import (
    CARD,
    DEVICES,
    NUMBERS,
    OUTLOOKS,
    PRODUCT_FLOP_PER_S,
    RUNS,
    SMALL_S,
    benchmark,
    curve,
    loader,
    machine,
    machines,
    measured,
    product,
    training,
)


def found(kind: FindingKind, computer: Machine, run: Benchmark | None = None, **known: Any) -> list[Finding]:
    """Return the findings of a kind."""
    return [one for one in diagnose(computer, run, **known) if one.kind == kind]


def values(one: Finding) -> dict[str, float]:
    """Return the numbers of a finding."""
    return {reading.name: reading.value for reading in one.evidence}


def test_every_kind_but_the_last_word_has_a_rule() -> None:
    """No kind is promised that nothing can find."""
    assert {*RULES, "nothing_wrong"} == set(get_args(FindingKind))


def test_nothing_known_says_nothing() -> None:
    """Without measurements there is neither a brake nor the claim that there is none."""
    assert diagnose(machine(), None) == ()
    assert diagnose(machine(), benchmark()) == ()


@pytest.mark.parametrize("value", [None, 0, -1.0, 1e70, 1e-70, float("inf"), float("nan"), 10**400])
def test_numbers_of_no_computer_count_as_unknown(value: float | None) -> None:
    """Whatever a file says, what cannot be is not reasoned with."""
    assert positive(value) is None
    assert quotient(1.0, value) is None


@pytest.mark.parametrize(
    ("low", "high", "severity"), [(1.0, 4.0, "serious"), (1.0, 3.9, "moderate"), (1.0, 1.3, "slight")]
)
def test_severity_follows_the_middle_of_the_gain(low: float, high: float, severity: str) -> None:
    """The geometric middle of the interval decides; no gain known is slight."""
    assert severity_of(Interval(low=low, high=high)) == severity
    assert severity_of(None) == "slight"


# Arithmetic


@pytest.mark.parametrize(("share", "fires"), [(0.51, True), (0.49, False)])
def test_compute_bound(share: float, fires: bool) -> None:
    """A step that is mostly arithmetic at the rate of large products is limited by it."""
    run = benchmark(product("cpu"), training("cpu", compute=share))
    hits = found("compute_bound", machine(), run)
    assert bool(hits) == fires
    if fires:
        assert hits[0].severity == "none"
        assert values(hits[0])["compute_ratio"] == pytest.approx(share)
        assert hits[0].remedies == ("graphics_card",)


@pytest.mark.parametrize(("times", "gains"), [(1.2, True), (1.05, False)])
def test_a_shorter_format_is_advised_where_it_was_measured_to_help(times: float, gains: bool) -> None:
    """The gain is that of the same step, from the quartiles of both."""
    run = benchmark(
        product("cuda:0"), training("cuda:0", compute=0.9), training("cuda:0", 1.0 / times, precision="amp")
    )
    [hit] = found("compute_bound", machine(CARD), run)
    assert ("shorter_format" in hit.remedies) == gains
    assert (hit.gain is not None) == gains
    if hit.gain is not None:
        assert hit.gain.low == pytest.approx(times)


def test_faster_products_gain_at_most_their_share() -> None:
    """Amdahl: products twice as fast, 80 % of the step, gain at most 1 / (0.2 + 0.4)."""
    fast = product("cpu", flop_per_s=2 * PRODUCT_FLOP_PER_S, precision="bf16")
    [hit] = found("compute_bound", machine(), benchmark(product("cpu"), fast, training("cpu", compute=0.8)))
    assert hit.gain is not None
    assert (hit.gain.low, hit.gain.high) == (1.0, pytest.approx(1 / 0.6))


@pytest.mark.parametrize(("share", "fires"), [(0.51, True), (0.49, False)])
def test_bandwidth_bound(share: float, fires: bool) -> None:
    """A step that mostly moves parameters is limited by memory, at the measured or the published bandwidth."""
    step = training("cuda:0", compute=0.1, bytes_per_iteration=share * 300e9)
    run = benchmark(product("cuda:0"), step)
    published = {"cuda:0": PublishedRates(bandwidth_bytes_per_s=300e9)}
    assert bool(found("bandwidth_bound", machine(CARD), run, published=published)) == fires
    copied = measured("bandwidth", "cuda:0", 1.0, bytes_per_iteration=300e9)
    assert bool(found("bandwidth_bound", machine(CARD), benchmark(product("cuda:0"), step, copied))) == fires
    assert not found("bandwidth_bound", machine(CARD), run)


@pytest.mark.parametrize(("best", "fires"), [(1.31, True), (1.29, False)])
def test_launch_bound_by_the_batch_sweep(best: float, fires: bool) -> None:
    """Larger batches make each sample faster although nothing of the hardware was at its limit."""
    sweep = curve(
        "sweep", "cuda:0", "batch_size", "items_per_s", (16, 80), (32, 100), (128, 100 * best), network="article_cnn"
    )
    hits = found("launch_bound", machine(CARD), benchmark(product("cuda:0"), training("cuda:0", compute=0.2), sweep))
    assert bool(hits) == fires
    if fires:
        assert values(hits[0])["best_batch"] == 128
        assert hits[0].gain == Interval(low=1.0, high=pytest.approx(best))


def test_a_sweep_of_another_network_proves_nothing() -> None:
    """What larger batches gain is known of the network that was swept."""
    sweep = curve("sweep", "cuda:0", "batch_size", "items_per_s", (32, 100), (128, 200), network="densenet121")
    run = benchmark(product("cuda:0"), training("cuda:0", compute=0.2), sweep)
    assert not found("launch_bound", machine(CARD), run)


def _traffic_bound(*further: Measurement, parameters: float = 0.9) -> Finding:
    """Return the finding of a step that memory holds up, of whose traffic the parameters' is a share."""
    step = training("cuda:0", compute=0.1, bytes_per_iteration=parameters * 300e9)
    traffic = {"article_cnn": StepTraffic(other_fixed=(0.9 - parameters) * 300e9)}
    copied = measured("bandwidth", "cuda:0", 1.0, bytes_per_iteration=300e9)
    run = benchmark(product("cuda:0"), step, copied, *further)
    [hit] = found("bandwidth_bound", machine(CARD), run, traffic=traffic)
    return hit


def test_what_was_measured_not_to_help_memory_is_not_advised() -> None:
    """Larger batches share the traffic of parameters alone; a format that was slower is no remedy."""
    assert _traffic_bound().remedies == ("larger_batch", "shorter_format", "faster_memory")
    assert _traffic_bound(parameters=0.2).remedies == ("shorter_format", "faster_memory")
    flat = curve("sweep", "cuda:0", "batch_size", "items_per_s", (32, 100), (128, 105), network="article_cnn")
    slower = training("cuda:0", 1.2, compute=0.1, precision="amp")
    assert _traffic_bound(flat, slower).remedies == ("faster_memory",)
    faster = training("cuda:0", 0.5, compute=0.1, precision="amp")
    hit = _traffic_bound(flat, faster)
    assert hit.remedies == ("shorter_format", "faster_memory")
    assert (hit.gain, values(hit)["shorter_times"]) == (Interval(low=2.0, high=2.0), 2.0)


@pytest.mark.parametrize(("card_s", "remedies"), [(0.1, ("use_card",)), (2.0, ()), (None, ())])
def test_who_has_a_card_is_not_told_to_get_one(card_s: float | None, remedies: tuple[str, ...]) -> None:
    """The processor's arithmetic is for the card that is there, where it was measured to be faster."""
    cases = [] if card_s is None else [training("cuda:0", card_s)]
    run = benchmark(product("cpu"), training("cpu", compute=0.6), *cases)
    hits = [one for one in found("compute_bound", machine(CARD), run) if one.device == "cpu"]
    assert [one.remedies for one in hits] == [remedies]


def test_what_jax_uses_is_no_card() -> None:
    """It may be the processor again."""
    run = benchmark(product("cpu"), training("cpu", compute=0.6), measured("xla_train", "xla:0", 1.0))
    [hit] = found("compute_bound", machine(), run)
    assert hit.remedies == ("graphics_card",)


def test_a_busy_device_is_not_called_launch_bound() -> None:
    """Where arithmetic explains the step, a rising sweep is better-filled products, not waiting."""
    sweep = curve("sweep", "cuda:0", "batch_size", "items_per_s", (32, 100), (128, 200), network="article_cnn")
    run = benchmark(product("cuda:0"), training("cuda:0", compute=0.6), sweep)
    assert not found("launch_bound", machine(CARD), run)


def _profile(idle: float, loading: float = 0.0) -> Measurement:
    shares = (
        ProfileShare(kind="idle", time_s=idle, ratio=idle),
        ProfileShare(kind="data_loading", time_s=loading, ratio=loading),
    )
    profile = Profile(steps=10, wall_s=1.0, plain_step_s=0.1, is_device_time=True, operations=(), shares=shares)
    return measured("profile", "cuda:0", 0.1, profile=profile, batch_size=32)


@pytest.mark.parametrize(("idle", "loading", "fires"), [(0.3, 0.0, True), (0.29, 0.0, False), (0.3, 0.4, False)])
def test_launch_bound_by_the_profile(idle: float, loading: float, fires: bool) -> None:
    """No kernel ran for a third of the step, and the data was not what it waited for."""
    assert bool(found("launch_bound", machine(CARD), benchmark(_profile(idle, loading)))) == fires


def test_idling_that_the_profiler_adds_does_not_count() -> None:
    """Without the profiler a step took 0.06 s, in 0.05 of which kernels ran: it idled for a sixth, not for half."""
    slowed = _profile(0.5)
    assert slowed.profile is not None
    plain = msgspec.structs.replace(slowed, profile=msgspec.structs.replace(slowed.profile, plain_step_s=0.06))
    assert found("launch_bound", machine(CARD), benchmark(slowed))
    assert not found("launch_bound", machine(CARD), benchmark(plain))


def test_without_idling_a_step_still_takes_its_arithmetic() -> None:
    """Half of a step is arithmetic: without the 0.8 that idles it is twice as fast, not five times."""
    profile = msgspec.structs.replace(_profile(0.8), case=msgspec.structs.replace(_profile(0.8).case, network="a"))
    run = [product("cuda:0"), training("cuda:0", compute=0.5, network="a")]
    [hit] = found("launch_bound", machine(CARD), benchmark(*run, profile))
    assert hit.gain == Interval(low=1.0, high=pytest.approx(2.0))
    [hit] = found("launch_bound", machine(CARD), benchmark(run[0], profile))
    assert hit.gain == Interval(low=1.0, high=pytest.approx(5.0))


@pytest.mark.parametrize(("count", "fires"), [(52, True), (48, False)])
def test_launch_bound_by_counting_operations(count: float, fires: bool) -> None:
    """So many of the smallest operations take over half of the step."""
    run = benchmark(product("cuda:0"), product("cuda:0", 128), training("cuda:0", 100 * SMALL_S, compute=0.1))
    assert bool(found("launch_bound", machine(CARD), run, kernels={"article_cnn": count})) == fires
    assert not found("launch_bound", machine(CARD), run)


@pytest.mark.parametrize(("times", "fires"), [(1.31, True), (1.29, False)])
def test_launch_bound_by_an_lstm_of_cells(times: float, fires: bool) -> None:
    """The same network as one call is much faster: its many small operations were what it waited for."""
    run = benchmark(
        training("cuda:0", times, network="stacked_lstm"),
        training("cuda:0", 1.0, network="fused_lstm"),
        training("cuda:0", 0.1, network="fused_lstm", batch_size=64),
    )
    hits = found("launch_bound", machine(CARD), run)
    assert [one.form for one in hits] == (["cells"] if fires else [])
    if fires:
        assert hits[0].gain == Interval(low=times, high=times)


def test_the_processor_is_never_launch_bound() -> None:
    """It starts its own operations."""
    sweep = curve("sweep", "cpu", "batch_size", "items_per_s", (32, 100), (128, 500), network="article_cnn")
    assert not found("launch_bound", machine(), benchmark(product("cpu"), training("cpu"), sweep))


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


# State


def test_wrong_torch_build() -> None:
    """A card that torch cannot use is the first thing to fix; the gain is what it is predicted to do."""
    torch = Framework(version="2.13", built_for="cpu", mismatch="cpu_only_build")
    outlooks = [
        Outlook(device="cpu", device_samples_per_s=Interval(low=8, high=10)),
        Outlook(device="cuda:0", device_samples_per_s=Interval(low=80, high=100)),
    ]
    [hit] = found("wrong_torch_build", machine(CARD, torch=torch), None, outlooks=outlooks)
    assert (hit.form, hit.severity, hit.remedies) == ("cpu_only_build", "serious", ("cpu_only_build",))
    assert hit.gain == Interval(low=8, high=12.5)
    assert not found("wrong_torch_build", machine(torch=torch))
    assert not found("wrong_torch_build", machine(CARD))


def test_a_card_that_is_slower_than_the_processor_is_no_loss() -> None:
    """It is said, but nothing is promised."""
    torch = Framework(version="2.13", built_for="cpu", mismatch="cpu_only_build")
    outlooks = [
        Outlook(device="cpu", device_samples_per_s=Interval(low=80, high=100)),
        Outlook(device="cuda:0", device_samples_per_s=Interval(low=40, high=60)),
    ]
    [hit] = found("wrong_torch_build", machine(CARD, torch=torch), None, outlooks=outlooks)
    assert (hit.severity, hit.gain) == ("slight", None)


@pytest.mark.parametrize(("plugged", "fires"), [(False, True), (True, False), (None, False)])
def test_on_battery(plugged: bool | None, fires: bool) -> None:
    """A laptop known to be unplugged."""
    battery = Battery(charge_ratio=0.5, is_plugged_in=plugged)
    assert bool(found("on_battery", machine(battery=battery))) == fires


def test_conditions_of_the_run_are_found() -> None:
    """Battery and power saving as the measurements met them."""
    met = (Condition(kind="on_battery", value=0.8, unit="ratio"), Condition(kind="power_saver"))
    run = benchmark(product("cpu"), conditions=met)
    [battery] = found("on_battery", machine(), run)
    assert values(battery) == {"plugged_in": 0, "charge_ratio": 0.8}
    assert found("power_saver", machine(), run)
    assert not found("power_saver", machine(), benchmark(product("cpu")))


def test_other_load_gains_at_most_what_the_others_took() -> None:
    """Half of the processor taken: at most twice as fast without."""
    shares = [Condition(kind="other_load", value=value, unit="ratio", when="during") for value in (0.1, 0.5, 0.9)]
    run = benchmark(*(product("cpu", edge, conditions=(one,)) for edge, one in zip((1, 2, 3), shares, strict=True)))
    [hit] = found("other_load", machine(), run)
    assert hit.gain == Interval(low=1.0, high=2.0)


def test_a_moment_of_other_load_does_not_gain_for_the_whole_check() -> None:
    """Nine tenths of the processor in one case of ten is a tenth at most; before the first case it is no gain."""
    busy = Condition(kind="other_load", value=0.9, unit="ratio", when="during")
    calm = [product("cpu", edge) for edge in range(2, 11)]
    [hit] = found("other_load", machine(), benchmark(product("cpu", 1, conditions=(busy,)), *calm))
    assert hit.gain == Interval(low=1.0, high=pytest.approx(1 / 0.91))
    assert (hit.severity, values(hit)["times_seen"], values(hit)["cases"]) == ("slight", 1, 10)
    before = msgspec.structs.replace(busy, when="before")
    [hit] = found("other_load", machine(), benchmark(*calm, conditions=(before,)))
    assert (hit.form, hit.gain, hit.severity) == ("before", None, "slight")


@pytest.mark.parametrize(("used", "fires"), [(3.1, True), (2.9, False)])
def test_other_programs_on_the_card(used: float, fires: bool) -> None:
    """A quarter of the card's memory in the hands of others."""
    card = msgspec.structs.replace(CARD, memory_used_bytes=int(used * GIB), used_by=("game",))
    assert bool(found("other_load", machine(card))) == fires
    assert not found("other_load", machine(msgspec.structs.replace(card, used_by=())))


def _sustained(last: float, device: str = "cuda:0", seconds: float = 60.0, **fields: Any) -> Measurement:
    points = [(seconds * i / 20, 100.0 if i < 8 else last) for i in range(21)]
    return curve("sustained", device, "time_s", "flop_per_s", *points, **fields)


def _sensors(*reasons: str, watched: int = 1, **peaks: float) -> TelemetrySummary:
    metrics = {name.replace("__", "."): MetricSummary(mean=peak, peak=peak, count=9) for name, peak in peaks.items()}
    cards = tuple(MonitoredAccelerator(vendor="nvidia", index=n, name=f"Card {n}") for n in range(watched))
    return TelemetrySummary(
        start_s=0, end_s=60, count=9, metrics=dict(metrics), throttle_reasons=reasons, accelerators=cards
    )


@pytest.mark.parametrize(("last", "fires"), [(94.0, True), (96.0, False)])
def test_heat_over_a_minute(last: float, fires: bool) -> None:
    """The card ends slower than it began, and its hardware says why."""
    sensors = _sensors("heat", accelerators__0__temperature_celsius=87.0)
    run = benchmark(_sustained(last, telemetry=sensors))
    hits = found("throttled_heat", machine(CARD), run)
    assert bool(hits) == fires
    if fires:
        assert values(hits[0])["temperature_celsius"] == 87
        assert not found("throttled_power", machine(CARD), run)
        assert not found("unstable", machine(CARD), run)


def test_another_card_and_the_processor_prove_nothing() -> None:
    """A hot neighbour and its reasons, or the processor's power, say nothing of the card that became slower."""
    neighbour = {"accelerators__1__temperature_celsius": 95.0, "accelerators__1__throttle_heat": 1.0}
    sensors = _sensors("heat", watched=2, **neighbour, accelerators__0__temperature_celsius=60.0)
    assert not found("throttled_heat", machine(CARD), benchmark(_sustained(80.0, telemetry=sensors)))
    power = {"accelerators__1__throttle_power_limit": 1.0, "host__cpu_power_w": 200.0}
    sensors = _sensors("power_limit", watched=2, **power, accelerators__0__power_w=60.0)
    assert not found("throttled_power", machine(CARD), benchmark(_sustained(80.0, telemetry=sensors)))
    own = _sensors("power_limit", watched=2, **power, accelerators__0__power_w=60.0,
                   accelerators__0__throttle_power_limit=0.5)  # fmt: skip
    [hit] = found("throttled_power", machine(CARD), benchmark(_sustained(80.0, telemetry=own)))
    assert values(hit)["power_w"] == 60
    sensors = _sensors("heat", accelerators__0__throttle_heat=1.0)
    assert not found("throttled_heat", machine(CARD), benchmark(_sustained(80.0, "cpu", telemetry=sensors)))


@pytest.mark.parametrize(("celsius", "fires"), [(91.0, True), (89.0, False)])
def test_a_hot_processor(celsius: float, fires: bool) -> None:
    """Processors give no reason; 90 degrees and a falling rate are one."""
    sensors = _sensors(host__cpu_temperature_celsius=celsius)
    run = benchmark(_sustained(80.0, "cpu", telemetry=sensors))
    assert bool(found("throttled_heat", machine(), run)) == fires


def test_power_over_a_minute() -> None:
    """A falling rate at the power limit is power, in a laptop to be fixed by its charger."""
    sensors = _sensors("power_limit", accelerators__0__power_w=60.0)
    run = benchmark(_sustained(80.0, telemetry=sensors))
    [hit] = found("throttled_power", machine(CARD, form_factor="laptop"), run)
    assert (values(hit)["power_w"], hit.remedies[0]) == (60, "plug_in")
    assert hit.gain is not None
    assert hit.gain.high == pytest.approx(100 / 80)
    assert not found("throttled_power", machine(CARD), benchmark(_sustained(99.0, telemetry=sensors)))


def test_the_first_moments_of_a_long_run_do_not_count() -> None:
    """While clocks rise and kernels are chosen, rates say nothing."""
    points = [(3.0 * i, 300.0 if i < 2 else 100.0) for i in range(21)]
    assert not found("unstable", machine(), benchmark(curve("sustained", "cpu", "time_s", "flop_per_s", *points)))


def test_a_fall_without_a_cause_is_unstable() -> None:
    """Neither heat nor power: nothing is blamed."""
    [hit] = found("unstable", machine(CARD), benchmark(_sustained(80.0)))
    assert hit.form == "fades"
    assert not found("unstable", machine(CARD), benchmark(_sustained(80.0, seconds=10.0)))
    busy = Condition(kind="other_load", value=0.5, unit="ratio", when="during")
    assert not found("unstable", machine(CARD), benchmark(_sustained(80.0, conditions=(busy,))))


@pytest.mark.parametrize(
    ("condition", "kind", "device"),
    [
        (Condition(kind="throttled", value=75.0, unit="celsius"), "throttled_heat", "cuda:0"),
        (Condition(kind="throttled", value=74.0, unit="celsius"), "throttled_power", "cuda:0"),
        (Condition(kind="throttled", value=1.8e9, unit="hz"), "throttled_power", "cpu"),
        (Condition(kind="throttled"), "throttled_heat", "cpu"),
    ],
)
def test_what_the_hardware_reports_in_a_case(condition: Condition, kind: FindingKind, device: str) -> None:
    """A hot card is slowed down for heat, a cool one for power; a counted event is heat."""
    run = benchmark(product("cuda:0", conditions=(condition,)))
    hits = diagnose(machine(CARD, cpu={"base_frequency_hz": 3.6e9}), run)
    assert [(one.kind, one.device) for one in hits if one.kind.startswith("throttled")] == [(kind, device)]
    if condition.unit == "hz":
        assert hits[0].gain == Interval(low=1.0, high=2.0)


@pytest.mark.parametrize(
    ("reason", "celsius", "expected"),
    [
        ("heat", 60.0, ("throttled_heat", "")),
        ("heat", None, ("throttled_heat", "counted")),
        ("power_brake", 82.0, ("throttled_power", "counted")),
        ("power_brake", 60.0, ("throttled_power", "cool")),
        ("hardware_slowdown", 82.0, ("throttled_heat", "")),
        ("hardware_slowdown", None, None),
    ],
)
def test_what_the_hardware_says_goes_before_its_temperature(
    reason: str, celsius: float | None, expected: tuple[str, str] | None
) -> None:
    """A card with too little power is hot as well, and its memory may be too hot while it is cool."""
    slowed = Condition(kind="throttled", value=celsius, unit="celsius", when="during")
    run = benchmark(product("cuda:0", conditions=(slowed,), telemetry=_sensors(reason)))
    hits = [one for one in diagnose(machine(CARD), run) if one.kind.startswith("throttled")]
    assert [(one.kind, one.form) for one in hits] == ([] if expected is None else [expected])
    assert {one.device for one in hits} <= {"cuda:0"}


def test_a_hot_card_at_its_power_limit_lacks_power() -> None:
    """It says so itself; 78 degrees are usual under load."""
    sensors = _sensors("power_limit", accelerators__0__temperature_celsius=78.0)
    run = benchmark(_sustained(90.0, telemetry=sensors))
    kinds = [one.kind for one in diagnose(machine(CARD), run) if one.kind.startswith("throttled")]
    assert kinds == ["throttled_power"]


def test_a_cause_is_seen_beside_what_it_caused() -> None:
    """Load beside one steady case, or before all of them, made no other case scatter."""
    shaky = Condition(kind="unstable", value=0.3, unit="ratio", when="during")
    busy = Condition(kind="other_load", value=0.15, unit="ratio", when="during")
    cases = [product("cpu", edge, conditions=(shaky,)) for edge in (1, 2)]
    steady = product("cpu", 3, conditions=(busy,))
    [hit] = found("unstable", machine(), benchmark(*cases, steady, conditions=(busy,)))
    assert hit.form == ""
    disturbed = product("cpu", 1, conditions=(shaky, busy))
    [hit] = found("unstable", machine(), benchmark(disturbed, cases[1], steady))
    assert hit.form == "other_load"


@pytest.mark.parametrize(("steady", "fires"), [(8, True), (9, False)])
def test_unstable(steady: int, fires: bool) -> None:
    """A fifth of the measurements scatters; in a virtual machine the others are the likely cause."""
    shaky = Condition(kind="unstable", value=0.3, unit="ratio", when="during")
    cases = [product("cpu", edge, conditions=(shaky,)) for edge in (1, 2)]
    run = benchmark(*cases, *(product("cpu", 10 + edge) for edge in range(steady)))
    hits = found("unstable", machine(isolation="virtual_machine"), run)
    assert [one.form for one in hits] == (["shared"] if fires else [])


def test_a_host_that_takes_time_is_named_with_its_share() -> None:
    """Where the host was seen to take time, that is the cause, with the largest share; it spoils no bandwidth."""
    shaky = Condition(kind="unstable", value=0.3, unit="ratio", when="during")
    shares = [Condition(kind="stolen_time", value=value, unit="ratio", when="during") for value in (0.03, 0.07)]
    run = benchmark(*(product("cpu", 1 + index, conditions=(shaky, one)) for index, one in enumerate(shares)))
    [hit] = found("unstable", machine(isolation="virtual_machine"), run)
    assert (hit.form, values(hit)["stolen_ratio"]) == ("stolen_time", 0.07)


# The last word


def test_nothing_wrong_takes_every_device() -> None:
    """Both devices near their limits: the last word, with the weaker share first."""
    run = benchmark(product("cpu"), training("cpu", compute=0.6), product("cuda:0"), training("cuda:0", compute=0.55))
    [hit] = found("nothing_wrong", machine(CARD), run)
    assert [reading.value for reading in hit.evidence] == [4, pytest.approx(0.55), pytest.approx(0.6)]


def test_what_jax_used_is_not_wanted() -> None:
    """JAX on the same processor has no curve of its own, and keeps nobody from saying that nothing is wrong."""
    jax = measured("xla_train", "xla:0", 1.0, network="article_cnn")
    assert found("nothing_wrong", machine(), benchmark(product("cpu"), training("cpu", compute=0.6), jax))


@pytest.mark.parametrize(
    ("computer", "run"),
    [
        (machine(CARD), benchmark(product("cpu"), training("cpu", compute=0.9))),
        (machine(CARD, torch=Framework(version="2")), benchmark(product("cpu"), training("cpu", compute=0.9))),
        (machine(), benchmark(product("cpu"), training("cpu", compute=0.49))),
        (machine(), benchmark(product("cpu"))),
        (machine(battery=Battery(charge_ratio=0.5, is_plugged_in=False)),
         benchmark(product("cpu"), training("cpu", compute=0.9))),
    ],
    ids=["card not measured", "card not seen by torch", "half unexplained", "no training", "on battery"],
)  # fmt: skip
def test_nothing_wrong_is_not_said_lightly(computer: Machine, run: Benchmark) -> None:
    """Where something was not measured, is not explained, or is amiss, the last word is not said."""
    assert not found("nothing_wrong", computer, run)


# Any machine, any measurements


@settings(max_examples=150, deadline=None)
@given(machines(), RUNS, st.lists(OUTLOOKS, max_size=3), st.dictionaries(DEVICES, NUMBERS, max_size=2))
def test_findings_have_evidence_and_a_steady_order(
    computer: Machine, run: Benchmark | None, outlooks: list[Outlook], rates: dict[str, float | None]
) -> None:
    """Whatever the machine and its measurements: no exception, no finding without evidence, the same order again."""
    published = {device: PublishedRates(bandwidth_bytes_per_s=rate) for device, rate in rates.items()}
    first = diagnose(computer, run, published=published, outlooks=outlooks, kernels={"article_cnn": 100.0})
    assert all(one.evidence for one in first)
    assert all(one.remedies for one in first if one.severity != "none" and one.form != "cosmic_rays")
    assert all(one.gain is None or 1 <= one.gain.low <= one.gain.high for one in first)
    assert first == diagnose(computer, run, published=published, outlooks=outlooks, kernels={"article_cnn": 100.0})
    severities = ["serious", "moderate", "slight", "none"]
    assert [one.severity for one in first] == sorted((one.severity for one in first), key=severities.index)
    if run is not None:
        backwards = msgspec.structs.replace(run, measurements=tuple(reversed(run.measurements)))
        again = diagnose(computer, backwards, published=published, outlooks=outlooks)
        assert [one.severity for one in again] == sorted((one.severity for one in again), key=severities.index)


@settings(max_examples=30, deadline=None)
@given(machines(), RUNS)
def test_nothing_wrong_stands_alone(computer: Machine, run: Benchmark | None) -> None:
    """It is never said beside a finding that something is."""
    hits = diagnose(computer, run)
    if any(one.kind == "nothing_wrong" for one in hits):
        assert all(one.severity == "none" for one in hits)
