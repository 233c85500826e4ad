"""Samples become numbers."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.benchmark.results.statistics import (
    UNSTABLE_RATIO,
    interquartile_range,
    plateau_flop_per_s,
    speed_up_ratio,
    summarise,
)
from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case, Condition, Measurement

SAMPLES = st.lists(st.floats(min_value=1e-6, max_value=1e3), min_size=1, max_size=50).map(tuple)


def measured(samples: tuple[float, ...], **case: object) -> Measurement:
    """Return the measurement of these samples."""
    known = {"id": "c", "program": "matmul", "flop_per_iteration": 1e9} | case
    return summarise(Case(**known), CaseResult(case_id="c", samples_s=samples, items_per_iteration=32))  # type: ignore[arg-type]


@given(SAMPLES)
def test_median_lies_among_the_samples(samples: tuple[float, ...]) -> None:
    """The median is never below the fastest nor above the slowest sample."""
    result = measured(samples)

    assert min(samples) <= result.median_s <= max(samples)


@given(SAMPLES)
def test_spread_is_within_the_range(samples: tuple[float, ...]) -> None:
    """The interquartile range lies between 0 and the full range."""
    spread = interquartile_range(samples)

    assert 0 <= spread <= (max(samples) - min(samples)) * (1 + 1e-9)


@given(SAMPLES, st.sampled_from((0.5, 2.0, 4.0)))
def test_rates_follow_the_clock(samples: tuple[float, ...], factor: float) -> None:
    """A machine that takes a factor longer has its rates divided by that factor."""
    slow, fast = measured(tuple(s * factor for s in samples)), measured(samples)

    assert slow.flop_per_s == pytest.approx(fast.flop_per_s / factor)  # type: ignore[operator]
    assert slow.items_per_s == pytest.approx(fast.items_per_s / factor)  # type: ignore[operator]


def test_known_numbers() -> None:
    """Seven samples have the median and quartiles that a hand calculation gives."""
    result = measured((7.0, 1.0, 3.0, 2.0, 6.0, 5.0, 4.0))

    assert (result.median_s, result.iqr_s) == (4.0, 3.0)
    assert (result.flop_per_s, result.items_per_s) == (0.25e9, 8.0)


def test_samples_are_kept_in_order() -> None:
    """Nothing measured is thrown away or sorted."""
    assert measured((3.0, 1.0, 2.0)).samples_s == (3.0, 1.0, 2.0)


def test_no_flop_no_rate() -> None:
    """A case without a formula has no rate."""
    assert measured((1.0,), flop_per_iteration=None).flop_per_s is None


def test_share_of_the_peak() -> None:
    """The share of the theoretical peak is the rate over the peak."""
    case = Case(id="c", program="matmul", flop_per_iteration=1e9)
    result = summarise(case, CaseResult(case_id="c", samples_s=(1.0, 1.0)), peak_flop_per_s=4e9)

    assert result.peak_ratio == 0.25


def test_unknown_peak_stays_unknown() -> None:
    """Without a theoretical peak there is no share of it."""
    assert measured((1.0,)).peak_ratio is None


def test_wide_spread_is_called_unstable() -> None:
    """A spread above the limit stands beside the number, with its value."""
    (condition,) = measured((1.0, 1.0, 1.5, 2.0, 2.0)).conditions

    assert condition == Condition(kind="unstable", value=pytest.approx(2 / 3), unit="ratio", when="during")  # type: ignore[arg-type]


@given(SAMPLES)
def test_unstable_exactly_above_the_limit(samples: tuple[float, ...]) -> None:
    """The warning appears if and only if the spread exceeds the limit."""
    result = measured(samples)

    assert bool(result.conditions) == (result.iqr_s > UNSTABLE_RATIO * result.median_s)


def test_conditions_of_the_machine_come_first() -> None:
    """Conditions that were seen are kept and come before the spread."""
    battery = Condition(kind="on_battery")
    result = summarise(Case(id="c", program="x"), CaseResult(case_id="c", samples_s=(1.0, 9.0)), conditions=[battery])

    assert [c.kind for c in result.conditions] == ["on_battery", "unstable"]


def curve(rates: dict[int, float], device: str = "cpu", precision: str = "fp32") -> list[Measurement]:
    """Return products of these sizes with these rates."""
    return [
        measured((1e9 / rate,), id=f"{device}{size}", size=size, device=device, precision=precision)
        for size, rate in rates.items()
    ]


@given(st.dictionaries(st.integers(1, 20000), st.floats(1e6, 1e15), min_size=1, max_size=10))
def test_plateau_is_a_rate_of_the_large_sizes(rates: dict[int, float]) -> None:
    """The plateau is the median over the three largest sizes, in whatever order they were measured."""
    largest = [rates[size] for size in sorted(rates)[-3:]]

    assert plateau_flop_per_s(curve(rates), "cpu", "fp32") == pytest.approx(statistics.median(largest))


def test_plateau_ignores_other_devices_and_formats() -> None:
    """Each device and format has its own plateau, and none without a product."""
    measurements = curve({1024: 2e9}) + curve({1024: 8e9}, device="cuda:0") + curve({1024: 5e9}, precision="bf16")

    assert plateau_flop_per_s(measurements, "cuda:0", "fp32") == pytest.approx(8e9)
    assert plateau_flop_per_s(measurements, "cuda:0", "tf32") is None


def trained(device: str, step_s: float, batch_size: int = 32, precision: str = "fp32") -> Measurement:
    """Return the training of the article's network."""
    return measured(
        (step_s,), program="train", network="article_cnn", device=device, batch_size=batch_size, precision=precision
    )


def test_speed_up_of_the_article() -> None:
    """413 s on the processor and 43 s on the card are a ratio of 9.6."""
    ratio = speed_up_ratio([trained("cpu", 0.413), trained("cuda:0", 0.043)], "cuda:0")

    assert ratio == pytest.approx(9.6, abs=0.01)


@pytest.mark.parametrize(
    "others",
    [[], [trained("cpu", 0.4, batch_size=16)], [trained("cpu", 0.4, precision="amp")]],
    ids=["missing", "another batch", "another format"],
)
def test_no_speed_up_from_unequal_work(others: list[Measurement]) -> None:
    """Only the same work in the same format is compared."""
    assert speed_up_ratio([*others, trained("cuda:0", 0.04)], "cuda:0") is None
