"""The hour of sensors in columns: bounded, in order, copied out while it is filled."""

import math
import threading

from advisor.monitor.timeline import Timeline
from advisor.records.hardware.telemetry import AcceleratorSample, HostSample, TelemetrySample


def sample(time_s: float, cards: int = 1, **host: float) -> TelemetrySample:
    """Return a sample of a host and some cards."""
    return TelemetrySample(
        time_s=time_s,
        host=HostSample(cores_ratio=(0.25, 1.0), **({"cpu_ratio": 0.5} | host)),  # type: ignore[arg-type]
        accelerators=tuple(
            AcceleratorSample(vendor="nvidia", index=n, name="A", power_w=10.0 + n) for n in range(cards)
        ),
    )


def test_an_hour_is_kept_and_no_more() -> None:
    """Two hours of samples leave one, and the most recent samples are complete."""
    timeline = Timeline()
    for second in range(7200):
        timeline.append(sample(float(second)))

    strip = timeline.since(0.0)
    assert 3600 <= len(strip.times_s) <= 3600 + 300
    assert strip.times_s[-1] == 7199.0
    assert {len(column) for column in strip.columns.values()} == {len(strip.times_s)} == {len(strip.cores)}
    assert strip.cores[-1] == bytes((25, 100))


def test_the_number_of_samples_is_bounded_too() -> None:
    """Where samples come faster than thought, the oldest go first."""
    timeline = Timeline(most=100)
    for turn in range(2000):
        timeline.append(sample(turn / 1000))

    assert len(timeline) <= 100 + 256
    assert timeline.since(-1.0).times_s[-1] == 1.999


def test_a_card_that_comes_and_goes_has_gaps() -> None:
    """A column begins and ends with NaN, and is dropped once it has said nothing for the whole span."""
    timeline = Timeline(span_s=300.0)
    for second in range(20):
        timeline.append(sample(float(second), cards=0 if second < 10 else 1))
    column = timeline.since(0.0).columns["accelerators.0.power_w"]
    assert all(map(math.isnan, column[:10]))
    assert list(column[10:]) == [10.0] * 10

    for second in range(20, 1020):
        timeline.append(sample(float(second), cards=0))
    assert "accelerators.0.power_w" not in timeline.since(0.0).columns


def test_nonsense_is_no_value() -> None:
    """What no sensor says is left out, whatever the source let through."""
    timeline = Timeline()
    for value in (math.nan, math.inf, -math.inf, 1e30, -1e9):
        timeline.append(sample(1.0, cpu_power_w=value))
    timeline.append(sample(2.0, cpu_power_w=5.0))

    power = list(timeline.since(0.0).columns["host.cpu_power_w"])
    assert all(map(math.isnan, power[:5]))
    assert power[5] == 5.0


def test_one_thread_fills_while_another_reads() -> None:
    """Every copy is whole: as many values in each column as times."""
    timeline = Timeline(most=500)
    wrong = []

    def read() -> None:
        for _turn in range(300):
            strip = timeline.since(0.0)
            lengths = {len(column) for column in strip.columns.values()} | {len(strip.cores), len(strip.times_s)}
            if len(lengths) > 1:
                wrong.append(lengths)

    reader = threading.Thread(target=read)
    reader.start()
    for turn in range(3000):
        timeline.append(sample(float(turn), cards=turn % 3))
    reader.join()

    assert wrong == []
