"""Runs a case as the worker does, in this process."""

from collections.abc import Callable

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case


class Listener:
    """Counts samples; asks for an end after some checks where that is wanted."""

    def __init__(self, at_check: Callable[[int], None] = lambda number: None) -> None:
        self.samples = 0
        self.checks = 0
        self._at_check = at_check

    def sampled(self, sample_s: float) -> None:
        """Hear of a sample."""
        self.samples += 1
        self.check()

    def check(self) -> None:
        """Want the case, or not."""
        self.checks += 1
        self._at_check(self.checks)


def small_case(program: str, **fields: object) -> Case:
    """Return a case that takes a moment."""
    known: dict[str, object] = {"id": "a", "sample_s": 0.001, "budget_s": 0.02, "min_samples": 2, "threads": 1}
    return Case(program=program, **(known | fields))  # type: ignore[arg-type]


def run(program: str, listener: Listener | None = None, **fields: object) -> CaseResult:
    """Run a small case."""
    from advisor.worker.cases import program_of
    from advisor.worker.torch_settings import case_settings

    case = small_case(program, **fields)
    with case_settings(case) as device:
        return program_of(case)(case, device, listener or Listener())
