"""What follows from what was seen of a script."""

import pytest

from advisor.records.results.measured.watched import WatchedScript, WatchedStep


@pytest.mark.parametrize(("wait_s", "compute_s"), [(0.1, 0.25), (0.9, 0.0)])
def test_what_is_left_of_a_step_is_computing(wait_s: float, compute_s: float) -> None:
    """Of clocks that disagree nothing is left, not less."""
    step = WatchedStep(steps=3, step_s=0.5, wait_s=wait_s, copy_s=0.05, optimizer_s=0.1)
    assert step.compute_s == pytest.approx(compute_s)


def test_the_whole_run_is_all_steps_of_all_epochs() -> None:
    """Where one of them is not known, it is not."""
    step = WatchedStep(steps=3, step_s=0.5)
    assert WatchedScript(ended="enough", watched_s=1.0, step=step, steps_per_epoch=10, epochs=4).run_s == 20.0
    assert WatchedScript(ended="enough", watched_s=1.0, step=step, steps_per_epoch=10).run_s is None
    assert WatchedScript(ended="enough", watched_s=1.0, steps_per_epoch=10, epochs=4).run_s is None
