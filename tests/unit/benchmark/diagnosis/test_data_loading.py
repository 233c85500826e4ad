"""The loader beside the device: who waits for whom, and how many cores that takes."""

import pytest

from advisor.records.base import Interval
from advisor.records.results.diagnosis import Outlook
from tests.unit.benchmark.diagnosed import CARD, benchmark, loader, machine, training
from tests.unit.benchmark.diagnosis.seen import found, values


@pytest.mark.parametrize(("takes", "fires"), [(1.06, True), (1.04, False)])
def test_input_bound_by_measurement(takes: float, fires: bool) -> None:
    """The best loader delivers less than the card takes of the same images."""
    run = benchmark(loader(200), loader(400, workers=4), training("cuda:0", 32 / (400 * takes)))
    hits = found("input_bound", machine(CARD), run)
    assert bool(hits) == fires
    if fires:
        assert values(hits[0]) == {"loader_samples_per_s": 400, "workers": 4, "device_samples_per_s": 400 * takes}
        assert hits[0].gain == Interval(low=takes, high=takes)
        assert hits[0].remedies == ("more_workers", "prepare_data")


@pytest.mark.parametrize(("workers", "more"), [(5, True), (6, False)])
def test_more_workers_need_cores(workers: int, more: bool) -> None:
    """Six cores: one more process than five may help, one more than six has no core of its own."""
    run = benchmark(loader(100, workers=1), loader(300, workers=workers), training("cuda:0", 32 / 400))
    [hit] = found("input_bound", machine(CARD), run)
    assert ("more_workers" in hit.remedies) == more


def test_images_of_another_size_prove_nothing() -> None:
    """What is loaded at 224 pixels says nothing of a card trained at 150."""
    assert not found("input_bound", machine(CARD), benchmark(loader(10, edge=224), training("cuda:0", 0.01)))


def test_a_loader_without_workers_is_not_the_best_there_is() -> None:
    """Plain images were loaded by the program alone, augmented ones with help: the help counts."""
    run = benchmark(loader(100, workers=0), loader(300, workers=4, augmented=True), training("cuda:0", 32 / 350))
    [hit] = found("input_bound", machine(CARD), run)
    assert (hit.form, values(hit)["loader_samples_per_s"]) == ("augmented", 300)


@pytest.mark.parametrize(("worst", "fires"), [(1.06, True), (1.04, False)])
def test_input_bound_by_prediction(worst: float, fires: bool) -> None:
    """The highest the loader may reach is below the lowest the card would take."""
    outlook = Outlook(
        device="cuda:0",
        device_samples_per_s=Interval(low=100 * worst, high=1000),
        loader_samples_per_s=Interval(low=50, high=100),
    )
    hits = found("input_bound", machine(CARD), None, outlooks=[outlook])
    assert [one.form for one in hits] == (["predicted"] if fires else [])
    measured_too = benchmark(loader(1000), training("cuda:0", 32 / 500))
    assert not found("input_bound", machine(CARD), measured_too, outlooks=[outlook])


@pytest.mark.parametrize(("waiting_ratio", "high"), [(None, 20.0), (0.75, 4.0), (0.99, 20.0)])
def test_no_more_is_gained_than_the_wait(waiting_ratio: float | None, high: float) -> None:
    """It promised "1.7 to 340 times as fast" beside a card that waits 93 % of the time."""
    outlook = Outlook(
        device="cuda:0",
        device_samples_per_s=Interval(low=200, high=1000),
        loader_samples_per_s=Interval(low=50, high=100),
        waiting_ratio=waiting_ratio,
    )
    [hit] = found("input_bound", machine(CARD), None, outlooks=[outlook])
    assert hit.gain is not None
    assert (hit.gain.low, hit.gain.high) == pytest.approx((2.0, high))


@pytest.mark.parametrize(("takes", "fires"), [(610, True), (590, False)])
def test_few_cores_for_the_loader(takes: float, fires: bool) -> None:
    """Little's law: 610 images a second at 100 a core take more than the six cores there are."""
    run = benchmark(loader(100), loader(400, workers=6), training("cuda:0", 32 / takes))
    hits = found("few_cores_for_loader", machine(CARD), run)
    assert bool(hits) == fires
    if fires:
        assert values(hits[0])["needed_cores"] == pytest.approx(6.1)
        [starved] = found("input_bound", machine(CARD), run)
        assert starved.remedies[0] == "prepare_data"
