"""What the profile of a step says, and what is said while the computer was busy."""

from typing import Any

import msgspec
import pytest

from advisor.benchmark.diagnosis import diagnose
from advisor.benchmark.diagnosis.rules import MOST_TIMES
from advisor.records.base import Interval
from advisor.records.results.diagnosis import Finding, StepTraffic
from advisor.records.results.measured.measurement import Benchmark, Condition, Measurement
from advisor.records.results.measured.profile import Profile, ProfileShare
from tests.unit.benchmark.diagnosed import PRODUCT_FLOP_PER_S, benchmark, curve, machine, measured, product, training

BANDWIDTH = 20e9
STEP_S = 1.0


def profiled(network: str = "article_cnn", moved_bytes: float = 1e9, **shares: float) -> Measurement:
    """Return a profile of a step of a second with these shares."""
    parts = tuple(ProfileShare(kind=kind, time_s=ratio, ratio=ratio) for kind, ratio in shares.items())  # type: ignore[arg-type]
    profile = Profile(steps=1, wall_s=STEP_S, plain_step_s=STEP_S, is_device_time=False, operations=(), shares=parts)
    fields: dict[str, Any] = {
        "network": network,
        "batch_size": 32,
        "bytes_per_iteration": moved_bytes,
        "profile": profile,
    }
    return measured("profile", "cpu", STEP_S, network, **fields)


def traffic(rate: float = BANDWIDTH) -> Measurement:
    """Return a measured memory bandwidth."""
    return measured("bandwidth", "cpu", 1.0, "copy", bytes_per_iteration=rate, details={"bytes_per_s": rate})


def kinds(*run: Measurement, **known: object) -> dict[str, Finding]:
    """Return the findings of such a run by kind and form."""
    found = diagnose(machine(), benchmark(*run), **known)  # type: ignore[arg-type]
    return {f"{one.kind}/{one.form}": one for one in found}


def busy(one: Measurement, share: float = 0.5) -> Measurement:
    """Return the measurement with other programs beside it."""
    return msgspec.structs.replace(one, conditions=(Condition(kind="other_load", value=share, unit="ratio"),))


@pytest.mark.parametrize(("moving", "fires"), [(0.51, True), (0.49, False)])
def test_a_step_that_moves_data(moving: float, fires: bool) -> None:
    """More than half of the work in layers that hardly compute is memory traffic; loading data does not count."""
    shares: dict[str, Any] = {"elementwise": moving / 2, "convolution": (1 - moving) / 2, "data_loading": 0.5}
    assert ("bandwidth_bound/profile" in kinds(profiled(**shares))) == fires
    assert ("compute_bound/profile" in kinds(profiled(**shares))) != fires


def test_a_fused_optimizer_is_advised_with_its_gain() -> None:
    """Of the optimizer's 40 %, 5 % is what its traffic needs: without the rest a step is 1.5 times as fast."""
    found = kinds(profiled(optimizer=0.4, elementwise=0.2, convolution=0.4), traffic())
    one = found["bandwidth_bound/profile"]

    assert one.remedies[0] == "fused_optimizer"
    assert one.gain is not None
    assert one.gain.high == pytest.approx(1 / (1 - (0.4 - 0.05)))
    assert one.network == "article_cnn"


def test_the_time_for_loading_is_not_the_optimizers() -> None:
    """Half of the step is loading: the optimizer takes 0.2 s of it and needs 0.05, and only that can be saved."""
    shares: dict[str, Any] = {
        "optimizer": 0.2,
        "elementwise": 0.1,
        "convolution": 0.2,
        "data_loading": 0.4,
        "idle": 0.1,
    }
    one = kinds(profiled(**shares), traffic())["bandwidth_bound/profile"]

    assert one.gain is not None
    assert one.gain.high == pytest.approx(1 / (1 - (0.2 - 0.05)))
    enough = profiled(moved_bytes=3e9, **shares)
    assert "fused_optimizer" not in kinds(enough, traffic())["bandwidth_bound/profile"].remedies


@pytest.mark.parametrize(
    ("optimizer", "moved_bytes"), [(0.14, 1e9), (0.4, 5e9)], ids=["hardly counts", "as fast as memory allows"]
)
def test_an_optimizer_that_is_fast_enough_is_left_alone(optimizer: float, moved_bytes: float) -> None:
    """No advice without something to gain."""
    run = profiled(optimizer=optimizer, elementwise=0.6 - optimizer, convolution=0.4, moved_bytes=moved_bytes)
    one = kinds(run, traffic())["bandwidth_bound/profile"]

    assert "fused_optimizer" not in one.remedies
    assert one.severity == "none"


def test_a_shorter_format_needs_a_measurement() -> None:
    """It is advised where the same network was faster in it, with that gain, and not else."""
    run = [profiled(elementwise=0.6, convolution=0.4), training("cpu", 1.0)]
    without = kinds(*run)["bandwidth_bound/profile"]
    beside = kinds(*run, training("cpu", 0.5, precision="amp"))["bandwidth_bound/profile"]

    assert without.remedies == ("faster_memory",)
    assert beside.remedies == ("shorter_format", "faster_memory")
    assert beside.gain == Interval(low=2.0, high=2.0)


def test_the_roofline_has_the_first_word() -> None:
    """Where arithmetic explains the step, the profile of the same network does not say it again."""
    found = kinds(product("cpu"), training("cpu", 1.0, compute=0.8), profiled(convolution=0.9, elementwise=0.1))

    assert "compute_bound/" in found
    assert "compute_bound/profile" not in found


def test_what_passes_between_layers_counts() -> None:
    """Intermediate results through slow memory hold a step back although its parameters are few."""
    run = [product("cpu"), traffic(), training("cpu", 1.0, compute=0.2, bytes_per_iteration=1e9)]
    assert "bandwidth_bound/" not in kinds(*run)
    known = {"article_cnn": StepTraffic(other_per_sample=15e9 / 32, arithmetic_per_sample=1e12)}
    one = kinds(*run, traffic=known)["bandwidth_bound/"]

    shares: dict[str, Any] = {reading.name: reading.value for reading in one.evidence}
    assert shares["traffic_ratio"] == pytest.approx(0.8)
    assert shares["intensity_flop_per_byte"] == pytest.approx(0.2 * PRODUCT_FLOP_PER_S / 16e9)


def test_a_busy_computer_is_not_judged() -> None:
    """Rates taken while others used the processor are compared with nothing; that others did is what is said."""
    quiet = [product("cpu"), traffic(), training("cpu", 1.0, compute=0.8), profiled(convolution=0.9, elementwise=0.1)]
    found = kinds(*(busy(one) for one in quiet))

    assert set(found) == {"other_load/"}


@pytest.mark.parametrize(("share", "is_judged"), [(0.19, True), (0.2, False)])
def test_a_little_other_load_is_usual(share: float, is_judged: bool) -> None:
    """A desktop is never quite idle."""
    run = [product("cpu"), busy(training("cpu", 1.0, compute=0.8), share)]
    assert ("compute_bound/" in kinds(*run)) == is_judged


def test_a_larger_batch_gains_no_more_than_arithmetic_allows() -> None:
    """A stalled small batch makes large ones look a thousand times as fast; what is promised stays possible."""
    points = [(32.0, 1.0), (64.0, 1100.0)]
    run = benchmark(
        product("cuda:0"),
        training("cuda:0", 1.0, compute=0.2),
        curve("sweep", "cuda:0", "batch_size", "items_per_s", *points, network="article_cnn"),
    )
    [one] = [one for one in diagnose(machine(), run) if one.kind == "launch_bound"]

    assert one.gain is not None
    assert one.gain.high == pytest.approx(5.0)


def test_no_gain_beyond_belief() -> None:
    """Whatever the numbers, one thing fixed does not make a computer hundreds of times as fast."""
    cells = training("cuda:0", 1100.0, network="stacked_lstm")
    run: Benchmark = benchmark(cells, training("cuda:0", 1.0, network="fused_lstm"))
    [one] = [one for one in diagnose(machine(), run) if one.kind == "launch_bound"]

    assert one.gain is None
    assert MOST_TIMES < 1100
