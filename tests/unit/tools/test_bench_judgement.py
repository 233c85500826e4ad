"""When ``make bench`` says yes, NO or undecided."""

import math
import random
from collections.abc import Sequence
from types import ModuleType

import pytest

from tests.tool_module import tool_module


@pytest.fixture(scope="module")
def judgement() -> ModuleType:
    """Return the module, which is no part of the package."""
    return tool_module("bench_judgement")


def in_rounds(ratios: Sequence[float], rounds: int = 4) -> list[Sequence[float]]:
    """Return the ratios dealt to so many rounds."""
    return [ratios[index::rounds] for index in range(rounds)]


@pytest.mark.parametrize(
    ("ratios", "verdict"),
    [
        ((0.98, 0.99, 0.99, 1.00, 1.00, 1.00, 1.01, 1.02), True),
        ((0.92, 0.93, 0.93, 0.94, 0.94, 0.95, 0.95, 0.96), False),
        ((1.04, 1.05, 1.05, 1.06, 1.06, 1.07, 1.07, 1.08), False),
        ((0.95, 0.98, 0.99, 1.00, 1.00, 1.01, 1.01, 1.02), "undecided"),
        ((0.99, 1.00, 1.00, 1.01, 1.02), "undecided"),  # fewer pairs than an interval takes
        ((0.70, 0.99, 0.99, 1.00, 1.00, 1.00, 1.01, 1.01, 1.60), True),  # the processor was taken away twice
    ],
)
def test_verdict_follows_the_interval(judgement: ModuleType, ratios: tuple[float, ...], verdict: object) -> None:
    """Yes and NO are said only where the whole interval lies on one side of the aim."""
    assert judgement.Estimate.of(in_rounds(ratios)).verdict(0.03) == verdict


def test_few_rounds_decide_nothing(judgement: ModuleType) -> None:
    """However many pairs they have: all of a round may be off for the same reason."""
    assert judgement.Estimate.of(in_rounds([1.0] * 30, rounds=3)).verdict(0.03) == "undecided"


def test_pairs_that_agree_within_rounds_count_less(judgement: ModuleType) -> None:
    """Rounds that are each on one side say less than the same ratios well mixed."""
    ratios = [0.98 - 0.001 * index for index in range(40)] + [1.02 + 0.001 * index for index in range(40)]
    apart = [ratios[start : start + 10] for start in range(0, 80, 10)]
    mixed, apart = (judgement.Estimate.of(rounds) for rounds in (in_rounds(ratios, rounds=8), apart))

    assert mixed.ratio == apart.ratio == pytest.approx(1.0)
    assert apart.low < mixed.low < mixed.high < apart.high


@pytest.mark.parametrize(("count", "omitted"), [(5, None), (6, 0), (8, 0), (9, 1), (12, 2), (20, 5)])
def test_interval_is_that_of_the_sign_test(judgement: ModuleType, count: int, omitted: int | None) -> None:
    """The ranks are those of statistical tables for the median's interval of 95 %."""
    assert judgement.omitted_at_each_end(count) == omitted


@pytest.mark.parametrize("shared", [0.0, 0.01, 0.03], ids=["independent", "some shared", "mostly shared"])
def test_interval_holds_the_median_as_often_as_it_says(judgement: ModuleType, shared: float) -> None:
    """Of many draws with far outliers and shared offsets, nine in ten intervals or more hold the true median.

    Eight rounds tell little of what their pairs share: hence not quite 95 % where that is most of it.
    """
    generator = random.Random(7)
    held = 0
    for _ in range(1000):
        offsets = [shared * generator.gauss(0, 1) for _ in range(8)]
        rounds = [[1 + offset + 0.01 * generator.gauss(0, 1) ** 3 for _ in range(10)] for offset in offsets]
        estimate = judgement.Estimate.of(rounds)
        held += estimate.low <= 1 <= estimate.high

    assert 0.9 <= held / 1000 <= 1.0


def test_printed_error_is_that_of_the_wider_side(judgement: ModuleType) -> None:
    """A user reads a ratio and by how much it may be off; of too few rounds nothing is known."""
    assert str(judgement.Estimate(ratio=0.995, low=0.985, high=1.01)) == "0.995 \N{PLUS-MINUS SIGN} 1.5%"
    assert math.isinf(judgement.Estimate.of([[1.0]]).high)
    assert str(judgement.Estimate.of([[1.0]])) == "1.000, few rounds"
