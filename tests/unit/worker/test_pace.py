"""The yardstick that the worker holds to the processor before each case."""

import pytest

from advisor.records.results.measured.measurement import Case

pytestmark = pytest.mark.torch


def test_pace_is_the_time_of_one_product(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of as many products as take the time wanted, after a warm-up; one that something disturbed is not told."""
    from advisor.worker import pace

    blocks: list[int] = []

    def timed(count: int) -> float:
        blocks.append(count)
        return 0.002 if len(blocks) == 4 else 0.001

    def timer(iteration: object, device: object) -> object:
        assert callable(iteration)
        iteration()
        return timed

    monkeypatch.setattr(pace, "block_timer", timer)

    assert pace.measure_pace() == 0.001
    assert blocks == [3, 3, *[40] * 5]


@pytest.mark.parametrize(("together_s", "waited"), [(0.01, 0.9), (0.0021, 0.524), (0.0015, 0.0), (0.0005, 0.0)])
def test_threads_that_are_slower_together_than_one_alone_wait(
    monkeypatch: pytest.MonkeyPatch, together_s: float, waited: float
) -> None:
    """One alone takes 2 ms, so two that do not wait for each other take 1: the rest of the time they wait."""
    import torch

    from advisor.worker import pace

    asked: list[int] = []
    monkeypatch.setattr(torch, "get_num_threads", lambda: 2)
    monkeypatch.setattr(torch, "set_num_threads", asked.append)
    monkeypatch.setattr(pace, "measure_pace", lambda: 0.002)

    assert pace.measure_waiting(together_s) == pytest.approx(waited, abs=1e-3)
    assert asked == [1, 2]


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
