"""Product of two square matrices: the operation that most of training comes down to."""

import pytest

from advisor.records.base import Precision
from tests.unit.worker.whole import run

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("precision", ["fp32", "fp64", "bf16", "fp16"])
def test_products_in_every_format(precision: Precision) -> None:
    """Torch multiplies in each format, natively or not."""
    result = run(program="matmul", size=32, precision=precision)

    assert len(result.samples_s) == 2
    assert result.parameters is None
