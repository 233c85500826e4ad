"""Which test of a check ran when."""

from advisor.gui.models.phases import PhaseModel
from advisor.locale import language
from advisor.records.events import CaseFinished, CaseStarted
from tests.fakes.measured import matmul_case, measured

EN, ES = language("en"), language("es")


def test_the_tests_of_a_check_are_marked() -> None:
    """A test begins with its start and ends with its end, or with the next one, or with the check."""
    phases = PhaseModel()
    first, second = matmul_case(256), matmul_case(512)
    phases.handle_event(CaseStarted(case=first, index=0, count=2, remaining_s=5.0), 10.0)
    phases.handle_event(CaseFinished(measurement=measured(first, 0.1)), 12.0)
    phases.handle_event(CaseStarted(case=second, index=1, count=2, remaining_s=3.0), 13.0)

    assert phases.spans(0.0, 20.0) == ((10.0, 12.0), (13.0, 20.0))
    assert phases.spans(11.0, 11.5) == ((11.0, 11.5),)
    assert phases.at(12.5) is None
    assert phases.phrase_at(15.0, EN) == "Multiplying matrices on the processor"
    phases.stop(16.0)
    assert phases.spans(0.0, 20.0)[-1] == (13.0, 16.0)
