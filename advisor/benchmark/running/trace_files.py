"""Traces of profiled cases, files that open at ui.perfetto.dev: where a suite leaves them, and one alone on request."""

from collections.abc import Sequence
from pathlib import Path

from advisor.benchmark.running.control import Control
from advisor.benchmark.running.runner import TracePathFor, run_suite
from advisor.records.results.measured.measurement import Case, CaseFailure


def traces_in(folder: Path) -> TracePathFor:
    """Return where each profiled case of a suite leaves its trace: in a file of its own in a folder."""
    return lambda case: folder / f"trace-{case.network}-{case.batch_size}-{case.device.replace(':', '')}.json"


def write_trace(
    case: Case, path: Path, *, control: Control | None = None, command: Sequence[str] | None = None
) -> CaseFailure | None:
    """Run a profiled case once more and leave its trace in a file; return why there is none.

    Args:
        case: As it was planned.
        path: The file.
        control: Cancels, from another thread.
        command: Starts the worker; None: this program's own.
    """
    benchmark = run_suite(lambda ready: (case,), control=control, command=command, trace_path_for=lambda _case: path)
    return benchmark.failures[0] if benchmark.failures else None
