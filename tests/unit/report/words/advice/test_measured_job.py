"""The user's own job, measured here."""

from advisor.report.words.advice import measured_job
from tests.unit.report import samples
from tests.unit.report.words.advice.test_verdict import EN, with_measured_job


def test_a_measured_job_is_said_to_be_measured() -> None:
    """With the samples it learns in a second; how much of that was worked out is said too."""
    assert measured_job.measured_sentence(samples.enough(), EN) == ""
    text = measured_job.measured_sentence(with_measured_job(samples.enough()), EN)
    assert text == "Your own job was measured here: 64 samples a second."
    partly = measured_job.measured_sentence(with_measured_job(samples.enough(), {"measured_ratio": 0.87}), EN)
    assert "87% of the time was measured" in partly


def test_a_job_measured_here_is_not_said_of_hardware_elsewhere() -> None:
    """What is rented was not measured, so nothing is said of it."""
    assert measured_job.measured_sentence(with_measured_job(samples.rent()), EN) == ""
