"""The cases that take long: batches up to the memory limit, and a minute of work."""

from typing import Any

import pytest

from advisor.records.results.measured.measurement import Case
from tests.unit.worker.cases.runs import run, small_case

pytestmark = pytest.mark.torch

FORMULA = {"fixed_bytes": 1e6, "bytes_per_sample": 1e6}


def test_the_limit_is_found_without_reaching_it() -> None:
    """A batch that would not fit is not tried; it is named, with what it would take."""
    options = {"limit_bytes": 1e9, "fixed_bytes": 1e6, "bytes_per_sample": 1e8}
    tight = run("sweep", network="simple_cnn", budget_s=60, options=options)

    assert tight.details["first_batch_that_does_not_fit"] <= 32
    assert tight.details["it_would_take_bytes"] > tight.details["limit_bytes"] == 1e9
    assert tight.details["largest_batch_that_fits"] * 2 == tight.details["first_batch_that_does_not_fit"]


def test_curves_of_a_sweep() -> None:
    """Rate and duration are there for each batch, and the result is that of the best one."""
    result = run("sweep", network="simple_cnn", budget_s=60, options={"most_samples": 8})
    curves = {series.y: dict(series.points) for series in result.series}
    best = int(result.details["best_batch"])

    assert set(curves["items_per_s"]) == set(curves["step_s"]) == {1, 2, 4, 8}
    assert result.items_per_iteration == best
    assert curves["items_per_s"][best] >= 0.95 * max(curves["items_per_s"].values())


def test_time_ends_a_sweep() -> None:
    """What the next batch would take is not begun when the time is over; that is said."""
    result = run("sweep", network="simple_cnn", budget_s=0.0)

    assert (result.details["largest_batch_that_fits"], result.details["ended_by_time"]) == (1, 1)


def test_not_even_one_fits() -> None:
    """A limit below a single sample is a case that does not fit, not a result."""
    with pytest.raises(MemoryError, match="Not even one"):
        run("sweep", network="simple_cnn", options=FORMULA | {"limit_bytes": 1e6})


def test_a_refusal_of_the_device_ends_the_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    """When foresight fails and memory runs out, the batches before it remain as the result."""
    from advisor.worker.cases import sweep
    from advisor.worker.cases.train import training_step

    def full(case: Case, *arguments: Any) -> Any:
        if case.batch_size >= 4:
            raise RuntimeError("CUDA out of memory. Tried to allocate 20 GiB")
        return training_step(case, *arguments)

    monkeypatch.setattr(sweep, "training_step", full)
    result = run("sweep", network="simple_cnn", budget_s=60)

    assert result.details["largest_batch_that_fits"] == 2
    assert result.details["first_batch_that_does_not_fit"] == 4
    assert "it_would_take_bytes" not in result.details


def test_foresight() -> None:
    """The line through two batches is followed, and never one flatter than the formula's."""
    from advisor.worker.cases.sweep import Point, foreseen_bytes

    points = [Point(1, (1.0,), 1, 110), Point(2, (1.0,), 1, 120)]
    bare = small_case("sweep")
    with_formula = small_case("sweep", options={"fixed_bytes": 100.0, "bytes_per_sample": 30.0})

    assert foreseen_bytes(points, 4, bare) == 140
    assert foreseen_bytes(points, 4, with_formula) == 180
    assert foreseen_bytes(points[:1], 2, bare) is None
    assert foreseen_bytes([], 2, with_formula) == 160


def test_the_best_batch_is_the_smallest_sufficient_one() -> None:
    """A batch that is as good as twice its size wins."""
    from advisor.worker.cases.sweep import Point, best_point

    points = [Point(1, (1.0,), 1, None), Point(2, (1.03,), 1, None), Point(4, (2.0,), 1, None)]

    assert best_point(points).batch_size == 2


@pytest.mark.parametrize(
    ("taken", "late_s", "options", "wants_more"),
    [
        (1, -1.0, {}, True),
        (1, 100.0, {}, True),
        (1, 100.0, {"fewest_samples": 1}, False),
        (0, 100.0, {"fewest_samples": 1}, True),
        (1, -1.0, {"fewest_samples": 1}, True),
        (2, 0.0, {"fewest_samples": 1}, False),
        (5, -1.0, {"fewest_samples": 1}, False),
    ],
)
def test_a_slow_machine_may_stop_with_fewer_samples(
    taken: int, late_s: float, options: dict[str, object], wants_more: bool
) -> None:
    """Past its budget a case that allows it is content with fewer samples, never with none."""
    from advisor.worker.timing import _wants_more

    case = small_case("train", min_samples=5, budget_s=2.0, options=options)

    assert _wants_more([1.0] * taken, case, late_s) is wants_more
