"""What a measured number is asked about: how it was taken, and when."""

from advisor.locale import language
from advisor.records.results.measured.measurement import Case, Measurement
from advisor.report.provenance.measurements import of_measurement
from tests.gui.samples import sample_report


def test_a_measurement_says_how_it_was_taken() -> None:
    """A measured number names its samples and their spread."""
    report = sample_report()
    assert report.benchmark is not None
    one = report.benchmark.measurements[0]

    origin = of_measurement(one, report.benchmark.started_at, language("en"))

    assert origin.basis == "measured here"
    assert any("sample" in text for _name, text in origin.inputs)
    assert "±" in origin.band


def test_a_measurement_is_said_in_its_own_numbers() -> None:
    """Worked out by hand: three samples whose middle half spans 0.2 s around 1 s."""
    one = Measurement(case=Case(id="launch/cpu", program="launch"), samples_s=(0.8, 1.0, 1.2), median_s=1.0, iqr_s=0.2)

    origin = of_measurement(one, "2026-11-22T12:00:00+00:00", language("en"))

    assert dict(origin.inputs)["Samples"] == "3 samples"
    assert (origin.low, origin.high) == (0.9, 1.1)
    assert "±10" in origin.band
