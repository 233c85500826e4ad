"""A watched script's own step and its wait for data, as measurements of this computer."""

import datetime

import msgspec

from advisor.benchmark.results.statistics import summarise
from advisor.records.channel import CaseResult
from advisor.records.hardware.interference import OTHER_LOAD_RATIO
from advisor.records.job.asked_job import FED_PROGRAM, JOB_PROGRAM, step_settings
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Benchmark, Case, Condition, Measurement, Series
from advisor.records.results.measured.watched import WatchedScript
from advisor.watch.remedies import WAITS_RATIO


def measured_script(script: WatchedScript, workload: Workload, network: Network) -> Benchmark | None:
    """Return the script's step without its wait, what its loader delivers, and both together; None without a step."""
    step = script.step
    if step is None:
        return None
    case = Case(
        id=f"watched/{workload.network}",
        program=JOB_PROGRAM,
        device=script.device,
        precision=workload.precision,
        network=workload.network,
        batch_size=workload.batch_size,
        size=workload.image_size or workload.sequence_length or 0,
        options=step_settings(workload, network),
    )
    busy_s = max(step.step_s - step.wait_s, 1e-9)
    own = CaseResult(case_id=case.id, samples_s=(busy_s,) * 3, items_per_iteration=workload.batch_size)
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return Benchmark(
        suite="quick",
        started_at=now,
        wall_s=script.watched_s,
        measurements=(summarise(case, own, conditions=_disturbed(script)), *_loading(script, case, busy_s)),
    )


def _disturbed(script: WatchedScript) -> tuple[Condition, ...]:
    """Return what others had of the processor, where a check would count it as well."""
    share = script.others_ratio
    is_much = share >= OTHER_LOAD_RATIO
    return (Condition(kind="other_load", value=share, unit="ratio", when="during"),) if is_much else ()


def samples_a_second(script: WatchedScript, batch: int) -> float | None:
    """Return what the script's loader can deliver at most; None where nothing was seen of its work.

    Without processes it delivers while the step waits. Processes that the step waits for deliver what it takes; those
    that rest for a part of the time could deliver more by that part.
    """
    step, loaders = script.step, script.loaders
    if step is None or loaders is None:
        return None
    if loaders == 0:
        return batch / step.wait_s if step.wait_s > 0 else None
    if step.wait_s >= WAITS_RATIO * step.step_s:
        return batch / step.step_s
    return batch / (step.step_s * script.loaders_busy_ratio) if script.loaders_busy_ratio else None


def _loading(script: WatchedScript, job: Case, busy_s: float) -> tuple[Measurement, ...]:
    """Return the loader's rate alone, and the step that is fed by it."""
    rate, loaders, step = samples_a_second(script, job.batch_size), script.loaders, script.step
    if rate is None or loaders is None or step is None:
        return ()
    each = rate / max(loaders, 1)
    rates = tuple((float(count), each * max(count, 1)) for count in sorted({min(loaders, 1), loaders}))
    alone = Case(id="data/cpu", program="data", batch_size=job.batch_size)
    fed = msgspec.structs.replace(job, id=f"fed/{job.id}", program=FED_PROGRAM)
    return (
        summarise(
            alone,
            CaseResult(
                case_id=alone.id,
                samples_s=(job.batch_size / rate,),
                items_per_iteration=job.batch_size,
                series=(Series(x="loaders", y="items_per_s", points=rates),),
            ),
            conditions=_disturbed(script),
        ),
        summarise(
            fed,
            CaseResult(
                case_id=fed.id,
                samples_s=(step.step_s,),
                items_per_iteration=job.batch_size,
                details={"alone_s": busy_s, "batch": float(job.batch_size)},
                series=(Series(x="loaders", y="fed_step_s", points=((float(loaders), step.step_s),)),),
            ),
            conditions=_disturbed(script),
        ),
    )
