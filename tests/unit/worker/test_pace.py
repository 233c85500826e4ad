"""The yardstick that the worker holds to the processor before each case."""

import pytest

from advisor.records.results.measured.measurement import Case

pytestmark = pytest.mark.torch


def test_pace_is_the_time_of_one_product(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of as many products as take the time wanted, after a warm-up; what is returned is one product's part."""
    from advisor.worker import pace

    blocks: list[int] = []

    def timed(count: int) -> float:
        blocks.append(count)
        return 0.001

    def timer(iteration: object, device: object) -> object:
        assert callable(iteration)
        iteration()
        return timed

    monkeypatch.setattr(pace, "block_timer", timer)

    assert pace.measure_pace() == 0.001
    assert blocks == [3, 3, 80]


def test_pace_leaves_the_random_numbers_alone() -> None:
    """A case must compute the same with the yardstick before it as without."""
    import torch

    from advisor.worker.pace import measure_pace
    from advisor.worker.torch_settings import case_settings

    with case_settings(Case(id="a", program="matmul")):
        expected = torch.rand(3)
    with case_settings(Case(id="a", program="matmul")):
        assert measure_pace() > 0
        assert torch.equal(torch.rand(3), expected)
