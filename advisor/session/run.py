"""Look at a computer, measure it, and hand what was found to the forecast and the decision."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import msgspec

from advisor.benchmark.results.comparison import compare
from advisor.benchmark.running.control import Control
from advisor.catalog import economics, find_device, network_of
from advisor.errors import InputError
from advisor.options.own_devices import cpu_peak_flop_per_s
from advisor.options.pricing import electricity_usd_per_kwh
from advisor.options.what_if import with_cards
from advisor.pack import pack_torch_folder, pack_worker_command
from advisor.probe import probe_machine
from advisor.probe.framework import merge_framework
from advisor.probe.override import Override, parse_override
from advisor.probe.readers import Readers
from advisor.records.channel import Ready
from advisor.records.events import Event, StepStarted
from advisor.records.hardware.machine import Machine
from advisor.records.job.asked_job import AskedJob
from advisor.records.request import Observation, Request, observation_of
from advisor.records.results.comparison import Comparison
from advisor.records.results.measured.measurement import Benchmark, Case
from advisor.records.results.report import Report
from advisor.session.checks.earlier_check import with_earlier
from advisor.session.forecast import conclude, forecast_job

Announce = Callable[[Event], None]


def run_session(request: Request, announce: Announce, control: Control | None = None) -> Report:
    """Observe this computer, or take the recorded one, and answer the question.

    Args:
        request: The question.
        announce: Hears of each step, in this thread.
        control: Cancels, skips, pauses, from other threads; after a cancel the report holds what was measured so far.
    """
    observation = observe(request, announce, control)
    if request.cluster is not None:  # else that of a recorded report stands
        observation = msgspec.structs.replace(observation, cluster=request.cluster)
    announce(StepStarted(step="predict"))
    return conclude(observation, request.workload, request.circumstances, request.network)


def probe(overrides: Sequence[str] = ()) -> Machine:
    """Return what this computer is, with cards set by hand such as ``RTX 3060:12GB``.

    Raises:
        InputError: A card set by hand is not written like that, or nobody knows one of that name.
    """
    cards = _cards(overrides)
    folder = pack_torch_folder()
    readers = None if folder is None else Readers(torch_folder=lambda: folder)
    return probe_machine(overrides=cards, readers=readers)


def _cards(overrides: Sequence[str]) -> list[Override]:
    return [_with_usual_memory(parse_override(text)) for text in overrides]


def _with_usual_memory(card: Override) -> Override:
    """Return a card with the memory that cards of its name have; one that nobody knows is refused."""
    if not card.name:
        return card
    device = find_device(card.name, memory_bytes=card.memory_bytes)
    return replace(card, usual_bytes=device.memory_bytes)


def recorded_machine(taken: Report | Machine, overrides: Sequence[str] = ()) -> Machine:
    """Return the machine of a report, or a machine as it is, with cards set by hand."""
    return with_cards(_recorded(taken), _cards(overrides)).machine


def observe(request: Request, announce: Announce, control: Control | None = None) -> Observation:
    """Return the computer as seen and measured, or as recorded."""
    if request.recorded is not None:
        return with_cards(_recorded(request.recorded), _cards(request.overrides))
    announce(StepStarted(step="probe"))
    machine = probe(request.overrides)
    data = None if request.found is None else request.found.data
    if request.suite == "none":
        return Observation(machine=machine, is_simulated=bool(request.overrides), data=data)
    # What cannot be answered is said now, not after minutes of measuring, whose results would be lost.
    electricity_usd_per_kwh(request.circumstances, economics())
    forecast_job(Observation(machine=machine, cluster=request.cluster), request.workload, request.network)
    announce(StepStarted(step="benchmark"))
    machine, benchmark = measure(machine, request, announce, control)
    return Observation(machine=machine, benchmark=benchmark, is_simulated=bool(request.overrides), data=data)


def _recorded(taken: Report | Machine) -> Observation:
    if isinstance(taken, Machine):
        return Observation(machine=taken, is_simulated=True)
    return msgspec.structs.replace(observation_of(taken), is_simulated=True)


def measure(
    machine: Machine,
    request: Request,
    announce: Announce,
    control: Control | None,
    *,
    is_wanted: Callable[[Case], bool] | None = None,
) -> tuple[Machine, Benchmark]:
    """Return the machine as the worker's torch sees it, and what was measured: a suite, or what is wanted of it."""
    # Most answers measure nothing, and what does is a tenth of all that is loaded.
    from advisor.benchmark.planning.schedule import time_limit_s
    from advisor.benchmark.planning.suite_plan import plan_suite
    from advisor.benchmark.running.runner import run_suite
    from advisor.benchmark.running.trace_files import traces_in
    from advisor.monitor.sensor_watch import SensorWatch
    from advisor.probe.condition_watch import ConditionWatch
    from advisor.session.given.data import with_data

    seen = [machine]

    def plan_for(ready: Ready) -> tuple[Case, ...]:
        is_awake_now = any(card.is_asleep for card in machine.accelerators)  # the worker's torch has opened it
        current = probe(request.overrides) if is_awake_now else machine
        seen.append(merge_framework(current, ready.framework))
        planned = plan_suite(request.suite, seen[-1], ready, job)
        cases = with_data(planned, request, machine)
        return cases if is_wanted is None else tuple(case for case in cases if is_wanted(case))

    job = AskedJob(
        workload=request.workload, network=request.network or network_of(request.workload), source=request.source
    )
    peak = cpu_peak_flop_per_s(machine.host.cpu)
    conditions = ConditionWatch(announce)
    with SensorWatch() as sensors:
        benchmark = run_suite(
            plan_for,
            suite=request.suite,
            limit_for=lambda ready: time_limit_s(request.suite, ready, request.limit_s),
            announce=announce,
            control=control,
            command=pack_worker_command(),
            check_conditions=conditions,
            sensors=sensors,
            peaks_flop_per_s={} if peak is None else {("cpu", "fp32"): peak},
            job=job,
            own_files=() if request.found is None else request.found.files,
            trace_path_for=None if request.trace_folder is None else traces_in(Path(request.trace_folder)),
        )
    conditions.name_programs(benchmark)
    return seen[-1], with_earlier(seen[-1], benchmark, request.earlier)


def compare_reports(first: Report, second: Report) -> Comparison:
    """Return what both reports have measured, side by side.

    Raises:
        InputError: One of them has no measurements.
    """
    if first.benchmark is None or second.benchmark is None:
        raise InputError("A report made with --suite none has no measurements to compare.")
    return compare(first.benchmark, second.benchmark)
