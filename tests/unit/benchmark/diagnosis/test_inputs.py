"""What the rules look at: the measurements by what they tell, whatever case they come from. Knows no threshold."""

import pytest

from advisor.benchmark.diagnosis.inputs import positive, quotient, severity_of
from advisor.records.base import Interval


@pytest.mark.parametrize("value", [None, 0, -1.0, 1e70, 1e-70, float("inf"), float("nan"), 10**400])
def test_numbers_of_no_computer_count_as_unknown(value: float | None) -> None:
    """Whatever a file says, what cannot be is not reasoned with."""
    assert positive(value) is None
    assert quotient(1.0, value) is None


@pytest.mark.parametrize(
    ("low", "high", "severity"), [(1.0, 4.0, "serious"), (1.0, 3.9, "moderate"), (1.0, 1.3, "slight")]
)
def test_severity_follows_the_middle_of_the_gain(low: float, high: float, severity: str) -> None:
    """The geometric middle of the interval decides; no gain known is slight."""
    assert severity_of(Interval(low=low, high=high)) == severity
    assert severity_of(None) == "slight"
