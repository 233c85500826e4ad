"""Jobs, answers to them, and commands run as the command line runs them."""

import datetime
import shlex

import msgspec
import pytest

from advisor.catalog import find_workload
from advisor.cli.arguments import parse_arguments
from advisor.cli.commands import run_command
from advisor.locale import language
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.session.forecast import conclude
from tests.gui.samples import sample_report

EN = language("en")


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
