"""How a large matrix product gains from further cores: 1, 2, 4, … threads up to what may be used."""

import pytest

from tests.unit.worker.cases.runs import run

pytestmark = pytest.mark.torch


def test_threads_are_tried_up_to_the_limit() -> None:
    """1, 2 and 3 threads where 3 are allowed, and the gain is that of the last over the first."""
    import torch

    before = torch.get_num_threads()
    result = run("threads", size=64, options={"most_threads": 3}, threads=None)
    (curve,) = result.series

    assert [x for x, _rate in curve.points] == [1, 2, 3]
    assert result.details["gain_ratio"] == pytest.approx(curve.points[-1][1] / curve.points[0][1])
    assert torch.get_num_threads() == before


@pytest.mark.parametrize(("most", "counts"), [(1, (1,)), (2, (1, 2)), (6, (1, 2, 4, 6)), (8, (1, 2, 4, 8))])
def test_thread_counts(most: int, counts: tuple[int, ...]) -> None:
    """Powers of two below the limit, then the limit."""
    from advisor.worker.cases.computer.threads import thread_counts

    assert thread_counts(most) == counts
