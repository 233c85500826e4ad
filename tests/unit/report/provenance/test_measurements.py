"""What a measured number is asked about: how it was taken, and when."""

from msgspec.structs import replace

from advisor.locale import language
from advisor.records.results.measured.measurement import Case, Condition, Measurement
from advisor.report.provenance.measurements import of_measurement
from tests.gui.samples import sample_report
from tests.unit.gui.plain import plain


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


def test_what_was_in_the_way_stands_with_the_number() -> None:
    """Beside another program a spread of ±0.1 % alone made it look sure."""
    load = Condition(kind="other_load", value=0.49, unit="ratio", when="during")
    one = Measurement(
        case=Case(id="launch/cpu", program="launch"), samples_s=(1.0,), median_s=1.0, iqr_s=0.0, conditions=(load,)
    )
    on_card = replace(one, case=Case(id="launch/cuda", program="launch", device="cuda:0"))

    said = dict(of_measurement(one, "", language("en")).inputs)["What interfered"]

    assert plain(said) == "Other programs used 49% of the processor."
    assert "What interfered" not in dict(of_measurement(on_card, "", language("en")).inputs), "a card computes on"
