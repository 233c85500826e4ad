"""Time what a group does together: all begin at once, and a sample lasts until the slowest has done its part."""

import time
from collections.abc import Callable, Sequence

import torch
import torch.distributed as dist

_MOST_SAMPLES = 200


class Exchange:
    """A group that has met.

    Attributes:
        device: This worker's own.
        rank: Its place.
        size: Workers in the group.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.rank, self.size = dist.get_rank(), dist.get_world_size()
        self._clock = torch.zeros(1, device=device)

    def samples(self, iteration: Callable[[], object], budget_s: float) -> tuple[float, ...]:
        """Return seconds of each repetition; see ``alternating``."""
        return self.alternating([iteration], budget_s)[0]

    def alternating(
        self, iterations: Sequence[Callable[[], object]], budget_s: float, *, least: int = 3
    ) -> list[tuple[float, ...]]:
        """Return seconds of each repetition, of the slowest worker; all workers return the same.

        Args:
            iterations: What is timed, in turns, so that what disturbs one for a while disturbs the others as well; each
                is run once beforehand, which opens connections and touches memory.
            budget_s: No turn begins after this, beyond the fewest.
            least: How many there are at least.
        """
        began_s = time.perf_counter()
        for iteration in iterations:
            iteration()
        self._wait()
        taken: list[list[float]] = [[] for _ in iterations]
        while len(taken[0]) < _MOST_SAMPLES:
            for iteration, times in zip(iterations, taken, strict=True):
                self.largest(0.0)  # all are here
                start_s = time.perf_counter()
                iteration()
                self._wait()
                times.append(self.largest(time.perf_counter() - start_s))
            if self.largest(time.perf_counter() - began_s) > budget_s and len(taken[0]) >= least:
                break
        return [tuple(times) for times in taken]

    def largest(self, number: float) -> float:
        """Return the largest of the numbers that the workers give."""
        self._clock.fill_(number)
        dist.all_reduce(self._clock, op=dist.ReduceOp.MAX)
        return float(self._clock.item())

    def _wait(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)
        elif self.device.type == "xpu":
            torch.xpu.synchronize(self.device)
