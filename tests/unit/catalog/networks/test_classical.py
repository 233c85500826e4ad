"""Classical machine learning as work: gradient boosting of decision trees on a table, which is processor work."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog.networks.classical import gradient_boosting
from tests.unit.catalog.networks.sizes import flop


@given(columns=st.integers(1, 1000))
def test_gradient_boosting_is_linear_in_the_columns(columns: int) -> None:
    """Histograms take a step for each cell."""
    one, many = gradient_boosting(1), gradient_boosting(columns)
    assert flop(many) == pytest.approx(columns * flop(one))
    assert many.sample == "row"
