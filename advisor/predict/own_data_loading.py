"""How fast the user's own samples arrive: as measured here with 0, 1, 2, 4 … processes, scaled with cores elsewhere."""

import dataclasses
import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.predict.coefficients import input_coefficients
from advisor.predict.timing.feeding import REPEAT_RATIO, Loaded, lost_ratio
from advisor.records.base import Interval
from advisor.records.job.prediction import InputRate
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Measurement


@dataclass(frozen=True)
class MeasuredLoading:
    """What was measured of the user's files.

    Attributes:
        rates: (processes, samples a second), 0 first; each more than the one before.
        cold_s: By how much longer a sample takes that comes from the disk.
        is_kept: The whole set fits this computer's memory, so that only the first epoch reads the disk.
        fed: (processes, what a step of the job took while so many loaded, over what both alone say), rising.
        fresh_ratio: How many times as long a program takes that has no memory of its own yet; it may be either.
        starts: (processes, how many steps an epoch loses until its first batch is there), rising.
        fed_best: The fewest of these processes with which a step takes hardly longer than the shortest.
    """

    rates: tuple[tuple[float, float], ...]
    cold_s: float = 0.0
    is_kept: bool = True
    fed: tuple[tuple[float, float], ...] = ()
    starts: tuple[tuple[float, float], ...] = ()
    fed_best: int | None = None
    fresh_ratio: float = 1.0

    @property
    def best_loaders(self) -> int:
        """The fewest processes that come within a repeat's scatter of the highest rate, or of the shortest step."""
        if self.fed_best is not None:
            return self.fed_best
        most = max(rate for _count, rate in self.rates)
        return int(next(count for count, rate in self.rates if rate * REPEAT_RATIO >= most))

    def warm_rate(self, loaders: float, threads: float) -> float:
        """Return samples a second of so many processes on so many hardware threads, from memory.

        Between measured numbers it rises in a straight line. Beyond the last each further process adds what that
        many had each, up to the threads there are.
        """
        last, most = self.rates[-1]
        if loaders > last:
            return most * max(1.0, min(loaders, threads) / max(last, 1.0))
        return _between(self.rates, loaders)

    def fed_ratio(self, loaders: float, steps: float = math.inf) -> float:
        """Return what a fed step takes over what both alone say; in between by the ratios of the nearest two.

        Args:
            loaders: Processes.
            steps: Of an epoch, over which its start is spread.
        """
        ratio = (
            math.exp(_between([(count, math.log(ratio)) for count, ratio in self.fed], loaders)) if self.fed else 1.0
        )
        return ratio * (1.0 + (_between(self.starts, loaders) / steps if self.starts else 0.0))

    def rate(self, loaders: float, threads: float, epochs: float) -> float:
        """Return samples a second over all epochs; processes wait for the disk side by side."""
        cold_ratio = min(1.0, 1.0 / epochs) if self.is_kept else 1.0
        cold_s = self.cold_s * cold_ratio / max(1.0, loaders)
        return 1.0 / (1.0 / self.warm_rate(loaders, threads) + cold_s)


def own_loading(
    measurements: Sequence[Measurement], *, size_bytes: float, memory_bytes: float
) -> MeasuredLoading | None:
    """Return what was measured of the user's files; None where they were not, or could not be decoded.

    Args:
        measurements: Of this computer.
        size_bytes: Of all the files.
        memory_bytes: What the system can keep files in.
    """
    one = next((one for one in measurements if one.case.program == "data"), None)
    points = () if one is None else _by_loaders(one, "items_per_s")
    rising = tuple(sorted((count, rate) for count, rate in points if rate > 0))
    if one is None or not rising:
        return None
    warm, cold = (one.details.get(f"{name}_bytes_per_s", 0.0) for name in ("warm", "cold"))
    slower_s = 1.0 / cold - 1.0 / warm if 0.0 < cold < warm else 0.0
    return MeasuredLoading(
        rising,
        slower_s * one.details.get("sample_bytes", 0.0),
        size_bytes <= memory_bytes,
        fresh_ratio=max(1.0, one.details.get("fresh_ratio", 1.0)),
    )


def _between(points: Sequence[tuple[float, float]], loaders: float) -> float:
    """Return what belongs to a number of processes, in a straight line between two that were measured."""
    right = min(bisect_left(points, (loaders,)), len(points) - 1)
    (before, low), (after, high) = points[max(right - 1, 0)], points[right]
    if after == before or loaders >= after:
        return high
    return low + (high - low) * max(loaders - before, 0.0) / (after - before)


def with_fed(loading: MeasuredLoading, one: Measurement) -> MeasuredLoading:
    """Return what was measured of the files, corrected by steps of the job that were fed from them.

    Args:
        loading: Of the files alone.
        one: Of the job's steps, alone and with several numbers of processes.
    """
    points = _by_loaders(one, "fed_step_s")
    alone_s, batch = one.details.get("alone_s", 0.0), round(one.details.get("batch", 0.0))
    taken = sorted((count, seconds) for count, seconds in points if seconds > 0)
    if not taken or alone_s <= 0 or batch < 1:
        return loading
    is_processor = one.case.device == "cpu"
    fed = [
        (count, seconds / Loaded(_warm(loading, count), batch, is_processor).step_s(alone_s))
        for count, seconds in taken
    ]
    shortest_s = min(seconds for _count, seconds in taken)
    best = next(count for count, seconds in taken if seconds <= REPEAT_RATIO * shortest_s)
    fed_s = dict(taken)
    starts = sorted(
        (count, start_s / fed_s[count]) for count, start_s in _by_loaders(one, "epoch_start_s") if count in fed_s
    )
    return dataclasses.replace(loading, fed=tuple(fed), fed_best=int(best), starts=tuple(starts))


def _by_loaders(one: Measurement, name: str) -> tuple[tuple[float, float], ...]:
    return next((series.points for series in one.series if (series.x, series.y) == ("loaders", name)), ())


def _warm(loading: MeasuredLoading, loaders: float) -> InputRate:
    """Return what so many processes deliver from memory."""
    return InputRate(
        samples_per_s=loading.warm_rate(loaders, loading.rates[-1][0]) / loading.fresh_ratio,
        waits="yes" if loaders == 0 else "no",
        processor_s=loading.fresh_ratio * _lost_s(loading, loaders),
    )


def _lost_s(loading: MeasuredLoading, loaders: float) -> float:
    """Return by how much loading a sample delays a step on the same processor."""
    alone = next((rate for count, rate in loading.rates if count == 1), loading.rates[0][1])
    return lost_ratio(loaders) / alone


def own_data_rate(
    workload: Workload, loading: MeasuredLoading, cores: float, *, devices: int = 1, is_here: bool = True
) -> InputRate:
    """Return what a processor delivers of the user's own samples.

    Where the user did not say how many processes load, as many are taken as help: here as measured, elsewhere one for
    each hardware thread. Here it is the rate of a program that treats memory as any fresh one, and the interval,
    otherwise a repeat's, reaches to one that keeps it, and to one that never does; elsewhere it is the middle of the
    first two, and the interval that between processors.

    Args:
        workload: Says how many processes load for each device, and how many epochs there are.
        loading: What was measured.
        cores: Hardware threads of the computer asked about.
        devices: That are fed there, each by a program of its own.
        is_here: Whether it is the computer that was measured.
    """
    threads = max(cores, 1.0)
    usual = float(loading.best_loaders if is_here else max(1.0, threads))
    asked = usual if workload.loaders is None else float(workload.loaders * devices)
    loaders = asked if workload.loaders == 0 else min(asked, max(threads, loading.rates[-1][0]))
    rate = loading.rate(loaders, threads, workload.epochs) if is_here else _elsewhere(loading, loaders, threads)
    slower = loading.fresh_ratio if is_here else math.sqrt(loading.fresh_ratio)
    rate /= slower
    low_width = high_width = input_coefficients().faster
    if is_here:  # a program that sometimes keeps its memory was measured in either state
        low_width, high_width = REPEAT_RATIO * min(slower, REPEAT_RATIO), REPEAT_RATIO * slower
    return InputRate(
        samples_per_s=rate,
        interval=Interval(low=rate / low_width, high=rate * high_width),
        workers=max(1.0, loaders),
        waits="yes" if loaders == 0 else "no",
        processor_s=slower * _lost_s(loading, loaders),
        fed_ratio=loading.fed_ratio(loaders, max(workload.total_steps / workload.epochs, 1.0)) if is_here else 1.0,
        basis="measured" if is_here else "scaled",
    )


def _elsewhere(loading: MeasuredLoading, loaders: float, threads: float) -> float:
    """Return the rate on another computer: a process delivers what it does here, as far as threads go round."""
    if loaders == 0:
        return loading.rates[0][1]
    last, most = loading.rates[-1]
    each = most / max(last, 1.0)
    return max(min(loading.warm_rate(1.0, threads), most), each * min(loaders, threads))
