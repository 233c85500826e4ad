"""The user's own job, measured here."""

import msgspec

from advisor.records.hardware.machine import Disk
from advisor.records.results.measured.measurement import CaseFailure
from advisor.records.results.measured.own_data import OwnData
from advisor.records.results.own_computer import is_untrusted
from advisor.report.content.answer import answer
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


def test_a_job_measured_in_vain_says_why() -> None:
    """It was measured while others had 87% of the processor, and the same answer came again without a word."""
    report = samples.with_job_tried(0.87)
    assert measured_job.measured_option(report) is None
    said = measured_job.unused_sentence(report, EN)
    assert said == (
        "This job was measured, but other programs took 87% of the processor meanwhile, so the answer does without it: "
        "close them and measure again."
    )


def test_a_job_measured_without_others_counts_whatever_the_check_was() -> None:
    """Others had closed by then, and the answer still told to close them and check again."""
    report = samples.with_job_tried(0.0)
    assert report.benchmark is not None
    assert report.benchmark.load_ratio > 0.7
    assert not is_untrusted(report)
    assert measured_job.unused_sentence(report, EN) == ""
    assert "was measured here" in measured_job.measured_sentence(report, EN)


def test_a_job_that_failed_says_why() -> None:
    """No time was left for it, and the button stood there as before."""
    report = samples.slowed(0.9, 0.9)
    assert measured_job.unused_sentence(report, EN) == ""
    assert report.benchmark is not None
    job = msgspec.structs.replace(report.benchmark.measurements[-1].case, id="job/cpu", program="job")
    seen = msgspec.structs.replace(report.benchmark, failures=(CaseFailure(case=job, reason="no_time"),))
    failed = msgspec.structs.replace(report, benchmark=seen)
    said = measured_job.unused_sentence(failed, EN)
    assert said == "This job could not be measured: there was no time left."
    other = msgspec.structs.replace(failed, workload=msgspec.structs.replace(failed.workload, network="resnet50"))
    assert measured_job.unused_sentence(other, EN) == ""


def test_a_job_that_was_not_measured_has_a_reason_too() -> None:
    """The answer for texts, after a check of photos, had no "Why": its only reason stood among the facts."""
    report = samples.enough()
    assert report.benchmark is not None
    option = next(one for one in report.advice.options if one.id == report.advice.chosen)
    assert option.prediction is not None
    for count, said in ((0, ""), (1, "worked out from one test of this computer: "), (2, "several tests of this comp")):
        tests = tuple(one.case.id for one in report.benchmark.measurements[:count])
        rests = msgspec.structs.replace(option.prediction, basis="scaled", basis_detail=tests)
        options = tuple(
            msgspec.structs.replace(one, prediction=rests) if one.id == option.id else one
            for one in report.advice.options
        )
        asked = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=options))
        told = measured_job.worked_out_sentence(asked, EN)
        assert said in told
        assert bool(told) == bool(said)
        assert (told in [one.text for one in answer(asked, EN).beside_facts]) == bool(said)
    assert measured_job.worked_out_sentence(samples.rent(), EN) == ""
