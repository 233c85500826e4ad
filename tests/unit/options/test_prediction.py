"""Predictions of candidates: what was measured here feeds what is here."""

import msgspec

from advisor.options.prediction import FASTER_RATIO, faster_fed, predict_options
from advisor.records.request import Observation
from advisor.records.results.measured.measurement import Benchmark, Case, Measurement
from tests.unit.benchmark.diagnosed import machine
from tests.unit.options.test_pricing import candidate
from tests.unit.predict.examples import CARD, IMAGES, workload


def test_a_card_put_into_this_computer_is_fed_at_the_measured_rate() -> None:
    """Like the card that is in it; a computer that is bought or rented loads as published."""
    cores = machine().host.cpu.usable_cores
    loading = Case(
        id="input/150/plain/workers16/cpu",
        program="input",
        device="cpu",
        size=150,
        options={"workers": 16, "augmented": False},
    )
    slow = Measurement(case=loading, samples_s=(1.0,) * 7, median_s=1.0, iqr_s=0.0, items_per_s=cores)
    seen = Observation(
        machine=machine(),
        benchmark=Benchmark(suite="full", started_at="2026-11-22T08:00:00Z", wall_s=40.0, measurements=(slow,)),
    )
    ways = [
        candidate(CARD, cpu_cores=8.0, is_in_this_computer=True),
        candidate(CARD, id="buy/x", tier="single_gpu", cpu_cores=8.0, is_in_this_computer=True),
        candidate(CARD, id="buy/y", tier="single_gpu", cpu_cores=8.0),
    ]
    job = workload(input_kind="jpeg", loaders=8)
    own, put_in, other = predict_options(ways, IMAGES, job, seen)
    assert own is not None
    assert put_in is not None
    assert other is not None
    assert own.time_per_step_s == put_in.time_per_step_s
    assert abs(own.time_per_step_s - job.batch_size / 8) < 1e-9  # one image a second and thread
    assert other.time_per_step_s < own.time_per_step_s


def test_more_cores_stay_only_where_they_bring_much() -> None:
    """Of each card, what is faster by more than the error of a prediction than anything with fewer cores."""
    few, mid, many = (candidate(CARD, id=f"buy/{n:g}", tier="single_gpu", cpu_cores=n) for n in (4.0, 8.0, 32.0))
    job = workload(input_kind="jpeg", loaders=32)
    of_few, *of_more = predict_options([few, mid, many], IMAGES, job)
    kept, theirs = faster_fed([few], [of_few], [mid, many], of_more)
    assert of_few is not None
    assert kept[0] == mid
    assert next(one.time_per_step_s for one in theirs if one is not None) < of_few.time_per_step_s / FASTER_RATIO
    in_memory = workload(input_kind="memory")
    of_few, *of_more = predict_options([few, mid, many], IMAGES, in_memory)
    assert faster_fed([few], [of_few], [mid, many], of_more) == ([], [])


def test_the_processor_here_launches_what_is_put_in() -> None:
    """A card beside an old processor waits longer for its kernels; one that is rented does not."""
    ways = [
        candidate(CARD, id="buy/x", tier="single_gpu", cpu_cores=8.0, is_in_this_computer=True),
        candidate(CARD, id="rent/x", tier="cloud", cpu_cores=8.0),
    ]

    def launched_s(processor: str) -> list[float]:
        host = machine().host
        cpu = msgspec.structs.replace(host.cpu, name=processor)
        here = msgspec.structs.replace(machine(), host=msgspec.structs.replace(host, cpu=cpu))
        found = predict_options(ways, IMAGES, workload(batch_size=1), Observation(machine=here))
        parts = [{part.name: part.time_s for part in one.parts} for one in found if one is not None]
        return [part["launch"] for part in parts]

    old, young, unknown = map(launched_s, ("Intel(R) Core(TM) i7-3770 CPU", "AMD Ryzen 9 9950X", "some processor"))
    assert old[0] > 1.4 * young[0]
    assert old[1] == young[1] == unknown[1] == unknown[0]
