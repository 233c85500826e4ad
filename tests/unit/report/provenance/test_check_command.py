"""What the window offers to check a number with shows that number, or is not offered."""

import shlex
from pathlib import Path

import msgspec
import pytest

from advisor import wire
from advisor.catalog import find_workload
from advisor.cli.arguments import parse_arguments
from advisor.cli.question import asked_question
from advisor.locale import language
from advisor.records.job.workload import Layer
from advisor.report.provenance.check_command import predict_command, report_command
from advisor.report.provenance.predictions import of_time
from advisor.session.job_command import job_command
from tests.unit.report.provenance.answers import JOBS, answer, changed, run

EN = language("en")


@pytest.mark.slow
@pytest.mark.parametrize(
    "job", ["a preset", "another optimizer, length and program", "another network", "fewer photos"]
)
def test_the_same_is_asked_of_this_computer(job: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command for this computer asks of the very job; measured the same, it shows the same."""
    workload = (JOBS | {"fewer photos": changed("article_cnn", samples=500, steps_per_epoch=None, epochs=2.5)})[job]
    report = answer(workload, is_measured=True)
    command = report_command(report)
    asked = asked_question(parse_arguments(shlex.split(command)[1:], EN)).workload
    file = tmp_path / "saved.json"
    file.write_bytes(wire.encode(report))
    again = wire.decode_report(run(command, capsys, "--machine", str(file)).encode())

    names = {"id": "", "title": "", "classes": None}
    assert msgspec.structs.replace(asked, **names) == msgspec.structs.replace(workload, **names)
    here = [one.run_s for one in report.advice.options if one.tier == "this_computer"]
    assert here
    assert [one.run_s for one in again.advice.options if one.tier == "this_computer"] == here


def test_where_no_command_shows_the_same_none_is_offered() -> None:
    """Own layers, a network of one's own file and pretended parts have no command."""
    layers = (Layer(kind="conv", size=8), Layer(kind="flatten"), Layer(kind="dense", size=2))
    own = changed("simple_cnn", id="own_job", title="own", network="own", layers=layers, classes=None)
    report = answer(own)
    assert not any(of_time(one, report, EN).check for one in report.advice.options)
    assert report_command(report) == ""

    report = answer(JOBS["a preset"], is_measured=True)
    assert report_command(report) != ""
    assert report_command(msgspec.structs.replace(report, is_simulated=True)) == ""
    assert job_command(msgspec.structs.replace(report.workload, id="own_job", network="model.py:build")) is None
    stepwise = msgspec.structs.replace(find_workload("article_cnn").workload, validation_samples=7)
    found = job_command(stepwise)
    assert found is not None
    assert found.run is None
    assert report_command(msgspec.structs.replace(report, job_command=found)) == ""


def test_what_a_preset_has_is_taken_back() -> None:
    """A yes that the user made a no has an option, too."""
    usual = find_workload("resnet50_imagenet").workload
    found = job_command(msgspec.structs.replace(usual, channels_last=False, compiled=True))
    assert found is not None
    assert (found.name, found.step) == ("resnet50_imagenet", ("--no-channels-last", "--compiled"))


def test_what_the_command_line_leaves_out_is_not_checked_with_it() -> None:
    """A time held back by images, scaled from measurements, or of many computers is not what --predict shows."""
    report = answer(find_workload("article_cnn").workload)
    held = [one for one in report.advice.options if one.prediction is not None and one.prediction.limit == "input"]
    assert held
    assert not any(predict_command(one, report, is_time=True) for one in held)
    clusters = [one for one in report.advice.options if one.tier == "cluster"]
    assert clusters
    assert not any(predict_command(one, report, is_time=True) for one in clusters)
