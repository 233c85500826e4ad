"""How long a step waits for its samples, and what loading them costs a processor that trains at the same time."""

from dataclasses import dataclass

from advisor.records.base import Interval
from advisor.records.job.prediction import InputRate

IN_TURN_RATIO = 1.2
"""How much longer decoding and computing take in turn on one processor than each of them repeated by itself.

Caches hold the other's data, and torch's threads have gone to sleep or still spin. A small network over photos on an
idle virtual machine of two cores (``tools/jobs/bench_data.py``, November 2026).
"""
_SIDE_BY_SIDE = 2
"""Loading processes from which on some of them are taken to stop the same step at the same time."""
REPEAT_RATIO = 1.1
"""Repeats of the same loading differ by so much."""
_APART_RATIO = 1.15
"""How far off a step on a processor may be that was not measured while its samples were loaded; same source."""


def lost_ratio(loaders: float) -> float:
    """Return which share of the time that processes load is lost to a step on the same processor.

    A step's threads divide each operation equally and wait for the last of them, spinning: whoever takes one of their
    cores away stops all. Two processes on two cores were measured to cost as much as one; of more than that, several
    are taken to be at work at once.
    """
    return min(1.0, _SIDE_BY_SIDE / max(loaders, 1.0))


@dataclass(frozen=True)
class Loaded:
    """The samples of a step, loaded for it.

    Attributes:
        rate: How fast they arrive.
        samples: Of the step.
        is_processor: The step runs where the loading runs.
    """

    rate: InputRate
    samples: int
    is_processor: bool

    @property
    def lost_s(self) -> float:
        """What loading takes from a processor that trains at the same time; other devices lose nothing."""
        return self.samples * (self.rate.processor_s or 0.0) if self.is_processor else 0.0

    def step_s(self, devices_s: float, *, samples_per_s: float | None = None, waits: bool | None = None) -> float:
        """Return the seconds from step to step.

        Args:
            devices_s: What a step takes alone.
            samples_per_s: How fast samples arrive, instead of the usual.
            waits: Whether they are loaded between two steps, instead of what is known of that.
        """
        input_s = self.samples / (samples_per_s or self.rate.samples_per_s)
        if (self.rate.waits == "yes") if waits is None else waits:
            together_s = (devices_s + input_s) * (IN_TURN_RATIO if self._shares_processor else 1.0)
        else:
            together_s = max(devices_s + self.lost_s, input_s)
        return together_s * self.rate.fed_ratio

    def interval(self, low_s: float, usual_s: float, high_s: float) -> Interval:
        """Return between what the step takes whose devices take between ``low_s`` and ``high_s``."""
        usual = self.rate.samples_per_s
        known = self.rate.interval or Interval(low=usual, high=usual)
        least_s = self.step_s(low_s, samples_per_s=known.high)
        if self.rate.waits == "no":
            most_s = self.step_s(high_s, samples_per_s=known.low)
        else:  # the device at its slowest with a usual loader, or the usual device with the slowest loader
            slowest_s = self.step_s(usual_s, samples_per_s=known.low, waits=True)
            most_s = max(slowest_s, self.step_s(high_s) if self.rate.waits == "yes" else high_s)
        if self.rate.fed_ratio == 1.0:
            width = _APART_RATIO if self._shares_processor else 1.0
            return Interval(low=least_s / width, high=most_s * width)
        step_s = self.step_s(usual_s)
        return Interval(low=min(least_s, step_s / REPEAT_RATIO), high=max(most_s, step_s * REPEAT_RATIO))

    @property
    def _shares_processor(self) -> bool:
        return self.is_processor and self.rate.processor_s is not None


def input_wait_s(loaded: Loaded | None, devices_s: float) -> float:
    """Return how much longer a step takes than ``devices_s`` because its samples are loaded; None: they are there."""
    return 0.0 if loaded is None else max(loaded.step_s(devices_s) - devices_s, 0.0)
