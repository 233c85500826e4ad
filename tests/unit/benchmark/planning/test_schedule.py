"""How much time each case gets."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.benchmark.planning.full_plan import Place, further_cases
from advisor.benchmark.planning.schedule import (
    LEAST_RATIO,
    PATIENCE_RATIO,
    TooLong,
    expected_duration,
    fit,
    foreseen_s,
    rank,
    time_limit_s,
    total_s,
)
from advisor.benchmark.planning.suite_plan import plan_suite
from advisor.benchmark.results.statistics import summarise
from advisor.records.channel import CaseResult, WorkerDevice
from advisor.records.results.measured.measurement import Case, Measurement
from tests.unit.benchmark.planning.test_suite_plan import CARD, CPU, machine, ready

TWO_CORES = WorkerDevice(name="cpu", precisions=("fp32", "fp64", "fp16", "bf16"))


def case_of(size: int, precision: str = "fp32", budget_s: float = 1.0) -> Case:
    """Return a product to measure."""
    return Case(
        id=f"m{size}",
        program="matmul",
        precision=precision,  # type: ignore[arg-type]
        size=size,
        flop_per_iteration=2.0 * size**3,
        budget_s=budget_s,
        sample_s=0.1,
    )


def product(size: int, *, seconds: tuple[float, ...] = (), precision: str = "fp32") -> Measurement:
    """Return a measured product."""
    return summarise(case_of(size, precision), CaseResult(case_id="m", samples_s=seconds))


def alone(case: Case, measured: list[Measurement]) -> Case | TooLong:
    """Return what a case gets that nothing follows and nothing limits."""
    return fit(case, (), math.inf, measured)


def densenet() -> dict[int, Case]:
    """Return the study's training cases on two cores, by batch size."""
    place = Place(device=TWO_CORES, free_bytes=16e9, cores=2)
    return {c.batch_size: c for c in further_cases(place) if c.id.startswith("train/densenet121_transfer/fp32")}


def after(case: Case, step_s: float) -> Measurement:
    """Return a measurement of a case whose step takes so long."""
    return summarise(case, CaseResult(case_id=case.id, samples_s=(step_s,), items_per_iteration=case.batch_size))


def test_what_is_unknown_gets_its_budget() -> None:
    """Without a rate there is nothing to say against a case, nor for more time."""
    fitted = alone(case_of(16384), [])

    assert isinstance(fitted, Case)
    assert fitted.budget_s == case_of(16384).budget_s


def test_product_that_takes_too_long_is_left_out() -> None:
    """A product eight times as large as one that took a second would take over a minute, however much time there is."""
    found = alone(case_of(2048), [product(1024, seconds=(1.0, 1.0))])

    assert isinstance(found, TooLong)
    assert found.needed_s == pytest.approx(8.0 + 7 * 8.0)
    assert found.left_s == PATIENCE_RATIO * 1.0


def test_one_disturbed_sample_does_not_cost_the_next_size() -> None:
    """The fastest sample decides, for the others may have been disturbed."""
    assert isinstance(alone(case_of(2048), [product(1024, seconds=(1.0, 1.0, 0.005))]), Case)


def test_rate_of_another_format_says_nothing() -> None:
    """A slow fp64 product does not keep fp32 from being measured."""
    assert isinstance(alone(case_of(2048), [product(1024, seconds=(9.0,), precision="fp64")]), Case)


def test_the_rate_of_another_network_says_nothing() -> None:
    """Only the same network on the same device in the same format is compared with."""
    place = Place(device=TWO_CORES, free_bytes=16e9, cores=2)
    cases = {c.network: c for c in further_cases(place) if c.program == "train"}

    assert expected_duration(cases["lstm_cell"], [after(cases["rnn_cell"], 100.0)]) is None


@given(st.floats(1e-6, 100), st.integers(128, 16384), st.integers(128, 16384))
def test_larger_products_never_take_less(second: float, one: int, other: int) -> None:
    """The expected duration grows with the size."""
    smaller, larger = sorted((one, other))
    seen = [product(256, seconds=(second,))]
    short, long = (expected_duration(case_of(size), seen) for size in (smaller, larger))

    assert short is not None
    assert long is not None
    assert short.whole_s <= long.whole_s
    assert short.least_s <= long.least_s


def test_the_studys_batch_runs_where_time_allows() -> None:
    """A step of 10 s is run a few times instead of left out, when others leave time; one of a minute is not."""
    cases = densenet()
    fitted = alone(cases[64], [after(cases[4], 10.0 / 16)])
    refused = alone(cases[64], [after(cases[4], 4.0)])

    assert isinstance(fitted, Case)
    assert fitted.budget_s == pytest.approx(10.0 * (1 + cases[64].min_samples))
    assert isinstance(refused, TooLong)
    assert refused.needed_s == pytest.approx(128.0)


def test_time_that_is_short_goes_to_what_matters() -> None:
    """Halfway through a third of the time, other formats are left out and the article's training still gets its own."""
    cases = plan_suite("full", machine(usable_cores=2.0), ready(TWO_CORES, threads=2))
    left_s = 0.4 * total_s(cases, ())
    kept = [one for one in cases if isinstance(fit(one, [c for c in cases if c != one], left_s, ()), Case)]

    assert {rank(one) for one in kept} == {0, 1} or {rank(one) for one in kept} == {0}
    assert any(one.network == "article_cnn" and one.program == "train" for one in kept)


def test_a_long_run_is_as_long_as_its_time() -> None:
    """With half the time a sustained run lasts half as long; with less it is left out."""
    [run] = [c for c in further_cases(Place(device=TWO_CORES, free_bytes=16e9)) if c.id.startswith("sustained/matmul")]
    half = fit(run, (), 0.5 * run.budget_s, ())

    assert isinstance(half, Case)
    assert half.options["duration_s"] == pytest.approx(30.0)
    assert isinstance(fit(run, (), 0.49 * run.budget_s, ()), TooLong)


def test_a_sweep_goes_on_while_nothing_else_waits() -> None:
    """Larger and larger batches take what time there is, up to twice their own."""
    [sweep] = [c for c in further_cases(Place(device=TWO_CORES, free_bytes=16e9)) if c.program == "sweep"]
    spared, pressed = fit(sweep, (), 1000.0, ()), fit(sweep, (), sweep.budget_s, ())

    assert isinstance(spared, Case)
    assert isinstance(pressed, Case)
    assert (spared.budget_s, pressed.budget_s) == (PATIENCE_RATIO * sweep.budget_s, sweep.budget_s)


@given(
    left_s=st.floats(0, 1e4),
    budgets=st.lists(st.floats(0.1, 100), min_size=1, max_size=30),
    timeout_s=st.floats(1, 1e4),
)
def test_no_case_outlasts_the_suite(left_s: float, budgets: list[float], timeout_s: float) -> None:
    """Whatever is left, a case gets at least half its budget or nothing, and never more than is left."""
    cases = [case_of(128, budget_s=budget_s) for budget_s in budgets]
    found = fit(msgspec.structs.replace(cases[0], timeout_s=timeout_s), cases[1:], left_s, ())

    if isinstance(found, TooLong):
        assert 0 <= found.left_s < found.needed_s
    else:
        assert LEAST_RATIO * budgets[0] <= found.budget_s <= left_s * (1 + 1e-9)
        assert found.timeout_s <= min(left_s, timeout_s)


@given(
    devices=st.sampled_from([(TWO_CORES,), (CPU, CARD), (CPU, CARD, msgspec.structs.replace(CARD, name="cuda:1"))]),
    slowness=st.floats(0.3, 50),
    promised_s=st.sampled_from([60.0, 180.0, 720.0]),
)
def test_a_whole_suite_keeps_its_word(devices: tuple[WorkerDevice, ...], slowness: float, promised_s: float) -> None:
    """However slow the machine, cases that take what they get end in time, and each is run or refused."""
    cases = plan_suite("full", machine(usable_cores=2.0), ready(*devices))
    limit_s = time_limit_s("full", ready(*devices), promised_s)
    clock_s, runs, refusals = 0.0, 0, 0
    for index, one in enumerate(cases):
        found = fit(one, cases[index + 1 :], limit_s - clock_s, ())
        if isinstance(found, TooLong):
            refusals += 1
        else:
            runs += 1
            clock_s += min(found.budget_s * slowness, found.timeout_s)

    assert clock_s <= limit_s * (1 + 1e-9)
    assert runs + refusals == len(cases)
    assert runs > 0


def test_what_is_known_to_be_short_sets_less_aside() -> None:
    """A product that needs a second of its eight leaves seven to others."""
    long = case_of(2048, budget_s=8.0)

    assert foreseen_s(long, ()) == 8.0
    assert foreseen_s(long, [product(2048, seconds=(0.1,))]) == pytest.approx(0.9)


def test_what_a_person_allows_counts() -> None:
    """The usual limits: a minute, with a card 45 s, twelve minutes; the user's own instead of them."""
    assert time_limit_s("quick", ready(CPU)) <= 60
    assert time_limit_s("quick", ready(CPU, CARD)) <= 45
    assert time_limit_s("full", ready(CPU)) <= 720
    assert time_limit_s("full", ready(CPU), 180.0) <= 180
    assert time_limit_s("full", ready(CPU), 1.0) > 0
