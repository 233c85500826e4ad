"""What one computer does with one job: the device that ends it soonest, and whether that is soon enough."""

from advisor.options.candidates import here
from advisor.options.prediction import predict_options
from advisor.options.pricing import run_time
from advisor.records.job.prediction import Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.request import Observation
from advisor.records.results.fleet import FleetCell, FleetJob, FleetMember


def cell(member: FleetMember, job: FleetJob, network: Network) -> FleetCell:
    """Return how a computer does a job, corrected by what was measured on it."""
    observation = Observation(machine=member.machine, benchmark=member.benchmark)
    predictions = predict_options(tuple(here(member.machine)), network, job.workload, observation)
    known = [one for one in predictions if one is not None]
    able = [one for one in known if one.memory is None or one.memory.fits is not False]
    if not able:
        return _too_small(known)
    best = min(able, key=lambda one: (run_time(one, job.workload)[0], one.device))
    return _timed(best, job.workload, job.deadline_s)


def _timed(best: Prediction, workload: Workload, deadline_s: float) -> FleetCell:
    run_s, interval = run_time(best, workload)
    return FleetCell(
        state="enough" if run_s <= deadline_s else "slow",
        device=best.device,
        run_s=run_s,
        interval=interval,
        memory_bytes=None if best.memory is None else best.memory.total_bytes,
        available_bytes=None if best.memory is None else best.memory.available_bytes,
        basis=best.basis,
    )


def _too_small(known: list[Prediction]) -> FleetCell:
    """Return that a job fits no device; unknown where nothing could be predicted."""
    memories = [one.memory for one in known if one.memory is not None]
    if not memories:
        return FleetCell(state="unknown")
    nearest = min(memories, key=lambda one: one.total_bytes - (one.available_bytes or 0.0))
    return FleetCell(state="does_not_fit", memory_bytes=nearest.total_bytes, available_bytes=nearest.available_bytes)
