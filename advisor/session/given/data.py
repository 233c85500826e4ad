"""The user's own data in a session: what of them is measured, what the job becomes with them, what follows for it."""

import math
from collections.abc import Sequence

import msgspec

from advisor.benchmark.planning.full_plan import loader_counts
from advisor.catalog import network_of
from advisor.errors import InputError
from advisor.probe.dataset import survey
from advisor.probe.dataset.file_headers import MANY_FILES
from advisor.records.hardware.machine import Machine
from advisor.records.job.asked_job import FED_PROGRAM, JOB_PROGRAM
from advisor.records.job.work import Network
from advisor.records.job.workload import InputKind, Workload, on_samples
from advisor.records.request import Request
from advisor.records.results.measured.measurement import Case
from advisor.records.results.measured.own_data import DataKind, FoundData, OwnData
from advisor.resource import given_path

BATCH = 8
"""Samples of a measured batch; the time of a sample hardly depends on it."""
DATA_S, FED_S = 11.0, 9.0
_FED_NUMBERS = 3
"""Numbers of loading processes that the job's steps are measured with."""
USUAL_EDGE = 224
_MOST_LOADERS = 8
"""Beyond these, the number that is best has little to do with how the job is slowed."""
_INPUT_KINDS: dict[DataKind, InputKind] = {"image": "jpeg", "archive": "jpeg", "audio": "files", "array": "files"}


def find_data(path: str) -> FoundData:
    """Return what lies in a file or folder, within ten seconds.

    Raises:
        InputError: There is nothing of that name, it cannot be read, or holds no data. The sentence names no file.
    """
    return survey(given_path(path))


def job_with(data: OwnData, workload: Workload, *, has_samples: bool, has_input: bool) -> Workload:
    """Return the job on the user's data: as many samples and classes as there are, loaded from files.

    Args:
        data: What was found.
        workload: The job asked for.
        has_samples: The user said how many samples there are.
        has_input: The user said where samples come from.

    Raises:
        InputError: The data are images, and the job takes none.
    """
    if data.kind == "image" and workload.input_kind in ("text", "table"):
        raise InputError("--data: these files are images, and {network} takes none.", network=workload.network)
    changes: dict[str, object] = {}
    if not has_samples and data.samples is not None:
        changes |= on_samples(workload, data.samples)
    if data.classes is not None and workload.classes is not None:
        changes["classes"] = data.classes
    if not has_input and data.kind in _INPUT_KINDS:
        changes["input_kind"] = _INPUT_KINDS[data.kind]
    return msgspec.structs.replace(workload, **changes)


def with_data(cases: Sequence[Case], request: Request, machine: Machine) -> tuple[Case, ...]:
    """Return a suite with the cases that load some of the user's files, right after those of the job itself.

    First loading alone, then the steps of the job fed by it, on the device that most would train on.
    """
    if request.found is None or not cases:
        return tuple(cases)
    jobs = tuple(case for case in cases if case.program == JOB_PROGRAM)
    others = tuple(case for case in cases if case.program != JOB_PROGRAM)
    cores = max(1, math.floor(machine.host.cpu.usable_cores))
    alone = _data_case(request.found.data, request, cores)
    is_loaded = request.workload.input_kind == _INPUT_KINDS.get(request.found.data.kind)
    fed = (_fed_case(jobs[-1], alone, request.workload, cores),) if jobs and is_loaded else ()
    return (*jobs, alone, *fed, *others)


def _fed_case(job: Case, alone: Case, workload: Workload, cores: int) -> Case:
    """Return the case of the job's steps, fed from the files with as many processes as were asked, none, and many."""
    wanted = () if workload.loaders is None else (workload.loaders,)
    numbers = list(dict.fromkeys((*wanted, 0, min(cores, _MOST_LOADERS), 1, 2)))[:_FED_NUMBERS]
    return msgspec.structs.replace(
        job,
        id=f"{FED_PROGRAM}/{job.network}/{job.precision}/{job.batch_size}/{job.device}",
        program=FED_PROGRAM,
        size=alone.size,
        flop_per_iteration=None,
        budget_s=FED_S,
        timeout_s=5 * FED_S,  # on a busy computer fewer numbers, so that the rest of the suite has its time
        options=job.options | alone.options | {"loaders": ",".join(map(str, numbers))},
    )


def _data_case(data: OwnData, request: Request, cores: int) -> Case:
    workload = request.workload
    return Case(
        id="data/cpu",
        program="data",
        batch_size=min(BATCH, workload.batch_size),
        size=_edge(workload, request.network),
        budget_s=DATA_S,
        timeout_s=120.0,
        options={
            "kind": data.kind,
            "by_row": data.kind == "array" and data.files <= MANY_FILES,
            "augmented": workload.task == "train",
            "most_workers": loader_counts(cores)[-1],
        },
    )


def _edge(workload: Workload, network: Network | None) -> int:
    if workload.image_size is not None:
        return workload.image_size
    work = network_of(workload) if network is None else network
    return work.image_size or USUAL_EDGE
