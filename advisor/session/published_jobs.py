"""What this program says of jobs whose times others published."""

from functools import cache

from advisor.catalog import find_device
from advisor.catalog.published_jobs import published_jobs
from advisor.records.job.workload import Workload
from advisor.records.results.published import BesidePublished
from advisor.session.single_prediction import predict_one

_ADAPTED = frozenset({"lora", "qlora"})


def beside_published(workload: Workload) -> tuple[BesidePublished, ...]:
    """Return the published times of a job's network, trained in a way like the job's, each beside our own.

    The settings are those of whoever published it, not the job's: batch, precision, length of a text.
    """
    if workload.task != "train" or workload.layers:
        return ()
    return _beside(workload.network, workload.method if workload.method in _ADAPTED else "")


@cache
def _beside(network: str, adapted: str) -> tuple[BesidePublished, ...]:
    found = []
    for one in published_jobs():
        method = one.settings.get("method", "")
        if one.network != network or (method if method in _ADAPTED else "") != adapted:
            continue
        prediction = predict_one(network, one.device, device_count=one.count, **one.settings)
        found.append(
            BesidePublished(
                device=find_device(one.device).name,
                device_count=one.count,
                note=one.note,
                published_s=one.seconds / one.steps,
                predicted_s=prediction.time_per_step_s,
                source=one.source,
            )
        )
    return tuple(found)
