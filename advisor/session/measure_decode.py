"""Measure how fast a small language model writes on this processor, when it is asked which models run here."""

from advisor.benchmark.planning.decode_plan import decode_case
from advisor.benchmark.planning.suite_plan import torch_threads
from advisor.benchmark.running.control import Control
from advisor.benchmark.running.runner import run_suite
from advisor.pack import pack_worker_command
from advisor.probe.condition_watch import ConditionWatch
from advisor.records.channel import Ready, WorkerDevice
from advisor.records.hardware.machine import Machine
from advisor.records.results.measured.measurement import Case, Measurement
from advisor.session.run import Announce

LIMIT_S = 60.0


def measure_decode(
    machine: Machine, announce: Announce = lambda event: None, control: Control | None = None
) -> tuple[Measurement, ...]:
    """Return what was measured, in some ten seconds; nothing where there is no torch, or the memory is too small.

    Args:
        machine: This computer.
        announce: Hears of each step, in this thread.
        control: Cancels, from other threads.
    """

    def plan(ready: Ready) -> tuple[Case, ...]:
        return (decode_case(torch_threads(WorkerDevice(name="cpu", precisions=("fp32",)), machine, ready)),)

    conditions = ConditionWatch(announce)
    benchmark = run_suite(
        plan,
        limit_for=lambda ready: LIMIT_S,
        announce=announce,
        control=control,
        command=pack_worker_command(),
        check_conditions=conditions,
    )
    conditions.name_programs(benchmark)
    return benchmark.measurements
