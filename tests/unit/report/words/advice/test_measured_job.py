"""The user's own job, measured here."""

import msgspec

from advisor.records.hardware.machine import Disk
from advisor.records.results.measured.own_data import OwnData
from advisor.report.words.advice import measured_job
from tests.unit.report import samples
from tests.unit.report.words.advice.test_verdict import EN, with_measured_job


def test_a_measured_job_is_said_to_be_measured() -> None:
    """With the samples it learns in a second; how much of that was worked out is said too."""
    assert measured_job.measured_sentence(samples.enough(), EN) == ""
    text = measured_job.measured_sentence(with_measured_job(samples.enough()), EN)
    assert text == "The network of your job was measured here, with made-up photos: 64 samples a second."
    partly = measured_job.measured_sentence(with_measured_job(samples.enough(), {"measured_ratio": 0.87}), EN)
    assert "87% of the time was measured" in partly


def test_a_job_measured_here_is_not_said_of_hardware_elsewhere() -> None:
    """What is rented was not measured, so nothing is said of it."""
    assert measured_job.measured_sentence(with_measured_job(samples.rent()), EN) == ""


def test_own_data_make_it_the_own_job() -> None:
    """Without a photo of the user's it was said that their own job was measured."""
    report = with_measured_job(samples.enough())
    work = msgspec.structs.replace(report.workload, input_kind="table")
    made_up = measured_job.measured_sentence(msgspec.structs.replace(report, workload=work), EN)
    assert made_up.startswith("The network of your job was measured here, with made-up data: ")
    data = OwnData(
        kind="image", formats=(), files=100, samples=100, size_bytes=10**6, disk=Disk(kind="nvme", free_bytes=10**9)
    )
    own = measured_job.measured_sentence(msgspec.structs.replace(report, data=data), EN)
    assert own.startswith("Your own job was measured here: ")
