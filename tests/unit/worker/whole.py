"""What several test files here share."""

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case


class Silent:
    """Nobody listens."""

    def sampled(self, sample_s: float) -> None:
        """Hear of a sample."""

    def check(self) -> None:
        """Want every case."""


def run(**fields: object) -> CaseResult:
    """Run a case as the worker does."""
    from advisor.worker.cases import program_of
    from advisor.worker.torch_settings import case_settings

    known: dict[str, object] = {"id": "a", "sample_s": 0.001, "budget_s": 0.0, "min_samples": 2, "threads": 1}
    case = Case(**(known | fields))  # type: ignore[arg-type]
    with case_settings(case) as device:
        return program_of(case)(case, device, Silent())
