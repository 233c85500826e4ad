"""What was seen of a watched script, as plain text."""

from collections.abc import Iterator

from advisor.locale import N_, Language
from advisor.records.results.measured.watched import Cause, Remedy, Unseen, WatchedJob, WatchedScript, WatchedStep
from advisor.report.words import quantities

_REMEDIES: dict[Cause, str] = {
    "no_loaders": N_(
        "The data are loaded between two steps, by the training program itself. Let processes load them meanwhile: "
        "DataLoader(…, num_workers=N)."
    ),
    "few_loaders": N_("The steps wait for the processes that load the data. Use more of them: num_workers."),
    "slow_disk": N_(
        "The steps wait for the disk. Copy the data to a faster one, or keep them in memory where they fit."
    ),
    "processor_torch": N_(
        "This PyTorch is built for the processor only, and the graphics card of this computer does nothing. "
        "Install the build for the card."
    ),
    "long_format": N_(
        "All is computed in fp32, and this device is much faster in shorter formats. Use automatic mixed precision: "
        "torch.autocast."
    ),
    "double_format": N_(
        "All is computed in fp64, with numbers twice as long as networks need: often by arrays of numpy, which are "
        "float64. Convert data and network once: .float()."
    ),
    "emulated_format": N_(
        "This processor has no instructions for numbers of 16 bits, so PyTorch computes them in software, several "
        "times as slowly as fp32. Leave out torch.autocast, .half() and .bfloat16() on it."
    ),
    "long_validation": N_(
        "Between two epochs it does something else for long, such as validation. Do it every fifth epoch, or on a "
        "part of the data."
    ),
    "anomaly_mode": N_(
        "Torch looks for the operation that makes a NaN, which is for debugging and slow. Switch it off: "
        "torch.autograd.set_detect_anomaly(False)."
    ),
    "swapping": N_(
        "The memory is full, and the system reads back what it had put on the disk. Take a smaller batch or fewer "
        "loader processes, or close other programs."
    ),
    "busy_program": N_("Other programs use much of the processor. Close them, or train when they are idle."),
}
_UNSEEN: dict[Unseen, str] = {
    "options": N_(
        "Python runs with -E, -I or -S, which keep out what watches its steps. Leave these options out while you watch."
    ),
    "path": N_(
        "The command replaces PYTHONPATH, which keeps out what watches its steps. Let it keep what is there: "
        "PYTHONPATH=…:$PYTHONPATH."
    ),
    "environment": N_(
        "The command starts Python with an environment of its own, without what watches its steps. Watch the command "
        "of Python itself."
    ),
}
_UNMEASURED: frozenset[Cause] = frozenset({"anomaly_mode", "emulated_format", "swapping"})
"""What these bring shows nothing but trying."""


def watched_text(job: WatchedJob, language: Language) -> str:
    """Return what was seen: the step and what it consists of, memory, use, the whole run, and what to do first."""
    rows = watched_rows(job, language)
    widest = max(len(name) for name, _value in rows) + 2
    return "".join(f"{name:<{widest}}{value}\n" for name, value in rows)


def watched_rows(job: WatchedJob, language: Language) -> list[tuple[str, str]]:
    """Return the same as pairs of a name and a value."""
    return list(_rows(job, language))


def _rows(job: WatchedJob, language: Language) -> Iterator[tuple[str, str]]:
    _ = language.gettext
    script = job.script
    if script.status:
        yield _("Its end"), _end(script.status, language)
    if script.step is not None:
        yield _("Time of a step"), quantities.exact_seconds(script.step.step_s, language)
        yield _("Where the time goes"), _parts(script.step, language)
        yield _("Based on"), _("{n} steps of your script").format(n=language.number(script.step.steps))
    elif script.rhythm_s is not None:
        time = quantities.exact_seconds(script.rhythm_s, language)
        yield _("Between two lines of progress"), time
    else:
        yield _("Time of a step"), _("no step could be seen")
    if script.unseen is not None:
        yield _("Why no step was seen"), _(_UNSEEN[script.unseen])
    if script.memory_bytes:  # else it had ended before the first look at it
        yield _("Memory"), quantities.memory(script.memory_bytes, language)
    if script.card_bytes is not None:
        yield _("Memory of the card"), quantities.memory(script.card_bytes, language)
    used, others = language.percent(script.processor_ratio), language.percent(script.others_ratio)
    if script.memory_bytes:
        yield _("Use of the processor"), _("{used}; other programs {others}").format(used=used, others=others)
    yield from _run(script, language)
    yield from _assumed(job, language)
    if job.network is None:
        yield _("On other hardware"), _("unknown: the operations of a step could not be seen")
    if script.remedy is None and (script.step is not None or script.rhythm_s is not None):
        yield _("What would help"), _("nothing was found that holds it back")
    elif script.remedy is not None:
        yield _("What would help"), _remedy(script.remedy, language)


def _end(status: int, language: Language) -> str:
    _ = language.gettext
    if status < 0:
        return _("your script was ended by signal {number}").format(number=-status)
    return _("your script failed, with exit status {status}").format(status=status)


def _parts(step: WatchedStep, language: Language) -> str:
    _ = language.gettext
    parts = (
        (_("waiting for data"), step.wait_s),
        (_("copying"), step.copy_s),
        (_("computing"), step.compute_s),
        (_("waiting for the other processes' gradients"), step.exchange_s),
        (_("updating the parameters"), step.optimizer_s),
    )
    return ", ".join(f"{name} {quantities.exact_seconds(time_s, language)}" for name, time_s in parts if time_s > 0)


def _run(script: WatchedScript, language: Language) -> Iterator[tuple[str, str]]:
    _ = language.gettext
    if script.steps_per_epoch is not None:
        yield _("Steps in an epoch"), language.number(script.steps_per_epoch)
    if script.epochs is not None:
        yield _("Epochs"), language.number(script.epochs, 2)
    if script.between_s:  # an epoch that begins at once is worth no row
        yield _("Between two epochs"), quantities.exact_seconds(script.between_s, language)
    if script.run_s is not None:
        time = quantities.duration(script.run_s, language)
        unseen = script.between_s is None and script.epochs is not None and script.epochs > 1
        words = _("{time}, and what it does between two epochs, which was not seen")
        yield _("The whole run here"), words.format(time=time) if unseen else time


def _assumed(job: WatchedJob, language: Language) -> Iterator[tuple[str, str]]:
    """Say which numbers of the job nothing in the script told."""
    _ = language.gettext
    script, workload = job.script, job.workload
    if workload is None:
        return
    if script.steps_per_epoch is None:
        samples = language.number(workload.samples)
        yield _("Samples of an epoch"), _("not seen; {n} are assumed: --samples").format(n=samples)
    if workload.epochs_are_default:
        epochs = language.number(workload.epochs, 2)
        yield _("Epochs"), _("not seen; {n} are assumed: --epochs").format(n=epochs)


def _remedy(remedy: Remedy, language: Language) -> str:
    _ = language.gettext
    ratio = language.significant(remedy.gain_ratio)
    if remedy.cause in _UNMEASURED:
        return _(_REMEDIES[remedy.cause])
    if remedy.cause == "long_validation":
        gain = _("The whole run would be about {ratio} times as fast.").format(ratio=ratio)
    else:
        gain = _("A step would be about {ratio} times as fast.").format(ratio=ratio)
    return f"{_(_REMEDIES[remedy.cause])} {gain}"
