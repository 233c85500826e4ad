"""Mean and peak of every sensor over a span of time."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.monitor.summary import nothing_seen, over_time, summarise
from advisor.records.base import Gap
from advisor.records.hardware.machine import Framework
from advisor.records.hardware.telemetry import AcceleratorSample, MetricSummary, TelemetrySummary
from tests.unit.monitor.computers.sampled import at


def metric(summary: TelemetrySummary, name: str) -> MetricSummary:
    """Return a metric that is known."""
    found = summary.metrics[name]
    assert found is not None
    return found


def test_a_summary_covers_its_span_only() -> None:
    """Mean and peak are over the samples after the start and up to the end, missing values left out."""
    samples = [
        at(0, 1.0, 90.0, "heat"),
        at(1, 0.2, 50.0),
        at(2, None, 60.0, "power_limit"),
        at(3, 0.4),
        at(4, 1.0, 99.0),
    ]

    summary = summarise(samples, 0.0, 3.0)

    assert summary.count == 3
    assert metric(summary, "host.cpu_ratio").mean == pytest.approx(0.3)
    assert metric(summary, "host.cpu_ratio").count == 2
    assert metric(summary, "accelerators.0.temperature_celsius").peak == 60.0
    assert summary.throttle_reasons == ("power_limit",)
    assert metric(summary, "accelerators.0.throttle_power_limit").mean == pytest.approx(1 / 3)
    assert "accelerators.0.throttle_heat" not in summary.metrics
    assert "accelerators.0.power_w" not in summary.metrics
    assert [card.name for card in summary.accelerators] == ["Card"]


def test_reasons_stay_with_their_card() -> None:
    """Of two cards the hot one is named, for its share of the time."""
    cool = AcceleratorSample(vendor="nvidia", index=0, name="A")
    hot = AcceleratorSample(vendor="nvidia", index=1, name="B", throttle_reasons=("heat",))
    asleep = AcceleratorSample(vendor="nvidia", index=1, name="B", is_asleep=True)
    pairs = [(cool, hot), (cool, hot), (cool, asleep)]
    samples = [msgspec.structs.replace(at(n), accelerators=pair) for n, pair in enumerate(pairs, 1)]

    found = summarise(samples, 0.0, 9.0)

    assert metric(found, "accelerators.1.throttle_heat") == MetricSummary(mean=1.0, peak=1.0, count=2)
    assert "accelerators.0.throttle_heat" not in found.metrics


def test_the_card_that_torch_means_is_followed() -> None:
    """With only the second card shown, torch's first one is the driver's second."""
    cards = tuple(
        AcceleratorSample(vendor="nvidia", index=n, name=f"Card {n}", temperature_celsius=50.0 + n) for n in (0, 1)
    )
    sample = msgspec.structs.replace(at(1), accelerators=cards)
    shown = Framework(visible_devices=("cuda:0 Card 1",))

    [heat] = over_time([sample], 0.0, 9.0, "cuda:0", shown)
    [other] = over_time([sample], 0.0, 9.0, "cuda:0")

    assert (heat.points, other.points) == (((1.0, 51.0),), ((1.0, 50.0),))
    assert over_time([sample], 0.0, 9.0, "xpu:0", shown) == ()


def test_a_mean_is_over_time() -> None:
    """A sample that stands for a tenth of a second weighs a tenth of one that stands for a whole one."""
    summary = summarise([at(0, 0.0), at(1, 1.0), at(1.1, 0.0)], 0.0, 2.0)

    assert metric(summary, "host.cpu_ratio").mean == pytest.approx(1 / 1.1)


def test_a_sensor_that_never_tells_has_its_reason() -> None:
    """What no sample could read is None with the reason; what one of them could is not missing."""
    gaps = tuple(Gap(field=f"host.{name}", reason="not_supported") for name in ("cpu_power_w", "cpu_ratio"))
    samples = [msgspec.structs.replace(at(1), gaps=gaps), at(2, 0.5)]

    summary = summarise(samples, 0.0, 2.0)

    assert summary.metrics["host.cpu_power_w"] is None
    assert [gap.field for gap in summary.gaps] == ["host.cpu_power_w"]


def test_nothing_seen_says_why() -> None:
    """A span without samples is no error."""
    gap = Gap(field="telemetry", reason="timeout")

    assert summarise([], 0.0, 1.0).metrics == {}
    assert nothing_seen(0.0, 1.0, gap).gaps == (gap,)


@given(st.lists(st.floats(min_value=0, max_value=1), min_size=1, max_size=50))
def test_a_mean_lies_between_the_lowest_and_the_peak(values: list[float]) -> None:
    """Whatever the samples, mean and peak are where they belong."""
    found = metric(summarise([at(float(i), value) for i, value in enumerate(values)], -1.0, 1e9), "host.cpu_ratio")

    assert found.peak == max(values)
    assert min(values) - 1e-12 <= found.mean <= max(values) + 1e-12
