"""What follows for a job from its data having been loaded here with 0, 1, 2, 4 … processes."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.predict import MeasuredLoading, input_rate, own_loading, predict
from advisor.predict.own_data import own_data_rate
from advisor.records.job.prediction import InputRate
from advisor.records.job.workload import Workload
from advisor.records.results.measurement import Case, Measurement, Series
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


@given(loader_counts, loader_counts, st.integers(min_value=1, max_value=64))
def test_more_processes_are_never_slower(fewer: int, more: int, cores: int) -> None:
    """Here and elsewhere, from one process on."""
    fewer, more = sorted((max(1, fewer), max(1, more)))
    for is_here in (True, False):
        slow, fast = (
            own_data_rate(with_loaders(count), LOADING, cores, is_here=is_here).samples_per_s for count in (fewer, more)
        )
        assert fast >= slow * (1 - 1e-9)
