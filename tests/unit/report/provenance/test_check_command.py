"""What the window offers to check a number with shows that number, or is not offered."""

import datetime
import shlex
from pathlib import Path

import msgspec
import pytest

from advisor import wire
from advisor.catalog import find_workload
from advisor.cli.arguments import parse_arguments
from advisor.cli.commands import run_command
from advisor.cli.question import asked_question
from advisor.locale import language
from advisor.records.job.advice import Flip
from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Circumstances, Layer, Workload
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.report.provenance.check_command import predict_command, report_command
from advisor.report.provenance.predictions import of_memory, of_time
from advisor.report.provenance.verdict import of_flip
from advisor.session.forecast import conclude
from advisor.session.job_command import job_command
from tests.gui.samples import sample_report

EN = language("en")
MOST_RUN = 12


def changed(name: str, **numbers: object) -> Workload:
    """Return a ready-made job with other numbers, as the window makes it."""
    return msgspec.structs.replace(find_workload(name).workload, **numbers)


def answer(workload: Workload, *, is_measured: bool = False) -> Report:
    """Return the answer for the sample's computer, with nothing measured or just measured."""
    sample = sample_report()
    assert sample.benchmark is not None
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    benchmark = msgspec.structs.replace(sample.benchmark, started_at=now) if is_measured else None
    return conclude(Observation(machine=sample.machine, benchmark=benchmark), workload, Circumstances())


def run(command: str, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """Return what a command prints as JSON, through the command line's own grammar."""
    argv = [*shlex.split(command)[1:], *more, "--format", "json"]
    run_command(parse_arguments(argv, EN), EN)
    return capsys.readouterr().out


JOBS = {
    "a preset": find_workload("bert_finetuning").workload,
    "retrained whole": find_workload("llm_7b_full").workload,
    "another optimizer, length and program": changed(
        "bert_finetuning",
        optimizer="sgd",
        sequence_length=512,
        attention="decomposed",
        framework_year=2020,
        compiled=True,
        method="lora",
    ),
    "another size": changed("segmentation_unet", image_size=256, batch_size=4, precision="bf16", channels_last=True),
    "another network": changed(
        "bert_finetuning", id="own_job", title="gpt2", network="gpt2", sequence_length=None, method="full"
    ),
}


@pytest.mark.parametrize("job", JOBS)
def test_a_prediction_can_be_made_again(job: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The command beside the time or the memory of an option predicts that time or memory."""
    report = answer(JOBS[job])
    others = [one for one in report.advice.options if one.tier != "this_computer" and one.prediction is not None]
    timed = [(one, text) for one in others if (text := of_time(one, report, EN).check)]
    sized = [(one, text) for one in others if (text := of_memory(one, report, EN).check)]
    assert timed
    assert len(sized) >= len(timed)
    for option, command in timed[:: 1 + len(timed) // MOST_RUN]:
        again = msgspec.json.decode(run(command, capsys), type=Prediction)
        assert option.prediction is not None
        assert again.time_per_step_s == pytest.approx(option.prediction.time_per_step_s, rel=1e-6), command
    for option, command in sized[:: 1 + len(sized) // MOST_RUN]:
        again = msgspec.json.decode(run(command, capsys), type=Prediction)
        assert option.prediction is not None
        assert again.memory_bytes == pytest.approx(option.prediction.memory_bytes, rel=1e-6), command


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
    taken_back = msgspec.structs.replace(find_workload("resnet50_imagenet").workload, channels_last=False)
    assert job_command(taken_back) is None
    stepwise = msgspec.structs.replace(find_workload("article_cnn").workload, validation_samples=7)
    found = job_command(stepwise)
    assert found is not None
    assert found.run is None
    assert report_command(msgspec.structs.replace(report, job_command=found)) == ""


def test_what_the_command_line_leaves_out_is_not_checked_with_it() -> None:
    """A time held back by images, scaled from measurements, or of many computers is not what --predict shows."""
    report = answer(find_workload("article_cnn").workload)
    held = [one for one in report.advice.options if one.prediction is not None and one.prediction.limit == "input"]
    assert held
    assert not any(predict_command(one, report, is_time=True) for one in held)
    clusters = [one for one in report.advice.options if one.tier == "cluster"]
    assert clusters
    assert not any(predict_command(one, report, is_time=True) for one in clusters)


def test_what_would_change_the_answer_is_checked_as_its_option_is() -> None:
    """The command of a flip is that of the option it leads to."""
    report = answer(JOBS["a preset"])
    option = next(
        one for one in report.advice.options if of_time(one, report, EN).check.startswith("advisor --predict")
    )
    flip = Flip(fact="budget_usd", now=1.0, then=2.0, tier=option.tier, option=option.id)

    report = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, flips=(flip,)))

    assert of_flip(flip, report, EN).check == of_time(option, report, EN).check
