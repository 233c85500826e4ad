"""What a measured number is asked about: how it was taken, and when."""

from advisor.locale import language
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
