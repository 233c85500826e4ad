"""What follows for a job from its data having been loaded here with 0, 1, 2, 4 … processes."""

import dataclasses
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.predict import MeasuredLoading, input_rate, own_loading, predict, with_fed
from advisor.predict.own_data_loading import own_data_rate
from advisor.predict.timing.feeding import Loaded
from advisor.records.job.prediction import InputRate
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Case, Measurement, Series
from tests.unit.predict.examples import CARD, IMAGES, PROCESSOR, workload

PHOTOS = workload(batch_size=32, input_kind="jpeg", epochs=10.0)
LOADING = MeasuredLoading(((0.0, 100.0), (1.0, 110.0), (2.0, 200.0), (4.0, 380.0)))
loader_counts = st.integers(min_value=0, max_value=64)


def with_loaders(loaders: int | None) -> Workload:
    """Return the job with so many loading processes."""
    return msgspec.structs.replace(PHOTOS, loaders=loaders)


def measured(points: tuple[tuple[float, float], ...] = LOADING.rates, **details: float) -> Measurement:
    """Return what the measuring process found."""
    series = (Series(x="loaders", y="items_per_s", points=points),) if points else ()
    case = Case(id="data/cpu", program="data")
    return Measurement(case=case, samples_s=(1.0,), median_s=1.0, iqr_s=0.0, details=details, series=series)


@pytest.mark.parametrize(("loaders", "rate"), [(0, 100.0), (1, 110.0), (2, 200.0), (3, 290.0), (4, 380.0), (9, 380.0)])
def test_here_the_measured_rate_counts(loaders: int, rate: float) -> None:
    """Between two numbers of processes it lies between, beyond the cores it stays; the interval is a repeat's."""
    found = own_data_rate(with_loaders(loaders), LOADING, 4)
    assert found.samples_per_s == pytest.approx(rate)
    assert found.interval is not None
    assert found.interval.high / found.interval.low < 1.25
    assert (found.waits, found.basis) == ("yes" if loaders == 0 else "no", "measured")


def test_the_interval_holds_a_program_that_keeps_its_memory_and_one_that_does_not() -> None:
    """Measured with memory kept; a fresh program takes 2.25 times as long: the answer here; elsewhere the middle."""
    both = own_loading([measured(fresh_ratio=2.25)], size_bytes=0.0, memory_bytes=1.0)
    assert both is not None
    found = own_data_rate(with_loaders(0), both, 4)
    assert found.samples_per_s == pytest.approx(100.0 / 2.25)
    assert found.interval is not None
    assert found.interval.low < 100.0 / 2.25 < 100.0 < found.interval.high
    kept = own_data_rate(with_loaders(0), LOADING, 4)
    assert kept.processor_s is not None
    assert found.processor_s == pytest.approx(2.25 * kept.processor_s)
    elsewhere = own_data_rate(with_loaders(0), both, 4, is_here=False)
    assert elsewhere.samples_per_s == pytest.approx(100.0 / 1.5)


def test_who_does_not_say_takes_as_many_as_help() -> None:
    """The fewest processes that come close to the highest rate."""
    assert own_data_rate(PHOTOS, LOADING, 4).samples_per_s == pytest.approx(380.0)
    flat = MeasuredLoading(((0.0, 100.0), (1.0, 110.0), (2.0, 112.0)))
    assert flat.best_loaders == 1


def test_elsewhere_it_scales_with_cores() -> None:
    """Sixteen threads deliver four times what four do; few loaders no more than here."""
    assert own_data_rate(PHOTOS, LOADING, 16, is_here=False).samples_per_s == pytest.approx(4 * 380.0)
    one = own_data_rate(with_loaders(1), LOADING, 16, is_here=False)
    assert (one.samples_per_s, one.basis) == (pytest.approx(110.0), "scaled")


def test_the_first_epoch_is_cold_and_all_are_where_memory_is_small() -> None:
    """Ten milliseconds more from the disk: a tenth of that over ten epochs, all of it where files do not stay."""
    kept = MeasuredLoading(LOADING.rates, cold_s=0.01)
    lost = MeasuredLoading(LOADING.rates, cold_s=0.01, is_kept=False)
    assert own_data_rate(with_loaders(0), kept, 4).samples_per_s == pytest.approx(1 / (0.01 + 0.001))
    assert own_data_rate(with_loaders(0), lost, 4).samples_per_s == pytest.approx(1 / (0.01 + 0.01))
    assert own_data_rate(with_loaders(2), lost, 4).samples_per_s == pytest.approx(1 / (0.005 + 0.005))


def test_what_was_not_decoded_says_nothing_of_loading() -> None:
    """Files that were read only have no rates."""
    assert own_loading([measured(())], size_bytes=1, memory_bytes=2) is None
    assert own_loading([], size_bytes=1, memory_bytes=2) is None


def test_the_cold_time_of_a_sample_follows_from_its_size() -> None:
    """A megabyte at 10 MB/s instead of 1 GB/s."""
    details: dict[str, Any] = {"warm_bytes_per_s": 1e9, "cold_bytes_per_s": 1e7, "sample_bytes": 1e6}
    found = own_loading([measured(**details)], size_bytes=3, memory_bytes=2)
    assert found is not None
    assert found.cold_s == pytest.approx(0.099)
    assert not found.is_kept


@pytest.mark.parametrize("kind", ["memory", "text", "table"])
def test_who_keeps_the_data_in_memory_waits_for_nothing(kind: str) -> None:
    """``--input memory`` counts more than what was found."""
    assert input_rate(msgspec.structs.replace(PHOTOS, input_kind=kind), 4, own=LOADING) is None


def test_a_processor_shares_its_time_between_loading_and_training() -> None:
    """Beside a card loading hides; beside a processor it never does, and without processes both add up."""
    rate = InputRate(samples_per_s=1e6, waits="no", processor_s=0.001)
    alone = predict(IMAGES, PHOTOS, PROCESSOR).time_per_step_s
    assert predict(IMAGES, PHOTOS, PROCESSOR, input_rate=rate).time_per_step_s == pytest.approx(alone + 0.032)
    card = predict(IMAGES, PHOTOS, CARD)
    assert predict(IMAGES, PHOTOS, CARD, input_rate=rate).time_per_step_s == pytest.approx(card.time_per_step_s)


def fed(*points: tuple[float, float], **details: float) -> Measurement:
    """Return steps of 0.1 s with ten samples, fed with several numbers of processes."""
    return Measurement(
        case=Case(id="fed", program="fed"),
        samples_s=(1.0,),
        median_s=1.0,
        iqr_s=0.0,
        details={"alone_s": 0.1, "batch": 10.0} | details,
        series=(Series(x="loaders", y="fed_step_s", points=points),),
    )


def test_a_fed_step_takes_what_was_measured_together() -> None:
    """With the measured numbers of processes exactly, between them as the same physics goes; beyond, as at the end."""
    loading = with_fed(LOADING, fed((0.0, 0.3), (2.0, 0.25)))
    for loaders, seconds in ((0, 0.3), (2, 0.25)):
        rate = own_data_rate(with_loaders(loaders), loading, 4)
        assert Loaded(rate, 10, is_processor=True).step_s(0.1) == pytest.approx(seconds)
    none, one, two, four = (loading.fed_ratio(count) for count in (0, 1, 2, 4))
    assert min(none, two) < one < max(none, two)
    assert four == two


def test_a_fed_step_has_the_memory_of_a_program_by_itself() -> None:
    """It was measured in a process of its own: what freshness costs is in it, and is not asked for twice."""
    loading = with_fed(dataclasses.replace(LOADING, fresh_ratio=2.0), fed((0.0, 0.3), (2.0, 0.25)))
    for loaders, seconds in ((0, 0.3), (2, 0.25)):
        rate = own_data_rate(with_loaders(loaders), loading, 4)
        assert Loaded(rate, 10, is_processor=True).step_s(0.1) == pytest.approx(seconds)


def test_the_beginning_of_an_epoch_is_spread_over_its_steps() -> None:
    """Two processes take half a second to start and to fill the queue: two steps' time, of ten or of a thousand."""
    one = fed((0.0, 0.3), (2.0, 0.25))
    one = msgspec.structs.replace(
        one, series=(*one.series, Series(x="loaders", y="epoch_start_s", points=((0.0, 0.0), (2.0, 0.5), (4.0, 9.0))))
    )
    loading = with_fed(LOADING, one)
    for steps, seconds in ((10, 0.25 * 1.2), (1000, 0.25 * 1.002)):
        job = msgspec.structs.replace(with_loaders(2), samples=32 * steps)
        rate = own_data_rate(job, loading, 4)
        assert Loaded(rate, 10, is_processor=True).step_s(0.1) == pytest.approx(seconds)
    assert (
        own_data_rate(with_loaders(0), loading, 4).fed_ratio
        == own_data_rate(with_loaders(0), with_fed(LOADING, fed((0.0, 0.3))), 4).fed_ratio
    )
    assert own_data_rate(with_loaders(2), loading, 4, is_here=False).fed_ratio == 1.0


def test_the_best_number_is_the_fewest_that_feed_a_step_well() -> None:
    """More processes load faster by themselves, and yet slow the step down."""
    assert with_fed(LOADING, fed((0.0, 0.3), (1.0, 0.21), (4.0, 0.2))).best_loaders == 1
    assert LOADING.best_loaders == 4


@pytest.mark.parametrize("details", [{"alone_s": 0.0}, {"batch": 0.0}, {"alone_s": -1.0}])
def test_a_measurement_that_says_nothing_changes_nothing(details: dict[str, float]) -> None:
    """As of a file that somebody wrote by hand."""
    assert with_fed(LOADING, fed((0.0, 0.3), **details)) is LOADING
    assert with_fed(LOADING, fed()) is LOADING


@pytest.mark.parametrize(("loaders", "rate", "real_s"), [(0, 418.0, 0.146), (1, 418.0, 0.128), (2, 760.0, 0.126)])
def test_a_processor_that_loads_and_trains_is_foreseen(loaders: int, rate: float, real_s: float) -> None:
    """A step of 44 ms with 32 photos on an idle computer of two cores, as ``tools/jobs/bench_data.py`` saw, to 15 %."""
    loading = MeasuredLoading(((0.0, 418.0), (1.0, 418.0), (2.0, 760.0)))
    found = own_data_rate(with_loaders(loaders), loading, 2)
    assert found.samples_per_s == rate
    assert Loaded(found, 32, is_processor=True).step_s(0.044) == pytest.approx(real_s, rel=0.15)
    assert Loaded(found, 32, is_processor=False).step_s(0.044) <= real_s


@given(loader_counts, loader_counts, st.integers(min_value=1, max_value=64))
def test_more_processes_are_never_slower(fewer: int, more: int, cores: int) -> None:
    """Here and elsewhere, from one process on."""
    fewer, more = sorted((max(1, fewer), max(1, more)))
    for is_here in (True, False):
        slow, fast = (
            own_data_rate(with_loaders(count), LOADING, cores, is_here=is_here).samples_per_s for count in (fewer, more)
        )
        assert fast >= slow * (1 - 1e-9)
