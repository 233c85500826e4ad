"""Battery, power saving, heat and too little power: what makes an otherwise able computer slower than it is."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from advisor.benchmark.diagnosis.inputs import (
    Curve,
    Inputs,
    conditions,
    curves,
    ends,
    finding,
    gain_between,
    positive,
    quotient,
)
from advisor.card_matching import sensor_prefix, throttle_reasons
from advisor.records.hardware.telemetry import TelemetrySummary
from advisor.records.results.diagnosis import Finding, Reading, RemedyCode
from advisor.records.results.measured.measurement import Condition

HOT_CELSIUS = 75.0
"""A card that its hardware slows down at this temperature or above is too hot; below, it lacks power.

Source: NVIDIA slows GeForce cards down from 83 to 90 degrees, those of laptops often from 75 (``nvidia-smi -q -d
TEMPERATURE``, "GPU Target Temperature").
"""
LOST_RATIO = 0.05
"""A device that ends a long run this much slower than it began is slowed down; repeated runs differ by up to 3 %."""

SHORT_RUN_S = 20.0
"""Shorter curves say nothing about heat: a cooler takes about that long to warm up."""


def on_battery(inputs: Inputs) -> Iterator[Finding]:
    """Yield a laptop that was measured on its battery, where processor and card run at a lower power."""
    found = conditions(inputs, "on_battery")
    battery = inputs.machine.host.battery
    if not found and (battery is None or battery.is_plugged_in is not False):
        return
    charge = next((one.value for _, one in found if one.value is not None), None)
    if charge is None and battery is not None:
        charge = battery.charge_ratio
    source = found[0][0] if found else "host.battery"
    share = positive(charge)
    evidence = (
        Reading(name="plugged_in", value=0.0, source=source),
        None if share is None else Reading(name="charge_ratio", value=min(share, 1.0), unit="ratio", source=source),
    )
    form = "" if share is not None else "unknown"
    yield finding("on_battery", "cpu", evidence, form=form, severity="moderate", remedies=("plug_in",))


def power_saver(inputs: Inputs) -> Iterator[Finding]:
    """Yield a processor that its system slows down to save power."""
    found = conditions(inputs, "power_saver")
    if found:
        evidence = (Reading(name="times_seen", value=float(len(found)), source=found[0][0]),)
        yield finding("power_saver", "cpu", evidence, severity="moderate", remedies=("leave_power_saver",))


class _Fade(NamedTuple):
    """A device that became slower in the course of a long run."""

    curve: Curve
    first: float
    last: float

    @property
    def lost_ratio(self) -> float:
        """Return the share of the rate that was lost."""
        return 1.0 - self.last / self.first

    @property
    def evidence(self) -> tuple[Reading, ...]:
        """Return the loss and how long the run was."""
        source = self.curve.case_id
        return (
            Reading(name="lost_ratio", value=self.lost_ratio, unit="ratio", source=source),
            Reading(name="run_s", value=_length(self.curve), unit="s", source=source),
        )


def _length(curve: Curve) -> float:
    times = [time_s for time_s, _ in curve.points]
    return max(times) - min(times)


def _fades(inputs: Inputs) -> list[_Fade]:
    """Return for each device the long run in which it lost most."""
    worst: dict[str, _Fade] = {}
    for curve in curves(inputs, "time_s"):
        if _length(curve) < SHORT_RUN_S:
            continue
        first, last = ends(curve.points)
        fade = _Fade(curve, first, last)
        known = worst.get(curve.device)
        if fade.lost_ratio >= LOST_RATIO and (known is None or fade.lost_ratio > known.lost_ratio):
            worst[curve.device] = fade
    return list(worst.values())


def throttled_heat(inputs: Inputs) -> Iterator[Finding]:
    """Yield devices that are slowed down because they are too hot."""
    faded = [(fade, _heat_evidence(inputs, fade.curve)) for fade in _fades(inputs)]
    hot = {fade.curve.device: (fade, reading) for fade, reading in faded if reading is not None}
    for fade, reading in hot.values():
        gain = gain_between(1.0, quotient(fade.first, fade.last))
        yield finding("throttled_heat", fade.curve.device, (*fade.evidence, reading), form=_form(reading), gain=gain,
                      remedies=("improve_cooling",))  # fmt: skip
    for device, (where, one) in _slowed(inputs, is_hot=True).items():
        if device in hot:
            continue
        temperature = positive(one.value) if one.unit == "celsius" else None
        form = "" if temperature is not None else "counted"
        reading = Reading(name="throttle_events", value=1.0, source=where) if temperature is None else \
            Reading(name="temperature_celsius", value=temperature, unit="celsius", source=where)  # fmt: skip
        yield finding("throttled_heat", device, (reading,), form=form, severity="moderate",
                      remedies=("improve_cooling",))  # fmt: skip


def throttled_power(inputs: Inputs) -> Iterator[Finding]:
    """Yield devices that are slowed down because they may not draw, or do not get, more power."""
    known = set()
    for fade in _fades(inputs):
        reading = _power_evidence(inputs, fade.curve)
        if reading is not None and _heat_evidence(inputs, fade.curve) is None:
            known.add(fade.curve.device)
            gain = gain_between(1.0, quotient(fade.first, fade.last))
            yield finding("throttled_power", fade.curve.device, (*fade.evidence, reading), form=_form(reading),
                          gain=gain, remedies=_more_power(inputs))  # fmt: skip
    for device, (where, one) in _slowed(inputs, is_hot=False).items():
        value = positive(one.value)
        if device in known:
            continue
        if one.unit == "celsius":
            reading = Reading(name="throttle_events", value=1.0, source=where)
            form = "counted"
            if value is not None and value < HOT_CELSIUS:
                reading = Reading(name="temperature_celsius", value=value, unit="celsius", source=where)
                form = "cool"
            elif not _says_power(_reasons_in(inputs, where, device)):
                continue
            yield finding("throttled_power", device, (reading,), form=form, severity="moderate",
                          remedies=_more_power(inputs))  # fmt: skip
        elif value is not None:
            yield from _slow_clock(inputs, value, where)


def _slow_clock(inputs: Inputs, clock_hz: float, where: str) -> Iterator[Finding]:
    """The processor was busy and yet ran below its nominal clock."""
    base = positive(inputs.machine.host.cpu.base_frequency_hz)
    evidence = (
        Reading(name="clock_hz", value=clock_hz, unit="hz", source=where),
        None if base is None else Reading(name="base_hz", value=base, unit="hz", source="host.cpu.base_frequency_hz"),
    )
    gain = None if base is None else gain_between(1.0, quotient(base, clock_hz))
    form = "clock" if base is None else "clock/base"
    yield finding("throttled_power", "cpu", evidence, form=form, gain=gain,
                  remedies=(*_more_power(inputs), "improve_cooling"))  # fmt: skip


def _more_power(inputs: Inputs) -> tuple[RemedyCode, ...]:
    is_laptop = inputs.machine.host.form_factor == "laptop"
    return ("plug_in", "raise_power_limit") if is_laptop else ("raise_power_limit",)


def _form(reading: Reading) -> str:
    return "sustained/counted" if reading.name == "throttle_events" else "sustained"


def _slowed(inputs: Inputs, *, is_hot: bool) -> dict[str, tuple[str, Condition]]:
    """Return, by device, the worst condition that speaks of heat, or those that speak of power."""
    devices = {m.case.id: m.case.device for m in inputs.measurements}
    found: dict[str, tuple[str, Condition]] = {}
    for where, one in conditions(inputs, "throttled"):
        device = devices.get(where, "cpu") if one.unit == "celsius" else "cpu"
        if one.unit in {"", "celsius", "hz"} and _speaks_of_heat(inputs, where, one, device) == is_hot:
            known = found.get(device)
            if known is None or (one.value or 0.0) > (known[1].value or 0.0):
                found[device] = (where, one)
    return found


_POWER = frozenset({"power_limit", "power_brake"})
_HEAT = frozenset({"heat", "hardware_slowdown"})
"""What hardware says of itself; a slowdown without a reason may be either, and the temperature tells."""


def _speaks_of_heat(inputs: Inputs, where: str, one: Condition, device: str) -> bool:
    """Return whether a slowdown was for heat: as the hardware says, else by its temperature."""
    if one.unit != "celsius":
        return one.unit == ""
    reasons = _reasons_in(inputs, where, device)
    return "heat" in reasons or ((one.value or 0.0) >= HOT_CELSIUS and not _says_power(reasons))


def _says_power(reasons: Collection[str]) -> bool:
    """Return whether the hardware says that power is short, and nothing that might be heat."""
    return not _POWER.isdisjoint(reasons) and _HEAT.isdisjoint(reasons)


def _reasons_in(inputs: Inputs, case_id: str, device: str) -> frozenset[str]:
    """Return why the clock of a device was held down during a case; other cards are not asked."""
    summary = inputs.telemetry.get(case_id)
    return frozenset(() if summary is None else throttle_reasons(device, summary, inputs.machine.framework))


def _heat_evidence(inputs: Inputs, curve: Curve) -> Reading | None:
    """Return the temperature at the end of a run in which the hardware said it was too hot, or plainly was."""
    reasons = _reasons_in(inputs, curve.case_id, curve.device)
    hottest = _hottest(inputs, curve)
    is_hot = hottest is not None and hottest.value >= _LIMITS_CELSIUS.get(curve.device, HOT_CELSIUS)
    # A card at its power limit is hot as well, but not slower for it.
    if hottest is not None and ("heat" in reasons or (is_hot and not _says_power(reasons))):
        return hottest
    if "heat" in reasons:
        return Reading(name="throttle_events", value=1.0, source=curve.case_id)
    return None


def _sensor(inputs: Inputs, curve: Curve, summary: TelemetrySummary, name: str) -> str:
    """Return the key of a sensor of the device of a run."""
    if curve.device == "cpu":
        return f"host.cpu_{name}"
    return f"{sensor_prefix(curve.device, summary, inputs.machine.framework)}.{name}"


_LIMITS_CELSIUS = {"cpu": 90.0}
"""A processor throttles near 100 degrees (Tjunction) and lives well with 85. Source: Intel ARK, Core processors."""


def _hottest(inputs: Inputs, curve: Curve) -> Reading | None:
    """Return the highest temperature of a run, from its own curve or from the sensors beside it."""
    own = [value for one in curves(inputs, "time_s", "temperature_celsius", curve.device)
           if one.case_id == curve.case_id for _, value in one.points]  # fmt: skip
    summary = inputs.telemetry.get(curve.case_id)
    if summary is not None:
        seen = summary.metrics.get(_sensor(inputs, curve, summary, "temperature_celsius"))
        own += [] if seen is None else [seen.peak]
    peaks = [value for value in own if positive(value) is not None]
    if not peaks:
        return None
    return Reading(name="temperature_celsius", value=max(peaks), unit="celsius", source=curve.case_id)


def _power_evidence(inputs: Inputs, curve: Curve) -> Reading | None:
    """Return the power at which the hardware said that it was held back by it."""
    summary = inputs.telemetry.get(curve.case_id)
    if summary is None or not {"power_limit", "power_brake", "hardware_slowdown"} & _reasons_in(
        inputs, curve.case_id, curve.device
    ):
        return None
    seen = summary.metrics.get(_sensor(inputs, curve, summary, "power_w"))
    power = None if seen is None else positive(seen.peak)
    if power is None:
        return Reading(name="throttle_events", value=1.0, source=curve.case_id)
    return Reading(name="power_w", value=power, unit="w", source=curve.case_id)


def fading(inputs: Inputs) -> Iterator[Finding]:
    """Yield devices that get slower in a long run without a cause that was seen."""
    loaded = {where for where, _ in conditions(inputs, "other_load")}
    for fade in _fades(inputs):
        if fade.curve.case_id in loaded:  # what others take comes and goes, and is a finding of its own
            continue
        if _heat_evidence(inputs, fade.curve) is None and _power_evidence(inputs, fade.curve) is None:
            yield finding("unstable", fade.curve.device, fade.evidence, form="fades", remedies=("measure_again",))
