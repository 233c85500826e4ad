"""What a training step waits for: arithmetic, memory traffic, or the start of its many small operations."""

import msgspec
import pytest

from advisor.records.base import Interval
from advisor.records.results.diagnosis import Finding, PublishedRates, StepTraffic
from advisor.records.results.measured.measurement import Measurement
from advisor.records.results.measured.profile import Profile, ProfileShare
from tests.unit.benchmark.diagnosed import (
    CARD,
    PRODUCT_FLOP_PER_S,
    SMALL_S,
    benchmark,
    curve,
    machine,
    measured,
    product,
    training,
)
from tests.unit.benchmark.diagnosis.seen import found, values

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
        assert hits[0].gain == Interval(low=1.0, high=pytest.approx(best))  # type: ignore[arg-type]


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
    assert hit.gain == Interval(low=1.0, high=pytest.approx(2.0))  # type: ignore[arg-type]
    [hit] = found("launch_bound", machine(CARD), benchmark(run[0], profile))
    assert hit.gain == Interval(low=1.0, high=pytest.approx(5.0))  # type: ignore[arg-type]


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
