"""When ``make bench`` says yes, NO or undecided."""

import importlib.util
import math
import random
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def judgement() -> ModuleType:
    """Return the module, which is no part of the package."""
    path = Path(__file__).parents[2] / "tools" / "bench_judgement.py"
    spec = importlib.util.spec_from_file_location("bench_judgement", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ((0.99, 1.00, 1.01, 1.00, 1.02, 0.98), True),
        ((0.93, 0.94, 0.95, 0.94, 0.93, 0.96), False),
        ((1.04, 1.05, 1.06, 1.05, 1.04, 1.07), False),
        ((0.95, 1.00, 1.01, 1.00, 1.02, 0.98), "undecided"),
        ((0.99, 1.00, 1.01, 1.00, 1.02), "undecided"),  # fewer rounds than an interval takes
        ((0.70, 0.99, 0.99, 1.00, 1.00, 1.00, 1.01, 1.01, 1.60), True),  # the processor was taken away twice
    ],
)
def test_verdict_follows_the_interval(judgement: ModuleType, ratios: tuple[float, ...], verdict: object) -> None:
    """Yes and NO are said only where the whole interval lies on one side of the aim."""
    assert judgement.Estimate.of(ratios).verdict(0.03) == verdict


@pytest.mark.parametrize(("rounds", "omitted"), [(5, None), (6, 0), (8, 0), (9, 1), (12, 2), (20, 5)])
def test_interval_is_that_of_the_sign_test(judgement: ModuleType, rounds: int, omitted: int | None) -> None:
    """The ranks are those of statistical tables for the median's interval of 95 %."""
    assert judgement.omitted_at_each_end(rounds) == omitted


def test_interval_holds_the_median_as_often_as_it_says(judgement: ModuleType) -> None:
    """Of many draws with far outliers, at least 95 % of the intervals hold the true median."""
    generator = random.Random(7)
    held = 0
    for _ in range(2000):
        estimate = judgement.Estimate.of([1 + 0.01 * generator.gauss(0, 1) ** 3 for _ in range(10)])
        held += estimate.low <= 1 <= estimate.high

    assert 0.95 <= held / 2000 <= 1.0


def test_printed_error_is_that_of_the_wider_side(judgement: ModuleType) -> None:
    """A person reads a ratio and by how much it may be off; of too few rounds nothing is known."""
    assert str(judgement.Estimate(ratio=0.995, low=0.985, high=1.01)) == "0.995 \N{PLUS-MINUS SIGN} 1.5%"
    assert math.isinf(judgement.Estimate.of([1.0]).high)
    assert str(judgement.Estimate.of([1.0])) == "1.000, few rounds"
