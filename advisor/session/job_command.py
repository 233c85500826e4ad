"""What the command line calls a job, so that a report can say how its numbers are checked."""

from collections.abc import Iterable, Iterator

import msgspec

from advisor.catalog import find_workload, presets
from advisor.catalog.named_networks import known_network
from advisor.catalog.workloads import LANGUAGE_JOBS
from advisor.errors import AdvisorError
from advisor.records.job.workload import Workload, on_samples
from advisor.records.results.report import JobCommand

_OF_STEP = (
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
    "checkpointing",
    "fused_optimizer",
)
"""Fields of a job that decide about a step and that the command line has an option for; the batch is one more."""
_OF_RUN = ("batch_size", "samples", "epochs", "loaders", "input_kind")
"""Those that decide about a whole run."""
_UNNAMED_OF_STEP = ("columns", "channels", "layers")
_UNNAMED_OF_RUN = ("augmentation", "validation_samples")
"""Fields that decide about a step, or about a run, and have no option."""


def job_command(workload: Workload) -> JobCommand | None:
    """Return how the command line asks for a job, in the fewest words; None where it cannot."""
    found = [one for name, usual in _named_alike(workload) if (one := _command(workload, name, usual)) is not None]
    return min(found, key=lambda one: (one.run is None, len(one.step) + len(one.run or ())), default=None)


def _named_alike(workload: Workload) -> Iterator[tuple[str, Workload]]:
    """Yield what the command line could call the job, or one of the same network, each with its usual settings."""
    network = workload.network
    names = [one.workload.id for one in presets() if one.workload.network == network]
    entry = known_network(network)
    if entry is not None and entry.is_language_model:
        names += [f"{network}_{ending}" for ending in LANGUAGE_JOBS]
    for name in dict.fromkeys((workload.id, *names, network)):
        if name.casefold().endswith((".toml", ".py")):
            continue  # a file of the user's, which may be another one by then
        try:
            usual = find_workload(name).workload
        except AdvisorError:
            continue  # the command line does not know this name either
        if usual.network == network:
            yield name, usual


def _command(workload: Workload, name: str, usual: Workload) -> JobCommand | None:
    step = _options(_OF_STEP, workload, usual)
    if step is None or not _is_alike(workload, usual, _UNNAMED_OF_STEP):
        return None
    if workload.precision_is_default and not usual.precision_is_default:
        return None
    return JobCommand(name=name, step=step, run=_run_options(workload, usual))


def _run_options(workload: Workload, usual: Workload) -> tuple[str, ...] | None:
    if workload.samples != usual.samples:  # said, they also limit what is looked at without learning
        looked_at = on_samples(usual, workload.samples)["validation_samples"]
        usual = msgspec.structs.replace(usual, validation_samples=looked_at)
    if not _is_alike(workload, usual, _UNNAMED_OF_RUN):
        return None
    if workload.steps_per_epoch == usual.steps_per_epoch:
        options = _options(_OF_RUN, workload, usual)
        is_steps_lost = options is not None and "--samples" in options and workload.steps_per_epoch is not None
        return None if is_steps_lost else options
    if workload.steps_per_epoch is not None:
        return None
    samples = ("--samples", str(workload.samples))  # said, they take the place of the usual job's steps
    others = _options([field for field in _OF_RUN if field != "samples"], workload, usual)
    return None if others is None else (*samples, *others)


def _options(fields: Iterable[str], workload: Workload, usual: Workload) -> tuple[str, ...] | None:
    """Return the options that make one job of another; None where a setting cannot be taken back."""
    words: list[str] = []
    for field in fields:
        value = getattr(workload, field)
        if field == "epochs" and workload.epochs_are_default and usual.epochs_are_default:
            continue  # worked out anew from what else is said of the job
        if value == getattr(usual, field) and not _is_said(field, workload, usual):
            continue
        if value is None:
            return None
        option = "--input" if field == "input_kind" else f"--{field.replace('_', '-')}"
        if isinstance(value, bool):
            words.append(option if value else f"--no-{option.removeprefix('--')}")
        else:
            words += [option, _plain(value)]
    return tuple(words)


def _is_said(field: str, workload: Workload, usual: Workload) -> bool:
    """Return whether the user said what the usual job leaves to the device, or to what such jobs take."""
    default = {"precision": "precision_is_default", "epochs": "epochs_are_default"}.get(field)
    return default is not None and getattr(usual, default) and not getattr(workload, default)


def _plain(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _is_alike(workload: Workload, usual: Workload, fields: Iterable[str]) -> bool:
    return all(getattr(workload, field) == getattr(usual, field) for field in fields)
