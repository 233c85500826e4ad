"""Run every case of the full suite once, as small as it goes, in the worker of a built program.

Usage: python packaging/smoke.py PROGRAM     (a frozen program: PROGRAM --worker is started)

What a trimmed program can no longer do shows here, and not in somebody's first measurement. The sizes are too small for
figures; only whether a case ends with a result counts, and cases that differ in size alone are run once. Exit status 1
where one fails.
"""

import re
import sys
from collections.abc import Sequence

import msgspec

from advisor.benchmark.planning.suite_plan import suite_cases
from advisor.benchmark.running.worker_process import Graces, WorkerProcess
from advisor.records.channel import CaseBegun, CaseError, CaseResult, Ready, RunCase, Sample
from advisor.records.results.measured.measurement import Case

PATIENCE_S = 240.0
LARGEST_EDGE = 128
LARGEST_BATCH = 2
MOST_HELPERS = 1
IMAGE_PROGRAMS = frozenset({"train", "infer", "profile", "sweep", "input", "xla_train"})
"""Their size is one of the network's own, and stays."""
SMALL_OPTIONS: dict[str, int | float] = {"duration_s": 1.0, "most_samples": 4, "steps": 2}
_SIZES = re.compile(r"/(\d+|workers[1-9]\d*)(?=/)")
"""What in a case's name is only a size."""
FORGIVEN = frozenset({"missing_jax", "not_supported"})


def small(case: Case) -> Case:
    """Return the case as small as it goes."""
    size = case.size if case.program in IMAGE_PROGRAMS else min(case.size, LARGEST_EDGE)
    options = case.options | {name: value for name, value in SMALL_OPTIONS.items() if name in case.options}
    if case.program in {"sustained", "sweep"}:
        options |= {"duration_s": 1.0, "most_samples": 4}
    if "workers" in options:
        options["workers"] = min(options["workers"], MOST_HELPERS)
    options.pop("needs_bytes", None)  # what the case needs at its own size
    return msgspec.structs.replace(
        case,
        size=size,
        batch_size=min(case.batch_size, LARGEST_BATCH),
        min_samples=1,
        sample_s=0.001,
        budget_s=0.05,
        timeout_s=PATIENCE_S,
        threads=1,
        options=options,
    )


def run_case(worker: WorkerProcess, case: Case) -> str | None:
    """Run a case and return what went wrong, or None."""
    worker.send(RunCase(case=case))
    while True:
        match worker.hear(PATIENCE_S):
            case CaseBegun() | Sample():
                continue
            case CaseResult():
                return None
            case CaseError() as error:
                return None if error.reason in FORGIVEN else f"{error.reason}: {error.detail}"
            case heard:
                return f"{heard!r}; {worker.last_words}"


def smoke(command: Sequence[str]) -> list[str]:
    """Return what went wrong, a line each; a worker that ended is started again."""
    problems: list[str] = []
    worker: WorkerProcess | None = None
    distinct = {_SIZES.sub("", case.id): case for case in suite_cases() if not case.device.startswith("cuda")}
    for case in map(small, distinct.values()):
        if worker is None or worker.exit_status is not None:
            worker = WorkerProcess(command, Graces())
            ready = worker.hear(PATIENCE_S)
            if not isinstance(ready, Ready) or ready.problem:
                problems.append(f"the worker does not start: {ready!r}; {worker.last_words}")
                break
        problem = run_case(worker, case)
        sys.stdout.write(f"{case.id}: {problem or 'ran'}\n")
        sys.stdout.flush()
        if problem is not None:
            problems.append(f"{case.id}: {problem}")
    if worker is not None:
        worker.stop()
    return problems


def main(arguments: Sequence[str]) -> int:
    """Run the smoke test of a program."""
    if not arguments:
        sys.stderr.write(__doc__ or "")
        return 2
    problems = smoke([*arguments, "--worker"])
    sys.stdout.write("".join(f"FAILED {problem}\n" for problem in problems) or "every case ran\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
