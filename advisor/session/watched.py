"""Make a question of a watched script, and answer it: its job on every option, its remedy first."""

import math
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from advisor.benchmark.running.own_network import trace_calls
from advisor.errors import AdvisorError
from advisor.options.candidates import here
from advisor.predict import Target, predict_many
from advisor.predict.timing.step_work import REDUCED
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Machine
from advisor.records.job.asked_job import step_flop
from advisor.records.job.prediction import Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.request import Observation
from advisor.records.results.measured.measurement import Benchmark
from advisor.records.results.measured.watched import WatchedJob, WatchedScript
from advisor.records.results.report import Report
from advisor.resource import as_text
from advisor.session.checks.continued_check import with_further
from advisor.session.forecast import conclude
from advisor.session.given.own_network import job_of
from advisor.session.run import probe
from advisor.session.watched_step import measured_script, samples_a_second
from advisor.watch.channel import Channel, Seen
from advisor.watch.process_usage import LastLine
from advisor.watch.program import Progress, Watched, watch
from advisor.watch.remedies import first_remedy
from advisor.watch.summary import (
    batches_per_step,
    optimizer_of,
    precision_of,
    samples_per_epoch,
    samples_per_step,
    summarised,
    validation_samples,
)

_LARGE_FLOP = 1e9
"""Smaller products on a processor lose to the change of format what bfloat16 gains. On an EPYC of two cores that has
AVX512_BF16, autocast brought fifteen networks 1.5 to 2.2 times with larger ones, and mostly 1.0 to 1.3 without."""
_SHORT_INSTRUCTIONS = frozenset({"AVX512_BF16", "AVX512_FP16", "AMX", "BF16", "SVE"})
"""Any of them computes one of the short formats."""
_BF16_PAYS = 1.5
"""What is predicted to bring less on a processor brought 1.1 times, or nothing."""


class WatchedAnswer(NamedTuple):
    """What came of watching a script; its last line of output is for the screen alone."""

    job: WatchedJob
    report: Report | None
    last_line: str


def watched_job(watched: Watched, command: Sequence[str], machine: Machine) -> WatchedJob:
    """Return the job that a watched script is, with what was seen of it and what to do first."""
    script = summarised(watched)
    network = _network(watched.seen, _called(command))
    workload = None if network is None else _workload(watched.seen, network, script)
    gains = {} if network is None or workload is None else _gains(network, workload, script, machine)
    remedy = first_remedy(script, cores=machine.host.cpu.usable_cores, **gains)
    return WatchedJob(script=msgspec.structs.replace(script, remedy=remedy), workload=workload, network=network)


def answer(
    job: WatchedJob, machine: Machine, circumstances: Circumstances, known: Benchmark | None = None
) -> Report | None:
    """Return the job on every option, with this computer's own step as it was measured; None where it has none.

    Args:
        job: What was watched.
        machine: This computer.
        circumstances: The user's side.
        known: What was measured before; it stays beside the step.
    """
    if job.workload is None or job.network is None:
        return None
    found = measured_script(job.script, job.workload, job.network)
    both = found if known is None or found is None else with_further(known, found)
    return conclude(Observation(machine=machine, benchmark=both or known), job.workload, circumstances, job.network)


def watch_and_answer(
    command: Sequence[str],
    folder: Path | None,
    circumstances: Circumstances,
    known: Observation | None,
    *,
    announce: Callable[[Progress], None],
    stop: threading.Event,
) -> WatchedAnswer:
    """Run the user's script where there is no terminal, watch it, and answer for its job.

    Args:
        command: The program and its arguments.
        folder: Where it runs.
        circumstances: The user's side.
        known: What an earlier check saw of this computer.
        announce: Hears how far it is, in this thread.
        stop: Once it is set, by another thread, the script is ended.

    Raises:
        InputError: It cannot be started.
    """
    tail = LastLine()
    with Channel() as channel:
        watched = watch(command, channel, announce=announce, stop=stop, output=tail.feed, folder=folder)
        machine = probe() if known is None else known.machine
        job = watched_job(watched, command, machine)
    report = answer(job, machine, circumstances, None if known is None else known.benchmark)
    return WatchedAnswer(job=job, report=report, last_line=tail.text())


def _called(command: Sequence[str]) -> str:
    """Return the script's name, without its folder."""
    return next((as_text(Path(word).name) for word in command if word.casefold().endswith(".py")), "script.py")


def _network(seen: Seen, name: str) -> Network | None:
    if seen.calls is None:
        return None
    try:
        return trace_calls(seen.calls, batch=samples_per_step(seen), parts=batches_per_step(seen), name=name)
    except AdvisorError:  # the script did run, and what was seen of it stands without a prediction
        return None


def _workload(seen: Seen, network: Network, script: WatchedScript) -> Workload:
    usual = job_of(network)
    batch = (samples_per_step(seen) or usual.batch_size) * script.processes
    is_loaded = samples_a_second(script, batch) is not None
    return msgspec.structs.replace(
        usual,
        batch_size=batch,
        samples=samples_per_epoch(seen) or max(usual.samples, batch),  # an epoch is one step at least
        epochs=script.epochs or usual.epochs,
        epochs_are_default=script.epochs is None,
        validation_samples=validation_samples(seen),
        precision=precision_of(seen),
        optimizer=optimizer_of(seen),
        image_size=network.image_size,
        sequence_length=network.sequence_length,
        input_kind="files" if is_loaded else "memory",
        loaders=script.loaders if is_loaded else None,
        method="scratch",
    )


def _gains(network: Network, workload: Workload, script: WatchedScript, machine: Machine) -> dict[str, float]:
    """Return what another torch and a shorter format are predicted to bring here."""
    found = {one.torch_device: one.device for one in here(machine) if one.device_count == 1}
    own = found.get(script.device)
    now = None if own is None else _predicted(network, workload, own)
    if own is None or now is None:
        return {}
    gains, now_s = {}, now.time_per_step_s
    peaks = own.peak_flop_per_s
    is_short_faster = max(peaks.get("fp16", 0.0), peaks.get("bf16", 0.0)) > peaks.get("fp32", math.inf)
    short_s = _step_s(network, msgspec.structs.replace(workload, precision="amp"), own)
    if workload.precision == "fp64":
        single_s = _step_s(network, msgspec.structs.replace(workload, precision="fp32"), own)
        gains["double_format_gain"] = 1.0 if single_s is None else now_s / single_s
    if workload.precision in ("fp32", "tf32"):
        if is_short_faster and short_s is not None:
            gains["short_format_gain"] = now_s / short_s
        elif script.device == "cpu" and "AVX512_BF16" in machine.host.cpu.instruction_sets:
            gains["short_format_gain"] = _bf16_gain(network, workload, now)
    if script.step is not None and workload.precision in REDUCED and script.device == "cpu":
        full_s = _step_s(network, msgspec.structs.replace(workload, precision="fp32"), own)
        if full_s is not None and not _SHORT_INSTRUCTIONS & set(machine.host.cpu.instruction_sets):
            gains["full_format_gain"] = script.step.step_s / full_s
    cards = [_step_s(network, workload, device) for name, device in found.items() if name != "cpu"]
    fastest_s = min((time_s for time_s in cards if time_s is not None), default=None)
    if fastest_s is not None:
        gains["card_gain"] = now_s / fastest_s
    return gains


def _bf16_gain(network: Network, workload: Workload, now: Prediction) -> float:
    """Return how many times as fast a step is whose large products take half as long; 1.0 where that is too little."""
    batch = workload.batch_size
    products = (one for one in network.operations if one.kind in ("gemm", "conv"))
    large = tuple(one for one in products if one.flop_per_sample * batch + one.flop_fixed >= _LARGE_FLOP)
    whole_flop = step_flop(workload, network, batch)
    large_flop = step_flop(workload, msgspec.structs.replace(network, operations=large), batch)
    compute_s = sum(part.time_s for part in now.parts if part.name == "compute")
    saved_s = 0.5 * compute_s * large_flop / whole_flop if whole_flop > 0 else 0.0
    gain = now.time_per_step_s / (now.time_per_step_s - saved_s)
    return gain if gain >= _BF16_PAYS else 1.0


def _step_s(network: Network, workload: Workload, device: Device) -> float | None:
    found = _predicted(network, workload, device)
    return None if found is None else found.time_per_step_s


def _predicted(network: Network, workload: Workload, device: Device) -> Prediction | None:
    [found] = predict_many(network, workload, [Target(device)])
    return found
