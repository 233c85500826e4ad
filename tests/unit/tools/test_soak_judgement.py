"""What the tool that leaves the window open takes for growth."""

from collections.abc import Callable

import pytest

from tests.tool_module import tool_module

soak = tool_module("soak")


def _run(checks: int, memory_mb: Callable[[int], float]) -> list[tuple[float, ...]]:
    """Return the states of an hour with so many checks, of which each leaves the memory that is given."""
    done = [round(checks * number / soak.SAMPLES) for number in range(soak.SAMPLES + 1)]
    return [soak.State(60.0 * at, memory_mb(one), 40, 20, 0, one) for at, one in enumerate(done)]


@pytest.mark.parametrize(
    ("memory_mb", "status"),
    [
        (lambda done: 120.0 + 1.9 * (done > 55), 0),
        (lambda done: 120.0 + 0.01 * done, 1),
        (lambda done: 120.0 + 1.9 * (done // 55), 1),
        (lambda done: 120.0 + 2.5 * (done > 300), 1),
    ],
    ids=["made once at the beginning", "at each check", "again and again", "late"],
)
def test_what_is_made_once_at_the_beginning_is_no_growth(memory_mb: Callable[[int], float], status: int) -> None:
    """A leak stays one, be it in small amounts or large ones."""
    counted = soak.after_warm_up(_run(500, memory_mb), 500)

    assert soak.judge(counted, 1.5) == status


@pytest.mark.parametrize(("checks", "first"), [(4, 0), (60, 7), (500, 67)])
def test_a_short_run_counts_most_of_its_checks(checks: int, first: int) -> None:
    """The form with four checks counts from its first state on."""
    counted = soak.after_warm_up(_run(checks, lambda _done: 120.0), checks)

    assert counted[0].checks == first
    assert len(counted) >= 0.85 * soak.SAMPLES
