"""Keep the latest samples, in order, up to a number; filled by one thread and read by another."""

from collections import deque
from itertools import islice

from advisor.records.hardware.telemetry import TelemetrySample

ONE_HOUR_OF_SECONDS = 3600


class SampleHistory:
    """A ring of samples."""

    def __init__(self, capacity: int = ONE_HOUR_OF_SECONDS) -> None:
        # One thread appends, another copies: both are single operations of the interpreter on a deque.
        self._samples: deque[TelemetrySample] = deque(maxlen=capacity)
        self._count = 0

    @property
    def count(self) -> int:
        """Samples taken in since the beginning; grows even when old ones drop out."""
        return self._count

    def append(self, sample: TelemetrySample) -> None:
        """Take in a sample; the oldest drops out of a full ring."""
        self._samples.append(sample)
        self._count += 1

    def latest(self) -> TelemetrySample | None:
        """Return the newest sample."""
        try:
            return self._samples[-1]
        except IndexError:
            return None

    def samples(self) -> tuple[TelemetrySample, ...]:
        """Return all samples, oldest first."""
        return tuple(self._samples.copy())

    def last(self, count: int) -> tuple[TelemetrySample, ...]:
        """Return the newest samples, oldest first."""
        copied = self._samples.copy()
        return tuple(islice(copied, max(0, len(copied) - count), None))

    def between(self, start_s: float, end_s: float) -> tuple[TelemetrySample, ...]:
        """Return the samples of a span of time, ends included."""
        return tuple(sample for sample in self._samples.copy() if start_s <= sample.time_s <= end_s)
