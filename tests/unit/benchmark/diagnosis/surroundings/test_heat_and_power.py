"""Each rule fires on its evidence and keeps silent just below its threshold."""

from typing import Any

import pytest

from advisor.benchmark.diagnosis import diagnose
from advisor.records.base import Interval
from advisor.records.hardware.machine import Battery
from advisor.records.hardware.telemetry import MetricSummary, MonitoredAccelerator, TelemetrySummary
from advisor.records.results.diagnosis import FindingKind
from advisor.records.results.measured.measurement import Condition, Measurement
from tests.unit.benchmark.diagnosed import CARD, benchmark, curve, machine, product
from tests.unit.benchmark.diagnosis.seen import found, values


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
