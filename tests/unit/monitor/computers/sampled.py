"""Samples shared by the tests of history, monitor, summary."""

from advisor.records.hardware.telemetry import AcceleratorSample, HostSample, TelemetrySample


def at(time_s: float, cpu: float | None = None, celsius: float | None = None, *reasons: str) -> TelemetrySample:
    """Return a sample with a processor share and a card's temperature."""
    card = AcceleratorSample(
        vendor="nvidia", index=0, name="Card", temperature_celsius=celsius, throttle_reasons=reasons
    )
    return TelemetrySample(time_s=time_s, host=HostSample(cpu_ratio=cpu), accelerators=(card,))
