"""Warm-up, calibration and samples, by a clock that is made up."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.records.results.measured.measurement import Case
from advisor.worker.failure import AbandonedError

pytestmark = pytest.mark.torch


class Clock:
    """Stands still but for a microsecond at each look, and for what the test lets pass."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def perf_counter(self) -> float:
        """Return the time."""
        self.now_s += 1e-6
        return self.now_s


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Give the timing a clock that no other program can hold up."""
    from advisor.worker import timing

    made = Clock()
    monkeypatch.setattr(timing, "time", made)
    return made


class Listener:
    """Notes the samples, and wants no more after so many."""

    def __init__(self, patience: int = 10_000) -> None:
        self.samples: list[float] = []
        self._patience = patience

    def sampled(self, sample_s: float) -> None:
        """Note it."""
        self.samples.append(sample_s)
        self.check()

    def check(self) -> None:
        """Give up when there are enough."""
        if len(self.samples) >= self._patience:
            raise AbandonedError("skipped")


def a_case(**fields: object) -> Case:
    """Return a case with short samples."""
    known: dict[str, object] = {"id": "a", "program": "matmul", "sample_s": 0.002, "budget_s": 0.02}
    return Case(**(known | fields))  # type: ignore[arg-type]


def test_as_many_samples_as_wanted(clock: Clock) -> None:
    """Each sample is reported as it is taken, and there are no fewer than asked for."""
    import torch

    from advisor.worker.timing import time_iterations

    def iteration() -> None:
        clock.now_s += 1e-4

    listener = Listener()
    timing = time_iterations(iteration, torch.device("cpu"), a_case(), listener)

    assert len(timing.samples_s) == 7
    assert timing.samples_s == tuple(listener.samples)
    assert timing.samples_s[0] == pytest.approx(1e-4, rel=0.02)
    assert timing.iterations_per_sample == 20


def test_more_samples_only_while_they_scatter_and_time_is_left() -> None:
    """A budget that is used up ends the case at the number asked for."""
    import torch

    from advisor.worker.timing import time_iterations

    timing = time_iterations(lambda: None, torch.device("cpu"), a_case(budget_s=0.0, min_samples=4), Listener())

    assert len(timing.samples_s) == 4


def test_an_abandoned_case_ends_at_once() -> None:
    """The exception of a listener who has had enough is passed on."""
    import torch

    from advisor.worker.timing import time_iterations

    listener = Listener(patience=2)
    with pytest.raises(AbandonedError):
        time_iterations(lambda: None, torch.device("cpu"), a_case(), listener)

    assert len(listener.samples) == 2


@given(st.floats(1e-7, 1e3), st.floats(1e-4, 10))
def test_a_sample_has_the_length_aimed_at(iteration_s: float, aim_s: float) -> None:
    """The loop count brings a sample within half an iteration of its aim, and is never zero."""
    from advisor.worker.timing import iterations_for

    count = iterations_for(aim_s, iteration_s)

    assert count == 1 or abs(count * iteration_s - aim_s) <= 0.5 * iteration_s * (1 + 1e-6)


def blocks(times_s: list[float]) -> Iterator[float]:
    """Yield the times, the last one for ever."""
    yield from times_s
    while True:
        yield times_s[-1]


@pytest.mark.parametrize(
    ("times_s", "iteration_s"),
    [([5.0, 2.0, 1.0, 1.0], 1.0), ([9.0, 1.0, 0.99], 0.99), ([1.0, 1.0], 1.0)],
    ids=["slower at first", "first one apart", "steady at once"],
)
def test_warm_up_ends_when_steady(times_s: list[float], iteration_s: float) -> None:
    """Two blocks in a row that agree end the warm-up; the last is the iteration's time."""
    from advisor.worker.timing import warm_up

    taken_s = blocks(times_s)
    warmed_s, _ = warm_up(lambda count: next(taken_s), a_case(budget_s=1e6), Listener())

    assert warmed_s == iteration_s


def test_warm_up_ends_in_time() -> None:
    """A device that never gets steady is measured all the same."""
    from advisor.worker.timing import warm_up

    never_steady = iter(range(1, 10**6))
    _, done = warm_up(lambda count: float(next(never_steady)), a_case(budget_s=0.02), Listener())

    assert done >= 2


def test_one_long_iteration_is_warm_up_enough() -> None:
    """Where the first iteration has taken all the time a warm-up has, no second one is spent on it."""
    from advisor.worker.timing import warm_up

    assert warm_up(lambda count: 30.0, a_case(budget_s=0.0), Listener()) == (30.0, 1)


@pytest.mark.parametrize(
    ("samples", "expected"), [([1.0], False), ([1.0, 1.01, 1.0, 1.01], False), ([1.0, 2.0, 1.0, 2.0], True)]
)
def test_scatter(samples: list[float], expected: bool) -> None:
    """A wide interquartile range calls for more samples; a single one cannot scatter."""
    from advisor.worker.timing import scatters

    assert scatters(samples) is expected


@pytest.mark.parametrize(
    ("samples", "expected"),
    [
        ([1.4, 1.1, 1.1, 1.0, 0.9, 0.8, 1.1, 0.7], 4),  # as seen in a virtual machine
        ([1.0, 1.1, 1.0, 1.0, 0.95, 1.0, 1.0], 0),
        ([0.5, 0.5, 0.5, 1.0, 1.0, 1.0], 0),  # what becomes slower is no start
        ([2.0, 2.0, 1.0, 1.0, 1.0], 0),  # too few to tell
    ],
)
def test_slow_start(samples: list[float], expected: int) -> None:
    """Half of the samples are left out where they are slower than the others by more than scatter."""
    from advisor.worker.timing import slow_start

    assert slow_start(samples) == expected


def test_a_slow_start_is_warm_up() -> None:
    """Samples taken before the case had settled are reported while it runs, and are no part of the result."""
    from advisor.worker.timing import time_blocks

    slow = [1.4, 1.1, 1.1, 1.0, 0.9, 0.8, 0.7]
    times_s = blocks([1.4, 1.4, *slow, 0.5])
    listener = Listener()
    timing = time_blocks(lambda count: next(times_s), a_case(budget_s=0.05, sample_s=0.1), listener)

    assert listener.samples[:7] == slow
    assert timing.samples_s[0] < slow[0]
    assert timing.samples_s == tuple(listener.samples)[-len(timing.samples_s) :]
    assert timing.warm_up_iterations == 2 + len(listener.samples) - len(timing.samples_s)


def test_events_are_read_after_the_device_is_done() -> None:
    """On a device with events the time is theirs, and the iterations lie between them."""
    from advisor.worker.timing import _event_timer

    log: list[str] = []

    class Event:
        def __init__(self, *, enable_timing: bool) -> None:
            assert enable_timing

        def record(self) -> None:
            log.append("record")

        def synchronize(self) -> None:
            log.append("wait")

        def elapsed_time(self, other: "Event") -> float:
            log.append("read")
            return 6.0

    backend = SimpleNamespace(Event=Event, synchronize=lambda: log.append("idle"))
    iteration_s = _event_timer(lambda: log.append("run"), backend)(3)

    assert log == ["idle", "record", "run", "run", "run", "record", "wait", "read"]
    assert iteration_s == pytest.approx(0.002)
