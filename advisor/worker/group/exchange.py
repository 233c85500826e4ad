"""Time what a group does together: all begin at once, and a sample lasts until the slowest has done its part."""

import time
from collections.abc import Callable

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

    def samples(self, iteration: Callable[[], object], budget_s: float, *, least: int = 3) -> tuple[float, ...]:
        """Return seconds of each repetition, of the slowest worker; all workers return the same.

        Args:
            iteration: What is timed; run once beforehand, which opens connections and touches memory.
            budget_s: No repetition begins after this, beyond the fewest.
            least: How many there are at least.
        """
        began_s = time.perf_counter()
        iteration()
        self._wait()
        taken: list[float] = []
        while len(taken) < _MOST_SAMPLES:
            self.largest(0.0)  # all are here
            start_s = time.perf_counter()
            iteration()
            self._wait()
            taken.append(self.largest(time.perf_counter() - start_s))
            if self.largest(time.perf_counter() - began_s) > budget_s and len(taken) >= least:
                break
        return tuple(taken)

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
