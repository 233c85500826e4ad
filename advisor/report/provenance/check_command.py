"""Commands that show a number of the window in a terminal; none where no command would show the same."""

import datetime
import shlex
from functools import cache
from typing import Any

from advisor.errors import AdvisorError
from advisor.records.job.advice import Option
from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Workload
from advisor.records.results.report import Report

_SETTINGS = (
    "batch_size",
    "precision",
    "optimizer",
    "method",
    "task",
    "image_size",
    "sequence_length",
    "attention",
    "framework_year",
    "channels_last",
    "compiled",
)
"""Fields of a job that decide about a step and that the command line has an option for."""
_WHOLE_JOB = ("samples", "epochs", "loaders")
"""Those that decide about a whole run."""
_UNNAMED = ("columns", "checkpointing", "channels", "layers")
"""Fields that decide about a step and have no option."""
_UNNAMED_OF_JOB = ("input_kind", "augmentation", "validation_samples")
_DEVICES_PER_NODE = 8
"""Up to so many devices the command line takes to be in one computer, as options to buy and to rent are."""


def predict_command(option: Option, workload: Workload, *, is_time: bool) -> str:
    """Return the command that predicts the same time of a step, or the same memory, on an option's device.

    ``--predict`` knows nothing of measurements, of how images are loaded, of a batch cut into parts, or of the network
    between rented computers; a number in which these count has no such command.
    """
    prediction = option.prediction
    if prediction is None or option.tier == "this_computer" or prediction.accumulation_steps > 1:
        return ""
    if is_time and not _is_plain(option, prediction):
        return ""
    wanted = {name: getattr(workload, name) for name in _SETTINGS} | {"batch_size": prediction.batch_size}
    best: list[str] | None = None
    for name, usual in _candidates(workload):
        known = {field: getattr(usual, field) for field in _SETTINGS}
        known["batch_size"] = max(1, -(-usual.batch_size // prediction.device_count))
        options = _options(wanted, known)
        if options is not None and _is_alike(workload, usual, _UNNAMED):
            words = ["--predict", name, "--on", option.device, "--devices", str(prediction.device_count), *options]
            best = words if best is None or len(words) < len(best) else best
    return "" if best is None else shlex.join(["advisor", *best])


def report_command(report: Report) -> str:
    """Return the command that asks the same of this computer, measured again.

    There is none for a computer that is pretended, and none for a check made before this window was opened: it may be
    of another computer, or of this one as it was.
    """
    if report.is_simulated or (report.benchmark is not None and _began_before_us(report.benchmark.started_at)):
        return ""
    workload = report.workload
    wanted = {name: getattr(workload, name) for name in (*_SETTINGS, *_WHOLE_JOB)}
    best: list[str] | None = None
    for name, usual in _candidates(workload):
        known = {field: getattr(usual, field) for field in wanted}
        if workload.steps_per_epoch != usual.steps_per_epoch:
            known["samples"] = None  # to be said: it takes the place of the steps
        options = _options(wanted, known)
        if options is None or not _is_alike(workload, usual, (*_UNNAMED, *_UNNAMED_OF_JOB)):
            continue
        if "--samples" in options and workload.steps_per_epoch is not None:
            continue
        words = ["--report", "--workload", name, *options]
        best = words if best is None or len(words) < len(best) else best
    return "" if best is None else shlex.join(["advisor", *best])


def _is_plain(option: Option, prediction: Prediction) -> bool:
    """Return whether an option's time rests on the specifications of its device alone."""
    waits = any(part.name == "input" and part.time_s > 0 for part in prediction.parts)
    is_one_computer = option.tier != "cluster" and prediction.device_count <= _DEVICES_PER_NODE
    return prediction.basis == "modelled" and not waits and is_one_computer


def _candidates(workload: Workload) -> list[tuple[str, Workload]]:
    """Return what the command line could call the job, or one of the same network, each with its usual settings."""
    from advisor.catalog import find_workload, language_jobs, presets  # not before it is asked for

    if workload.layers:
        return []
    network = workload.network
    names = [one.workload.id for one in presets() if one.workload.network == network]
    names += [name for name in language_jobs() if name.startswith(f"{network}_")]
    found: dict[str, Workload] = {}
    for name in (workload.id, *names, network):
        if name.casefold().endswith((".toml", ".py")) or name in found:
            continue  # a file of the user's, which may be another one by then
        try:
            usual = find_workload(name).workload
        except AdvisorError:
            continue  # the command line does not know this name either
        if usual.network == network:
            found[name] = usual
    return list(found.items())


def _options(wanted: dict[str, Any], known: dict[str, Any]) -> list[str] | None:
    """Return the options that make one job of another; None where a setting cannot be taken back."""
    words: list[str] = []
    for name, value in wanted.items():
        if value == known[name]:
            continue
        if value is None or value is False:
            return None
        option = f"--{name.replace('_', '-')}"
        words += [option] if value is True else [option, _plain(value)]
    return words


def _plain(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _is_alike(workload: Workload, usual: Workload, names: tuple[str, ...]) -> bool:
    return all(getattr(workload, name) == getattr(usual, name) for name in names)


def _began_before_us(started_at: str) -> bool:
    try:
        began = datetime.datetime.fromisoformat(started_at)
    except ValueError:
        return True
    return began.tzinfo is None or began < _opened_at()


@cache
def _opened_at() -> datetime.datetime:
    """Return when this program was started, to the second as reports are dated."""
    import psutil

    return datetime.datetime.fromtimestamp(psutil.Process().create_time() // 1, datetime.UTC)
