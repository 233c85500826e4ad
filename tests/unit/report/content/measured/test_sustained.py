"""What is left of the speed after a minute, and the reason the hardware itself gives for what is lost."""

import msgspec

from advisor.locale import language
from advisor.records.hardware.telemetry import MonitoredAccelerator, TelemetrySummary
from advisor.records.results.measured.measurement import Measurement, Series
from advisor.report.content.measured.sustained import sustained
from tests.unit.report.content.measured.results import one, recorded, run, words

EN, ES = language("en"), language("es")


def long_run(lost: float, reasons: tuple[str, ...] = ()) -> Measurement:
    """Return a minute of training that loses so much."""
    rates = tuple((float(n), 100.0 - (lost * 100.0 * n / 60)) for n in range(61))
    card = MonitoredAccelerator(vendor="nvidia", index=0, name="RTX A6000")
    seen = TelemetrySummary(start_s=0.0, end_s=60.0, count=60, throttle_reasons=reasons, accelerators=(card,))
    return one(
        "sustained",
        "cuda:0",
        network="article_cnn",
        items_per_iteration=10,
        details={"first_s": 0.1, "lost_ratio": lost, "run_s": 60.0},
        series=(Series(x="time_s", y="items_per_s", points=rates),),
        telemetry=seen,
    )


def test_what_is_lost_in_a_minute_and_why() -> None:
    """The share, the reason the hardware gives, and a table of ten-second means."""
    text = words(sustained(run(long_run(0.2, ("heat", "of_its_own"))), EN))
    assert "Training CNN on the graphics card: 20% slower after 1 minute than at the beginning." in text
    assert "The hardware names as the reason: heat, of_its_own." in text
    assert "0–10 | 98.5 a second\n98%" in text
    steady = words(sustained(run(long_run(0.0, ("power_limit",))), EN))
    assert "as fast after 1 minute as at the beginning" in steady
    assert "The hardware names" not in steady
    slow = long_run(0.2, ("heat",))
    on_processor = msgspec.structs.replace(slow, case=msgspec.structs.replace(slow.case, device="cpu"))
    assert "The hardware names" not in words(sustained(run(on_processor), EN))
    both = words(sustained(recorded(), EN))
    assert "Matrix products on the processor" in both
    assert "GFLOP/s" in both
    broken = msgspec.structs.replace(long_run(0.0), details={})
    assert sustained(run(broken), EN) == ()


def test_a_rate_that_pauses_leaves_a_gap() -> None:
    """Ten seconds without a sample are a dash."""
    rates = ((0.5, 100.0), (1.0, 100.0), (2.0, 100.0), (25.0, 100.0))
    late = msgspec.structs.replace(long_run(0.0), series=(Series(x="time_s", y="items_per_s", points=rates),))
    assert "10–20 | –" in words(sustained(run(late), EN))
