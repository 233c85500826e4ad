"""Go on with a check: what was left out when it ended before its time, or one more job."""

import msgspec

from advisor.benchmark.running.control import Control
from advisor.errors import InputError
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.request import Observation, Request
from advisor.records.results.measured.measurement import Benchmark, Case
from advisor.session.run import Announce, measure


def measure_too(
    observation: Observation, request: Request, announce: Announce, control: Control | None = None
) -> Observation:
    """Return an observation of this computer with one more job measured, in some ten seconds; all else stays.

    A measurement of the same job takes the place of the earlier one; where it fails, the earlier one stays.

    Args:
        observation: What a check has seen.
        request: The question whose job is measured.
        announce: Hears of each step, in this thread.
        control: Cancels or pauses, from other threads.

    Raises:
        InputError: The observation is of another computer, or nothing was measured then.
    """
    known = observation.benchmark
    if known is None or observation.is_simulated:
        raise InputError("One more job is measured only on this computer, after a check.")
    _, found = measure(observation.machine, request, announce, control, is_wanted=_is_job)
    return msgspec.structs.replace(observation, benchmark=with_further(known, found))


def measure_rest(
    observation: Observation, request: Request, announce: Announce, control: Control | None = None
) -> Observation:
    """Return an observation of this computer with what a check that was stopped, or that failed, left out.

    What was measured stays; what cannot be measured here, or what the user skipped, is not tried again.

    Args:
        observation: What the check has seen.
        request: The question; its suite is that of the check.
        announce: Hears of each step, in this thread.
        control: Cancels or pauses, from other threads.

    Raises:
        InputError: The observation is of another computer, or nothing is left.
    """
    known = observation.benchmark
    if known is None or observation.is_simulated or not is_unfinished(known):
        raise InputError("No check of this computer was ended before its time.")
    lasting = (failure.case.id for failure in known.failures if failure.reason not in _PASSING)
    done = {*(one.case.id for one in known.measurements), *lasting}
    _, found = measure(observation.machine, request, announce, control, is_wanted=lambda case: case.id not in done)
    return msgspec.structs.replace(observation, benchmark=with_further(known, found))


def is_unfinished(benchmark: Benchmark | None) -> bool:
    """Return whether a check left tests out that another try may measure."""
    return benchmark is not None and any(failure.reason in _PASSING for failure in benchmark.failures)


_PASSING = frozenset({"cancelled", "crashed", "error", "garbage", "given_up", "hung", "killed"})
"""Why a test has no result where another try may have one."""


def _is_job(case: Case) -> bool:
    return case.program == JOB_PROGRAM


def with_further(known: Benchmark, found: Benchmark) -> Benchmark:
    """Return a benchmark with what was measured later."""
    measured = {one.case.id for one in found.measurements}
    tried = measured | {one.case.id for one in found.failures}
    return msgspec.structs.replace(
        known,
        wall_s=known.wall_s + found.wall_s,
        measurements=(*(one for one in known.measurements if one.case.id not in measured), *found.measurements),
        failures=(*(one for one in known.failures if one.case.id not in tried), *found.failures),
        worker_lingers=known.worker_lingers or found.worker_lingers,
    )
