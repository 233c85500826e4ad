"""Keep the latest samples, in order, up to a number; filled by one thread and read by another."""

from advisor.monitor.sample_history import SampleHistory
from tests.unit.monitor.computers.sampled import at


def test_history_keeps_the_latest() -> None:
    """A full ring drops the oldest and still counts all."""
    history = SampleHistory(capacity=3)
    assert history.latest() is None
    for second in range(5):
        history.append(at(float(second)))

    assert [sample.time_s for sample in history.samples()] == [2.0, 3.0, 4.0]
    assert [sample.time_s for sample in history.last(2)] == [3.0, 4.0]
    assert [sample.time_s for sample in history.between(3.0, 3.5)] == [3.0]
    assert history.count == 5
